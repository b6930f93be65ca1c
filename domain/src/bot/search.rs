//! Monte Carlo tree search over information sets, for every kind.
//!
//! Each iteration imagines a world that fits what the bot's seat knows, plays it from there to a judgement, and
//! remembers for every decision on the way how well it turned out. A decision belongs to the seat that makes it and to
//! what that seat sees ([`sight`]), not to the world: no seat, the bot's opponents included, decides by what it cannot
//! know. Positions that look the same to a seat share a node, however they came about. Every seat plays for its own
//! share of the win, so any number of seats will do. Seats that choose at the same time decide one after the other,
//! each at a node of its own, which does not show the choices of the others.
//!
//! At a node the move is chosen that has the highest sum of its mean result, its promise (less with each visit) and the
//! uncertainty about it. Where moves are many, the most promising come first and others with more visits.

use super::judgement::{Judgement, WIN};
use super::math::uncertainty;
use super::sight::sight;
use crate::{BySeat, Chance, Imagination, Nobody, Seat};

/// The weight of uncertainty against the mean result, in the unit of [`WIN`].
const CURIOSITY: u32 = 1_000;
/// The weight of a promise of 1,000 before the first visit, in the unit of [`WIN`].
const TRUST: u32 = 4_000;
/// The most moves that are considered for the bot's own decision, and for decisions after it.
const OWN_MOVES: usize = 48;
const LATER_MOVES: usize = 24;
/// The number of moves that a node considers from the start.
const FIRST_MOVES: u32 = 6;
/// The number of decisions that are remembered in one iteration. Ends journeys round a circle.
const REMEMBERED: usize = 100;

/// How a level departs from the best move found: with a probability of `lapses` in 100 it takes one of the `others` next
/// best, among those that look worse by at most `slack`.
#[derive(Clone, Copy)]
pub struct Temper {
    lapses: u32,
    others: usize,
    slack: u32,
}

impl Temper {
    const STEADY: Temper = Temper { lapses: 0, others: 0, slack: 0 };
    pub const USUAL: [Temper; 4] = [
        Temper { lapses: 40, others: 1, slack: WIN / 10 },
        Temper { lapses: 20, others: 1, slack: WIN / 20 },
        Temper::STEADY,
        Temper::STEADY,
    ];
    /// A beginner for kinds in which the most promising moves are nearly as good as a search: it often takes any move that
    /// it has looked at.
    pub const FICKLE: Temper = Temper { lapses: 80, others: OWN_MOVES, slack: WIN / 5 };
}

/// The move found within this many iterations.
pub fn decide<R: Judgement>(
    imagination: &Imagination<R>,
    iterations: u32,
    temper: Temper,
    chance: &mut Chance,
) -> R::Move {
    let (high, low) = (chance.next_u32(), chance.next_u32());
    let mut search = Search::new(imagination, iterations, Chance::fast(u64::from(high) << 32 | u64::from(low)));
    let only = search.own_moves();
    if let Some(mv) = only {
        return mv;
    }
    for _ in 0..iterations {
        search.iterate();
    }
    search.choice(temper, chance)
}

/// A move that a seat may choose at a node.
struct Edge<M> {
    mv: M,
    /// Its promise, scaled to [`TRUST`].
    bias: u32,
    visits: u32,
    /// The visits of the node in which this move could not be chosen.
    missed: u32,
    /// The sum of the results for the node's seat.
    total: u64,
}

impl<M> Edge<M> {
    fn mean(&self) -> u32 {
        mean(self.total, self.visits)
    }

    /// The higher, the sooner it is chosen. A move counts as visited once more than it was, with an ordinary result.
    fn urgency(&self, ordinary: u32, node_visits: u32) -> u32 {
        let visits = self.visits + 1;
        let available = (node_visits + 1).saturating_sub(self.missed);
        let doubt = u64::from(CURIOSITY) * u64::from(uncertainty(available, visits)) / 1024;
        mean(self.total + u64::from(ordinary), visits) + self.bias / visits + u32::try_from(doubt).unwrap_or(u32::MAX)
    }
}

fn mean(total: u64, visits: u32) -> u32 {
    u32::try_from(total / u64::from(visits.max(1))).unwrap_or(u32::MAX)
}

/// A decision of one seat, as that seat sees it.
struct Node<M> {
    seat: Seat,
    visits: u32,
    /// The sum of all results for the seat.
    total: u64,
    /// The most promising first.
    edges: Vec<Edge<M>>,
}

struct Search<'a, R: Judgement> {
    imagination: &'a Imagination<R>,
    nodes: Vec<Node<R::Move>>,
    index: Index,
    chance: Chance,
    /// The node and the edge of every decision of this iteration.
    path: Vec<(usize, usize)>,
}

