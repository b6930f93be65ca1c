//! Golden records: games played once and stored, which every later version must replay in the same way.
//!
//! Records are only added, never changed. `golden/list.txt` has a line for each: its kind, the version of its rules, its
//! file and the SHA-256 of the file. When rules change, their version is incremented, and records of the new version are
//! added. To add records, list the tables in the kind's test and run it once with `MAIDAN_WRITE_GOLDEN=1`; existing files
//! are not overwritten. Every kind has records in both formats: a kind that has only version 1 calls [`check`] and
//! [`check_format`].
#![expect(clippy::disallowed_methods, reason = "tests may read files and switches; the rules may not")]

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use serde_json::{Value, json, to_value};
use sha2::{Digest, Sha256};

use crate::chance::hex;
use crate::contract::Promises;
use crate::small::small;
use crate::{
    Act, AnyGame, Bot, Chance, Entropy, Entry, EntryKind, Game, Kind, Origin, Record, RecordedMove, Seat, Seed, Step,
};

/// Replays `golden/<name>-<n>.json` for each table, and a branch of the first and the last; checks that the files are
/// unchanged and returns the finished games. Games of version 1 are in format 1, later ones in format 2.
/// The games of the first and the last table must last more than ten plies: the branch is made at ply 10.
pub fn check<R: Promises>(kind: Kind, name: &str, version: u32, tables: &[(R::Options, u8)]) -> Vec<AnyGame> {
    match version {
        1 => check_format::<R>(kind, name, version, 1, tables),
        _ => check_format::<R>(kind, &format!("{name}-v{version}"), version, 2, tables),
    }
}

/// [`check`] in this format.
pub fn check_format<R: Promises>(
    kind: Kind,
    name: &str,
    version: u32,
    format: u32,
    tables: &[(R::Options, u8)],
) -> Vec<AnyGame> {
    let mut games = Vec::new();
    for (n, (options, seats)) in tables.iter().enumerate() {
        let played = || play::<R>(kind, version, format, options, *seats, small(n));
        let record = read_or_write(kind, &format!("{name}-{n}.json"), played);
        assert_eq!((record.rules_version, record.format), (version, format));
        games.push(record.replay().unwrap_or_else(|untrue| panic!("{name}-{n}: {untrue}")));
        if n == 0 || n + 1 == tables.len() {
            let branch = read_or_write(kind, &format!("{name}-{n}-branch.json"), || branch_of::<R>(&record, small(n)));
            branch.verify().unwrap_or_else(|untrue| panic!("a branch of {name}-{n}: {untrue}"));
        }
    }
    games
}

pub fn directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("golden")
}

