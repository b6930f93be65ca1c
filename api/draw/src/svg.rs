//! A small writer of SVG. All text is escaped here and nowhere else.

use std::fmt::{Display, Write};

use crate::theme::{Colour, Theme};

/// System fonts only: nothing is embedded or fetched.
const FONTS: &str = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'DejaVu Sans', sans-serif";

/// A piece of a picture.
#[derive(Default)]
pub struct Svg(String);

/// How a shape is painted.
#[derive(Clone, Copy)]
pub struct Paint {
    pub fill: Colour,
    pub stroke: Option<(Colour, i32)>,
    pub is_dashed: bool,
}

/// The anchor of a text.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Anchor {
    Start,
    Middle,
    End,
}

/// A line of text.
#[derive(Clone, Copy)]
pub struct Font {
    pub size: i32,
    pub is_bold: bool,
    pub colour: Colour,
    pub anchor: Anchor,
}

/// The type of a token of a notation, as in the continuations of a move.
#[derive(Clone, Copy)]
pub enum Named {
    Card,
    Place,
    Number,
}

/// The name of a piece or place: its id, its name for people, and the token that names it in notation.
pub struct Piece {
    pub id: String,
    pub title: String,
    pub token: Option<(Named, String)>,
    pub seat: Option<u8>,
    /// The position of the piece, if it is drawn from its own corner.
    pub at: Option<(i32, i32)>,
}

impl Paint {
    pub const fn fill(fill: Colour) -> Paint {
        Paint { fill, stroke: None, is_dashed: false }
    }

    pub const fn edged(self, stroke: Colour, width: i32) -> Paint {
        Paint { stroke: Some((stroke, width)), ..self }
    }

    pub const fn dashed(self) -> Paint {
        Paint { is_dashed: true, ..self }
    }
}

impl Display for Paint {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, " fill=\"{}\"", self.fill)?;
        if let Some((stroke, width)) = self.stroke {
            write!(f, " stroke=\"{stroke}\" stroke-width=\"{width}\"")?;
        }
        if self.is_dashed { f.write_str(" stroke-dasharray=\"6 8\"") } else { Ok(()) }
    }
}

impl Font {
    pub const fn new(size: i32, colour: Colour) -> Font {
        Font { size, is_bold: false, colour, anchor: Anchor::Start }
    }

    pub const fn bold(self) -> Font {
        Font { is_bold: true, ..self }
    }

    pub const fn middle(self) -> Font {
        Font { anchor: Anchor::Middle, ..self }
    }

    pub const fn end(self) -> Font {
        Font { anchor: Anchor::End, ..self }
    }

    /// The width of a text, on the safe side for the usual fonts.
    pub fn width(self, text: &str) -> i32 {
        let per_mille: i32 = text.chars().map(width_of).sum();
        per_mille * self.size / if self.is_bold { 870 } else { 1000 }
    }

    /// The text, cut with an ellipsis where it would be wider than this.
    pub fn cut(self, text: &str, most: i32) -> String {
        if self.width(text) <= most {
            return text.to_string();
        }
        let mut cut = String::new();
        for letter in text.chars() {
            cut.push(letter);
            if self.width(&cut) + self.size > most {
                cut.pop();
                break;
            }
        }
        format!("{}…", cut.trim_end())
    }

    /// The text in lines that are no wider than this. A word that is wider is cut.
    pub fn wrapped(self, text: &str, most: i32) -> Vec<String> {
        let mut lines: Vec<String> = Vec::new();
        for word in text.split_whitespace() {
            match lines.last_mut() {
                Some(line) if self.width(line) + self.width(word) + self.size / 3 <= most => {
                    line.push(' ');
                    line.push_str(word);
                }
                _ => lines.push(self.cut(word, most)),
            }
        }
        lines
    }
}

/// Text and signs in this colour inherit it from the document, which keeps pictures small.
fn is_ink(colour: Colour) -> bool {
    [Theme::Light, Theme::Dark].iter().any(|theme| theme.palette().ink == colour)
}

/// A letter's width in thousandths of the font's size.
fn width_of(letter: char) -> i32 {
    match letter {
        'i' | 'j' | 'l' | 'I' | '.' | ',' | ':' | ';' | '\'' | '|' | '!' => 320,
        ' ' | 'f' | 't' | 'r' | '(' | ')' | '-' | '·' => 400,
        'm' | 'w' | 'M' | 'W' | '…' | '—' => 900,
        'A'..='Z' => 690,
        letter if letter.is_ascii() => 590,
        // Letters of other scripts may be as wide as they are high.
        letter if letter < '\u{1100}' => 720,
        _ => 1050,
    }
}

impl Piece {
    pub fn new(id: impl Into<String>, title: impl Into<String>) -> Piece {
        Piece { id: id.into(), title: title.into(), token: None, seat: None, at: None }
    }

