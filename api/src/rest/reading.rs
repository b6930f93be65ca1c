//! Reads JSON bodies and query strings. If one cannot be read, says in our own words what is wrong, and where.
//!
//! serde reports a mistake as a sentence about Rust types, at a line and column. [`Misread`] is the error of
//! deserializers that keep the path instead, and words the mistake itself.

use std::fmt::Display;
use std::slice;

use serde::de::value::BorrowedStrDeserializer;
use serde::de::{
    self, DeserializeOwned, DeserializeSeed, Deserializer, EnumAccess, Expected, MapAccess, SeqAccess, Unexpected,
    VariantAccess, Visitor,
};
use serde::forward_to_deserialize_any;
use serde_json::{Map, Value, map};

use crate::error::{Error, Fault, Result};

/// The longest pointer in a refusal. A value further down is reported at its closest ancestor.
const LONGEST_POINTER: usize = 200;

/// Reads a JSON body.
pub fn body<T: DeserializeOwned>(text: &[u8]) -> Result<T> {
    // Only a body that cannot be read is read a second time.
    serde_json::from_slice(text).map_err(|_| Error::Unreadable(fault_of::<T>(text)))
}

/// Reads the parameters of a query string.
pub fn parameters<T: DeserializeOwned>(pairs: &[(String, String)]) -> Result<T> {
    T::deserialize(Query(pairs)).map_err(|misread| Error::Unreadable(misread.into()))
}

fn fault_of<T: DeserializeOwned>(text: &[u8]) -> Fault {
    let misread = match serde_json::from_slice::<Value>(text) {
        Err(_) => Misread::new("is not valid JSON"),
        Ok(value) => match T::deserialize(Node(&value)) {
            Err(misread) => misread,
            // A `Value` keeps only the last of two fields with the same name.
            Ok(_) => Misread::new("has a field twice"),
        },
    };
    misread.into()
}

/// A value that is not what a type expects.
#[derive(Debug)]
struct Misread {
    /// The path to the value, innermost first.
    path: Vec<String>,
    detail: String,
}

impl Misread {
    fn new(detail: impl Into<String>) -> Misread {
        Misread { path: Vec::new(), detail: detail.into() }
    }

    /// The same mistake, seen from the object or list around it.
    fn within(mut self, step: &str) -> Misread {
        self.path.push(step.into());
        self
    }
}

impl From<Misread> for Fault {
    fn from(Misread { path, detail }: Misread) -> Fault {
        let mut pointer = String::new();
        for step in path.iter().rev() {
            let step = step.replace('~', "~0").replace('/', "~1");
            if pointer.len() + step.len() >= LONGEST_POINTER {
                break;
            }
            pointer.push('/');
            pointer.push_str(&step);
        }
        Fault { pointer, detail }
    }
}

impl Display for Misread {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.detail)
    }
}

impl std::error::Error for Misread {}

impl de::Error for Misread {
    fn custom<T: Display>(message: T) -> Misread {
        Misread::new(message.to_string())
    }

    fn invalid_type(_: Unexpected, expected: &dyn Expected) -> Misread {
        Misread::new(format!("must be {}", in_words(&expected.to_string())))
    }

    fn invalid_value(given: Unexpected, expected: &dyn Expected) -> Misread {
        let expected = expected.to_string();
        match (given, range_of(&expected)) {
            (Unexpected::Unsigned(_) | Unexpected::Signed(_), Some((least, most))) => {
                Misread::new(format!("must be a whole number from {least} to {most}"))
            }
            _ => Misread::new(format!("must be {}", in_words(&expected))),
        }
    }

    fn invalid_length(_: usize, expected: &dyn Expected) -> Misread {
        Misread::new(format!("must be {}", in_words(&expected.to_string())))
    }

    fn unknown_variant(_: &str, expected: &'static [&'static str]) -> Misread {
        Misread::new(format!("must be one of {}", expected.join(", ")))
    }

    fn unknown_field(field: &str, _: &'static [&'static str]) -> Misread {
        Misread::new("is unknown").within(field)
    }

    fn missing_field(field: &'static str) -> Misread {
        Misread::new("is missing").within(field)
    }

    fn duplicate_field(field: &'static str) -> Misread {
        Misread::new("is given twice").within(field)
    }
}

