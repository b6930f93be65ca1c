//! The Mara: the reserve with its habitats, jeeps, tracks and lodges, the animals seen, and everybody's tourists.

use domain::games::mara::{Animal, DriverView, End, Habitat, LodgeView, TileView, Tourist, TouristView, Variant, View};
use domain::{Board, Cell, Kind, Place, Seat};

use crate::Setting;
use crate::seat;
use crate::sheet::{Block, COLUMN, Sheet, flow};
use crate::svg::{Font, Named, Paint, Piece, Svg};
use crate::theme::{Colour, Palette};
use crate::words::{capitalised, count, list};

/// From this width on the paths have their numbers.
const LARGE: u32 = 1200;
/// The side of a cell.
const SIDE: i32 = 57;
/// Half the width of a cell, √3/2 of its side.
const HALF: i32 = 49;
/// The size of a tile in its cell, in hundredths: the rest is road.
const TILE: i32 = 82;
const SNOW: Colour = "#ffffff";
const CHIP: (i32, i32) = (84, 52);

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
    for seat in setting.others(seats) {
        sheet.other(driver(view, setting, seat, COLUMN));
    }
    sheet.board(Block::bare(COLUMN, |svg, width| reserve(svg, Some(view), setting, palette, width)));
    sheet.loose(match view.variant {
        Variant::Standard => lodges(view, setting, COLUMN),
        Variant::Family => deck(view, setting, COLUMN),
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

/// The geometry, as the catalogue has it.
fn geometry() -> Board {
    let about = Kind::Mara.about(Kind::Mara.rules_version());
    about.board.unwrap_or(Board { reconstructed: true, cells: Vec::new(), places: Vec::new() })
}

/// The centre of a cell: rows of hexagons that stand on a corner.
fn centre(cell: &Cell) -> (i32, i32) {
    (COLUMN / 2 + HALF * (2 * cell.q + cell.r), 6 * SIDE - SIDE / 3 + SIDE * 3 / 2 * cell.r)
}

/// A hexagon, its size in hundredths of a cell.
fn hexagon((x, y): (i32, i32), size: i32) -> [(i32, i32); 6] {
    let (half, side) = (HALF * size / 100, SIDE * size / 100);
    [
        (x, y - side),
        (x + half, y - side / 2),
        (x + half, y + side / 2),
        (x, y + side),
        (x - half, y + side / 2),
        (x - half, y - side / 2),
    ]
}

fn reserve(svg: &mut Svg, view: Option<&View>, setting: &Setting, palette: &Palette, _width: i32) -> i32 {
    let board = geometry();
    let at = |cell: u32| board.cells.iter().find(|known| known.number == cell).map(centre).unwrap_or_default();
    for cell in &board.cells {
        svg.polygon(&hexagon(centre(cell), 104), Paint::fill(palette.road));
    }
    for cell in &board.cells {
        match cell.role {
            "TILE" => {
                let tile =
                    view.and_then(|view| view.tiles.iter().find(|tile| u32::from(tile.cell.number()) == cell.number));
                draw_tile(svg, tile, view, setting, palette, cell);
            }
            "LODGE" => {}
            _ => {
                let (x, y) = centre(cell);
                svg.piece(&Piece::new(format!("cell-{}", cell.number), "Mount Kilimanjaro"), |svg| {
                    svg.polygon(&hexagon((x, y), TILE), Paint::fill(palette.sunken).edged(palette.line, 2));
                    svg.sign("i-mountain", x, y - 2, 64, palette.muted);
                    svg.polygon(&[(x, y - 24), (x + 8, y - 10), (x, y - 14), (x - 8, y - 10)], Paint::fill(SNOW));
                });
            }
        }
    }
    for place in &board.places {
        match (place.role, place.cells.as_slice()) {
            ("PATH", [one, other]) => draw_path(svg, view, setting, palette, place, at(*one), at(*other)),
            (_, [cell]) => draw_lodge(svg, view, palette, place, at(*cell)),
            _ => {}
        }
    }
    // Jeeps lie above everything else.
    if let Some(view) = view {
        for (seat, driver) in view.drivers.iter() {
            let Some(jeep) = driver.jeep else { continue };
            let place = board.places.iter().find(|place| place.number == u32::from(jeep.number()));
            let cells: Vec<(i32, i32)> =
                place.map(|place| place.cells.iter().map(|cell| at(*cell)).collect()).unwrap_or_default();
            let (x, y) = match cells.as_slice() {
                [one, other] => middle(*one, *other),
                [(x, y)] => (*x, *y - 8),
                _ => continue,
            };
            let title = format!("Jeep of {} at {jeep}", setting.short_name(seat));
            svg.piece(&Piece::new(format!("jeep-{seat}"), title).of(seat), |svg| draw_jeep(svg, palette, seat, x, y));
        }
    }
    12 * SIDE - 2 * SIDE / 3
}

fn middle(one: (i32, i32), other: (i32, i32)) -> (i32, i32) {
    (i32::midpoint(one.0, other.0), i32::midpoint(one.1, other.1))
}

fn draw_jeep(svg: &mut Svg, palette: &Palette, seat: Seat, x: i32, y: i32) {
    svg.rect(x - 32, y - 18, 64, 36, 12, Paint::fill(palette.card).edged(seat::colour(palette, seat), 4));
    svg.sign("i-jeep", x - 14, y - 1, 30, palette.ink);
    seat::sign(svg, palette, seat, x + 15, y, 12);
}

fn draw_tile(
    svg: &mut Svg,
    tile: Option<&TileView>,
    view: Option<&View>,
    setting: &Setting,
    palette: &Palette,
    cell: &Cell,
) {
    let number = cell.number;
    let (x, y) = centre(cell);
    let Some(TileView { cell: named, habitat, animal, photographer }) = tile else {
        svg.piece(&Piece::new(format!("cell-{number}"), format!("Cell {number}: a tile")), |svg| {
            svg.polygon(&hexagon((x, y), TILE), Paint::fill(palette.panel).edged(palette.line, 2));
            svg.text(x, y + 10, Font::new(28, palette.muted).middle(), &number.to_string());
        });
        return;
    };
    let is_fresh = view.is_some_and(|view| view.peeked.contains(named));
    let (hue, pale) = hues(palette, *habitat);
    let what = match (animal, photographer) {
        (Some(animal), Some(seat)) => {
            format!("{}, photographed by {}", capitalised(&animal.name()), setting.short_name(*seat))
        }
        (Some(animal), None) => format!("{}, face down", capitalised(&animal.name())),
        (None, _) if is_fresh => "face down, just peeked at".into(),
        (None, _) => "face down".into(),
    };
    let title = format!("Cell {number}, {}: {what}", capitalised(&habitat.name()).to_lowercase());
    let piece = Piece::new(format!("cell-{number}"), title).token(Named::Place, &number);
    svg.piece(&piece, |svg| {
        let is_up = photographer.is_some();
        let ground = if is_up { palette.card } else { pale };
        let paint = Paint::fill(ground).edged(hue, if is_up { 5 } else { 2 });
        svg.polygon(
            &hexagon((x, y), TILE),
            if animal.is_some() && !is_up { paint.edged(palette.ink, 3).dashed() } else { paint },
        );
        let small = Font::new(17, palette.ink).middle();
        match animal {
            Some(animal) => {
                svg.sign(animal_sign(*animal), x, y - 11, 38, palette.ink);
                svg.sign(habitat_sign(*habitat), x - 23, y + 17, 19, hue);
                match photographer {
                    Some(seat) => seat::sign(svg, palette, *seat, x + 17, y + 22, 10),
                    None => {
                        svg.sign("i-eye", x + 23, y + 17, 19, palette.ink);
                        svg.text(x, y + 35, small, &number.to_string());
                    }
                }
            }
            None => {
                svg.sign(habitat_sign(*habitat), x, y - 10, 42, hue);
                svg.text(x, y + 27, small, &number.to_string());
            }
        }
    });
}

/// A path is the edge between two cells; a track lies along it.
fn draw_path(
    svg: &mut Svg,
    view: Option<&View>,
    setting: &Setting,
    palette: &Palette,
    place: &Place,
    one: (i32, i32),
    other: (i32, i32),
) {
    let number = place.number;
    let (x, y) = middle(one, other);
    // Along the edge: the way between the cells, turned by a right angle and as long as a side.
    let (dx, dy) = ((one.1 - other.1) * 30 / 100, (other.0 - one.0) * 30 / 100);
    let (dx, dy) = (dx * 72 / 100, dy * 72 / 100);
    let owner = view.and_then(|view| {
        view.drivers.iter().find(|(_, driver)| driver.tracks.iter().any(|track| u32::from(track.number()) == number))
    });
    let title = match owner {
        Some((seat, _)) => format!("Path p{number}: a track of seat {seat}"),
        None => format!("Path p{number}"),
    };
    let piece = Piece::new(format!("place-p{number}"), title).token(Named::Place, &format!("p{number}"));
    svg.piece(&piece, |svg| {
        match owner {
            Some((seat, _)) => {
                svg.line((x - dx, y - dy), (x + dx, y + dy), seat::colour(palette, seat), 11);
                seat::shape(svg, palette, seat, x, y, 12);
            }
            // Numbers can be read in large pictures only. A wide edge makes a mark easier to hit.
            None if setting.width() >= LARGE => {
                svg.text(x, y + 5, Font::new(15, palette.ink).middle(), &number.to_string());
            }
            None => svg.circle(x, y, 6, Paint::fill(palette.road_mark).edged(palette.road, 6)),
        }
    });
}

fn draw_lodge(svg: &mut Svg, view: Option<&View>, palette: &Palette, place: &Place, (x, y): (i32, i32)) {
    let number = place.number;
    let waiting = view.and_then(|view| view.lodges.iter().find(|lodge| u32::from(lodge.place.number()) == number));
    let waiting = waiting.map_or(0, |lodge| lodge.tourists.len());
    let title = format!("Lodge l{number}: {}", count(waiting, "tourist"));
    let piece = Piece::new(format!("place-l{number}"), title).token(Named::Place, &format!("l{number}"));
    let has_jeep = view.is_some_and(|view| {
        view.drivers.values().any(|driver| driver.jeep.is_some_and(|jeep| u32::from(jeep.number()) == number))
    });
    svg.piece(&piece, |svg| {
        svg.polygon(&hexagon((x, y), 90), Paint::fill(palette.panel).edged(palette.ink, 3));
        let font = Font::new(20, palette.ink).bold().middle();
        if has_jeep {
            svg.sign("i-lodge", x, y - 36, 22, palette.accent);
        } else {
            svg.sign("i-lodge", x, y - 16, 40, palette.accent);
        }
        svg.text(x, y + if has_jeep { 34 } else { 28 }, font, &format!("l{number}"));
    });
}

/// Where tourists wait, and which.
fn lodges(view: &View, setting: &Setting, width: i32) -> Block {
    let palette = setting.theme.palette();
    Block::panel(palette, width, |svg, width| {
        let mut y = 0;
        for LodgeView { place, tourists } in &view.lodges {
            svg.sign("i-lodge", 18, y + 26, 32, palette.accent);
            svg.text(40, y + 34, Font::new(24, palette.ink).bold(), &place.to_string());
            let tourists: Vec<Tourist> = tourists.iter().collect();
            let height = flow(tourists.len(), width - 96, CHIP, 8, |n, x, row| {
                let title = format!("At lodge {place}: {}", tourists[n].words());
                let piece = Piece::new(format!("lodge-{place}-{n}"), title).token(Named::Card, &tourists[n]);
                svg.piece(&piece.at(x + 96, y + row), |svg| draw_tourist(svg, palette, tourists[n], None));
            });
            if tourists.is_empty() {
                svg.text(100, y + 34, Font::new(24, palette.muted), "nobody");
            }
            y += height.max(CHIP.1) + 8;
        }
        y - 8
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
            y += flow(tourists.len(), width, CHIP, 8, |n, x, row| {
                let piece = Piece::new(format!("{place}-{n}"), tourists[n].words());
                let piece = if can_be_named { piece.token(Named::Card, &tourists[n]) } else { piece };
                svg.piece(&piece.at(x, top + row), |svg| draw_tourist(svg, palette, tourists[n], None));
            }) + 8;
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

/// A tourist: where it wants to go, and what it wants to see.
fn draw_tourist(svg: &mut Svg, palette: &Palette, tourist: Tourist, has_photo: Option<bool>) {
    let (w, h) = CHIP;
    let (hue, pale) = hues(palette, tourist.habitat);
    svg.rect(2, 2, w - 4, h - 4, 12, Paint::fill(pale).edged(hue, 3));
    svg.sign(habitat_sign(tourist.habitat), 24, h / 2, 28, hue);
    svg.sign(animal_sign(tourist.animal), 58, h / 2, 34, palette.ink);
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
            y += flow(face_up.len(), width, CHIP, 14, |n, x, row| {
                let TouristView { tourist, has_photo } = &face_up[n];
                let photo = if *has_photo { ", has its photo" } else { ", wants a photo" };
                let title = format!("On the jeep: {}{photo}", tourist.words());
                let piece = Piece::new(format!("tourist-{seat}-{n}"), title).token(Named::Card, &tourist).of(seat);
                svg.piece(&piece.at(x, y + row), |svg| draw_tourist(svg, palette, *tourist, Some(*has_photo)));
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
                svg.piece(&piece.at(x, y + row), |svg| draw_tourist(svg, palette, home[n], None));
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
    line("Path pN joins two tiles; the catalogue lists the cells and neighbours of every place.".into());
    text
}

pub fn components(setting: &Setting) -> String {
    let palette = setting.theme.palette();
    let mut sheet = Sheet::new(setting, "The Mara", "The reserve and its tourists");
    sheet.board(Block::bare(COLUMN, |svg, width| reserve(svg, None, setting, palette, width)));
    let legend = Block::panel(palette, COLUMN, |svg, width| {
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
            svg.piece(&piece.at(x, y + row), |svg| draw_tourist(svg, palette, tourists[n], None));
        })
    });
    sheet.loose(legend);
    sheet.drawn()
}
