//! The fields that an answer always has.

use std::collections::BTreeSet;

use serde_json::Value;
use utoipa::ToSchema;
use utoipa::openapi::{OpenApi, RefOr, Schema};

use crate::rest::Problem;

/// Marks all fields of an answer as required: a field without a value is null, never absent. utoipa takes nullable
/// fields for optional ones, which is right for requests alone. Only a problem leaves fields out.
pub fn require_all_fields(document: &mut OpenApi) {
    let as_json = serde_json::to_value(&*document).unwrap_or_default();
    let mut sent = BTreeSet::new();
    for operation in as_json["paths"].as_object().into_iter().flat_map(|paths| paths.values()) {
        let methods = operation.as_object().into_iter().flat_map(|methods| methods.values());
        methods.for_each(|method| reach(&method["requestBody"], &as_json, &mut sent));
    }
    sent.insert(Problem::name().into_owned());
    let schemas = document.components.iter_mut().flat_map(|components| &mut components.schemas);
    for (_, schema) in schemas.filter(|(name, _)| !sent.contains(*name)) {
        if let RefOr::T(Schema::Object(object)) = schema {
            object.required = object.properties.keys().cloned().collect();
        }
    }
}

/// Collects the names of all schemas that a part of the document refers to.
fn reach(part: &Value, document: &Value, found: &mut BTreeSet<String>) {
    match part {
        Value::Object(fields) => {
            let reference = fields.get("$ref").and_then(Value::as_str).unwrap_or_default();
            if let Some(name) = reference.strip_prefix("#/components/schemas/")
                && found.insert(name.to_string())
            {
                reach(&document["components"]["schemas"][name], document, found);
            }
            fields.values().for_each(|part| reach(part, document, found));
        }
        Value::Array(parts) => parts.iter().for_each(|part| reach(part, document, found)),
        _ => {}
    }
}
