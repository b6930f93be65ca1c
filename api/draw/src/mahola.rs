//! Mahola: everybody's tableau, and the viewer's hand and character.

use domain::Seat;
use domain::games::mahola::{
    Ability, Animal, Because, Card, Character, Colour as Hue, Dance, Face, Move, Phase, Private, RoundScore, SeatView,
    Table, View,
};

use crate::Setting;
use crate::seat;
use crate::sheet::{Block, COLUMN, PADDING, Sheet, flow};
use crate::svg::{Font, Named, Paint, Piece, Svg};
use crate::theme::{Colour, Palette};
use crate::words::{capitalised, count, list};

const CARD: (i32, i32) = (120, 192);
const GAP: i32 = 6;
/// The most favor tokens that are drawn one by one.
const MOST_STARS: u8 = 5;
/// The room for the word above a hand.
const HAND_LABEL: i32 = 38;
/// The place for a card at an end of a tableau: as wide as a finger needs where there is room for it.
const END: i32 = 22;
const WIDE_END: i32 = 94;

pub fn picture(view: &View, setting: &Setting) -> String {
    let palette = setting.theme.palette();
    let seats = u8::try_from(view.seats.len()).unwrap_or(Seat::MOST);
    let phase = match view.phase {
        Phase::Play => "play a card",
        Phase::Pass => "pass cards",
        Phase::Ability => "use abilities",
        Phase::Over => "the end",
    };
    let detail = match view.phase {
        Phase::Over => format!("Round {} · {}", view.round, setting.status()),
        _ => format!("Round {}, turn {}: {phase}", view.round, view.turn),
    };
    let mut sheet = Sheet::new(setting, "Mahola", &detail);
    let bottom = setting.bottom(seats);
    let others = setting.others(seats);
    for (n, seat) in others.iter().enumerate() {
        let block = player(view, setting, *seat, COLUMN);
        // Two columns: the left neighbour on the left, the right neighbour on the right.
        if n >= others.len().div_ceil(2) {
            sheet.loose(block);
        } else {
            sheet.board(block);
        }
    }
    sheet.loose(table(view, palette, COLUMN));
    sheet.own(player(view, setting, bottom, Sheet::full(setting)));
    sheet.drawn()
}

/// The deck, the goal and the last round.
fn table(view: &View, palette: &Palette, width: i32) -> Block {
    Block::panel(palette, width, |svg, width| {
        let font = Font::new(24, palette.ink);
        svg.sign("i-cards", 18, 18, 34, palette.ink);
        svg.text(46, 27, font, &format!("Deck: {}", count(view.deck_size, "card")));
        svg.sign("i-favor", width / 2 + 18, 18, 34, palette.accent);
        svg.text(width / 2 + 46, 27, font, &format!("{} to win", count(view.rounds_to_win, "favor token")));
        let mut y = 40;
        if let Some(last) = &view.last_round {
            let small = Font::new(22, palette.muted);
            for line in round_lines(last) {
                for line in small.wrapped(&line, width) {
                    y += 30;
                    svg.text(0, y, small, &line);
                }
            }
        }
        y
    })
}

fn round_lines(last: &RoundScore) -> Vec<String> {
    let scores: Vec<String> =
        last.seats.iter().map(|seat| format!("seat {} {}", seat.seat, seat.score.total)).collect();
    let won = match (last.winner, last.comparisons.last()) {
        (Some(winner), Some(by)) => format!("Seat {winner} got the favor token for {}.", by.by),
        _ => "Nobody got the favor token.".into(),
    };
    vec![format!("Round {}: {}.", last.round, scores.join(", ")), won]
}

