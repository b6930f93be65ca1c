//! The queries, and the fields of objects that load or compute something.

use async_graphql::{ComplexObject, Context, ID, Interface, Object, Result};

use super::connection::Connection;
use super::{Coded, maidan, service};
use crate::error::Error;
use crate::games::{self, NextDecision, Page, Snapshot, Style};
use crate::people;
use crate::wire::{
    Component, Continuations, Explanation, Game, GameCount, GamesFilter, HeadToHead, Kind, LegalMoves, LogEntry, Me,
    Moment, Move, Player, Record, Rulebook, Statistics, Theme, TokenInUse, choice, excluded, game_id_of, player_id_of,
};

pub struct Query;

/// An object with a global id.
#[derive(Interface)]
#[graphql(field(name = "id", ty = "&ID", desc = "The id. Its prefix names the type: game_… or player_…"))]
#[expect(clippy::large_enum_variant, reason = "made once per request")]
pub enum Node {
    Game(Game),
    Player(Player),
}

/// Everything that can be read.
#[Object]
impl Query {
    /// All kinds of games, with their options, components and every version of their rules.
    async fn kinds(&self, ctx: &Context<'_>) -> Result<Vec<Rulebook>> {
        let (maidan, caller) = service(ctx)?;
        let kinds = games::kinds(maidan, caller).coded()?;
        Ok(kinds.iter().map(|kind| Rulebook::of(*kind)).collect())
    }

    /// One kind of game.
    async fn kind(&self, ctx: &Context<'_>, #[graphql(desc = "The kind.")] id: Kind) -> Result<Rulebook> {
        let (maidan, caller) = service(ctx)?;
        games::kinds(maidan, caller).coded()?;
        Ok(Rulebook::of(id.into()))
    }

    /// The cards, dice or board of a kind as SVG, with a legend.
    async fn kind_picture(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The kind.")] id: Kind,
        #[graphql(desc = "The colours. Default: LIGHT.")] theme: Option<Theme>,
        #[graphql(desc = "The width in pixels, 240 to 4096. Default: 960.")] width: Option<i32>,
    ) -> Result<String> {
        let (maidan, caller) = service(ctx)?;
        let style = Style::new(theme.map(Into::into), width).coded()?;
        games::kind_picture(maidan, caller, id.into(), style).coded()
    }

    /// The caller that your token identifies, with its games and inbox.
    async fn me(&self, ctx: &Context<'_>) -> Result<Me> {
        let (maidan, caller) = service(ctx)?;
        people::me(maidan, caller).await.map(Me::from).coded()
    }

