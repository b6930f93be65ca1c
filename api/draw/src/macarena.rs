//! La Macarena: seven wells with cards and macas, one's hand, and everybody's elements, coins and amulets.

use domain::Seat;
use domain::games::macarena::{
    Card, Cards, Element, Exchange, HandEnd, PlayerView, RANKS, Settlement, Stage, View, WellView,
};

use crate::Setting;
use crate::seat;
use crate::sheet::{Block, COLUMN, Sheet, flow};
use crate::svg::{Font, Named, Paint, Piece, Svg};
use crate::theme::{Colour, Palette};
use crate::words::{capitalised, count, list};

/// A card on a well.
const LARGE: (i32, i32) = (88, 124);
/// A card of a hand: seven side by side, each as wide as a finger needs.
const CARD: (i32, i32) = (94, 100);
const CARD_GAP: i32 = 3;
/// A card of a collection.
const SMALL: (i32, i32) = (78, 40);
/// The room for a finger on the macas of a well.
const MACAS_TOUCH: i32 = 94;
/// The room for a finger on an element.
const ELEMENT_TOUCH: i32 = 96;

pub fn picture(view: &View, setting: &Setting) -> String {
    let palette = setting.theme.palette();
    let seats = view.players.seats();
    let stage = match view.stage {
        Stage::NormalTurn => "",
        Stage::MirrorTurn => " · mirror turn",
        Stage::Returning => " · returning elements",
        Stage::Buying => " · buying an element",
        Stage::Over => "",
    };
    let detail = format!("Hand {}{stage} · {}", view.hand_number, setting.status());
    let mut sheet = Sheet::new(setting, "La Macarena", &detail);
    for seat in setting.others(seats) {
        sheet.other(player(view, setting, seat, COLUMN));
    }
    sheet.board(Block::panel(palette, COLUMN, |svg, width| wells(svg, view, setting, palette, width)));
    if let Some(settlement) = &view.settlement {
        sheet.aside(settled(settlement, palette, COLUMN));
    }
    sheet.own(player(view, setting, setting.bottom(seats), Sheet::full(setting)));
    sheet.drawn()
}

fn sign_of(element: Element) -> &'static str {
    match element {
        Element::Earth => "i-earth",
        Element::Air => "i-air",
        Element::Water => "i-water",
        Element::Fire => "i-fire",
    }
}

fn hues(palette: &Palette, element: Element) -> (Colour, Colour) {
    match element {
        Element::Earth => (palette.green, palette.pale_green),
        Element::Air => (palette.yellow, palette.pale_yellow),
        Element::Water => (palette.blue, palette.pale_blue),
        Element::Fire => (palette.red, palette.pale_red),
    }
}

fn rank_of(card: Card) -> &'static str {
    RANKS[usize::from(card.rank())]
}

fn words_of(card: Card) -> String {
    let rank = match rank_of(card) {
        "A" => "Ace",
        "J" => "Jack",
        "Q" => "Queen",
        "K" => "King",
        rank => rank,
    };
    format!("{rank} of {}", capitalised(&card.element()).to_lowercase())
}

