//! The types of both APIs: GraphQL takes its types from here, REST its JSON.
//!
//! No type of the rules is a type of the API. Every conversion destructures the rules' value without `..`, so that a
//! new field does not compile until its place on the wire is decided.

mod bot;
mod change;
mod deferred;
mod entry;
mod filter;
mod game;
mod id;
mod input;
mod metadata;
mod moment;
mod person;
mod record;
mod repeatable;
mod statistics;
mod theme;
mod time;

pub use bot::{BotInput, BotSettingsInput, EntryBot, SeatBot, bot_settings_of, level_of};
pub use change::{GameChange, InboxChange, StreamTicket};
pub use entry::{LogEntry, LogPage};
pub use filter::GamesFilter;
pub use game::{
    Continuations, Decision, Explanation, Game, GameCount, GamePage, GameResult, GameStatus, LegalMoves, Played,
    Visibility,
};
pub use input::{SeatInput, choice, excluded, game_id_of, options_of, player_id_of, seats_of};
pub use kinds::{Component, Details, Event, Kind, Move, Options, Rulebook, View, check_true, int, seat, seats};
pub use metadata::Metadata;
pub use moment::Moment;
pub use person::{Me, Player, PlayerPage, Registered, Token, TokenInUse, TokenPage};
pub use record::Record;
pub use repeatable::{ChangedGame, IssuedStreamTicket, IssuedToken};
pub use statistics::{HeadToHead, Statistics};
pub use theme::Theme;
pub use time::Time;