/// serde's name for what a type expects, in words.
fn in_words(expected: &str) -> &str {
    match expected {
        number if range_of(number).is_some() => "a whole number",
        "f32" | "f64" => "a number",
        "a string" | "a borrowed string" | "a character" => "a string",
        "a boolean" => "true or false",
        "unit" | "null" => "null",
        list if ["a sequence", "a tuple"].contains(&list) || list.starts_with("tuple ") => "a list",
        object if object == "a map" || object.starts_with("struct ") || object.ends_with(" variant") => "an object",
        own if own.starts_with("a ") || own.starts_with("an ") => own,
        _ => "another value",
    }
}

/// The range of an integer type.
fn range_of(expected: &str) -> Option<(i128, i128)> {
    Some(match expected {
        "i8" => (i8::MIN.into(), i8::MAX.into()),
        "i16" => (i16::MIN.into(), i16::MAX.into()),
        "i32" => (i32::MIN.into(), i32::MAX.into()),
        "i64" | "isize" => (i64::MIN.into(), i64::MAX.into()),
        "u8" => (0, u8::MAX.into()),
        "u16" => (0, u16::MAX.into()),
        "u32" => (0, u32::MAX.into()),
        "u64" | "usize" => (0, u64::MAX.into()),
        _ => return None,
    })
}

/// A value of a JSON document.
struct Node<'de>(&'de Value);

impl<'de> Deserializer<'de> for Node<'de> {
    type Error = Misread;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> std::result::Result<V::Value, Misread> {
        match self.0 {
            Value::Null => visitor.visit_unit(),
            Value::Bool(value) => visitor.visit_bool(*value),
            Value::Number(number) => match (number.as_u64(), number.as_i64(), number.as_f64()) {
                (Some(number), _, _) => visitor.visit_u64(number),
                (_, Some(number), _) => visitor.visit_i64(number),
                (_, _, number) => visitor.visit_f64(number.unwrap_or(f64::NAN)),
            },
            Value::String(text) => visitor.visit_borrowed_str(text),
            Value::Array(items) => visitor.visit_seq(Items { items: items.iter(), count: 0 }),
            Value::Object(fields) => visitor.visit_map(Fields { fields: fields.iter(), next: None }),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> std::result::Result<V::Value, Misread> {
        match self.0 {
            Value::Null => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> std::result::Result<V::Value, Misread> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> std::result::Result<V::Value, Misread> {
        match self.0 {
            Value::String(text) => visitor.visit_enum(BorrowedStrDeserializer::new(text)),
            Value::Object(fields) => visitor.visit_enum(Choice { fields, variants }),
            _ => Err(Misread::new(format!("must be one of {}", variants.join(", ")))),
        }
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq tuple
        tuple_struct map struct identifier ignored_any
    }
}

struct Items<'de> {
    items: slice::Iter<'de, Value>,
    count: usize,
}

impl<'de> SeqAccess<'de> for Items<'de> {
    type Error = Misread;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> std::result::Result<Option<T::Value>, Misread> {
        let Some(item) = self.items.next() else { return Ok(None) };
        let index = self.count;
        self.count += 1;
        seed.deserialize(Node(item)).map(Some).map_err(|misread| misread.within(&index.to_string()))
    }
}

struct Fields<'de> {
    fields: map::Iter<'de>,
    /// The field whose name was read last.
    next: Option<(&'de String, &'de Value)>,
}

impl<'de> MapAccess<'de> for Fields<'de> {
    type Error = Misread;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> std::result::Result<Option<K::Value>, Misread> {
        self.next = self.fields.next();
        self.next.map(|(name, _)| seed.deserialize(BorrowedStrDeserializer::new(name))).transpose()
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> std::result::Result<V::Value, Misread> {
        let (name, value) = self.next.take().ok_or_else(|| Misread::new("has a name without a value"))?;
        seed.deserialize(Node(value)).map_err(|misread| misread.within(name))
    }
}

/// An enum as an object: its only field is the variant.
struct Choice<'de> {
    fields: &'de Map<String, Value>,
    variants: &'static [&'static str],
}

