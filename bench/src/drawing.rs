//! Drawing a position as a picture and as text, on one core, in processor time.

use std::time::Duration;

use domain::{AnyGame, Chance, Entropy, Kind, Seat, Seed, Viewer};
use draw::{Setting, picture, text};

use crate::Result;
use crate::process::cpu_of_thread;

/// Moves before the position that is drawn, if the game lasts that long.
const PLIES: u32 = 40;

pub struct Drawing {
    /// Of one picture, one text and one view.
    pub picture: Duration,
    pub text: Duration,
    pub view: Duration,
    pub bytes: usize,
}

/// Draws a position of a random game with the most seats, again and again for about this long each.
pub fn draw(kind: Kind, time: Duration) -> Result<Drawing> {
    let game = position(kind)?;
    let setting = Setting { seat: Some(Seat::new(0)), to_act: game.to_act(), ..Setting::default() };
    let viewer = Viewer::Seat(Seat::new(0));
    let view = game.view(viewer);
    Ok(Drawing {
        picture: each(time, || picture(&view, &setting).len()),
        text: each(time, || text(&view, &setting).len()),
        view: each(time, || size_of_val(&game.view(viewer))),
        bytes: picture(&view, &setting).len(),
    })
}

fn position(kind: Kind) -> Result<AnyGame> {
    let entropy = Entropy::new(Seed::new([7; 32]), []);
    let mut game = AnyGame::start(&kind.default_options(), *kind.seats().end(), kind.rules_version(), &entropy)?;
    let mut chance = Chance::fast(7);
    while game.ply() < PLIES
        && let Some(seat) = game.to_act().iter().next()
    {
        let (moves, _) = game.legal_moves(seat, 400);
        game.play(seat, &chance.pick(&moves).mv, &entropy)?;
    }
    Ok(game)
}

/// The processor time of one call.
fn each(time: Duration, call: impl Fn() -> usize) -> Duration {
    let (mut calls, began) = (0, cpu_of_thread());
    loop {
        for _ in 0..20 {
            std::hint::black_box(call());
        }
        calls += 20;
        let taken = cpu_of_thread() - began;
        if taken >= time {
            return taken / calls;
        }
    }
}
