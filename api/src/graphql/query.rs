//! Everything that can be looked at.

use async_graphql::{ComplexObject, Context, ID, Interface, Object, Result};

use super::{Coded, maidan, service};
use crate::error::Error;
use crate::games::{self, Snapshot};
use crate::people;
use crate::wire::{
    Continuations, Explanation, Game, GameCount, GamePage, GamesFilter, HeadToHead, Kind, LegalMoves, LogPage, Me,
    Moment, Move, Player, Record, Rulebook, Statistics, TokenPage, choice, game_id_of, player_id_of,
};

pub struct Query;

/// Whatever has an id of its own.
#[derive(Interface)]
#[graphql(field(name = "id", ty = "&ID", desc = "The id: its prefix tells what it is."))]
#[allow(clippy::large_enum_variant, reason = "made once per request")]
pub enum Node {
    Game(Game),
    Player(Player),
}

/// Everything that can be looked at.
#[Object]
impl Query {
    /// Every kind of game that can be played here, with its options, components and rules in every version.
    async fn kinds(&self, ctx: &Context<'_>) -> Result<Vec<Rulebook>> {
        let (maidan, caller) = service(ctx)?;
        let kinds = games::kinds(maidan, caller).coded()?;
        Ok(kinds.iter().map(|kind| Rulebook::of(*kind)).collect())
    }

    /// One kind of game.
    async fn kind(&self, ctx: &Context<'_>, #[graphql(desc = "Which kind.")] id: Kind) -> Result<Rulebook> {
        let (maidan, caller) = service(ctx)?;
        games::kinds(maidan, caller).coded()?;
        Ok(Rulebook::of(id.into()))
    }

    /// Who you are, by your token; and what waits for you.
    async fn me(&self, ctx: &Context<'_>) -> Result<Me> {
        let (maidan, caller) = service(ctx)?;
        people::me(maidan, caller).await.map(Me::from).coded()
    }

    /// A game as you may see it.
    async fn game(&self, ctx: &Context<'_>, #[graphql(desc = "The game's id.")] id: ID) -> Option<Result<Game>> {
        Some(find_game(ctx, &id).await)
    }

    /// Games that you may see, newest first: public ones of your app and your own; for an app's key, all of its own.
    #[graphql(complexity = "page(first) * child_complexity + 1")]
    async fn games(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "Which games.")] filter: Option<GamesFilter>,
        #[graphql(desc = "How many, 20 if left out.")] first: Option<i32>,
        #[graphql(desc = "Where the page before ended: its endCursor.")] after: Option<String>,
    ) -> Result<GamePage> {
        let (maidan, caller) = service(ctx)?;
        let filter = filter.unwrap_or_default().read().coded()?;
        games::list(maidan, caller, filter, first, after).await.map(GamePage::from).coded()
    }

    /// How many games there are of those that you may see. Counted up to 10,000.
    #[graphql(complexity = "child_complexity + WORK")]
    async fn game_count(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "Which games.")] filter: Option<GamesFilter>,
    ) -> Result<GameCount> {
        let (maidan, caller) = service(ctx)?;
        let filter = filter.unwrap_or_default().read().coded()?;
        games::count(maidan, caller, filter).await.map(GameCount::from).coded()
    }

    /// A player of your app.
    async fn player(&self, ctx: &Context<'_>, #[graphql(desc = "The player's id.")] id: ID) -> Option<Result<Player>> {
        Some(find_player(ctx, &id).await)
    }

    /// The tokens in use of a player of your app, or your own: not what they say, which is shown once.
    #[graphql(complexity = "page(first) * child_complexity + 1")]
    async fn tokens(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "Whose tokens.")] player_id: ID,
        #[graphql(desc = "How many, 20 if left out.")] first: Option<i32>,
        #[graphql(desc = "Where the page before ended: its endCursor.")] after: Option<String>,
    ) -> Result<TokenPage> {
        let (maidan, caller) = service(ctx)?;
        let player = player_id_of(&player_id).coded()?;
        people::tokens(maidan, caller, player, first, after).await.map(TokenPage::from).coded()
    }

    /// How two players have done against each other, kind by kind.
    #[graphql(complexity = "child_complexity * 5 + STATISTICS")]
    async fn head_to_head(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The player for whom it is told.")] player_id: ID,
        #[graphql(desc = "The one whom that player met.")] opponent_id: ID,
        #[graphql(desc = "Only this kind.")] kind: Option<Kind>,
    ) -> Result<Vec<HeadToHead>> {
        let (maidan, caller) = service(ctx)?;
        let (player, opponent) = (player_id_of(&player_id).coded()?, player_id_of(&opponent_id).coded()?);
        let meetings = people::head_to_head(maidan, caller, player, opponent, kind.map(Into::into)).await.coded()?;
        Ok(meetings.into_iter().map(HeadToHead::from).collect())
    }

    /// Anything that you may see, by its id.
    async fn node(&self, ctx: &Context<'_>, #[graphql(desc = "An id of any sort.")] id: ID) -> Option<Result<Node>> {
        Some(match id.split('_').next() {
            Some("game") => find_game(ctx, &id).await.map(Node::Game),
            Some("player") => find_player(ctx, &id).await.map(Node::Player),
            _ => Err(Error::NotFound("There is nothing with this id.")).coded(),
        })
    }
}

