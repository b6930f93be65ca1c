use std::borrow::Cow;

use async_graphql::{InputValueError, InputValueResult, Scalar, ScalarType, Value};
use serde::Serialize;
use utoipa::openapi::{ObjectBuilder, RefOr, Type};

/// A finished game as one portable document, in the shape that /record.schema.json describes. `maidan verify` says
/// whether it is true.
#[derive(Clone, Debug, Serialize)]
#[serde(transparent)]
pub struct Record(pub domain::Record);

/// A finished game as one portable document, in the shape that /record.schema.json describes. It is handed on as a whole,
/// so it is one value here, too. `maidan verify` says whether it is true.
#[Scalar]
impl ScalarType for Record {
    fn parse(_value: Value) -> InputValueResult<Record> {
        Err(InputValueError::custom("A record goes out and not in."))
    }

    fn to_value(&self) -> Value {
        let json = serde_json::to_value(&self.0).unwrap_or_default();
        Value::from_json(json).unwrap_or_default()
    }
}

impl utoipa::PartialSchema for Record {
    fn schema() -> RefOr<utoipa::openapi::Schema> {
        ObjectBuilder::new()
            .schema_type(Type::Object)
            .description(Some(
                "A finished game as one portable document, in the shape that /record.schema.json describes.",
            ))
            .into()
    }
}

impl utoipa::ToSchema for Record {
    fn name() -> Cow<'static, str> {
        "Record".into()
    }
}
