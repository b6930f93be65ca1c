//! mbh.14: tables of dice and leaders in place of the built-in ones.

use serde_json::{from_value, json, to_value};

use super::*;

/// Tables that differ from the built-in ones in all that may differ: dice that show other units than their own, a
/// leader with one point and one with ten, and names that need care.
pub(super) fn own() -> Components {
    let die =
        |unit: &str, faces: &str| DieEntry { unit: unit.into(), faces: faces.split(' ').map(String::from).collect() };
    let leaders = [
        ("Yudhiṣṭhira", "C"),
        ("Bhīma & sons", "E V"),
        ("VIRATA", "V V I"),
        ("<Arjuna>", "C E V I"),
        ("N", "I I I I I"),
        ("Sahadeva, the youngest of five brothers.", "C E V I I I"),
        ("Kuntī", "C C C E V I I"),
        ("Vidura", "E E V V I I C C"),
        ("Śakuni", "V V V I I I E E C"),
        ("\"Draupadī\"", "C C E E V V V I I I"),
    ];
    let leader = |(name, spaces): (&str, &str)| {
        let unit = |letter: &str| match letter {
            "C" => "CHARIOT".to_string(),
            "E" => "ELEPHANT".to_string(),
            "V" => "CAVALRY".to_string(),
            _ => "INFANTRY".to_string(),
        };
        let spaces: Vec<String> = spaces.split(' ').map(unit).collect();
        LeaderEntry { name: name.into(), points: small(spaces.len()).into(), spaces }
    };
    Components {
        dice: Some(vec![
            die("CHARIOT", "CHARIOT1 CHARIOT1 CHARIOT1 ELEPHANT1 RAJA RAJA"),
            die("ELEPHANT", "ELEPHANT1 ELEPHANT1 INFANTRY5 CAVALRY3 INFANTRY1 RAJA"),
            die("CAVALRY", "CAVALRY1 CAVALRY1 CAVALRY1 CAVALRY2 CAVALRY3 CHARIOT1"),
            die("INFANTRY", "INFANTRY1 INFANTRY1 INFANTRY2 INFANTRY2 INFANTRY3 RAJA"),
        ]),
        leaders: Some(leaders.into_iter().map(leader).collect()),
    }
}

pub(super) fn with(components: Components) -> Options {
    Options { components: Some(components), ..Options::default() }
}

/// The rule and the sentence with which the built-in tables are refused after this change.
fn fault(change: impl FnOnce(&mut Vec<DieEntry>, &mut Vec<LeaderEntry>)) -> (&'static str, String) {
    let (dice, leaders) = changed(change);
    refused(Components { dice: Some(dice), leaders: Some(leaders) })
}

fn changed(change: impl FnOnce(&mut Vec<DieEntry>, &mut Vec<LeaderEntry>)) -> (Vec<DieEntry>, Vec<LeaderEntry>) {
    let Components { dice: Some(mut dice), leaders: Some(mut leaders) } = Components::built_in() else {
        panic!("the built-in tables are complete")
    };
    change(&mut dice, &mut leaders);
    (dice, leaders)
}

fn refused(components: Components) -> (&'static str, String) {
    let illegal = Mahabharata::check_options(&with(components), 2, 3).expect_err("the tables are refused");
    (illegal.rule.0, illegal.text.into())
}

fn good(change: impl FnOnce(&mut Vec<DieEntry>, &mut Vec<LeaderEntry>)) {
    let (dice, leaders) = changed(change);
    let options = with(Components { dice: Some(dice), leaders: Some(leaders) });
    assert_eq!(Mahabharata::check_options(&options, 2, 3), Ok(()));
}

fn one(text: &str) -> (&'static str, String) {
    ("mbh.14", text.to_string())
}

fn all_faces(die: &mut DieEntry, faces: [&str; 6]) {
    die.faces = faces.map(String::from).to_vec();
}

