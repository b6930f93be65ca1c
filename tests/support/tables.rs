//! Tables of components that differ from the built-in ones.

use domain::games::{mahabharata, mahola};
use serde_json::{Value, json, to_value};

/// Own tables for a kind that takes some: the built-in ones, corrected here and there.
pub fn own(kind: &str) -> Value {
    let mut tables = built_in(kind);
    if kind == "MAHOLA" {
        for card in tables["cards"].as_array_mut().expect("cards are a list") {
            card["value"] = json!(10 - card["value"].as_i64().expect("a value is a number"));
        }
        tables["cards"][0]["secondary"].take();
        tables["cards"][40]["adjacent"] = json!({ "dance": "SUN", "points": 9 });
        let colours = ["GREEN", "RED", "BLUE", "YELLOW"];
        for (character, colour) in
            tables["characters"].as_array_mut().expect("characters are a list").iter_mut().zip(colours)
        {
            character["colour"] = json!(colour);
        }
    } else {
        tables["dice"][0]["faces"] = json!(["CHARIOT1", "CHARIOT1", "ELEPHANT1", "INFANTRY5", "RAJA", "RAJA"]);
        for (n, leader) in tables["leaders"].as_array_mut().expect("leaders are a list").iter_mut().enumerate() {
            leader["name"] = json!(format!("Rāja <{n}> & his brothers"));
            leader["spaces"][0] = json!("CAVALRY");
        }
    }
    without_nulls(tables)
}

/// The built-in tables of a kind, in the shape of the option `components`.
pub fn built_in(kind: &str) -> Value {
    let tables = match kind {
        "MAHOLA" => to_value(mahola::Components::built_in()),
        "MAHABHARATA" => to_value(mahabharata::Components::built_in()),
        other => panic!("{other} takes no tables"),
    };
    tables.expect("tables are JSON")
}

/// The same without fields that are null, which are the same as left out.
pub fn without_nulls(value: Value) -> Value {
    match value {
        Value::Object(fields) => fields
            .into_iter()
            .filter(|(_, value)| !value.is_null())
            .map(|(name, value)| (name, without_nulls(value)))
            .collect(),
        Value::Array(items) => items.into_iter().map(without_nulls).collect(),
        value => value,
    }
}
