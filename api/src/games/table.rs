//! A game as one caller may see it.

use std::sync::Arc;

use domain::{Act, AnyGame, AnyStep, BySeat, Seat, Viewer};
use serde_json::to_value;

use super::access::{NO_SUCH_GAME, Relation, relation};
use super::history::restore;
use crate::error::{Error, Result};
use crate::ids::GameId;
use crate::model::{
    Caller, Change, EntryKind, Game, IdempotencyKey, NewEntry, Position, SeatChange, Sitting, Status, Tag, Version,
};
use crate::service::Maidan;

/// A game, and the caller's relation to it.
pub struct Table {
    pub sitting: Sitting,
    pub relation: Relation,
}

impl Table {
    /// The current state of a game, if the caller may see it.
    pub async fn find(maidan: &Maidan, caller: &Caller, id: GameId) -> Result<Table> {
        let sitting = current(maidan, id).await?.ok_or(NO_SUCH_GAME)?;
        Table::seen_by(maidan, caller, sitting)
    }

    /// A game just read from the store, if the caller may see it.
    pub async fn load(maidan: &Maidan, caller: &Caller, game: Game) -> Result<Table> {
        Table::seen_by(maidan, caller, restore(&maidan.store, game).await?)
    }

    /// Like `load`, for several games.
    pub async fn load_all(maidan: &Maidan, caller: &Caller, games: Vec<Game>) -> Result<Vec<Table>> {
        let mut tables = Vec::with_capacity(games.len());
        for game in games {
            tables.push(Table::load(maidan, caller, game).await?);
        }
        Ok(tables)
    }

    /// A sitting, if the caller may see it.
    pub fn seen_by(maidan: &Maidan, caller: &Caller, sitting: Sitting) -> Result<Table> {
        let relation = relation(maidan, caller, &sitting.game)?;
        Ok(Table { sitting, relation })
    }

    pub fn game(&self) -> &Game {
        &self.sitting.game
    }

    /// The position. `None` before the start, and if this build does not have the game's rules version.
    pub fn position(&self) -> Result<Option<&AnyGame>> {
        self.sitting.position()
    }

    /// The caller's seat.
    pub fn seat(&self) -> Option<Seat> {
        match self.relation {
            Relation::Seated(seat) => Some(seat),
            Relation::Watching | Relation::Owner => None,
        }
    }

    /// The caller's seat; an error if it has none.
    pub fn own_seat(&self) -> Result<Seat> {
        self.seat().ok_or(Error::Forbidden("You do not sit at this table."))
    }

    /// The position; an error if the game has not started or was cancelled.
    pub fn started(&self) -> Result<&AnyGame> {
        check_rules(self.game())?;
        match (self.game().status, self.position()?) {
            (Status::Cancelled, _) => Err(Error::Conflict("The game was cancelled.".into())),
            (_, Some(position)) => Ok(position),
            (_, None) => Err(Error::Conflict("The game has not started: it is waiting for players.".into())),
        }
    }

    /// The caller's viewer. Everything is open once the stored game is over.
    pub fn viewer(&self) -> Result<Viewer> {
        Ok(match (self.position()?.and_then(AnyGame::over), self.relation) {
            (Some(over), _) => Viewer::Open(over),
            (None, Relation::Seated(seat)) => Viewer::Seat(seat),
            (None, Relation::Watching | Relation::Owner) => Viewer::Spectator,
        })
    }

    /// Whether the caller is the game's app.
    pub fn is_owner(&self) -> bool {
        self.relation == Relation::Owner
    }

    pub fn is_over(&self) -> bool {
        self.game().status == Status::Over
    }

    /// The version at which the caller's current decision opened. `None` if a bot decides for its seat.
    pub fn own_decision(&self) -> Option<Version> {
        let seat = self.seat().filter(|seat| !self.game().bot_seats.contains(*seat))?;
        self.decision_version(seat)
    }

