//! Tools for authors of rules: `maidan perft` and `maidan playout`.

use std::time::Instant;

use domain::{Entropy, Kind, Rules, Seed, with_rules};
use serde_json::Value;

use super::Setup;

pub fn perft(setup: Setup, depth: u32) -> Result<(), String> {
    let Setup { kind, seats, rules_version, options, seed } = setup;
    let (seats, version) = (seats_of(kind, seats)?, rules_version.unwrap_or(kind.rules_version()));
    let mut bytes = [0; 32];
    bytes[24..].copy_from_slice(&seed.to_be_bytes());
    let entropy = Entropy::new(Seed::new(bytes), std::iter::repeat_n([].as_slice(), seats.into()));
    let started = Instant::now();
    let counts = with_rules!(kind, R => {
        domain::perft::perft::<R>(&options_of::<R>(options)?, version, seats, depth, &entropy)
    });
    for (depth, count) in (1..).zip(counts.map_err(|illegal| illegal.to_string())?) {
        println!("{depth:>3} {count:>15}");
    }
    println!("{:.3} s", started.elapsed().as_secs_f64());
    Ok(())
}

pub fn playout(setup: Setup, games: u64) -> Result<(), String> {
    let Setup { kind, seats, rules_version, options, seed } = setup;
    let (seats, version) = (seats_of(kind, seats)?, rules_version.unwrap_or(kind.rules_version()));
    let started = Instant::now();
    let played = with_rules!(kind, R => {
        domain::playout::playout::<R>(&options_of::<R>(options)?, version, seats, games, seed)
    });
    let played = played.map_err(|illegal| illegal.to_string())?;
    let seconds = started.elapsed().as_secs_f64();
    let each = played.plies as f64 / games.max(1) as f64;
    println!("{kind}, version {version} of the rules, {seats} seats: {games} games");
    println!("plies    {} in all, {each:.1} a game, from {} to {}", played.plies, played.shortest, played.longest);
    for (ending, count) in &played.endings {
        println!("ending   {ending:<14} {count:>10}");
    }
    let wins: Vec<String> = played.wins.iter().map(u64::to_string).collect();
    println!("wins     by seat {}; draws {}", wins.join(" "), played.draws);
    println!("speed    {:.0} games/s, {:.0} plies/s", games as f64 / seconds, played.plies as f64 / seconds);
    Ok(())
}

fn seats_of(kind: Kind, seats: Option<u8>) -> Result<u8, String> {
    let range = kind.seats();
    let seats = seats.unwrap_or(*range.start());
    match range.contains(&seats) {
        true => Ok(seats),
        false => Err(kind.wrong_seats(seats)),
    }
}

fn options_of<R: Rules>(options: Value) -> Result<R::Options, String> {
    serde_json::from_value(options).map_err(|error| format!("--options is invalid: {error}"))
}
