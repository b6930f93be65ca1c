//! A seat's sign and name. Each seat has a colour and a shape, with its number inside: no sign depends on colour alone.

use domain::Seat;

use crate::Setting;
use crate::svg::{Font, Paint, Piece, Svg};
use crate::theme::{Colour, Palette};

/// The colour of a seat.
pub fn colour(palette: &Palette, seat: Seat) -> Colour {
    palette.seats[seat.index() % palette.seats.len()]
}

/// The seat's shape with its number.
pub fn sign(svg: &mut Svg, palette: &Palette, seat: Seat, x: i32, y: i32, r: i32) {
    shape(svg, palette, seat, x, y, r);
    let number = Font::new(r * 6 / 5, palette.on_seat).bold().middle();
    // The visual centre of a triangle is below its middle.
    let down = if seat.index() == 2 { r * 11 / 20 } else { r * 2 / 5 };
    svg.text(x, y + down, number, &seat.to_string());
}

/// The seat's shape: circle, square, triangle, diamond or hexagon.
pub fn shape(svg: &mut Svg, palette: &Palette, seat: Seat, x: i32, y: i32, r: i32) {
    let paint = Paint::fill(colour(palette, seat));
    match seat.index() {
        0 => svg.circle(x, y, r, paint),
        1 => svg.rect(x - r * 9 / 10, y - r * 9 / 10, r * 9 / 5, r * 9 / 5, r / 5, paint),
        2 => svg.polygon(&[(x, y - r * 6 / 5), (x + r * 6 / 5, y + r), (x - r * 6 / 5, y + r)], paint),
        3 => svg.polygon(&[(x, y - r * 5 / 4), (x + r * 5 / 4, y), (x, y + r * 5 / 4), (x - r * 5 / 4, y)], paint),
        _ => {
            let (a, b) = (r * 23 / 20, r * 58 / 100);
            svg.polygon(
                &[(x - a, y), (x - b, y - r), (x + b, y - r), (x + a, y), (x + b, y + r), (x - b, y + r)],
                paint,
            );
        }
    }
}

/// The height of a name plate.
pub const PLATE: i32 = 52;

/// Sign and name of a seat, and whether it is to act or has won. `room` is the width for all of it.
pub fn plate(svg: &mut Svg, setting: &Setting, seat: Seat, x: i32, y: i32, room: i32) {
    let palette = setting.theme.palette();
    let flag =
        if setting.to_act.contains(seat) { Some("to act") } else { setting.winners.contains(seat).then_some("won") };
    svg.piece(&Piece::new(format!("seat-{seat}"), setting.name(seat)).of(seat), |svg| {
        let middle = y + PLATE / 2;
        sign(svg, palette, seat, x + 26, middle, 20);
        let small = Font::new(22, palette.on_accent).bold();
        let flag_width = flag.map_or(0, |flag| small.width(flag) + 28);
        let font = Font::new(28, palette.ink).bold();
        let you = if setting.seat == Some(seat) { " (you)" } else { "" };
        let name = font.cut(&setting.name(seat), room - 64 - flag_width - font.width(you) - 24) + you;
        svg.text(x + 58, middle + 10, font, &name);
        if let Some(flag) = flag {
            let left = x + 58 + font.width(&name) + 16;
            svg.rect(left, middle - 18, flag_width, 36, 18, Paint::fill(palette.accent));
            svg.text(left + flag_width / 2, middle + 8, small.middle(), flag);
        }
    });
}