#[test]
fn a_table_that_is_wrong_is_refused_with_the_table_the_entry_and_the_fault() {
    // (a)
    let nothing = refused(Components::default());
    assert_eq!(nothing, ("mbh.14", "components needs the table dice, the table leaders, or both.".into()));
    // (b)
    assert_eq!(fault(|dice, _| drop(dice.pop())), one("The table dice must have 4 entries, not 3."));
    let said = "After CHARIOT, the table dice must have ELEPHANT, not \"CAVALRY\".";
    assert_eq!(fault(|dice, _| dice.swap(1, 2)), one(said));
    let said = "In the table dice, CAVALRY must have 6 faces, not 5.";
    assert_eq!(fault(|dice, _| drop(dice[2].faces.pop())), one(said));
    // (c)
    let said = "In the table dice, face 3 of CHARIOT must be CHARIOT1, ELEPHANT1, CAVALRY1, CAVALRY2, CAVALRY3, INFANTRY1, \
                INFANTRY2, INFANTRY3, INFANTRY4, INFANTRY5 or RAJA, not \"CHARIOT2\".";
    assert_eq!(fault(|dice, _| dice[0].faces[3] = "CHARIOT2".into()), one(said));
    // (d)
    let said =
        "With the table dice, no Pati can be completed: its faces cannot make the 1 that a Pati needs of ELEPHANT.";
    assert_eq!(fault(|dice, _| all_faces(&mut dice[1], ["RAJA"; 6])), one(said));
    let said =
        "With the table dice, no Pati can be completed: its faces cannot make the 3 that a Pati needs of CAVALRY.";
    assert_eq!(fault(|dice, _| all_faces(&mut dice[2], ["CAVALRY2"; 6])), one(said), "2, 2, 2 never make 3");
    good(|dice, _| all_faces(&mut dice[3], ["INFANTRY1", "INFANTRY2", "INFANTRY1", "INFANTRY2", "RAJA", "RAJA"]));
    let said =
        "With the table dice, no Pati can be completed: its faces cannot make the 5 that a Pati needs of INFANTRY.";
    assert_eq!(fault(|dice, _| all_faces(&mut dice[3], ["INFANTRY1"; 6])), one(said), "there are three of each");
    // (e)
    assert_eq!(fault(|_, leaders| drop(leaders.pop())), one("The table leaders must have 10 entries, not 9."));
    let said = "In the table leaders, entries 2 and 4 are both named \"Drupada\".";
    assert_eq!(fault(|_, leaders| leaders[4].name = "Drupada".into()), one(said));
    let wrong_names = [
        (String::new(), "must have 1 to 40 characters, not 0"),
        ("é".repeat(41), "must have 1 to 40 characters, not 41"),
        ("Bhi\nma".into(), "has a control character"),
        (" Bhima".into(), "begins or ends with a blank"),
        ("Bhima\u{a0}".into(), "begins or ends with a blank"),
    ];
    for (name, fault_of_name) in wrong_names {
        let said = format!("In the table leaders, the name of entry 3 {fault_of_name}.");
        assert_eq!(fault(|_, leaders| leaders[3].name = name), one(&said));
    }
    good(|_, leaders| leaders[3].name = "é".repeat(40));
    // (f)
    let said = "In the table leaders, \"Shalya\" must have as many spaces as points: 4, not 3.";
    assert_eq!(fault(|_, leaders| drop(leaders[3].spaces.pop())), one(said));
    for points in [0, -1, 19, i32::MAX] {
        let said = format!("In the table leaders, \"Shalya\" must have 1 to 18 points, not {points}.");
        assert_eq!(fault(|_, leaders| leaders[3].points = points), one(&said));
    }
    let said =
        "In the table leaders, \"Shalya\" must have CHARIOT, ELEPHANT, CAVALRY or INFANTRY on space 1, not \"RAJA\".";
    assert_eq!(fault(|_, leaders| leaders[3].spaces[1] = "RAJA".into()), one(said));
    // (g)
    let four_points = |leaders: &mut Vec<LeaderEntry>| {
        for leader in leaders {
            (leader.points, leader.spaces) = (4, vec!["CAVALRY".into(); 4]);
        }
    };
    let said = "In the table leaders, no leaders have exactly 18 points together.";
    assert_eq!(fault(|_, leaders| four_points(leaders)), one(said));
    good(|_, leaders| {
        four_points(leaders);
        (leaders[9].points, leaders[9].spaces) = (18, vec!["INFANTRY".into(); 18]);
    });
}

