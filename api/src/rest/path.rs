//! Ids in paths.

use serde::Deserialize;
use utoipa::IntoParams;

use crate::error::Result;
use crate::ids::{GameId, PlayerId};
use crate::wire::{game_id_of, player_id_of};

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
pub struct GamePath {
    /// The game's id.
    #[param(value_type = GameId)]
    id: String,
}

impl GamePath {
    pub fn game(&self) -> Result<GameId> {
        game_id_of(&self.id)
    }
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
pub struct PlayerPath {
    /// The player's id.
    #[param(value_type = PlayerId)]
    id: String,
}

impl PlayerPath {
    pub fn player(&self) -> Result<PlayerId> {
        player_id_of(&self.id)
    }
}
