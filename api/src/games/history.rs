//! The past of a game: replays its log up to a ply.

use domain::{Act, AnyGame, AnyMove, Kind, RuleId, Seat, Viewer};

use super::create::no_such_seat;
use super::draw::names;
use super::table::{Table, check_rules};
use crate::error::{Error, Result};
use crate::limits::Cost;
use crate::model::{Caller, EntryKind, Game, PlayedEntry, Position, Sitting, Status, Version};
use crate::service::Maidan;
use crate::store::Store;

/// A position after some ply, and the caller's viewer for it.
pub struct Moment {
    pub position: AnyGame,
    pub viewer: Viewer,
    /// The seat that looks: the one that was asked for, or the caller's own. `None` for others.
    pub seat: Option<Seat>,
    /// The players' names, by seat.
    pub names: Vec<Option<String>>,
}

/// The game as it is, seen as [`at`] allows.
pub async fn now(maidan: &Maidan, caller: &Caller, table: &Table, seat: Option<i32>) -> Result<Moment> {
    table.started_once()?;
    at(maidan, caller, table, i32::try_from(table.game().ply).unwrap_or(i32::MAX), seat).await
}

/// The game after a ply. During the game, as the caller could see it then; after the game, with everything open or, if
/// `seat` is given, as that seat saw it.
pub async fn at(maidan: &Maidan, caller: &Caller, table: &Table, ply: i32, seat: Option<i32>) -> Result<Moment> {
    let now = table.started_once()?;
    let (game, last) = (table.game(), table.game().ply);
    let ply = u32::try_from(ply)
        .ok()
        .filter(|ply| *ply <= last)
        .ok_or_else(|| Error::InvalidInput(format!("ply must be 0 to {last}, not {ply}.")))?;
    let seat = seat.map(|number| {
        let seat = Seat::numbered(number.into()).filter(|seat| seat.number() < game.seats());
        seat.ok_or_else(|| no_such_seat(game.seats(), number))
    });
    let seat = seat.transpose()?;
    let viewer = match (now.over(), seat) {
        (Some(_), Some(seat)) => Viewer::Seat(seat),
        (None, Some(seat)) if table.seat() != Some(seat) => {
            return Err(Error::Forbidden("Another seat's view is available only after the game is over."));
        }
        // Remembering is part of this game: past views are not shown again.
        (None, _) if ply < last && !now.may_look_back() => Viewer::Spectator,
        _ => table.viewer()?,
    };
    let position = match ply == last {
        true => now.clone(),
        false => {
            maidan.rates.charge(caller, Cost::Replay)?;
            after(&maidan.store, game, ply).await?
        }
    };
    Ok(Moment { position, viewer, seat: seat.or(table.seat()), names: names(maidan, table).await? })
}

/// The position after a ply, replayed from the beginning.
pub async fn after(store: &Store, game: &Game, ply: u32) -> Result<AnyGame> {
    replay(store, game, ply).await?.map_err(|broken| {
        tracing::error!(game = %game.id, %broken, "failed to replay a stored game");
        Error::Internal
    })
}

/// The sitting of a game that was just read. A saved position that is damaged, or in an unknown format, is replayed from
/// the log and written back.
pub async fn restore(store: &Store, game: Game) -> Result<Sitting> {
    let is_readable = |position: &Position| position.is_readable(&game);
    if !game.has_known_rules() || game.position.as_ref().is_none_or(is_readable) {
        return Ok(Sitting::new(game));
    }
    tracing::warn!(game = %game.id, version = %game.version, "a saved position is unreadable; replaying the log");
    metrics::counter!("maidan_positions_total", "source" => "replayed").increment(1);
    let position = after(store, &game, game.ply).await?;
    let game = Game { position: Some(Position::Saved(position.save().into())), ..game };
    if let Err(error) = store.write_back(&game).await {
        tracing::warn!(game = %game.id, %error, "failed to write a replayed position back");
    }
    Ok(Sitting::with_position(game, position))
}

/// Why a log cannot be replayed. Does not contain the move, which may be secret.
#[derive(Debug, thiserror::Error)]
pub enum BrokenLog {
    #[error("entry {version} is not a readable move")]
    Unreadable { version: Version },
    #[error("entry {version} breaks rule {rule}")]
    Refused { version: Version, rule: RuleId },
}

/// Replays a log up to a ply, or returns the first entry that cannot be replayed.
pub async fn replay(store: &Store, game: &Game, ply: u32) -> Result<std::result::Result<AnyGame, BrokenLog>> {
    check_rules(game)?;
    let played = store.played_entries(game.id, ply, game.version).await?;
    let (kind, entropy) = (game.kind, game.entropy());
    let mut position = Box::pin(beginning(store, game)).await?;
    // A long game takes a while: it must not block other requests.
    let replayed = tokio::task::spawn_blocking(move || {
        for entry in &played {
            let version = entry.version;
            let act = act_of(kind, entry).ok_or(BrokenLog::Unreadable { version })?;
            let done = position.retrace(entry.seat, &act, &entropy);
            done.map_err(|refusal| BrokenLog::Refused { version, rule: refusal.illegal().rule })?;
        }
        Ok(position)
    });
    replayed.await.map_err(|_| Error::Internal)
}

/// The initial position of a game: its deal, or the branched position of its parent.
pub async fn beginning(store: &Store, game: &Game) -> Result<AnyGame> {
    check_rules(game)?;
    let entropy = game.entropy();
    if let Some(origin) = &game.origin {
        let parent = store.game(origin.game).await?.ok_or(Error::Internal)?;
        return Ok(after(store, &parent, origin.ply).await?.branch(&entropy)?.with_bots(game.bots()));
    }
    let dealt = AnyGame::start(&game.options()?, game.seats(), game.rules_version, &entropy);
    dealt.map(|position| position.with_bots(game.bots())).map_err(|illegal| Error::InvalidInput(illegal.to_string()))
}

/// An entry in the terms of the rules.
pub fn act_of(kind: Kind, entry: &PlayedEntry) -> Option<Act<AnyMove>> {
    let mv = || kind.read_move(entry.notation.as_deref().unwrap_or_default()).ok();
    Some(match (entry.kind, entry.bot) {
        (EntryKind::Resigned, _) => Act::Resigned,
        (_, Some(bot)) => Act::Bot(mv()?, bot),
        (_, None) if entry.is_auto => Act::Auto(mv()?),
        (_, None) => Act::Moved(mv()?),
    })
}

impl Table {
    /// The position of a game that has started, even if it was cancelled later.
    fn started_once(&self) -> Result<&AnyGame> {
        check_rules(self.game())?;
        match (self.position()?, self.game().status) {
            (Some(position), _) => Ok(position),
            (None, Status::Cancelled) => Err(Error::Conflict("The game was cancelled before it started.".into())),
            (None, _) => self.started(),
        }
    }
}
