//! A game as it was: its log, played again up to a ply.

use domain::{Act, AnyGame, AnyMove, Kind, RuleId, Seat, Viewer};

use super::create::no_such_seat;
use super::table::{Table, entropy_of, mind_rules};
use crate::app::Maidan;
use crate::error::{Error, Result};
use crate::store::{Made, Status, Store, StoredGame, What};

/// A game after some ply, and whose eyes the caller sees it with.
pub struct Moment {
    pub game: AnyGame,
    pub viewer: Viewer,
}

/// The table as it was after a ply. While the game goes on, the caller sees what it could see then; once it is over,
/// everything, or what a seat saw.
pub async fn at(maidan: &Maidan, table: &Table, ply: i32, seat: Option<i32>) -> Result<Moment> {
    let now = table.started_once()?;
    if !(0..=table.stored.ply).contains(&ply) {
        let last = table.stored.ply;
        return Err(Error::InvalidInput(format!("The game has the plies 0 to {last}; there is no ply {ply}.")));
    }
    let seat = seat.map(|number| {
        let seat = Seat::numbered(number.into()).filter(|seat| i16::from(seat.number()) < table.stored.seats);
        seat.ok_or_else(|| no_such_seat(table.stored.seats as u8, number))
    });
    let seat = seat.transpose()?;
    let viewer = match (now.over(), seat) {
        (Some(_), Some(seat)) => Viewer::Seat(seat),
        (None, Some(seat)) if table.seat() != Some(seat) => {
            return Err(Error::Forbidden("What another seat saw is shown when the game is over."));
        }
        // What the rules leave a player to remember is not shown again.
        (None, _) if ply < table.stored.ply && !now.may_look_back() => Viewer::Spectator,
        _ => table.viewer(),
    };
    let game = if ply == table.stored.ply {
        now.clone()
    } else {
        after(&*maidan.store, &table.stored, table.kind, ply).await?
    };
    Ok(Moment { game, viewer })
}

/// The stored game after a ply, played again from its beginning.
pub async fn after(store: &dyn Store, stored: &StoredGame, kind: Kind, ply: i32) -> Result<AnyGame> {
    let played = replay(store, stored, kind, ply).await?;
    played.map_err(|astray| {
        tracing::error!(game = %stored.id, %astray, "a stored game cannot be played again");
        Error::Internal
    })
}

/// Where a log cannot be followed: what it says there may be a secret move.
#[derive(Debug, thiserror::Error)]
pub enum Astray {
    #[error("entry {version} is no move")]
    Unreadable { version: i32 },
    #[error("entry {version} is refused by {rule}")]
    Refused { version: i32, rule: RuleId },
}

/// Plays a log again, and says where it cannot be followed.
pub async fn replay(
    store: &dyn Store,
    stored: &StoredGame,
    kind: Kind,
    ply: i32,
) -> Result<std::result::Result<AnyGame, Astray>> {
    mind_rules(stored, kind)?;
    let made = store.made(stored.id, ply, stored.version).await?;
    let entropy = entropy_of(stored)?;
    let mut game = Box::pin(beginning(store, stored, kind)).await?;
    // A game can be long: others are served meanwhile.
    let played = actix_web::rt::task::spawn_blocking(move || {
        for made in &made {
            let version = made.version;
            let (seat, act) = act_of(kind, made).ok_or(Astray::Unreadable { version })?;
            let done = game.retrace(seat, &act, &entropy);
            done.map_err(|refusal| Astray::Refused { version, rule: refusal.illegal().rule })?;
        }
        Ok(game)
    });
    played.await.map_err(|_| Error::Internal)
}

/// The position in which a game begins: its deal, or what a branch found.
pub async fn beginning(store: &dyn Store, stored: &StoredGame, kind: Kind) -> Result<AnyGame> {
    mind_rules(stored, kind)?;
    let entropy = entropy_of(stored)?;
    if let Some(origin) = &stored.origin {
        let parent = store.game(origin.game).await?.ok_or(Error::Internal)?;
        return Ok(after(store, &parent, kind, origin.ply).await?.branch(&entropy)?);
    }
    let options = kind.load_options(stored.options.0.clone())?;
    AnyGame::start(&options, stored.seats as u8, &entropy).map_err(|illegal| Error::InvalidInput(illegal.to_string()))
}

/// What a seat did, as the rules know it.
pub fn act_of(kind: Kind, made: &Made) -> Option<(Seat, Act<AnyMove>)> {
    let seat = Seat::numbered(made.seat.into())?;
    let mv = || kind.read_move(made.notation.as_deref().unwrap_or_default()).ok();
    let act = match (made.what, made.is_auto) {
        (What::Resigned, _) => Act::Resigned,
        (_, true) => Act::Auto(mv()?),
        (_, false) => Act::Moved(mv()?),
    };
    Some((seat, act))
}

impl Table {
    /// The game, if it ever started; one that was cancelled since, too.
    fn started_once(&self) -> Result<&AnyGame> {
        self.mind_rules()?;
        match (&self.game, self.stored.status) {
            (Some(game), _) => Ok(game),
            (None, Status::Cancelled) => Err(Error::Conflict("The game was cancelled before it started.".into())),
            (None, _) => self.started(),
        }
    }
}
