//! What everybody sees happen in La Macarena.

use async_graphql::SimpleObject;
use domain::games::macarena;
use serde::Serialize;
use utoipa::ToSchema;

use super::{MacarenaAward, MacarenaElement, MacarenaGift, MacarenaHandEnd, MacarenaShown};
use crate::wire::{Event, names, seat, seats};

/// The cards of another hand of La Macarena were dealt.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MacarenaHandBegan {
    /// No seat: it concerns everybody.
    pub seat: Option<i32>,
    /// What happened, in a sentence.
    pub text: String,
    /// The number of the hand, counted from 0.
    pub hand_number: i32,
    /// The seat that starts.
    pub starter: i32,
    /// The first card of each well, in order.
    pub tops: Vec<String>,
}

/// A card was drawn; only its drawer sees which.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MacarenaDrew {
    /// The seat that drew.
    pub seat: Option<i32>,
    /// What happened, in a sentence.
    pub text: String,
}

/// A series was played on a well.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MacarenaPlayed {
    /// The seat that played.
    pub seat: Option<i32>,
    /// What happened, in a sentence.
    pub text: String,
    /// The well.
    pub well: i32,
    /// The cards, in the order in which they were laid.
    pub cards: Vec<String>,
    /// Whether it ended in a mirror.
    pub mirror: bool,
    /// The well's top now.
    pub top: String,
    /// The card that the new top covers, out of play from now on; null for a mirror alone, which leaves the well as it was.
    pub covered: Option<String>,
    /// The cards that went to the player's collection.
    pub collected: Vec<String>,
}

/// A mirror brought a maca to a well.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MacarenaMacaPlaced {
    /// The seat whose maca it is.
    pub seat: Option<i32>,
    /// What happened, in a sentence.
    pub text: String,
    /// The well where it stands now.
    pub well: i32,
    /// The well that it came from; null if it came from home.
    pub from_well: Option<i32>,
}

/// A mirror won a mirror turn.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MacarenaMirrorTurnWon {
    /// The seat that has one more turn.
    pub seat: Option<i32>,
    /// What happened, in a sentence.
    pub text: String,
}

/// A mirror turn was not used.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MacarenaDeclined {
    /// The seat that declined it.
    pub seat: Option<i32>,
    /// What happened, in a sentence.
    pub text: String,
}

/// Nothing was played on a normal turn, and all macas of the player came home.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MacarenaPassed {
    /// The seat that passed.
    pub seat: Option<i32>,
    /// What happened, in a sentence.
    pub text: String,
    /// How many macas came home.
    pub macas: i32,
}

/// A player has a maca at each of the seven wells, and so has won.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MacarenaSevenWells {
    /// The seat that has won.
    pub seat: Option<i32>,
    /// What happened, in a sentence.
    pub text: String,
}

/// A hand of La Macarena ended.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MacarenaHandEnded {
    /// The seat that has no card left; null if the deck was empty.
    pub seat: Option<i32>,
    /// What happened, in a sentence.
    pub text: String,
    /// The number of the hand, counted from 0.
    pub hand_number: i32,
    /// Why it ended.
    pub hand_end: MacarenaHandEnd,
}

/// A player has chosen which element to return; what it is stays secret until all have.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MacarenaReturnChosen {
    /// The seat that has chosen.
    pub seat: Option<i32>,
    /// What happened, in a sentence.
    pub text: String,
}

/// A player with the most cards in hand gave something back.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MacarenaReturned {
    /// The seat that gave.
    pub seat: Option<i32>,
    /// What happened, in a sentence.
    pub text: String,
    /// What it gave.
    pub gift: MacarenaGift,
}

/// All hands and collections were shown.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MacarenaShowed {
    /// No seat: it concerns everybody.
    pub seat: Option<i32>,
    /// What happened, in a sentence.
    pub text: String,
    /// The cards, by seat.
    pub shown: Vec<MacarenaShown>,
}

/// An award was paid. What is exchanged because of it follows in events of its own.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MacarenaAwarded {
    /// Who got it; null if nobody did.
    pub seat: Option<i32>,
    /// What happened, in a sentence.
    pub text: String,
    /// What it was, and why.
    pub award: MacarenaAward,
}

