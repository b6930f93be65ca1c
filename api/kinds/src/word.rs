//! Names in a table of components, which the rules check.

use std::borrow::Cow;
use std::marker::PhantomData;

use async_graphql::parser::types::Field;
use async_graphql::registry::Registry;
use async_graphql::{
    ContextSelectionSet, InputType, InputValueError, InputValueResult, Name, OutputType, Positioned, ServerResult,
    Value,
};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A name out of the enum `E`. GraphQL refuses any other by its schema. JSON can have any text, because a rule says
/// which names there are: a refusal then has the id of that rule.
#[derive(Debug)]
pub struct Word<E> {
    text: String,
    of: PhantomData<fn() -> E>,
}

impl<E> Clone for Word<E> {
    fn clone(&self) -> Word<E> {
        Word::from(self.text.clone())
    }
}

impl<E> From<String> for Word<E> {
    fn from(text: String) -> Word<E> {
        Word { text, of: PhantomData }
    }
}

impl<E> From<Word<E>> for String {
    fn from(word: Word<E>) -> String {
        word.text
    }
}

impl<E> Serialize for Word<E> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.text.serialize(serializer)
    }
}

impl<'de, E> Deserialize<'de> for Word<E> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Word<E>, D::Error> {
        String::deserialize(deserializer).map(Word::from)
    }
}

impl<E: InputType> InputType for Word<E> {
    type RawValueType = Word<E>;

    fn type_name() -> Cow<'static, str> {
        E::type_name()
    }

    fn create_type_info(registry: &mut Registry) -> String {
        E::create_type_info(registry)
    }

    fn parse(value: Option<Value>) -> InputValueResult<Word<E>> {
        let known = E::parse(value).map_err(InputValueError::propagate)?;
        match known.to_value() {
            Value::Enum(name) => Ok(Word::from(name.to_string())),
            other => Err(InputValueError::expected_type(other)),
        }
    }

    fn to_value(&self) -> Value {
        Value::Enum(Name::new(&self.text))
    }

    fn as_raw_value(&self) -> Option<&Word<E>> {
        Some(self)
    }
}

impl<E: OutputType> OutputType for Word<E> {
    fn type_name() -> Cow<'static, str> {
        E::type_name()
    }

    fn create_type_info(registry: &mut Registry) -> String {
        E::create_type_info(registry)
    }

    async fn resolve(&self, _ctx: &ContextSelectionSet<'_>, _field: &Positioned<Field>) -> ServerResult<Value> {
        Ok(Value::Enum(Name::new(&self.text)))
    }
}
