//! mahola.12: tables of cards and characters in place of the built-in ones.

use serde_json::{from_value, json, to_value};

use super::*;

/// Tables that differ from the built-in ones in all that may differ: values up to 9, cards without points for other
/// dances, special dances with them, a card that looks for its own dance, other colours and animals of characters.
pub(super) fn own() -> Components {
    let mut components = Components::built_in();
    let cards = components.cards.as_mut().expect("the built-in tables are complete");
    for entry in cards.iter_mut() {
        entry.value = 10 - entry.value;
    }
    (cards[0].secondary, cards[0].adjacent) = (None, None);
    cards[4].secondary = Some(BonusEntry { dance: "WAR".into(), points: 9 });
    cards[40].adjacent = Some(BonusEntry { dance: "SUN".into(), points: 1 });
    let characters = components.characters.as_mut().expect("the built-in tables are complete");
    for (entry, (colour, animal)) in
        characters.iter_mut().zip([("GREEN", "SNAKE"), ("RED", "WOLF"), ("BLUE", "RAVEN"), ("YELLOW", "BEAR")])
    {
        (entry.colour, entry.animal) = (colour.into(), animal.into());
    }
    components
}

pub(super) fn with(components: Components) -> Options {
    Options { rounds_to_win: 2, components: Some(components), ..Options::default() }
}

fn own_table(seats: u8) -> Mahola {
    Mahola::setup(&with(own()), 2, seats, &mut Chance::fast(0))
}

/// The rule and the sentence with which the built-in tables are refused after this change.
fn fault(change: impl FnOnce(&mut Vec<CardEntry>, &mut Vec<CharacterEntry>)) -> (&'static str, String) {
    let Components { cards: Some(mut cards), characters: Some(mut characters) } = Components::built_in() else {
        panic!("the built-in tables are complete")
    };
    change(&mut cards, &mut characters);
    refused(Components { cards: Some(cards), characters: Some(characters) })
}

fn refused(components: Components) -> (&'static str, String) {
    let illegal = Mahola::check_options(&with(components), 2, 3).expect_err("the tables are refused");
    (illegal.rule.0, illegal.text.into())
}

fn bonus(dance: &str, points: i32) -> Option<BonusEntry> {
    Some(BonusEntry { dance: dance.into(), points })
}

fn one(text: &str) -> (&'static str, String) {
    ("mahola.12", text.to_string())
}