fn player(view: &View, setting: &Setting, seat: Seat, width: i32) -> Block {
    let palette = setting.theme.palette();
    let SeatView { tokens, has_chosen, hand_size, character, score, private, .. } = &view.seats[seat.index()];
    Block::panel(palette, width, |svg, width| {
        let is_counted = *tokens > MOST_STARS;
        let stars = if is_counted { 1 } else { *tokens };
        let beside = 38 * i32::from(stars) + 60 * i32::from(is_counted) + 180 * i32::from(*has_chosen);
        seat::plate(svg, setting, seat, 0, 0, width - 20 - beside);
        let mut x = width - 20;
        if is_counted {
            svg.text(width, seat::PLATE / 2 + 10, Font::new(26, palette.ink).bold().end(), &format!("×{tokens}"));
            x -= 60;
        }
        for n in 0..stars {
            let title = if is_counted { count(*tokens, "favor token") } else { "Favor token".into() };
            svg.piece(&Piece::new(format!("favor-{seat}-{n}"), title).of(seat), |svg| {
                svg.sign("i-favor", x, seat::PLATE / 2, 36, palette.accent);
            });
            x -= 38;
        }
        let font = Font::new(24, palette.muted);
        if *has_chosen {
            svg.sign("i-check", x, seat::PLATE / 2, 28, palette.muted);
            svg.text(x - 22, seat::PLATE / 2 + 9, font.end(), "has chosen");
        }
        let mut y = seat::PLATE + 10;
        match character {
            Some(character) => {
                let total = score.as_ref().map(|score| score.total);
                y += draw_character(svg, palette, &view.tables, *character, total, y, width);
            }
            None => {
                svg.text(0, y + 24, font, &format!("Character hidden · {} in hand", count(*hand_size, "card")));
                y += 38;
            }
        }
        let column = width.min(COLUMN - 2 * PADDING);
        // Side by side where there is room for both, with the cards on one line.
        let is_beside = width > COLUMN && private.is_some();
        if is_beside {
            svg.text(0, y + 24, Font::new(24, palette.muted).bold(), "Tableau");
            y += HAND_LABEL;
        }
        let tableau = draw_tableau(svg, setting, &view.tables, &view.seats[seat.index()], y, column);
        let Some(private) = private else { return y + tableau };
        if is_beside {
            let mut hand = Svg::default();
            let height = draw_hand(&mut hand, setting, &view.tables, (seat, private), 0, column);
            svg.shifted(width - column, y - HAND_LABEL, &hand);
            y + tableau.max(height - HAND_LABEL)
        } else {
            y + tableau + 16 + draw_hand(svg, setting, &view.tables, (seat, private), y + tableau + 16, column)
        }
    })
}

/// Colour, animal and ability of a character, and what its tableau counts.
fn draw_character(
    svg: &mut Svg,
    palette: &Palette,
    tables: &Table,
    character: Character,
    total: Option<i16>,
    y: i32,
    width: i32,
) -> i32 {
    let (colour, animal) = (tables.colour(character), tables.animal(character));
    let (hue, pale) = hues(palette, colour);
    svg.rect(0, y, width, 48, 12, Paint::fill(pale));
    svg.sign(animal_sign(animal), 30, y + 24, 36, hue);
    let font = Font::new(24, palette.ink);
    let name = capitalised(&character);
    svg.text(58, y + 33, font.bold(), &name);
    let score = total.map(|total| format!("score {total}")).unwrap_or_default();
    svg.text(width - 14, y + 33, font.bold().end(), &score);
    let left = 58 + font.bold().width(&name) + 14;
    let about = format!("{} · {}", capitalised(&colour), capitalised(&animal));
    svg.text(left, y + 33, font, &font.cut(&about, width - left - font.bold().width(&score) - 40));
    let small = Font::new(22, palette.muted);
    let ability = format!("May {}.", character.ability());
    let lines = small.wrapped(&ability, width - 28);
    for (n, line) in (0..).zip(&lines) {
        svg.text(14, y + 78 + 28 * n, small, line);
    }
    70 + 28 * i32::try_from(lines.len()).unwrap_or(1)
}

