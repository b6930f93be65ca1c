//! The colours of a picture, on the wire.

use async_graphql::Enum;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The colours of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Enum, Serialize, Deserialize, ToSchema)]
#[graphql(remote = "draw::Theme")]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Theme {
    /// Dark on light.
    #[serde(alias = "light")]
    Light,
    /// Light on dark.
    #[serde(alias = "dark")]
    Dark,
}
