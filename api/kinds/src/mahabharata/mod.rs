//! Mahabharata on the wire.

mod components;
mod event;

use async_graphql::{Enum, InputObject, OneofObject, SimpleObject};
use domain::games::mahabharata;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

pub use components::*;
pub use event::*;

use super::{check_true, names, one_of, seat, seat_number, seats, small};
use crate::Result;

/// The options of a game of Mahabharata.
#[derive(Clone, Debug, SimpleObject, InputObject, Serialize, Deserialize, ToSchema)]
#[graphql(name = "MahabharataOptions", input_name = "MahabharataOptionsInput")]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct MahabharataOptions {
    /// The seat that has the elephant first. Default: drawn at random.
    #[schema(minimum = 0, maximum = 3)]
    pub first_seat: Option<i32>,
    /// Whether every seat is asked about its Pati after every round, not only seats with a complete one. Null in games
    /// by version 1 of the rules, which does not have this option.
    #[graphql(default_with = "Some(false)")]
    pub ask_everyone: Option<bool>,
    /// Tables of dice and leaders in place of the built-in ones. Null for the built-in tables.
    pub components: Option<MahabharataComponents>,
}

impl Default for MahabharataOptions {
    fn default() -> MahabharataOptions {
        mahabharata::Options::default().into()
    }
}

impl From<mahabharata::Options> for MahabharataOptions {
    fn from(options: mahabharata::Options) -> MahabharataOptions {
        let mahabharata::Options { first_seat, ask_everyone, components } = options;
        let components = components.map(MahabharataComponents::from);
        MahabharataOptions { first_seat: first_seat.map(seat), ask_everyone, components }
    }
}

impl MahabharataOptions {
    pub fn read(self) -> Result<mahabharata::Options> {
        let MahabharataOptions { first_seat, ask_everyone, components } = self;
        let first_seat = first_seat.map(|seat| seat_number("firstSeat", seat)).transpose()?;
        let components = components.map(mahabharata::Components::from);
        Ok(mahabharata::Options { first_seat, ask_everyone, components })
    }
}

/// A unit of an army. Every die, token and leader space belongs to one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Enum, Serialize, ToSchema)]
#[graphql(remote = "mahabharata::Unit")]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum MahabharataUnit {
    /// Chariots.
    Chariot,
    /// Elephants.
    Elephant,
    /// Cavalry.
    Cavalry,
    /// Infantry.
    Infantry,
}

/// A kind of token: a unit, and how many of it the token shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Enum, Serialize, Deserialize, ToSchema)]
#[graphql(remote = "mahabharata::Token", rename_items = "UPPERCASE")]
#[serde(rename_all = "UPPERCASE")]
pub enum MahabharataToken {
    /// 1 chariot.
    Chariot1,
    /// 1 elephant.
    Elephant1,
    /// 1 cavalry.
    Cavalry1,
    /// 2 cavalry.
    Cavalry2,
    /// 3 cavalry.
    Cavalry3,
    /// 1 infantry.
    Infantry1,
    /// 2 infantry.
    Infantry2,
    /// 3 infantry.
    Infantry3,
    /// 4 infantry.
    Infantry4,
    /// 5 infantry.
    Infantry5,
}

/// The face that a die shows: the token that it places, or a Raja.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Enum, Serialize, ToSchema)]
#[graphql(rename_items = "UPPERCASE")]
#[serde(rename_all = "UPPERCASE")]
pub enum MahabharataFace {
    /// 1 chariot.
    Chariot1,
    /// 1 elephant.
    Elephant1,
    /// 1 cavalry.
    Cavalry1,
    /// 2 cavalry.
    Cavalry2,
    /// 3 cavalry.
    Cavalry3,
    /// 1 infantry.
    Infantry1,
    /// 2 infantry.
    Infantry2,
    /// 3 infantry.
    Infantry3,
    /// 4 infantry.
    Infantry4,
    /// 5 infantry.
    Infantry5,
    /// A token of the picker's choice, for a leader space.
    Raja,
}