fn draw_tableau(svg: &mut Svg, setting: &Setting, tables: &Table, view: &SeatView, y: i32, width: i32) -> i32 {
    let palette = setting.theme.palette();
    let cards = view.tableau.cards();
    let (w, h) = CARD;
    let shown = i32::try_from(cards.len().max(1)).unwrap_or(1);
    // Only the owner of a tableau puts cards to its ends.
    let is_own = setting.seat == Some(view.seat);
    let room = (width - shown * (w + GAP) + GAP) / 2 - GAP;
    let end_width = if is_own { room.clamp(END, WIDE_END) } else { 0 };
    let length = 2 * (end_width + GAP) + shown * (w + GAP) - GAP;
    let left = ((width - length) / 2).max(0);
    let ends = [("LEFT", left), ("RIGHT", left + length - end_width)];
    for (end, x) in ends.into_iter().filter(|_| is_own) {
        let title = format!("{} end of the tableau of {}", capitalised(&end), setting.short_name(view.seat));
        let piece = Piece::new(format!("end-{}-{}", view.seat, end.to_lowercase()), title);
        svg.piece(&piece.token(Named::Place, &end).of(view.seat), |svg| {
            svg.rect(x, y, end_width, h, 8, Paint::fill(palette.sunken).edged(palette.line, 2).dashed());
            let (middle, size) = (x + end_width / 2, if end_width > 40 { 12 } else { 5 });
            let (tip, back) =
                if end == "LEFT" { (middle - size, middle + size) } else { (middle + size, middle - size) };
            let points = [(tip, y + h / 2), (back, y + h / 2 - 2 * size), (back, y + h / 2 + 2 * size)];
            svg.polygon(&points, Paint::fill(palette.muted));
        });
    }
    if cards.is_empty() {
        let x = left + end_width + GAP;
        svg.rect(x, y, w, h, 12, Paint::fill(palette.sunken).edged(palette.line, 2).dashed());
    }
    let mut below = 0;
    for (n, card) in cards.iter().enumerate() {
        let x = left + end_width + GAP + i32::try_from(n).unwrap_or(0) * (w + GAP);
        let title = format!("Position {n}: card {}", words_of(tables, *card));
        let piece = Piece::new(format!("tableau-{}-{n}", view.seat), title).token(Named::Number, &n).of(view.seat);
        svg.piece(&piece.at(x, y), |svg| draw_card(svg, palette, tables, *card));
        if let Some(score) = view.score.as_ref().and_then(|score| score.cards.get(n)) {
            let points = score.value + score.secondary + score.adjacent;
            svg.text(x + w / 2, y + h + 26, Font::new(24, palette.ink).bold().middle(), &format!("{points:+}"));
            below = 32;
        }
    }
    h + below
}

fn draw_hand(
    svg: &mut Svg,
    setting: &Setting,
    tables: &Table,
    (seat, private): (Seat, &Private),
    top: i32,
    width: i32,
) -> i32 {
    let palette = setting.theme.palette();
    let Private { hand, choice, given, received, drawn } = private;
    let font = Font::new(24, palette.muted);
    svg.text(0, top + 24, font.bold(), "Hand");
    if let Some(choice) = choice {
        let words = format!("Chosen: {}", choice_words(*choice));
        svg.text(90, top + 24, font, &font.cut(&words, width - 90));
    }
    let cards: Vec<Card> = hand.iter().collect();
    let mut y = top + HAND_LABEL;
    y += flow(cards.len(), width, CARD, 14, |n, x, row| {
        let card = cards[n];
        let from = received.iter().find(|received| received.card == card).map(|received| received.from);
        let how = match (from, *drawn == Some(card)) {
            (Some(from), _) => format!(", received from {}", setting.short_name(from)),
            (None, true) => ", drawn last".into(),
            (None, false) => String::new(),
        };
        let piece = Piece::new(format!("hand-{seat}-{n}"), format!("Card {}{how}", words_of(tables, card)));
        svg.piece(&piece.token(Named::Card, &card).of(seat).at(x, y + row), |svg| {
            draw_card(svg, palette, tables, card);
            if let Some(from) = from {
                seat::sign(svg, palette, from, CARD.0 - 18, CARD.1 - 18, 13);
            }
        });
    });
    if !given.is_empty() {
        let given = given.iter().map(|given| format!("{} to seat {}", given.card, given.to));
        let given = format!("Given away: {}", given.collect::<Vec<_>>().join(", "));
        for line in font.wrapped(&given, width) {
            y += 32;
            svg.text(0, y, font, &line);
        }
        y += 6;
    }
    y - top
}

/// A dance card: number and dance, colour and value, animal, and the points of other dances.
fn draw_card(svg: &mut Svg, palette: &Palette, tables: &Table, card: Card) {
    let (w, h) = CARD;
    let Face { dance, colour, value, animal, secondary, adjacent } = tables.face(card);
    let (hue, pale) = hues(palette, *colour);
    svg.rect(2, 2, w - 4, h - 4, 12, Paint::fill(palette.card).edged(hue, 4));
    svg.rect(4, 4, w - 8, 62, 9, Paint::fill(pale));
    let sign = dance.map_or("i-special", dance_sign);
    svg.sign(sign, 24, 24, 30, palette.ink);
    svg.text(w - 10, 33, Font::new(32, palette.ink).bold().end(), &value.to_string());
    svg.text(10, 60, Font::new(20, palette.ink), &capitalised(&colour));
    svg.sign(animal_sign(*animal), w - 24, 52, 26, palette.ink);
    let name = dance.map_or("Special".into(), |dance| capitalised(&dance));
    svg.text(w / 2, 92, Font::new(24, palette.ink).bold().middle(), &name);
    for (n, (bonus, reach)) in (0..).zip([(secondary, "any"), (adjacent, "next")]) {
        let top = 102 + 32 * n;
        if let Some((dance, points)) = bonus {
            svg.sign(dance_sign(*dance), 17, top + 12, 24, palette.ink);
            svg.text(30, top + 19, Font::new(20, palette.ink).bold(), &format!("{points:+}"));
            svg.text(w - 9, top + 19, Font::new(20, palette.muted).end(), reach);
        }
    }
    if dance.is_none() && secondary.is_none() && adjacent.is_none() {
        svg.sign("i-special", w / 2, 132, 52, hue);
    }
    svg.text(12, h - 11, Font::new(20, palette.muted), &format!("no {card}"));
}

