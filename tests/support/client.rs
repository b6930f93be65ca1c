//! What both doors can do, by the names that they share.

use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};

use reqwest::RequestBuilder;
use serde_json::Value;

use super::server::Server;
use super::streams::Stream;

/// A refusal, the same by either door.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    pub code: String,
    pub rule: Option<String>,
    pub token: Option<i64>,
    pub text: String,
}

impl Refused {
    /// What a problem+json document says.
    pub fn told_by(problem: &Value) -> Refused {
        Refused {
            code: problem["code"].as_str().expect("a problem has a code").into(),
            rule: problem["rule"].as_str().map(String::from),
            token: problem["token"].as_i64(),
            text: problem["detail"].as_str().expect("a problem has a sentence").into(),
        }
    }

    /// What an error of GraphQL says.
    pub fn told_in(error: &Value) -> Refused {
        let extensions = &error["extensions"];
        Refused {
            code: extensions["code"].as_str().unwrap_or_else(|| panic!("an error has a code: {error}")).into(),
            rule: extensions["rule"].as_str().map(String::from),
            token: extensions["token"].as_i64(),
            text: error["message"].as_str().expect("an error has a sentence").into(),
        }
    }
}

pub type Answer = Result<Value, Refused>;
pub type Answering<'a> = Pin<Box<dyn Future<Output = Answer> + Send + 'a>>;

pub type Asking<'a> = Pin<Box<dyn Future<Output = RequestBuilder> + Send + 'a>>;
pub type Opening<'a> = Pin<Box<dyn Future<Output = Stream> + Send + 'a>>;

/// By what a stream is opened.
#[derive(Clone, Copy)]
pub enum Shown<'a> {
    Nothing,
    Token(&'a str),
    Ticket(&'a str),
}

/// A way into the service. Operations have the same names, inputs and answers by both.
pub trait Door: Send + Sync {
    /// Calls an operation as the bearer of a token, or as nobody. `act_as` is for apps.
    fn call<'a>(
        &'a self,
        token: Option<&'a str>,
        act_as: Option<&'a str>,
        operation: &'a str,
        input: Value,
    ) -> Answering<'a>;

    /// The request that such a call sends, for those who read the answer to the letter.
    fn request<'a>(
        &'a self,
        token: Option<&'a str>,
        act_as: Option<&'a str>,
        operation: &'a str,
        input: Value,
    ) -> Asking<'a>;

    /// Follows a game (`gameChanged`) or an inbox (`inboxChanged`). A refusal is the first thing that the stream says.
    fn follow<'a>(&'a self, shown: Shown<'a>, operation: &'a str, input: Value) -> Opening<'a>;

    /// The same door of another server.
    fn to(&self, address: &str) -> Box<dyn Door>;
}

/// Two servers on the same data, asked in turn.
pub struct InTurn {
    pub doors: [Box<dyn Door>; 2],
    pub calls: AtomicUsize,
    /// The second server; it goes when the door does.
    pub _other: Server,
}

impl InTurn {
    /// Whose turn it is.
    fn next(&self) -> &dyn Door {
        &*self.doors[self.calls.fetch_add(1, Ordering::Relaxed) % 2]
    }
}

impl Door for InTurn {
    fn call<'a>(
        &'a self,
        token: Option<&'a str>,
        act_as: Option<&'a str>,
        operation: &'a str,
        input: Value,
    ) -> Answering<'a> {
        self.next().call(token, act_as, operation, input)
    }

    fn request<'a>(
        &'a self,
        token: Option<&'a str>,
        act_as: Option<&'a str>,
        operation: &'a str,
        input: Value,
    ) -> Asking<'a> {
        self.next().request(token, act_as, operation, input)
    }

    fn follow<'a>(&'a self, shown: Shown<'a>, operation: &'a str, input: Value) -> Opening<'a> {
        self.next().follow(shown, operation, input)
    }

    fn to(&self, address: &str) -> Box<dyn Door> {
        self.doors[0].to(address)
    }
}

/// Takes a field out of an input.
pub fn take(input: &mut Value, name: &str) -> Option<Value> {
    input.as_object_mut().and_then(|object| object.remove(name))
}

/// The text of a field that must be there.
pub fn text(input: &mut Value, name: &str) -> String {
    take(input, name).and_then(|value| value.as_str().map(String::from)).unwrap_or_else(|| panic!("{name} is given"))
}