#[test]
fn of_several_faults_the_first_in_the_order_of_the_rule_is_named() {
    let first = |(rule, said): (&'static str, String), word: &str| {
        assert_rule!("mbh.14", (rule, said.contains(word)), ("mbh.14", true), "{said}");
    };
    first(
        fault(|dice, _| {
            dice[0].faces[0] = "FOX".into();
            dice[3].faces.clear();
        }),
        "INFANTRY must have 6 faces",
    );
    first(
        fault(|dice, leaders| {
            all_faces(&mut dice[1], ["RAJA"; 6]);
            leaders.clear();
        }),
        "no Pati",
    );
    first(
        fault(|_, leaders| {
            leaders[0].points = 40;
            leaders[9].name = "Karna".into();
        }),
        "both named",
    );
}

#[test]
fn the_built_in_tables_are_served_in_the_shape_of_the_option() {
    let options = with(Components::built_in());
    assert_eq!(Mahabharata::check_options(&options, 2, 2), Ok(()));
    let rows = |options| {
        Mahabharata::components(options, 2).into_iter().map(|table| table.rows).collect::<Vec<Vec<Vec<String>>>>()
    };
    assert_eq!(rows(&options), rows(&Options::default()));
    let json = to_value(Components::built_in()).expect("it is JSON");
    let faces = ["CHARIOT1", "CHARIOT1", "CHARIOT1", "CHARIOT1", "CHARIOT1", "RAJA"];
    assert_eq!(json["dice"][0], json!({ "unit": "CHARIOT", "faces": faces }));
    let virata = json!({ "name": "Virata", "points": 3, "spaces": ["CHARIOT", "CAVALRY", "INFANTRY"] });
    assert_eq!(json["leaders"][0], virata);
}

#[test]
fn a_given_table_is_no_reconstruction_and_one_left_out_is() {
    let marks = |options: &Options| -> Vec<(&str, bool)> {
        Mahabharata::components(options, 2).iter().map(|table| (table.name, table.reconstructed)).collect()
    };
    assert_eq!(marks(&Options::default()), [("tokens", false), ("dice", true), ("leaders", true)]);
    assert_eq!(marks(&with(own())), [("tokens", false), ("dice", false), ("leaders", false)]);
    let dice_only = Components { leaders: None, ..own() };
    assert_eq!(marks(&with(dice_only)), [("tokens", false), ("dice", false), ("leaders", true)]);
}

#[test]
fn null_is_the_same_as_left_out_and_what_has_another_shape_is_unreadable() {
    let read = |json| from_value::<Options>(json);
    assert_eq!(read(json!({ "components": null })).expect("null is fine"), Options::default());
    let half = read(json!({ "components": { "dice": null } })).expect("null is fine");
    assert_eq!(half.components, Some(Components::default()));
    for odd in [json!(7), json!({ "cards": [] }), json!({ "dice": "six" }), json!({ "leaders": [{ "points": 3.5 }] })] {
        assert!(read(json!({ "components": odd })).is_err());
    }
}

#[test]
fn version_1_has_no_tables_of_its_own() {
    let unknown = |version| Mahabharata::unknown_option(&with(own()), version);
    assert_eq!((unknown(1), unknown(2)), (Some("components"), None));
    let ids = |version| Mahabharata::about(version).rules.iter().map(|rule| rule.id.0).collect::<Vec<_>>();
    assert_eq!((ids(1).last(), ids(2).last()), (Some(&"mbh.13"), Some(&"mbh.14")));
    assert_eq!(Mahabharata::about(1).options.len(), 1);
}

