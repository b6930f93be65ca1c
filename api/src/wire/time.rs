use std::borrow::Cow;

use async_graphql::{InputValueError, InputValueResult, Scalar, ScalarType, Value};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};
use utoipa::openapi::{KnownFormat, ObjectBuilder, RefOr, SchemaFormat, Type};

use crate::model::At;

/// A time in UTC, in RFC 3339 format: 2026-01-31T18:30:00.123456Z.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Time(pub jiff::Timestamp);

impl<'de> Deserialize<'de> for Time {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Time, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map(Time).map_err(|_| D::Error::custom("must be a time such as 2026-01-31T18:30:00Z"))
    }
}

/// A time in UTC, in RFC 3339 format: 2026-01-31T18:30:00.123456Z.
#[Scalar(specified_by_url = "https://www.rfc-editor.org/rfc/rfc3339")]
impl ScalarType for Time {
    fn parse(value: Value) -> InputValueResult<Time> {
        match &value {
            Value::String(text) => text
                .parse()
                .map(Time)
                .map_err(|_| InputValueError::custom("Expected a time such as 2026-01-31T18:30:00Z.")),
            _ => Err(InputValueError::expected_type(value)),
        }
    }

    fn to_value(&self) -> Value {
        Value::String(self.0.to_string())
    }
}

impl From<Time> for At {
    fn from(Time(timestamp): Time) -> At {
        At(timestamp)
    }
}

impl From<At> for Time {
    fn from(at: At) -> Time {
        Time(at.0)
    }
}

impl utoipa::PartialSchema for Time {
    fn schema() -> RefOr<utoipa::openapi::Schema> {
        ObjectBuilder::new()
            .schema_type(Type::String)
            .format(Some(SchemaFormat::KnownFormat(KnownFormat::DateTime)))
            .description(Some("A time in UTC, in RFC 3339 format."))
            .into()
    }
}

impl utoipa::ToSchema for Time {
    fn name() -> Cow<'static, str> {
        "Time".into()
    }
}