/// Four coins bought an element.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MacarenaBought {
    /// The seat that bought.
    pub seat: Option<i32>,
    /// What happened, in a sentence.
    pub text: String,
    /// The element.
    pub element: MacarenaElement,
}

/// Four different elements became an amulet.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MacarenaAmuletMade {
    /// The seat that has the amulet.
    pub seat: Option<i32>,
    /// What happened, in a sentence.
    pub text: String,
}

/// The game of La Macarena is over.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MacarenaEnded {
    /// No seat: it concerns everybody.
    pub seat: Option<i32>,
    /// What happened, in a sentence.
    pub text: String,
    /// The seats that have won.
    pub winners: Vec<i32>,
}

impl Event {
    pub(in crate::wire) fn of_macarena(event: macarena::Event) -> Event {
        let text = event.to_string();
        match event {
            macarena::Event::HandBegan { hand_number, starter, wells } => Event::MacarenaHandBegan(MacarenaHandBegan {
                seat: None,
                text,
                hand_number: hand_number.into(),
                starter: seat(starter),
                tops: names(wells),
            }),
            macarena::Event::Drew { seat: by } => Event::MacarenaDrew(MacarenaDrew { seat: Some(seat(by)), text }),
            macarena::Event::Played { seat: by, well, cards, mirror, top, covered, collected } => {
                Event::MacarenaPlayed(MacarenaPlayed {
                    seat: Some(seat(by)),
                    text,
                    well: well.into(),
                    cards: names(cards),
                    mirror,
                    top: top.to_string(),
                    covered: covered.map(|card| card.to_string()),
                    collected: names(collected),
                })
            }
            macarena::Event::MacaPlaced { seat: by, well, from } => Event::MacarenaMacaPlaced(MacarenaMacaPlaced {
                seat: Some(seat(by)),
                text,
                well: well.into(),
                from_well: from.map(i32::from),
            }),
            macarena::Event::MirrorTurnWon { seat: by } => {
                Event::MacarenaMirrorTurnWon(MacarenaMirrorTurnWon { seat: Some(seat(by)), text })
            }
            macarena::Event::Declined { seat: by } => {
                Event::MacarenaDeclined(MacarenaDeclined { seat: Some(seat(by)), text })
            }
            macarena::Event::Passed { seat: by, macas } => {
                Event::MacarenaPassed(MacarenaPassed { seat: Some(seat(by)), text, macas: macas.into() })
            }
            macarena::Event::SevenWells { seat: by } => {
                Event::MacarenaSevenWells(MacarenaSevenWells { seat: Some(seat(by)), text })
            }
            macarena::Event::HandEnded { hand_number, end } => {
                let (hand_end, went_out) = MacarenaHandEnd::of(end);
                let hand_number = hand_number.into();
                Event::MacarenaHandEnded(MacarenaHandEnded { seat: went_out, text, hand_number, hand_end })
            }
            macarena::Event::ReturnChosen { seat: by } => {
                Event::MacarenaReturnChosen(MacarenaReturnChosen { seat: Some(seat(by)), text })
            }
            macarena::Event::Returned { seat: by, gift } => {
                Event::MacarenaReturned(MacarenaReturned { seat: Some(seat(by)), text, gift: gift.into() })
            }
            macarena::Event::Showed { shown } => {
                Event::MacarenaShowed(MacarenaShowed { seat: None, text, shown: MacarenaShown::by_seat(shown) })
            }
            macarena::Event::Awarded { award } => {
                Event::MacarenaAwarded(MacarenaAwarded { seat: award.seat.map(seat), text, award: award.into() })
            }
            macarena::Event::Bought { seat: by, element } => {
                Event::MacarenaBought(MacarenaBought { seat: Some(seat(by)), text, element: element.into() })
            }
            macarena::Event::AmuletMade { seat: by } => {
                Event::MacarenaAmuletMade(MacarenaAmuletMade { seat: Some(seat(by)), text })
            }
            macarena::Event::Ended { winners } => {
                Event::MacarenaEnded(MacarenaEnded { seat: None, text, winners: seats(winners) })
            }
        }
    }
}
