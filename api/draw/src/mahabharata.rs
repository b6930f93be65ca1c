//! Mahabharata: the dice, the leaders with their spaces, and what lies behind one's screen.

use domain::games::mahabharata::{
    Answer, DieView, Face, Leader, LeaderCard, LeaderView, PATI, PlayerView, Reason, SpaceView, Table, Token,
    TokensLeft, Unit, View,
};
use domain::{Seat, Seats};

use crate::Setting;
use crate::seat;
use crate::sheet::{Block, Sheet, flow};
use crate::svg::{Font, Named, Paint, Piece, Svg};
use crate::theme::{Colour, Palette};
use crate::words::{capitalised, count, list, one_line};

const DIE: i32 = 76;
const SPACE: (i32, i32) = (100, 104);
const TOKEN: (i32, i32) = (104, 64);
/// A token of the pool, which can be named.
const POOL: (i32, i32) = (104, 96);

pub fn picture(view: &View, setting: &Setting) -> String {
    let palette = setting.theme.palette();
    let seats = u8::try_from(view.players.len()).unwrap_or(Seat::MOST);
    let column = crate::sheet::COLUMN;
    let detail = format!("Round {} · {}", view.round, setting.status());
    let mut sheet = Sheet::new(setting, "Mahabharata", &detail);
    for seat in setting.others(seats) {
        sheet.other(player(view, setting, seat, column));
    }
    sheet.board(dice(view, setting, palette, column));
    for (n, leader) in view.leaders.iter().enumerate() {
        sheet
            .loose(Block::panel(palette, column, |svg, width| in_play(svg, setting, &Place::InPlay(n), leader, width)));
    }
    sheet.own(player(view, setting, setting.bottom(seats), Sheet::full(setting)));
    sheet.drawn()
}

fn sign_of(unit: Unit) -> &'static str {
    match unit {
        Unit::Chariot => "i-chariot",
        Unit::Elephant => "i-elephant",
        Unit::Cavalry => "i-cavalry",
        Unit::Infantry => "i-infantry",
    }
}

fn colour_of(palette: &Palette, unit: Unit) -> Colour {
    match unit {
        Unit::Chariot => palette.red,
        Unit::Elephant => palette.blue,
        Unit::Cavalry => palette.yellow,
        Unit::Infantry => palette.green,
    }
}

/// 'Cavalry 2'.
fn token_words(token: Token) -> String {
    format!("{} {}", capitalised(&token.unit()), token.number())
}

fn face_words(face: Face) -> String {
    match face {
        Face::Shows(token) => token_words(token),
        Face::Raja => "Raja".into(),
    }
}

/// The dice that are left, and who picks next.
fn dice(view: &View, setting: &Setting, palette: &Palette, width: i32) -> Block {
    Block::panel(palette, width, |svg, width| {
        let font = Font::new(24, palette.muted);
        svg.text(0, 22, font.bold(), "Dice");
        let mut y = 36;
        // As far apart as a finger needs, or as the row allows.
        let dice = i32::try_from(view.dice.len().max(1)).unwrap_or(1);
        let gap = ((width - dice * DIE) / dice).clamp(0, 20);
        y += flow(view.dice.len(), width, (DIE, DIE + 32), gap, |n, x, row| {
            let DieView { die, face, .. } = view.dice[n];
            let piece = Piece::new(format!("die-{die}"), format!("Die {die}: {}", face_words(face)));
            svg.piece(&piece.token(Named::Card, &format!("d{die}")).at(x, y + row), |svg| {
                draw_die(svg, palette, face);
                svg.text(DIE / 2, DIE + 24, Font::new(20, palette.muted).middle(), &format!("d{die}"));
                svg.touch(-gap / 2, 0, DIE + gap, DIE + 32);
            });
        });
        if view.dice.is_empty() {
            svg.text(0, y + 20, font, "All dice are taken.");
            y += 34;
        }
        let line = match (view.reason, view.asked.is_empty(), view.picks.is_empty()) {
            (Some(reason), ..) => reason_words(reason).to_string(),
            (None, false, _) => "Reveal a Pati or hold it back?".into(),
            (None, true, false) => "Picks to come:".into(),
            (None, true, true) => return y,
        };
        svg.text(0, y + 28, font, &font.cut(&line, width));
        let seats: Vec<Seat> = if view.reason.is_some() {
            view.revealed.iter().collect()
        } else if view.asked.is_empty() {
            view.picks.clone()
        } else {
            view.pending.iter().collect()
        };
        let left = font.width(&line) + 40;
        for (n, seat) in (0..).zip(seats) {
            seat::sign(svg, setting.theme.palette(), seat, left + n * 50, y + 20, 17);
        }
        y + 40
    })
}