    /// The game whose decision has waited for you the longest; null if none waits. Select `legalMoves` to have all that
    /// a bot needs to move. With `wait`, the response comes as soon as a game waits for you, and a request that waits
    /// counts as a stream. Until you have moved, the same decision comes again.
    async fn next_decision(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "Seconds to wait for a decision, at most 60. Default: 0.")] wait: Option<i32>,
        #[graphql(desc = "Ids of games to skip, at most 100: games in which you cannot or will not decide now.")]
        exclude: Option<Vec<ID>>,
    ) -> Option<Result<Game>> {
        find_decision(ctx, wait, &exclude.unwrap_or_default()).await.transpose()
    }

    /// A game by its id, as you may see it.
    async fn game(&self, ctx: &Context<'_>, #[graphql(desc = "The game's id.")] id: ID) -> Option<Result<Game>> {
        Some(find_game(ctx, &id).await)
    }

    /// The games that you may see, newest first: your own and your app's public ones. With an app's key: all games of
    /// the app.
    async fn games(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "Only games that match.")] filter: Option<GamesFilter>,
        #[graphql(desc = "Page size. Default: 20.")] first: Option<i32>,
        #[graphql(desc = "The endCursor of the previous page.")] after: Option<String>,
    ) -> Result<Connection<Game>> {
        let (maidan, caller) = service(ctx)?;
        let filter = filter.unwrap_or_default().read().coded()?;
        let page = games::list(maidan, caller, filter, first, after.as_deref()).await.coded()?;
        Ok(page_of_games(page, after.as_deref()))
    }

    /// The number of games that you may see. Counts stop at 10,000; then `isExact` is false.
    async fn game_count(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "Only games that match.")] filter: Option<GamesFilter>,
    ) -> Result<GameCount> {
        let (maidan, caller) = service(ctx)?;
        let filter = filter.unwrap_or_default().read().coded()?;
        games::count(maidan, caller, filter).await.map(GameCount::from).coded()
    }

    /// A player of your app.
    async fn player(&self, ctx: &Context<'_>, #[graphql(desc = "The player's id.")] id: ID) -> Option<Result<Player>> {
        Some(find_player(ctx, &id).await)
    }

    /// The players of your app, newest first. Only for an app's key.
    async fn players(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "Only the player with this external id.")] external_id: Option<String>,
        #[graphql(desc = "Page size. Default: 20.")] first: Option<i32>,
        #[graphql(desc = "The endCursor of the previous page.")] after: Option<String>,
    ) -> Result<Connection<Player>> {
        let (maidan, caller) = service(ctx)?;
        let (players, has_more) =
            people::players(maidan, caller, external_id, first, after.as_deref()).await.coded()?;
        let players = players.into_iter().map(|player| Player::seen_by(caller, player)).collect();
        Ok(Connection::new(players, has_more, after.as_deref()))
    }

    /// The active tokens of a player of your app, or your own. Their secrets are shown only when they are issued.
    async fn tokens(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The player's id.")] player_id: ID,
        #[graphql(desc = "Page size. Default: 20.")] first: Option<i32>,
        #[graphql(desc = "The endCursor of the previous page.")] after: Option<String>,
    ) -> Result<Connection<TokenInUse>> {
        let (maidan, caller) = service(ctx)?;
        let player = player_id_of(&player_id).coded()?;
        let (tokens, has_more) = people::tokens(maidan, caller, player, first, after.as_deref()).await.coded()?;
        let tokens = tokens.into_iter().map(TokenInUse::from).collect();
        Ok(Connection::new(tokens, has_more, after.as_deref()))
    }

    /// The results of two players against each other, by kind.
    async fn head_to_head(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The player whose results are returned.")] player_id: ID,
        #[graphql(desc = "The opponent.")] opponent_id: ID,
        #[graphql(desc = "Only this kind.")] kind: Option<Kind>,
        #[graphql(desc = "Whether to count the games in which a bot had a seat, instead of the others.", default)]
        with_bots: bool,
    ) -> Result<Vec<HeadToHead>> {
        let (maidan, caller) = service(ctx)?;
        let (player, opponent) = (player_id_of(&player_id).coded()?, player_id_of(&opponent_id).coded()?);
        let kind = kind.map(Into::into);
        let meetings = people::head_to_head(maidan, caller, player, opponent, kind, with_bots).await.coded()?;
        Ok(meetings.into_iter().map(HeadToHead::from).collect())
    }

    /// A game or a player by its id.
    async fn node(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The id of a game or a player.")] id: ID,
    ) -> Option<Result<Node>> {
        Some(match id.split('_').next() {
            Some("game") => find_game(ctx, &id).await.map(Node::Game),
            Some("player") => find_player(ctx, &id).await.map(Node::Player),
            _ => Err(Error::NotFound("There is nothing with this id.")).coded(),
        })
    }
}