#[test]
fn setups_and_dice_are_those_of_the_own_tables() {
    let mut seen = BTreeSet::new();
    for seed in 0..300 {
        let game = Mahabharata::setup(&with(own()), 2, 3, &mut Chance::fast(seed));
        let points: u8 = game.leaders.iter().map(|in_play| game.tables.leader(in_play.leader).points).sum();
        let spaces: usize = game.leaders.iter().map(|in_play| in_play.spaces.len()).sum();
        assert_eq!((points, spaces), (18, 18));
        seen.extend(game.dice_left().map(|(die, face)| (die, face.to_string())));
    }
    assert!(seen.contains(&(0, "ELEPHANT1".to_string())) && seen.contains(&(5, "CHARIOT1".to_string())));
    assert!(!seen.contains(&(4, "RAJA".to_string())), "the third die has no Raja");
}

#[test]
fn words_views_and_events_show_the_own_tables() {
    let mut game = Mahabharata::setup(&with(own()), 2, 2, &mut Chance::fast(0));
    // In the place of Drupada stands a leader that is called VIRATA.
    game.leaders = [Leader::Drupada, Leader::Shalya].map(|leader| InPlay::new(leader, &game.tables)).to_vec();
    game.discarded = vec![Leader::Jayadratha];
    game.elephant = ZERO;
    game.dice[7] = Some(Face::Shows(Token::Infantry2));
    assert_eq!(
        game.describe(ZERO, &"d7 l1.3".parse().expect("the notation can be read")),
        "Take die 7 (INFANTRY2) and put INFANTRY2 on space 3 of leader 1, <Arjuna>"
    );
    assert_eq!(game.describe_token(ZERO, &["d7"], "l1.3").1, "Put the token on space 3 of leader 1, <Arjuna>");
    assert!(refused_pick(&game, "d7 l1.0").contains("Space 0 of <Arjuna> is for CHARIOT"));
    let view = game.view(Viewer::Spectator);
    assert_eq!((view.leaders[1].leader.as_str(), view.leaders[1].points), ("<Arjuna>", 4));
    assert_eq!(view.discarded[0].as_str(), "Bhīma & sons");

    let events = play(&mut game, ZERO, "d7 l0.2");
    let said = "Seat 0 took die 7 and put INFANTRY2 on space 2 of leader 0, VIRATA.";
    assert_eq!(events[0].to_string(), said);
    let stored = to_value(&events[0]).expect("it is JSON");
    assert_eq!(from_value::<Event>(stored).expect("it was stored").to_string(), said, "not Virata");
    let score = game.standing().details.leaders.remove(0);
    assert_eq!((score.leader.to_string(), score.taker), ("VIRATA".to_string(), Some(ZERO)));
    assert_eq!(to_value(score).expect("it is JSON")["leader"], "VIRATA", "an outcome has the name alone");
    let built_in = table(2, FACES).standing().details.leaders.remove(0);
    assert_eq!(to_value(built_in).expect("it is JSON")["leader"], "DRUPADA", "as ever");
}

fn refused_pick(game: &Mahabharata, notation: &str) -> String {
    super::refused(game, ZERO, notation).text.into()
}

#[test]
fn own_tables_are_in_the_options_and_not_in_the_saved_position() {
    let entropy = Entropy::new(Seed::new([3; 32]), []);
    let options = with(own());
    let game = Game::<Mahabharata>::start(&options, 3, 2, &entropy).expect("the options are good");
    assert!(game.save().len() < 700, "{} bytes are saved", game.save().len());
    assert_eq!(Game::<Mahabharata>::load(&options, 2, &game.save()).expect("it was saved"), game);
    let other = Game::<Mahabharata>::load(&Options::default(), 2, &game.save()).expect("it was saved");
    assert_ne!(other, game);
    assert_eq!(game.branch(&entropy).expect("it is not over").rules().tables, game.rules().tables);
    assert_eq!(game.imagine(Viewer::Spectator, &mut Chance::fast(1)).rules().tables, game.rules().tables);
    assert!(Game::<Mahabharata>::load(&with(Components::default()), 2, &game.save()).is_err());
}