impl From<mahabharata::Face> for MahabharataFace {
    fn from(face: mahabharata::Face) -> MahabharataFace {
        use mahabharata::{Face, Token};
        match face {
            Face::Shows(Token::Chariot1) => MahabharataFace::Chariot1,
            Face::Shows(Token::Elephant1) => MahabharataFace::Elephant1,
            Face::Shows(Token::Cavalry1) => MahabharataFace::Cavalry1,
            Face::Shows(Token::Cavalry2) => MahabharataFace::Cavalry2,
            Face::Shows(Token::Cavalry3) => MahabharataFace::Cavalry3,
            Face::Shows(Token::Infantry1) => MahabharataFace::Infantry1,
            Face::Shows(Token::Infantry2) => MahabharataFace::Infantry2,
            Face::Shows(Token::Infantry3) => MahabharataFace::Infantry3,
            Face::Shows(Token::Infantry4) => MahabharataFace::Infantry4,
            Face::Shows(Token::Infantry5) => MahabharataFace::Infantry5,
            Face::Raja => MahabharataFace::Raja,
        }
    }
}

/// A move of Mahabharata: exactly one field, named after the action.
#[derive(Clone, Debug, OneofObject, Serialize, Deserialize, ToSchema)]
#[graphql(name = "MahabharataMoveInput")]
#[serde(rename_all = "camelCase")]
pub enum MahabharataMove {
    /// Take a die and place a token.
    Pick(MahabharataPick),
    /// Always true: reveal your Pati, which ends the game.
    Reveal(bool),
    /// Always true: hold your Pati back.
    Hold(bool),
}

one_of! {
    /// A move of Mahabharata: one field is set, all others are null.
    MahabharataMove {
        /// Take a die and place a token.
        pick: Pick(MahabharataPick),
        /// True: reveal your Pati, which ends the game.
        reveal: Reveal(bool),
        /// True: hold your Pati back.
        hold: Hold(bool),
    }
}

/// A die, and the destination of its token.
#[derive(Clone, Debug, SimpleObject, InputObject, Serialize, Deserialize, ToSchema)]
#[graphql(name = "MahabharataPick", input_name = "MahabharataPickInput")]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct MahabharataPick {
    /// The die, 0 to 7.
    pub die: i32,
    /// The token that a Raja places; null for any other face, which names its token itself.
    pub token: Option<MahabharataToken>,
    /// The destination of the token.
    pub to: MahabharataPlace,
}

/// The destination of a token: exactly one field.
#[derive(Clone, Debug, OneofObject, Serialize, Deserialize, ToSchema)]
#[graphql(name = "MahabharataPlaceInput")]
#[serde(rename_all = "camelCase")]
pub enum MahabharataPlace {
    /// Always true: behind your own screen.
    Screen(bool),
    /// On a space of a leader.
    Space(MahabharataLeaderSpace),
}

one_of! {
    /// The destination of a token: one field is set, the other is null.
    MahabharataPlace {
        /// True: behind your own screen.
        screen: Screen(bool),
        /// On a space of a leader.
        space: Space(MahabharataLeaderSpace),
    }
}

/// A space of a leader in play.
#[derive(Clone, Debug, SimpleObject, InputObject, Serialize, Deserialize, ToSchema)]
#[graphql(name = "MahabharataLeaderSpace", input_name = "MahabharataLeaderSpaceInput")]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct MahabharataLeaderSpace {
    /// The leader, counted from 0 in the order of revealing.
    pub leader: i32,
    /// The space of that leader, counted from 0.
    pub space: i32,
}

impl From<mahabharata::Move> for MahabharataMove {
    fn from(mv: mahabharata::Move) -> MahabharataMove {
        match mv {
            mahabharata::Move::Pick { die, token, to } => MahabharataMove::Pick(MahabharataPick {
                die: die.into(),
                token: token.map(MahabharataToken::from),
                to: match to {
                    mahabharata::Place::Screen => MahabharataPlace::Screen(true),
                    mahabharata::Place::Space { leader, space } => {
                        MahabharataPlace::Space(MahabharataLeaderSpace { leader: leader.into(), space: space.into() })
                    }
                },
            }),
            mahabharata::Move::Reveal => MahabharataMove::Reveal(true),
            mahabharata::Move::Hold => MahabharataMove::Hold(true),
        }
    }
}

