//! The arrangement of a picture: a head, then blocks in one column or two, and the viewer's own block at the bottom.

use crate::Setting;
use crate::icon;
use crate::svg::{Font, Paint, Svg};
use crate::theme::Palette;

/// The width of a column. Pieces have the same size in narrow and wide pictures; only their arrangement differs.
pub const COLUMN: i32 = 720;
const MARGIN: i32 = 20;
const GAP: i32 = 20;
/// Inside a panel.
pub const PADDING: i32 = 20;
const HEAD: i32 = 64;

/// A drawing and its height.
pub struct Block {
    pub svg: Svg,
    pub height: i32,
}

impl Block {
    /// On a ground of its own, with a border. `draw` gets the inner width and returns the inner height.
    pub fn panel(palette: &Palette, width: i32, draw: impl FnOnce(&mut Svg, i32) -> i32) -> Block {
        let mut inner = Svg::default();
        let height = draw(&mut inner, width - 2 * PADDING) + 2 * PADDING;
        let mut svg = Svg::default();
        svg.rect(0, 0, width, height, 16, Paint::fill(palette.panel).edged(palette.line, 2));
        svg.shifted(PADDING, PADDING, &inner);
        Block { svg, height }
    }

    /// Without a ground.
    pub fn bare(width: i32, draw: impl FnOnce(&mut Svg, i32) -> i32) -> Block {
        let mut svg = Svg::default();
        let height = draw(&mut svg, width);
        Block { svg, height }
    }
}

/// The parts of a picture.
pub struct Sheet<'a> {
    setting: &'a Setting,
    /// The widths of the columns of a wide picture.
    columns: [i32; 2],
    /// The name of the game, and its state.
    head: (String, String),
    others: Vec<Block>,
    aside: Vec<Block>,
    board: Vec<Block>,
    loose: Vec<Block>,
    own: Vec<Block>,
}

impl<'a> Sheet<'a> {
    pub fn new(setting: &'a Setting, title: &str, detail: &str) -> Sheet<'a> {
        let head = (title.to_string(), detail.to_string());
        Sheet {
            setting,
            columns: [COLUMN; 2],
            head,
            others: Vec::new(),
            aside: Vec::new(),
            board: Vec::new(),
            loose: Vec::new(),
            own: Vec::new(),
        }
    }

    /// The width of a block that spans the picture.
    pub fn full(setting: &Setting) -> i32 {
        if setting.is_wide() { 2 * COLUMN + GAP } else { COLUMN }
    }

    /// Gives the board of a wide picture more room than what is beside it.
    pub fn widen(&mut self, board: i32) {
        self.columns = [board, 2 * COLUMN - board];
    }

    /// Another player: above the board in narrow pictures, beside it in wide ones.
    pub fn other(&mut self, block: Block) {
        self.others.push(block);
    }

    /// A block without choices: in narrow pictures away from the viewer's own block, in wide ones as `loose`.
    pub fn aside(&mut self, block: Block) {
        self.aside.push(block);
    }

    /// A part of the board.
    pub fn board(&mut self, block: Block) {
        self.board.push(block);
    }

    /// A part of the board that goes to the shorter column of a wide picture.
    pub fn loose(&mut self, block: Block) {
        self.loose.push(block);
    }

    /// At the bottom, as wide as the picture.
    pub fn own(&mut self, block: Block) {
        self.own.push(block);
    }

    /// The document.
    pub fn drawn(self) -> String {
        let Sheet { setting, columns, head: (title, detail), others, aside, board, loose, own } = self;
        let palette = setting.theme.palette();
        let width = Sheet::full(setting) + 2 * MARGIN;
        let mut svg = Svg::default();
        let bold = Font::new(34, palette.ink).bold();
        svg.text(MARGIN + 4, 46, bold, &title);
        let font = Font::new(24, palette.muted).end();
        let room = Sheet::full(setting) - bold.width(&title) - 40;
        svg.text(width - MARGIN - 4, 46, font, &font.cut(&detail, room));

        let stack = |svg: &mut Svg, x: i32, mut y: i32, blocks: Vec<Block>| {
            for block in blocks {
                svg.shifted(x, y, &block.svg);
                y += block.height + GAP;
            }
            y
        };
        let has_columns = setting.is_wide() && !(others.is_empty() && loose.is_empty() && aside.is_empty());
        let y = if has_columns {
            let columns = [MARGIN, MARGIN + columns[0] + GAP];
            let mut heights = [stack(&mut svg, columns[0], HEAD, board), stack(&mut svg, columns[1], HEAD, others)];
            for block in loose.into_iter().chain(aside) {
                let shorter = usize::from(heights[1] < heights[0]);
                heights[shorter] = stack(&mut svg, columns[shorter], heights[shorter], vec![block]);
            }
            heights[0].max(heights[1])
        } else {
            let blocks = others.into_iter().chain(aside).chain(board).chain(loose);
            stack(&mut svg, MARGIN, HEAD, blocks.collect())
        };
        let height = stack(&mut svg, MARGIN, y, own);
        let label = format!("{title}: {detail}");
        svg.document(
            &label,
            &icon::definitions(&svg, palette.card),
            setting.width(),
            (width, height),
            (palette.ground, palette.ink),
        )
    }
}

/// Places pieces of one size side by side, in as many rows as they need. Returns the height.
pub fn flow(count: usize, width: i32, (w, h): (i32, i32), gap: i32, mut draw: impl FnMut(usize, i32, i32)) -> i32 {
    let per_row = usize::try_from((width + gap) / (w + gap)).unwrap_or(1).max(1);
    let (mut x, mut y) = (0, 0);
    for n in 0..count {
        if n > 0 && n % per_row == 0 {
            x = 0;
            y += h + gap;
        }
        draw(n, x, y);
        x += w + gap;
    }
    if count == 0 { 0 } else { y + h }
}
