//! The REST API: parse, call, render. The same names, JSON and codes as GraphQL.

mod body;
mod document;
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

use utoipa_actix_web::service_config::ServiceConfig;

pub use document::openapi;
pub use problem::Problem;

use self::games::{create, draw, history, join, list, look, play, update};

/// Every route. Routes are matched in order, so the busiest come first.
pub fn routes(config: &mut ServiceConfig) {
    config
        .service(play::play_move)
        // Before `/v1/games/{id}`, which would match it too.
        .service(list::count_games)
        .service(look::one_game)
        .service(look::components)
        .service(draw::components_picture)
        .service(play::legal_moves)
        .service(draw::picture)
        .service(draw::text)
        .service(history::log)
        .service(streams::game_changed)
        .service(kinds::all_kinds)
        .service(kinds::one_kind)
        .service(kinds::kind_picture)
        .service(players::register_player)
        .service(players::all_players)
        .service(players::update_player)
        .service(players::one_player)
        .service(players::delete_player)
        .service(players::statistics)
        .service(players::head_to_head)
        .service(players::issue_token)
        .service(players::tokens)
        .service(players::revoke_token)
        .service(players::revoke_tokens)
        .service(players::me)
        .service(players::my_games)
        .service(players::inbox)
        .service(players::next_decision)
        .service(streams::create_stream_ticket)
        .service(streams::inbox_changed)
        .service(create::create_game)
        .service(list::list_games)
        .service(update::update_game)
        .service(join::join_game)
        .service(join::join_by_code)
        .service(join::add_client_seed)
        .service(join::seat_bot)
        .service(join::leave_game)
        .service(join::cancel_game)
        .service(create::ask_for_rematch)
        .service(play::explain)
        .service(play::continuations)
        .service(play::resign)
        .service(history::at)
        .service(draw::picture_at)
        .service(draw::text_at)
        .service(create::branch_game)
        .service(records::one_record)
        .service(records::records);
}
