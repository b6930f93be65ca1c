//! A game on the wire, as one caller sees it.

use std::sync::Arc;

use async_graphql::{Enum, ID, SimpleObject};
use domain::{AnyGame, Seat};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::deferred::Deferred;
use super::{Details, Event, Kind, Metadata, Move, Options, Player, SeatBot, Time, View, int, seat, seats};
use crate::error::{Code, Error, Result};
use crate::games::{self, Page, Snapshot, Table};
use crate::ids::GameId;
use crate::model;

/// The status of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Enum, Serialize, Deserialize, ToSchema)]
#[graphql(remote = "model::Status")]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum GameStatus {
    /// The game waits for players.
    Open,
    /// The game is being played.
    Running,
    /// The game is finished.
    Over,
    /// The game was cancelled.
    Cancelled,
}

/// The visibility of a game: it decides who may see and join it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Enum, Serialize, Deserialize, ToSchema)]
#[graphql(remote = "model::Visibility")]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Visibility {
    /// Any player of the app may find, watch and join it.
    #[default]
    Public,
    /// Only its players and its app may see it. Others need its join code to join.
    Private,
}

/// The result of a finished game for one of its players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Enum, Serialize, Deserialize, ToSchema)]
#[graphql(remote = "model::GameResult")]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum GameResult {
    /// The player won alone.
    Won,
    /// The player won together with others.
    Shared,
    /// Nobody won.
    Drawn,
    /// Others won.
    Lost,
}

/// A game as you may see it: information that is hidden from you is left out.
#[derive(Clone, SimpleObject, Serialize, ToSchema)]
#[graphql(complex)]
#[serde(rename_all = "camelCase")]
pub struct Game {
    /// The game's id: game_…
    #[schema(value_type = GameId)]
    pub id: ID,
    /// The kind of game.
    pub kind: Kind,
    /// The version of the rules that the game uses from start to end.
    pub rules_version: i32,
    /// The options. An option that the game's rules version does not have is null. By REST the option `components` is
    /// null in lists, in streams and after moves, even if the game has tables of its own: see `componentsHash`.
    #[schema(value_type = Options)]
    pub options: Deferred<Options>,
    /// The SHA-256 of the option `components` as canonical JSON (RFC 8785) without nulls: it names the tables. Null if the
    /// game has the built-in ones.
    #[schema(value_type = Option<String>)]
    pub components_hash: Deferred<Option<String>>,
    /// The status.
    pub status: GameStatus,
    /// The visibility of the game: it decides who may see and join it.
    pub visibility: Visibility,
    /// The code to join a private game. Null for public games, for rematches, and once the game has started.
    pub join_code: Option<String>,
    /// The number of log entries. Every change increases it.
    pub version: i32,
    /// The number of moves made.
    pub ply: i32,
    /// The seats, in order.
    #[schema(value_type = Vec<SeatAtTable>)]
    pub seats: Deferred<Vec<SeatAtTable>>,
    /// The level of the bot that plays for a seat whose player resigns. Null for games begun before there were bots:
    /// the moves of their resigned seats are drawn at random.
    pub stand_in_level: Option<i32>,
    /// The pause before a bot's move, in milliseconds.
    pub bot_pause_ms: i32,
    /// Your own seat; null if you have none.
    pub my_seat: Option<i32>,
    /// The seats whose decision the game waits for.
    pub to_act: Vec<i32>,
    /// The version at which your current decision opened; null if the game does not wait for you. Send this or a later
    /// version as `expectedVersion`.
    pub my_decision: Option<i32>,
    /// The position as you may see it. Null before the start, and if this server does not have the game's rules
    /// version. When the game is over, everyone sees everything.
    #[schema(value_type = Option<View>)]
    pub view: Deferred<Option<View>>,
    /// The outcome; null until the game is over.
    #[schema(value_type = Option<Outcome>)]
    pub outcome: Deferred<Option<Outcome>>,
    /// A commitment to the seed, published before anyone joins: SHA-256("maidan/seed", id, seed).
    #[schema(value_type = String)]
    pub commitment: Deferred<String>,
    /// The seed of the game's randomness; null until the game is over.
    pub seed: Option<String>,
    /// For a practice game: the position that it continues from. Practice games do not count in statistics.
    pub origin: Option<Origin>,
    /// When the game was opened.
    pub created_at: Time,
    /// When the game is cancelled if seats are still open.
    pub expires_at: Option<Time>,
    /// When the game started.
    pub started_at: Option<Time>,
    /// When the game ended or was cancelled.
    pub ended_at: Option<Time>,
    /// The id of the game that this one is a rematch of.
    #[schema(value_type = Option<GameId>)]
    pub rematch_of: Option<ID>,
    /// The id of this game's rematch; null until a player asks for one. To join the rematch, ask for it too.
    #[schema(value_type = Option<GameId>)]
    pub rematch: Option<ID>,
    /// The app's own id of the game.
    pub external_id: Option<String>,
    /// The app's own JSON about the game. Changing it does not raise the version.
    pub metadata: Option<Metadata>,
    #[graphql(skip)]
    #[serde(skip)]
    #[schema(ignore)]
    pub snapshot: Arc<Snapshot>,
}