fn wells(svg: &mut Svg, view: &View, setting: &Setting, palette: &Palette, width: i32) -> i32 {
    let font = Font::new(24, palette.muted);
    svg.text(0, 24, font.bold(), "Wells");
    let goal = format!("{} to win", count(view.goal, "amulet"));
    svg.text(font.bold().width("Wells") + 24, 24, font, &goal);
    let deck = format!("Deck: {}", count(view.deck_size, "card"));
    svg.sign("i-cards", width - font.width(&deck) - 20, 15, 30, palette.muted);
    svg.text(width, 24, font.end(), &deck);
    let top = 40;
    let pitch = width / i32::try_from(view.wells.len().max(1)).unwrap_or(1);
    let mut height = 0;
    for (n, well) in view.wells.iter().enumerate() {
        let WellView { top: card, macas, under_size, .. } = well;
        let x = i32::try_from(n).unwrap_or(0) * pitch;
        let title = format!("Well {n}: {} on top, {} under it", words_of(*card), under_size);
        let piece = Piece::new(format!("well-{n}"), title).token(Named::Place, &format!("w{n}")).at(x, top);
        svg.piece(&piece, |svg| {
            if *under_size > 0 {
                svg.rect(8, 6, LARGE.0 - 4, LARGE.1 - 2, 12, Paint::fill(palette.sunken).edged(palette.line, 3));
            }
            draw_card(svg, palette, *card, LARGE);
            svg.text(LARGE.0 / 2, LARGE.1 + 28, font.middle(), &format!("w{n}"));
            svg.touch((LARGE.0 - pitch) / 2, 0, pitch, LARGE.1 + 36);
        });
        let from =
            Piece::new(format!("macas-{n}"), format!("Macas at well {n}")).token(Named::Place, &format!("from{n}"));
        svg.piece(&from, |svg| {
            let first = top + LARGE.1 + 40;
            let mut y = first;
            for (seat, macas) in macas.iter().filter(|(_, macas)| **macas > 0) {
                let title = format!("{} of {} at well {n}", count(*macas, "maca"), setting.short_name(seat));
                svg.piece(&Piece::new(format!("maca-{n}-{seat}"), title).of(seat), |svg| {
                    seat::sign(svg, palette, seat, x + 28, y + 20, 17);
                    svg.text(x + 54, y + 29, Font::new(24, palette.ink).bold(), &format!("×{macas}"));
                });
                y += 44;
            }
            if y > first {
                y = y.max(first + MACAS_TOUCH);
                svg.touch(x + (LARGE.0 - pitch) / 2, first, pitch, y - first);
            }
            height = height.max(y);
        });
    }
    height.max(top + LARGE.1 + 36)
}

fn draw_card(svg: &mut Svg, palette: &Palette, card: Card, (w, h): (i32, i32)) {
    let (hue, pale) = hues(palette, card.element());
    svg.rect(2, 2, w - 4, h - 4, 11, Paint::fill(pale).edged(hue, 3));
    if h <= SMALL.1 {
        svg.text(9, 28, Font::new(23, palette.ink).bold(), rank_of(card));
        svg.sign(sign_of(card.element()), w - 19, h / 2, 24, hue);
    } else {
        svg.text(w / 2, 40, Font::new(38, palette.ink).bold().middle(), rank_of(card));
        let size = (h - 52).min(52);
        svg.sign(sign_of(card.element()), w / 2, (h + 44) / 2, size, hue);
    }
}

fn player(view: &View, setting: &Setting, seat: Seat, width: i32) -> Block {
    let palette = setting.theme.palette();
    let player = &view.players[seat];
    let PlayerView { hand_size, hand, drawn, collection_size, collection, macas_at_home, .. } = player;
    Block::panel(palette, width, |svg, width| {
        seat::plate(svg, setting, seat, 0, 0, width);
        // Beside each other where there is room for both, the hand with more of it.
        let is_wide = width > COLUMN;
        let (hand_width, collection_width) = if is_wide { (width - 440, 410) } else { (width, width) };
        let is_own = setting.seat == Some(seat);
        let mut y = seat::PLATE + 12;
        purse(svg, setting, seat, player, y, is_own);
        // Macas at home: beside the purse, or below one that is large enough to be touched.
        let (x, line) = if is_own { (0, y + ELEMENT_TOUCH) } else { (490, y + 4) };
        y += if is_own { ELEMENT_TOUCH + 44 } else { 62 };
        let font = Font::new(24, palette.muted);
        let home = format!("macas-home-{seat}");
        let title = format!("{} of {} at home", count(*macas_at_home, "maca"), setting.short_name(seat));
        svg.piece(&Piece::new(home, title).of(seat), |svg| {
            let (r, pitch) = if is_own { (12, 36) } else { (9, 26) };
            for n in 0..i32::from(*macas_at_home) {
                seat::shape(svg, palette, seat, x + 14 + n * pitch, line + 20, r);
            }
            let left = x + 12 + pitch * i32::from(*macas_at_home);
            let words = if *macas_at_home == 1 { "maca at home" } else { "macas at home" };
            if is_own {
                svg.text(left, line + 28, font, words);
            } else if *macas_at_home == 0 {
                svg.text(x, line + 28, font, "no maca at home");
            }
        });
        if hand.is_none() {
            let facts = format!("{} in hand · {} collected", count(*hand_size, "card"), collection_size);
            svg.text(0, y + 24, font, &facts);
            y += 34;
        }
        let mut below = y;
        if let Some(hand) = hand {
            below = cards(svg, setting, seat, y, hand_width, ("Hand", "hand", CARD), *hand, *drawn);
        }
        if let Some(collection) = collection {
            let (x, top) = if is_wide { (width - collection_width, y) } else { (0, below) };
            let mut beside = Svg::default();
            let bottom = cards(
                &mut beside,
                setting,
                seat,
                top,
                collection_width,
                ("Collection", "collection", SMALL),
                *collection,
                None,
            );
            svg.shifted(x, 0, &beside);
            below = below.max(bottom);
        }
        y = below;
        if let Some(element) = player.chosen_return {
            svg.text(0, y + 26, font, &format!("Returns {}.", capitalised(&element)));
            y += 34;
        }
        y
    })
}