async fn find_decision(ctx: &Context<'_>, wait: Option<i32>, exclude: &[ID]) -> Result<Option<Game>> {
    let (maidan, caller) = service(ctx)?;
    let exclude = excluded(exclude.iter().map(|id| id.as_str())).coded()?;
    match games::next_decision(maidan, caller, &NextDecision { wait, exclude }).await.coded()? {
        Some(table) => Snapshot::of(maidan, table).await.map(|snapshot| Some(snapshot.into())).coded(),
        None => Ok(None),
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
    people::player(maidan, caller, id).await.map(|player| Player::seen_by(caller, player)).coded()
}

#[ComplexObject]
impl Game {
    /// The components of the game, as tables: cards, dice and others. A table that the options of the game gave has
    /// `reconstructed` false.
    async fn components(&self) -> Result<Vec<Component>> {
        let tables = games::components(&self.snapshot.table).coded()?;
        Ok(tables.into_iter().map(Component::from).collect())
    }

    /// The components of the game as SVG, with a legend: those of its own tables, if its options gave some.
    async fn components_picture(
        &self,
        #[graphql(desc = "The colours. Default: LIGHT.")] theme: Option<Theme>,
        #[graphql(desc = "The width in pixels, 240 to 4096. Default: 960.")] width: Option<i32>,
    ) -> Result<String> {
        let style = Style::new(theme.map(Into::into), width).coded()?;
        games::components_picture(&self.snapshot.table, style).coded()
    }

    /// The legal moves of your seat.
    async fn legal_moves(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "Most moves to return. Default: 100.")] limit: Option<i32>,
    ) -> Result<LegalMoves> {
        let table = &self.snapshot.table;
        let moves = games::legal_moves(maidan(ctx)?, table, limit).coded()?;
        Ok(LegalMoves::of(table, moves))
    }

    /// Whether a move is legal for you now, and if not, which rule it breaks. Pass either `move` or `notation`.
    async fn explain(
        &self,
        #[graphql(desc = "The move as an object.", name = "move")] mv: Option<Move>,
        #[graphql(desc = "The move in notation.")] notation: Option<String>,
    ) -> Result<Explanation> {
        let choice = choice(mv, notation).coded()?;
        games::explain(&self.snapshot.table, &choice).map(Explanation::from).coded()
    }

    /// The tokens that may follow those of an incomplete move.
    async fn continuations(
        &self,
        #[graphql(desc = "The tokens chosen so far.", default)] prefix: Vec<String>,
    ) -> Result<Continuations> {
        games::continuations(&self.snapshot.table, &prefix).map(Continuations::from).coded()
    }

    /// The game as it was after a ply. While the game runs, you see what you could see at that ply. When it is over,
    /// you see everything, or what one seat saw. In The Mara without notepads, past plies of a running game are shown
    /// as spectators saw them.
    async fn at(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The number of moves made; 0 is the initial position.")] ply: i32,
        #[graphql(
            desc = "View as this seat: your own, or any seat when the game is over. Default: your own; everything when the game is over."
        )]
        seat: Option<i32>,
    ) -> Result<Moment> {
        let (maidan, caller) = service(ctx)?;
        games::at(maidan, caller, &self.snapshot.table, ply, seat).await.map(Moment::from).coded()
    }

    /// The position as SVG, as you may see it. Everything that a move can name has `data-token`, the token of the
    /// notation, and a title. An error before the start.
    async fn picture(
        &self,
        ctx: &Context<'_>,
        #[graphql(
            desc = "View as this seat: your own, or any seat when the game is over. Default: your own; everything when the game is over."
        )]
        seat: Option<i32>,
        #[graphql(desc = "The colours. Default: LIGHT.")] theme: Option<Theme>,
        #[graphql(desc = "The width in pixels, 240 to 4096. Narrow pictures have one column. Default: 960.")]
        width: Option<i32>,
    ) -> Option<Result<String>> {
        Some(self.drawn(ctx, seat, theme, width).await)
    }

    /// The position as plain text, as you may see it: for terminals, screen readers and language models. An error before
    /// the start.
    async fn text(
        &self,
        ctx: &Context<'_>,
        #[graphql(
            desc = "View as this seat: your own, or any seat when the game is over. Default: your own; everything when the game is over."
        )]
        seat: Option<i32>,
    ) -> Option<Result<String>> {
        Some(self.written(ctx, seat).await)
    }

    /// The finished game as one portable document.
    async fn record(&self, ctx: &Context<'_>) -> Result<Record> {
        let (maidan, caller) = service(ctx)?;
        games::record(maidan, caller, &self.snapshot.table).await.map(Record).coded()
    }

    /// The log, oldest entry first.
    async fn log(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "Page size. Default: 20.")] first: Option<i32>,
        #[graphql(desc = "The endCursor of the previous page: an entry's cursor is its version.")] after: Option<
            String,
        >,
    ) -> Result<Connection<LogEntry>> {
        let (maidan, _) = service(ctx)?;
        let version = after.as_deref().map(version_of).transpose().coded()?;
        let (entries, has_more) = games::log(maidan, &self.snapshot.table, first, version).await.coded()?;
        let entries = entries.into_iter().map(LogEntry::from).collect();
        Ok(Connection::new(entries, has_more, after.as_deref()))
    }
}

