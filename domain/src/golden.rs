//! Golden records: games played once and kept, so that every later version must play them the same way.
//!
//! They are only ever added. To add those of a new kind, list the tables in the kind's test and run it once with
//! `MAIDAN_WRITE_GOLDEN=1`.
#![expect(clippy::disallowed_methods, reason = "tests may read files and switches; the rules may not")]

use std::path::{Path, PathBuf};

use serde_json::to_value;

use crate::contract::Promises;
use crate::{Act, AnyGame, Chance, Entropy, Game, Kind, Record, RecordedMove, Seat, Seed};

/// Replays `golden/<name>-<n>.json` for each table, and finds each of them as it was first written. The games, as they
/// ended.
pub fn check<R: Promises>(kind: Kind, name: &str, tables: &[(R::Options, u8)]) -> Vec<AnyGame> {
    let mut games = Vec::new();
    for (n, (options, seats)) in tables.iter().enumerate() {
        let path = directory().join(format!("{name}-{n}.json"));
        if !path.exists() && std::env::var("MAIDAN_WRITE_GOLDEN").is_ok() {
            let record = play::<R>(kind, options, *seats, n as u8);
            let text = serde_json::to_string_pretty(&record).expect("a record is plain data");
            std::fs::write(&path, text + "\n").expect("the golden directory can be written");
        }
        let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let record: Record = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert_eq!(record.kind, kind);
        games.push(record.replay().unwrap_or_else(|untrue| panic!("{}: {untrue}", path.display())));
    }
    games
}

pub fn directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("golden")
}

/// A game by sensible players; in every other one with more than two seats, seat 1 resigns on the way.
fn play<R: Promises>(kind: Kind, options: &R::Options, seats: u8, n: u8) -> Record {
    let seed = Seed::new([n.wrapping_mul(37).wrapping_add(11); 32]);
    let client_seeds: Vec<Option<String>> =
        (0..seats).map(|seat| (n + seat).is_multiple_of(3).then(|| format!("c0ffee{n:02x}{seat:02x}"))).collect();
    let mut record = Record {
        format: Record::FORMAT,
        kind,
        rules_version: R::RULES_VERSION,
        options: to_value(options).expect("options are plain data"),
        seats,
        seed,
        client_seeds,
        origin: None,
        moves: Vec::new(),
        outcome: None,
    };
    let entropy: Entropy = record.entropy().expect("the client seeds are hexadecimal");
    let mut game = Game::<R>::start(options, seats, &entropy).expect("the table can be set up");
    let mut whim = Chance::fast(n.into());
    let resigner = Seat::new(1);
    while let Some(seat) = game.to_act().first() {
        let steps = if seats > 2 && n % 2 == 1 && game.ply() == 12 && game.resigned().is_empty() {
            game.resign(resigner, &entropy)
        } else {
            let mv = game.rules().sensible_move(seat, &mut whim);
            game.play(seat, &mv, &entropy)
        };
        for step in steps.expect("the move is legal") {
            let seat = step.seat;
            record.moves.push(match step.act {
                Act::Moved(mv) => RecordedMove::Moved { seat, mv: mv.to_string() },
                Act::Auto(mv) => RecordedMove::Auto { seat, auto: mv.to_string() },
                Act::Resigned => RecordedMove::Resigned { seat, resigned: true },
            });
        }
    }
    record.outcome = game.outcome().map(|outcome| to_value(outcome).expect("an outcome is plain data"));
    record
}

#[test]
fn a_record_that_was_tampered_with_is_untrue() {
    let text = std::fs::read_to_string(directory().join("kalah-0.json")).expect("there is a golden record of Kalah");
    let true_record: Record = serde_json::from_str(&text).expect("it can be read");
    assert!(true_record.replay().is_ok());

    let mut other_outcome = true_record.clone();
    other_outcome.outcome = None;
    assert!(other_outcome.replay().unwrap_err().what.contains("outcome"));

    let mut missing_move = true_record.clone();
    missing_move.moves.remove(3);
    assert!(missing_move.replay().is_err());

    let mut other_version = true_record.clone();
    other_version.rules_version += 1;
    assert!(other_version.replay().unwrap_err().what.contains("version"));

    let mut crowded = true_record.clone();
    crowded.seats = 200;
    assert!(crowded.replay().unwrap_err().what.contains("seats"));
    let mut stranger = text.replace("\"seat\": 0", "\"seat\": 5");
    let record: Record = serde_json::from_str(&stranger).expect("it can be read");
    assert!(record.replay().unwrap_err().what.contains("no seat 5"));
    stranger = text.replace("\"seat\": 0", "\"seat\": 200");
    assert!(serde_json::from_str::<Record>(&stranger).is_err());

    let mut automatic = true_record;
    automatic.moves[0] = RecordedMove::Auto { seat: Seat::new(0), auto: "0".into() };
    assert_eq!(automatic.replay().unwrap_err().ply, 0);
}