/// The elements, those missing as outlines; coins; amulets.
fn purse(svg: &mut Svg, setting: &Setting, seat: Seat, player: &PlayerView, y: i32, is_own: bool) {
    let palette = setting.theme.palette();
    // One's own elements can be named.
    let (w, h, pitch) = if is_own { (84, 60, ELEMENT_TOUCH) } else { (52, 48, 64) };
    for (n, element) in (0..).zip(Element::ALL) {
        let has = player.elements.contains(element);
        let (hue, pale) = hues(palette, element);
        let name = capitalised(&element);
        let title = format!("{} {} {name}", setting.short_name(seat), if has { "has" } else { "does not have" });
        let piece = Piece::new(format!("element-{seat}-{}", name.to_lowercase()), title);
        svg.piece(&piece.token(Named::Card, &element).of(seat), |svg| {
            let x = n * pitch;
            let paint =
                if has { Paint::fill(pale).edged(hue, 4) } else { Paint::fill("none").edged(palette.line, 3).dashed() };
            svg.rect(x + 2, y + 2, w, h, 14, paint);
            svg.sign(sign_of(element), x + 2 + w / 2, y + 2 + h / 2, h - 20, if has { hue } else { palette.muted });
            if is_own {
                svg.touch(x - 3, y - 17, ELEMENT_TOUCH, ELEMENT_TOUCH);
            }
        });
    }
    let (coins_at, amulets_at) = if is_own { (424, 548) } else { (284, 384) };
    let y = if is_own { y + 7 } else { y };
    let ink = Font::new(26, palette.ink).bold();
    let coins = Piece::new(
        format!("coins-{seat}"),
        format!("{} has {}", setting.short_name(seat), count(player.coins, "coin")),
    );
    svg.piece(&coins.of(seat), |svg| {
        svg.sign("i-coin", coins_at, y + 26, 40, palette.yellow);
        svg.text(coins_at + 28, y + 36, ink, &format!("×{}", player.coins));
    });
    let title = format!("{} has {}", setting.short_name(seat), count(player.amulets, "amulet"));
    svg.piece(&Piece::new(format!("amulets-{seat}"), title).of(seat), |svg| {
        svg.sign("i-amulet", amulets_at, y + 26, 42, palette.accent);
        svg.text(amulets_at + 28, y + 36, ink, &format!("×{}", player.amulets));
    });
}