/// The position that a practice game continues from.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Origin {
    /// The id of the original game.
    #[schema(value_type = GameId)]
    pub game_id: ID,
    /// The ply of the original game. The practice game counts its own plies from 0.
    pub ply: i32,
}

impl From<model::Origin> for Origin {
    fn from(model::Origin { game, ply, depth: _ }: model::Origin) -> Origin {
        Origin { game_id: ID(game.to_string()), ply: int(ply) }
    }
}

/// A seat of a game.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SeatAtTable {
    /// The seat's number, clockwise from 0.
    pub seat: i32,
    /// The player in the seat; null while it is open, and if a bot has it.
    pub player: Option<Player>,
    /// The bot that has the seat or, once its player has resigned, plays for it; null if no bot does.
    pub bot: Option<SeatBot>,
    /// Whether the player has resigned.
    pub resigned: bool,
    /// The player's contribution to the game's randomness. You see your own immediately, and those of others once the
    /// game has started.
    pub client_seed: Option<String>,
}

/// The outcome of a game.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Outcome {
    /// The cause of the end: the id of a rule, RESIGNATION or PLY_LIMIT.
    pub ending: String,
    /// The seats that won; empty for a draw.
    pub winners: Vec<i32>,
    /// The place of each seat, 1 for the best. Tied seats share a place.
    pub places: Vec<i32>,
    /// The scoring of the game.
    pub details: Details,
}

impl From<domain::AnyOutcome> for Outcome {
    fn from(outcome: domain::AnyOutcome) -> Outcome {
        let domain::Outcome { ending, winners, places, details } = outcome;
        Outcome {
            ending: ending.to_string(),
            winners: winners.iter().map(seat).collect(),
            places: places.values().map(|place| i32::from(*place)).collect(),
            details: details.into(),
        }
    }
}

/// A page of games.
#[derive(Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GamePage {
    /// The games.
    pub items: Vec<Game>,
    /// The cursor of the last item. Pass it as `after` to get the next page.
    pub end_cursor: Option<String>,
    /// Whether more games follow.
    pub has_more: bool,
}

/// A count of games.
#[derive(Clone, Copy, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GameCount {
    /// The count, at most 10,000.
    pub count: i32,
    /// Whether the count is exact. If false, there are more games than `count`.
    pub is_exact: bool,
}

impl From<(i64, bool)> for GameCount {
    fn from((count, is_exact): (i64, bool)) -> GameCount {
        GameCount { count: int(count), is_exact }
    }
}

