//! The subscriptions.

use async_graphql::{Context, ID, Result, Subscription as GraphqlSubscription};
use futures_util::{Stream, StreamExt, stream};

use super::{Coded, service};
use crate::games;
use crate::wire::{GameChange, InboxChange, game_id_of};

pub struct Subscription;

/// Everything that you can subscribe to.
#[GraphqlSubscription]
impl Subscription {
    /// The changes of a game, without gaps. The first message has the current game or, with `after`, all entries since
    /// that version. Completes when the game is over.
    async fn game_changed(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The game's id.")] id: ID,
        #[graphql(desc = "The cursor of the last change that you have seen, or its version.")] after: Option<ID>,
    ) -> Result<impl Stream<Item = Result<GameChange>> + use<>> {
        let (maidan, caller) = service(ctx)?;
        let after = after.map(|cursor| cursor.parse()).transpose().coded()?;
        let changes = games::follow(maidan, caller, game_id_of(&id).coded()?, after).await.coded()?;
        Ok(stream::iter(changes).flatten().map(|change| change.map(GameChange::from).coded()))
    }

    /// The changes of your inbox. The first message has all games that wait for you, if there are any.
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