#[expect(clippy::too_many_arguments, reason = "a row of cards is placed, named and owned")]
fn cards(
    svg: &mut Svg,
    setting: &Setting,
    seat: Seat,
    top: i32,
    width: i32,
    (label, place, size): (&str, &str, (i32, i32)),
    cards: Cards,
    drawn: Option<Card>,
) -> i32 {
    let palette = setting.theme.palette();
    let font = Font::new(24, palette.muted);
    svg.text(0, top + 26, font.bold(), &format!("{label}: {}", cards.len()));
    let top = top + 38;
    let cards: Vec<Card> = cards.iter().collect();
    // Of two copies the second is the one that was drawn.
    let drawn = drawn.and_then(|drawn| cards.iter().rposition(|card| *card == drawn));
    let height = flow(cards.len(), width, size, if size == CARD { CARD_GAP } else { 7 }, |n, x, row| {
        let card = cards[n];
        let how = if drawn == Some(n) { ", drawn for this turn" } else { "" };
        let piece = Piece::new(format!("{place}-{seat}-{n}"), format!("{}{how}", words_of(card))).of(seat);
        let piece = if place == "hand" { piece.token(Named::Card, &card) } else { piece };
        svg.piece(&piece.at(x, top + row), |svg| {
            draw_card(svg, palette, card, size);
            if place == "hand" {
                svg.touch(-1, 0, size.0 + CARD_GAP, size.1 + CARD_GAP);
            }
            if drawn == Some(n) {
                svg.circle(size.0 - 12, 12, 10, Paint::fill(palette.accent).edged(palette.panel, 3));
            }
        });
    });
    top + height + 8
}

fn settled(settlement: &Settlement, palette: &Palette, width: i32) -> Block {
    Block::panel(palette, width, |svg, width| {
        let font = Font::new(22, palette.muted);
        svg.text(0, 22, Font::new(24, palette.muted).bold(), &format!("End of hand {}", settlement.hand_number));
        let mut y = 28;
        for line in settlement_lines(settlement) {
            for line in font.wrapped(&line, width) {
                y += 29;
                svg.text(0, y, font, &line);
            }
        }
        y + 4
    })
}

/// The end of a hand in sentences.
fn settlement_lines(settlement: &Settlement) -> Vec<String> {
    let Settlement { end, most_cards, cards, returns, awards, .. } = settlement;
    let mut lines = vec![match end {
        HandEnd::EmptyHand { seat } => format!("Seat {seat} had no card left."),
        HandEnd::EmptyDeck => "The deck was empty.".into(),
    }];
    let most = crate::words::and(most_cards.iter().map(|seat| format!("seat {seat}")));
    lines.push(format!("Most cards in hand, {cards}: {most}."));
    lines.extend(returns.iter().map(|given| format!("Seat {} returned {}.", given.seat, given.gift)));
    for award in awards {
        let mut line = match award.gain {
            Some(_) => award.to_string(),
            None => match award.seat {
                Some(seat) => format!("To come: seat {seat}, for {}.", award.reason),
                None => format!("To come: nobody, for {}.", award.reason),
            },
        };
        for exchange in &award.exchanges {
            line.push_str(&match exchange {
                Exchange::Bought { element } => format!(" Four coins bought {element}."),
                Exchange::Amulet => " Four elements became an amulet.".into(),
            });
        }
        lines.push(line);
    }
    lines
}