impl<'de> EnumAccess<'de> for Choice<'de> {
    type Error = Misread;
    type Variant = Chosen<'de>;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> std::result::Result<(V::Value, Chosen<'de>), Misread> {
        let wrong = || Misread::new(format!("must have exactly one of the fields {}", self.variants.join(", ")));
        let mut fields = self.fields.iter();
        let (Some((name, value)), None) = (fields.next(), fields.next()) else { return Err(wrong()) };
        let variant = seed.deserialize(BorrowedStrDeserializer::<Misread>::new(name)).map_err(|_| wrong())?;
        Ok((variant, Chosen { name, value }))
    }
}

/// The variant of a [`Choice`], and its content.
struct Chosen<'de> {
    name: &'de str,
    value: &'de Value,
}

impl<'de> VariantAccess<'de> for Chosen<'de> {
    type Error = Misread;

    fn unit_variant(self) -> std::result::Result<(), Misread> {
        match self.value {
            Value::Null => Ok(()),
            _ => Err(Misread::new("must be null").within(self.name)),
        }
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> std::result::Result<T::Value, Misread> {
        seed.deserialize(Node(self.value)).map_err(|misread| misread.within(self.name))
    }

    fn tuple_variant<V: Visitor<'de>>(self, _len: usize, visitor: V) -> std::result::Result<V::Value, Misread> {
        Node(self.value).deserialize_any(visitor).map_err(|misread| misread.within(self.name))
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _fields: &'static [&'static str],
        visitor: V,
    ) -> std::result::Result<V::Value, Misread> {
        Node(self.value).deserialize_any(visitor).map_err(|misread| misread.within(self.name))
    }
}

/// The parameters of a query string, as an object.
struct Query<'de>(&'de [(String, String)]);

impl<'de> Deserializer<'de> for Query<'de> {
    type Error = Misread;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> std::result::Result<V::Value, Misread> {
        visitor.visit_map(Pairs { pairs: self.0.iter(), next: None })
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

struct Pairs<'de> {
    pairs: slice::Iter<'de, (String, String)>,
    /// The parameter whose name was read last.
    next: Option<&'de (String, String)>,
}

impl<'de> MapAccess<'de> for Pairs<'de> {
    type Error = Misread;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> std::result::Result<Option<K::Value>, Misread> {
        self.next = self.pairs.next();
        self.next.map(|(name, _)| seed.deserialize(BorrowedStrDeserializer::new(name))).transpose()
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> std::result::Result<V::Value, Misread> {
        let (name, text) = self.next.take().ok_or_else(|| Misread::new("has a name without a value"))?;
        seed.deserialize(Parameter(text)).map_err(|misread| misread.within(name))
    }
}

/// A parameter's text, read as the type that is expected.
struct Parameter<'de>(&'de str);

impl<'de> Parameter<'de> {
    fn whole_number<V: Visitor<'de>>(self, visitor: V) -> std::result::Result<V::Value, Misread> {
        match self.0.parse() {
            Ok(number) => visitor.visit_i64(number),
            Err(_) => Err(Misread::new("must be a whole number")),
        }
    }
}

macro_rules! whole_numbers {
    ($($method:ident)*) => {
        $(
            fn $method<V: Visitor<'de>>(self, visitor: V) -> std::result::Result<V::Value, Misread> {
                self.whole_number(visitor)
            }
        )*
    };
}