fn draw_die(svg: &mut Svg, palette: &Palette, face: Face) {
    svg.rect(2, 2, DIE - 4, DIE - 4, 14, Paint::fill(palette.card).edged(palette.ink, 3));
    match face {
        Face::Shows(token) => {
            svg.sign(sign_of(token.unit()), DIE / 2, 30, 40, colour_of(palette, token.unit()));
            units(svg, DIE / 2, 61, token.number(), palette.ink);
        }
        Face::Raja => {
            svg.sign("i-raja", DIE / 2, 30, 44, palette.accent);
            svg.text(DIE / 2, 67, Font::new(20, palette.ink).bold().middle(), "RAJA");
        }
    }
}

/// As many points as the token shows units.
fn units(svg: &mut Svg, x: i32, y: i32, number: u8, colour: Colour) {
    let number = i32::from(number);
    let half = if number > 4 { 5 } else { 6 };
    for n in 0..number {
        svg.circle(x + (2 * n - number + 1) * half, y, 4, Paint::fill(colour));
    }
}

/// A leader in play has a number, which names its spaces. A leader of the box has the start of an id.
enum Place {
    InPlay(usize),
    InBox(String),
}

fn in_play(svg: &mut Svg, setting: &Setting, place: &Place, leader: &LeaderView, width: i32) -> i32 {
    let palette = setting.theme.palette();
    let LeaderView { leader: name, points, spaces } = leader;
    let name = one_line(name.as_str());
    svg.sign("i-raja", 20, 22, 36, palette.accent);
    let font = Font::new(28, palette.ink).bold();
    let small = Font::new(26, palette.ink).bold();
    let points = count(*points, "point");
    // A name of a table of its own can be long.
    let shown = font.cut(&name, width - 48 - 60 - small.width(&points));
    svg.text(48, 32, font, &shown);
    if let Place::InPlay(number) = place {
        svg.text(60 + font.width(&shown), 32, Font::new(22, palette.muted), &format!("l{number}"));
    }
    svg.text(width, 32, small.end(), &points);
    let top = 52;
    let gap = if spaces.len() > 6 { 4 } else { 14 };
    top + flow(spaces.len(), width, SPACE, gap, |i, x, y| {
        let space = &spaces[i];
        let unit = capitalised(&space.unit);
        let holds = match space.owner {
            Some(owner) => {
                format!("{} has {}", setting.short_name(owner), list(space.stack.iter().map(|token| token.name())))
            }
            None => "empty".into(),
        };
        let title = format!("{name}, space {i} ({unit}): {holds}");
        let piece = match place {
            Place::InPlay(n) => Piece::new(format!("leader-{n}-{i}"), title).token(Named::Place, &format!("l{n}.{i}")),
            Place::InBox(id) => Piece::new(format!("{id}-{i}"), title),
        };
        let id = piece.id.clone();
        svg.piece(&piece, |svg| draw_space(svg, palette, &id, space, x, top + y));
    })
}

