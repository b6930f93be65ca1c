//! The reserve: hexagons with tiles and lodges, roads between them, tracks and jeeps.

use domain::games::mara::{TileView, View};
use domain::{Board, Cell, Kind, Place, Seat};

use super::{animal_sign, habitat_sign, hues};
use crate::Setting;
use crate::seat;
use crate::sheet::{Block, COLUMN};
use crate::svg::{Font, Named, Paint, Piece, Svg};
use crate::theme::{Colour, Palette};
use crate::words::{capitalised, count};

/// From this width on the paths have their numbers.
const LARGE: u32 = 1200;
/// The side of a cell of a narrow board.
const SIDE: i32 = 57;
/// Half the width of a cell, √3/2 of its side.
const HALF: i32 = 49;
/// How much larger the board of a wide picture is, in hundredths.
const ENLARGED: i32 = 116;
/// The room for a finger on a path. Larger ones would overlap.
const PATH_TOUCH: i32 = 23;
/// The size of a tile in its cell, in hundredths: the rest is road.
const TILE: i32 = 82;
const SNOW: Colour = "#ffffff";

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

/// The road around a cell: with it a tile is as large as a finger needs. A little larger than the cell, so that no line is
/// left between two.
fn ground(svg: &mut Svg, at: (i32, i32)) {
    svg.area(&hexagon(at, 104));
}

/// The board, larger in a wide picture.
pub fn reserve(view: Option<&View>, setting: &Setting, palette: &Palette) -> Block {
    let mut inner = Svg::default();
    let height = cells(&mut inner, view, setting, palette);
    if !setting.is_wide() {
        return Block { svg: inner, height };
    }
    let mut svg = Svg::default();
    svg.enlarged(ENLARGED, &inner);
    Block { svg, height: height * ENLARGED / 100 }
}

fn cells(svg: &mut Svg, view: Option<&View>, setting: &Setting, palette: &Palette) -> i32 {
    let board = geometry();
    let at = |cell: u32| board.cells.iter().find(|known| known.number == cell).map(centre).unwrap_or_default();
    svg.alike(Font::new(20, palette.road), |svg| {
        for cell in &board.cells {
            match cell.role {
                "TILE" => {
                    let tile = view
                        .and_then(|view| view.tiles.iter().find(|tile| u32::from(tile.cell.number()) == cell.number));
                    draw_tile(svg, tile, view, setting, palette, cell);
                }
                "LODGE" => {}
                _ => {
                    let (x, y) = centre(cell);
                    svg.piece(&Piece::new(format!("cell-{}", cell.number), "Mount Kilimanjaro"), |svg| {
                        ground(svg, (x, y));
                        svg.polygon(&hexagon((x, y), TILE), Paint::fill(palette.sunken).edged(palette.line, 2));
                        svg.sign("i-mountain", x, y - 2, 64, palette.muted);
                        svg.polygon(&[(x, y - 24), (x + 8, y - 10), (x, y - 14), (x - 8, y - 10)], Paint::fill(SNOW));
                    });
                }
            }
        }
        for place in &board.places {
            if let ("LODGE", [cell]) = (place.role, place.cells.as_slice()) {
                draw_lodge(svg, view, palette, place, at(*cell));
            }
        }
    });
    // Numbers of paths can be read in large pictures only.
    let is_large = setting.width() >= LARGE;
    let font = Font::new(14, if is_large { palette.ink } else { palette.road_mark });
    svg.alike(font, |svg| {
        for place in &board.places {
            if let ("PATH", [one, other]) = (place.role, place.cells.as_slice()) {
                draw_path(svg, view, setting, palette, place, at(*one), at(*other));
            }
        }
    });
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
            ground(svg, (x, y));
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
        ground(svg, (x, y));
        let ground = if is_up { palette.card } else { pale };
        let paint = Paint::fill(ground).edged(hue, if is_up { 5 } else { 2 });
        svg.polygon(
            &hexagon((x, y), TILE),
            if animal.is_some() && !is_up { paint.edged(palette.ink, 3).dashed() } else { paint },
        );
        match animal {
            Some(animal) => {
                svg.sign(animal_sign(*animal), x, y - 11, 38, palette.ink);
                svg.sign(habitat_sign(*habitat), x - 23, y + 17, 19, hue);
                match photographer {
                    Some(seat) => seat::sign(svg, palette, *seat, x + 17, y + 22, 10),
                    None => {
                        svg.sign("i-eye", x + 23, y + 17, 19, palette.ink);
                        svg.word(x, y + 34, Some(palette.ink), &number.to_string());
                    }
                }
            }
            None => {
                svg.sign(habitat_sign(*habitat), x, y - 11, 42, hue);
                svg.word(x, y + 31, Some(palette.ink), &number.to_string());
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
            None if setting.width() >= LARGE => svg.word(x, y + 5, None, &number.to_string()),
            None => svg.mark(x, y, 6),
        }
        svg.touch_round(x, y, PATH_TOUCH);
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
        ground(svg, (x, y));
        svg.polygon(&hexagon((x, y), 90), Paint::fill(palette.panel).edged(palette.ink, 3));
        if has_jeep {
            svg.sign("i-lodge", x, y - 36, 22, palette.accent);
        } else {
            svg.sign("i-lodge", x, y - 16, 40, palette.accent);
        }
        svg.word(x, y + if has_jeep { 34 } else { 28 }, Some(palette.ink), &format!("l{number}"));
    });
}