#[test]
fn a_table_that_is_wrong_is_refused_with_the_table_the_entry_and_the_fault() {
    // (a)
    let nothing = refused(Components::default());
    assert_eq!(nothing, ("mahola.12", "components needs the table cards, the table characters, or both.".into()));
    // (b)
    assert_eq!(fault(|cards, _| drop(cards.pop())), one("The table cards must have 44 entries, not 43."));
    assert_eq!(
        fault(|cards, _| cards[7] = cards[6].clone()),
        one("After card 7, the table cards must have card 8, not card 7.")
    );
    assert_eq!(fault(|cards, _| cards[0].card = -1), one("The table cards must begin with card 1, not card -1."));
    // (c)
    let said = "In the table cards, the dance of card 3 must be WAR, GOURD, SPIRIT, HOOP, FIRE, GRASS, RAIN, SUN or \
                SPECIAL, not \"war\".";
    assert_eq!(fault(|cards, _| cards[2].dance = "war".into()), one(said));
    let said = "In the table cards, the colour of card 3 must be RED, BLUE, YELLOW or GREEN, not \"PINK\".";
    assert_eq!(fault(|cards, _| cards[2].colour = "PINK".into()), one(said));
    for value in [0, 10, -4, i32::MAX] {
        let said = format!("In the table cards, the value of card 3 must be a whole number from 1 to 9, not {value}.");
        assert_eq!(fault(|cards, _| cards[2].value = value), one(&said));
    }
    let said = "In the table cards, the animal of card 44 must be BEAR, SNAKE, WOLF or RAVEN, not \"FOX\".";
    assert_eq!(fault(|cards, _| cards[43].animal = "FOX".into()), one(said));
    // (d)
    let said = "In the table cards, the dance of secondary of card 9 must be WAR, GOURD, SPIRIT, HOOP, FIRE, GRASS, RAIN \
                or SUN, not \"SPECIAL\".";
    assert_eq!(fault(|cards, _| cards[8].secondary = bonus("SPECIAL", 1)), one(said));
    let said = "In the table cards, the points of adjacent of card 9 must be a whole number from 1 to 9, not 0.";
    assert_eq!(fault(|cards, _| cards[8].adjacent = bonus("SUN", 0)), one(said));
    // (e)
    let without = |cards: &mut Vec<CardEntry>, dance: &str| {
        cards.iter_mut().filter(|entry| entry.dance == dance).for_each(|entry| entry.dance = "SPECIAL".into());
    };
    assert_eq!(fault(|cards, _| without(cards, "SUN")), one("In the table cards, no card shows the dance SUN."));
    let said = "In the table cards, no card shows the colour GREEN.";
    assert_eq!(fault(|cards, _| cards.iter_mut().for_each(|entry| entry.colour = next_of(&entry.colour))), one(said));
    let said = "In the table cards, no card shows the animal BEAR.";
    let no_bear = |entry: &mut CardEntry| entry.animal = entry.animal.replace("BEAR", "WOLF");
    assert_eq!(fault(|cards, _| cards.iter_mut().for_each(no_bear)), one(said));
    // (f)
    assert_eq!(fault(|_, characters| drop(characters.pop())), one("The table characters must have 4 entries, not 3."));
    let said = "After CHIEF, the table characters must have SHAMAN, not \"HUNTER\".";
    assert_eq!(fault(|_, characters| characters.swap(1, 2)), one(said));
    let said = "In the table characters, CHIEF and MAIDEN have the same colour, RED.";
    assert_eq!(fault(|_, characters| characters[3].colour = "RED".into()), one(said));
    let said = "In the table characters, SHAMAN and HUNTER have the same animal, SNAKE.";
    assert_eq!(fault(|_, characters| characters[2].animal = "SNAKE".into()), one(said));
    let said = "In the table characters, the animal of HUNTER must be BEAR, SNAKE, WOLF or RAVEN, not \"FOX\".";
    assert_eq!(fault(|_, characters| characters[2].animal = "FOX".into()), one(said));
}

/// Another colour than GREEN.
fn next_of(colour: &str) -> String {
    if colour == "GREEN" { "RED".into() } else { colour.into() }
}

#[test]
fn of_several_faults_the_first_in_the_order_of_the_rule_is_named() {
    let first = |(rule, said): (&'static str, String), word: &str| {
        assert_rule!("mahola.12", (rule, said.contains(word)), ("mahola.12", true), "{said}");
    };
    first(
        fault(|cards, _| {
            cards[40].card = 7;
            cards[0].value = 0;
        }),
        "card 41",
    );
    first(
        fault(|cards, _| {
            cards[0].secondary = bonus("SUN", 10);
            cards[43].animal = "FOX".into();
        }),
        "FOX",
    );
    first(
        fault(|cards, characters| {
            characters.clear();
            cards[43].adjacent = bonus("FOX", 1);
        }),
        "card 44",
    );
    first(
        fault(|cards, _| {
            cards[1].animal = "FOX".into();
            cards[1].colour = "PINK".into();
        }),
        "PINK",
    );
}

#[test]
fn whatever_the_rule_allows_is_a_table() {
    let good = |components: &Components| Mahola::check_options(&with(components.clone()), 2, 4);
    assert_eq!(good(&Components::built_in()), Ok(()));
    assert_eq!(good(&own()), Ok(()));
    let Components { cards, characters } = own();
    assert_eq!(good(&Components { cards: cards.clone(), characters: None }), Ok(()));
    assert_eq!(good(&Components { cards: None, characters }), Ok(()));
    let mut plain = cards.expect("there are cards");
    plain.iter_mut().for_each(|entry| (entry.secondary, entry.adjacent) = (None, None));
    assert_eq!(good(&Components { cards: Some(plain), characters: None }), Ok(()), "no card needs such points");
}

