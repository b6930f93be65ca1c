use std::borrow::Cow;

use async_graphql::{InputValueError, InputValueResult, Scalar, ScalarType, Value};
use serde::Serialize;
use utoipa::openapi::{ObjectBuilder, RefOr, Type};

/// A finished game as one portable document. For GraphQL it is one value: clients store it and pass it on as a whole.
#[derive(Clone, Debug, Serialize)]
#[serde(transparent)]
pub struct Record(pub domain::Record);

/// A finished game as one portable document, a JSON object described by /record.schema.json. `maidan verify` checks it.
#[Scalar]
impl ScalarType for Record {
    fn parse(_value: Value) -> InputValueResult<Record> {
        Err(InputValueError::custom("A record cannot be used as input."))
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
                "A finished game as one portable document, described by /record.schema.json. `maidan verify` checks it.",
            ))
            .into()
    }
}

impl utoipa::ToSchema for Record {
    fn name() -> Cow<'static, str> {
        "Record".into()
    }
}
