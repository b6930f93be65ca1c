//! A game on the wire, as one caller sees it.

use std::sync::Arc;

use async_graphql::{Enum, ID, SimpleObject};
use domain::{AnyGame, Seat};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::deferred::Deferred;
use super::{Details, Event, Kind, Move, Options, Player, Time, View, int, seat, seats};
use crate::error::{Error, Result};
use crate::games::{self, Page, Snapshot, Table};
use crate::model;

/// Where a game stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Enum, Serialize, Deserialize, ToSchema)]
#[graphql(remote = "model::Status")]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum GameStatus {
    /// It waits for players.
    Open,
    /// It is being played.
    Running,
    /// It has come to its end.
    Over,
    /// It was called off.
    Cancelled,
}

/// Who may find a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Enum, Serialize, Deserialize, ToSchema)]
#[graphql(remote = "model::Visibility")]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Visibility {
    /// Any player of the app may find, watch and join it.
    #[default]
    Public,
    /// Only the seated and the app see it; its join code lets others in.
    Private,
}

/// What a game that is over came to for one of its players.
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

/// A game as you may see it.
#[derive(Clone, SimpleObject, Serialize, ToSchema)]
#[graphql(complex)]
#[serde(rename_all = "camelCase")]
pub struct Game {
    /// The game's id: game_…
    #[schema(value_type = String)]
    pub id: ID,
    /// Which game it is.
    pub kind: Kind,
    /// The version of the rules by which it is played, from its first move to its last.
    pub rules_version: i32,
    /// How it is set up. Options that its version of the rules lacks are null.
    #[schema(value_type = Options)]
    pub options: Deferred<Options>,
    /// Where it stands.
    pub status: GameStatus,
    /// Who may find it.
    pub visibility: Visibility,
    /// Lets a player into a private game. Shown to those who see the game while it waits for players.
    pub join_code: Option<String>,
    /// Counts the entries of the log: whenever anything changes, this rises.
    pub version: i32,
    /// How many moves have been made.
    pub ply: i32,
    /// The table, seat by seat.
    #[schema(value_type = Vec<SeatAtTable>)]
    pub seats: Deferred<Vec<SeatAtTable>>,
    /// Your own seat; null if you watch.
    pub my_seat: Option<i32>,
    /// The seats whose decision the game waits for.
    pub to_act: Vec<i32>,
    /// The version at which your present decision opened; null if the game does not wait for you. Send it, or any
    /// later version, as expectedVersion.
    pub my_decision: Option<i32>,
    /// What you may know; null until the game starts, and if this server does not have its rules version. When the game is over, all is open to everybody.
    #[schema(value_type = Option<View>)]
    pub view: Deferred<Option<View>>,
    /// How it ended; null until it is over.
    #[schema(value_type = Option<Outcome>)]
    pub outcome: Deferred<Option<Outcome>>,
    /// SHA-256("maidan/seed", id, seed): fixes all chance before anybody joins.
    #[schema(value_type = String)]
    pub commitment: Deferred<String>,
    /// The seed of all chance, once the game is over.
    pub seed: Option<String>,
    /// For a practice game: where it began. It counts in no statistics.
    pub origin: Option<Origin>,
    /// When it was opened.
    pub created_at: Time,
    /// When it is called off if seats are still open.
    pub expires_at: Option<Time>,
    /// When it began.
    pub started_at: Option<Time>,
    /// When it ended or was called off.
    pub ended_at: Option<Time>,
    /// The game of which this one is the rematch, by id.
    #[schema(value_type = Option<String>)]
    pub rematch_of: Option<ID>,
    /// The rematch of this game, by id, once somebody has asked for one. Ask for it, too, to come in.
    #[schema(value_type = Option<String>)]
    pub rematch: Option<ID>,
    #[graphql(skip)]
    #[serde(skip)]
    #[schema(ignore)]
    pub snapshot: Arc<Snapshot>,
}

/// Where a practice game began.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Origin {
    /// The game that it branched off.
    #[schema(value_type = String)]
    pub game_id: ID,
    /// After which ply of it. The practice game's own plies count from 0.
    pub ply: i32,
}

impl From<model::Origin> for Origin {
    fn from(model::Origin { game, ply, depth: _ }: model::Origin) -> Origin {
        Origin { game_id: ID(game.to_string()), ply: int(ply) }
    }
}

/// A seat of a table.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SeatAtTable {
    /// Its number, clockwise from 0.
    pub seat: i32,
    /// Who sits there; null while it is open.
    pub player: Option<Player>,
    /// Whether the player has given up.
    pub resigned: bool,
    /// What the player added to the game's chance: yours at once, the others' when the game has started.
    pub client_seed: Option<String>,
}