#[test]
fn the_built_in_tables_are_served_in_the_shape_of_the_option() {
    let built_in = Tables::of(Some(&Components::built_in())).expect("they are good");
    for card in Card::all() {
        assert_eq!(built_in.face(card), Tables::default().face(card));
    }
    for character in Character::ALL {
        let looks = |tables: &Tables| (tables.colour(*character), tables.animal(*character));
        assert_eq!(looks(&built_in), looks(&Tables::default()));
    }
    let card = to_value(Components::built_in()).expect("it is JSON")["cards"][0].take();
    let same = json!({
        "card": 1, "dance": "WAR", "colour": "RED", "value": 1, "animal": "SNAKE",
        "secondary": { "dance": "GOURD", "points": 3 }, "adjacent": { "dance": "SUN", "points": 2 },
    });
    assert_eq!(card, same);
}

#[test]
fn a_given_table_is_no_reconstruction_and_one_left_out_is() {
    let marks = |options: &Options| -> Vec<(&str, bool)> {
        Mahola::components(options, 2).iter().map(|table| (table.name, table.reconstructed)).collect()
    };
    assert_eq!(marks(&Options::default()), [("cards", true), ("characters", true)]);
    assert_eq!(marks(&with(own())), [("cards", false), ("characters", false)]);
    let cards_only = Components { characters: None, ..own() };
    assert_eq!(marks(&with(cards_only)), [("cards", false), ("characters", true)]);
    let first = &Mahola::components(&with(own()), 2)[0].rows[0];
    assert_eq!(first[..], ["1", "WAR", "RED", "9", "SNAKE", "", "", "", ""]);
}

#[test]
fn null_is_the_same_as_left_out_and_what_has_another_shape_is_unreadable() {
    let read = |json| from_value::<Options>(json);
    assert_eq!(read(json!({ "components": null })).expect("null is fine"), Options::default());
    let mut nulls = to_value(Components::built_in()).expect("it is JSON");
    nulls["cards"][40]["secondary"] = json!(null);
    nulls["characters"] = json!(null);
    let options = read(json!({ "components": nulls })).expect("null is fine");
    assert_eq!(options.components, Some(Components { characters: None, ..Components::built_in() }));
    for odd in [json!([]), json!({ "dice": [] }), json!({ "cards": {} }), json!({ "cards": [{ "card": "1" }] })] {
        assert!(read(json!({ "components": odd })).is_err());
    }
}

#[test]
fn version_1_has_no_tables_of_its_own() {
    let given = Options { components: Some(own()), ..Options::default() };
    assert_eq!((Mahola::unknown_option(&given, 1), Mahola::unknown_option(&given, 2)), (Some("components"), None));
    let ids = |version| Mahola::about(version).rules.iter().map(|rule| rule.id.0).collect::<Vec<_>>();
    assert_eq!((ids(1).last(), ids(2).last()), (Some(&"mahola.11"), Some(&"mahola.12")));
    assert_eq!(Mahola::about(1).options.len(), 1);
}

