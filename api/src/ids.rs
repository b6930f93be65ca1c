//! Typed ids: `game_…`, `player_…`, `app_…`, the same text in both APIs.
//!
//! They are UUIDv7: sortable by time of creation, and not secret.

use std::fmt;
use std::str::FromStr;

use uuid::Uuid;

use crate::clock;

/// A malformed id.
#[derive(Debug, PartialEq, Eq)]
pub struct NoSuchId;

macro_rules! id {
    ($(#[$doc:meta])* $Id:ident, $prefix:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[derive(serde::Serialize, serde::Deserialize)]
        #[serde(transparent)]
        pub struct $Id(pub Uuid);

        impl $Id {
            pub const PREFIX: &str = $prefix;

            /// A new id.
            pub fn fresh() -> $Id {
                $Id(clock::fresh_id())
            }
        }

        impl fmt::Display for $Id {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{}_{}", Self::PREFIX, self.0.simple())
            }
        }

        impl FromStr for $Id {
            type Err = NoSuchId;
            fn from_str(text: &str) -> Result<$Id, NoSuchId> {
                let digits = text.strip_prefix(concat!($prefix, "_")).ok_or(NoSuchId)?;
                let plain = digits.len() == 32 && digits.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
                let id = Uuid::try_parse(digits).ok().filter(|_| plain);
                id.map($Id).ok_or(NoSuchId)
            }
        }
    };
}

id!(AppId, "app");
id!(PlayerId, "player");
id!(GameId, "game");
id!(TokenId, "token");
id!(AppKeyId, "key");

impl GameId {
    /// A bound on the ids of games opened at a time, plus or minus some minutes: the id and the stored time of a game
    /// are taken one after the other.
    pub fn opened_about(at: jiff::Timestamp, minutes: i64) -> GameId {
        let millis = at.as_millisecond().saturating_add(minutes * 60_000).clamp(0, (1 << 48) - 1);
        GameId(Uuid::from_u128(u128::from(millis.unsigned_abs()) << 80))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_tells_when_the_game_was_opened() {
        let now = jiff::Timestamp::from_microsecond(clock::now()).expect("it is a time");
        let id = GameId::fresh();
        assert!(GameId::opened_about(now, -1) < id && id < GameId::opened_about(now, 1));
        assert!(
            GameId::opened_about(jiff::Timestamp::MIN, -1) < id && id < GameId::opened_about(jiff::Timestamp::MAX, 1)
        );
    }

    #[test]
    fn an_id_reads_back_and_another_kind_of_id_does_not() {
        let id = GameId::fresh();
        assert_eq!(id.to_string().parse(), Ok(id));
        assert_eq!(id.to_string().parse::<PlayerId>(), Err(NoSuchId));
        for text in ["", "game_", "game_x", "game_00000000-0000-0000-0000-000000000000", "GAME_"] {
            assert_eq!(text.parse::<GameId>(), Err(NoSuchId), "{text}");
        }
        assert_eq!(id.to_string().to_uppercase().replace("GAME", "game").parse::<GameId>(), Err(NoSuchId));
    }
}