async fn find_game(ctx: &Context<'_>, id: &ID) -> Result<Game> {
    let (maidan, caller) = service(ctx)?;
    let table = games::game(maidan, caller, game_id_of(id).coded()?).await.coded()?;
    Snapshot::of(maidan, table).await.map(Game::from).coded()
}

async fn find_player(ctx: &Context<'_>, id: &ID) -> Result<Player> {
    let (maidan, caller) = service(ctx)?;
    let id = player_id_of(id).coded()?;
    people::player(maidan, caller, id).await.map(Player::from).coded()
}

/// What one does at a table besides moving.
#[ComplexObject]
impl Game {
    /// The legal moves of your seat.
    #[graphql(complexity = "page(limit.or(Some(100))) * child_complexity + WORK")]
    async fn legal_moves(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "How many at the most, 100 if left out.")] limit: Option<i32>,
    ) -> Result<LegalMoves> {
        let table = &self.snapshot.table;
        let moves = games::legal_moves(maidan(ctx)?, table, limit).coded()?;
        Ok(LegalMoves::of(table, moves))
    }

    /// Whether you may make a move now, and if not, which rule says so. Give the move or its notation.
    #[graphql(complexity = "child_complexity + WORK")]
    async fn explain(
        &self,
        #[graphql(desc = "The move in structure.", name = "move")] mv: Option<Move>,
        #[graphql(desc = "The move in notation.")] notation: Option<String>,
    ) -> Result<Explanation> {
        let choice = choice(mv, notation).coded()?;
        games::explain(&self.snapshot.table, &choice).map(Explanation::from).coded()
    }

    /// What may follow the tokens of a move that you are building.
    #[graphql(complexity = "child_complexity + WORK")]
    async fn continuations(
        &self,
        #[graphql(desc = "The tokens chosen so far.", default)] prefix: Vec<String>,
    ) -> Result<Continuations> {
        games::continuations(&self.snapshot.table, &prefix).map(Continuations::from).coded()
    }

    /// The game as it was after a ply. While it goes on you see what you could see then; once it is over, everything,
    /// or what a seat saw. In The Mara without notepads past plies are shown as to somebody without a seat until then.
    #[graphql(complexity = "child_complexity + REPLAY")]
    async fn at(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "After how many moves; 0 is the beginning.")] ply: i32,
        #[graphql(desc = "Whose eyes to see it with. All hands are open in a finished game, if left out.")]
        seat: Option<i32>,
    ) -> Result<Moment> {
        let (maidan, _) = service(ctx)?;
        games::at(maidan, &self.snapshot.table, ply, seat).await.map(Moment::from).coded()
    }

    /// The game as one portable document, once it is over.
    #[graphql(complexity = "child_complexity + REPLAY")]
    async fn record(&self, ctx: &Context<'_>) -> Result<Record> {
        let (maidan, _) = service(ctx)?;
        games::record(maidan, &self.snapshot.table).await.map(Record).coded()
    }

    /// The log, oldest entries first.
    #[graphql(complexity = "page(first) * child_complexity + WORK")]
    async fn log(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "How many entries, 20 if left out.")] first: Option<i32>,
        #[graphql(desc = "Only entries after this version.")] after: Option<i32>,
    ) -> Result<LogPage> {
        let (maidan, _) = service(ctx)?;
        games::log(maidan, &self.snapshot.table, first, after).await.map(LogPage::from).coded()
    }
}

/// What is asked about somebody.
#[ComplexObject]
impl Player {
    /// How the player has done, kind by kind.
    #[graphql(complexity = "child_complexity * 5 + STATISTICS")]
    async fn statistics(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "Only this kind.")] kind: Option<Kind>,
    ) -> Result<Vec<Statistics>> {
        let (maidan, caller) = service(ctx)?;
        let player = player_id_of(&self.id).coded()?;
        let tallies = people::statistics(maidan, caller, player, kind.map(Into::into)).await.coded()?;
        Ok(tallies.into_iter().map(Statistics::from).collect())
    }
}

/// What belongs to the one who asks.
#[ComplexObject]
impl Me {
    /// Your own games, newest first.
    #[graphql(complexity = "page(first) * child_complexity + 1")]
    async fn games(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "Which of them.")] filter: Option<GamesFilter>,
        #[graphql(desc = "How many, 20 if left out.")] first: Option<i32>,
        #[graphql(desc = "Where the page before ended: its endCursor.")] after: Option<String>,
    ) -> Result<GamePage> {
        let (maidan, caller) = service(ctx)?;
        let mut filter = filter.unwrap_or_default().read().coded()?;
        filter.player = Some(caller.player().coded()?.id);
        games::list(maidan, caller, filter, first, after).await.map(GamePage::from).coded()
    }

    /// The running games that wait for you, the oldest first, in one call.
    #[graphql(complexity = "page(None) * child_complexity + 1")]
    async fn inbox(&self, ctx: &Context<'_>) -> Result<GamePage> {
        let (maidan, caller) = service(ctx)?;
        games::inbox(maidan, caller).await.map(GamePage::from).coded()
    }
}

/// What a field of a game counts for that is read or worked out by itself: one request holds many games, and many of
/// these.
const WORK: usize = 100;

/// What a field counts for that plays a game again, or tells all of it.
const REPLAY: usize = 2_000;
/// The same for what is summed up over all games of a player.
const STATISTICS: usize = 1000;

/// How many items a list counts for. More than any page has is refused anyway, and must not overflow before.
fn page(first: Option<i32>) -> usize {
    first.and_then(|first| usize::try_from(first).ok()).unwrap_or(20).min(10_000)
}
