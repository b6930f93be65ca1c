//! The output of commands: text for people, or JSON for programs.

use clap::Args;
use serde_json::Value;

#[derive(Args, Clone, Copy)]
pub struct Output {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Output {
    /// Prints an object: as JSON in one line, or a line for each field that has a value.
    pub fn print(self, object: &Value) {
        if self.json {
            println!("{object}");
            return;
        }
        for (name, value) in object.as_object().into_iter().flatten() {
            match value {
                Value::Null => {}
                Value::String(text) => println!("{name:<13} {text}"),
                value => println!("{name:<13} {value}"),
            }
        }
    }

    /// Prints a list: as JSON in one line, or a line for each item.
    pub fn print_all(self, items: &[Value], line: impl Fn(&Value) -> String) {
        if self.json {
            println!("{}", Value::from(items));
        } else {
            items.iter().for_each(|item| println!("{}", line(item)));
        }
    }

    /// Prints the result of a change: an object as JSON, or a sentence.
    pub fn done(self, object: &Value, sentence: &str) {
        if self.json {
            println!("{object}");
        } else {
            println!("{sentence}");
        }
    }
}
