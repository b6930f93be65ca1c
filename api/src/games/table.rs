//! A game taken from the store and set up for one caller.

use std::sync::Arc;

use domain::{Act, AnyGame, AnyOptions, AnyStep, Entropy, Kind, Seat, Seed, Viewer};
use serde_json::to_value;
use serde_json::value::to_raw_value;
use sqlx::types::Json;

use super::access::{NO_SUCH_GAME, Relation, relation};
use super::sitting::Sitting;
use crate::app::Maidan;
use crate::auth::Caller;
use crate::error::{Error, Result};
use crate::ids::{GameId, PlayerId};
use crate::store::{At, Change, Entry, IdempotencyKey, NewEntry, Seating, Status, StoredGame, What};

/// A stored game with its rules in hand, as one caller stands to it.
pub struct Table {
    pub stored: Arc<StoredGame>,
    pub kind: Kind,
    pub relation: Relation,
    /// `None` until the game starts.
    pub game: Option<Arc<AnyGame>>,
    /// The end of the log, if it is at hand.
    pub latest: Option<Arc<[Entry]>>,
}

impl Table {
    /// The table of that id as it stands now, if the caller may see it.
    pub async fn find(maidan: &Maidan, caller: &Caller, id: GameId) -> Result<Table> {
        let sitting = now(maidan, id).await?.ok_or(NO_SUCH_GAME)?;
        Table::at(maidan, caller, sitting)
    }

    /// A stored game as this caller stands to it.
    pub async fn seen_by(maidan: &Maidan, caller: &Caller, stored: impl Into<Arc<StoredGame>>) -> Result<Table> {
        Table::at(maidan, caller, Sitting::of(maidan, stored).await?)
    }

    /// Several at once.
    pub async fn all_seen_by(maidan: &Maidan, caller: &Caller, stored: Vec<StoredGame>) -> Result<Vec<Table>> {
        let mut tables = Vec::with_capacity(stored.len());
        for stored in stored {
            tables.push(Table::seen_by(maidan, caller, stored).await?);
        }
        Ok(tables)
    }

    pub async fn of(maidan: &Maidan, stored: impl Into<Arc<StoredGame>>, relation: Relation) -> Result<Table> {
        let Sitting { stored, kind, game, latest } = Sitting::of(maidan, stored).await?;
        Ok(Table { stored, kind, relation, game, latest })
    }

    /// A sitting as this caller stands to it.
    pub fn at(maidan: &Maidan, caller: &Caller, sitting: Sitting) -> Result<Table> {
        let relation = relation(maidan, caller, &sitting.stored)?;
        let Sitting { stored, kind, game, latest } = sitting;
        Ok(Table { stored, kind, relation, game, latest })
    }

    /// The sitting without its caller.
    pub fn sitting(&self) -> Sitting {
        let Table { stored, kind, relation: _, game, latest } = self;
        Sitting { stored: Arc::clone(stored), kind: *kind, game: game.clone(), latest: latest.clone() }
    }

    /// The caller's seat.
    pub fn seat(&self) -> Option<Seat> {
        match self.relation {
            Relation::Seated(seat) => Some(seat),
            Relation::Watching | Relation::Owner => None,
        }
    }

    /// The caller's seat, where only the seated will do.
    pub fn own_seat(&self) -> Result<Seat> {
        self.seat().ok_or(Error::Forbidden("You do not sit at this table."))
    }

    /// The game, where one must have started.
    pub fn started(&self) -> Result<&AnyGame> {
        self.mind_rules()?;
        match &self.game {
            Some(game) if self.stored.status != Status::Cancelled => Ok(game),
            _ if self.stored.status == Status::Cancelled => Err(Error::Conflict("The game was cancelled.".into())),
            _ => Err(Error::Conflict("The game has not started: it waits for players.".into())),
        }
    }

    /// Refuses a game that is played by rules which this build does not have.
    pub fn mind_rules(&self) -> Result<()> {
        mind_rules(&self.stored, self.kind)
    }

    /// Whose eyes the caller looks with. All is open once the stored game is over.
    pub fn viewer(&self) -> Viewer {
        match (self.game.as_deref().and_then(AnyGame::over), self.relation) {
            (Some(over), _) => Viewer::Open(over),
            (None, Relation::Seated(seat)) => Viewer::Seat(seat),
            (None, Relation::Watching | Relation::Owner) => Viewer::Spectator,
        }
    }

    pub fn is_over(&self) -> bool {
        self.game.as_ref().is_some_and(|game| game.over().is_some())
    }

    pub fn options(&self) -> Result<AnyOptions> {
        self.kind.load_options(self.stored.options.0.clone()).or_else(|error| {
            self.mind_rules()?;
            Err(error.into())
        })
    }

    /// The version at which the seat's present decision opened.
    pub fn decision_version(&self, seat: Seat) -> Option<i32> {
        self.stored.decisions.get(seat.index()).copied().flatten()
    }

