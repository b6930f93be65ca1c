//! A bot's access to a game: only the knowledge of the player of its seat.

use crate::{Chance, Game, Rules, Seat, Viewer};

/// A position as the player of one seat can imagine it.
///
/// It is made by imagining the game once, and keeps only the imagined world, so that nothing hidden in the game can
/// reach a bot, by mistake or on purpose. By promise 7 of the [contract](crate::contract) `imagine` depends on nothing
/// but what the viewer knows. So every world imagined here, and every decision made with it, is the same for all games
/// that the player of the seat cannot distinguish.
pub struct Imagination<R: Rules> {
    world: R,
    seat: Seat,
    seats: u8,
}

impl<R: Rules> Imagination<R> {
    /// `None` if the game is not waiting for the seat.
    pub fn of(game: &Game<R>, seat: Seat, chance: &mut Chance) -> Option<Imagination<R>> {
        let world = || game.rules().imagine(Viewer::Seat(seat), chance);
        game.to_act().contains(seat).then(world).map(|world| Imagination { world, seat, seats: game.seats() })
    }

    /// The seat that decides.
    pub fn seat(&self) -> Seat {
        self.seat
    }

    /// The number of seats at the table.
    pub fn seats(&self) -> u8 {
        self.seats
    }

    pub fn view(&self) -> R::View {
        self.world.view(Viewer::Seat(self.seat))
    }

    pub fn legal_moves(&self) -> impl Iterator<Item = R::Move> + '_ {
        self.world.legal_moves(self.seat)
    }

    /// A world that fits everything the seat knows, with everything else drawn by `chance`.
    pub fn imagine(&self, chance: &mut Chance) -> R {
        self.world.imagine(Viewer::Seat(self.seat), chance)
    }
}
