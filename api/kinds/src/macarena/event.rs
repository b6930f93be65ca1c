//! The events of La Macarena on the wire.

use domain::games::macarena;

use super::settlement::went_out;
use super::{MacarenaAward, MacarenaElement, MacarenaGift, MacarenaHandEnd, MacarenaShown};
use crate::{events, names, seat, seats};

events! {
    macarena::Event;

    /// A new hand of La Macarena was dealt.
    HandBegan { hand_number, starter, wells } => MacarenaHandBegan {
        /// Null: the event concerns everyone.
        seat: None,
        /// The number of the hand, counted from 0.
        hand_number: i32 = hand_number.into(),
        /// The seat that starts.
        starter: i32 = seat(starter),
        /// The first card of each well, in order.
        tops: Vec<String> = names(wells),
    }

    /// A card was drawn; only its drawer sees which.
    Drew { seat } => MacarenaDrew {
        /// The seat that drew.
        seat: Some(seat),
    }

    /// A series was played on a well.
    Played { seat, well, cards, mirror, top, covered, collected } => MacarenaPlayed {
        /// The seat that played.
        seat: Some(seat),
        /// The well.
        well: i32 = well.into(),
        /// The cards, in the order in which they were laid.
        cards: Vec<String> = names(cards),
        /// Whether it ended in a mirror.
        mirror: bool = mirror,
        /// The well's top now.
        top: String = top.to_string(),
        /// The card that the new top covers, out of play from now on; null for a mirror alone, which leaves the well
        /// unchanged.
        covered: Option<String> = covered.map(|card| card.to_string()),
        /// The cards that went to the player's collection.
        collected: Vec<String> = names(collected),
    }

    /// A mirror brought a maca to a well.
    MacaPlaced { seat, well, from } => MacarenaMacaPlaced {
        /// The seat whose maca it is.
        seat: Some(seat),
        /// The well that it came to.
        well: i32 = well.into(),
        /// The well that it came from; null if it came from home.
        from_well: Option<i32> = from.map(i32::from),
    }

    /// A mirror won a mirror turn.
    MirrorTurnWon { seat } => MacarenaMirrorTurnWon {
        /// The seat that has one more turn.
        seat: Some(seat),
    }

    /// A mirror turn was not used.
    Declined { seat } => MacarenaDeclined {
        /// The seat that declined it.
        seat: Some(seat),
    }

    /// Nothing was played on a normal turn, and all macas of the player came home.
    Passed { seat, macas } => MacarenaPassed {
        /// The seat that passed.
        seat: Some(seat),
        /// The number of macas that came home.
        macas: i32 = macas.into(),
    }

    /// A player has a maca at each of the seven wells, and so has won.
    SevenWells { seat } => MacarenaSevenWells {
        /// The seat that has won.
        seat: Some(seat),
    }

    /// A hand of La Macarena ended.
    HandEnded { hand_number, end } => MacarenaHandEnded {
        /// The seat that has no card left; null if the deck was empty.
        seat: went_out(end),
        /// The number of the hand, counted from 0.
        hand_number: i32 = hand_number.into(),
        /// Why it ended.
        hand_end: MacarenaHandEnd = end.into(),
    }

    /// A player has chosen which element to return. The choice stays secret until all have chosen.
    ReturnChosen { seat } => MacarenaReturnChosen {
        /// The seat that has chosen.
        seat: Some(seat),
    }

    /// A player with the most cards in hand returned something.
    Returned { seat, gift } => MacarenaReturned {
        /// The seat that returned it.
        seat: Some(seat),
        /// The gift that it returned.
        gift: MacarenaGift = gift.into(),
    }

    /// All hands and collections were shown.
    Showed { shown } => MacarenaShowed {
        /// Null: the event concerns everyone.
        seat: None,
        /// The cards, by seat.
        shown: Vec<MacarenaShown> = MacarenaShown::by_seat(shown),
    }

    /// An award was paid. Exchanges that follow from it are separate events.
    Awarded { award } => MacarenaAwarded {
        /// The seat that got it; null if nobody did.
        seat: award.seat,
        /// The award, and the reason for it.
        award: MacarenaAward = award.into(),
    }

    /// Four coins bought an element.
    Bought { seat, element } => MacarenaBought {
        /// The seat that bought.
        seat: Some(seat),
        /// The element.
        element: MacarenaElement = element.into(),
    }

    /// Four different elements became an amulet.
    AmuletMade { seat } => MacarenaAmuletMade {
        /// The seat that has the amulet.
        seat: Some(seat),
    }

    /// The game of La Macarena is over.
    Ended { winners } => MacarenaEnded {
        /// Null: the event concerns everyone.
        seat: None,
        /// The seats that have won.
        winners: Vec<i32> = seats(winners),
    }
}
