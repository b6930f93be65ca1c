use std::borrow::Cow;

use async_graphql::{InputValueError, InputValueResult, Scalar, ScalarType, Value};
use serde::{Deserialize, Serialize};
use utoipa::openapi::schema::AdditionalProperties;
use utoipa::openapi::{ObjectBuilder, RefOr, Type};

/// A JSON object with any fields, at most 4096 bytes long.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Metadata(pub serde_json::Map<String, serde_json::Value>);

/// A JSON object with any fields, at most 4096 bytes long.
#[Scalar(name = "JSONObject")]
impl ScalarType for Metadata {
    fn parse(value: Value) -> InputValueResult<Metadata> {
        match value.into_json() {
            Ok(serde_json::Value::Object(fields)) => Ok(Metadata(fields)),
            _ => Err(InputValueError::custom("Expected a JSON object.")),
        }
    }

    fn to_value(&self) -> Value {
        Value::from_json(serde_json::Value::Object(self.0.clone())).unwrap_or_default()
    }
}

impl utoipa::PartialSchema for Metadata {
    fn schema() -> RefOr<utoipa::openapi::Schema> {
        ObjectBuilder::new()
            .schema_type(Type::Object)
            .additional_properties(Some(AdditionalProperties::FreeForm(true)))
            .description(Some("A JSON object with any fields, at most 4096 bytes long."))
            .into()
    }
}

impl utoipa::ToSchema for Metadata {
    fn name() -> Cow<'static, str> {
        "Metadata".into()
    }
}
