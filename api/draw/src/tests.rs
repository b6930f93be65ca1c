//! Promises of every picture and text, checked over seeded random games of every kind.

mod layout;

use std::collections::{BTreeMap, BTreeSet};

use domain::games::{mahabharata, mahola};
use domain::{AnyGame, AnyOptions, Chance, Continuation, Entropy, Kind, Seat, Seats, Seed, TokenType, Viewer};
use roxmltree::Document;

use crate::{Setting, Theme, components, picture, text};

/// The largest picture, in bytes.
const MOST_BYTES: usize = 60_000;
/// The largest picture of components: ten leaders with 18 spaces each.
const MOST_BYTES_OF_A_BOX: usize = 80_000;
const WIDTHS: [u32; 2] = [360, 1600];
/// The most legal moves of a position whose tokens are looked up.
const LISTED: usize = 200;

/// Calls with positions of a random game: about every `every`th, the first and the last.
fn walk(options: &AnyOptions, seats: u8, seed: u64, every: u32, most: u32, mut see: impl FnMut(&AnyGame)) {
    let mut bytes = [7; 32];
    bytes[..8].copy_from_slice(&seed.to_be_bytes());
    let entropy = Entropy::new(Seed::new(bytes), []);
    let version = options.kind().rules_version();
    let mut game = AnyGame::start(options, seats, version, &entropy).expect("the table can be set up");
    let mut chance = Chance::fast(seed);
    see(&game);
    while game.ply() < most
        && let Some(seat) = game.to_act().iter().last()
    {
        // Passing and ending the turn come first in some lists, and would make dull games.
        let (moves, _) = game.legal_moves(seat, 400);
        let busy: Vec<_> =
            moves.iter().filter(|mv| !matches!(mv.notation.as_str(), "pass" | "decline" | "end")).collect();
        let mv = if busy.is_empty() || chance.happens(1, 6) { chance.pick(&moves) } else { *chance.pick(&busy) };
        game.play(seat, &mv.mv, &entropy).expect("a listed move is legal");
        if game.ply().is_multiple_of(every) || game.to_act().is_empty() {
            see(&game);
        }
    }
}

