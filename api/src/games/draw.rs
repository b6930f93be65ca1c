//! A position as a picture and as plain text.

use domain::Kind;
use draw::{Setting, Theme};

use super::history::Moment;
use super::table::Table;
use crate::error::{Error, Result};
use crate::model::{Caller, Occupant, Player};
use crate::service::Maidan;

/// How a picture is drawn.
#[derive(Clone, Copy, Debug)]
pub struct Style {
    pub theme: Theme,
    /// In pixels.
    pub width: u32,
}

impl Style {
    /// The style that a request asks for.
    pub fn new(theme: Option<Theme>, width: Option<i32>) -> Result<Style> {
        let (least, most) = (Setting::LEAST_WIDTH, Setting::MOST_WIDTH);
        let width = match width {
            None => Setting::DEFAULT_WIDTH,
            Some(width) => u32::try_from(width)
                .ok()
                .filter(|width| (least..=most).contains(width))
                .ok_or_else(|| Error::InvalidInput(format!("width must be {least} to {most}, not {width}.")))?,
        };
        Ok(Style { theme: theme.unwrap_or_default(), width })
    }
}

impl Moment {
    /// The position as its viewer sees it, as SVG.
    pub fn picture(&self, Style { theme, width }: Style) -> String {
        draw::picture(&self.position.view(self.viewer), &Setting { theme, width, ..self.setting() })
    }

    /// The position as its viewer sees it, as plain text.
    pub fn text(&self) -> String {
        draw::text(&self.position.view(self.viewer), &self.setting())
    }

    fn setting(&self) -> Setting {
        Setting {
            seat: self.seat,
            names: self.names.clone(),
            to_act: self.position.to_act(),
            winners: self.position.outcome().map(|outcome| outcome.winners).unwrap_or_default(),
            ..Setting::default()
        }
    }
}

/// The components of a kind, as SVG.
pub fn kind_picture(maidan: &Maidan, caller: &Caller, kind: Kind, style: Style) -> Result<String> {
    super::look::kinds(maidan, caller)?;
    Ok(draw::components(&kind.default_options(), style.theme, style.width))
}

/// The components of a game, as SVG.
pub fn components_picture(table: &Table, style: Style) -> Result<String> {
    Ok(draw::components(table.options()?, style.theme, style.width))
}

/// The names of a table's players and bots, by seat.
pub async fn names(maidan: &Maidan, table: &Table) -> Result<Vec<Option<String>>> {
    let players: Vec<Player> = maidan.players(table.game().players().collect()).await?;
    let name = |player| players.iter().find(|known| known.id == player).map(|known| known.name.clone());
    let at_seat = |occupant: &Occupant| match occupant {
        Occupant::Player(sitter) if sitter.is_bot => name(sitter.player).map(|name| format!("Bot: {name}")),
        Occupant::Player(sitter) => name(sitter.player),
        Occupant::Bot { level } => Some(format!("Bot: {}", level.name())),
    };
    Ok(table.game().seating.values().map(|occupant| occupant.as_ref().and_then(at_seat)).collect())
}