impl<'a, R: Judgement> Search<'a, R> {
    fn new(imagination: &'a Imagination<R>, iterations: u32, chance: Chance) -> Search<'a, R> {
        let index = Index::new(iterations as usize + 1);
        Search { imagination, nodes: Vec::new(), index, chance, path: Vec::new() }
    }

    /// Prepares the bot's own decision. Returns the move if there is nothing to decide.
    fn own_moves(&mut self) -> Option<R::Move> {
        let seat = self.imagination.seat();
        let world = self.imagination.imagine(&mut self.chance);
        let mut node = self.node(&world, seat, OWN_MOVES);
        // A foolish move is not even considered, unless there is no other.
        if node.edges.iter().any(|edge| edge.bias > 0) {
            node.edges.retain(|edge| edge.bias > 0);
        }
        if let [only] = &node.edges[..] {
            return Some(only.mv.clone());
        }
        self.index.insert(sight(&world, seat), 0);
        self.nodes.push(node);
        None
    }

    fn node(&mut self, world: &R, seat: Seat, limit: usize) -> Node<R::Move> {
        let moves = world.candidates(seat, limit, &mut self.chance);
        let edge = |mv: R::Move| {
            let bias = world.promise(seat, &mv).min(1_000) * TRUST / 1_000;
            Edge { mv, bias, visits: 0, missed: 0, total: 0 }
        };
        let mut edges: Vec<Edge<R::Move>> = moves.into_iter().map(edge).collect();
        if edges.is_empty() {
            edges.push(edge(world.playout_move(seat, &mut self.chance)));
        }
        edges.sort_by_key(|edge| u32::MAX - edge.bias);
        Node { seat, visits: 0, total: 0, edges }
    }

    /// The seat that decides next. The bot's own goes first, as in the position that it decides on.
    fn seat_to_act(&self, world: &R) -> Option<Seat> {
        let to_act = world.to_act();
        let own = self.imagination.seat();
        if to_act.contains(own) { Some(own) } else { to_act.first() }
    }

    fn iterate(&mut self) {
        let mut world = self.imagination.imagine(&mut self.chance);
        self.path.clear();
        while self.path.len() < REMEMBERED
            && let Some(seat) = self.seat_to_act(&world)
        {
            let key = sight(&world, seat);
            let known = self.index.find(key);
            let at = known.unwrap_or(self.nodes.len());
            if known.is_none() {
                let node = self.node(&world, seat, LATER_MOVES);
                self.nodes.push(node);
                self.index.insert(key, at);
            }
            let Some(edge) = self.nodes[at].select(&world) else { break };
            self.path.push((at, edge));
            world.make(seat, &self.nodes[at].edges[edge].mv, &mut self.chance, &mut Nobody);
            if known.is_none() {
                break;
            }
        }
        let worth = self.play_on(world);
        for &(at, edge) in &self.path {
            self.nodes[at].learn(edge, &worth);
        }
    }

    /// The worth of the world after a playout.
    fn play_on(&mut self, mut world: R) -> BySeat<u32> {
        for _ in 0..R::PLAYOUT_PLIES {
            let Some(seat) = world.to_act().first() else { break };
            let mv = world.playout_move(seat, &mut self.chance);
            world.make(seat, &mv, &mut self.chance, &mut Nobody);
        }
        world.worth()
    }

    /// The move visited most often, the first of equals; or, in a lapse, one of those after it.
    fn choice(&self, temper: Temper, chance: &mut Chance) -> R::Move {
        let mut order: Vec<&Edge<R::Move>> = self.nodes[0].edges.iter().collect();
        order.sort_by_key(|edge| u32::MAX - edge.visits);
        let best = order[0];
        if chance.happens(temper.lapses, 100) {
            let is_good = |edge: &&Edge<R::Move>| edge.visits > 0 && edge.mean() + temper.slack >= best.mean();
            let others: Vec<_> = order.iter().skip(1).take(temper.others).copied().filter(is_good).collect();
            if !others.is_empty() {
                return chance.pick(&others).mv.clone();
            }
        }
        best.mv.clone()
    }
}

impl<M> Node<M> {
    /// The most urgent of the moves that are open for consideration and legal in this world.
    fn select<R: Judgement<Move = M>>(&mut self, world: &R) -> Option<usize> {
        let open = (FIRST_MOVES + (4 * self.visits).isqrt()) as usize;
        let ordinary = if self.visits == 0 { WIN / 2 } else { mean(self.total, self.visits) };
        let mut refused: u64 = 0;
        loop {
            let mut best = None;
            let mut most = 0;
            for (i, edge) in self.edges.iter().enumerate().take(open) {
                let urgency = edge.urgency(ordinary, self.visits);
                if refused & (1 << i) == 0 && (best.is_none() || urgency > most) {
                    (best, most) = (Some(i), urgency);
                }
            }
            let chosen = best?;
            if world.check(self.seat, &self.edges[chosen].mv).is_ok() {
                return Some(chosen);
            }
            // Seats can know more than they see, so that one view may allow different moves.
            self.edges[chosen].missed += 1;
            refused |= 1 << chosen;
        }
    }

    fn learn(&mut self, edge: usize, worth: &BySeat<u32>) {
        let result = u64::from(worth[self.seat]);
        self.visits += 1;
        self.total += result;
        self.edges[edge].visits += 1;
        self.edges[edge].total += result;
    }
}

/// Finds nodes by their keys. Its order is never used.
struct Index {
    /// A key and the number of its node plus one; 0 if the slot is free.
    slots: Vec<(u64, u32)>,
}

impl Index {
    /// With room for so many nodes.
    fn new(nodes: usize) -> Index {
        Index { slots: vec![(0, 0); (2 * nodes).next_power_of_two()] }
    }

    fn slot(&self, key: u64) -> usize {
        let mask = self.slots.len() - 1;
        let mut at = usize::try_from(key & 0xFFFF_FFFF).unwrap_or(0) & mask;
        while self.slots[at].1 != 0 && self.slots[at].0 != key {
            at = (at + 1) & mask;
        }
        at
    }

    fn find(&self, key: u64) -> Option<usize> {
        let (_, number) = self.slots[self.slot(key)];
        number.checked_sub(1).map(|node| node as usize)
    }

    fn insert(&mut self, key: u64, node: usize) {
        let at = self.slot(key);
        self.slots[at] = (key, u32::try_from(node + 1).unwrap_or(u32::MAX));
    }
}
