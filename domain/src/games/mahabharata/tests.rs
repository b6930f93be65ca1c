use std::collections::{BTreeMap, BTreeSet};

use super::leaders::Space;
use super::*;
use crate::asserted::{self, assert_rule};
use crate::contract::{self, Promises};
use crate::evenness::{assert_fits, count, evenly};
use crate::playout::playout;
use crate::{Ending, Entropy, Game, Kind, Nobody, Seed, golden};

mod judgement;
mod own_tables;

const ZERO: Seat = Seat::new(0);
const ONE: Seat = Seat::new(1);
const TWO: Seat = Seat::new(2);
const THREE: Seat = Seat::new(3);

impl Promises for Mahabharata {
    fn tables(version: u32) -> Vec<(Options, u8)> {
        let first = |seat| Options { first_seat: Some(seat), ..Options::default() };
        let mut setups = vec![
            (Options::default(), 2),
            (Options::default(), 3),
            (Options::default(), 4),
            (first(ONE), 2),
            (first(TWO), 4),
        ];
        if version >= 2 {
            let asking = Options { ask_everyone: Some(true), ..Options::default() };
            setups.extend([(asking.clone(), 3), (asking, 4), (own_tables::with(own_tables::own()), 3)]);
        }
        setups
    }

    fn inventory(&self) -> BTreeMap<String, u32> {
        let mut counted = BTreeMap::new();
        let mut lies = |owner: Seat, tokens: &Tokens| {
            for token in Token::ALL {
                *counted.entry(format!("{token} of seat {owner}")).or_insert(0) += u32::from(tokens.count(token));
            }
        };
        for (seat, player) in self.players.iter() {
            lies(seat, &player.pool);
            lies(seat, &player.screen);
        }
        for space in self.leaders.iter().flat_map(|in_play| &in_play.spaces) {
            match space.owner {
                Some(owner) => lies(owner, &space.stack),
                None => assert_eq!(space.stack.len(), 0, "tokens belong to somebody"),
            }
        }
        counted.insert("leaders".into(), small(self.leaders.len() + self.discarded.len()).into());
        counted.insert("dice".into(), small(self.dice.len()).into());
        counted
    }

    fn arbitrary_move(&self, chance: &mut Chance) -> Move {
        match chance.below(10) {
            0 => return Move::Reveal,
            1 => return Move::Hold,
            _ => {}
        }
        let mut below = |usual| {
            let n = if chance.happens(1, 9) { 256 } else { usual };
            small(chance.index(n))
        };
        let (die, leader, space) = (below(8), below(5), below(6));
        let shows_raja = self.face(die) == Some(Face::Raja);
        let named = if shows_raja { chance.happens(7, 8) } else { chance.happens(1, 8) };
        let token = named.then(|| *chance.pick(&Token::ALL));
        let to = match chance.below(4) {
            0 => Place::Screen,
            _ => Place::Space { leader, space },
        };
        Move::Pick { die, token, to }
    }

    /// Gathers a Pati first and holds it back more often than not, so that several are asked at once.
    fn sensible_move(&self, seat: Seat, chance: &mut Chance) -> Move {
        if self.phase != Phase::Picking {
            let reveals = self.has_complete_pati(seat) && chance.happens(1, 4);
            return if reveals { Move::Reveal } else { Move::Hold };
        }
        let helps = |mv: &Move| match *mv {
            Move::Pick { die, to: Place::Screen, .. } => match self.face(die) {
                Some(Face::Shows(token)) => helps_the_pati(&self.players[seat].screen, token),
                _ => false,
            },
            _ => false,
        };
        let helping: Vec<Move> = self.legal_moves(seat).filter(helps).collect();
        if helping.is_empty() { self.any_move(seat, chance) } else { *chance.pick(&helping) }
    }

    fn unknown(&self, viewer: Viewer) -> BTreeSet<(String, String)> {
        let Phase::Answering { reveal, hold, .. } = self.phase else { return BTreeSet::new() };
        let answers = |seats: Seats, answer: &'static str| {
            let hidden = seats.iter().filter(move |seat| !viewer.sees(*seat));
            hidden.map(move |seat| (format!("answer {seat}"), answer.to_string()))
        };
        answers(reveal, "REVEAL").chain(answers(hold, "HOLD")).collect()
    }

    fn possible(&self, viewer: Viewer) -> BTreeSet<(String, String)> {
        let places = self.unknown(viewer).into_iter().map(|(place, _)| place);
        let answers = |place: String| {
            let seat = Seat::new(place.trim_start_matches("answer ").parse().expect("it is the number of a seat"));
            let answers: &[&str] = if self.has_complete_pati(seat) { &["REVEAL", "HOLD"] } else { &["HOLD"] };
            answers.iter().map(move |answer| (place.clone(), answer.to_string()))
        };
        places.flat_map(answers).collect()
    }
}

/// Whether the token roughly helps to complete the part of its unit.
fn helps_the_pati(screen: &Tokens, token: Token) -> bool {
    let needed = PATI[token.unit() as usize];
    let there: u8 =
        screen.sorted().iter().filter(|other| other.unit() == token.unit()).map(|other| other.number()).sum();
    there + token.number() <= needed
}

// Positions are built by hand: these four leaders, seat 0 with the elephant, full pools, and the given dice.
//
// leader 0 Drupada        4  C E V I
// leader 1 Shalya         4  C C V I
// leader 2 Karna          5  C E E I I
// leader 3 Krishna        5  C E V V I

const IN_PLAY: [Leader; 4] = [Leader::Drupada, Leader::Shalya, Leader::Karna, Leader::Krishna];
/// One face of every kind of die, and a Raja on the second of them.
const FACES: &str = "CHARIOT1 RAJA ELEPHANT1 RAJA CAVALRY2 RAJA INFANTRY3 RAJA";
const PLAIN: &str = "CHARIOT1 CHARIOT1 ELEPHANT1 ELEPHANT1 CAVALRY1 CAVALRY2 INFANTRY4 INFANTRY5";
const COMPLETE_PATI: &str = "CHARIOT1 ELEPHANT1 CAVALRY3 INFANTRY5";

fn table(seats: u8, faces: &str) -> Mahabharata {
    let options = Options { first_seat: Some(ZERO), ..Options::default() };
    let mut game = Mahabharata::setup(&options, 2, seats, &mut Chance::fast(0));
    game.leaders = IN_PLAY.map(|leader| InPlay::new(leader, &game.tables)).to_vec();
    game.discarded = Vec::new();
    let faces: Vec<Option<Face>> = faces.split(' ').map(|face| Face::try_from(face.to_string()).ok()).collect();
    game.dice = faces.try_into().expect("there are eight dice");
    game
}

/// The same position by version 1 of the rules.
fn of_version_1(game: &Mahabharata) -> Mahabharata {
    game.clone().with_edition(Edition::default())
}

/// The same position with `askEveryone`.
fn asking_everyone(game: Mahabharata) -> Mahabharata {
    game.with_edition(Edition { version: 2, ask_everyone: true })
}

fn tokens(names: &str) -> Tokens {
    names.split_whitespace().map(|name| name.parse::<Token>().expect("that is a token")).collect()
}

/// Puts tokens from the pool behind the screen.
fn screen(game: &mut Mahabharata, seat: Seat, names: &str) {
    for token in tokens(names).sorted() {
        game.players[seat].pool.take(token);
        game.players[seat].screen.add(token);
    }
}

/// Puts this many tokens that fit from the pool on a leader space.
fn influence(game: &mut Mahabharata, seat: Seat, leader: usize, space: usize, n: u8) {
    for _ in 0..n {
        let there = &mut game.leaders[leader].spaces[space];
        let pool = &mut game.players[seat].pool;
        let fits = |token: &Token| token.unit() == there.unit && pool.has(*token);
        let token = Token::ALL.into_iter().find(fits).expect("the pool has one");
        pool.take(token);
        there.owner = Some(seat);
        there.stack.add(token);
    }
}

/// One token of seat 0's on every space.
fn fill_leaders(game: &mut Mahabharata) {
    for leader in 0..game.leaders.len() {
        for space in 0..game.leaders[leader].spaces.len() {
            let there = &mut game.leaders[leader].spaces[space];
            there.owner = Some(ZERO);
            there
                .stack
                .add(Token::ALL.into_iter().find(|token| token.unit() == there.unit).expect("each unit has one"));
        }
    }
}

fn play(game: &mut Mahabharata, seat: Seat, notation: &str) -> Vec<Event> {
    let mut events = Vec::new();
    let mv: Move = notation.parse().expect("the notation can be read");
    game.apply(seat, &mv, &mut Chance::fast(7), &mut events).expect("the move is legal");
    events
}

fn refused(game: &Mahabharata, seat: Seat, notation: &str) -> Illegal {
    let mv: Move = notation.parse().expect("the notation can be read");
    game.check(seat, &mv).expect_err("the move is illegal")
}

fn refusal(game: &Mahabharata, seat: Seat, notation: &str) -> (&'static str, Option<usize>) {
    let illegal = refused(game, seat, notation);
    (illegal.rule.0, illegal.token)
}

