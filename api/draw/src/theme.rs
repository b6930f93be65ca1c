//! The colours, light and dark. Text meets WCAG AA (4.5 to 1) on every ground that it is drawn on.

/// A colour as SVG writes it.
pub type Colour = &'static str;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Theme {
    #[default]
    Light,
    Dark,
}

/// The colours of a theme.
#[derive(Debug)]
pub struct Palette {
    /// Behind everything.
    pub ground: Colour,
    /// Panels.
    pub panel: Colour,
    /// Wells, slots and other sunken places.
    pub sunken: Colour,
    /// Borders.
    pub line: Colour,
    /// Text and signs.
    pub ink: Colour,
    /// Less important text.
    pub muted: Colour,
    /// Things that wait for a decision, or have been won.
    pub accent: Colour,
    /// Text on the accent.
    pub on_accent: Colour,
    /// Cards and tiles that lie face up.
    pub card: Colour,
    /// A seat's pieces.
    pub seats: [Colour; 5],
    /// Text on a seat's colour.
    pub on_seat: Colour,
    /// Wood and its hollows.
    pub wood: Colour,
    pub grain: Colour,
    /// The edge of wood that the light falls on.
    pub rim: Colour,
    pub hollow: Colour,
    pub on_wood: Colour,
    pub on_hollow: Colour,
    /// Seeds, of two shades.
    pub seed: Colour,
    pub seed_dark: Colour,
    pub seed_edge: Colour,
    /// Four hues: elements, dances' colours. Readable as text on `card`.
    pub red: Colour,
    pub blue: Colour,
    pub yellow: Colour,
    pub green: Colour,
    pub brown: Colour,
    /// The same hues as pale grounds for `ink`.
    pub pale_red: Colour,
    pub pale_blue: Colour,
    pub pale_yellow: Colour,
    pub pale_green: Colour,
    pub pale_brown: Colour,
    pub teal: Colour,
    pub pale_teal: Colour,
    /// Roads between tiles, and the marks on them.
    pub road: Colour,
    pub road_mark: Colour,
}

impl Theme {
    pub(crate) fn palette(self) -> &'static Palette {
        match self {
            Theme::Light => &LIGHT,
            Theme::Dark => &DARK,
        }
    }
}

static LIGHT: Palette = Palette {
    ground: "#f4ecdf",
    panel: "#fdf9f2",
    sunken: "#eee3d2",
    line: "#cdbda4",
    ink: "#2c2119",
    muted: "#66574a",
    accent: "#a63c14",
    on_accent: "#ffffff",
    card: "#ffffff",
    seats: ["#1c6480", "#ab352b", "#3f6f22", "#71429a", "#875a00"],
    on_seat: "#ffffff",
    wood: "#c99a64",
    grain: "#c0905a",
    rim: "#e3bd8c",
    hollow: "#7a5230",
    on_wood: "#2c1a0b",
    on_hollow: "#fff6e8",
    seed: "#f6e3bf",
    seed_dark: "#e9c98f",
    seed_edge: "#4f331b",
    red: "#ab3426",
    blue: "#1d5f95",
    yellow: "#7d5a00",
    green: "#2f6b2b",
    brown: "#76502f",
    pale_red: "#f8dcd4",
    pale_blue: "#d6e7f3",
    pale_yellow: "#f8e9b8",
    pale_green: "#dbebc9",
    pale_brown: "#ecdcc6",
    teal: "#0f6b66",
    pale_teal: "#cdebe4",
    road: "#d8c6a4",
    road_mark: "#8c7650",
};

static DARK: Palette = Palette {
    ground: "#1a1613",
    panel: "#262019",
    sunken: "#342c23",
    line: "#5a4d3f",
    ink: "#f4ebdd",
    muted: "#bfae9b",
    accent: "#f29a66",
    on_accent: "#24150b",
    card: "#3a3128",
    seats: ["#6cbad8", "#f28b80", "#9fd072", "#cda6f2", "#ebc15a"],
    on_seat: "#1a1613",
    wood: "#6b4a2c",
    grain: "#634327",
    rim: "#8a6540",
    hollow: "#2e1f12",
    on_wood: "#fff3e0",
    on_hollow: "#fff3e0",
    seed: "#f0d7a8",
    seed_dark: "#dcb778",
    seed_edge: "#1a1009",
    red: "#ff9c8c",
    blue: "#8cc6f2",
    yellow: "#efc95c",
    green: "#a4d786",
    brown: "#d9b48c",
    pale_red: "#5a2b23",
    pale_blue: "#1f3f57",
    pale_yellow: "#564516",
    pale_green: "#2d4a22",
    pale_brown: "#4d3b29",
    teal: "#7fd6cc",
    pale_teal: "#164844",
    road: "#4a3f30",
    road_mark: "#a08c68",
};