#[test]
fn scores_are_those_of_the_own_tables() {
    let tables = Tables::of(Some(&own())).expect("the tables are good");
    // WAR 9 RED, GOURD 6 RED, SUN 8 RED: the Shaman is red now.
    let score = tableau(&[1, 9, 37]).score(Shaman, &tables);
    assert_eq!(score.cards.iter().map(|card| card.value).collect::<Vec<_>>(), [9, 6, 8]);
    assert_eq!(score.cards[0].secondary, 0, "card 1 looks for nothing now");
    assert_eq!((score.cards[2].secondary, score.total), (3, 9 + 6 + 8 + 3), "card 37 looks for GOURD");
    assert_eq!(tableau(&[1]).score(Chief, &tables).cards[0].because, Because::Animal, "the Chief has the snake");
    // Card 5 looks for its own dance, on another card.
    assert_eq!(tableau(&[5, 37]).score(Chief, &tables).cards[0].secondary, 0);
    assert_eq!(tableau(&[5, 37, 2]).score(Chief, &tables).cards[0].secondary, 9);
    // A special dance with points of its own.
    assert_eq!(tableau(&[37, 41, 38]).score(Chief, &tables).cards[1].adjacent, 2);
    assert_eq!(tableau(&[1, 9, 37]).score(Chief, &Tables::default()).total, 13, "other games keep their tables");
}

#[test]
fn words_views_and_events_show_the_own_tables() {
    let mut mahola = own_table(3);
    mahola.hands[ZERO] = cards(&[1, 2, 3, 4, 5]);
    assert_eq!(mahola.describe(ZERO, &mv("play 1 LEFT")), "Play 1 (WAR, RED 9, SNAKE) to the LEFT end");
    let (_, text) = mahola.describe_token(ZERO, &["play"], "1");
    assert_eq!(text, "Play 1 (WAR, RED 9, SNAKE)");
    assert_eq!(mahola.view(Viewer::Spectator).tables.face(card(1)).value, 9);

    let placed = Event::Placed { seat: ZERO, card: Shown::new(&mahola.tables, card(1)), end: None };
    assert_eq!(placed.to_string(), "Seat 0 placed 1 (WAR, RED 9, SNAKE) as its first card.");
    let stored = to_value(&placed).expect("it is JSON");
    assert_eq!(from_value::<Event>(stored).expect("it was stored"), placed);
    let old = json!({ "placed": { "seat": 0, "card": 1, "end": null } });
    let old = from_value::<Event>(old).expect("events of the built-in tables have the number alone");
    assert_eq!(old.to_string(), "Seat 0 placed 1 (WAR, RED 1, SNAKE) as its first card.");
    let exchanged = Ability::Exchanged { position: 2, put: card(41), taken: card(1) }.shown(&mahola.tables);
    let used = Event::UsedAbility { seat: ZERO, character: Hunter, ability: exchanged };
    assert_eq!(
        used.to_string(),
        "Seat 0, the HUNTER, exchanged 1 (WAR, RED 9, SNAKE) at 2 for 41 (special, RED 6, BEAR)."
    );
    assert_eq!(from_value::<Event>(to_value(&used).expect("it is JSON")).expect("it was stored"), used);
}

#[test]
fn own_tables_are_in_the_options_and_not_in_the_saved_position() {
    let entropy = Entropy::new(Seed::new([3; 32]), []);
    let start = |options: &Options| Game::<Mahola>::start(options, 3, 2, &entropy).expect("the options are good");
    let (own, built_in) = (start(&with(own())), start(&Options { components: None, ..with(own()) }));
    assert_eq!(own.save(), built_in.save(), "the deal is the same");
    assert_ne!(own, built_in);
    assert_eq!(Game::<Mahola>::load(&with(own_tables()), 2, &own.save()).expect("it was saved"), own);
    let other = Game::load(&Options::default(), 2, &own.save()).expect("it was saved");
    assert_eq!(other, built_in);
    let twin = own.imagine(Viewer::Seat(ZERO), &mut Chance::fast(1));
    assert_eq!(twin.rules().tables, own.rules().tables);
    let branch = own.branch(&entropy).expect("it is not over");
    assert_eq!(branch.rules().tables, own.rules().tables);
    let mut broken = with(own_tables());
    broken.components = Some(Components::default());
    assert!(Game::<Mahola>::load(&broken, 2, &own.save()).is_err(), "a table that is no table is not replaced");
}

/// Under another name where `own` is a game.
fn own_tables() -> Components {
    own()
}
