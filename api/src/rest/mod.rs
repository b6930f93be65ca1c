//! The REST API: parse, call, render. The same names, JSON and codes as GraphQL.

mod body;
mod games;
mod kinds;
mod players;
mod problem;
mod records;
mod streams;

use actix_web::App;
use utoipa::OpenApi;
use utoipa::openapi::security::{Http, HttpAuthScheme, SecurityScheme};
use utoipa_actix_web::AppExt;
use utoipa_actix_web::service_config::ServiceConfig;

pub use problem::Problem;

/// Every route. They are matched in turn, so the busiest come first.
pub fn routes(config: &mut ServiceConfig) {
    config
        .service(games::play_move)
        // Before the games by id: no game is called count.
        .service(games::count_games)
        .service(games::one_game)
        .service(games::legal_moves)
        .service(games::log)
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
        .service(games::create_game)
        .service(games::list_games)
        .service(games::join_game)
        .service(games::join_by_code)
        .service(games::add_client_seed)
        .service(games::leave_game)
        .service(games::cancel_game)
        .service(games::ask_for_rematch)
        .service(games::explain)
        .service(games::continuations)
        .service(games::resign)
        .service(games::at)
        .service(games::branch_game)
        .service(records::one_record)
        .service(records::records);
}

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Maidan",
        description = "Play five tabletop games by the rules. Register a player, open a game, ask what is legal, move. Every answer shows exactly what the caller may know. The same can be done in GraphQL, at /graphql, with the same names."
    ),
    tags(
        (name = "kinds", description = "What can be played."),
        (name = "players", description = "Who plays, and the tokens by which they are known."),
        (name = "games", description = "Tables: opening, joining, looking, moving."),
        (name = "streams", description = "Following games and inboxes as they change.")
    ),
    security((), ("token" = [])),
    components(schemas(Problem))
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
