//! Kalah: a wooden board with seeds to count.

use domain::Seat;
use domain::games::kalah::View;

use crate::seat;
use crate::sheet::{Block, Sheet};
use crate::svg::{Font, Named, Paint, Piece, Svg};
use crate::words::count;
use crate::{Setting, theme::Palette};

/// The room for a pocket's number and its count.
const LABELS: i32 = 44;
/// The same in two lines, where pockets are small.
const TALL_LABELS: i32 = 66;

pub fn picture(view: &View, setting: &Setting) -> String {
    let palette = setting.theme.palette();
    let near = setting.bottom(2);
    let mut sheet = Sheet::new(setting, "Kalah", &setting.status());
    let width = Sheet::full(setting);
    sheet.board(Block::bare(width, |svg, width| {
        seat::plate(svg, setting, near.left(2), 8, 0, width - 16);
        seat::PLATE
    }));
    sheet.board(Block::bare(width, |svg, width| board(svg, view, setting, palette, width)));
    sheet.own(Block::bare(width, |svg, width| {
        seat::plate(svg, setting, near, 8, 0, width - 16);
        seat::PLATE
    }));
    sheet.drawn()
}

pub fn components(setting: &Setting) -> String {
    let view = View { pockets: [vec![4; 6], vec![4; 6]], stores: [0, 0] };
    let palette = setting.theme.palette();
    let mut sheet = Sheet::new(setting, "Kalah", "The board");
    sheet.board(Block::bare(Sheet::full(setting), |svg, width| board(svg, &view, setting, palette, width)));
    sheet.drawn()
}

pub fn text(view: &View, setting: &Setting) -> String {
    let near = setting.bottom(2);
    let far = near.left(2);
    // One column for each pocket, so that opposite pockets are one above the other.
    let pocket = |(n, seeds): (usize, &u16)| format!("{:>6}", format!("{n}:{seeds}"));
    let mut text = String::from("Kalah\n");
    let mut line = |line: String| {
        text.push_str(&line);
        text.push('\n');
    };
    line(setting.status_line());
    line(format!("Store of {}: {}.", setting.called(far), view.stores[far.index()]));
    line(format!("Store of {}: {}.", setting.called(near), view.stores[near.index()]));
    line("Pockets, each with its seeds:".into());
    let row: String = view.pockets[far.index()].iter().enumerate().rev().map(pocket).collect();
    line(format!("  Seat {far}: {row}"));
    let row: String = view.pockets[near.index()].iter().enumerate().map(pocket).collect();
    line(format!("  Seat {near}: {row}"));
    line(
        "Pockets in one column are opposite each other. Seeds are sown towards higher pockets, then the store.".into(),
    );
    text
}

/// The layout of the board.
struct Plan {
    width: i32,
    /// The room for labels.
    labels: i32,
    /// Half a pocket.
    r: i32,
    pitch: i32,
    /// The centre of the first column.
    left: i32,
    /// The height of a store.
    store: (i32, i32),
    /// The centres of the far and the near row.
    rows: [i32; 2],
    has_stores_beside: bool,
    height: i32,
}

impl Plan {
    fn new(pockets: usize, width: i32, is_wide: bool) -> Plan {
        // A narrow board has its stores above and below the rows, so that the pockets are large enough for a finger.
        let has_stores_beside = is_wide;
        let columns = i32::try_from(pockets).unwrap_or(1).max(1);
        let store = if has_stores_beside { 150 } else { 200 };
        let beside = if has_stores_beside { 2 * (store + 18) } else { 0 };
        let pitch = ((width - 40 - beside) / columns).min(190);
        let r = pitch / 2 - if is_wide { 10 } else { 4 };
        let labels = if pitch < 130 { TALL_LABELS } else { LABELS };
        let left = (width - columns * pitch) / 2 + pitch / 2;
        let (top, store_height) = if has_stores_beside { (20, 4 * r + 2 * labels + 20) } else { (130, 88) };
        let far = top + labels + r;
        let near = far + 2 * r + 20;
        let height = near + r + labels + top;
        Plan {
            width,
            labels,
            r,
            pitch,
            left,
            store: (store, store_height),
            rows: [far, near],
            has_stores_beside,
            height,
        }
    }
}

fn board(svg: &mut Svg, view: &View, setting: &Setting, palette: &Palette, width: i32) -> i32 {
    let near = setting.bottom(2);
    let pockets = view.pockets[0].len().max(view.pockets[1].len());
    let plan = Plan::new(pockets, width, setting.is_wide());
    let round = 56.min(plan.height / 4);
    svg.rect(2, 2, width - 4, plan.height - 4, round, Paint::fill(palette.wood).edged(palette.hollow, 4));
    svg.rect(8, 8, width - 16, plan.height - 16, round - 6, Paint::fill("none").edged(palette.rim, 3));
    for n in 0..7 {
        let (indent, y) = (30 + n % 3 * 24, plan.height * (2 * n + 1) / 14);
        svg.grain((indent, y), width - 2 * indent, 10 + n % 2 * 8, palette.grain);
    }
    for seat in [near.left(2), near] {
        let is_near = seat == near;
        let row = &view.pockets[seat.index()];
        let y = plan.rows[usize::from(is_near)];
        for (n, (pocket, seeds)) in (0..).zip(row.iter().enumerate()) {
            // The far row runs from right to left: opposite pockets lie in one column.
            let column = if is_near { n } else { i32::try_from(row.len()).unwrap_or(0) - 1 - n };
            let x = plan.left + column * plan.pitch;
            let title = format!("Pocket {pocket} of {}: {}", setting.short_name(seat), count(*seeds, "seed"));
            let piece = Piece::new(format!("pocket-{seat}-{pocket}"), title).token(Named::Place, &pocket).of(seat);
            svg.piece(&piece, |svg| {
                svg.circle(x, y + 3, plan.r, Paint::fill(palette.rim));
                svg.circle(x, y, plan.r, Paint::fill(palette.hollow));
                let (top, height) =
                    (if is_near { y - plan.r } else { y - plan.r - plan.labels }, 2 * plan.r + plan.labels);
                svg.touch(x - plan.pitch / 2, top, plan.pitch, height);
                let id = format!("seed-{seat}-{pocket}");
                sow(svg, palette, &id, (x, y), (plan.r - 6, plan.r - 6), *seeds);
                label(svg, palette, (x, if is_near { y + plan.r } else { y - plan.r }), is_near, pocket, *seeds, &plan);
            });
        }
        store(svg, view, setting, palette, seat, &plan);
    }
    plan.height
}

