//! The Mara: the reserve with its habitats, jeeps, tracks and lodges, the animals seen, and everybody's tourists.

mod reserve;

use domain::Seat;
use domain::games::mara::{
    Animal, DriverView, End, Habitat, LodgeView, Place, TileView, Tourist, TouristView, Variant, View,
};

use reserve::reserve;

use crate::Setting;
use crate::seat;
use crate::sheet::{Block, COLUMN, Sheet, flow};
use crate::svg::{Font, Named, Paint, Piece, Svg};
use crate::theme::{Colour, Palette};
use crate::words::{capitalised, count, list};

/// The columns of a wide picture.
const BOARD: i32 = 840;
const BESIDE: i32 = 2 * COLUMN - BOARD;
/// A tourist that is only looked at.
const CHIP: (i32, i32) = (84, 52);
/// A tourist that a move can name, as large as a finger needs.
const GUEST: (i32, i32) = (98, 98);
const GUEST_GAP: i32 = 6;
/// The same at the lodges of a wide picture, beside the board.
const LOW_GUEST: (i32, i32) = (86, 60);

pub fn picture(view: &View, setting: &Setting) -> String {
    let palette = setting.theme.palette();
    let seats = view.drivers.seats();
    let doing = match (view.end, view.is_placing, view.is_guiding, &view.choice) {
        (Some(_), ..) => String::new(),
        (_, true, ..) => "placing jeeps · ".into(),
        (_, _, _, Some(_)) => "choosing a tourist · ".into(),
        (_, _, true, _) => format!("{} left · ", count(view.actions_left, "action")),
        _ => String::new(),
    };
    let mut sheet = Sheet::new(setting, "The Mara", &format!("{doing}{}", setting.status()));
    sheet.widen(BOARD);
    let beside = if setting.is_wide() { BESIDE } else { COLUMN };
    for seat in setting.others(seats) {
        sheet.other(driver(view, setting, seat, beside));
    }
    sheet.board(reserve(Some(view), setting, palette));
    sheet.loose(match view.variant {
        Variant::Standard => lodges(view, setting, beside),
        Variant::Family => deck(view, setting, beside),
    });
    sheet.own(driver(view, setting, setting.bottom(seats), Sheet::full(setting)));
    sheet.drawn()
}

fn habitat_sign(habitat: Habitat) -> &'static str {
    match habitat {
        Habitat::Grove => "i-grove",
        Habitat::Bush => "i-bush",
        Habitat::Savannah => "i-savannah",
        Habitat::Waterhole => "i-waterhole",
        Habitat::River => "i-river",
    }
}

fn animal_sign(animal: Animal) -> &'static str {
    match animal {
        Animal::Carnivore => "i-carnivore",
        Animal::Herbivore => "i-herbivore",
        Animal::Primate => "i-primate",
        Animal::Amphibian => "i-amphibian",
        Animal::Bird => "i-bird",
        Animal::Insect => "i-insect",
    }
}

fn hues(palette: &Palette, habitat: Habitat) -> (Colour, Colour) {
    match habitat {
        Habitat::Grove => (palette.green, palette.pale_green),
        Habitat::Bush => (palette.brown, palette.pale_brown),
        Habitat::Savannah => (palette.yellow, palette.pale_yellow),
        Habitat::Waterhole => (palette.teal, palette.pale_teal),
        Habitat::River => (palette.blue, palette.pale_blue),
    }
}

