//! The refusals of each operation, as the OpenAPI document lists them. Each is described here and nowhere else.

use std::collections::BTreeMap;

use utoipa::openapi::{ContentBuilder, Ref, RefOr, Response, ResponseBuilder};
use utoipa::{IntoResponses, ToSchema};

use super::{Problem, headers};

macro_rules! refusals {
    ($($status:literal $Refusal:ident: $description:literal,)*) => {
        $(
            #[doc = $description]
            pub struct $Refusal;

            impl IntoResponses for $Refusal {
                fn responses() -> BTreeMap<String, RefOr<Response>> {
                    BTreeMap::from([(stringify!($status).into(), named(stringify!($Refusal)))])
                }
            }
        )*

        /// Every refusal by its name.
        pub fn all() -> impl Iterator<Item = (String, RefOr<Response>)> {
            let refusals = [$((stringify!($Refusal), $status, $description),)*];
            let others = [(REFUSED, 0, "Any other refusal. Its `code` says why.")];
            let described = |(name, status, text): (&str, _, _)| (name.to_string(), refusal(status, text).into());
            refusals.into_iter().chain(others).map(described)
        }
    };
}

// An operation lists at most one refusal per status: the document keeps only the last.
refusals! {
    400 InvalidInput: "The request cannot be read, or a value is out of range: INVALID_INPUT.",

    401 Unauthenticated: "The token is missing, unknown, expired or revoked: UNAUTHENTICATED.",
    401 NoGuests: "Guests cannot register on this server: UNAUTHENTICATED.",

    403 AppsOnly: "Only an app's key may do this: FORBIDDEN.",
    403 NotSeated: "You have no seat in this game: FORBIDDEN.",
    403 NotYourGame: "Only the game's app and, before the start, the player who opened it may cancel it: FORBIDDEN.",
    403 NotYourTable: "Only the player who opened the game, and its app, may seat a bot; at least one seat must be for a player: FORBIDDEN.",
    403 NotYourPlayer: "The player is neither you nor one of your app's: FORBIDDEN.",
    403 NotYourSeat: "You may view as another seat only when the game is over: FORBIDDEN.",

    404 NoSuchCode: "No game has this join code: NOT_FOUND.",
    404 NoSuchGame: "There is no such game, or you may not see it: NOT_FOUND.",
    404 NoSuchKind: "There is no such kind of game: NOT_FOUND.",
    404 NoSuchPlayer: "Your app has no such player: NOT_FOUND.",
    404 NoSuchToken: "The player has no such active token: NOT_FOUND.",

    409 CannotBranch: "The game is not over: CONFLICT. Or the position at this ply is final: GAME_OVER.",
    409 CannotCreate: "Another game of your app has the external id: CONFLICT. Or you have too many open games: LIMIT_REACHED.",
    409 CannotJoin: "The seat is taken, or the game takes no more players: CONFLICT. Or you have too many open games: LIMIT_REACHED.",
    409 CannotPlay: "NOT_YOUR_TURN, GAME_OVER or STALE. Or the game has not started: CONFLICT.",
    409 CannotRematch: "The game is not over, is a practice game, or one of its players was deleted: CONFLICT.",
    409 CannotResign: "The game is over: GAME_OVER. Or you have already resigned: NOT_YOUR_TURN.",
    409 CannotSeatBot: "The seat is taken, or the game has started: CONFLICT. Or you play too many games with bots, or too many bots are thinking: LIMIT_REACHED.",
    409 ExternalIdTaken: "Another game of your app has this external id: CONFLICT.",
    409 HasStarted: "The game has started: CONFLICT.",
    409 IsOver: "The game is over or cancelled: CONFLICT.",
    409 NotOver: "The game is not over: CONFLICT.",
    409 NotStarted: "The game has not started: CONFLICT.",
    409 TooManyStreams: "You have too many open streams: LIMIT_REACHED.",

    413 TooLarge: "The body is too large: TOO_LARGE.",

    415 UnsupportedMediaType: "The body is not JSON: UNSUPPORTED_MEDIA_TYPE.",

    422 IllegalMove: "The rules forbid the move: ILLEGAL_MOVE, with the rule's id. Or the idempotency key was used for another request: IDEMPOTENCY_KEY_REUSED.",
    422 KeyReused: "The idempotency key was used for another request: IDEMPOTENCY_KEY_REUSED.",

    429 RateLimited: "Too many requests: RATE_LIMITED. Try again after `retryAfter` seconds.",

    503 Unavailable: "The database is unavailable: UNAVAILABLE. Try again with the same idempotency key.",
}

/// The response for every other refusal.
const REFUSED: &str = "Refused";

/// The refusals that any operation may give besides its own.
pub fn of_any_operation(takes_body: bool) -> impl Iterator<Item = (String, RefOr<Response>)> {
    let common =
        [InvalidInput::responses(), Unauthenticated::responses(), RateLimited::responses(), Unavailable::responses()];
    let of_body = [TooLarge::responses(), UnsupportedMediaType::responses()];
    let of_body = of_body.into_iter().filter(move |_| takes_body);
    let default = BTreeMap::from([("default".to_string(), named(REFUSED))]);
    common.into_iter().chain(of_body).chain([default]).flatten()
}

fn named(name: &str) -> RefOr<Response> {
    Ref::from_response_name(name).into()
}

fn refusal(status: u16, description: &str) -> Response {
    let problem = ContentBuilder::new().schema(Some(Ref::from_schema_name(Problem::name()))).build();
    let response = ResponseBuilder::new().description(description).content("application/problem+json", problem);
    let names = headers::ALWAYS.into_iter().chain(headers::of_refusal(status));
    let response = names.fold(response, |response, name| response.header_ref(name, headers::named(name)));
    response.build()
}