/// A pocket's number and how many seeds it has: below the near row, above the far one.
fn label(
    svg: &mut Svg,
    palette: &Palette,
    (x, edge): (i32, i32),
    is_near: bool,
    pocket: usize,
    seeds: u16,
    plan: &Plan,
) {
    let y = if is_near { edge + 37 } else { edge - 15 };
    let font = Font::new(if plan.pitch < 70 { 26 } else { 32 }, palette.on_wood).bold();
    let small = Font::new(20, palette.on_wood);
    if plan.labels == TALL_LABELS {
        svg.text(x, y, font.middle(), &seeds.to_string());
        svg.text(x, if is_near { y + 26 } else { y - 32 }, small.middle(), &format!("#{pocket}"));
    } else {
        svg.text(x - 4, y, font.end(), &seeds.to_string());
        svg.text(x + 8, y, small, &format!("#{pocket}"));
    }
}

fn store(svg: &mut Svg, view: &View, setting: &Setting, palette: &Palette, seat: Seat, plan: &Plan) {
    let is_near = seat == setting.bottom(2);
    let seeds = view.stores[seat.index()];
    let (w, h) = plan.store;
    let middle = (plan.rows[0] + plan.rows[1]) / 2;
    // The near player's store follows its last pocket, on the right.
    let (x, y) = match (plan.has_stores_beside, is_near) {
        (true, true) => (plan.width - 20 - w, middle - h / 2),
        (true, false) => (20, middle - h / 2),
        (false, true) => (plan.width - 28 - 2 * w, plan.height - h - 22),
        (false, false) => (28, 22),
    };
    let w = if plan.has_stores_beside { w } else { 2 * w };
    let title = format!("Store of {}: {}", setting.short_name(seat), count(seeds, "seed"));
    svg.piece(&Piece::new(format!("store-{seat}"), title).of(seat), |svg| {
        svg.rect(x, y + 3, w, h, w.min(h) / 2, Paint::fill(palette.rim));
        svg.rect(x, y, w, h, w.min(h) / 2, Paint::fill(palette.hollow));
        let id = format!("seed-store-{seat}");
        let number = Font::new(40, palette.on_hollow).bold().middle();
        if plan.has_stores_beside {
            sow(svg, palette, &id, (x + w / 2, y + h / 2 - 20), (w / 2 - 14, h / 2 - 50), seeds);
            svg.text(x + w / 2, y + h - 22, number, &seeds.to_string());
        } else {
            sow(svg, palette, &id, (x + w / 2 - 40, y + h / 2), (w / 2 - 66, h / 2 - 10), seeds);
            svg.text(x + w - 56, y + h / 2 + 14, number, &seeds.to_string());
        }
    });
}

/// Seeds in the pattern of a sunflower, filling an ellipse.
fn sow(svg: &mut Svg, palette: &Palette, id: &str, (x, y): (i32, i32), (rx, ry): (i32, i32), seeds: u16) {
    let total = i32::from(seeds);
    // Seeds shrink when there are many, so that they do not overlap.
    let size = (2..=14).rev().find(|r| r * r * total * 10 <= rx * ry * 4).unwrap_or(2).min(rx.min(ry) / 4);
    let (rx, ry) = ((rx - size).max(0), (ry - size).max(0));
    let (mut cos, mut sin) = (1000i64, 0i64);
    let mut seed = |svg: &mut Svg, n: i32| {
        // A single seed lies in the middle. The golden angle, in millionths.
        let reach = if total == 1 { 0 } else { ((2 * n + 1) * 500_000 / total).isqrt() };
        let at = |middle: i32, r: i32, part: i64| {
            middle + i32::try_from(i64::from(r) * i64::from(reach) * part / 1_000_000).unwrap_or(0)
        };
        let (seed_x, seed_y) = (at(x, rx, cos), at(y, ry, sin));
        svg.seed(
            &format!("{id}-{n}"),
            (seed_x, seed_y),
            size,
            if n % 3 == 0 { palette.seed_dark } else { palette.seed },
        );
        (cos, sin) = ((cos * -737_369 - sin * 675_490) / 1_000_000, (cos * 675_490 + sin * -737_369) / 1_000_000);
        // Rounding would let the spiral shrink.
        let length = (cos * cos + sin * sin).isqrt();
        (cos, sin) = (cos * 1000 / length.max(1), sin * 1000 / length.max(1));
    };
    if total > 0 {
        // Small seeds would be all edge.
        svg.edged(palette.seed_edge, if size > 4 { 2 } else { 0 }, |svg| (0..total).for_each(|n| seed(svg, n)));
    }
}