fn draw_space(svg: &mut Svg, palette: &Palette, id: &str, space: &SpaceView, x: i32, y: i32) {
    let (w, h) = SPACE;
    let edge = space.owner.map(|owner| seat::colour(palette, owner));
    let paint = Paint::fill(palette.sunken);
    let paint = match edge {
        Some(colour) => paint.edged(colour, 5),
        None => paint.edged(palette.line, 3).dashed(),
    };
    svg.rect(x + 3, y + 3, w - 6, h - 6, 14, paint);
    let sign = sign_of(space.unit);
    let Some(owner) = space.owner else {
        svg.sign(sign, x + w / 2, y + h / 2, 52, palette.muted);
        return;
    };
    svg.sign(sign, x + 30, y + 30, 40, colour_of(palette, space.unit));
    seat::sign(svg, palette, owner, x + w - 28, y + 28, 17);
    // One disc for each token, with its number of units. Of many only the count, which is what matters on a leader.
    let count = i32::try_from(space.stack.len()).unwrap_or(i32::MAX);
    if count > 3 {
        svg.text(x + w / 2, y + 86, Font::new(28, palette.ink).bold().middle(), &format!("×{count}"));
        return;
    }
    for (i, token) in (0..).zip(&space.stack) {
        let at = x + w / 2 + (2 * i - count + 1) * 14;
        svg.seed(&format!("{id}-{i}"), (at, y + 76), 13, seat::colour(palette, owner));
        svg.text(at, y + 83, Font::new(19, palette.on_seat).bold().middle(), &token.number().to_string());
    }
}

fn player(view: &View, setting: &Setting, seat: Seat, width: i32) -> Block {
    let palette = setting.theme.palette();
    let PlayerView { left, screened, pool, pati, answer } = &view.players[seat.index()];
    Block::panel(palette, width, |svg, width| {
        let has_elephant = view.elephant == seat;
        seat::plate(svg, setting, seat, 0, 0, width - if has_elephant { 180 } else { 0 });
        let font = Font::new(24, palette.muted);
        if has_elephant {
            svg.sign("i-elephant", width - 24, 24, 40, palette.ink);
            svg.text(width - 52, 32, font.end(), "picks first");
        }
        let mut y = seat::PLATE + 30;
        let mut facts = format!("{} left · {} behind the screen", count(*left, "token"), screened);
        match answer {
            Some(Answer::Reveal) => facts.push_str(" · reveals"),
            Some(Answer::Hold) => facts.push_str(" · holds back"),
            None => {}
        }
        if view.revealed.contains(seat) {
            facts.push_str(" · revealed a Pati");
        }
        svg.text(0, y, font, &font.cut(&facts, width));
        y += 16;
        // The screen can be named even while its tokens are hidden.
        let title = format!("Screen of {}: {}", setting.short_name(seat), count(*screened, "token"));
        let screen = Piece::new(format!("screen-{seat}"), title).token(Named::Place, &"screen").of(seat);
        let Some(pati) = pati else {
            svg.piece(&screen, |svg| backs(svg, palette, seat, y, *screened, width));
            return y + 44;
        };
        svg.piece(&screen, |svg| {
            let top = y;
            let mut inner = Svg::default();
            let state = if pati.complete { "Pati complete:" } else { "Pati:" };
            inner.text(0, 24, font.bold(), state);
            let has = [pati.parts.chariot, pati.parts.elephant, pati.parts.cavalry, pati.parts.infantry];
            let mut x = font.bold().width(state) + 16;
            for ((unit, needed), has) in Unit::ALL.into_iter().zip(PATI).zip(has) {
                let sum: u8 = pati.tokens.iter().filter(|token| token.unit() == unit).map(|token| token.number()).sum();
                part(&mut inner, palette, x, unit, needed, sum, has);
                x += 112;
            }
            let rows = flow(pati.tokens.len(), width - 32, TOKEN, 8, |n, x, row| {
                let token = pati.tokens[n];
                let piece =
                    Piece::new(format!("screen-{seat}-{n}"), format!("Behind the screen: {}", token_words(token)));
                inner.piece(&piece.of(seat).at(x, 48 + row), |svg| draw_token(svg, palette, token, None));
            });
            if pati.tokens.is_empty() {
                inner.text(0, 78, font, "Nothing lies behind the screen yet.");
            }
            let height = 48 + rows.max(44);
            svg.rect(0, top, width, height + 32, 14, Paint::fill(palette.sunken).edged(seat::colour(palette, seat), 4));
            svg.shifted(16, top + 16, &inner);
            y += height + 48;
        });
        if let Some(pool) = pool {
            svg.text(0, y + 24, font.bold(), "Pool");
            y += 36;
            y += flow(pool.len(), width, POOL, 8, |n, x, row| {
                let TokensLeft { token, left } = pool[n];
                let title = format!("{}: {left} left in the pool of {}", token_words(token), setting.short_name(seat));
                let piece = Piece::new(format!("pool-{seat}-{n}"), title).token(Named::Card, &token.name()).of(seat);
                svg.piece(&piece.at(x, y + row), |svg| draw_token(svg, palette, token, Some(left)));
            });
        }
        y
    })
}