fn read(file: &str) -> String {
    std::fs::read_to_string(directory().join(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
}

fn hash_of(text: &str) -> String {
    hex(&Sha256::digest(text.as_bytes()))
}

fn read_or_write(kind: Kind, file: &str, record: impl FnOnce() -> Record) -> Record {
    if !directory().join(file).exists() && std::env::var("MAIDAN_WRITE_GOLDEN").is_ok() {
        let record = record();
        let text = serde_json::to_string_pretty(&record).expect("a record is plain data") + "\n";
        std::fs::write(directory().join(file), &text).expect("the golden directory can be written");
        let mut list =
            std::fs::OpenOptions::new().append(true).create(true).open(directory().join("list.txt")).unwrap();
        let version = record.rules_version;
        writeln!(list, "{kind} {version} {file} {}", hash_of(&text)).expect("the list can be written");
    }
    let record: Record = serde_json::from_str(&read(file)).unwrap_or_else(|error| panic!("{file}: {error}"));
    assert_eq!(record.kind, kind);
    record
}

/// A game of sensible players. In every other game with more than two seats, seat 1 resigns on the way.
fn play<R: Promises>(kind: Kind, version: u32, format: u32, options: &R::Options, seats: u8, n: u8) -> Record {
    let client_seeds: Vec<Option<String>> =
        (0..seats).map(|seat| (n + seat).is_multiple_of(3).then(|| format!("c0ffee{n:02x}{seat:02x}"))).collect();
    let record = Record {
        format,
        game_id: None,
        kind,
        rules_version: version,
        options: to_value(options).expect("options are plain data"),
        seats,
        commitment: None,
        seed: Seed::new([n.wrapping_mul(37).wrapping_add(11); 32]),
        client_seeds,
        bots: Vec::new(),
        stand_in: None,
        origin: None,
        moves: Vec::new(),
        entries: Vec::new(),
        outcome: None,
        hash: None,
    };
    let entropy: Entropy = record.entropy().expect("the client seeds are hexadecimal");
    let game = Game::<R>::start(options, seats, version, &entropy).expect("the table can be set up");
    finish(record, game, n)
}

/// A branch from the tenth ply of another game, with everything that the record of a stored game has.
fn branch_of<R: Promises>(parent: &Record, n: u8) -> Record {
    let ply = 10;
    let stored = |record: Record, id: &str| {
        let commitment = Some(record.seed.commitment(id));
        Record { game_id: Some(id.into()), commitment, ..record }
    };
    let mut parent = stored(Record { outcome: None, ..parent.clone() }, "game_parent");
    let mut plies = 0;
    let mut is_early = |is_move: bool| {
        plies += u32::from(is_move);
        plies <= ply
    };
    parent.moves.retain(|recorded| is_early(recorded.resigned.is_none()));
    parent.entries.retain(|entry| is_early(entry.kind != EntryKind::Resigned));
    let entropy = parent.entropy().expect("the client seeds are hexadecimal");
    let options: R::Options = serde_json::from_value(parent.options.clone()).expect("they were written so");
    let mut game =
        Game::<R>::start(&options, parent.seats, parent.rules_version, &entropy).expect("the table can be set up");
    let made = parent.moves.iter().map(|recorded| (recorded.seat, &recorded.mv));
    for (seat, mv) in made.chain(parent.entries.iter().map(|entry| (entry.seat, &entry.mv))) {
        let notation = mv.as_deref().expect("nobody resigns so early");
        game.play(seat, &notation.parse().expect("it was written so"), &entropy).expect("it was legal");
    }
    let origin = Some(Origin { ply, record: Box::new(parent.clone().sealed()) });
    let seed = Seed::new([n.wrapping_mul(11).wrapping_add(37); 32]);
    let branch = stored(Record { seed, origin, moves: Vec::new(), entries: Vec::new(), ..parent }, "game_branch");
    let game = game.branch(&branch.entropy().expect("they are the parent's")).expect("it was not over");
    finish(branch, game, n).sealed()
}

fn finish<R: Promises>(mut record: Record, mut game: Game<R>, n: u8) -> Record {
    let entropy: Entropy = record.entropy().expect("the client seeds are hexadecimal");
    let mut whim = Chance::fast(n.into());
    let resigner = Seat::new(1);
    while let Some(seat) = game.to_act().first() {
        let steps = if record.seats > 2 && n % 2 == 1 && game.ply() == 12 && game.resigned().is_empty() {
            game.resign(resigner, &entropy)
        } else {
            let mv = game.rules().sensible_move(seat, &mut whim);
            game.play(seat, &mv, &entropy)
        };
        for Step { seat, act, .. } in steps.expect("the move is legal") {
            match record.format {
                1 => record.moves.push(RecordedMove::of(seat, &act)),
                // In every third game a bot plays for seat 0.
                _ if n % 3 == 2 && seat == Seat::new(0) && matches!(act, Act::Moved(_)) => {
                    record.entries.push(Entry::of(seat, &act).by(Bot { level: 3, version: 1 }));
                }
                _ => record.entries.push(Entry::of(seat, &act)),
            }
        }
    }
    record.outcome = game.outcome().map(|outcome| to_value(outcome).expect("an outcome is plain data"));
    record
}

// The list.

/// Earlier lengths of the list, each with the hash of its lines. Lines may be added, but not changed.
const PINNED: [(usize, &str); 2] = [
    (36, "1de00cef2040da8db5aaccd41a6f8c8e53f6f4197b0f4ee157d3cb0a34b5e7e4"),
    (65, "6bd63ddf2c15a091e59340d2b42b1789332c7298bf1970b99c1058e2c6392471"),
];

#[test]
fn golden_records_are_only_ever_added() {
    let list = read("list.txt");
    let lines: Vec<&str> = list.lines().collect();
    for (count, hash) in PINNED {
        let first: String = lines.iter().take(count).map(|line| format!("{line}\n")).collect();
        assert_eq!(hash_of(&first), hash, "the first {count} lines of golden/list.txt have changed");
    }
    // If there is a git history, no line has ever changed in it.
    for earlier in earlier_lists() {
        assert!(list.starts_with(&earlier), "golden/list.txt must start with its earlier content:\n{earlier}");
    }
}

/// Every committed version of the list, as far as this clone knows.
fn earlier_lists() -> Vec<String> {
    let git = |arguments: &[&str]| {
        let output = std::process::Command::new("git").args(arguments).current_dir(directory()).output().ok()?;
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
    };
    let commits = git(&["log", "--format=%H", "--", "list.txt"]).unwrap_or_default();
    commits.lines().filter_map(|commit| git(&["show", &format!("{commit}:./list.txt")])).collect()
}

#[test]
fn every_golden_record_is_as_its_line_says() {
    let mut files: Vec<String> = std::fs::read_dir(directory())
        .expect("there are golden records")
        .map(|file| file.unwrap().file_name().into_string().unwrap())
        .filter(|file| file.ends_with(".json"))
        .collect();
    let mut listed = Vec::new();
    for line in read("list.txt").lines() {
        let [kind, version, file, hash] = line.split(' ').collect::<Vec<_>>()[..] else {
            panic!("no such line: {line}")
        };
        let text = read(file);
        assert_eq!(hash_of(&text), hash, "{file} has changed: a change of rules needs a new version");
        let record: Value = serde_json::from_str(&text).expect("a record is JSON");
        assert_eq!((&record["kind"], &record["rulesVersion"]), (&json!(kind), &json!(version.parse::<u32>().unwrap())));
        assert!(kind.parse::<Kind>().is_ok(), "a kind stays");
        listed.push(file.to_string());
    }
    files.sort_unstable();
    listed.sort_unstable();
    assert_eq!(listed, files);
}

#[test]
fn every_kind_has_golden_records_of_each_version_and_format() {
    let list = read("list.txt");
    for kind in Kind::ALL {
        for version in kind.rules_versions() {
            let line = format!("{kind} {version} ");
            assert!(list.lines().any(|listed| listed.starts_with(&line)), "no golden record of {line}");
        }
        for format in Record::FORMATS {
            let of_kind = list.lines().filter(|line| line.starts_with(&format!("{kind} ")));
            let mut files = of_kind.filter_map(|line| line.split(' ').nth(2));
            assert!(files.any(|file| golden(file).format == format), "no golden record of {kind} in format {format}");
        }
    }
}

/// `golden/saved.txt` has a line for each record: the hash of all saved states of its game, step by step. If a hash
/// changes, saved games would be misread: increment `FORMAT` in `saved.rs`, delete the file and generate it again.
/// `MAIDAN_WRITE_GOLDEN=1` adds lines and changes none.
#[test]
fn golden_games_are_kept_as_ever() {
    let known = std::fs::read_to_string(directory().join("saved.txt")).unwrap_or_default();
    let mut saved = known.clone();
    for line in read("list.txt").lines() {
        let [kind, version, file, _] = line.split(' ').collect::<Vec<_>>()[..] else { panic!("no such line: {line}") };
        let kind: Kind = kind.parse().expect("a kind stays");
        let version = version.parse().expect("a version is a number");
        let record = golden(file);
        let entropy = record.entropy().expect("the client seeds are hexadecimal");
        let options = kind.load_options(version, record.options.clone()).expect("options stay");
        let mut game = record.beginning(&entropy, 0).expect("it begins");
        let mut digest = Sha256::new_with_prefix(game.save());
        for step in record.steps() {
            let (seat, act) = record.act(&step, &game).expect("it can be read");
            game.retrace(seat, &act, &entropy).expect("it was legal");
            let kept = game.save();
            assert!(
                options.load_game(version, &kept).is_ok_and(|loaded| loaded == game),
                "{file}: loaded, it is another game"
            );
            digest.update(kept);
        }
        let line = format!("{file} {}", hex(&digest.finalize()));
        if !known.lines().any(|known| known.starts_with(&format!("{file} "))) {
            writeln!(saved, "{line}").expect("a text grows");
        }
        assert!(
            saved.lines().any(|saved| saved == line),
            "{file} is saved in a different way than before: see `saved.rs`"
        );
    }
    if std::env::var("MAIDAN_WRITE_GOLDEN").is_ok() {
        std::fs::write(directory().join("saved.txt"), &saved).expect("the golden directory can be written");
    }
    assert_eq!(read("saved.txt"), saved, "a golden game is missing: run once with MAIDAN_WRITE_GOLDEN=1");
}

// Records that fail verification.

fn golden(file: &str) -> Record {
    serde_json::from_str(&read(file)).expect("it can be read")
}

/// A golden record with everything that the record of a stored game has.
fn stored(file: &str) -> Record {
    let mut record = golden(file);
    record.commitment = Some(record.seed.commitment("game_1"));
    record.game_id = Some("game_1".into());
    for (n, recorded) in record.moves.iter_mut().enumerate() {
        recorded.at = Some(format!("2026-01-31T18:{:02}:{:02}Z", n / 60 % 60, n % 60));
    }
    record.sealed()
}

fn caught(change: impl FnOnce(&mut Record)) -> (u32, String) {
    caught_in("macarena-1.json", change)
}

/// The error for a record that was tampered with.
fn caught_in(file: &str, change: impl FnOnce(&mut Record)) -> (u32, String) {
    let mut record = stored(file);
    record.verify().expect("it is true as it was");
    change(&mut record);
    let untrue = record.verify().expect_err("it is not true any more");
    (untrue.ply, untrue.what)
}

#[test]
fn a_record_has_every_position_up_to_its_end_and_none_after_it() {
    // In the last one bots moved, but the record does not name them.
    for file in ["kalah-1.json", "macarena-v2-0-branch.json", "mahabharata-v2-2.json"] {
        let record = golden(file);
        let last = record.replay().expect("it is true");
        for ply in [0, 1, last.ply() - 1] {
            let position = record.position_at(ply).expect("there is such a position");
            assert!(position.ply() == ply && position.over().is_none(), "{file}: {ply}");
        }
        assert_eq!(record.position_at(last.ply()), Ok(last.clone()));
        assert_eq!(record.position_at(last.ply() + 1).map_err(|untrue| untrue.ply), Err(last.ply()));
    }
}

#[test]
fn a_record_that_was_tampered_with_is_untrue() {
    let says = |said: (u32, String), ply: u32, word: &str| {
        assert!(said.0 == ply && said.1.contains(word), "'{word}' after ply {ply}: {said:?}");
    };
    // The part before the moves.
    says(caught(|record| record.format = 9), 0, "format 9");
    says(caught(|record| record.rules_version = 99), 0, "version 99 of the rules");
    says(caught(|record| record.rules_version = 0), 0, "version 0 of the rules");
    says(caught(|record| record.game_id = Some("game_2".into())), 0, "commitment");
    says(caught(|record| record.seed = Seed::new([9; 32])), 0, "commitment");
    says(caught(|record| record.commitment = Some(Seed::new([9; 32]).commitment("game_1"))), 0, "commitment");
    says(caught(|record| record.seats = 200), 0, "client seed");
    says(caught(|record| record.client_seeds[0] = Some("xyz".into())), 0, "hexadecimal");
    says(caught(|record| record.options = json!({ "jokers": 2 })), 0, "options");
    assert!(caught(|record| record.client_seeds[0] = Some("00".into())).0 < 3, "another deal");
    says(caught_in("kalah-0.json", |record| record.client_seeds[0] = Some("00".into())), 0, "chain");
    says(caught(|record| record.options["maxHands"] = json!(7)), 0, "chain");

    // Moves.
    let elsewhere = RecordedMove::of(Seat::new(5), &Act::Moved("pass"));
    says(caught(|record| record.moves[3] = elsewhere), 3, "no seat 5");
    says(caught(|record| record.moves[3].mv = Some("fly".into())), 3, "Expected");
    says(caught(|record| record.moves[3].auto = record.moves[3].mv.take()), 3, "No automatic move is due");
    says(caught(|record| record.moves[3].resigned = Some(true)), 3, "exactly one");
    says(caught(|record| record.moves[3].at = Some("2026-01-31T19:00:00Z".into())), 3, "chain");
    says(caught(|record| record.moves[3].at = None), 3, "chain");
    says(caught(|record| record.moves[3].hash = None), 3, "chain");
    assert!(caught(|record| drop(record.moves.remove(3))).0 <= 3);
    assert!(caught(|record| record.moves.swap(3, 4)).0 <= 4);
    let auto = stored("macarena-1.json").moves.iter().position(|recorded| recorded.auto.is_some());
    let auto = auto.expect("somebody resigned in this game");
    let before = plies(auto) - 1;
    says(caught(|record| record.moves[auto].auto = Some("pass".into())), before, "");
    says(caught(|record| drop(record.moves.remove(auto))), before, "is missing");
    says(caught_in("kalah-0.json", |record| record.moves[0].mv = Some("1".into())), 0, "chain");

    // The end.
    let last = plies(stored("kalah-0.json").moves.len());
    says(caught_in("kalah-0.json", |record| record.outcome = None), 0, "no outcome");
    says(caught_in("kalah-0.json", |record| record.outcome.as_mut().unwrap()["winners"] = json!([])), last, "outcome");
    says(caught_in("kalah-0.json", |record| record.hash = Some("0".repeat(64))), last, "chain");
    says(caught_in("kalah-0.json", |record| record.hash = None), 0, "no hash chain");
    says(caught_in("kalah-0.json", |record| record.moves.truncate(9)), 9, "outcome");

    // A forged chain is detected by the rules and the commitment.
    let again = |change: &dyn Fn(&mut Record)| {
        caught(|record| {
            change(record);
            *record = record.clone().sealed();
        })
    };
    says(again(&|record| record.seed = Seed::new([9; 32])), 0, "commitment");
    says(again(&|record| record.moves[3].seat = Seat::new(4)), 3, "");
    assert!(serde_json::from_str::<Record>(&read("kalah-0.json").replace("\"seat\": 0", "\"seat\": 200")).is_err());
}

/// A number of entries as a number of plies.
fn plies(entries: usize) -> u32 {
    u32::try_from(entries).expect("the ply limit is far lower")
}

/// The same for a golden record of format 2.
fn stored_entries(file: &str) -> Record {
    let mut record = stored(file);
    for (n, entry) in record.entries.iter_mut().enumerate() {
        entry.at = Some(format!("2026-01-31T18:{:02}:{:02}Z", n / 60 % 60, n % 60));
    }
    record.sealed()
}

#[test]
fn entries_that_were_tampered_with_are_untrue() {
    let caught = |change: &dyn Fn(&mut Record)| {
        let mut record = stored_entries("macarena-v2-2.json");
        record.verify().expect("it is true as it was");
        change(&mut record);
        let untrue = record.verify().expect_err("it is not true any more");
        (untrue.ply, untrue.what)
    };
    let says = |said: (u32, String), ply: u32, word: &str| {
        assert!(said.0 == ply && said.1.contains(word), "'{word}' after ply {ply}: {said:?}");
    };
    let bot = stored_entries("macarena-v2-2.json").entries.iter().position(|entry| entry.bot.is_some());
    let bot = bot.expect("a bot plays in this game");
    let ply = plies(bot);
    says(caught(&|record| record.entries[3].mv = Some("fly".into())), 3, "Expected");
    says(caught(&|record| record.entries[3].kind = EntryKind::AutoMoved), 3, "No automatic move is due");
    says(caught(&|record| record.entries[3].kind = EntryKind::Resigned), 3, "An entry has");
    says(caught(&|record| record.entries[3].at = None), 3, "chain");
    says(caught(&|record| record.entries[3].hash = None), 3, "chain");
    says(caught(&|record| record.entries[bot].bot = Some(Bot { level: 4, version: 1 })), ply, "chain");
    says(caught(&|record| record.entries[bot].kind = EntryKind::Moved), ply, "An entry has");
    says(caught(&|record| record.entries[bot].bot = None), ply, "An entry has");
    assert!(caught(&|record| drop(record.entries.remove(3))).0 <= 3);
    says(caught(&|record| record.rules_version = 1), 0, "chain");
    let mut record = stored_entries("macarena-v2-1.json");
    record.rules_version = 1;
    let untrue = record.verify().expect_err("version 1 has no such option");
    assert!(untrue.what.contains("version 1 has no option firstHandReturns"), "{untrue}");
}

#[test]
fn a_record_has_what_its_format_has() {
    let read = |value: &Value| serde_json::from_value::<Record>(value.clone()).map_err(|error| error.to_string());
    let (first, second) = (to_value(golden("kalah-0.json")).unwrap(), to_value(golden("kalah-f2-0.json")).unwrap());
    assert!(read(&first).is_ok() && read(&second).is_ok());
    assert!(first.get("entries").is_none() && second.get("moves").is_none());
    let with = |record: &Value, change: &dyn Fn(&mut Value)| {
        let mut changed = record.clone();
        change(&mut changed);
        read(&changed).expect_err("it cannot be read")
    };
    assert!(with(&first, &|record| record["format"] = json!(2)).contains("format 2 has 'entries'"));
    assert!(with(&second, &|record| record["format"] = json!(1)).contains("format 1 has 'moves'"));
    assert!(with(&second, &|record| record["format"] = json!(3)).contains("knows formats 1 to 2"));
    assert!(with(&second, &|record| record["moves"] = json!([])).contains("no 'moves'"));
    assert!(with(&second, &|record| record["entries"][0]["kind"] = json!("FLEW")).contains("FLEW"));
    assert!(with(&second, &|record| record["entries"][0]["mood"] = json!("good")).contains("mood"));
    // Null is not the same as left out, and no field may occur twice.
    for field in ["moves", "entries"] {
        assert!(with(&first, &|record| record[field] = Value::Null).contains("null"), "{field}");
    }
    assert!(with(&second, &|record| record["entries"][0]["bot"] = Value::Null).contains("null"));
    let twice = second.to_string().replacen("\"kind\":\"MOVED\"", "\"kind\":\"RESIGNED\",\"kind\":\"MOVED\"", 1);
    let said = serde_json::from_str::<Record>(&twice).expect_err("it cannot be read").to_string();
    assert!(said.contains("duplicate field"), "{said}");
    for kind in EntryKind::RESERVED {
        let said = with(&second, &|record| record["entries"][0] = json!({ "kind": kind, "until": 7 }));
        assert!(said.contains(&format!("entries of the kind {kind} are reserved")), "{said}");
    }
}

#[test]
fn a_branch_that_was_tampered_with_is_untrue() {
    let caught = |change: &dyn Fn(&mut Record)| {
        let mut record = golden("macarena-0-branch.json");
        change(&mut record);
        record.verify().expect_err("it is not true any more").what
    };
    let parent = |record: &mut Record, change: &dyn Fn(&mut Record)| {
        change(&mut record.origin.as_mut().expect("it is a branch").record);
    };
    assert!(!caught(&|record| record.origin = None).is_empty());
    assert!(caught(&|record| record.origin.as_mut().unwrap().ply = 9).contains("ends at ply 10"));
    assert!(caught(&|record| parent(record, &|parent| parent.moves[2].at = Some("now".into()))).contains("chain"));
    assert!(caught(&|record| parent(record, &|parent| parent.seed = Seed::new([1; 32]))).contains("commitment"));
    assert!(caught(&|record| parent(record, &|parent| parent.hash = None)).contains("no hash chain"));
    assert!(
        caught(&|record| parent(record, &|parent| parent.outcome = Some(json!({})))).contains("In the parent game")
    );
    assert!(caught(&|record| record.seats = 3).contains("seat"));
    let mut deep = golden("kalah-0-branch.json");
    for _ in 0..Record::MOST_BRANCHES {
        let origin =
            Origin { ply: 0, record: Box::new(Record { moves: Vec::new(), outcome: None, ..deep.clone() }.sealed()) };
        deep.origin = Some(origin);
    }
    assert!(deep.verify().expect_err("there is a limit").what.contains("more than 8 ancestors"));
}
