//! Ids in the OpenAPI document.

use std::borrow::Cow;

use utoipa::openapi::{ObjectBuilder, RefOr, Schema, Type};
use utoipa::{PartialSchema, ToSchema};

use crate::ids::{AppId, GameId, PlayerId, TokenId};

/// The digits of the ids in examples.
const DIGITS: &str = "019a96f2c4b57d0e8f3a1b2c4d5e6f70";

macro_rules! schemas {
    ($($Id:ident: $about:literal,)*) => {
        $(
            impl PartialSchema for $Id {
                fn schema() -> RefOr<Schema> {
                    id($Id::PREFIX, $about)
                }
            }

            impl ToSchema for $Id {
                fn name() -> Cow<'static, str> {
                    stringify!($Id).into()
                }
            }
        )*
    };
}

schemas! {
    AppId: "The id of an app.",
    GameId: "The id of a game. Ids sort by the time of creation.",
    PlayerId: "The id of a player.",
    TokenId: "The id of a token. It is not secret.",
}

fn id(prefix: &str, about: &str) -> RefOr<Schema> {
    ObjectBuilder::new()
        .schema_type(Type::String)
        .description(Some(about))
        .pattern(Some(format!("^{prefix}_[0-9a-f]{{32}}$")))
        .examples([format!("{prefix}_{DIGITS}")])
        .into()
}