/// How many tokens lie behind a closed screen.
fn backs(svg: &mut Svg, palette: &Palette, seat: Seat, y: i32, screened: u8, width: i32) {
    svg.rect(0, y, width, 44, 10, Paint::fill(palette.sunken).edged(seat::colour(palette, seat), 4));
    let screened = i32::from(screened);
    let pitch = ((width - 40) / screened.max(1)).min(34);
    for n in 0..screened {
        svg.seed(&format!("screen-{seat}-{n}"), (26 + n * pitch, y + 22), 11, seat::colour(palette, seat));
    }
}

/// A part of a Pati: the unit, how many of how many, and a sign if it is there.
fn part(svg: &mut Svg, palette: &Palette, x: i32, unit: Unit, needed: u8, sum: u8, has: bool) {
    svg.sign(sign_of(unit), x + 14, 16, 32, colour_of(palette, unit));
    if has {
        svg.sign("i-check", x + 48, 16, 28, palette.ink);
        svg.text(x + 66, 24, Font::new(22, palette.ink).bold(), &needed.to_string());
    } else {
        svg.text(x + 36, 24, Font::new(22, palette.ink), &format!("{sum} of {needed}"));
    }
}

/// A token; of the pool with how many are left.
fn draw_token(svg: &mut Svg, palette: &Palette, token: Token, left: Option<u8>) {
    let (w, h) = if left.is_some() { POOL } else { TOKEN };
    let down = (h - TOKEN.1) / 2;
    let is_gone = left == Some(0);
    let ground = if is_gone {
        Paint::fill("none").edged(palette.line, 2).dashed()
    } else {
        Paint::fill(palette.card).edged(palette.line, 2)
    };
    svg.rect(1, 1, w - 2, h - 2, 12, ground);
    let colour = if is_gone { palette.muted } else { colour_of(palette, token.unit()) };
    svg.sign(sign_of(token.unit()), 34, 25 + down * 2 / 3, 36 + down / 2, colour);
    units(svg, 34, 54 + down * 4 / 3, token.number(), palette.ink);
    match left {
        Some(left) => svg.text(w - 8, h / 2 + 10, Font::new(26, palette.ink).bold().end(), &format!("×{left}")),
        None => svg.text(w - 16, 42, Font::new(28, palette.ink).bold().end(), &token.number().to_string()),
    }
}

fn reason_words(reason: Reason) -> &'static str {
    match reason {
        Reason::LeadersFilled => "Every leader space is filled.",
        Reason::PatiRevealed => "A Pati was revealed:",
        Reason::DeadEnd => "A round passed without a pick.",
        Reason::LeadersClosed => "Nobody has a token for the empty spaces.",
    }
}