/// The result of a move.
#[derive(Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Played {
    /// The game's version after the move.
    pub version: i32,
    /// The events of the move, which everyone at the table sees.
    pub events: Vec<Event>,
    /// Whether the request had been executed before, so that it changed nothing now.
    pub repeated: bool,
    /// The current game.
    pub game: Game,
}

/// A decision that waits for you: the game, and your legal moves.
#[derive(Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Decision {
    /// The game.
    #[serde(flatten)]
    pub game: Game,
    /// Your legal moves.
    pub legal_moves: LegalMoves,
}

/// The legal moves of your seat.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LegalMoves {
    /// The moves, in a stable order. Empty while the game does not wait for you.
    pub items: Vec<LegalMove>,
    /// Whether the list is complete. If false, raise `limit`, or build the move with `continuations`.
    pub complete: bool,
    /// The version of the game that the moves belong to.
    pub version: i32,
}

/// A move that you may make.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LegalMove {
    /// The move in notation. Send it back to make the move.
    pub notation: String,
    /// The move in words.
    pub text: String,
    /// The move as an object.
    #[graphql(name = "move")]
    #[serde(rename = "move")]
    pub mv: Move,
}

/// Whether a move is legal now, and if not, why.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Explanation {
    /// Whether the move is legal.
    pub legal: bool,
    /// The error code of the refusal; null if the move is legal.
    #[schema(value_type = Option<Code>)]
    pub code: Option<String>,
    /// The id of the rule that the move breaks.
    pub rule: Option<String>,
    /// The reason, as a sentence.
    pub text: Option<String>,
    /// The index of the token in the notation that breaks the rule, from 0; null if no single token does.
    pub token: Option<i32>,
}

impl From<games::Explanation> for Explanation {
    fn from(explanation: games::Explanation) -> Explanation {
        let refusal = match explanation {
            games::Explanation::Legal => None,
            games::Explanation::Refused(refusal) => Some(Error::from(refusal)),
        };
        let illegal = refusal.as_ref().and_then(Error::illegal);
        Explanation {
            legal: refusal.is_none(),
            code: refusal.as_ref().map(|error| error.code().to_string()),
            rule: illegal.map(|illegal| illegal.rule.to_string()),
            text: illegal.map(|illegal| illegal.text.to_string()),
            token: illegal.and_then(|illegal| illegal.token).map(int),
        }
    }
}

/// The tokens that may follow those of an incomplete move.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Continuations {
    /// The tokens that may come next.
    pub next: Vec<Continuation>,
    /// Whether the tokens so far already form a legal move.
    pub is_move: bool,
}

/// A token that may come next.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Continuation {
    /// The token itself. Add it to the tokens so far.
    pub token: String,
    /// The meaning of the token, in words.
    pub text: String,
    /// The kind of thing that the token names.
    #[graphql(name = "type")]
    #[serde(rename = "type")]
    pub token_type: ContinuationType,
}

/// The kind of thing that a token of a move names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Enum, Serialize, ToSchema)]
#[graphql(remote = "domain::TokenType")]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum ContinuationType {
    /// A card or another piece, such as a die or a tourist.
    Card,
    /// A place on the board or at the table, such as a pocket or a well.
    Place,
    /// An action, such as `pass`.
    Verb,
    /// A number, such as a position in a row of cards.
    Number,
}

impl From<(Vec<domain::Continuation>, bool)> for Continuations {
    fn from((next, is_move): (Vec<domain::Continuation>, bool)) -> Continuations {
        let next = next.into_iter().map(|domain::Continuation { token, text, token_type }| Continuation {
            token,
            text,
            token_type: token_type.into(),
        });
        Continuations { next: next.collect(), is_move }
    }
}