fn notations(game: &Mahabharata, seat: Seat) -> Vec<String> {
    game.legal_moves(seat).map(|mv| mv.to_string()).collect()
}

fn seats(numbers: &[u8]) -> Seats {
    numbers.iter().copied().map(Seat::new).collect()
}

/// Everybody puts the first plain die behind the screen until the round is over.
fn finish_round(game: &mut Mahabharata) -> Vec<Event> {
    let (round, mut events) = (game.round, Vec::new());
    while let (Phase::Picking, true, Some(seat)) = (game.phase, game.round == round, game.picker()) {
        let mv = notations(game, seat).into_iter().find(|mv| mv.ends_with("screen")).expect("a die is plain");
        events = play(game, seat, &mv);
    }
    events
}

/// A game in which these seats have complete Patis and were asked.
fn asked(count: u8, complete: &[u8]) -> Mahabharata {
    let mut game = table(count, "CHARIOT1 CHARIOT1 ELEPHANT1 ELEPHANT1 CAVALRY1 CAVALRY1 INFANTRY1 INFANTRY1");
    for seat in complete {
        screen(&mut game, Seat::new(*seat), COMPLETE_PATI);
    }
    finish_round(&mut game);
    game
}

#[test]
fn mahabharata_keeps_the_contract() {
    contract::uphold::<Mahabharata>(contract::games_or(150));
}

#[test]
fn golden_records_are_still_true() {
    let first = |seat| Options { first_seat: Some(seat), ..Options::default() };
    let tables =
        [(Options::default(), 2), (first(TWO), 3), (Options::default(), 4), (first(ZERO), 3), (first(THREE), 4)];
    golden::check::<Mahabharata>(Kind::Mahabharata, "mahabharata", 1, &tables);
    let asking = |first_seat| Options { first_seat, ask_everyone: Some(true), ..Options::default() };
    let tables = [(Options::default(), 2), (first(TWO), 3), (asking(None), 4), (asking(Some(ONE)), 3)];
    golden::check::<Mahabharata>(Kind::Mahabharata, "mahabharata", 2, &tables);
    let own = [(own_tables::with(own_tables::own()), 3)];
    golden::check_format::<Mahabharata>(Kind::Mahabharata, "mahabharata-own", 2, 2, &own);
}

#[test]
fn every_rule_is_tested() {
    asserted::every_rule_is_tested::<Mahabharata>(concat!(
        include_str!("tests.rs"),
        include_str!("tests/own_tables.rs")
    ));
}

// The box.

#[test]
fn tables_are_in_the_order_of_their_names() {
    for token in Token::ALL {
        assert_eq!(token.to_string(), format!("{}{}", token.unit(), token.number()));
        assert_eq!(format!("{token:?}").to_uppercase(), token.name());
        assert_eq!(serde_json::to_value(token).unwrap(), token.name());
        assert_eq!(token.name().parse(), Ok(token));
    }
    for leader in Leader::ALL {
        let card = Tables::default().leader(leader).clone();
        assert_eq!(format!("{leader:?}"), card.name);
        assert_eq!(card.spaces.len(), usize::from(card.points));
    }
}

#[test]
fn every_player_has_thirty_tokens_three_of_each_kind() {
    assert_eq!((Tokens::POOL.len(), Token::ALL.len()), (30, 10));
    assert!(Token::ALL.iter().all(|token| Tokens::POOL.count(*token) == 3));
}

#[test]
fn the_catalogue_serves_the_tables_and_says_what_is_reconstructed() {
    let tables = Mahabharata::about(2).components;
    let shown: Vec<_> = tables.iter().map(|table| (table.name, table.rows.len(), table.reconstructed)).collect();
    assert_eq!(shown, [("tokens", 10, false), ("dice", 8, true), ("leaders", 10, true)]);
    for table in &tables {
        assert!(table.rows.iter().all(|row| row.len() == table.columns.len()));
    }
    let cavalry = "4 CAVALRY CAVALRY1 CAVALRY1 CAVALRY2 CAVALRY2 CAVALRY3 RAJA";
    assert_eq!(tables[1].rows[4].join(" "), cavalry);
    assert_eq!(tables[2].rows[5], ["Drona", "5", "CHARIOT CHARIOT ELEPHANT CAVALRY INFANTRY"]);
}

#[test]
fn dice_show_their_faces_as_often_as_they_have_them() {
    let mut seen: BTreeMap<(usize, String), u32> = BTreeMap::new();
    let games = 12_000;
    for n in 0u32..games {
        let mut seed = [0; 32];
        seed[..4].copy_from_slice(&n.to_be_bytes());
        let entropy = Entropy::new(Seed::new(seed), []);
        let game = Mahabharata::setup(&Options::default(), 2, 2, &mut entropy.table(0));
        for (die, face) in game.dice_left() {
            *seen.entry((die.into(), face.to_string())).or_default() += 1;
        }
    }
    let expected: BTreeMap<(usize, String), u32> = [
        [("CHARIOT1", 5), ("RAJA", 1)].as_slice(),
        &[("ELEPHANT1", 5), ("RAJA", 1)],
        &[("CAVALRY1", 2), ("CAVALRY2", 2), ("CAVALRY3", 1), ("RAJA", 1)],
        &[("INFANTRY1", 1), ("INFANTRY2", 1), ("INFANTRY3", 1), ("INFANTRY4", 1), ("INFANTRY5", 1), ("RAJA", 1)],
    ]
    .iter()
    .enumerate()
    .flat_map(|(kind, faces)| [2 * kind, 2 * kind + 1].map(|die| (die, faces)))
    .flat_map(|(die, faces)| faces.iter().map(move |(face, sixths)| ((die, face.to_string()), sixths * games / 6)))
    .collect();
    assert_eq!(seen.keys().collect::<Vec<_>>(), expected.keys().collect::<Vec<_>>());
    for (face, times) in &expected {
        // Six standard deviations of the rarest face are about 250.
        assert!(seen[face].abs_diff(*times) < 250, "{face:?} came {} times, not about {times}", seen[face]);
    }
}

// mbh.1

fn reveal(order: &[Leader]) -> (Vec<Leader>, Vec<Leader>) {
    // Leaders after those that matter must make no difference.
    let rest = Leader::ALL.into_iter().filter(|leader| !order.contains(leader));
    reveal_leaders(&order.iter().copied().chain(rest).collect::<Vec<_>>(), &Tables::default())
}

#[test]
fn leaders_that_make_18_at_once_are_kept_as_they_are() {
    // 4 4 5 5
    use Leader::*;
    let order = [Shalya, Drupada, Krishna, Drona];
    assert_rule!("mbh.1", reveal(&order), (order.to_vec(), vec![]));
}

#[test]
fn leaders_are_revealed_until_some_make_18_and_the_earliest_stay() {
    use Leader::*;
    // 6 6 5 5: none. 4: none. 3: 6 5 4 3.
    let order = [Bhishma, Dhritarashtra, Karna, Drona, Shalya, Virata];
    assert_eq!(reveal(&order), (vec![Bhishma, Karna, Shalya, Virata], vec![Dhritarashtra, Drona]));
}

#[test]
fn a_set_with_more_leaders_is_preferred() {
    use Leader::*;
    // 3 3 4 4 6 4: five leaders, not 6 4 4 4.
    let order = [Virata, Jayadratha, Drupada, Shalya, Bhishma, Kuntibhoja];
    assert_eq!(reveal(&order), (vec![Virata, Jayadratha, Drupada, Shalya, Kuntibhoja], vec![Bhishma]));
}

#[test]
fn of_sets_equally_large_the_earliest_revealed_stays() {
    use Leader::*;
    // 5 5 3 6 4: 5 3 6 4 with either 5; the first stays.
    assert_eq!(reveal(&[Drona, Karna, Virata, Bhishma, Drupada]).0, [Drona, Virata, Bhishma, Drupada]);
    // 5 3 6 5 4: as well, though the second 5 stands later.
    assert_eq!(reveal(&[Drona, Virata, Bhishma, Karna, Drupada]).0, [Drona, Virata, Bhishma, Drupada]);
}

#[test]
fn every_setup_has_18_points_and_18_spaces() {
    for seed in 0..3000 {
        let game = Mahabharata::setup(&Options::default(), 2, 4, &mut Chance::fast(seed));
        assert_eq!(game.leaders.iter().map(|in_play| game.tables.leader(in_play.leader).points).sum::<u8>(), 18);
        assert_eq!(game.leaders.iter().map(|in_play| in_play.spaces.len()).sum::<usize>(), 18);
        assert!((4..=5).contains(&game.leaders.len()));
        assert_eq!(game.to_act(), Seats::one(game.elephant));
    }
}

