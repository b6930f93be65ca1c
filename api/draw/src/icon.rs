//! The signs of all kinds, drawn on a grid of 24 by 24. A filled sign takes the colour of its use; so does a drawn line.

use crate::svg::Svg;

/// A sign's id and its shapes.
type Icon = (&'static str, &'static str);

/// Shapes: `F` begins a filled path, `L` a line of width 2, `B` a bold line of width 3; `C` begins a circle, 'x y r', and
/// `H` a circle in the colour of the card, for eyes. A `|` ends each.
const ICONS: &[Icon] = &[
    // Mahabharata
    ("i-chariot", "L12 3a9 9 0 1 0 .01 0z|L12 3V21M3 12H21M5.6 5.6L18.4 18.4M18.4 5.6L5.6 18.4|C12 12 3"),
    (
        "i-elephant",
        "F8 5c5-2 12-1 13.5 5v9.5h-4v-5h-4v5h-4v-6.5c-1 1.5-1 3-2.5 4.5-1.5 1.5-4.5 1.5-5-.5l1.5-.5c.5.5 1 .3 1.5-.5C4 14 2.5 11 3 8.5 3.5 6.5 5.5 5 8 5z",
    ),
    (
        "i-cavalry",
        "F7 21h12c0-5-.5-8-1-11-.6-4-3.5-6-6-6.5L11 2 9.5 4.5C7 6 5 9.5 4 13l2 2.5 2.5-.5 2.5-1.5c0 3-3.5 3.5-4 7.5z",
    ),
    ("i-infantry", "F12 2l8 3v6c0 5.5-3.5 9-8 11-4.5-2-8-5.5-8-11V5zM12 5.2v13.3c2.8-1.6 5-4 5-7.5V7z"),
    ("i-raja", "F3 7l4.5 4L12 4l4.5 7L21 7l-2 10H5zM5 18.5h14V21H5z"),
    // La Macarena
    ("i-earth", "F1.5 20L9 5l4.5 8.5L16 10l6.5 10z"),
    ("i-air", "L2 9h11.5a3 3 0 1 0-3-3M2 13h16.5a3 3 0 1 1-3 3.2M2 17h8.5a2 2 0 1 1-2 2.3"),
    ("i-water", "F12 2c4 6 7 9 7 13a7 7 0 0 1-14 0c0-4 3-7 7-13z"),
    (
        "i-fire",
        "F12.5 1.5c1 4.5 6 6.5 6 12.5a6.5 6.5 0 0 1-13 .3c0-3.3 2-4.8 2.3-7.8 1.7.9 2.9 2.2 3 4.2 2-2.2 2.4-5.7 1.7-9.2z",
    ),
    ("i-coin", "L12 3a9 9 0 1 0 .01 0z|C12 12 5"),
    ("i-amulet", "L7 2l5 5 5-5|L12 7.5a6.5 6.5 0 1 0 .01 0z|F12 10l3 4-3 4-3-4z"),
    // The Mara: habitats
    ("i-grove", "F12 2c4.2 0 7.5 2.8 7.5 6.3S17 14 13.7 14.4V22h-3.4v-7.6C7 14 4.5 11.8 4.5 8.3S7.8 2 12 2z"),
    ("i-bush", "F3.5 20C-.5 15 2 10.5 6 10.5 7 5 17 5 18 10.5c4 0 6.5 4.5 2.5 9.5z"),
    (
        "i-savannah",
        "F6 21C6 14 5 10 2.5 6c3.5 2 5 6 6 10 .2-6 1-10 4-14-.5 5-.5 9 .2 14 1-4.5 3-8 6.8-10-3 4.5-4 9-4 15z",
    ),
    (
        "i-waterhole",
        "L12 6c5.5 0 9.5 2.6 9.5 6s-4 6-9.5 6-9.5-2.6-9.5-6 4-6 9.5-6z|L12 10c3 0 5 .9 5 2s-2 2-5 2-5-.9-5-2 2-2 5-2z",
    ),
    (
        "i-river",
        "B2 7.5c3.3-3 6.7 3 10 0s6.7 3 10 0|B2 13c3.3-3 6.7 3 10 0s6.7 3 10 0|B2 18.5c3.3-3 6.7 3 10 0s6.7 3 10 0",
    ),
    // The Mara: animals
    (
        "i-carnivore",
        "C5 11 2.5|C9.5 6 2.7|C14.5 6 2.7|C19 11 2.5|F12 11c3.5 0 6.5 4 6.5 7s-3.5 3-6.5 2c-3 1-6.5 1-6.5-2s3-7 6.5-7z",
    ),
    (
        "i-herbivore",
        "L7.5 1.5c-2 4-.5 6.5 2 8.5M16.5 1.5c2 4 .5 6.5-2 8.5|F4 9.5l4.5.5h7l4.5-.5-3 3.5-1 5c-.6 2.5-2 4-4 4s-3.4-1.5-4-4l-1-5z",
    ),
    ("i-primate", "C4.5 11 3|C19.5 11 3|C12 11 8|H9.3 10 1.3|H14.7 10 1.3|H12 15 2"),
    (
        "i-amphibian",
        "C7 6.5 3.5|C17 6.5 3.5|F12 6c5.5 0 8.5 3 8.5 6.5S17 18 12 18s-8.5-2-8.5-5.5S6.5 6 12 6z|B6 16l-4 5h6M18 16l4 5h-6|H7 6 1.3|H17 6 1.3",
    ),
    (
        "i-bird",
        "F1.5 6c4.5-1 8 1 10 5 2-5 6-7.5 11-7-3 2-3.5 5-5 8.5-1.8 4-5.5 6.5-9.5 6L4 21.5l1-5C3 13.5 3 9.5 1.5 6z",
    ),
    (
        "i-insect",
        "L8 2.5l2.5 3M16 2.5l-2.5 3M6 10L2.5 7.5M5.5 13.5h-4M6.5 17L3 20.5M18 10l3.5-2.5M18.5 13.5h4M17.5 17l3.5 3.5|C12 7 3|F12 9c4 0 6 2.5 6 6s-2.5 7-5.3 7V11h-1.4v11C8.5 22 6 18.5 6 15s2-6 6-6z",
    ),
    ("i-camera", "F8.5 4.5h7L17 7h4.5v13h-19V7H7zM12 9.5a4 4 0 1 0 .01 0z"),
    ("i-eye", "F12 5c5 0 9 3.5 11 7-2 3.5-6 7-11 7S3 15.5 1 12c2-3.5 6-7 11-7zM12 8a4 4 0 1 0 .01 0z|C12 12 2"),
    ("i-lodge", "F12 2l11 9-1.5 1.8L20 11.6V21h-6v-6h-4v6H4v-9.4l-1.5 1.2L1 11z"),
    ("i-mountain", "F1 21L10 5h4l9 16z"),
    (
        "i-jeep",
        "F3 11l2.5-6h10L18 11h3.5v6.5h-2a3 3 0 0 0-6 0h-4a3 3 0 0 0-6 0H2V11zM7 7l-1.5 4H10V7zM12 7v4h4l-1.8-4z|C6.5 18 2.2|C16.5 18 2.2",
    ),
    ("i-tourist", "C12 7 4|F4 21c0-6 3-9 8-9s8 3 8 9z"),
    // Mahola: animals, and dances that no other kind has a sign for
    ("i-bear", "C6 6 3.5|C18 6 3.5|C12 13 9|H9 11 1.3|H15 11 1.3|H12 16 2"),
    ("i-snake", "B4 20h11a4 4 0 0 0 0-8H9a4 4 0 0 1 0-8h6|C17.5 4.5 3"),
    ("i-wolf", "F3 2l6 5h6l6-5-1 11-4 4-2 5h-4l-2-5-4-4z|H9 12 1.3|H15 12 1.3"),
    (
        "i-raven",
        "F22.5 8L18 6c-1-2.5-5-3.5-7-.5C9.5 9 7.5 13 1.5 19.5c6-.5 9-1 11-2.5v4h1.5v-4.5c3.5-2 4.5-5 4.2-7.5z|H15 7 1",
    ),
    ("i-war", "L4 20L19 5M14.5 4H20v5.5|L20 20L5 5M9.5 4H4v5.5"),
    ("i-gourd", "C15 8 6.5|B10.5 12.5L3.5 20.5|H13 6 1.1|H17 7 1.1|H14.5 11 1.1"),
    (
        "i-spirit",
        "L12 12c0-2 3-2 3 .5 0 3-3.5 4-5.5 2.5-3-2.2-2.2-7 1-8.5 4.5-2 9 1.5 9 6 0 5-4.5 8.5-9 8.2C5.5 20.4 2.5 16 3 11.5",
    ),
    ("i-hoop", "B12 3.5a8.5 8.5 0 1 0 .01 0z"),
    (
        "i-rain",
        "F6.5 13C2 13 1.5 7.5 6 7 7 2 15.5 2 16.5 6.5 22 6 22.5 13 18 13z|L7 16l-1.5 4.5M12.5 16L11 20.5M18 16l-1.5 4.5",
    ),
    (
        "i-sun",
        "C12 12 5|L12 1.5v3M12 19.5v3M1.5 12h3M19.5 12h3M4.6 4.6l2.1 2.1M17.3 17.3l2.1 2.1M19.4 4.6l-2.1 2.1M6.7 17.3l-2.1 2.1",
    ),
    ("i-special", "F12 1.5l3.2 6.8 7.3.9-5.4 5.1 1.4 7.4L12 18.1l-6.5 3.6 1.4-7.4L1.5 9.2l7.3-.9z"),
    ("i-favor", "F12 1.5l3.2 6.8 7.3.9-5.4 5.1 1.4 7.4L12 18.1l-6.5 3.6 1.4-7.4L1.5 9.2l7.3-.9z"),
    // All kinds
    ("i-cards", "L4 7h11v14H4z|L9 4h11v14"),
    ("i-check", "B4 12.5l5.5 6L20 5.5"),
];