/// The lodges with their waiting tourists.
fn lodges(view: &View, setting: &Setting, width: i32) -> Block {
    let palette = setting.theme.palette();
    let size = if setting.is_wide() { LOW_GUEST } else { GUEST };
    Block::panel(palette, width, |svg, width| {
        let mut y = 0;
        for LodgeView { place, tourists } in &view.lodges {
            let middle = y + size.1 / 2;
            svg.sign("i-lodge", 18, middle, 32, palette.accent);
            svg.text(40, middle + 8, Font::new(24, palette.ink).bold(), &place.to_string());
            let tourists: Vec<Tourist> = tourists.iter().collect();
            let height = flow(tourists.len(), width - 96, size, GUEST_GAP, |n, x, row| {
                let title = format!("At lodge {place}: {}", tourists[n].words());
                let piece = Piece::new(format!("lodge-{place}-{n}"), title).token(Named::Card, &tourists[n]);
                svg.piece(&piece.at(x + 96, y + row), |svg| draw_tourist(svg, palette, tourists[n], size, None));
            });
            if tourists.is_empty() {
                svg.text(100, middle + 8, Font::new(24, palette.muted), "nobody");
            }
            y += height.max(size.1) + GUEST_GAP;
        }
        y - GUEST_GAP
    })
}

/// The deck of the family variant, and the pair that was drawn.
fn deck(view: &View, setting: &Setting, width: i32) -> Block {
    let palette = setting.theme.palette();
    Block::panel(palette, width, |svg, width| {
        let font = Font::new(24, palette.ink);
        svg.sign("i-cards", 18, 20, 34, palette.ink);
        svg.text(46, 29, font, &format!("Deck: {}", count(view.deck_size, "tourist")));
        let mut y = 44;
        let mut known = |label: &str, place: &str, tourists: &[Tourist], can_be_named: bool| {
            svg.text(0, y + 24, Font::new(22, palette.muted), label);
            y += 36;
            let top = y;
            let size = if can_be_named { GUEST } else { CHIP };
            y += flow(tourists.len(), width, size, GUEST_GAP, |n, x, row| {
                let piece = Piece::new(format!("{place}-{n}"), tourists[n].words());
                let piece = if can_be_named { piece.token(Named::Card, &tourists[n]) } else { piece };
                svg.piece(&piece.at(x, top + row), |svg| draw_tourist(svg, palette, tourists[n], size, None));
            }) + GUEST_GAP;
        };
        if let Some(choice) = &view.choice {
            let label = format!("{} drew two and keeps one", setting.short_name(choice.seat));
            known(&label, "drawn", &choice.tourists, true);
        }
        if !view.deck.is_empty() {
            let seen: Vec<Tourist> = view.deck.iter().map(|card| card.tourist).collect();
            known("Known cards of the deck, from the top down", "deck", &seen, false);
        }
        y
    })
}

/// A tourist: its habitat and its animal.
fn draw_tourist(svg: &mut Svg, palette: &Palette, tourist: Tourist, (w, h): (i32, i32), has_photo: Option<bool>) {
    let (hue, pale) = hues(palette, tourist.habitat);
    svg.rect(2, 2, w - 4, h - 4, 12, Paint::fill(pale).edged(hue, 3));
    // A large one has its habitat in the corner.
    let (place, animal, size) =
        if h > LOW_GUEST.1 { ((22, 24), (w / 2 + 8, h / 2 + 10), 46) } else { ((24, h / 2), (58, h / 2), 34) };
    svg.sign(habitat_sign(tourist.habitat), place.0, place.1, 28, hue);
    svg.sign(animal_sign(tourist.animal), animal.0, animal.1, size, palette.ink);
    if has_photo == Some(true) {
        svg.circle(w - 8, 10, 15, Paint::fill(palette.panel));
        svg.sign("i-camera", w - 8, 10, 24, palette.accent);
    }
}