fn hues(palette: &Palette, colour: Hue) -> (Colour, Colour) {
    match colour {
        Hue::Red => (palette.red, palette.pale_red),
        Hue::Blue => (palette.blue, palette.pale_blue),
        Hue::Yellow => (palette.yellow, palette.pale_yellow),
        Hue::Green => (palette.green, palette.pale_green),
    }
}

fn animal_sign(animal: Animal) -> &'static str {
    match animal {
        Animal::Bear => "i-bear",
        Animal::Snake => "i-snake",
        Animal::Wolf => "i-wolf",
        Animal::Raven => "i-raven",
    }
}

fn dance_sign(dance: Dance) -> &'static str {
    match dance {
        Dance::War => "i-war",
        Dance::Gourd => "i-gourd",
        Dance::Spirit => "i-spirit",
        Dance::Hoop => "i-hoop",
        Dance::Fire => "i-fire",
        Dance::Grass => "i-savannah",
        Dance::Rain => "i-rain",
        Dance::Sun => "i-sun",
    }
}

/// The whole card: '17 (HOOP, RED 2, WOLF, GRASS +3 anywhere, GOURD +2 adjacent)'.
fn words_of(tables: &Table, card: Card) -> String {
    let Face { dance, colour, value, animal, secondary, adjacent } = tables.face(card);
    let dance = dance.map_or("SPECIAL".into(), |dance| dance.to_string());
    let mut words = format!("{card} ({dance}, {colour} {value}, {animal}");
    if let Some((dance, points)) = secondary {
        words.push_str(&format!(", {dance} {points:+} anywhere"));
    }
    if let Some((dance, points)) = adjacent {
        words.push_str(&format!(", {dance} {points:+} adjacent"));
    }
    words + ")"
}

fn choice_words(choice: Move) -> String {
    match choice {
        Move::Play { card, end } => format!("card {card} to the {end} end"),
        Move::Pass { left, right } => format!("card {left} to the left, {right} to the right"),
        Move::Swap(pair) => format!("swap positions {} and {}", pair.first(), pair.second()),
        Move::Shift { from, to } => format!("move position {from} to {to}"),
        Move::Exchange { end: Some(end), card } => format!("card {card} for the {end} end card"),
        Move::Exchange { end: None, card } => format!("card {card} for the middle card"),
        Move::Decline => "decline the ability".into(),
    }
}

fn ability_words(ability: Ability) -> String {
    match ability {
        Ability::Declined => "declined".into(),
        Ability::Swapped { first, second } => format!("swapped positions {first} and {second}"),
        Ability::Moved { from, to } => format!("moved position {from} to {to}"),
        Ability::Exchanged { position, put, taken } => format!("exchanged {taken} at position {position} for {put}"),
    }
}

