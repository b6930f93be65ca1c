//! Tokens that lie together, and the Pati that some of them make.

use serde::{Deserialize, Serialize};

use super::components::{COPIES, Token, Unit};

/// How many of each unit a Pati has, in the order of [`Unit::ALL`].
pub const PATI: [u8; 4] = [1, 1, 3, 5];

/// Any number of tokens, counted by kind: a pool, what lies behind a screen, a stack.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Tokens([u8; Token::ALL.len()]);

/// Which of its four parts a Pati has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Parts {
    pub chariot: bool,
    pub elephant: bool,
    pub cavalry: bool,
    pub infantry: bool,
}

impl Tokens {
    /// The tokens that every player begins with.
    pub const POOL: Tokens = Tokens([COPIES; Token::ALL.len()]);

    pub fn count(&self, token: Token) -> u8 {
        self.0[token as usize]
    }

    pub fn has(&self, token: Token) -> bool {
        self.count(token) > 0
    }

    pub fn has_unit(&self, unit: Unit) -> bool {
        Token::ALL.into_iter().any(|token| token.unit() == unit && self.has(token))
    }

    pub fn len(&self) -> u8 {
        self.0.iter().sum()
    }

    pub fn add(&mut self, token: Token) {
        self.0[token as usize] += 1;
    }

    /// One that is there.
    pub fn take(&mut self, token: Token) {
        self.0[token as usize] -= 1;
    }

    /// In the order of [`Token::ALL`].
    pub fn sorted(&self) -> Vec<Token> {
        Token::ALL.into_iter().flat_map(|token| std::iter::repeat_n(token, self.count(token).into())).collect()
    }

    /// mbh.9: whether some of these tokens add up to exactly so many of the unit.
    fn make(&self, unit: Unit, units: u8) -> bool {
        // Bit n stands for: n can be made. Larger sums than fit are of no use.
        let mut sums: u16 = 1;
        for token in Token::ALL.into_iter().filter(|token| token.unit() == unit) {
            for _ in 0..self.count(token) {
                sums |= sums << token.number();
            }
        }
        sums & (1 << units) != 0
    }

    pub fn parts(&self) -> Parts {
        let [chariot, elephant, cavalry, infantry] = std::array::from_fn(|unit| self.make(Unit::ALL[unit], PATI[unit]));
        Parts { chariot, elephant, cavalry, infantry }
    }
}

impl Parts {
    pub fn are_complete(self) -> bool {
        let Parts { chariot, elephant, cavalry, infantry } = self;
        chariot && elephant && cavalry && infantry
    }
}

impl FromIterator<Token> for Tokens {
    fn from_iter<I: IntoIterator<Item = Token>>(tokens: I) -> Tokens {
        let mut together = Tokens::default();
        tokens.into_iter().for_each(|token| together.add(token));
        together
    }
}