fn driver(view: &View, setting: &Setting, seat: Seat, width: i32) -> Block {
    let palette = setting.theme.palette();
    let DriverView { jeep, tracks_left, face_up, face_down, score, .. } = &view.drivers[seat];
    Block::panel(palette, width, |svg, width| {
        seat::plate(svg, setting, seat, 0, 0, width - 150);
        let points = count(score.points, "point");
        svg.text(width, seat::PLATE / 2 + 10, Font::new(26, palette.ink).bold().end(), &points);
        let font = Font::new(24, palette.muted);
        let mut facts = match jeep {
            Some(jeep) => format!("Jeep at {jeep}"),
            None => "Jeep not placed yet".into(),
        };
        if view.variant == Variant::Standard {
            facts.push_str(&format!(" · {} left", count(*tracks_left, "track")));
        }
        facts.push_str(&format!(" · {}", count(score.photos, "photo")));
        let mut y = seat::PLATE + 32;
        svg.text(0, y, font, &font.cut(&facts, width));
        y += 16;
        if face_up.is_empty() {
            svg.text(0, y + 24, font, "No tourists on the jeep.");
            y += 36;
        } else {
            // Nobody names the tourists of others.
            let is_own = setting.seat == Some(seat);
            let (size, gap) = if is_own { (GUEST, GUEST_GAP) } else { (CHIP, 14) };
            y += flow(face_up.len(), width, size, gap, |n, x, row| {
                let TouristView { tourist, has_photo } = &face_up[n];
                let photo = if *has_photo { ", has its photo" } else { ", wants a photo" };
                let title = format!("On the jeep: {}{photo}", tourist.words());
                let piece = Piece::new(format!("tourist-{seat}-{n}"), title).token(Named::Card, &tourist).of(seat);
                svg.piece(&piece.at(x, y + row), |svg| draw_tourist(svg, palette, *tourist, size, Some(*has_photo)));
            });
        }
        let home: Vec<Tourist> = face_down.iter().collect();
        if !home.is_empty() {
            y += 34;
            svg.sign("i-camera", 14, y - 7, 26, palette.muted);
            svg.text(34, y, font, "Brought home");
            y += 14;
            y += flow(home.len(), width, CHIP, 8, |n, x, row| {
                let title = format!("Brought home: {}", home[n].words());
                let piece = Piece::new(format!("home-{seat}-{n}"), title).of(seat);
                svg.piece(&piece.at(x, y + row), |svg| draw_tourist(svg, palette, home[n], CHIP, None));
            });
        }
        y
    })
}