pub fn text(view: &View, setting: &Setting) -> String {
    let stage = match view.stage {
        Stage::NormalTurn => "a normal turn: play a series on a well or pass",
        Stage::MirrorTurn => "a mirror turn: play a series on any well or decline",
        Stage::Returning => "players with the most cards return an element",
        Stage::Buying => "four coins buy an element",
        Stage::Over => "over",
    };
    let mut text =
        format!("La Macarena, hand {}, counted from 0, of at most {}: {stage}\n", view.hand_number, view.max_hands);
    let mut line = |line: String| {
        text.push_str(&line);
        text.push('\n');
    };
    line(setting.status_line());
    if !view.returning.is_empty() {
        line(format!("Still to return an element: {}.", setting.all_called(view.returning)));
    }
    line(format!("Amulets to win: {}. This hand was started by {}.", view.goal, setting.called(view.starter)));
    line(format!("Deck: {}", count(view.deck_size, "card")));
    if let Some(deck) = &view.deck {
        line(format!("Deck, the next card first: {}", list(deck)));
    }
    line("Wells, with the card on top:".into());
    for (n, WellView { top, macas, under_size, under }) in view.wells.iter().enumerate() {
        let macas = macas.iter().filter(|(_, macas)| **macas > 0);
        let macas: Vec<String> = macas.map(|(seat, macas)| format!("{macas} of seat {seat}")).collect();
        let macas =
            if macas.is_empty() { "macas: none".into() } else { format!("macas (from{n}): {}", macas.join(", ")) };
        let under = match under {
            Some(under) => format!("under it {}", list(under.iter())),
            None => format!("{under_size} under it"),
        };
        line(format!("  w{n}: {top}, {under}, {macas}"));
    }
    for (seat, player) in view.players.iter() {
        let PlayerView {
            hand_size,
            hand,
            drawn,
            collection_size,
            collection,
            macas_at_home,
            elements,
            coins,
            amulets,
            chosen_return,
        } = player;
        let called = setting.called(seat).replacen("seat", "Seat", 1);
        line(format!(
            "{called}: elements {}; {}, {}; {} at home; {hand_size} in hand; {collection_size} collected.",
            list(elements.iter()),
            count(*coins, "coin"),
            count(*amulets, "amulet"),
            count(*macas_at_home, "maca"),
        ));
        if let Some(hand) = hand {
            line(format!("  Hand: {}", list(hand.iter())));
        }
        if let Some(drawn) = drawn {
            line(format!("  Drawn for this turn: {drawn}"));
        }
        if let Some(collection) = collection {
            line(format!("  Collection: {}", list(collection.iter())));
        }
        if let Some(element) = chosen_return {
            line(format!("  Chose to return {element}."));
        }
    }
    if let Some(settlement) = &view.settlement {
        line(format!("End of hand {}:", settlement.hand_number));
        settlement_lines(settlement).into_iter().map(|text| format!("  {text}")).for_each(&mut line);
        if let Some(shown) = &settlement.shown {
            for (seat, hand) in shown.hands.iter() {
                let collection = &shown.collections[seat];
                line(format!(
                    "  Seat {seat} showed hand {}; collection {}",
                    list(hand.iter()),
                    list(collection.iter())
                ));
            }
        }
    }
    line("A card is its rank and the letter of its element: E EARTH, A AIR, W WATER, F FIRE.".into());
    text
}

pub fn components(setting: &Setting) -> String {
    let palette = setting.theme.palette();
    let mut sheet = Sheet::new(setting, "La Macarena", "Two copies of each card");
    sheet.board(Block::panel(palette, Sheet::full(setting), |svg, width| {
        let mut y = 0;
        for element in Element::ALL {
            svg.sign(sign_of(element), 18, y + 20, 34, hues(palette, element).0);
            let label = format!("{}, letter {}", capitalised(&element), element.letter());
            svg.text(46, y + 29, Font::new(24, palette.ink).bold(), &label);
            y += 44;
            let cards: Vec<Card> = (0..13).map(|rank| Card::new(rank, element)).collect();
            y += flow(cards.len(), width, CARD, CARD_GAP, |n, x, row| {
                let piece = Piece::new(format!("card-{}", cards[n]), words_of(cards[n]));
                svg.piece(&piece.at(x, y + row), |svg| draw_card(svg, palette, cards[n], CARD));
            });
            y += 20;
        }
        y - 20
    }));
    sheet.board(Block::panel(palette, Sheet::full(setting), |svg, _| {
        let font = Font::new(24, palette.ink);
        for (x, sign, name) in [(0, "i-coin", "Coin"), (180, "i-amulet", "Amulet")] {
            svg.sign(sign, x + 22, 22, 42, palette.ink);
            svg.text(x + 52, 31, font, name);
        }
        for (n, seat) in (0..).zip(Seat::all(5)) {
            seat::sign(svg, palette, seat, 400 + 48 * n, 22, 17);
        }
        svg.text(0, 78, Font::new(22, palette.muted), "The shapes are the macas of the five seats.");
        88
    }));
    sheet.drawn()
}
