//! The option `firstSeat`, for every kind in which one seat starts.

use crate::small::small;
use crate::{Chance, Illegal, OptionAbout, OptionValue, RuleId, Seat};

/// The option's entry in the catalogue.
pub const ABOUT: OptionAbout = OptionAbout {
    name: "firstSeat",
    text: "The seat that starts. If left out, it is drawn at random from the game's seed.",
    value: OptionValue::Seat,
};

/// Whether the table has this seat. `rule` is the kind's rule about its setup.
pub fn check(first_seat: Option<Seat>, seats: u8, rule: RuleId) -> Result<(), Illegal> {
    match first_seat {
        Some(seat) if seat.number() >= seats => {
            let last = seats.saturating_sub(1);
            Err(Illegal::new(rule, format!("firstSeat must be 0 to {last}, not {seat}.")))
        }
        _ => Ok(()),
    }
}

/// The chosen seat, or a random one.
pub fn chosen_or_drawn(first_seat: Option<Seat>, seats: u8, chance: &mut Chance) -> Seat {
    first_seat.unwrap_or_else(|| Seat::new(small(chance.index(seats.into()))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seat_that_is_not_at_the_table_cannot_start() {
        let rule = RuleId("toy.1");
        assert_eq!(check(None, 2, rule), Ok(()));
        assert_eq!(check(Some(Seat::new(1)), 2, rule), Ok(()));
        let illegal = check(Some(Seat::new(2)), 2, rule).expect_err("there are seats 0 and 1");
        assert_eq!((illegal.rule, &*illegal.text), (rule, "firstSeat must be 0 to 1, not 2."));
    }

    #[test]
    fn chance_is_asked_only_where_nobody_has_chosen() {
        let chosen = chosen_or_drawn(Some(Seat::new(1)), 3, &mut Chance::fast(0));
        assert_eq!(chosen, Seat::new(1));
        let mut chance = Chance::fast(0);
        let drawn: Vec<u8> = (0..30).map(|_| chosen_or_drawn(None, 3, &mut chance).number()).collect();
        assert!((0..3).all(|seat| drawn.contains(&seat)), "{drawn:?}");
    }
}
