//! Validates a document by a JSON Schema, for the keywords that ours uses. Other keywords panic.

use serde_json::Value;

/// The first place where the document violates the schema.
pub fn mismatch(schema: &Value, document: &Value) -> Option<String> {
    check(schema, schema, document, "").err()
}

fn check(root: &Value, schema: &Value, value: &Value, at: &str) -> Result<(), String> {
    if *schema == Value::Bool(false) {
        return Err(format!("{at} may not be there"));
    }
    let words = schema.as_object().expect("a schema is an object");
    let number = |limit: &Value| limit.as_u64().expect("limits are whole numbers");
    for (word, says) in words {
        let holds = match word.as_str() {
            "$schema" | "$defs" | "title" | "description" => true,
            "$ref" => {
                let path = says.as_str().and_then(|path| path.strip_prefix('#')).expect("it points into the schema");
                check(root, root.pointer(path).expect("it points at something"), value, at)?;
                true
            }
            "const" => value == says,
            "enum" => says.as_array().unwrap().contains(value),
            "type" => match says.as_str().unwrap() {
                "object" => value.is_object(),
                "array" => value.is_array(),
                "string" => value.is_string(),
                "integer" => value.is_i64() || value.is_u64(),
                "null" => value.is_null(),
                other => panic!("the type {other}"),
            },
            "minimum" => value.as_i64().is_none_or(|value| value >= says.as_i64().unwrap()),
            "maximum" => value.as_i64().is_none_or(|value| value <= says.as_i64().unwrap()),
            "minLength" => value.as_str().is_none_or(|text| text.chars().count() as u64 >= number(says)),
            "maxLength" => value.as_str().is_none_or(|text| text.chars().count() as u64 <= number(says)),
            "minItems" => value.as_array().is_none_or(|items| items.len() as u64 >= number(says)),
            "maxItems" => value.as_array().is_none_or(|items| items.len() as u64 <= number(says)),
            "pattern" => value.as_str().is_none_or(|text| fits(says.as_str().unwrap(), text)),
            "format" => {
                assert_eq!(says, "date-time");
                value.as_str().is_none_or(|text| text.parse::<jiff::Timestamp>().is_ok())
            }
            "items" => {
                for (n, item) in value.as_array().into_iter().flatten().enumerate() {
                    check(root, says, item, &format!("{at}/{n}"))?;
                }
                true
            }
            "required" => {
                let names = says.as_array().unwrap().iter().map(|name| name.as_str().unwrap());
                value.as_object().is_none_or(|fields| names.clone().all(|name| fields.contains_key(name)))
            }
            "properties" => {
                for (name, field) in value.as_object().into_iter().flatten() {
                    if let Some(schema) = says.get(name) {
                        check(root, schema, field, &format!("{at}/{name}"))?;
                    }
                }
                true
            }
            "additionalProperties" => {
                assert_eq!(says, false);
                value.as_object().is_none_or(|fields| fields.keys().all(|name| words["properties"].get(name).is_some()))
            }
            "anyOf" => says.as_array().unwrap().iter().any(|one| check(root, one, value, at).is_ok()),
            "oneOf" => says.as_array().unwrap().iter().filter(|one| check(root, one, value, at).is_ok()).count() == 1,
            other => panic!("the word {other} of JSON Schema"),
        };
        if !holds {
            return Err(format!("{at} is not as {word}: {says} says"));
        }
    }
    Ok(())
}

/// Matches the only kind of pattern in use: some letters, then a number of hexadecimal digits, or at least one.
fn fits(pattern: &str, text: &str) -> bool {
    let inner = pattern.strip_prefix('^').and_then(|rest| rest.strip_suffix('$')).expect("a pattern of the whole text");
    let (start, many) = inner.split_once("[0-9a-f]").expect("a pattern of digits");
    let count = many.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')).map(|n| n.parse::<usize>().unwrap());
    assert!(count.is_some() || many == "+", "the pattern {pattern}");
    text.strip_prefix(start).is_some_and(|digits| {
        let are_digits = digits.bytes().all(|digit| matches!(digit, b'0'..=b'9' | b'a'..=b'f'));
        are_digits && count.map_or(!digits.is_empty(), |count| digits.len() == count)
    })
}
