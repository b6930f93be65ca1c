//! `maidan picture` and `maidan text`: a position of a recorded game.

use std::fs::File;
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};

use clap::Args;
use domain::{AnyGame, Record, Seat, Viewer};
use draw::{Setting, Theme};

#[derive(Args)]
pub struct Position {
    /// A file with one record; '-' for standard input
    record: PathBuf,
    /// The number of moves made; by default all
    #[arg(long)]
    ply: Option<u32>,
    /// Show what this seat saw; by default everything
    #[arg(long)]
    seat: Option<u8>,
}

#[derive(Args)]
pub struct Style {
    /// The colours
    #[arg(long, value_parser = theme, default_value = "light")]
    theme: Theme,
    /// The width in pixels
    #[arg(long, default_value_t = Setting::DEFAULT_WIDTH, value_parser = clap::value_parser!(u32).range(i64::from(Setting::LEAST_WIDTH)..=i64::from(Setting::MOST_WIDTH)))]
    width: u32,
}

fn theme(name: &str) -> Result<Theme, String> {
    match name {
        "light" => Ok(Theme::Light),
        "dark" => Ok(Theme::Dark),
        other => Err(format!("there is no theme '{other}': choose light or dark")),
    }
}

pub fn picture(position: &Position, Style { theme, width }: &Style) -> Result<(), String> {
    let (game, viewer, setting) = position.read()?;
    print!("{}", draw::picture(&game.view(viewer), &Setting { theme: *theme, width: *width, ..setting }));
    Ok(())
}

pub fn text(position: &Position) -> Result<(), String> {
    let (game, viewer, setting) = position.read()?;
    print!("{}", draw::text(&game.view(viewer), &setting));
    Ok(())
}

impl Position {
    /// The position. The whole record is replayed first: one that is not true is not drawn.
    fn read(&self) -> Result<(AnyGame, Viewer, Setting), String> {
        let name = self.record.display();
        let read: Box<dyn Read> = if self.record == Path::new("-") {
            Box::new(std::io::stdin().lock())
        } else {
            Box::new(File::open(&self.record).map_err(|error| format!("{name} cannot be read: {error}"))?)
        };
        let record: Record = serde_json::from_reader(BufReader::new(read))
            .map_err(|error| format!("{name} is not a record: {error}"))?;
        let whole = record.replay().map_err(|wrong| format!("{name} is invalid: {wrong}"))?;
        let game = match self.ply {
            None => whole.clone(),
            Some(ply) => record.position_at(ply).map_err(|wrong| format!("{name}: {wrong}"))?,
        };
        let seat = self.seat.map(|number| {
            let seat = Seat::numbered(number.into()).filter(|seat| seat.number() < game.seats());
            seat.ok_or_else(|| format!("The game has seats 0 to {}, not {number}.", game.seats() - 1))
        });
        let seat = seat.transpose()?;
        let viewer = match (seat, whole.over()) {
            (Some(seat), _) => Viewer::Seat(seat),
            (None, Some(over)) => Viewer::Open(over),
            (None, None) => Viewer::Spectator,
        };
        let winners = game.outcome().map(|outcome| outcome.winners).unwrap_or_default();
        let setting = Setting { seat, to_act: game.to_act(), winners, ..Setting::default() };
        Ok((game, viewer, setting))
    }
}