/// The definitions of all signs that the picture uses.
pub fn definitions(picture: &Svg, hole: &str) -> String {
    let used = ICONS.iter().filter(|(id, _)| picture.uses(id));
    used.map(|(id, shapes)| {
        let shapes: String = shapes.split('|').map(|shape| drawn(shape, hole)).collect();
        format!("<symbol id=\"{id}\" viewBox=\"0 0 24 24\" fill=\"currentColor\">{shapes}</symbol>")
    })
    .collect()
}

fn drawn(shape: &str, hole: &str) -> String {
    let (kind, data) = shape.split_at(1);
    let stroke =
        |width: &str| format!("<path d=\"M{data}\" fill=\"none\" stroke=\"currentColor\" stroke-width=\"{width}\"/>");
    let circle = |paint: &str| {
        let mut numbers = data.split(' ');
        let mut next = || numbers.next().unwrap_or("0");
        format!("<circle cx=\"{}\" cy=\"{}\" r=\"{}\"{paint}/>", next(), next(), next())
    };
    match kind {
        "L" => stroke("2"),
        "B" => stroke("3"),
        "C" => circle(""),
        "H" => circle(&format!(" fill=\"{hole}\"")),
        _ => format!("<path d=\"M{data}\" fill-rule=\"evenodd\"/>"),
    }
}
