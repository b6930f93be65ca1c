//! Everything that can be followed.

use async_graphql::{Context, ID, Result, Subscription as GraphqlSubscription};
use futures_util::{Stream, StreamExt, stream};

use super::{Coded, service};
use crate::games;
use crate::wire::{GameChange, InboxChange, game_id_of};

pub struct Subscription;

/// Everything that can be followed.
#[GraphqlSubscription]
impl Subscription {
    /// What becomes of a game, without gaps. Begins with the game as it stands, or, if you say which version you have
    /// seen, with every entry since; completes when the game has come to its end.
    async fn game_changed(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The game's id.")] id: ID,
        #[graphql(desc = "The version that you have seen.")] after: Option<i32>,
    ) -> Result<impl Stream<Item = Result<GameChange>> + use<>> {
        let (maidan, caller) = service(ctx)?;
        let changes = games::follow(maidan, caller, game_id_of(&id).coded()?, after).await.coded()?;
        Ok(stream::iter(changes).flatten().map(|change| change.map(GameChange::from).coded()))
    }

    /// What becomes of your inbox. Begins with all that waits for you, if anything does.
    async fn inbox_changed(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The cursor of the last change that you have seen.")] after: Option<String>,
    ) -> Result<impl Stream<Item = Result<InboxChange>> + use<>> {
        let (maidan, caller) = service(ctx)?;
        let changes = games::follow_inbox(maidan, caller, after).await.coded()?;
        Ok(changes.map(|change| change.map(InboxChange::from).coded()))
    }
}