#[test]
fn the_first_seat_is_an_option_and_otherwise_drawn() {
    let illegal = Mahabharata::check_options(&Options { first_seat: Some(TWO), ..Options::default() }, 2, 2)
        .expect_err("there is no seat 2");
    assert_eq!(illegal.rule.0, "mbh.1");
    assert_eq!(Mahabharata::check_options(&Options { first_seat: Some(TWO), ..Options::default() }, 2, 3), Ok(()));
    let given =
        Mahabharata::setup(&Options { first_seat: Some(TWO), ..Options::default() }, 2, 3, &mut Chance::fast(0));
    assert_eq!(given.to_act(), Seats::one(TWO));
    let drawn: BTreeSet<Seat> =
        (0..50).map(|seed| Mahabharata::setup(&Options::default(), 2, 4, &mut Chance::fast(seed)).elephant).collect();
    assert_eq!(drawn.len(), 4);
}

#[test]
fn options_are_read_strictly() {
    let read = |text| serde_json::from_str::<Options>(text);
    assert_eq!(read("{}").unwrap(), Options::default());
    assert_eq!(read(r#"{"firstSeat":1}"#).unwrap(), Options { first_seat: Some(ONE), ..Options::default() });
    assert!(read(r#"{"first":1}"#).is_err());
}

// mbh.2

#[test]
fn picks_go_there_and_back_again() {
    for (count, order) in [(2, vec![0, 1, 1, 0]), (3, vec![0, 1, 2, 2, 1, 0]), (4, vec![0, 1, 2, 3, 3, 2, 1, 0])] {
        let mut game = table(count, PLAIN);
        let mut picked = Vec::new();
        while game.round == 0 {
            let seat = game.to_act().first().expect("somebody picks");
            assert_rule!("mbh.2", game.to_act().len(), 1);
            let to_come: Vec<u8> = game.view(Viewer::Spectator).picks.iter().map(|seat| seat.number()).collect();
            assert_eq!(to_come, order[picked.len()..]);
            picked.push(seat.number());
            let mv = notations(&game, seat).remove(0);
            play(&mut game, seat, &mv);
        }
        assert_eq!(picked, order);
        assert_eq!(game.elephant, ONE, "the elephant goes to the left");
    }
}

#[test]
fn the_snake_starts_at_the_elephant() {
    let mut game = table(3, PLAIN);
    game.elephant = TWO;
    assert_eq!(game.view(Viewer::Spectator).picks, [TWO, ZERO, ONE, ONE, ZERO, TWO]);
}

#[test]
fn a_pick_out_of_turn_is_refused() {
    let game = table(3, PLAIN);
    assert_eq!(refusal(&game, ONE, "d0 screen"), ("mbh.2", None));
    assert_eq!(refusal(&game, Seat::new(7), "d0 screen"), ("mbh.2", None));
    assert_eq!(refusal(&game, TWO, "d99 screen"), ("mbh.2", None), "the turn comes before the die");
}

#[test]
fn a_pick_cannot_be_passed() {
    let game = table(2, FACES);
    let moves = notations(&game, ZERO);
    assert!(moves.iter().all(|mv| mv.starts_with('d')));
}

#[test]
fn a_new_round_rolls_all_dice_and_tells_them() {
    let mut game = table(2, PLAIN);
    for (seat, mv) in [(ZERO, "d0 screen"), (ONE, "d1 screen"), (ONE, "d2 screen")] {
        play(&mut game, seat, mv);
    }
    assert_eq!(game.dice_left().count(), 5);
    let events = play(&mut game, ZERO, "d3 screen");
    let dice: Vec<Face> = game.dice_left().map(|(_, face)| face).collect();
    assert_eq!(dice.len(), 8);
    assert_eq!(events[1], Event::RoundBegan { seat: ONE, round: 1, dice });
}

// mbh.3

#[test]
fn a_pick_takes_the_die_and_a_token_from_the_pool() {
    let mut game = table(2, FACES);
    let events = play(&mut game, ZERO, "d4 screen");
    assert_rule!("mbh.3", events, [Event::Screened { seat: ZERO, die: 4, token: Token::Cavalry2 }]);
    assert_eq!(game.players[ZERO].screen, tokens("CAVALRY2"));
    assert_eq!(game.players[ZERO].pool.count(Token::Cavalry2), 2);
    assert_eq!(game.face(4), None);
    assert_eq!(refusal(&game, ONE, "d4 screen"), ("mbh.3", Some(0)));
    assert_eq!(refusal(&game, ONE, "d8 screen"), ("mbh.3", Some(0)));
    assert_eq!(refusal(&game, ONE, "d255 l255.255"), ("mbh.3", Some(0)));
}

#[test]
fn a_plain_die_names_no_token() {
    let game = table(2, FACES);
    assert_eq!(refusal(&game, ZERO, "d4 CAVALRY2 screen"), ("mbh.3", Some(1)));
    assert_eq!(refusal(&game, ZERO, "d4 CAVALRY2 l0.2"), ("mbh.3", Some(1)));
    assert_eq!(refusal(&game, ZERO, "d4 INFANTRY1 l0.3"), ("mbh.3", Some(1)));
}

#[test]
fn a_pool_runs_out_of_a_kind() {
    let mut game = table(2, "CHARIOT1 CHARIOT1 ELEPHANT1 ELEPHANT1 CAVALRY2 CAVALRY1 INFANTRY3 INFANTRY3");
    screen(&mut game, ZERO, "CAVALRY2 CAVALRY2");
    play(&mut game, ZERO, "d4 l0.2");
    assert_eq!(game.players[ZERO].pool.count(Token::Cavalry2), 0);
    game.dice[4] = Some(Face::Shows(Token::Cavalry2));
    game.picks = 0;
    assert_eq!(refusal(&game, ZERO, "d4 screen"), ("mbh.3", Some(0)));
    assert_eq!(refusal(&game, ZERO, "d4 l0.0"), ("mbh.3", Some(0)), "the pool comes before the place");
    assert!(!notations(&game, ZERO).iter().any(|mv| mv.starts_with("d4 ")));
    assert!(notations(&game, ZERO).contains(&"d5 screen".to_string()), "other cavalry is left");
    game.dice[4] = Some(Face::Raja);
    assert_eq!(refusal(&game, ZERO, "d4 CAVALRY2 l0.2"), ("mbh.3", Some(1)));
}

#[test]
fn equal_faces_are_different_moves() {
    let moves = notations(&table(2, PLAIN), ZERO);
    assert!(moves.contains(&"d0 screen".to_string()) && moves.contains(&"d1 screen".to_string()));
}

// mbh.4

#[test]
fn a_token_goes_behind_the_screen_or_on_its_icon_whatever_its_number() {
    let mut game = table(2, PLAIN);
    let cavalry = |die: &str| -> Vec<String> {
        let moves = notations(&game, ZERO).into_iter().filter(|mv| mv.starts_with(die));
        moves.map(|mv| mv[3..].to_string()).collect()
    };
    assert_rule!("mbh.4", cavalry("d4"), ["screen", "l0.2", "l1.2", "l3.2", "l3.3"]);
    assert_eq!(cavalry("d5"), cavalry("d4"));
    assert_eq!(refusal(&game, ZERO, "d4 l0.1"), ("mbh.4", Some(1)));
    assert_eq!(refusal(&game, ZERO, "d4 l4.0"), ("mbh.4", Some(1)));
    assert_eq!(refusal(&game, ZERO, "d4 l0.4"), ("mbh.4", Some(1)));
    let events = play(&mut game, ZERO, "d5 l3.2");
    let placed = Event::Placed {
        seat: ZERO,
        die: 5,
        face: Face::Shows(Token::Cavalry2),
        token: Token::Cavalry2,
        leader: 3,
        name: Name::BuiltIn(Leader::Krishna),
        space: 2,
    };
    assert_eq!(events, [placed]);
    assert_eq!(game.leaders[3].spaces[2].owner, Some(ZERO));
    assert_eq!(game.leaders[3].spaces[2].stack, tokens("CAVALRY2"));
}

// mbh.5

#[test]
fn a_raja_places_any_token_of_the_pool_on_a_leader() {
    let mut game = table(2, FACES);
    let of_the_raja: Vec<String> = notations(&game, ZERO).into_iter().filter(|mv| mv.starts_with("d1 ")).collect();
    // Chariot spaces 5, elephant 4, cavalry 4 for three kinds, infantry 5 for five kinds.
    assert_rule!("mbh.5", of_the_raja.len(), 5 + 4 + 4 * 3 + 5 * 5);
    assert!(!of_the_raja.iter().any(|mv| mv.contains("screen")));
    let events = play(&mut game, ZERO, "d1 INFANTRY5 l2.4");
    assert!(matches!(events[..], [Event::Placed { face: Face::Raja, token: Token::Infantry5, .. }]));
    assert_eq!(game.players[ZERO].pool.count(Token::Infantry5), 2);
}

#[test]
fn a_raja_never_serves_the_screen_and_needs_a_token_for_the_icon() {
    let game = table(2, FACES);
    assert_eq!(refusal(&game, ZERO, "d1 screen"), ("mbh.5", Some(1)));
    assert_eq!(refusal(&game, ZERO, "d1 CHARIOT1 screen"), ("mbh.5", Some(2)));
    assert_eq!(refusal(&game, ZERO, "d1 l0.0"), ("mbh.5", Some(1)));
    assert_eq!(refusal(&game, ZERO, "d1 CHARIOT1 l0.1"), ("mbh.5", Some(2)));
    assert_eq!(refusal(&game, ZERO, "d1 CHARIOT1 l9.0"), ("mbh.5", Some(2)));
    assert_eq!(refusal(&game, ZERO, "d1 CHARIOT1 l0.9"), ("mbh.5", Some(2)));
}

#[test]
fn a_token_that_has_run_out_is_refused_for_a_raja_as_for_any_die() {
    let mut game = table(2, FACES);
    for mv in ["d1 CAVALRY2 screen", "d1 CAVALRY2 l0.1"] {
        assert_eq!(refusal(&game, ZERO, mv), ("mbh.5", Some(2)), "with the token in the pool");
    }
    screen(&mut game, ZERO, "CAVALRY2 CAVALRY2 CAVALRY2");
    for mv in ["d1 CAVALRY2 screen", "d1 CAVALRY2 l0.1", "d1 CAVALRY2 l0.2"] {
        assert_eq!(refusal(&game, ZERO, mv), ("mbh.3", Some(1)));
        assert_eq!(refusal(&of_version_1(&game), ZERO, mv), ("mbh.5", Some(1)));
    }
}

// mbh.6

#[test]
fn a_space_of_another_player_is_closed_and_ones_own_is_stacked() {
    let mut game = table(2, FACES);
    play(&mut game, ZERO, "d0 l0.0");
    assert_rule!("mbh.6", refusal(&game, ONE, "d1 CHARIOT1 l0.0"), ("mbh.6", Some(2)));
    assert!(!notations(&game, ONE).contains(&"d1 CHARIOT1 l0.0".to_string()));
    assert_eq!(refusal(&game, ONE, "d1 ELEPHANT1 l0.0"), ("mbh.5", Some(2)), "the icon comes before the owner");
    play(&mut game, ONE, "d2 l0.1");
    play(&mut game, ONE, "d4 l0.2");
    assert_eq!(refusal(&game, ZERO, "d3 CAVALRY1 l0.2"), ("mbh.6", Some(2)));
    play(&mut game, ZERO, "d3 CHARIOT1 l0.0");
    assert_eq!(game.leaders[0].spaces[0].stack, tokens("CHARIOT1 CHARIOT1"));
    assert_eq!(game.leaders[0].influence(ZERO), 2);

    let mut plain = table(2, PLAIN);
    influence(&mut plain, ONE, 0, 2, 1);
    assert_eq!(refusal(&plain, ZERO, "d5 l0.2"), ("mbh.6", Some(1)));
}

// mbh.7

#[test]
fn a_pick_without_a_die_that_can_be_placed_is_skipped() {
    let mut game = table(3, "CHARIOT1 CHARIOT1 CHARIOT1 CHARIOT1 CHARIOT1 CHARIOT1 CHARIOT1 CHARIOT1");
    screen(&mut game, ONE, "CHARIOT1 CHARIOT1 CHARIOT1");
    screen(&mut game, TWO, "CHARIOT1 CHARIOT1");
    let events = play(&mut game, ZERO, "d0 l0.0");
    assert_rule!("mbh.7", events[1..], [Event::Skipped { seat: ONE }]);
    assert_eq!(game.to_act(), Seats::one(TWO));
    // Each of the last player's two picks is judged by itself: the first empties its pool of chariots.
    let events = play(&mut game, TWO, "d1 l1.0");
    assert_eq!(events[1..], [Event::Skipped { seat: TWO }, Event::Skipped { seat: ONE }]);
    assert_eq!(game.view(Viewer::Spectator).picks, [ZERO]);
    assert_eq!(events[1].to_string(), "Seat 2 cannot place any of the dice left, so its pick is skipped.");
}

#[test]
fn exactly_those_are_skipped_who_have_no_legal_pick() {
    let (mut chance, mut stuck) = (Chance::fast(11), 0);
    for count in Mahabharata::SEATS {
        for _ in 0..60 {
            let mut game = Mahabharata::setup(&Options::default(), 2, count, &mut chance);
            while let Some(seat) = game.to_act().first() {
                let mv = game.any_move(seat, &mut chance);
                game.apply(seat, &mv, &mut chance, &mut Nobody).expect("any_move is legal");
                // In any case, everybody picks from the dice that are left.
                for pick in 0..count {
                    let turn = Mahabharata { phase: Phase::Picking, picks: pick, ..game.clone() };
                    let seat = turn.snake(pick);
                    let moves = turn.legal_moves(seat).count();
                    assert_eq!(turn.can_pick(seat), moves > 0);
                    assert_eq!(turn.ways(seat).iter().sum::<u32>() as usize, moves);
                    stuck += usize::from(moves == 0);
                }
            }
        }
    }
    assert!(stuck > 20, "it happens");
}

#[test]
fn a_raja_that_finds_no_open_space_cannot_be_picked() {
    let mut game = table(2, "CHARIOT1 RAJA RAJA RAJA RAJA RAJA RAJA RAJA");
    for leader in 0..4 {
        for space in &mut game.leaders[leader].spaces {
            space.owner = Some(ZERO);
        }
    }
    let events = play(&mut game, ZERO, "d1 CHARIOT1 l0.0");
    assert_eq!(events.len(), 1, "seat 1 can still take the chariot for its screen");
    assert_eq!(notations(&game, ONE), ["d0 screen"]);
    assert_eq!(refusal(&game, ONE, "d2 CHARIOT1 l0.0"), ("mbh.6", Some(2)));
    let events = play(&mut game, ONE, "d0 screen");
    assert_eq!(events[1], Event::Skipped { seat: ONE });
}

// mbh.8

#[test]
fn the_game_ends_after_the_round_in_which_every_space_is_filled() {
    let mut game = table(2, PLAIN);
    fill_leaders(&mut game);
    game.leaders[3].spaces[4] = Space { unit: Unit::Infantry, owner: None, stack: Tokens::default() };
    screen(&mut game, ONE, COMPLETE_PATI);
    play(&mut game, ZERO, "d7 l3.4");
    assert_rule!("mbh.8", game.to_act(), Seats::one(ONE), "the round is played to its end");
    play(&mut game, ONE, "d0 screen");
    play(&mut game, ONE, "d1 screen");
    let events = play(&mut game, ZERO, "d2 screen");
    assert_eq!(events[1], Event::Ended { reason: Reason::LeadersFilled, points: vec![18, 7].into() });
    assert_eq!(game.to_act(), Seats::NONE);
    let outcome = game.outcome().expect("it is over");
    assert_eq!(outcome.ending, Ending::Rule(END));
    assert_eq!(outcome.details.reason, Some(Reason::LeadersFilled));
    for (seat, mv) in [(ZERO, "d3 screen"), (ONE, "reveal"), (ONE, "hold")] {
        assert_eq!(refusal(&game, seat, mv).0, "mbh.8");
    }
}

/// All picks but the last of seat 0 are made; chariot spaces are empty, and seat 0 has the only chariot left.
fn last_chariot() -> Mahabharata {
    let mut game = table(2, PLAIN);
    fill_leaders(&mut game);
    for (leader, space) in [(0, 0), (1, 0), (1, 1)] {
        game.leaders[leader].spaces[space] = Space { unit: Unit::Chariot, owner: None, stack: Tokens::default() };
    }
    screen(&mut game, ZERO, "CHARIOT1 CHARIOT1");
    screen(&mut game, ONE, "CHARIOT1 CHARIOT1 CHARIOT1");
    for (seat, mv) in [(ZERO, "d2 screen"), (ONE, "d3 screen"), (ONE, "d4 screen")] {
        play(&mut game, seat, mv);
    }
    game
}

#[test]
fn empty_spaces_for_which_nobody_has_a_token_left_end_the_game_as_closed() {
    let mut going_on = last_chariot();
    play(&mut going_on, ZERO, "d5 screen");
    assert_eq!(going_on.round, 1, "seat 0 has a chariot left for an empty space");

    let mut game = last_chariot();
    let events = play(&mut game, ZERO, "d0 screen");
    let outcome = game.outcome().expect("it is over");
    assert_eq!((outcome.ending.to_string().as_str(), outcome.details.reason), ("mbh.8", Some(Reason::LeadersClosed)));
    let shown = events.last().expect("the end has an event").to_string();
    assert!(shown.starts_with("The game is over: nobody has a token left for any of the empty leader spaces."));
    assert_eq!(serde_json::to_value(outcome.details.reason).unwrap(), "LEADERS_CLOSED");
}

#[test]
fn a_last_empty_space_that_is_filled_is_no_closed_ending() {
    let mut game = last_chariot();
    for (leader, space) in [(1, 0), (1, 1)] {
        influence(&mut game, ONE, leader, space, 0);
        game.leaders[leader].spaces[space].owner = Some(ONE);
    }
    play(&mut game, ZERO, "d0 l0.0");
    assert_eq!(game.outcome().expect("it is over").details.reason, Some(Reason::LeadersFilled));
}

#[test]
fn version_1_calls_both_endings_by_leaders_filled() {
    let mut game = of_version_1(&last_chariot());
    play(&mut game, ZERO, "d0 screen");
    assert_eq!(game.outcome().expect("it is over").details.reason, Some(Reason::LeadersFilled));
}

#[test]
fn version_1_tells_who_held_back() {
    let mut game = of_version_1(&asked(3, &[0, 1]));
    play(&mut game, ZERO, "hold");
    let events = play(&mut game, ONE, "hold");
    assert_eq!(events[1], Event::AnswersShown { revealed: Seats::NONE, held: Some(seats(&[0, 1])) });
    let json = r#"{"answersShown":{"revealed":[1],"held":[0]}}"#;
    let stored = Event::AnswersShown { revealed: seats(&[1]), held: Some(seats(&[0])) };
    assert_eq!(serde_json::to_string(&stored).unwrap(), json);
    assert_eq!(serde_json::from_str::<Event>(json).unwrap(), stored);
    let json = r#"{"answersShown":{"revealed":[1]}}"#;
    assert_eq!(serde_json::to_string(&Event::AnswersShown { revealed: seats(&[1]), held: None }).unwrap(), json);
}

#[test]
fn with_ask_everyone_all_are_asked_and_only_a_complete_pati_can_be_revealed() {
    let mut game = asking_everyone(table(3, PLAIN));
    let events = finish_round(&mut game);
    assert_eq!(events[1..], [Event::Asked { seats: seats(&[0, 1, 2]) }]);
    for seat in [ZERO, ONE, TWO] {
        assert_eq!(notations(&game, seat), ["hold"]);
        assert_eq!(refusal(&game, seat, "reveal"), ("mbh.9", Some(0)));
    }
    assert_eq!(play(&mut game, ONE, "hold"), [Event::Answered { seat: ONE }]);
    assert_eq!(refusal(&game, ONE, "reveal"), ("mbh.8", None), "a second answer");
    play(&mut game, TWO, "hold");
    let events = play(&mut game, ZERO, "hold");
    assert_eq!(events[1], Event::AnswersShown { revealed: Seats::NONE, held: None });
    assert_eq!(game.round, 1, "a new round begins");
}

#[test]
fn with_ask_everyone_who_has_a_complete_pati_may_still_reveal_it() {
    let mut game = asking_everyone(table(3, PLAIN));
    screen(&mut game, TWO, COMPLETE_PATI);
    finish_round(&mut game);
    assert_eq!(game.to_act(), seats(&[0, 1, 2]));
    assert_eq!(notations(&game, TWO), ["reveal", "hold"]);
    for (seat, answer) in [(ZERO, "hold"), (ONE, "hold"), (TWO, "reveal")] {
        play(&mut game, seat, answer);
    }
    assert_eq!(game.outcome().expect("it is over").details.revealed, seats(&[2]));
}

#[test]
fn an_option_that_version_1_does_not_have_is_refused_there() {
    let options = Options { ask_everyone: Some(false), ..Options::default() };
    assert_eq!(Mahabharata::unknown_option(&options, 1), Some("askEveryone"));
    assert_eq!(Mahabharata::unknown_option(&options, 2), None);
    let read = |version, json| Kind::Mahabharata.load_options(version, json);
    assert!(read(1, serde_json::json!({ "askEveryone": true })).is_err());
    assert_eq!(
        serde_json::to_value(read(1, serde_json::json!({})).unwrap()).unwrap(),
        serde_json::json!({ "firstSeat": null })
    );
    let filled = serde_json::json!({ "firstSeat": null, "askEveryone": false });
    assert_eq!(serde_json::to_value(read(2, serde_json::json!({})).unwrap()).unwrap(), filled);
    assert!(read(3, serde_json::json!({})).is_err());
}

#[test]
fn only_those_with_a_complete_pati_are_asked_when_the_round_is_over() {
    let mut game = table(3, PLAIN);
    screen(&mut game, ZERO, COMPLETE_PATI);
    screen(&mut game, TWO, COMPLETE_PATI);
    let events = finish_round(&mut game);
    assert_eq!(events[1..], [Event::Asked { seats: seats(&[0, 2]) }]);
    assert_eq!(game.to_act(), seats(&[0, 2]));
    assert_eq!(notations(&game, ZERO), ["reveal", "hold"]);
    assert_eq!(notations(&game, ONE), [""; 0]);
}

#[test]
fn nobody_is_asked_while_no_pati_is_complete() {
    let mut game = table(3, PLAIN);
    screen(&mut game, ZERO, "CHARIOT1 ELEPHANT1 CAVALRY3");
    let events = finish_round(&mut game);
    assert!(matches!(events[..], [Event::Screened { .. }, Event::RoundBegan { .. }]));
}

#[test]
fn answers_are_secret_until_all_have_answered() {
    let mut game = asked(3, &[0, 1]);
    let before = game.clone();
    assert_eq!(play(&mut game, ONE, "reveal"), [Event::Answered { seat: ONE }]);
    assert_eq!(game.to_act(), Seats::one(ZERO));
    let mut other = before;
    assert_eq!(play(&mut other, ONE, "hold"), [Event::Answered { seat: ONE }]);
    for viewer in [Viewer::Seat(ZERO), Viewer::Seat(TWO), Viewer::Spectator] {
        assert_eq!(game.view(viewer), other.view(viewer));
    }
    assert!(!Mahabharata::is_open(&Move::Reveal) && !Mahabharata::is_open(&Move::Hold));
    assert!(Mahabharata::is_open(&"d0 screen".parse().unwrap()));
    let events = play(&mut game, ZERO, "hold");
    assert_eq!(events[0], Event::Answered { seat: ZERO });
    assert_eq!(events[1], Event::AnswersShown { revealed: seats(&[1]), held: None });
    assert!(matches!(events[2], Event::Ended { reason: Reason::PatiRevealed, .. }));
    let view = game.view(Viewer::Spectator);
    assert_eq!((view.revealed, view.reason), (seats(&[1]), Some(Reason::PatiRevealed)), "now all see it");
}

#[test]
fn one_revealed_pati_ends_the_game() {
    let mut game = asked(2, &[0, 1]);
    play(&mut game, ZERO, "hold");
    play(&mut game, ONE, "reveal");
    let outcome = game.outcome().expect("it is over");
    assert_eq!(outcome.ending, Ending::Rule(END));
    assert_eq!(outcome.details.reason, Some(Reason::PatiRevealed));
    assert_eq!(outcome.details.revealed, seats(&[1]));
}

#[test]
fn if_all_hold_the_elephant_goes_to_the_left_and_a_round_begins() {
    let mut game = asked(3, &[0, 2]);
    play(&mut game, TWO, "hold");
    let events = play(&mut game, ZERO, "hold");
    assert_eq!(events[1], Event::AnswersShown { revealed: Seats::NONE, held: None });
    assert!(matches!(events[2], Event::RoundBegan { seat: ONE, round: 1, .. }));
    assert_eq!((game.elephant, game.to_act()), (ONE, Seats::one(ONE)));
    assert_eq!(game.dice_left().count(), 8);
    finish_round(&mut game);
    assert_eq!(game.to_act(), seats(&[0, 2]), "they are asked again after the next round");
}

#[test]
fn answers_out_of_place_are_refused() {
    let mut picking = table(2, PLAIN);
    screen(&mut picking, ZERO, COMPLETE_PATI);
    for (seat, mv) in [(ZERO, "reveal"), (ZERO, "hold"), (ONE, "reveal")] {
        assert_eq!(refusal(&picking, seat, mv), ("mbh.8", Some(0)), "while dice are picked");
    }
    let mut game = asked(3, &[0, 1]);
    play(&mut game, ZERO, "hold");
    for mv in ["reveal", "hold"] {
        assert_eq!(refusal(&game, ZERO, mv), ("mbh.8", None), "a second answer");
        assert_eq!(refusal(&game, TWO, mv), ("mbh.9", None), "no complete Pati");
        assert_eq!(refusal(&game, Seat::new(7), mv), ("mbh.9", None), "no such seat");
    }
    for seat in [ZERO, ONE, TWO] {
        assert_eq!(refusal(&of_version_1(&game), seat, "d0 screen").0, "mbh.8", "picks are over");
    }
    assert_eq!(refusal(&game, ZERO, "d0 screen").0, "mbh.8", "it was asked and has answered");
    assert_eq!(refusal(&game, ONE, "d0 screen").0, "mbh.8", "it is asked");
    assert_eq!(refusal(&game, TWO, "d0 screen").0, "mbh.2", "it is not asked");
    assert_eq!(refusal(&game, Seat::new(7), "d0 screen").0, "mbh.2", "no such seat");
}

#[test]
fn a_resigned_seat_answers_at_once() {
    let entropy = Entropy::new(Seed::new([3; 32]), []);
    let mut game = Game::from_position(asked(3, &[0, 1]), 3);
    let steps = game.resign(ZERO, &entropy).expect("one may resign at any time");
    assert_eq!(steps.len(), 2);
    assert_eq!(game.to_act(), Seats::one(ONE));
    game.play(ONE, &Move::Reveal, &entropy).expect("seat 1 was asked");
    assert!(game.is_over());
}

// mbh.9

#[test]
fn a_pati_is_complete_if_some_of_the_tokens_fit_exactly() {
    let complete = |names: &str| tokens(names).parts().are_complete();
    assert!(complete(COMPLETE_PATI));
    assert!(complete("CHARIOT1 ELEPHANT1 CAVALRY1 CAVALRY2 INFANTRY2 INFANTRY2 INFANTRY3"));
    assert!(!complete("CHARIOT1 ELEPHANT1 CAVALRY3 INFANTRY4 INFANTRY4"));
    assert!(complete("CHARIOT1 CHARIOT1 ELEPHANT1 ELEPHANT1 CAVALRY2 CAVALRY3 INFANTRY4 INFANTRY4 INFANTRY1"));
    assert!(!complete("CHARIOT1 ELEPHANT1 CAVALRY2 CAVALRY2 INFANTRY5"));
    assert!(!complete("ELEPHANT1 CAVALRY3 INFANTRY5"));
    assert!(!complete(""));
    assert!(Tokens::POOL.parts().are_complete());
}

#[test]
fn the_parts_of_a_pati_are_complete_one_by_one() {
    let parts = |names: &str| {
        let Parts { chariot, elephant, cavalry, infantry } = tokens(names).parts();
        [chariot, elephant, cavalry, infantry]
    };
    assert_eq!(parts("CHARIOT1"), [true, false, false, false]);
    assert_eq!(parts("ELEPHANT1 ELEPHANT1"), [false, true, false, false]);
    assert_eq!(parts("CAVALRY1 CAVALRY1 CAVALRY1"), [false, false, true, false]);
    assert_eq!(parts("CAVALRY2 INFANTRY1 INFANTRY1 INFANTRY3"), [false, false, false, true]);
    assert_eq!(parts("INFANTRY2 INFANTRY2 INFANTRY4"), [false; 4]);
}

// mbh.10

#[test]
fn every_complete_pati_has_seven_points_revealed_or_not() {
    let mut game = asked(3, &[0, 1]);
    play(&mut game, ZERO, "reveal");
    play(&mut game, ONE, "hold");
    let details = game.outcome().expect("it is over").details;
    let patis: Vec<u8> = details.scores.values().map(|score| score.pati).collect();
    assert_rule!("mbh.10", patis, [7, 7, 0]);
}

// mbh.11

fn favour(influence: &[u8]) -> LeaderScore {
    LeaderScore::new(Name::BuiltIn(Leader::Drona), 5, influence.to_vec().into())
}

#[test]
fn a_leaders_points_go_to_most_tokens_or_past_a_tie_to_the_next() {
    let shown = |influence: &[u8]| {
        let LeaderScore { tied_for_most, tied_for_next, taker, .. } = favour(influence);
        (taker.map(Seat::number), tied_for_most, tied_for_next)
    };
    let none = Seats::NONE;
    assert_rule!("mbh.11", shown(&[1, 4, 2, 2]), (Some(1), none, none));
    assert_eq!(shown(&[3, 3, 2, 0]), (Some(2), seats(&[0, 1]), none));
    assert_eq!(shown(&[3, 3, 2, 2]), (None, seats(&[0, 1]), seats(&[2, 3])));
    assert_eq!(shown(&[2, 2]), (None, seats(&[0, 1]), none));
    assert_eq!(shown(&[3, 3, 0, 0]), (None, seats(&[0, 1]), none), "the next needs at least one token");
    assert_eq!(shown(&[3, 3, 0]), (None, seats(&[0, 1]), none), "even if it is alone");
    assert_eq!(shown(&[0, 0, 0]), (None, none, none));
    assert_eq!(shown(&[0, 1, 0]), (Some(1), none, none));
    assert_eq!(shown(&[2, 2, 2, 1]), (Some(3), seats(&[0, 1, 2]), none));
    assert_eq!(shown(&[2, 1, 1, 1]), (Some(0), none, none));
}

#[test]
fn each_token_is_one_influence_whatever_its_number() {
    let mut game = table(2, PLAIN);
    let there = &mut game.leaders[0].spaces;
    there[3] = Space { unit: Unit::Infantry, owner: Some(ZERO), stack: tokens("INFANTRY5") };
    there[2] = Space { unit: Unit::Cavalry, owner: Some(ONE), stack: tokens("CAVALRY1 CAVALRY1") };
    let score = &game.standing().details.leaders[0];
    assert_eq!((score.influence.clone().into_vec(), score.taker), (vec![1, 2], Some(ONE)));
}

// mbh.12

#[test]
fn most_points_win_or_past_a_tie_the_second_alone() {
    let shown = |points: &[u8]| {
        let (verdict, tied, winner) = Verdict::of(&points.to_vec().into());
        (verdict, tied, winner.map(Seat::number))
    };
    assert_rule!("mbh.12", shown(&[12, 13, 9]), (Verdict::MostPoints, Seats::NONE, Some(1)));
    assert_eq!(shown(&[12, 12, 9]), (Verdict::SecondPlace, seats(&[0, 1]), Some(2)));
    assert_eq!(shown(&[12, 12]), (Verdict::Draw, seats(&[0, 1]), None));
    assert_eq!(shown(&[12, 12, 9, 9]), (Verdict::Draw, seats(&[0, 1]), None));
    assert_eq!(shown(&[9, 9, 0]), (Verdict::SecondPlace, seats(&[0, 1]), Some(2)));
    assert_eq!(shown(&[0, 0]), (Verdict::Draw, seats(&[0, 1]), None));
    assert_eq!(shown(&[5, 8, 8, 8]), (Verdict::SecondPlace, seats(&[1, 2, 3]), Some(0)));
    assert_eq!(shown(&[12, 9, 9, 9]), (Verdict::MostPoints, Seats::NONE, Some(0)));
}

/// A finished game in which the seats have so many tokens on leaders 0 to 3, seat n on space n.
fn scored(count: u8, influences: [&[u8]; 4], patis: &[u8]) -> Mahabharata {
    let mut game = table(count, PLAIN);
    for (in_play, influence) in game.leaders.iter_mut().zip(influences) {
        for (space, (seat, n)) in in_play.spaces.iter_mut().zip(Seat::all(count).zip(influence)) {
            let token = Token::ALL.into_iter().find(|token| token.unit() == space.unit).expect("each unit has one");
            space.owner = (*n > 0).then_some(seat);
            space.stack = (0..*n).map(|_| token).collect();
        }
    }
    for seat in patis {
        screen(&mut game, Seat::new(*seat), COMPLETE_PATI);
    }
    game.phase = Phase::Over { reason: Reason::PatiRevealed, revealed: seats(patis) };
    game
}

#[test]
fn the_result_explains_itself() {
    // Points 4 4 5 5. Leader 0: seats 0 and 1 tie, seat 2 gets 4. Leader 1: seat 0. Leader 2: seat 1. Leader 3: nobody.
    let game = scored(3, [&[2, 2, 1], &[3, 0, 0], &[0, 1, 0], &[1, 1, 0]], &[0]);
    let Outcome { winners, places, details, .. } = game.outcome().expect("it is over");
    let scores: Vec<(u8, u8, u8)> =
        details.scores.values().map(|score| (score.leaders, score.pati, score.points)).collect();
    assert_eq!(scores, [(4, 7, 11), (5, 0, 5), (4, 0, 4)]);
    let takers: Vec<Option<u8>> = details.leaders.iter().map(|leader| leader.taker.map(Seat::number)).collect();
    assert_eq!(takers, [Some(2), Some(0), Some(1), None]);
    assert_eq!(details.leaders[0].tied_for_most, seats(&[0, 1]));
    assert_eq!(details.leaders[3].tied_for_most, seats(&[0, 1]));
    assert_eq!((details.verdict, details.tied), (Verdict::MostPoints, Seats::NONE));
    assert_eq!((winners, places.into_vec()), (seats(&[0]), vec![1, 2, 3]));
    let json = serde_json::to_value(&details).unwrap();
    assert_eq!(json["reason"], "PATI_REVEALED");
    assert_eq!(json["verdict"], "MOST_POINTS");
    assert_eq!(json["leaders"][0]["tiedForMost"], serde_json::json!([0, 1]));
    assert_eq!(json["scores"][0], serde_json::json!({"leaders": 4, "pati": 7, "points": 11}));
}

#[test]
fn a_tie_for_most_points_lets_the_second_win_and_places_it_first() {
    let game = scored(3, [&[1, 0, 0], &[0, 1, 0], &[0, 0, 0], &[0, 0, 0]], &[]);
    let Outcome { winners, places, details, .. } = game.outcome().expect("it is over");
    assert_eq!((details.verdict, details.tied, details.winner), (Verdict::SecondPlace, seats(&[0, 1]), Some(TWO)));
    assert_eq!((winners, places.into_vec()), (seats(&[2]), vec![2, 2, 1]));
}

#[test]
fn a_draw_has_no_winner_and_equals_share_places() {
    let game = scored(4, [&[1, 0, 0, 0], &[0, 1, 0, 0], &[0, 0, 0, 0], &[0, 0, 0, 0]], &[]);
    let Outcome { winners, places, details, .. } = game.outcome().expect("it is over");
    assert_eq!((details.verdict, details.winner), (Verdict::Draw, None));
    assert_eq!((winners, places.into_vec()), (Seats::NONE, vec![1, 1, 3, 3]));
}

// mbh.13

#[test]
fn a_round_without_a_pick_ends_the_game_without_asking() {
    let mut game = table(2, "CHARIOT1 CHARIOT1 ELEPHANT1 ELEPHANT1 CAVALRY1 CAVALRY1 INFANTRY1 INFANTRY1");
    fill_leaders(&mut game);
    game.leaders[3].spaces[4] = Space { unit: Unit::Infantry, owner: None, stack: Tokens::default() };
    game.players[ZERO] = Player { pool: tokens("CHARIOT1"), screen: tokens(COMPLETE_PATI) };
    game.players[ONE] = Player { pool: tokens("INFANTRY5"), screen: Tokens::default() };
    let events = play(&mut game, ZERO, "d0 screen");
    let [one, zero] = [ONE, ZERO].map(|seat| Event::Skipped { seat });
    assert_rule!("mbh.13", events[1..], [one.clone(), one.clone(), zero.clone(), Event::Asked { seats: seats(&[0]) }]);

    // Seat 1 has an infantry for the last space, if only the dice gave it one.
    let (mut dead_ends, mut goes_on) = (0, 0);
    for luck in 0..200 {
        let (mut next, mut events) = (game.clone(), Vec::new());
        next.apply(ZERO, &Move::Hold, &mut Chance::fast(luck), &mut events).expect("seat 0 was asked");
        assert!(matches!(events[2], Event::RoundBegan { seat: ONE, round: 1, .. }));
        let helps = |face: &Option<Face>| [Some(Face::Raja), Some(Face::Shows(Token::Infantry5))].contains(face);
        if next.dice.iter().any(helps) {
            assert_eq!(next.to_act(), Seats::one(ONE));
            goes_on += 1;
            continue;
        }
        assert_eq!(events[3..7], [one.clone(), zero.clone(), zero.clone(), one.clone()]);
        assert!(matches!(events[7..], [Event::Ended { reason: Reason::DeadEnd, .. }]));
        assert_eq!(next.to_act(), Seats::NONE);
        let outcome = next.outcome().expect("it is over");
        assert_eq!(outcome.ending.to_string(), "mbh.13");
        assert_eq!(outcome.details.reason, Some(Reason::DeadEnd));
        assert_eq!(outcome.details.scores[ZERO].pati, 7, "it is scored all the same");
        assert_eq!(refusal(&next, ZERO, "reveal").0, "mbh.8");
        dead_ends += 1;
    }
    assert!(dead_ends > 10 && goes_on > 10);
}

#[test]
fn a_round_without_a_pick_asks_nobody_with_ask_everyone_either() {
    let mut game = asking_everyone(table(3, PLAIN));
    screen(&mut game, ZERO, COMPLETE_PATI);
    game.picks = 6;
    let mut events = Vec::new();
    game.end_round(&mut events);
    assert!(matches!(events[..], [Event::Ended { reason: Reason::DeadEnd, .. }]));
}

#[test]
fn random_games_always_end() {
    for count in Mahabharata::SEATS {
        let played = playout::<Mahabharata>(&Options::default(), 2, count, 300, 1).expect("the options are good");
        assert!(!played.endings.contains_key("PLY_LIMIT"));
        // Each pick places a token, each round has a pick, and each round asks everybody once at most.
        assert!(played.longest <= u32::from(count) * 30 * (1 + u32::from(count)));
    }
}

// What a player learns, and the view that shows it.

#[test]
fn the_view_shows_the_table() {
    let mut game = table(3, FACES);
    game.discarded = vec![Leader::Bhishma];
    play(&mut game, ZERO, "d1 INFANTRY5 l2.4");
    play(&mut game, ONE, "d6 screen");
    play(&mut game, TWO, "d3 INFANTRY2 l0.3");
    let view = game.view(Viewer::Spectator);
    assert_eq!((view.round, view.elephant, view.discarded), (0, ZERO, vec![Name::BuiltIn(Leader::Bhishma)]));
    let dice: Vec<String> = view.dice.iter().map(|die| format!("{} {} {}", die.die, die.unit, die.face)).collect();
    let left =
        ["0 CHARIOT CHARIOT1", "2 ELEPHANT ELEPHANT1", "4 CAVALRY CAVALRY2", "5 CAVALRY RAJA", "7 INFANTRY RAJA"];
    assert_eq!(dice, left);
    assert_eq!(view.picks, [TWO, ONE, ZERO]);
    let karna = &view.leaders[2];
    assert_eq!((karna.leader.as_str(), karna.points), ("Karna", 5));
    let stack = SpaceView { unit: Unit::Infantry, owner: Some(ZERO), stack: vec![Token::Infantry5] };
    assert_eq!(karna.spaces[4], stack);
    assert_eq!(karna.spaces[3], SpaceView { unit: Unit::Infantry, owner: None, stack: vec![] });
    let counts: Vec<(u8, u8)> = view.players.iter().map(|player| (player.left, player.screened)).collect();
    assert_eq!(counts, [(29, 0), (29, 1), (29, 0)]);
    assert_eq!((view.asked, view.pending), (Seats::NONE, Seats::NONE));
}

#[test]
fn a_player_sees_its_own_pool_by_kind_and_its_pati() {
    let mut game = table(2, PLAIN);
    screen(&mut game, ZERO, "INFANTRY2 CHARIOT1 INFANTRY3 CHARIOT1");
    let view = game.view(Viewer::Seat(ZERO));
    let own = &view.players[0];
    let pool: Vec<u8> = own.pool.as_ref().expect("it is its own").iter().map(|kind| kind.left).collect();
    assert_eq!(pool, [1, 3, 3, 3, 3, 3, 2, 2, 3, 3]);
    let pati = own.pati.as_ref().expect("it is its own");
    assert_eq!(pati.tokens, [Token::Chariot1, Token::Chariot1, Token::Infantry2, Token::Infantry3]);
    assert_eq!(pati.parts, Parts { chariot: true, elephant: false, cavalry: false, infantry: true });
    assert!(!pati.complete);
    screen(&mut game, ZERO, "ELEPHANT1 CAVALRY3");
    assert!(game.view(Viewer::Seat(ZERO)).players[0].pati.as_ref().expect("it is its own").complete);
}

#[test]
fn views_leave_out_what_is_behind_the_screens_of_others() {
    let mut game = table(3, PLAIN);
    screen(&mut game, ZERO, "CHARIOT1 INFANTRY2");
    let mut other = table(3, PLAIN);
    screen(&mut other, ZERO, "ELEPHANT1 CAVALRY3");
    for viewer in [Viewer::Seat(ONE), Viewer::Seat(TWO), Viewer::Spectator] {
        let player = &game.view(viewer).players[0];
        assert_eq!((player.left, player.screened), (28, 2));
        assert_eq!((&player.pool, &player.pati, player.answer), (&None, &None, None));
        assert_eq!(game.view(viewer), other.view(viewer), "only how much it is can be seen");
    }
}

#[test]
fn the_view_shows_who_was_asked_and_who_has_not_answered() {
    let mut game = asked(4, &[0, 1, 3]);
    play(&mut game, ONE, "hold");
    let view = game.view(Viewer::Spectator);
    assert_eq!((view.asked, view.pending), (seats(&[0, 1, 3]), seats(&[0, 3])));
    assert_eq!(view.picks, []);
}

#[test]
fn a_player_sees_its_own_pending_answer_and_nobody_elses() {
    let mut game = asked(3, &[0, 1, 2]);
    play(&mut game, ZERO, "reveal");
    play(&mut game, ONE, "hold");
    let answers = |viewer| -> Vec<Option<Answer>> { game.view(viewer).players.iter().map(|own| own.answer).collect() };
    assert_eq!(answers(Viewer::Seat(ZERO)), [Some(Answer::Reveal), None, None]);
    assert_eq!(answers(Viewer::Seat(ONE)), [None, Some(Answer::Hold), None]);
    assert_eq!(answers(Viewer::Seat(TWO)), [None; 3]);
    assert_eq!(answers(Viewer::Spectator), [None; 3]);
}

#[test]
fn everything_is_open_when_the_game_is_over() {
    let entropy = Entropy::new(Seed::new([3; 32]), []);
    let mut game = Game::from_position(asked(2, &[0]), 2);
    game.play(ZERO, &Move::Reveal, &entropy).expect("seat 0 was asked");
    let view = game.view(Viewer::Open(game.over().expect("it is over")));
    assert!(view.players.iter().all(|player| player.pool.is_some() && player.pati.is_some()));
}

#[test]
fn pending_answers_of_others_are_imagined_both_ways_and_nothing_else_is() {
    let mut game = asked(4, &[0, 1, 2]);
    play(&mut game, ZERO, "reveal");
    play(&mut game, TWO, "hold");
    for viewer in [ZERO, ONE, TWO, THREE].map(Viewer::Seat).into_iter().chain([Viewer::Spectator]) {
        let mut drawn = BTreeSet::new();
        for luck in 0..100 {
            let other = game.imagine(viewer, &mut Chance::fast(luck));
            drawn.extend(other.unknown(viewer));
            assert_eq!(other.to_act(), Seats::one(ONE));
            assert_eq!(other.view(viewer), game.view(viewer));
            assert_eq!(Mahabharata { phase: game.phase, ..other }, game);
        }
        assert_eq!(drawn, game.possible(viewer));
        let hidden = [ZERO, TWO].iter().filter(|seat| !viewer.sees(**seat)).count();
        assert_eq!(drawn.len(), 2 * hidden);
    }
}

// Moves as text.

#[test]
fn answers_that_can_have_been_given_are_imagined_equally_often() {
    let mut game = asking_everyone(table(4, PLAIN));
    screen(&mut game, ONE, COMPLETE_PATI);
    screen(&mut game, TWO, COMPLETE_PATI);
    finish_round(&mut game);
    for (seat, answer) in [(ONE, "reveal"), (TWO, "hold"), (THREE, "hold")] {
        play(&mut game, seat, answer);
    }
    let mut chance = Chance::fast(6);
    let came = count(4000, || match game.imagine(Viewer::Seat(ZERO), &mut chance).phase {
        Phase::Answering { reveal, hold, .. } => (Vec::from(reveal), Vec::from(hold)),
        _ => unreachable!("answers are awaited"),
    });
    let world = |reveal: &[Seat], hold: &[Seat]| (reveal.to_vec(), hold.to_vec());
    let worlds = [
        world(&[], &[ONE, TWO, THREE]),
        world(&[ONE], &[TWO, THREE]),
        world(&[TWO], &[ONE, THREE]),
        world(&[ONE, TWO], &[THREE]),
    ];
    assert_fits(&came, &evenly(worlds));
}

#[test]
fn notation_reads_back() {
    for text in ["d3 screen", "d3 l1.2", "d0 CAVALRY2 l1.2", "d7 INFANTRY5 screen", "reveal", "hold", "d255 l255.255"] {
        assert_eq!(text.parse::<Move>().expect("it can be read").to_string(), text);
    }
    let mv = Move::Pick { die: 3, token: Some(Token::Cavalry2), to: Place::Space { leader: 1, space: 2 } };
    assert_eq!("d3 CAVALRY2 l1.2".parse(), Ok(mv));
}

#[test]
fn other_texts_are_no_moves() {
    let long = "d1 ".repeat(100_000);
    let texts = [
        "",
        " ",
        "d3",
        "screen",
        "d3 ",
        "d3  screen",
        " d3 screen",
        "d3 screen ",
        "d3 screen screen",
        "d3 l1",
        "d3 l1.",
        "d3 l.1",
        "d3 l1.2.3",
        "d03 screen",
        "d3 l01.2",
        "d3 l1.00",
        "d256 screen",
        "d-1 screen",
        "d+1 screen",
        "d3 l1.999999999999999999999",
        "D3 screen",
        "d3 Screen",
        "d3 cavalry2 l1.2",
        "d3 CAVALRY l1.2",
        "d3 CAVALRY4 l1.2",
        "d3 CAVALRY22 l1.2",
        "d3 RAJA l1.2",
        "d3 l1.2 CAVALRY2",
        "d3 CAVALRY2 CAVALRY2 l1.2",
        "reveal ",
        "reveal hold",
        "REVEAL",
        "hold hold",
        "d٣ screen",
        "dé l1.2",
        "d3 lé.2",
        "🐘",
        "d3\tscreen",
        "d3 screen\n",
        "pass",
        &long,
    ];
    for text in texts {
        let unreadable = text.parse::<Move>().expect_err(text);
        assert!(unreadable.0.len() < 400);
    }
}

#[test]
fn no_move_however_strange_makes_the_rules_stumble() {
    let numbers = [0, 1, 3, 4, 5, 6, 7, 8, 200, 255];
    let named: Vec<Option<Token>> = Token::ALL.into_iter().map(Some).chain([None]).collect();
    let positions = [table(2, FACES), asked(3, &[1]), scored(3, [&[1], &[], &[], &[]], &[])];
    for game in &positions {
        for seat in Seat::all(Seat::MOST) {
            let listed: Vec<Move> = game.legal_moves(seat).collect();
            let mut accepted = 0;
            let mut try_out = |mv: Move| {
                assert!(!game.describe(seat, &mv).is_empty());
                let legal = game.check(seat, &mv).is_ok();
                assert_eq!(legal, listed.contains(&mv), "{mv} of seat {seat}");
                accepted += usize::from(legal);
            };
            for (die, token) in numbers.iter().flat_map(|die| named.iter().map(|token| (*die, *token))) {
                try_out(Move::Pick { die, token, to: Place::Screen });
                for (leader, space) in numbers.iter().flat_map(|leader| numbers.map(|space| (*leader, space))) {
                    try_out(Move::Pick { die, token, to: Place::Space { leader, space } });
                }
            }
            assert!(accepted <= listed.len());
        }
    }
}

#[test]
fn a_move_by_chance_is_any_of_the_legal_ones() {
    let mut game = table(3, FACES);
    influence(&mut game, ONE, 0, 0, 2);
    screen(&mut game, ZERO, "CAVALRY2 CAVALRY2 CAVALRY2");
    let listed: BTreeSet<String> = notations(&game, ZERO).into_iter().collect();
    assert_eq!(game.ways(ZERO).iter().sum::<u32>() as usize, listed.len());
    let mut chance = Chance::fast(5);
    let drawn: BTreeSet<String> = (0..8000).map(|_| game.any_move(ZERO, &mut chance).to_string()).collect();
    assert_eq!(drawn, listed);
}

#[test]
fn continuations_lead_through_a_pick() {
    let game = table(2, FACES);
    let answer = game.continuations(ZERO, &[]);
    assert_eq!(answer.next, ["d0", "d1", "d2", "d3", "d4", "d5", "d6", "d7"]);
    assert_eq!(game.continuations(ZERO, &["d0"]).next, ["screen", "l0.0", "l1.0", "l1.1", "l2.0", "l3.0"]);
    assert_eq!(game.continuations(ZERO, &["d1"]).next.len(), 10);
    assert!(game.continuations(ZERO, &["d0", "screen"]).is_move);
    assert_eq!(game.continuations(ONE, &[]).next, [""; 0]);
}

#[test]
fn moves_and_events_have_words() {
    let mut game = table(2, FACES);
    let words = |game: &Mahabharata, text: &str| game.describe(ZERO, &text.parse().expect("it can be read"));
    assert_eq!(words(&game, "d4 screen"), "Take die 4 (CAVALRY2) and put CAVALRY2 behind your screen");
    assert_eq!(
        words(&game, "d1 INFANTRY1 l3.4"),
        "Take die 1 (RAJA) and put INFANTRY1 on space 4 of leader 3, Krishna"
    );
    assert_eq!(
        (words(&game, "reveal").as_str(), words(&game, "hold").as_str()),
        ("Reveal your Pati", "Hold your Pati back")
    );
    let shown = |events: Vec<Event>| events.iter().map(Event::to_string).collect::<Vec<_>>();
    assert_eq!(
        shown(play(&mut game, ZERO, "d1 INFANTRY1 l3.4")),
        ["Seat 0 took die 1, a Raja, and put INFANTRY1 on space 4 of leader 3, Krishna."]
    );
    assert_eq!(shown(play(&mut game, ONE, "d4 screen")), ["Seat 1 took die 4 and put CAVALRY2 behind its screen."]);

    let mut game = asked(3, &[0, 1]);
    assert_eq!(shown(play(&mut game, ONE, "reveal")), ["Seat 1 has answered."]);
    assert_eq!(
        shown(play(&mut game, ZERO, "hold"))[1..],
        ["A Pati is revealed by seat 1.", "The game is over: a Pati is revealed. Points by seat: 7, 7, 0."]
    );
    let answers = |revealed: &[u8], held: Option<&[u8]>| {
        Event::AnswersShown { revealed: seats(revealed), held: held.map(seats) }.to_string()
    };
    assert_eq!(answers(&[], None), "No Pati is revealed.");
    assert_eq!(answers(&[], Some(&[0, 2])), "No Pati is revealed. Held back by seats 0, 2.");
    assert_eq!(answers(&[1], Some(&[0])), "A Pati is revealed by seat 1, held back by seat 0.");
    assert_eq!(
        Event::Asked { seats: seats(&[0, 2]) }.to_string(),
        "All picks are made: seats 0, 2 may reveal a complete Pati or hold it back."
    );
}

#[test]
fn events_are_plain_typed_data() {
    let mut game = table(2, FACES);
    let events = play(&mut game, ZERO, "d1 INFANTRY1 l3.4");
    let json = serde_json::json!([{"placed": {
        "seat": 0, "die": 1, "face": "RAJA", "token": "INFANTRY1", "leader": 3, "name": "KRISHNA", "space": 4
    }}]);
    assert_eq!(serde_json::to_value(&events).unwrap(), json);
    assert_eq!(serde_json::from_value::<Vec<Event>>(json).unwrap(), events);
}
