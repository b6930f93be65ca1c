//! Bots on the wire.

use std::time::Duration;

use async_graphql::{InputObject, SimpleObject};
use domain::bot::Level;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::int;
use crate::error::{Error, Result};
use crate::games::LONGEST_PAUSE;
use crate::model::BotSettings;

/// A bot that plays for a seat.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SeatBot {
    /// Its level, from 1, the weakest, to 4.
    pub level: i32,
    /// The name of the level, for display.
    pub name: String,
}

impl From<Level> for SeatBot {
    fn from(level: Level) -> SeatBot {
        SeatBot { level: level.number().into(), name: level.name().into() }
    }
}

/// The bot that made a move or took a seat.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EntryBot {
    /// Its level.
    pub level: i32,
    /// The version of its program. `maidan verify --bots` derives the moves of the versions that it has.
    pub version: i32,
}

impl From<domain::Bot> for EntryBot {
    fn from(domain::Bot { level, version }: domain::Bot) -> EntryBot {
        EntryBot { level: int(level), version: int(version) }
    }
}

/// A bot that takes a seat.
#[derive(Clone, Debug, InputObject, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct BotInput {
    /// Its level, from 1, the weakest, to 4. The catalogue of kinds describes them.
    #[schema(minimum = 1, maximum = 4)]
    pub level: i32,
}

/// The settings of a game's bots.
#[derive(Clone, Debug, InputObject, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct BotSettingsInput {
    /// The level of the bot that plays for a seat whose player resigns. Default: 2.
    #[schema(minimum = 1, maximum = 4)]
    pub stand_in_level: Option<i32>,
    /// The pause before a bot's move, in milliseconds, so that people can follow: 0 to 10,000. Default: 0.
    #[schema(minimum = 0, maximum = 10_000)]
    pub pause_ms: Option<i32>,
}

/// Reads the level of a bot.
pub fn level_of(number: i32) -> Result<Level> {
    let level = u32::try_from(number).ok().and_then(Level::new);
    level.ok_or_else(|| Error::InvalidInput(format!("The level of a bot must be 1 to 4, not {number}.")))
}

/// Reads the settings of a new game's bots.
pub fn bot_settings_of(input: Option<&BotSettingsInput>) -> Result<BotSettings> {
    let mut settings = BotSettings::default();
    let Some(BotSettingsInput { stand_in_level, pause_ms }) = input.cloned() else { return Ok(settings) };
    if let Some(number) = stand_in_level {
        settings.stand_in = Some(level_of(number)?);
    }
    if let Some(number) = pause_ms {
        let pause = u64::try_from(number).ok().map(Duration::from_millis).filter(|pause| *pause <= LONGEST_PAUSE);
        settings.pause = pause.ok_or_else(|| {
            Error::InvalidInput(format!("pauseMs must be 0 to {}, not {number}.", LONGEST_PAUSE.as_millis()))
        })?;
    }
    Ok(settings)
}