impl MahabharataMove {
    pub fn read(self) -> Result<mahabharata::Move> {
        Ok(match self {
            MahabharataMove::Pick(MahabharataPick { die, token, to }) => mahabharata::Move::Pick {
                die: small("die", die)?,
                token: token.map(mahabharata::Token::from),
                to: match to {
                    MahabharataPlace::Screen(yes) => {
                        check_true("screen", yes)?;
                        mahabharata::Place::Screen
                    }
                    MahabharataPlace::Space(MahabharataLeaderSpace { leader, space }) => {
                        mahabharata::Place::Space { leader: small("leader", leader)?, space: small("space", space)? }
                    }
                },
            },
            MahabharataMove::Reveal(yes) => {
                check_true("reveal", yes)?;
                mahabharata::Move::Reveal
            }
            MahabharataMove::Hold(yes) => {
                check_true("hold", yes)?;
                mahabharata::Move::Hold
            }
        })
    }
}

/// The position of a game of Mahabharata, as you may see it.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MahabharataView {
    /// The round, counted from 0.
    pub round: i32,
    /// The seat that has the elephant and picks first in this round.
    pub elephant: i32,
    /// The dice that are still on the table.
    pub dice: Vec<MahabharataDie>,
    /// The seats of the remaining picks in this round, the next first.
    pub picks: Vec<i32>,
    /// The leaders in play, in the order of revealing. Moves number them in this order.
    pub leaders: Vec<MahabharataLeader>,
    /// The leaders that were revealed at the start and set aside, by name.
    pub discarded: Vec<String>,
    /// The players, in seat order.
    pub players: Vec<MahabharataPlayer>,
    /// The seats that were asked to reveal or hold a complete Pati; none while dice are picked and after the end.
    pub asked: Vec<i32>,
    /// Those of them that have not answered yet.
    pub pending: Vec<i32>,
    /// The seats that ended the game by revealing a Pati.
    pub revealed: Vec<i32>,
    /// The cause of the end. Null while the game runs, and if a resignation or the limit on moves ended it.
    pub mahabharata_ending: Option<MahabharataEnding>,
}

/// A die on the table.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MahabharataDie {
    /// Its number, 0 to 7, by which moves name it.
    pub die: i32,
    /// Which of the four kinds of dice it is.
    pub unit: MahabharataUnit,
    /// The face that it shows.
    pub face: MahabharataFace,
}

/// A leader in play and the tokens on it.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MahabharataLeader {
    /// Its number in this game, by which moves name it.
    pub leader: i32,
    /// Its name, as in the table of leaders among the game's components.
    pub name: String,
    /// Its victory points.
    pub points: i32,
    /// Its spaces.
    pub spaces: Vec<MahabharataSpace>,
}

/// A space of a leader and the tokens stacked there.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MahabharataSpace {
    /// Its number on the leader, by which moves name it.
    pub space: i32,
    /// Its icon: tokens of this unit can go here.
    pub unit: MahabharataUnit,
    /// The seat whose tokens lie here, and which owns the space; null while it is empty.
    pub owner: Option<i32>,
    /// The tokens, sorted.
    pub stack: Vec<MahabharataToken>,
}

/// A player as you may see it.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MahabharataPlayer {
    /// The player's seat.
    pub seat: i32,
    /// The number of tokens left in the pool.
    pub pool_size: i32,
    /// The number of tokens behind the screen.
    pub screen_size: i32,
    /// The tokens left in the pool, by kind of token. Null unless it is yours, or the game is over.
    pub pool: Option<Vec<MahabharataPoolTokens>>,
    /// The tokens behind the screen. Null unless they are yours, or the game is over.
    pub pati: Option<MahabharataPati>,
    /// The player's answer, while others have not answered yet. Null unless it is yours, or the game ended before all
    /// had answered.
    pub answer: Option<MahabharataAnswer>,
}

/// The number of tokens of a kind that are left in a pool.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MahabharataPoolTokens {
    /// The kind of token.
    pub token: MahabharataToken,
    /// The number of them that are left, 0 to 3.
    pub count: i32,
}

