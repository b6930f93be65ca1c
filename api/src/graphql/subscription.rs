//! Everything that can be followed.

use std::sync::Arc;

use async_graphql::{Context, ID, Result, Subscription as GraphqlSubscription};
use futures_util::{Stream, StreamExt, stream};

use super::{Told, at_hand};
use crate::app::Maidan;
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
        let (maidan, caller) = at_hand(ctx)?;
        let changes = games::follow(maidan, caller, game_id_of(&id).told()?, after).await.told()?;
        let maidan: Arc<Maidan> = Arc::clone(maidan);
        Ok(stream::iter(changes).flatten().then(move |change| {
            let maidan = Arc::clone(&maidan);
            async move { GameChange::show(&maidan, change.told()?).await.told() }
        }))
    }

    /// What becomes of your inbox. Begins with all that waits for you, if anything does.
    async fn inbox_changed(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The cursor of the last change that you have seen.")] after: Option<String>,
    ) -> Result<impl Stream<Item = Result<InboxChange>> + use<>> {
        let (maidan, caller) = at_hand(ctx)?;
        let changes = games::follow_inbox(maidan, caller, after).await.told()?;
        let maidan: Arc<Maidan> = Arc::clone(maidan);
        Ok(changes.then(move |change| {
            let maidan = Arc::clone(&maidan);
            async move { InboxChange::show(&maidan, change.told()?).await.told() }
        }))
    }
}