/// How a game ended.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Outcome {
    /// The id of the rule that ended it, or RESIGNATION, or PLY_LIMIT.
    pub ending: String,
    /// The seats that won; none for a draw.
    pub winners: Vec<i32>,
    /// For each seat its place, 1 the best; equals share one.
    pub places: Vec<i32>,
    /// How it was scored.
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
#[derive(Clone, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GamePage {
    /// The games.
    pub items: Vec<Game>,
    /// Where this page ends: pass it as `after` for the next.
    pub end_cursor: Option<String>,
    /// Whether more games follow.
    pub has_more: bool,
}

/// How many games there are.
#[derive(Clone, Copy, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GameCount {
    /// The count, 10,000 at the most.
    pub count: i32,
    /// Whether these are all. If not, there are more than were counted.
    pub is_exact: bool,
}

impl From<(i64, bool)> for GameCount {
    fn from((count, is_exact): (i64, bool)) -> GameCount {
        GameCount { count: int(count), is_exact }
    }
}

/// What came of a move.
#[derive(Clone, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Played {
    /// The version that the move reached.
    pub version: i32,
    /// What everybody saw happen.
    pub events: Vec<Event>,
    /// Whether this answers a request that had been carried out before, by its idempotency key.
    pub repeated: bool,
    /// The game as it is now.
    pub game: Game,
}

/// The legal moves of your seat.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LegalMoves {
    /// The moves, in a stable order. Empty while the game does not wait for you.
    pub items: Vec<LegalMove>,
    /// Whether these are all. If not, ask for more, or build the move by `continuations`.
    pub complete: bool,
    /// The game's version that they belong to.
    pub version: i32,
}

/// A move that you may make.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LegalMove {
    /// The move in notation: send this text back to play it.
    pub notation: String,
    /// The move in words.
    pub text: String,
    /// The move in structure.
    #[graphql(name = "move")]
    #[serde(rename = "move")]
    pub mv: Move,
}

/// Whether a move may be made now, and if not, why.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Explanation {
    /// Whether it may be made.
    pub legal: bool,
    /// The code with which it would be refused.
    pub code: Option<String>,
    /// The id of the rule that it breaks.
    pub rule: Option<String>,
    /// The reason, in a sentence.
    pub text: Option<String>,
    /// Which token of the notation breaks the rule, counted from 0, where one does.
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

/// What may follow the tokens of a move that is being built.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Continuations {
    /// The tokens that may come next.
    pub next: Vec<String>,
    /// Whether the tokens so far are a legal move as they stand.
    pub is_move: bool,
}

impl From<domain::Continuations> for Continuations {
    fn from(domain::Continuations { next, is_move }: domain::Continuations) -> Continuations {
        Continuations { next, is_move }
    }
}

impl From<Snapshot> for Game {
    fn from(snapshot: Snapshot) -> Game {
        let snapshot = Arc::new(snapshot);
        let table = &snapshot.table;
        let game = table.game();
        let is_open = game.status == model::Status::Open;
        let is_running = game.status == model::Status::Running;
        Game {
            id: ID(game.id.to_string()),
            kind: game.kind.into(),
            rules_version: int(game.rules_version),
            options: Deferred::new(&snapshot, |game| game.table.options().cloned().map(Options::from)),
            status: game.status.into(),
            visibility: game.visibility.into(),
            join_code: game.join_code.clone().filter(|_| is_open),
            version: game.version.0,
            ply: int(game.ply),
            seats: Deferred::new(&snapshot, seats_of),
            my_seat: table.seat().map(seat),
            to_act: if is_running { seats(game.to_act) } else { Vec::new() },
            my_decision: table.seat().and_then(|seat| table.decision_version(seat)).map(|version| version.0),
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
            snapshot: Arc::clone(&snapshot),
        }
    }
}

fn seats_of(snapshot: &Snapshot) -> Result<Vec<SeatAtTable>> {
    let table = &snapshot.table;
    let resigned = table.position()?.map(AnyGame::resigned).unwrap_or_default();
    let at_seat = |(number, sitter): (Seat, &Option<model::Sitter>)| {
        let sitter = sitter.as_ref();
        let player = sitter.and_then(|sitter| snapshot.players.iter().find(|player| player.id == sitter.player));
        SeatAtTable {
            seat: seat(number),
            player: player.cloned().map(Player::from),
            resigned: resigned.contains(&number),
            client_seed: table.client_seed(number),
        }
    };
    Ok(table.game().seating.iter().map(at_seat).collect())
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
