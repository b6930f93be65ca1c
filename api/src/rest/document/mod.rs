//! The OpenAPI document, from the code that serves it.
//!
//! Handlers describe their own operation. Everything common to all operations is added here, once.

mod answers;
mod unions;

use actix_web::App;
use utoipa::OpenApi;
use utoipa::openapi::path::{Operation, Parameter, ParameterBuilder, ParameterIn, PathItem};
use utoipa::openapi::request_body::RequestBody;
use utoipa::openapi::schema::SchemaType;
use utoipa::openapi::security::{Http, HttpAuthScheme, SecurityScheme};
use utoipa::openapi::{Content, Ref, RefOr, Required, Response, Schema, Type};
use utoipa_actix_web::AppExt;

use self::unions::Schemas;
use super::{Problem, headers, refusals, routes};
use crate::ids::{GameId, PlayerId, TokenId};
use crate::wire::{GameResult, Theme};

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Maidan",
        description = "A rules engine for tabletop games. Register a player, open a game, list the legal moves, make one. Every response shows exactly what the caller may know. GraphQL, at /graphql, offers the same operations with the same names.\n\nEnums and unions may grow: a client must expect values and variants that it does not know. The guide at /guide/ lists the changes that are possible within v1."
    ),
    servers((url = "/", description = "This server.")),
    tags(
        (name = "kinds", description = "The kinds of games, with their rules."),
        (name = "players", description = "Players, their tokens and their results."),
        (name = "games", description = "Opening, joining, reading and playing games."),
        (name = "streams", description = "Streams of changes to games and inboxes.")
    ),
    security((), ("token" = [])),
    // Those of parameters and refusals, which utoipa does not find by itself.
    components(schemas(GameId, PlayerId, TokenId, GameResult, Theme, Problem))
)]
struct Base;

/// The header with which an app acts as one of its players.
const ACT_AS: &str = "ActAs";

pub fn openapi() -> utoipa::openapi::OpenApi {
    let app = App::new().into_utoipa_app().openapi(Base::openapi()).configure(routes);
    let mut document = app.split_for_parts().1;
    let mut scheme = Http::new(HttpAuthScheme::Bearer);
    scheme.description = Some("A player's token (mdn_ply_…) or an app's key (mdn_app_…).".into());
    let components = document.components.get_or_insert_default();
    components.add_security_scheme("token", SecurityScheme::Http(scheme));
    components.responses.extend(refusals::all());
    components.headers.extend(headers::all());
    let act_as = ParameterBuilder::new()
        .name("Maidan-Act-As")
        .parameter_in(ParameterIn::Header)
        .required(Required::False)
        .description(Some("With an app's key: the id of the player of that app as whom the app acts."))
        .schema(Some(Ref::from_schema_name("PlayerId")));
    components.parameters.insert(ACT_AS.into(), act_as.build().into());
    unions::name_variants(&mut components.schemas);
    let schemas = &components.schemas;
    document.paths.paths.values_mut().flat_map(operations).for_each(|operation| complete(operation, schemas));
    answers::require_all_fields(&mut document);
    document
}

fn operations(item: &mut PathItem) -> impl Iterator<Item = &mut Operation> {
    [&mut item.get, &mut item.post, &mut item.put, &mut item.patch, &mut item.delete].into_iter().flatten()
}

/// Adds what every operation has, and says whether its body may be left out.
fn complete(operation: &mut Operation, schemas: &Schemas) {
    let act_as = RefOr::Ref(Ref::new(format!("#/components/parameters/{ACT_AS}")));
    let parameters = operation.parameters.get_or_insert_default();
    parameters.iter_mut().for_each(never_null);
    parameters.push(act_as);
    let takes_body = operation.request_body.is_some();
    if let Some(RefOr::T(body)) = &mut operation.request_body {
        body.required = Some(if needs_fields(body, schemas) { Required::True } else { Required::False });
    }
    let responses = &mut operation.responses.responses;
    for response in responses.values_mut() {
        let RefOr::T(response) = response else { continue };
        let names = headers::ALWAYS.into_iter().chain(is_page(response).then_some(headers::OF_PAGES));
        response.headers.extend(names.map(|name| (name.into(), RefOr::Ref(headers::named(name)))));
    }
    for (status, refusal) in refusals::of_any_operation(takes_body) {
        responses.entry(status).or_insert(refusal);
    }
}

fn is_page(response: &Response) -> bool {
    response.content.values().any(|content| match content {
        RefOr::T(Content { schema: Some(RefOr::Ref(schema)), .. }) => schema.ref_location.ends_with("Page"),
        _ => false,
    })
}

/// A parameter without a value is left out, never null.
fn never_null(parameter: &mut RefOr<Parameter>) {
    if let RefOr::T(Parameter { schema: Some(RefOr::T(Schema::Object(object))), .. }) = parameter
        && let SchemaType::Array(types) = &object.schema_type
        && let [only] = types.iter().filter(|one| **one != Type::Null).collect::<Vec<_>>()[..]
    {
        object.schema_type = SchemaType::Type(only.clone());
    }
}

/// Whether `{}`, which stands for an empty body, lacks a required field.
fn needs_fields(body: &RequestBody, schemas: &Schemas) -> bool {
    let contents = body.content.values().filter_map(|content| match content {
        RefOr::T(Content { schema: Some(RefOr::Ref(reference)), .. }) => reference.ref_location.rsplit('/').next(),
        _ => None,
    });
    contents.filter_map(|name| schemas.get(name)).any(|schema| match schema {
        RefOr::T(Schema::Object(object)) => !object.required.is_empty() || object.min_properties.is_some(),
        _ => true,
    })
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    fn references<'a>(value: &'a Value, found: &mut Vec<&'a str>) {
        match value {
            Value::Object(fields) => {
                found.extend(fields.get("$ref").and_then(Value::as_str));
                fields.values().for_each(|value| references(value, found));
            }
            Value::Array(values) => values.iter().for_each(|value| references(value, found)),
            _ => {}
        }
    }

    /// Parameters do not register the schemas that they refer to, so one can be missing.
    #[test]
    fn every_reference_of_the_openapi_document_resolves() {
        let document = serde_json::to_value(super::openapi()).unwrap();
        let mut found = Vec::new();
        references(&document, &mut found);
        assert!(!found.is_empty());
        found.retain(|reference| document.pointer(reference.trim_start_matches('#')).is_none());
        assert!(found.is_empty(), "without a target: {found:?}");
    }
}