    pub fn token(self, named: Named, token: &impl Display) -> Piece {
        Piece { token: Some((named, token.to_string())), ..self }
    }

    pub fn at(self, x: i32, y: i32) -> Piece {
        Piece { at: Some((x, y)), ..self }
    }

    pub fn of(self, seat: domain::Seat) -> Piece {
        Piece { seat: Some(seat.number()), ..self }
    }
}

impl Svg {
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn append(&mut self, other: &Svg) {
        self.0.push_str(&other.0);
    }

    /// A named group.
    pub fn piece(&mut self, piece: &Piece, draw: impl FnOnce(&mut Svg)) {
        self.0.push_str("<g");
        self.attribute("id", &piece.id);
        if let Some((named, token)) = &piece.token {
            self.attribute("data-token", token);
            let named = match named {
                Named::Card => "CARD",
                Named::Place => "PLACE",
                Named::Number => "NUMBER",
            };
            self.attribute("data-type", named);
        }
        if let Some(seat) = piece.seat {
            self.attribute("data-seat", &seat.to_string());
        }
        if let Some((x, y)) = piece.at {
            self.write(format_args!(" transform=\"translate({x} {y})\""));
        }
        self.0.push('>');
        self.title(&piece.title);
        draw(self);
        self.0.push_str("</g>");
    }

    /// A group that is drawn at another place.
    pub fn shifted(&mut self, x: i32, y: i32, draw: &Svg) {
        if draw.is_empty() {
            return;
        }
        self.write(format_args!("<g transform=\"translate({x} {y})\">"));
        self.append(draw);
        self.0.push_str("</g>");
    }

    /// A group that is drawn larger, in hundredths.
    pub fn enlarged(&mut self, hundredths: i32, draw: &Svg) {
        self.write(format_args!("<g transform=\"scale({}.{:02})\">", hundredths / 100, hundredths % 100));
        self.append(draw);
        self.0.push_str("</g>");
    }

    pub fn title(&mut self, title: &str) {
        self.0.push_str("<title>");
        self.escaped(title);
        self.0.push_str("</title>");
    }

    pub fn rect(&mut self, x: i32, y: i32, width: i32, height: i32, round: i32, paint: Paint) {
        self.write(format_args!("<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\""));
        if round > 0 {
            self.write(format_args!(" rx=\"{round}\""));
        }
        self.write(format_args!("{paint}/>"));
    }

    /// An area that can be touched beside what is drawn: a finger needs more room than an eye.
    pub fn touch(&mut self, x: i32, y: i32, width: i32, height: i32) {
        self.write(format_args!("<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" opacity=\"0\"/>"));
    }

    /// The same for a round place.
    pub fn touch_round(&mut self, x: i32, y: i32, r: i32) {
        self.write(format_args!("<circle cx=\"{x}\" cy=\"{y}\" r=\"{r}\" opacity=\"0\"/>"));
    }

    pub fn circle(&mut self, x: i32, y: i32, r: i32, paint: Paint) {
        self.write(format_args!("<circle cx=\"{x}\" cy=\"{y}\" r=\"{r}\"{paint}/>"));
    }

    /// Pieces whose words and marks look the same: their common attributes are written once.
    pub fn alike(&mut self, font: Font, draw: impl FnOnce(&mut Svg)) {
        let Font { size, colour, .. } = font;
        self.write(format_args!("<g font-size=\"{size}\" text-anchor=\"middle\" fill=\"{colour}\">"));
        draw(self);
        self.0.push_str("</g>");
    }

    /// A word of [`Svg::alike`], centred, in a colour of its own if it has one.
    pub fn word(&mut self, x: i32, y: i32, colour: Option<Colour>, word: &str) {
        self.write(format_args!("<text x=\"{x}\" y=\"{y}\""));
        if let Some(colour) = colour {
            self.write(format_args!(" fill=\"{colour}\""));
        }
        self.0.push('>');
        self.escaped(word);
        self.0.push_str("</text>");
    }

    /// A shape of [`Svg::alike`].
    pub fn area(&mut self, points: &[(i32, i32)]) {
        self.corners(points);
        self.0.push_str("\"/>");
    }

    /// A round mark of [`Svg::alike`].
    pub fn mark(&mut self, x: i32, y: i32, r: i32) {
        self.write(format_args!("<circle cx=\"{x}\" cy=\"{y}\" r=\"{r}\"/>"));
    }

    /// Pieces with the same edge.
    pub fn edged(&mut self, colour: Colour, width: i32, draw: impl FnOnce(&mut Svg)) {
        self.write(format_args!("<g stroke=\"{colour}\" stroke-width=\"{width}\">"));
        draw(self);
        self.0.push_str("</g>");
    }

    /// A line that swings a little, like the grain of wood.
    pub fn grain(&mut self, (x, y): (i32, i32), length: i32, swing: i32, colour: Colour) {
        let (third, end) = (x + length / 3, x + length);
        let (up, down) = (y - swing, y + swing);
        self.write(format_args!(
            "<path d=\"M{x} {y}C{third} {up} {third} {down} {end} {y}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"3\"/>"
        ));
    }