pub fn text(view: &View, setting: &Setting) -> String {
    let variant = match view.variant {
        Variant::Standard => "The Mara",
        Variant::Family => "The Mara, family variant",
    };
    let mut text = format!("{variant}\n{}\n", setting.status_line());
    let mut line = |line: String| {
        text.push_str(&line);
        text.push('\n');
    };
    match view.end {
        Some(End::AllPhotographed) => line("Every animal has been photographed.".into()),
        Some(End::NoTourists) => line("There are no tourists left to guide.".into()),
        Some(End::NoPhotos) => line("Too many turns have passed without a photo.".into()),
        Some(End::EmptyDeck) => line("There is no tourist left to draw.".into()),
        None if view.is_placing => line("Jeeps are being placed at lodges.".into()),
        None => {
            let task = if view.is_guiding { "The mover guides" } else { "The mover chooses a task" };
            line(format!("{task}; actions left: {}.", view.actions_left));
        }
    }
    let (turns, most) = (view.turns_without_photo, view.most_turns_without_photo);
    line(format!(
        "Turns without a photo: {turns}; {most} end the game. Notepads: {}.",
        if view.notepads { "yes" } else { "no" }
    ));
    for (seat, driver) in view.drivers.iter() {
        let DriverView { jeep, tracks, tracks_left, face_up, face_down, score } = driver;
        let jeep = jeep.map_or("not placed".into(), |jeep| {
            let cells: Vec<String> = jeep.cells().map(|cell| cell.to_string()).collect();
            format!("at {jeep} (cell {}; next to {})", cells.join(" and "), list(jeep.neighbours().iter()))
        });
        let called = setting.called(seat).replacen("seat", "Seat", 1);
        line(format!("{called}: jeep {jeep}; {}, {}.", count(score.points, "point"), count(score.photos, "photo")));
        let on_jeep = face_up
            .iter()
            .map(|TouristView { tourist, has_photo }| format!("{tourist}{}", if *has_photo { " (photo)" } else { "" }));
        line(format!("  Tourists on the jeep: {}", list(on_jeep)));
        line(format!("  Brought home: {}", list(face_down.iter())));
        if view.variant == Variant::Standard {
            line(format!("  Tracks on {}; {tracks_left} left", list(tracks.iter())));
            let sets = score.sets.iter().map(|set| format!("[{}]", list(set.iter().map(|animal| animal.name()))));
            line(format!("  Sets of photos: {}", list(sets)));
        }
    }
    if view.variant == Variant::Standard {
        line("Lodges, with the tourists waiting:".into());
        for LodgeView { place, tourists } in &view.lodges {
            line(format!("  {place}: {}", list(tourists.iter())));
        }
    } else {
        line(format!("Deck: {}.", count(view.deck_size, "tourist")));
        for card in &view.deck {
            line(format!("  Under {}: {}", count(card.depth, "card"), card.tourist));
        }
        if let Some(choice) = &view.choice {
            line(format!(
                "{} drew two tourists and keeps one; known: {}",
                setting.called(choice.seat),
                list(&choice.tourists)
            ));
        }
    }
    line("Tiles by cell; the animal where you know it:".into());
    let mut row: Vec<String> = Vec::new();
    for (n, TileView { cell, habitat, animal, photographer }) in view.tiles.iter().enumerate() {
        let animal = animal.map(|animal| format!("-{}", animal.name())).unwrap_or_default();
        let how = match photographer {
            Some(seat) => format!(" (photo, seat {seat})"),
            None if view.peeked.contains(cell) => " (just peeked at)".into(),
            None => String::new(),
        };
        row.push(format!("{cell} {}{animal}{how}", habitat.name()));
        if n % 5 == 4 {
            line(format!("  {}", row.join(", ")));
            row.clear();
        }
    }
    if !row.is_empty() {
        line(format!("  {}", row.join(", ")));
    }
    line("Places, with the cells beside them and the places next to them:".into());
    let places: Vec<String> = (0..).map_while(Place::numbered).map(place_words).collect();
    for row in places.chunks(4) {
        line(format!("  {}", row.join("; ")));
    }
    text
}

/// 'p23 (10, 17): p21 p22 p25 p34'.
fn place_words(place: Place) -> String {
    let cells: Vec<String> = place.cells().map(|cell| cell.to_string()).collect();
    format!("{place} ({}): {}", cells.join(", "), list(place.neighbours().iter()))
}

pub fn components(setting: &Setting) -> String {
    let palette = setting.theme.palette();
    let mut sheet = Sheet::new(setting, "The Mara", "The reserve and its tourists");
    sheet.widen(BOARD);
    sheet.board(reserve(None, setting, palette));
    let legend = Block::panel(palette, if setting.is_wide() { BESIDE } else { COLUMN }, |svg, width| {
        let font = Font::new(24, palette.ink);
        let mut y = flow(5, width, (200, 44), 8, |n, x, row| {
            let habitat = Habitat::ALL[n];
            svg.sign(habitat_sign(habitat), x + 18, row + 22, 34, hues(palette, habitat).0);
            svg.text(x + 46, row + 31, font, &capitalised(&habitat.name()));
        }) + 16;
        y += flow(6, width, (200, 44), 8, |n, x, row| {
            let animal = Animal::ALL[n];
            svg.sign(animal_sign(animal), x + 18, y + row + 22, 34, palette.ink);
            svg.text(x + 46, y + row + 31, font, &capitalised(&animal.name()));
        }) + 16;
        let tourists: Vec<Tourist> = Tourist::all().collect();
        y + flow(tourists.len(), width, CHIP, 14, |n, x, row| {
            let piece = Piece::new(format!("tourist-{}", tourists[n]), tourists[n].words());
            svg.piece(&piece.at(x, y + row), |svg| draw_tourist(svg, palette, tourists[n], CHIP, None));
        })
    });
    sheet.loose(legend);
    sheet.drawn()
}
