//! Answers of requests with an idempotency key: the object, and whether the request had been executed before.

use serde::Serialize;
use utoipa::ToSchema;

use super::{Game, StreamTicket, Token};

macro_rules! repeatable {
    ($($(#[$doc:meta])* $Repeatable:ident: $Object:ident,)*) => {$(
        $(#[$doc])*
        #[derive(Serialize, ToSchema)]
        #[serde(rename_all = "camelCase")]
        pub struct $Repeatable {
            #[serde(flatten)]
            pub object: $Object,
            /// Whether the request had been executed before, so that it changed nothing now.
            pub repeated: bool,
        }
    )*};
}

repeatable! {
    /// The game that a request opened or changed.
    ChangedGame: Game,
    /// The token that a request issued.
    IssuedToken: Token,
    /// The ticket that a request issued.
    IssuedStreamTicket: StreamTicket,
}