pub fn text(view: &View, setting: &Setting) -> String {
    let phase = match view.phase {
        Phase::Play => "play a card to an end of the tableau",
        Phase::Pass => "pass a card to each neighbour",
        Phase::Ability => "use or decline the character's ability",
        Phase::Over => "over",
    };
    let mut text = format!("Mahola, round {}, turn {}: {phase}\n{}\n", view.round, view.turn, setting.status_line());
    let mut line = |line: String| {
        text.push_str(&line);
        text.push('\n');
    };
    line(format!("Favor tokens to win: {}. Deck: {}.", view.rounds_to_win, count(view.deck_size, "card")));
    if let Some(deck) = &view.deck {
        line(format!("Deck, top first: {}", list(deck)));
    }
    for seat in &view.seats {
        let SeatView { seat, tokens, has_chosen, hand_size, tableau, character, score, private } = seat;
        let chosen = if *has_chosen { ", has chosen" } else { "" };
        let called = setting.called(*seat).replacen("seat", "Seat", 1);
        line(format!("{called}: {}, {} in hand{chosen}.", count(*tokens, "favor token"), count(*hand_size, "card")));
        if let Some(character) = character {
            let (colour, animal) = (view.tables.colour(*character), view.tables.animal(*character));
            let ability = character.ability();
            line(format!("  Character: {character} ({colour}, {animal}; may {ability})"));
        }
        line(match tableau.cards() {
            [] => "  Tableau: empty; the first card goes to its LEFT or RIGHT end, which is the same".into(),
            _ => "  Tableau, from the LEFT end to the RIGHT end, by position:".into(),
        });
        for (n, card) in tableau.cards().iter().enumerate() {
            let points = score.as_ref().and_then(|score| score.cards.get(n)).map(|score| {
                let why = match score.because {
                    Because::Colour => "colour",
                    Because::Animal => "animal",
                    Because::Neither => "neither",
                };
                format!(
                    ": value {:+} ({why}), anywhere {:+}, adjacent {:+}",
                    score.value, score.secondary, score.adjacent
                )
            });
            line(format!("    {n}: {}{}", words_of(&view.tables, *card), points.unwrap_or_default()));
        }
        if let Some(score) = score {
            let (specials, matches) = (score.specials, score.secondary_matches);
            line(format!("  Score: {} ({specials} special, {matches} secondary matches)", score.total));
        }
        if let Some(Private { hand, choice, given, received, drawn }) = private {
            line("  Hand:".into());
            for card in hand.iter() {
                let from = received.iter().find(|received| received.card == card);
                let from = from.map(|received| format!(" from seat {}", received.from)).unwrap_or_default();
                let drawn = if *drawn == Some(card) { " drawn last" } else { "" };
                line(format!("    {}{from}{drawn}", words_of(&view.tables, card)));
            }
            if let Some(choice) = choice {
                line(format!("  Chosen: {choice}"));
            }
            if !given.is_empty() {
                let given =
                    given.iter().map(|given| format!("{} to seat {} in turn {}", given.card, given.to, given.turn));
                line(format!("  Given away: {}", given.collect::<Vec<_>>().join(", ")));
            }
        }
    }
    if let Some(last) = &view.last_round {
        round_lines(last).into_iter().for_each(&mut line);
        for seat in &last.seats {
            let (character, ability) = (seat.character, ability_words(seat.ability));
            line(format!(
                "  Seat {}: {character}, ability {ability}, tableau {}",
                seat.seat,
                list(seat.tableau.cards())
            ));
        }
    }
    text
}

pub fn components(tables: &Table, setting: &Setting) -> String {
    let palette = setting.theme.palette();
    let mut sheet = Sheet::new(setting, "Mahola", "Characters and dance cards");
    let width = Sheet::full(setting);
    sheet.board(Block::panel(palette, width, |svg, width| {
        let mut y = 0;
        for character in Character::ALL {
            y += draw_character(svg, palette, tables, *character, None, y, width) + 8;
        }
        y - 8
    }));
    sheet.board(Block::panel(palette, width, |svg, width| {
        let lines = [
            "Top: dance, value, colour and animal. Below: the points for another dance",
            "anywhere in the tableau (any) and for each neighbour with that dance (next).",
        ];
        let font = Font::new(22, palette.muted);
        let mut y = 0;
        for line in font.wrapped(&lines.join(" "), width) {
            y += 28;
            svg.text(0, y - 8, font, &line);
        }
        let mut legend = Svg::default();
        let dances = flow(Dance::ALL.len(), width, (160, 40), 8, |n, x, row| {
            legend.sign(dance_sign(Dance::ALL[n]), x + 16, row + 20, 30, palette.ink);
            legend.text(x + 40, row + 28, Font::new(24, palette.ink), &capitalised(&Dance::ALL[n]));
        });
        svg.shifted(0, y + 6, &legend);
        y += dances + 20;
        let cards: Vec<Card> = Card::all().collect();
        y + flow(cards.len(), width, CARD, 14, |n, x, row| {
            let piece = Piece::new(format!("card-{}", cards[n]), format!("Card {}", words_of(tables, cards[n])));
            svg.piece(&piece.at(x, y + row), |svg| draw_card(svg, palette, tables, cards[n]));
        })
    }));
    sheet.drawn()
}

const _: () = assert!(2 * (END + GAP) + TURNS * (CARD.0 + GAP) - GAP <= COLUMN - 2 * PADDING);
const TURNS: i32 = 5;
