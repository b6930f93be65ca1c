//! No text overlaps another or leaves the picture, and everything that can be touched is large enough for a finger.

use std::collections::BTreeSet;

use domain::{AnyGame, Record, Viewer};
use roxmltree::{Document, Node};

use super::{boxes, setting, tables, viewers, walk};
use crate::svg::Font;
use crate::{Theme, components, picture};

/// A rectangle on the picture, in its own units.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Area {
    left: f64,
    top: f64,
    right: f64,
    bottom: f64,
}

impl Area {
    fn around(self, other: Area) -> Area {
        Area {
            left: self.left.min(other.left),
            top: self.top.min(other.top),
            right: self.right.max(other.right),
            bottom: self.bottom.max(other.bottom),
        }
    }

    fn overlaps(self, other: Area) -> bool {
        self.left < other.right && other.left < self.right && self.top < other.bottom && other.top < self.bottom
    }
}

/// The transformation from the coordinates of a group to those of the picture: a scale, then a shift.
#[derive(Clone, Copy)]
struct Frame {
    scale: f64,
    x: f64,
    y: f64,
}

impl Frame {
    fn inside(self, node: Node) -> Frame {
        let Some(transform) = node.attribute("transform") else { return self };
        let numbers = numbers(transform);
        match numbers.as_slice() {
            [x, y] => Frame { x: self.x + self.scale * x, y: self.y + self.scale * y, ..self },
            [scale] => Frame { scale: self.scale * scale, ..self },
            _ => panic!("an unknown transform: {transform}"),
        }
    }

    fn area(self, (left, top): (f64, f64), (right, bottom): (f64, f64)) -> Area {
        let x = |x: f64| self.x + self.scale * x;
        let y = |y: f64| self.y + self.scale * y;
        Area { left: x(left), top: y(top), right: x(right), bottom: y(bottom) }
    }
}

fn numbers(text: &str) -> Vec<f64> {
    let is_part = |c: char| c.is_ascii_digit() || c == '-' || c == '.';
    text.split(|c| !is_part(c)).filter(|part| !part.is_empty()).map(|part| part.parse().expect("a number")).collect()
}

fn number(node: Node, name: &str) -> f64 {
    node.attribute(name).map_or(0.0, |text| text.parse().expect("a number"))
}

fn inherited<'a>(node: Node<'a, 'a>, name: &str) -> Option<&'a str> {
    node.ancestors().find_map(|node| node.attribute(name))
}

/// The area of a shape; none for groups and titles.
fn area<'a>(node: Node<'a, 'a>, frame: Frame) -> Option<Area> {
    let (x, y) = (number(node, "x"), number(node, "y"));
    match node.tag_name().name() {
        "rect" | "use" => Some(frame.area((x, y), (x + number(node, "width"), y + number(node, "height")))),
        "circle" => {
            let (x, y, r) = (number(node, "cx"), number(node, "cy"), number(node, "r"));
            Some(frame.area((x - r, y - r), (x + r, y + r)))
        }
        "path" => {
            let data = node.attribute("d").expect("a path has data");
            let numbers = numbers(data);
            let mut at = (0.0, 0.0);
            let points = numbers.chunks_exact(2).map(|pair| {
                let from = if data.contains('l') { at } else { (0.0, 0.0) };
                at = (from.0 + pair[0], from.1 + pair[1]);
                frame.area(at, at)
            });
            points.reduce(Area::around)
        }
        "text" => {
            let size = inherited(node, "font-size").and_then(|size| size.parse().ok()).expect("a size");
            let font = Font::new(size, "");
            let font = if node.attribute("font-weight").is_some() { font.bold() } else { font };
            let width = f64::from(font.width(node.text().unwrap_or_default()));
            let left = match inherited(node, "text-anchor") {
                Some("middle") => x - width / 2.0,
                Some("end") => x - width,
                _ => x,
            };
            // Digits and capitals; what goes below the line may touch the next.
            Some(frame.area((left, y - f64::from(size) * 0.7), (left + width, y)))
        }
        _ => None,
    }
}

fn each_shape<'a>(node: Node<'a, 'a>, frame: Frame, see: &mut impl FnMut(Node<'a, 'a>, Area)) {
    if node.tag_name().name() == "defs" {
        return;
    }
    let frame = frame.inside(node);
    if let Some(area) = area(node, frame) {
        see(node, area);
    }
    node.children().filter(Node::is_element).for_each(|child| each_shape(child, frame, see));
}

const ALL: Frame = Frame { scale: 1.0, x: 0.0, y: 0.0 };