    /// The version at which the seat's current decision opened.
    pub fn decision_version(&self, seat: Seat) -> Option<Version> {
        self.game().decisions.get(seat).copied().flatten()
    }

    /// The change that these steps make, and the game after it.
    pub fn after_steps(
        &self,
        position: AnyGame,
        steps: Vec<AnyStep>,
        key: Option<IdempotencyKey>,
    ) -> Result<(Change, Sitting)> {
        let before = self.game();
        let version = before.version.plus(steps.len());
        let now = before.now();
        let acted = |seat: Seat| steps.iter().any(|step| step.seat == seat);
        let decisions = BySeat::each(position.seats(), |seat| match self.decision_version(seat) {
            _ if !position.to_act().contains(seat) => None,
            Some(opened) if !acted(seat) => Some(opened),
            _ => Some(version),
        });
        let outcome = position.outcome().map(to_value).transpose()?;
        let game = Arc::new(Game {
            version,
            tag: Tag::fresh(),
            changed_at: now,
            ply: position.ply(),
            status: if outcome.is_some() { Status::Over } else { Status::Running },
            position: Some(Position::Saved(position.save().into())),
            to_act: position.to_act(),
            bot_seats: position.bot_seats(),
            decisions,
            ended_at: outcome.is_some().then_some(now),
            ..before.clone()
        });
        let mut key = key;
        let entries = steps.into_iter().map(|step| self.entry_of(step, key.take())).collect();
        let change = Change {
            game: Arc::clone(&game),
            from: before.head(),
            outcome,
            seating: SeatChange::Unchanged,
            entries,
            key: None,
            at: now,
        };
        Ok((change, self.sitting.changed(game, position)))
    }

    fn entry_of(&self, step: AnyStep, key: Option<IdempotencyKey>) -> NewEntry {
        let player = self.game().sitter(step.seat).map(|sitter| sitter.player);
        let (kind, mv, bot, is_auto) = match &step.act {
            Act::Moved(mv) => (EntryKind::Moved, Some(mv), None, false),
            Act::Bot(mv, bot) => (EntryKind::Moved, Some(mv), Some(*bot), false),
            Act::Auto(mv) => (EntryKind::Moved, Some(mv), None, true),
            Act::Resigned => (EntryKind::Resigned, None, None, false),
        };
        NewEntry {
            ply: step.ply,
            notation: mv.map(ToString::to_string),
            bot,
            is_auto,
            is_secret: mv.is_some_and(|mv| !mv.is_open()),
            events: step.events.into(),
            key,
            ..NewEntry::about(kind, Some(step.seat), player)
        }
    }
}

/// The current state of a game: from the cache if the store confirms its version, else from the store.
pub(super) async fn current(maidan: &Maidan, id: GameId) -> Result<Option<Sitting>> {
    let cached = maidan.games.get(&id);
    let result = match &cached {
        None => "miss",
        Some(cached) if maidan.store.head(id).await? == Some(cached.game.head()) => "hit",
        Some(_) => "stale",
    };
    metrics::counter!("maidan_game_cache_total", "result" => result).increment(1);
    if result == "hit" {
        return Ok(cached);
    }
    let Some(game) = maidan.store.game(id).await? else {
        maidan.games.remove(&id);
        return Ok(None);
    };
    let sitting = restore(&maidan.store, game).await?;
    maidan.games.put(id, sitting.clone());
    Ok(Some(sitting))
}

/// Refuses a game whose rules version this build does not have.
pub fn check_rules(game: &Game) -> Result<()> {
    if game.has_known_rules() {
        return Ok(());
    }
    let (kind, played, newest) = (game.kind, game.rules_version, game.kind.rules_version());
    let known = match *kind.rules_versions().start() {
        oldest if oldest == newest => format!("version {newest}"),
        oldest => format!("versions {oldest} to {newest}"),
    };
    Err(Error::UnknownRules(format!(
        "This game uses version {played} of the rules of {kind}; this server has {known}."
    )))
}