/// The tokens behind a screen, and which parts of a Pati they complete.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MahabharataPati {
    /// The tokens, sorted.
    pub tokens: Vec<MahabharataToken>,
    /// The four parts of a Pati.
    pub parts: Vec<MahabharataPart>,
    /// Whether all parts are complete.
    pub complete: bool,
}

/// A part of a Pati.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MahabharataPart {
    /// The unit that it is made of.
    pub unit: MahabharataUnit,
    /// The sum, in the unit, that a selection of the tokens must reach exactly.
    pub needed: i32,
    /// Whether they can.
    pub complete: bool,
}

/// A player's answer when asked about its Pati.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Enum, Serialize, ToSchema)]
#[graphql(remote = "mahabharata::Answer")]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum MahabharataAnswer {
    /// Reveal it, which ends the game.
    Reveal,
    /// Hold it back.
    Hold,
}

/// The cause of the end of a game of Mahabharata.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Enum, Serialize, ToSchema)]
#[graphql(remote = "mahabharata::Reason")]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum MahabharataEnding {
    /// Every space of every leader was filled.
    LeadersFilled,
    /// At least one player revealed a Pati.
    PatiRevealed,
    /// A round passed without a pick.
    DeadEnd,
    /// Some spaces are empty, and nobody has a token left for any of them. Version 1 of the rules reports this as
    /// LEADERS_FILLED.
    LeadersClosed,
}

impl From<mahabharata::View> for MahabharataView {
    fn from(view: mahabharata::View) -> MahabharataView {
        let mahabharata::View {
            round,
            elephant,
            dice,
            picks,
            leaders,
            discarded,
            players,
            asked,
            pending,
            revealed,
            reason,
            // Among the options of the game.
            tables: _,
        } = view;
        MahabharataView {
            round: round.into(),
            elephant: seat(elephant),
            dice: dice.into_iter().map(MahabharataDie::from).collect(),
            picks: picks.into_iter().map(seat).collect(),
            leaders: (0..).zip(leaders).map(|(number, leader)| MahabharataLeader::of(number, leader)).collect(),
            discarded: names(discarded),
            players: (0..).zip(players).map(|(seat, player)| MahabharataPlayer::of(seat, player)).collect(),
            asked: seats(asked),
            pending: seats(pending),
            revealed: seats(revealed),
            mahabharata_ending: reason.map(MahabharataEnding::from),
        }
    }
}

impl From<mahabharata::DieView> for MahabharataDie {
    fn from(mahabharata::DieView { die, unit, face }: mahabharata::DieView) -> MahabharataDie {
        MahabharataDie { die: die.into(), unit: unit.into(), face: face.into() }
    }
}

impl MahabharataLeader {
    fn of(number: i32, view: mahabharata::LeaderView) -> MahabharataLeader {
        let mahabharata::LeaderView { leader, points, spaces } = view;
        let spaces = (0..).zip(spaces).map(|(space, mahabharata::SpaceView { unit, owner, stack })| MahabharataSpace {
            space,
            unit: unit.into(),
            owner: owner.map(seat),
            stack: stack.into_iter().map(MahabharataToken::from).collect(),
        });
        MahabharataLeader { leader: number, name: leader.to_string(), points: points.into(), spaces: spaces.collect() }
    }
}

impl MahabharataPlayer {
    fn of(seat: i32, view: mahabharata::PlayerView) -> MahabharataPlayer {
        let mahabharata::PlayerView { left, screened, pool, pati, answer } = view;
        let pool = pool.map(|pool| {
            let kinds = pool.into_iter().map(|mahabharata::TokensLeft { token, left }| MahabharataPoolTokens {
                token: token.into(),
                count: left.into(),
            });
            kinds.collect()
        });
        MahabharataPlayer {
            seat,
            pool_size: left.into(),
            screen_size: screened.into(),
            pool,
            pati: pati.map(MahabharataPati::from),
            answer: answer.map(MahabharataAnswer::from),
        }
    }
}