pub fn text(view: &View, setting: &Setting) -> String {
    let mut text = format!("Mahabharata, round {}\n{}\n", view.round, setting.status_line());
    let mut line = |line: String| {
        text.push_str(&line);
        text.push('\n');
    };
    if let Some(reason) = view.reason {
        line(match reason {
            Reason::PatiRevealed => format!("A Pati was revealed by {}.", setting.all_called(view.revealed)),
            reason => reason_words(reason).to_string(),
        });
    }
    line(format!("Dice: {}", list(view.dice.iter().map(|DieView { die, face, .. }| format!("d{die}={face}")))));
    line(format!("The elephant, which picks first, is with {}.", setting.called(view.elephant)));
    if !view.picks.is_empty() {
        line(format!("Picks to come in this round, by seat: {}", list(&view.picks)));
    }
    if view.asked != Seats::NONE {
        let (asked, pending) = (setting.all_called(view.asked), setting.all_called(view.pending));
        line(format!("Asked to reveal or hold back a Pati: {asked}. Not answered yet: {pending}."));
    }
    line("Leaders, with their spaces:".into());
    for (n, LeaderView { leader, points, spaces }) in view.leaders.iter().enumerate() {
        let spaces = spaces.iter().enumerate().map(|(i, SpaceView { unit, owner, stack })| match owner {
            Some(owner) => format!("  l{n}.{i} {unit}: seat {owner}, {}", list(stack)),
            None => format!("  l{n}.{i} {unit}: empty"),
        });
        line(format!("{}, {}", one_line(leader.as_str()), count(*points, "point")));
        spaces.for_each(&mut line);
    }
    line(format!("Leaders set aside: {}", list(view.discarded.iter().map(|leader| one_line(leader.as_str())))));
    for (seat, player) in Seat::all(Seat::MOST).zip(&view.players) {
        let PlayerView { left, screened, pool, pati, answer } = player;
        let answer = match answer {
            Some(Answer::Reveal) => ", answered reveal",
            Some(Answer::Hold) => ", answered hold",
            None => "",
        };
        let called = capital(&setting.called(seat));
        line(format!("{called}: {} in the pool, {screened} behind the screen{answer}.", count(*left, "token")));
        if let Some(pati) = pati {
            let parts = [pati.parts.chariot, pati.parts.elephant, pati.parts.cavalry, pati.parts.infantry];
            let part = |((unit, needed), has): ((Unit, u8), bool)| {
                format!("{unit} {needed} {}", if has { "yes" } else { "no" })
            };
            let parts: Vec<String> = Unit::ALL.into_iter().zip(PATI).zip(parts).map(part).collect();
            let whole = if pati.complete { "complete" } else { "not complete" };
            line(format!("  Behind the screen: {}. Pati {whole}: {}.", list(&pati.tokens), parts.join(", ")));
        }
        if let Some(pool) = pool {
            line(format!("  Pool: {}", list(pool.iter().map(|TokensLeft { token, left }| format!("{token}×{left}")))));
        }
    }
    text
}

/// A sentence begins with a capital letter.
fn capital(text: &str) -> String {
    text.replacen("seat", "Seat", 1)
}

pub fn components(tables: &Table, setting: &Setting) -> String {
    let palette = setting.theme.palette();
    let mut sheet = Sheet::new(setting, "Mahabharata", "Dice and leaders");
    sheet.board(Block::panel(palette, crate::sheet::COLUMN, |svg, width| {
        let mut y = 0;
        for (n, (unit, faces)) in tables.dice().iter().enumerate() {
            svg.sign(sign_of(*unit), 24, y + 38, 44, colour_of(palette, *unit));
            svg.text(52, y + 47, Font::new(24, palette.ink).bold(), &capitalised(unit));
            for (i, (x, face)) in (0..).map(|i| width - 6 * (DIE + 4) + i * (DIE + 4)).zip(faces).enumerate() {
                let piece =
                    Piece::new(format!("die-{n}-{i}"), format!("{} die: {}", capitalised(unit), face_words(*face)));
                svg.piece(&piece.at(x, y), |svg| draw_die(svg, palette, *face));
            }
            y += DIE + 14;
        }
        y - 14
    }));
    for leader in Leader::ALL {
        let LeaderCard { name: _, points, spaces } = tables.leader(leader);
        // The id is that of its place in the table, whatever it is called.
        let place = Place::InBox(format!("{leader:?}").to_lowercase());
        let empty = |unit: &Unit| SpaceView { unit: *unit, owner: None, stack: Vec::new() };
        let spaces = spaces.iter().map(empty).collect();
        let view = LeaderView { leader: tables.name(leader), points: *points, spaces };
        let block =
            Block::panel(palette, crate::sheet::COLUMN, |svg, width| in_play(svg, setting, &place, &view, width));
        sheet.loose(block);
    }
    sheet.drawn()
}