/// Tables worth drawing: fewest and most seats, and options that change what there is to draw.
fn tables() -> Vec<(AnyOptions, u8)> {
    let mut tables = Vec::new();
    for kind in Kind::ALL {
        tables.extend([*kind.seats().start(), *kind.seats().end()].map(|seats| (kind.default_options(), seats)));
    }
    let more = [
        (Kind::Kalah, r#"{"pockets":12,"seedsPerPocket":12}"#, 2),
        (Kind::Kalah, r#"{"pockets":1,"seedsPerPocket":1}"#, 2),
        (Kind::Mahabharata, r#"{"askEveryone":true}"#, 3),
        (Kind::Mahola, r#"{"roundsToWin":1}"#, 4),
        (Kind::Macarena, r#"{"firstHandReturns":true,"maxHands":2}"#, 3),
        (Kind::Mara, r#"{"variant":"FAMILY","notepads":true}"#, 4),
        (Kind::Mara, r#"{"notepads":true}"#, 3),
    ];
    for (kind, options, seats) in more {
        let options = serde_json::from_str(options).expect("the options are JSON");
        tables.push((kind.load_options(kind.rules_version(), options).expect("the options are known"), seats));
    }
    tables.extend(own_tables());
    tables
}

/// Tables with components of their own that need the most room: long names, many spaces on one leader, many leaders, and
/// special dances with points.
fn own_tables() -> Vec<(AnyOptions, u8)> {
    let leaders = |points: [i32; 10]| {
        let leader = |(n, points): (usize, i32)| mahabharata::LeaderEntry {
            name: format!("{n} <Ā> & \u{202e}{}", "W".repeat(30)),
            points,
            spaces: (0..points).map(|space| if space % 2 == 0 { "CHARIOT" } else { "INFANTRY" }.to_string()).collect(),
        };
        let leaders = points.into_iter().enumerate().map(leader).collect();
        let components = mahabharata::Components { dice: None, leaders: Some(leaders) };
        AnyOptions::Mahabharata(mahabharata::Options { components: Some(components), ..Default::default() })
    };
    let mut cards = mahola::Components::built_in().cards.expect("the built-in tables are complete");
    for card in &mut cards {
        card.dance = if card.card % 2 == 0 { "SPECIAL".into() } else { card.dance.clone() };
        card.secondary = Some(mahola::BonusEntry { dance: "GRASS".into(), points: 9 });
        card.adjacent = card.secondary.clone();
    }
    let components = mahola::Components { cards: Some(cards), characters: None };
    let mahola = mahola::Options { components: Some(components), ..Default::default() };
    vec![
        (leaders([18, 18, 18, 18, 18, 18, 18, 18, 18, 18]), 4),
        (leaders([9, 1, 1, 1, 1, 1, 1, 1, 1, 1]), 4),
        (AnyOptions::Mahola(mahola), 4),
    ]
}

/// The components of each kind, and those of own tables.
fn boxes() -> Vec<AnyOptions> {
    let of_kinds = Kind::ALL.iter().map(|kind| kind.default_options());
    of_kinds.chain(own_tables().into_iter().map(|(options, _)| options)).collect()
}

fn setting(game: &AnyGame, seat: Option<Seat>, width: u32) -> Setting {
    let names = [
        "Ana",
        "Bhima \u{202e}& <b>Co</b>",
        "'\"><script>alert(1)</script>",
        "Wolfgang Amadeus von Mahlsdorf-Wusterhausen",
        "",
    ];
    Setting {
        seat,
        names: names.map(|name| Some(name.to_string())).into_iter().take(game.seats().into()).collect(),
        to_act: game.to_act(),
        winners: game.outcome().map(|outcome| outcome.winners).unwrap_or_default(),
        theme: Theme::Light,
        width,
    }
}

/// Every viewer of a position; after the end also the one that sees everything.
fn viewers(game: &AnyGame) -> Vec<(Viewer, Option<Seat>)> {
    let seats = Seat::all(game.seats()).map(|seat| (Viewer::Seat(seat), Some(seat)));
    let open = game.over().map(|over| (Viewer::Open(over), None));
    seats.chain([(Viewer::Spectator, None)]).chain(open).collect()
}

fn check_document(drawn: &str) {
    check_document_of(drawn, MOST_BYTES);
}

fn check_document_of(drawn: &str, most_bytes: usize) {
    assert!(drawn.len() <= most_bytes, "a picture has {} bytes", drawn.len());
    let document = Document::parse(drawn).unwrap_or_else(|fault| panic!("{fault}: {drawn}"));
    let mut ids = BTreeSet::new();
    for node in document.descendants() {
        let name = node.tag_name().name();
        assert!(!["script", "style", "foreignObject", "image", "a"].contains(&name), "a picture has <{name}>");
        for attribute in node.attributes() {
            assert!(!attribute.name().starts_with("on"), "a picture has a handler");
            if attribute.name() == "id" {
                assert!(ids.insert(attribute.value().to_string()), "two elements have the id {}", attribute.value());
            }
            if attribute.name() == "href" {
                assert!(attribute.value().starts_with('#'), "a reference leaves the picture");
            }
        }
        if node.attribute("data-token").is_some() {
            assert!(node.attribute("data-type").is_some() && node.attribute("id").is_some());
            assert_eq!(node.first_element_child().map(|child| child.tag_name().name()), Some("title"));
        }
    }
    for used in document.descendants().filter_map(|node| node.attribute("href")) {
        assert!(ids.contains(&used[1..]), "{used} is not defined");
    }
}

#[test]
fn every_picture_is_small_well_formed_and_closed() {
    let mut largest = (0, Kind::Kalah);
    for (n, (options, seats)) in (0..).zip(tables()) {
        walk(&options, seats, n, 29, 900, |game| {
            for (viewer, seat) in viewers(game) {
                for width in WIDTHS {
                    let drawn = picture(&game.view(viewer), &setting(game, seat, width));
                    largest = largest.max((drawn.len(), options.kind()));
                    check_document(&drawn);
                }
            }
        });
    }
    println!("the largest picture: {largest:?}");
}

#[test]
fn components_are_drawn_small_and_well_formed() {
    for options in boxes() {
        for width in WIDTHS {
            for theme in [Theme::Light, Theme::Dark] {
                check_document_of(&components(&options, theme, width), MOST_BYTES_OF_A_BOX);
            }
        }
    }
}

#[test]
fn every_piece_that_a_legal_move_names_is_in_the_picture_and_in_the_text() {
    for (n, (options, seats)) in (0..).zip(tables()) {
        walk(&options, seats, 100 + n, 5, 150, |game| {
            for seat in game.to_act().iter() {
                let drawn = picture(&game.view(Viewer::Seat(seat)), &setting(game, Some(seat), 960));
                let document = Document::parse(&drawn).expect("the picture is well-formed");
                let named: BTreeSet<(&str, &str)> = document
                    .descendants()
                    .filter(|node| node.attribute("data-seat").is_none_or(|owner| owner == seat.to_string()))
                    .filter_map(|node| Some((node.attribute("data-type")?, node.attribute("data-token")?)))
                    .collect();
                let said = text(&game.view(Viewer::Seat(seat)), &setting(game, Some(seat), 960));
                let is_in_word = |c: char| c.is_alphanumeric() || c == '-' || c == '.';
                // A full stop at the end of a sentence is no part of a word.
                let words: BTreeSet<&str> =
                    said.split(|c| !is_in_word(c)).map(|word| word.trim_end_matches('.')).collect();
                for (token_type, token) in tokens_of_moves(game, seat) {
                    let name = match token_type {
                        TokenType::Card => "CARD",
                        TokenType::Place => "PLACE",
                        TokenType::Number => "NUMBER",
                        TokenType::Verb => continue,
                    };
                    assert!(words.contains(token.as_str()), "{token} is not in the text for seat {seat}: {said}");
                    assert!(named.contains(&(name, &token)), "{name} {token} is not drawn for seat {seat}: {drawn}");
                }
            }
        });
    }
}

/// Every token of the listed moves with its type, once.
fn tokens_of_moves(game: &AnyGame, seat: Seat) -> Vec<(TokenType, String)> {
    let mut known: BTreeMap<String, Vec<Continuation>> = BTreeMap::new();
    let mut found: Vec<(TokenType, String)> = Vec::new();
    for mv in game.legal_moves(seat, LISTED).0 {
        let tokens: Vec<&str> = mv.notation.split(' ').collect();
        for (n, token) in tokens.iter().enumerate() {
            let next = known.entry(tokens[..n].join(" ")).or_insert_with(|| game.continuations(seat, &tokens[..n]).0);
            let next = next.iter().find(|next| next.token == *token).expect("continuations lead along a move");
            if !found.iter().any(|(kind, token)| *kind == next.token_type && *token == next.token) {
                found.push((next.token_type, next.token.clone()));
            }
        }
    }
    found
}

#[test]
fn pictures_and_texts_of_imagined_twins_are_the_same() {
    for (n, (options, seats)) in (0..).zip(tables()) {
        let mut chance = Chance::fast(n);
        walk(&options, seats, 200 + n, 19, 300, |game| {
            for (viewer, seat) in viewers(game).into_iter().filter(|(viewer, _)| !viewer.is_open()) {
                let twin = game.imagine(viewer, &mut chance);
                let drawn = |game: &AnyGame| picture(&game.view(viewer), &setting(game, seat, 360));
                let said = |game: &AnyGame| text(&game.view(viewer), &setting(game, seat, 360));
                assert_eq!(drawn(game), drawn(&twin));
                assert_eq!(said(game), said(&twin));
            }
        });
    }
}

#[test]
fn names_are_escaped_and_keep_to_their_line() {
    for (options, seats) in tables() {
        walk(&options, seats, 1, 1000, 0, |game| {
            let mut setting = setting(game, None, 960);
            setting.names = vec![Some("<script>\n\u{0}&\"'\u{202e}\u{ffff}".into()); seats.into()];
            let drawn = picture(&game.view(Viewer::Spectator), &setting);
            check_document(&drawn);
            assert!(!drawn.contains("<script") && !drawn.contains('\u{202e}'));
            let said = text(&game.view(Viewer::Spectator), &setting);
            assert!(said.chars().all(|letter| letter == '\n' || !letter.is_control()), "{said}");
            assert_eq!(said.lines().count(), {
                setting.names.clear();
                text(&game.view(Viewer::Spectator), &setting).lines().count()
            });
        });
    }
}

#[test]
fn any_width_and_any_seat_can_be_drawn() {
    for kind in Kind::ALL {
        let seats = *kind.seats().start();
        walk(&kind.default_options(), seats, 3, 10, 20, |game| {
            for width in [0, 1, 719, 720, u32::MAX] {
                let seat = Some(Seat::new(7));
                check_document(&picture(&game.view(Viewer::Spectator), &Setting { seat, width, ..Setting::default() }));
            }
        });
    }
}

#[test]
fn the_viewer_is_at_the_bottom() {
    walk(&Kind::Kalah.default_options(), 2, 0, 100, 0, |game| {
        for seat in Seat::all(2) {
            let drawn = picture(&game.view(Viewer::Seat(seat)), &setting(game, Some(seat), 960));
            let height = |pocket: Seat| {
                let start = drawn.find(&format!("id=\"pocket-{pocket}-0\"")).expect("the pocket is drawn");
                let y = drawn[start..].split("cy=\"").nth(1).expect("a pocket is round");
                y.split('"').next().and_then(|y| y.parse::<i32>().ok()).expect("a number")
            };
            assert!(height(seat) > height(seat.left(2)));
        }
    });
}

#[test]
fn opposite_pockets_are_in_one_column() {
    walk(&Kind::Kalah.default_options(), 2, 0, 100, 0, |game| {
        let drawn = picture(&game.view(Viewer::Spectator), &setting(game, None, 960));
        let column = |seat: u8, pocket: u8| {
            let start = drawn.find(&format!("id=\"pocket-{seat}-{pocket}\"")).expect("the pocket is drawn");
            drawn[start..]
                .split("cx=\"")
                .nth(1)
                .and_then(|x| x.split('"').next())
                .expect("a pocket is round")
                .to_string()
        };
        for pocket in 0..6 {
            assert_eq!(column(0, pocket), column(1, 5 - pocket));
        }
    });
}

#[test]
fn text_and_grounds_have_enough_contrast() {
    for theme in [Theme::Light, Theme::Dark] {
        let p = theme.palette();
        let mut pairs = vec![
            (p.ink, p.ground),
            (p.ink, p.panel),
            (p.ink, p.sunken),
            (p.ink, p.card),
            (p.muted, p.ground),
            (p.muted, p.panel),
            (p.muted, p.sunken),
            (p.muted, p.card),
            (p.accent, p.panel),
            (p.on_accent, p.accent),
            (p.on_wood, p.wood),
            (p.on_hollow, p.hollow),
        ];
        pairs.extend(p.seats.map(|seat| (p.on_seat, seat)));
        let hues = [p.red, p.blue, p.yellow, p.green, p.brown, p.teal];
        let pales = [p.pale_red, p.pale_blue, p.pale_yellow, p.pale_green, p.pale_brown, p.pale_teal];
        pairs.extend(pales.map(|pale| (p.ink, pale)));
        pairs.extend(hues.into_iter().zip(pales));
        for (front, back) in pairs {
            let contrast = contrast(front, back);
            assert!(contrast >= 4.5, "{front} on {back} in {theme:?} has {contrast:.2}");
        }
    }
}

/// By WCAG 2.
fn contrast(one: &str, other: &str) -> f64 {
    let light = |colour: &str| {
        let part = |at: usize| {
            let part = u8::from_str_radix(&colour[at..at + 2], 16).expect("a colour is written #rrggbb");
            let part = f64::from(part) / 255.0;
            if part <= 0.03928 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5)
    };
    let (one, other) = (light(one), light(other));
    (one.max(other) + 0.05) / (one.min(other) + 0.05)
}

#[test]
fn a_text_says_who_is_to_act_and_who_won() {
    let setting = |to_act, winners| Setting {
        names: vec![Some("Ana".into()), None],
        seat: Some(Seat::new(0)),
        to_act,
        winners,
        ..Setting::default()
    };
    let said = |to_act, winners| setting(to_act, winners).status_line();
    assert_eq!(said(Seats::all(2), Seats::NONE), "To act: seat 0 (Ana, you) and seat 1.");
    assert_eq!(said(Seats::NONE, Seats::one(Seat::new(0))), "The game is over. Won by seat 0 (Ana, you).");
    assert_eq!(said(Seats::NONE, Seats::NONE), "The game is over.");
}

/// Writes pictures to look at: `MAIDAN_PICTURES=directory cargo test -p draw pictures_to_look_at`.
#[test]
fn pictures_to_look_at() {
    let Some(directory) = std::env::var_os("MAIDAN_PICTURES").map(std::path::PathBuf::from) else { return };
    let save = |name: String, drawn: &str| std::fs::write(directory.join(&name), drawn).expect("the directory exists");
    for (n, (options, seats)) in (0..).zip(tables()) {
        let kind = options.kind().name().to_lowercase();
        walk(&options, seats, 300 + n, 20, 400, |game| {
            let (ply, over) = (game.ply(), game.to_act().is_empty());
            for (viewer, seat) in viewers(game) {
                for (width, theme) in
                    [(360, Theme::Light), (1600, Theme::Dark), (1600, Theme::Light), (360, Theme::Dark)]
                {
                    let who = seat
                        .map_or(if viewer.is_open() { "open".into() } else { "watch".into() }, |seat| seat.to_string());
                    let mut setting = Setting { theme, ..setting(game, seat, width) };
                    setting.names[1] = Some("Bhima".into());
                    let end = if over { "-end" } else { "" };
                    let name = format!("{kind}-{n}-{seats}-{ply:03}{end}-{who}-{width}-{theme:?}");
                    save(format!("{name}.svg"), &picture(&game.view(viewer), &setting));
                    save(format!("{name}.txt"), &text(&game.view(viewer), &setting));
                }
            }
        });
    }
    for (n, options) in boxes().iter().enumerate() {
        for (width, theme) in [(360, Theme::Light), (1600, Theme::Dark), (1600, Theme::Light)] {
            let kind = options.kind().name().to_lowercase();
            save(format!("{kind}-box-{n}-{width}-{theme:?}.svg"), &components(options, theme, width));
        }
    }
}