    /// A small round piece that only its id names.
    pub fn seed(&mut self, id: &str, (x, y): (i32, i32), r: i32, colour: Colour) {
        self.write(format_args!("<circle id=\"{id}\" cx=\"{x}\" cy=\"{y}\" r=\"{r}\" fill=\"{colour}\"/>"));
    }

    pub fn line(&mut self, from: (i32, i32), to: (i32, i32), colour: Colour, width: i32) {
        let ((a, b), (c, d)) = (from, to);
        self.write(format_args!("<path d=\"M{a} {b}L{c} {d}\" stroke=\"{colour}\" stroke-width=\"{width}\"/>"));
    }

    pub fn polygon(&mut self, points: &[(i32, i32)], paint: Paint) {
        self.corners(points);
        self.write(format_args!("\"{paint}/>"));
    }

    /// Each corner but the first is written by its distance from the one before, which is shorter.
    fn corners(&mut self, points: &[(i32, i32)]) {
        let Some((x, y)) = points.first() else { return };
        self.write(format_args!("<path d=\"M{x} {y}l"));
        for (n, pair) in points.windows(2).enumerate() {
            let space = if n == 0 { "" } else { " " };
            self.write(format_args!("{space}{} {}", pair[1].0 - pair[0].0, pair[1].1 - pair[0].1));
        }
        self.0.push('z');
    }

    /// A text whose baseline is at `y`.
    pub fn text(&mut self, x: i32, y: i32, font: Font, text: &str) {
        let Font { size, is_bold, colour, anchor } = font;
        self.write(format_args!("<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\""));
        if !is_ink(colour) {
            self.write(format_args!(" fill=\"{colour}\""));
        }
        if is_bold {
            self.0.push_str(" font-weight=\"700\"");
        }
        match anchor {
            Anchor::Start => {}
            Anchor::Middle => self.0.push_str(" text-anchor=\"middle\""),
            Anchor::End => self.0.push_str(" text-anchor=\"end\""),
        }
        self.0.push('>');
        self.escaped(text);
        self.0.push_str("</text>");
    }

    /// A definition of [`crate::icon`], centred.
    pub fn sign(&mut self, id: &str, x: i32, y: i32, size: i32, colour: Colour) {
        let (left, top) = (x - size / 2, y - size / 2);
        self.write(format_args!("<use href=\"#{id}\" x=\"{left}\" y=\"{top}\" width=\"{size}\" height=\"{size}\""));
        if !is_ink(colour) {
            self.write(format_args!(" color=\"{colour}\""));
        }
        self.0.push_str("/>");
    }

    /// The whole document.
    pub fn document(
        &self,
        title: &str,
        definitions: &str,
        width: u32,
        (w, h): (i32, i32),
        (ground, ink): (Colour, Colour),
    ) -> String {
        let mut page = Svg(String::with_capacity(self.0.len() + 2048));
        // Rounded up, so that nothing is cut off.
        let height = (i64::from(width) * i64::from(h) + i64::from(w) - 1) / i64::from(w.max(1));
        page.write(format_args!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {w} {h}\" width=\"{width}\" height=\"{height}\" role=\"img\" fill=\"{ink}\" color=\"{ink}\" stroke-linecap=\"round\" stroke-linejoin=\"round\" font-family=\"{FONTS}\""
        ));
        page.attribute("aria-label", title);
        page.0.push('>');
        page.title(title);
        if !definitions.is_empty() {
            page.write(format_args!("<defs>{definitions}</defs>"));
        }
        page.rect(0, 0, w, h, 0, Paint::fill(ground));
        page.append(self);
        page.0.push_str("</svg>\n");
        page.0
    }

    /// Which of these ids are used as signs.
    pub fn uses(&self, id: &str) -> bool {
        self.0.contains(&format!("href=\"#{id}\""))
    }

    fn attribute(&mut self, name: &str, value: &str) {
        self.write(format_args!(" {name}=\""));
        self.escaped(value);
        self.0.push('"');
    }

    fn escaped(&mut self, text: &str) {
        for letter in text.chars() {
            match letter {
                '&' => self.0.push_str("&amp;"),
                '<' => self.0.push_str("&lt;"),
                '>' => self.0.push_str("&gt;"),
                '"' => self.0.push_str("&quot;"),
                '\'' => self.0.push_str("&#39;"),
                // XML has no way to write them.
                '\u{0}'..='\u{8}' | '\u{b}' | '\u{c}' | '\u{e}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => {
                    self.0.push(' ');
                }
                letter => self.0.push(letter),
            }
        }
    }

    fn write(&mut self, text: std::fmt::Arguments) {
        self.0.write_fmt(text).expect("a string takes everything that is written");
    }
}