impl From<mahabharata::PatiView> for MahabharataPati {
    fn from(mahabharata::PatiView { tokens, parts, complete }: mahabharata::PatiView) -> MahabharataPati {
        let mahabharata::Parts { chariot, elephant, cavalry, infantry } = parts;
        let parts = mahabharata::Unit::ALL.into_iter().zip(mahabharata::PATI).map(|(unit, needed)| MahabharataPart {
            unit: unit.into(),
            needed: needed.into(),
            complete: match unit {
                mahabharata::Unit::Chariot => chariot,
                mahabharata::Unit::Elephant => elephant,
                mahabharata::Unit::Cavalry => cavalry,
                mahabharata::Unit::Infantry => infantry,
            },
        });
        MahabharataPati {
            tokens: tokens.into_iter().map(MahabharataToken::from).collect(),
            parts: parts.collect(),
            complete,
        }
    }
}

/// The scoring of a game of Mahabharata, leader by leader and player by player.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MahabharataDetails {
    /// The cause of the end; null if a resignation or the limit on moves ended it.
    pub mahabharata_ending: Option<MahabharataEnding>,
    /// The seats that revealed their Pati.
    pub revealed: Vec<i32>,
    /// The leaders in play: which seat got their points, and which seats lost them by a tie.
    pub leaders: Vec<MahabharataLeaderScore>,
    /// The players' points, in seat order.
    pub players: Vec<MahabharataPlayerScore>,
    /// The way in which the points decide.
    pub verdict: MahabharataVerdict,
    /// The seats that tie for most points, and so do not win.
    pub tied: Vec<i32>,
    /// The seat that wins by points, regardless of resignations; null for a draw.
    pub winner: Option<i32>,
}

/// A leader's points, and how they were won or lost.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MahabharataLeaderScore {
    /// Its number in this game.
    pub leader: i32,
    /// Its name.
    pub name: String,
    /// Its victory points.
    pub points: i32,
    /// For each seat how many tokens it has on the leader.
    pub influence: Vec<i32>,
    /// The seats that tie for most tokens, and so get nothing.
    pub tied_for_most: Vec<i32>,
    /// The seats that would have got the points instead, but tie too.
    pub tied_for_next: Vec<i32>,
    /// The seat that gets the points; null if nobody does.
    pub taker: Option<i32>,
}

/// The points of a player.
#[derive(Clone, Debug, SimpleObject, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MahabharataPlayerScore {
    /// The player's seat.
    pub seat: i32,
    /// Points from leaders.
    pub leader_points: i32,
    /// Points from a complete Pati: 7 or 0.
    pub pati_points: i32,
    /// All points together.
    pub points: i32,
}

/// The way in which the points of a game of Mahabharata decide.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Enum, Serialize, ToSchema)]
#[graphql(remote = "mahabharata::Verdict")]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum MahabharataVerdict {
    /// One player has most points and wins.
    MostPoints,
    /// Those with most points tie: the player alone behind them wins.
    SecondPlace,
    /// Those with most points tie, and nobody is alone behind them.
    Draw,
}

impl From<mahabharata::Details> for MahabharataDetails {
    fn from(details: mahabharata::Details) -> MahabharataDetails {
        let mahabharata::Details { reason, revealed, leaders, scores, verdict, tied, winner } = details;
        let players = scores.iter().map(|(by, mahabharata::Score { leaders, pati, points })| MahabharataPlayerScore {
            seat: seat(by),
            leader_points: (*leaders).into(),
            pati_points: (*pati).into(),
            points: (*points).into(),
        });
        MahabharataDetails {
            mahabharata_ending: reason.map(MahabharataEnding::from),
            revealed: seats(revealed),
            leaders: (0..).zip(leaders).map(|(number, score)| MahabharataLeaderScore::of(number, score)).collect(),
            players: players.collect(),
            verdict: verdict.into(),
            tied: seats(tied),
            winner: winner.map(seat),
        }
    }
}

impl MahabharataLeaderScore {
    fn of(number: i32, score: mahabharata::LeaderScore) -> MahabharataLeaderScore {
        let mahabharata::LeaderScore { leader, points, influence, tied_for_most, tied_for_next, taker } = score;
        MahabharataLeaderScore {
            leader: number,
            name: leader.to_string(),
            points: points.into(),
            influence: influence.map(|tokens| i32::from(*tokens)).into_vec(),
            tied_for_most: seats(tied_for_most),
            tied_for_next: seats(tied_for_next),
            taker: taker.map(seat),
        }
    }
}