fn faults_of_texts(drawn: &str, faults: &mut BTreeSet<String>) {
    let document = Document::parse(drawn).expect("the picture is well-formed");
    let root = document.root_element();
    let page = numbers(root.attribute("viewBox").expect("a picture has a size"));
    let mut texts: Vec<(&str, Area)> = Vec::new();
    each_shape(root, ALL, &mut |node, area| {
        let is_inside = area.left >= 0.0 && area.right <= page[2] && area.top >= 0.0 && area.bottom <= page[3];
        // Touch areas may be larger than the picture.
        if !is_inside && node.attribute("opacity").is_none() {
            faults.insert(format!("a {} leaves the picture: {area:?}", node.tag_name().name()));
        }
        // A jeep may hide the number of a tile.
        let is_of_jeep = |node: Node| node.attribute("id").is_some_and(|id| id.starts_with("jeep-"));
        if node.tag_name().name() == "text" && !node.ancestors().any(is_of_jeep) {
            let text = node.text().unwrap_or_default();
            if let Some((other, _)) = texts.iter().find(|(_, other)| other.overlaps(area)) {
                faults.insert(format!("'{text}' overlaps '{other}'"));
            }
            texts.push((text, area));
        }
    });
}

/// Calls with positions of the golden records with bots, whose games reach other positions than random ones.
fn walk_golden(every: usize, mut see: impl FnMut(&AnyGame)) {
    let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/../../domain/golden");
    let files = std::fs::read_dir(directory).expect("there are golden records");
    let paths = files.map(|file| file.expect("it can be listed").path());
    for path in paths.filter(|path| ["-v2-", "-f2-"].iter().any(|format| path.to_string_lossy().contains(format))) {
        let text = std::fs::read_to_string(path).expect("a record is text");
        let record: Record = serde_json::from_str(&text).expect("it is a record");
        let last = record.replay().expect("a golden record is true");
        for ply in (0..last.ply()).step_by(every) {
            see(&record.position_at(ply).expect("there is such a position"));
        }
        see(&last);
    }
}

#[test]
fn no_text_overlaps_another_or_leaves_the_picture() {
    let mut faults = BTreeSet::new();
    let mut look = |game: &AnyGame| {
        for (viewer, seat) in viewers(game) {
            for width in [360, 720] {
                faults_of_texts(&picture(&game.view(viewer), &setting(game, seat, width)), &mut faults);
            }
        }
    };
    walk_golden(20, &mut look);
    for (n, (options, seats)) in (0..).zip(tables()) {
        walk(&options, seats, 500 + n, 41, 400, &mut look);
    }
    for options in boxes() {
        for width in [360, 720] {
            faults_of_texts(&components(&options, Theme::Light, width), &mut faults);
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
}

/// CSS pixels of the width and the height that a finger needs.
const FINGER: f64 = 44.0;

/// Pieces that cannot be as large at 360 pixels, with their least width and height.
const SMALL: [(&str, f64, f64); 6] = [
    // Paths lie along the edges of cells: larger ones would overlap.
    ("place-p", 20.0, 20.0),
    // Twelve pockets side by side.
    ("pocket-", 26.0, 40.0),
    // The ends of a full tableau; with up to three cards they have their 44 pixels.
    ("end-", 10.0, 80.0),
    // Nine dice side by side.
    ("die-", 36.0, 50.0),
    // One row of seven spaces.
    ("leader-", 44.0, 44.0),
    ("screen-", 44.0, 44.0),
];

#[test]
fn what_can_be_touched_is_large_enough_for_a_finger() {
    let mut faults = BTreeSet::new();
    for (n, (options, seats)) in (0..).zip(tables()) {
        let kind = options.kind();
        walk(&options, seats, 600 + n, 29, 300, |game| {
            for seat in game.to_act().iter() {
                let drawn = picture(&game.view(Viewer::Seat(seat)), &setting(game, Some(seat), 360));
                let document = Document::parse(&drawn).expect("the picture is well-formed");
                let page = numbers(document.root_element().attribute("viewBox").expect("a picture has a size"));
                let own = seat.to_string();
                let named = document.descendants().filter(|node| {
                    node.attribute("data-token").is_some()
                        && node.attribute("data-seat").is_none_or(|owner| owner == own)
                });
                for node in named {
                    let outer = node.ancestors().skip(1).collect::<Vec<_>>();
                    let frame = outer.iter().rev().fold(ALL, |frame, node| frame.inside(*node));
                    let mut whole: Option<Area> = None;
                    each_shape(node, frame, &mut |_, area| {
                        whole = Some(whole.map_or(area, |whole| whole.around(area)));
                    });
                    let Some(area) = whole else { continue };
                    let pixels = |units: f64| units * 360.0 / page[2];
                    let (wide, high) = (pixels(area.right - area.left), pixels(area.bottom - area.top));
                    let id = node.attribute("id").expect("what can be named has an id");
                    let small = SMALL.iter().find(|(start, ..)| id.starts_with(start));
                    let (least_wide, least_high) = small.map_or((FINGER, FINGER), |(_, wide, high)| (*wide, *high));
                    if wide < least_wide || high < least_high {
                        faults.insert(format!("{kind}: {id} is {wide:.0} by {high:.0} pixels"));
                    }
                }
            }
        });
    }
    assert!(faults.is_empty(), "{faults:#?}");
}