impl<'de> Deserializer<'de> for Parameter<'de> {
    type Error = Misread;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> std::result::Result<V::Value, Misread> {
        visitor.visit_borrowed_str(self.0)
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> std::result::Result<V::Value, Misread> {
        match self.0 {
            "true" => visitor.visit_bool(true),
            "false" => visitor.visit_bool(false),
            _ => Err(Misread::new("must be true or false")),
        }
    }

    whole_numbers! {
        deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64
        deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> std::result::Result<V::Value, Misread> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> std::result::Result<V::Value, Misread> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _variants: &'static [&'static str],
        visitor: V,
    ) -> std::result::Result<V::Value, Misread> {
        visitor.visit_enum(BorrowedStrDeserializer::new(self.0))
    }

    forward_to_deserialize_any! {
        i128 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq tuple tuple_struct map struct identifier
        ignored_any
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;
    use crate::wire::{GamesFilter, Kind, Move, Options};

    #[derive(Debug, Deserialize)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    #[expect(dead_code, reason = "only whether it can be read matters")]
    struct Ask {
        kind: Kind,
        options: Option<Options>,
        #[serde(rename = "move")]
        mv: Option<Move>,
        players: Option<Vec<Option<String>>>,
        is_open: Option<bool>,
    }

    fn fault(text: &str) -> (String, String) {
        match body::<Ask>(text.as_bytes()) {
            Err(Error::Unreadable(Fault { pointer, detail })) => (pointer, detail),
            other => panic!("{text}: {other:?}"),
        }
    }

    #[test]
    fn a_body_that_cannot_be_read_is_refused_at_the_value_and_in_words() {
        let kinds = "must be one of KALAH, MAHABHARATA, MAHOLA, MACARENA, MARA";
        let fields = "must have exactly one of the fields kalah, mahabharata, mahola, macarena, mara";
        let cases = [
            ("{", "", "is not valid JSON"),
            ("[]", "", "must be an object"),
            ("{}", "/kind", "is missing"),
            (r#"{"kind": "CHESS"}"#, "/kind", kinds),
            (r#"{"kind": 7}"#, "/kind", kinds),
            (r#"{"kind": "KALAH", "a/b~c": 1}"#, "/a~1b~0c", "is unknown"),
            (r#"{"kind": "KALAH", "kind": "MARA"}"#, "", "has a field twice"),
            (r#"{"kind": "KALAH", "options": {}}"#, "/options", fields),
            (r#"{"kind": "KALAH", "options": {"go": {}}}"#, "/options", fields),
            (
                r#"{"kind": "KALAH", "options": {"kalah": {"pockets": "x"}}}"#,
                "/options/kalah/pockets",
                "must be a whole number",
            ),
            (
                r#"{"kind": "KALAH", "options": {"kalah": {"pockets": 6.5}}}"#,
                "/options/kalah/pockets",
                "must be a whole number",
            ),
            (
                r#"{"kind": "KALAH", "options": {"kalah": {"pockets": 99999999999}}}"#,
                "/options/kalah/pockets",
                "must be a whole number from -2147483648 to 2147483647",
            ),
            (r#"{"kind": "KALAH", "move": {"kalah": {}}}"#, "/move/kalah/pocket", "is missing"),
            (r#"{"kind": "KALAH", "players": [null, 7]}"#, "/players/1", "must be a string"),
            (r#"{"kind": "KALAH", "players": "both"}"#, "/players", "must be a list"),
            (r#"{"kind": "KALAH", "isOpen": "yes"}"#, "/isOpen", "must be true or false"),
        ];
        for (text, pointer, detail) in cases {
            assert_eq!(fault(text), (pointer.to_string(), detail.to_string()), "{text}");
        }
    }

    #[test]
    fn a_long_name_does_not_come_back() {
        let text = format!(r#"{{"kind": "KALAH", "{}": 1}}"#, "x".repeat(5000));
        assert_eq!(fault(&text), (String::new(), "is unknown".to_string()));
    }

    #[test]
    fn parameters_that_cannot_be_read_are_refused_by_name() {
        let refusal = |name: &str, text: &str| {
            let refused = parameters::<GamesFilter>(&[(name.into(), text.into())]);
            refused.map(drop).expect_err("it is refused").to_string()
        };
        assert_eq!(refusal("practice", "maybe"), "practice must be true or false.");
        assert_eq!(refusal("status", "LOST"), "status must be one of OPEN, RUNNING, OVER, CANCELLED.");
        assert_eq!(refusal("createdFrom", "yesterday"), "createdFrom must be a time such as 2026-01-31T18:30:00Z.");
        assert_eq!(refusal("colour", "red"), "colour is unknown.");
        let twice = [("practice".to_string(), "true".to_string()), ("practice".to_string(), "true".to_string())];
        let twice = parameters::<GamesFilter>(&twice).map(drop).expect_err("it is refused");
        assert_eq!(twice.to_string(), "practice is given twice.");
    }
}
