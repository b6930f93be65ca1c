//! The REST API: parse, call, render. The same names, JSON and codes as GraphQL.

mod body;
mod games;
mod headers;
mod kinds;
mod paging;
mod path;
mod players;
mod problem;
mod query;
mod reading;
mod records;
mod refusals;
mod show;
mod streams;

use actix_web::App;
use utoipa::OpenApi;
use utoipa::openapi::security::{Http, HttpAuthScheme, SecurityScheme};
use utoipa_actix_web::AppExt;
use utoipa_actix_web::service_config::ServiceConfig;

pub use problem::Problem;

use self::games::{create, history, join, list, look, play};
use crate::wire::GameResult;

/// Every route. Routes are matched in order, so the busiest come first.
pub fn routes(config: &mut ServiceConfig) {
    config
        .service(play::play_move)
        // Before `/v1/games/{id}`, which would match it too.
        .service(list::count_games)
        .service(look::one_game)
        .service(play::legal_moves)
        .service(history::log)
        .service(streams::game_changed)
        .service(kinds::all_kinds)
        .service(kinds::one_kind)
        .service(players::register_player)
        .service(players::one_player)
        .service(players::delete_player)
        .service(players::statistics)
        .service(players::head_to_head)
        .service(players::issue_token)
        .service(players::tokens)
        .service(players::revoke_token)
        .service(players::me)
        .service(players::my_games)
        .service(players::inbox)
        .service(streams::create_stream_ticket)
        .service(streams::inbox_changed)
        .service(create::create_game)
        .service(list::list_games)
        .service(join::join_game)
        .service(join::join_by_code)
        .service(join::add_client_seed)
        .service(join::leave_game)
        .service(join::cancel_game)
        .service(create::ask_for_rematch)
        .service(play::explain)
        .service(play::continuations)
        .service(play::resign)
        .service(history::at)
        .service(create::branch_game)
        .service(records::one_record)
        .service(records::records);
}

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Maidan",
        description = "A rules engine for five tabletop games. Register a player, open a game, list the legal moves, make one. Every response shows exactly what the caller may know. GraphQL, at /graphql, offers the same operations with the same names."
    ),
    tags(
        (name = "kinds", description = "The kinds of games, with their rules."),
        (name = "players", description = "Players, their tokens and their results."),
        (name = "games", description = "Opening, joining, reading and playing games."),
        (name = "streams", description = "Streams of changes to games and inboxes.")
    ),
    security((), ("token" = [])),
    components(schemas(Problem, GameResult))
)]
struct Base;

/// The OpenAPI document, from the code that serves it.
pub fn openapi() -> utoipa::openapi::OpenApi {
    let mut base = Base::openapi();
    let mut scheme = Http::new(HttpAuthScheme::Bearer);
    scheme.description = Some("A player's token (mdn_ply_…) or an app's key (mdn_app_…).".into());
    if let Some(components) = &mut base.components {
        components.add_security_scheme("token", SecurityScheme::Http(scheme));
    }
    App::new().into_utoipa_app().openapi(base).configure(routes).split_for_parts().1
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
