//! Bots at the table: giving one a seat, and making its moves.

use domain::bot::{Level, VERSION};
use domain::{AnyMove, Bot, Seat};

use super::access::Relation;
use super::create::check_bots;
use super::join::sit_down;
use super::play::{ATTEMPTS, store};
use super::retry::{Done, repeated};
use super::table::{Table, current};
use crate::error::{Error, Result};
use crate::ids::GameId;
use crate::limits::Cost;
use crate::model::{At, Caller, IdempotencyKey, Occupant, Sitting, Stored};
use crate::service::Maidan;
use crate::store::StoreError;

/// Gives an open seat to a bot. For the game's opener and its app.
pub async fn seat_bot(
    maidan: &Maidan,
    caller: &Caller,
    id: GameId,
    seat: Option<i32>,
    level: Level,
    key: Option<String>,
) -> Result<Done> {
    maidan.rates.charge(caller, Cost::Request)?;
    let request = format!("seatBot {seat:?} {}", level.number());
    let key = key.map(|key| IdempotencyKey::new(&key, &request)).transpose()?;
    for _ in 0..ATTEMPTS {
        let table = Table::find(maidan, caller, id).await;
        if let Some(done) = repeated(maidan, caller, id, key.as_ref()).await? {
            return Ok(done);
        }
        let table = table?;
        let game = table.game();
        let player = caller.player().ok().map(|player| player.id);
        let is_opener = table.seat().is_some() && game.opener.is_some() && game.opener == player;
        if !is_opener && !table.is_owner() {
            return Err(Error::Forbidden("Only the player who opened the game, or the app, may seat a bot."));
        }
        if game.rematch_of.is_some() {
            return Err(Error::Conflict(
                "The seats of a rematch are reserved for the players of the previous game.".into(),
            ));
        }
        check_bots(maidan, caller).await?;
        let occupant = Occupant::Bot { level };
        let (mut change, sitting) = sit_down(maidan, game.clone(), seat, occupant, At::now()).await?;
        change.entries[0].player = player;
        change.entries[0].key.clone_from(&key);
        match maidan.commits.change(change, sitting.clone()).await {
            Ok(Stored::Yes) => return Table::seen_by(maidan, caller, sitting).map(Done::now),
            Ok(Stored::Overtaken) | Err(StoreError::Taken(_)) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Err(Error::Unavailable)
}

/// A decision that a bot must make.
pub struct BotTurn {
    sitting: Sitting,
    seat: Seat,
    level: Level,
}

/// The next decision of a bot in a game, if the game waits for one.
pub async fn bot_turn(maidan: &Maidan, id: GameId) -> Result<Option<BotTurn>> {
    let Some(sitting) = current(maidan, id).await? else { return Ok(None) };
    let due = sitting.game.due_from_bots().first();
    let turn = due.and_then(|seat| Some((seat, sitting.game.bot_at(seat)?)));
    // A game with rules of a later build is left to that build.
    Ok(turn.filter(|_| sitting.game.has_known_rules()).map(|(seat, level)| BotTurn { sitting, seat, level }))
}

impl BotTurn {
    /// Chooses the move. It depends on nothing but what the seat may know, the level and the game's seeds, so all
    /// replicas choose the same. Takes up to a second: not for a thread that serves requests.
    pub fn think(&self) -> Result<Option<AnyMove>> {
        let Some(position) = self.sitting.position()? else { return Ok(None) };
        Ok(position.bot_move(self.seat, self.level, &self.sitting.game.entropy()))
    }

    pub fn level(&self) -> Level {
        self.level
    }

    pub fn kind(&self) -> domain::Kind {
        self.sitting.game.kind
    }

    /// Stores the move like any other: by compare-and-set on the version that it was decided on, and with a key that names
    /// this version, so that several replicas may compute it and one stores it. Returns whether it was stored.
    pub async fn play(self, maidan: &Maidan, mv: &AnyMove) -> Result<bool> {
        let BotTurn { sitting, seat, level } = self;
        let table = Table { sitting, relation: Relation::Watching };
        let mut position = table.started()?.clone();
        let bot = Bot { level: level.number().into(), version: VERSION };
        let steps = position.play_bot(seat, mv, bot, &table.game().entropy())?;
        let key = IdempotencyKey::of_bot(table.game().version, &mv.to_string());
        let (change, sitting) = table.after_steps(position, steps, Some(key))?;
        Ok(store(maidan, change, sitting).await?.is_some())
    }
}
