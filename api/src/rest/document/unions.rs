//! Unions in a shape from which generators make types that people can use.
//!
//! utoipa describes the variants of an enum in place, so that they have no names, and generators call them `ViewOneOf3`
//! or drop them.

use std::collections::BTreeMap;

use utoipa::openapi::schema::AdditionalProperties;
use utoipa::openapi::{Discriminator, Object, OneOf, Ref, RefOr, Schema};

/// The property that distinguishes the variants of a union.
const TAG: &str = "type";

pub type Schemas = BTreeMap<String, RefOr<Schema>>;

/// Gives every union a discriminator and named variants that contain their tag, and makes one object of every one-of.
pub fn name_variants(schemas: &mut Schemas) {
    let mut tagged = Vec::new();
    for schema in schemas.values_mut() {
        let RefOr::T(Schema::OneOf(union)) = schema else { continue };
        if let Some(variants) = tagged_variants(union) {
            let of = |(variant, _): &(String, RefOr<Schema>)| Ref::from_schema_name(variant);
            let mapping = variants.iter().map(|variant| (variant.0.clone(), of(variant).ref_location));
            union.discriminator = Some(Discriminator::with_mapping(TAG, mapping.collect::<Vec<_>>()));
            union.items = variants.iter().map(|variant| of(variant).into()).collect();
            tagged.extend(variants);
        } else if let Some(object) = one_of_fields(union) {
            *schema = RefOr::T(Schema::Object(object));
        }
    }
    for (variant, tag) in tagged {
        if let Some(RefOr::T(Schema::Object(object))) = schemas.get_mut(&variant) {
            object.properties.insert(TAG.into(), tag);
            object.required.push(TAG.into());
        }
    }
}

/// The variants of an enum with `#[serde(tag)]`: for each the schema that it refers to, and the schema of its tag.
fn tagged_variants(union: &OneOf) -> Option<Vec<(String, RefOr<Schema>)>> {
    let variant = |item: &RefOr<Schema>| {
        let RefOr::T(Schema::AllOf(both)) = item else { return None };
        let [RefOr::Ref(content), RefOr::T(Schema::Object(tag))] = both.items.as_slice() else { return None };
        let name = content.ref_location.rsplit('/').next()?;
        let mut tag = tag.properties.get(TAG)?.clone();
        if let RefOr::T(Schema::Object(tag)) = &mut tag {
            tag.description = Some("The name of the type, which distinguishes the variants.".into());
        }
        Some((name.to_string(), tag))
    };
    union.items.iter().map(variant).collect()
}

/// An enum whose variants are fields of their own: an object with exactly one of them.
fn one_of_fields(union: &OneOf) -> Option<Object> {
    let mut object = Object::new();
    object.description.clone_from(&union.description);
    object.min_properties = Some(1);
    object.max_properties = Some(1);
    object.additional_properties = Some(Box::new(AdditionalProperties::FreeForm(false)));
    for item in &union.items {
        let RefOr::T(Schema::Object(variant)) = item else { return None };
        let (1, Some((name, field))) = (variant.properties.len(), variant.properties.first_key_value()) else {
            return None;
        };
        object.properties.insert(name.clone(), field.clone());
    }
    Some(object)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    fn schema(name: &str) -> Value {
        serde_json::to_value(crate::rest::openapi()).unwrap()["components"]["schemas"][name].clone()
    }

    #[test]
    fn a_variant_of_a_union_has_a_name_and_contains_its_tag() {
        let view = schema("View");
        assert_eq!(view["discriminator"]["propertyName"], "type");
        let kalah = "#/components/schemas/KalahView";
        assert_eq!(
            (&view["oneOf"][0]["$ref"], &view["discriminator"]["mapping"]["KalahView"]),
            (&json!(kalah), &json!(kalah))
        );
        let kalah = schema("KalahView");
        assert_eq!(kalah["properties"]["type"]["enum"], json!(["KalahView"]));
        assert!(kalah["required"].as_array().unwrap().contains(&json!("type")));
    }

    #[test]
    fn a_one_of_is_an_object_with_exactly_one_field() {
        let options = schema("Options");
        assert_eq!(options["type"], "object");
        assert_eq!(options["properties"]["kalah"]["$ref"], "#/components/schemas/KalahOptions");
        assert_eq!((&options["minProperties"], &options["maxProperties"]), (&json!(1), &json!(1)));
    }
}