impl Game {
    async fn drawn(
        &self,
        ctx: &Context<'_>,
        seat: Option<i32>,
        theme: Option<Theme>,
        width: Option<i32>,
    ) -> Result<String> {
        let (maidan, caller) = service(ctx)?;
        let style = Style::new(theme.map(Into::into), width).coded()?;
        games::now(maidan, caller, &self.snapshot.table, seat).await.map(|moment| moment.picture(style)).coded()
    }

    async fn written(&self, ctx: &Context<'_>, seat: Option<i32>) -> Result<String> {
        let (maidan, caller) = service(ctx)?;
        games::now(maidan, caller, &self.snapshot.table, seat).await.map(|moment| moment.text()).coded()
    }
}

#[ComplexObject]
impl Moment {
    /// The position as SVG, as that seat or spectator saw it.
    async fn picture(
        &self,
        #[graphql(desc = "The colours. Default: LIGHT.")] theme: Option<Theme>,
        #[graphql(desc = "The width in pixels, 240 to 4096. Narrow pictures have one column. Default: 960.")]
        width: Option<i32>,
    ) -> Result<String> {
        let style = Style::new(theme.map(Into::into), width).coded()?;
        Ok(self.moment.picture(style))
    }

    /// The position as plain text, as that seat or spectator saw it.
    async fn text(&self) -> String {
        self.moment.text()
    }
}

#[ComplexObject]
impl Player {
    /// The player's results, by kind.
    async fn statistics(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "Only this kind.")] kind: Option<Kind>,
        #[graphql(desc = "Whether to count the games in which a bot had a seat, instead of the others.", default)]
        with_bots: bool,
    ) -> Result<Vec<Statistics>> {
        let (maidan, caller) = service(ctx)?;
        let player = player_id_of(&self.id).coded()?;
        let tallies = people::statistics(maidan, caller, player, kind.map(Into::into), with_bots).await.coded()?;
        Ok(tallies.into_iter().map(Statistics::from).collect())
    }
}

#[ComplexObject]
impl Me {
    /// Your own games, newest first.
    async fn games(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "Only games that match.")] filter: Option<GamesFilter>,
        #[graphql(desc = "Page size. Default: 20.")] first: Option<i32>,
        #[graphql(desc = "The endCursor of the previous page.")] after: Option<String>,
    ) -> Result<Connection<Game>> {
        let (maidan, caller) = service(ctx)?;
        let mut filter = filter.unwrap_or_default().read().coded()?;
        filter.player = Some(caller.player().coded()?.id);
        let page = games::list(maidan, caller, filter, first, after.as_deref()).await.coded()?;
        Ok(page_of_games(page, after.as_deref()))
    }

    /// The running games that wait for your decision, oldest first.
    async fn inbox(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "Page size. Default: 20.")] first: Option<i32>,
        #[graphql(desc = "The endCursor of the previous page.")] after: Option<String>,
    ) -> Result<Connection<Game>> {
        let (maidan, caller) = service(ctx)?;
        let page = games::inbox(maidan, caller, first, after.as_deref()).await.coded()?;
        Ok(page_of_games(page, after.as_deref()))
    }
}

fn page_of_games(Page { games, has_more }: Page, after: Option<&str>) -> Connection<Game> {
    Connection::new(games.into_iter().map(Game::from).collect(), has_more, after)
}

/// The version that a log's cursor names.
fn version_of(cursor: &str) -> crate::error::Result<i32> {
    cursor.parse().map_err(|_| Error::InvalidInput("after is not a cursor of this log.".into()))
}