    /// All entries after a version, if they are at hand.
    pub fn latest_after(&self, version: i32) -> Option<Vec<Entry>> {
        let latest = self.latest.as_ref()?;
        (latest.first()?.version == version + 1).then(|| latest.to_vec())
    }

    pub fn players(&self) -> impl Iterator<Item = PlayerId> {
        self.stored.seating.iter().flatten().map(|sitter| sitter.player)
    }

    /// The change that these steps make to the stored game.
    pub fn after_steps(&self, game: &AnyGame, steps: &[AnyStep], key: Option<IdempotencyKey>) -> Result<Change> {
        let mut key = key;
        let entries: Vec<NewEntry> = steps.iter().map(|step| self.entry_of(step, key.take())).collect::<Result<_>>()?;
        let version = self.stored.version + entries.len() as i32;
        let now = At::now();
        let acted = |seat: Seat| steps.iter().any(|step| step.seat == seat);
        let decisions = Seat::all(game.seats()).map(|seat| match self.decision_version(seat) {
            _ if !game.to_act().contains(seat) => None,
            Some(opened) if !acted(seat) => Some(opened),
            _ => Some(version),
        });
        let decisions = Json(decisions.collect());
        let outcome = game.outcome().map(to_value).transpose()?;
        let stored = StoredGame {
            version,
            ply: game.ply() as i32,
            status: if outcome.is_some() { Status::Over } else { Status::Running },
            position: Some(game.save()),
            to_act: seat_bits(game),
            decisions,
            ended_at: outcome.is_some().then_some(now),
            ..StoredGame::clone(&self.stored)
        };
        Ok(Change {
            game: Arc::new(stored),
            from_version: self.stored.version,
            outcome,
            seating: Seating::Unchanged,
            entries,
            at: now,
        })
    }

    fn entry_of(&self, step: &AnyStep, key: Option<IdempotencyKey>) -> Result<NewEntry> {
        let seat = step.seat;
        let player = self.stored.sitter(seat).map(|sitter| sitter.player);
        let (what, mv, is_auto) = match &step.act {
            Act::Moved(mv) => (What::Moved, Some(mv), false),
            Act::Auto(mv) => (What::Moved, Some(mv), true),
            Act::Resigned => (What::Resigned, None, false),
        };
        Ok(NewEntry {
            ply: step.ply as i32,
            notation: mv.map(ToString::to_string),
            is_auto,
            is_secret: mv.is_some_and(|mv| !mv.is_open()),
            events: to_raw_value(&step.events)?,
            key,
            ..NewEntry::about(what, Some(seat.number().into()), player)
        })
    }
}

/// A game as the store has it now: from the shelf if its version still stands.
async fn now(maidan: &Maidan, id: GameId) -> Result<Option<Sitting>> {
    let seen = maidan.sittings.get(&id);
    let found = match &seen {
        None => "new",
        Some(seen) if maidan.store.version(id).await? == Some(seen.stored.version) => "unchanged",
        Some(_) => "changed",
    };
    metrics::counter!("maidan_looks_total", "found" => found).increment(1);
    if found == "unchanged" {
        return Ok(seen);
    }
    let Some(stored) = maidan.store.game(id).await? else {
        maidan.sittings.remove(&id);
        return Ok(None);
    };
    let sitting = Sitting::of(maidan, stored).await?;
    maidan.sittings.put(id, sitting.clone());
    Ok(Some(sitting))
}

pub fn kind_of(stored: &StoredGame) -> Result<Kind> {
    stored.kind.parse().map_err(|_| {
        tracing::error!(kind = stored.kind, "a stored game is of a kind that this build does not know");
        Error::Internal
    })
}

pub fn mind_rules(stored: &StoredGame, kind: Kind) -> Result<()> {
    let (played, known) = (stored.rules_version, kind.rules_version());
    if u32::try_from(played) == Ok(known) {
        return Ok(());
    }
    Err(Error::UnknownRules(format!(
        "This game is played by version {played} of the rules of {kind}; this server has version {known}."
    )))
}

pub fn seed_of(stored: &StoredGame) -> Result<Seed> {
    let bytes: [u8; 32] = stored.seed.as_slice().try_into().map_err(|_| Error::Internal)?;
    Ok(Seed::new(bytes))
}

/// The source of a game's chance: the one place where its seeds come together. All seats are taken by then.
pub fn entropy_of(stored: &StoredGame) -> Result<Entropy> {
    let added = stored.seating.iter().flatten().map(|sitter| sitter.client_seed.as_deref().unwrap_or_default());
    Ok(Entropy::new(seed_of(stored)?, added.map(str::as_bytes)))
}

/// The seats to act as the store keeps them.
pub fn seat_bits(game: &AnyGame) -> i16 {
    game.to_act().iter().map(|seat| 1 << seat.number()).sum()
}