impl From<Snapshot> for Game {
    fn from(snapshot: Snapshot) -> Game {
        let snapshot = Arc::new(snapshot);
        let table = &snapshot.table;
        let game = table.game();
        let said = snapshot.metadata.as_ref();
        let is_open = game.status == model::Status::Open;
        let is_running = game.status == model::Status::Running;
        Game {
            id: ID(game.id.to_string()),
            kind: game.kind.into(),
            rules_version: int(game.rules_version),
            options: Deferred::new(&snapshot, options_of),
            components_hash: Deferred::new(&snapshot, |game| Ok(game.table.options()?.components_hash())),
            status: game.status.into(),
            visibility: game.visibility.into(),
            join_code: game.join_code.clone().filter(|_| is_open),
            version: game.version.0,
            ply: int(game.ply),
            seats: Deferred::new(&snapshot, seats_of),
            stand_in_level: game.bots.stand_in.map(|level| level.number().into()),
            bot_pause_ms: int(game.bots.pause.as_millis()),
            my_seat: table.seat().map(seat),
            to_act: if is_running { seats(game.to_act) } else { Vec::new() },
            my_decision: table.own_decision().map(|version| version.0),
            view: Deferred::new(&snapshot, |game| {
                let Some(position) = game.table.position()? else { return Ok(None) };
                Ok(Some(position.view(game.table.viewer()?).into()))
            }),
            outcome: Deferred::new(&snapshot, |game| {
                Ok(game.table.position()?.and_then(AnyGame::outcome).map(Outcome::from))
            }),
            commitment: Deferred::new(&snapshot, |game| {
                let game = game.table.game();
                Ok(game.seed.commitment(&game.id.to_string()).to_string())
            }),
            seed: table.is_over().then(|| game.seed.to_hex()),
            origin: game.origin.map(Origin::from),
            created_at: game.created_at.into(),
            expires_at: game.expires_at.filter(|_| is_open).map(Time::from),
            started_at: game.started_at.map(Time::from),
            ended_at: game.ended_at.map(Time::from),
            rematch_of: game.rematch_of.map(|id| ID(id.to_string())),
            rematch: snapshot.rematch.map(|id| ID(id.to_string())),
            external_id: said.and_then(|said| said.external_id.clone()),
            metadata: said.and_then(|said| serde_json::from_str(said.json.as_deref()?).ok()),
            snapshot: Arc::clone(&snapshot),
        }
    }
}

fn options_of(snapshot: &Snapshot) -> Result<Options> {
    let options = Options::from(snapshot.table.options()?.clone());
    Ok(if snapshot.is_brief { options.brief() } else { options })
}

fn seats_of(snapshot: &Snapshot) -> Result<Vec<SeatAtTable>> {
    let table = &snapshot.table;
    let resigned = table.position()?.map(AnyGame::resigned).unwrap_or_default();
    let at_seat = |number: Seat| {
        let sitter = table.game().sitter(number);
        let player = sitter.and_then(|sitter| snapshot.players.iter().find(|player| player.id == sitter.player));
        SeatAtTable {
            seat: seat(number),
            player: player.cloned().map(|player| Player::shown(player, table.is_owner())),
            bot: table.game().bot_at(number).map(SeatBot::from),
            resigned: resigned.contains(&number),
            client_seed: table.client_seed(number),
        }
    };
    Ok(Seat::all(table.game().seats()).map(at_seat).collect())
}

impl From<Page> for GamePage {
    fn from(Page { games, has_more }: Page) -> GamePage {
        let items: Vec<Game> = games.into_iter().map(Game::from).collect();
        GamePage { end_cursor: items.last().map(|game| game.id.to_string()), items, has_more }
    }
}

impl From<games::Played> for Played {
    fn from(games::Played { version, events, repeated, game }: games::Played) -> Played {
        let events = events.iter().cloned().map(Event::from).collect();
        Played { version: version.0, events, repeated, game: game.into() }
    }
}

impl LegalMoves {
    pub fn of(table: &Table, (moves, complete): (Vec<domain::Listed>, bool)) -> LegalMoves {
        let items =
            moves.into_iter().map(|domain::Listed { mv, notation, text }| LegalMove { notation, text, mv: mv.into() });
        LegalMoves { items: items.collect(), complete, version: table.game().version.0 }
    }
}
