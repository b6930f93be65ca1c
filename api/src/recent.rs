//! What the store said a moment ago, where a few seconds do no harm: who bears a token, and what players are called.

use std::borrow::Borrow;
use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How long an answer counts as recent at the most: what another process revokes or renames is noticed here after this
/// time at the latest. The README promises it.
const RECENT: Duration = Duration::from_secs(2);

/// At the least. Each answer counts for a time of its own, so that what was asked at once is not all asked again at once.
const QUITE_RECENT: Duration = Duration::from_secs(1);

/// The most answers that are kept.
const MOST: usize = 20_000;

pub struct Recent<Question, Answer> {
    kept: Mutex<Kept<Question, Answer>>,
}

struct Kept<Question, Answer> {
    /// With the time until which each counts.
    answers: HashMap<Question, (Answer, Instant)>,
    /// How often something was forgotten.
    forgotten: u64,
}

/// When the store was asked. An answer may be older than what was forgotten since; then it is not kept.
pub struct Asking {
    at: Instant,
    forgotten: u64,
}

impl<Question, Answer> Default for Recent<Question, Answer> {
    fn default() -> Recent<Question, Answer> {
        Recent { kept: Mutex::new(Kept { answers: HashMap::new(), forgotten: 0 }) }
    }
}

impl<Question: Eq + Hash, Answer: Clone> Recent<Question, Answer> {
    /// The answer, if the store gave one a moment ago.
    pub fn answer<Asked>(&self, question: &Asked) -> Option<Answer>
    where
        Question: Borrow<Asked>,
        Asked: Eq + Hash + ?Sized,
    {
        let kept = self.kept();
        let (answer, until) = kept.answers.get(question)?;
        (Instant::now() < *until).then(|| answer.clone())
    }

    /// To be called before the store is asked.
    pub fn asking(&self) -> Asking {
        Asking { at: Instant::now(), forgotten: self.kept().forgotten }
    }

    pub fn keep(&self, asking: &Asking, question: Question, answer: Answer) {
        let mut kept = self.kept();
        if kept.forgotten != asking.forgotten {
            return;
        }
        if kept.answers.len() >= MOST {
            let now = Instant::now();
            kept.answers.retain(|_, (_, until)| now < *until);
        }
        if kept.answers.len() >= MOST {
            kept.answers.clear();
        }
        let until = asking.at + rand::random_range(QUITE_RECENT..RECENT);
        kept.answers.insert(question, (answer, until));
    }

    /// To be called after the store has changed: these answers count no more, nor does any that is still on its way.
    pub fn forget(&self, which: impl Fn(&Question, &Answer) -> bool) {
        let mut kept = self.kept();
        kept.forgotten += 1;
        kept.answers.retain(|question, (answer, _)| !which(question, answer));
    }

    fn kept(&self) -> MutexGuard<'_, Kept<Question, Answer>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_forgotten_is_not_learnt_from_an_answer_that_was_on_its_way() {
        let names = Recent::default();
        names.keep(&names.asking(), 1, "Asha");
        assert_eq!(names.answer(&1), Some("Asha"));
        let asking = names.asking();
        names.forget(|player, _| *player == 1);
        names.keep(&asking, 1, "Asha");
        assert_eq!(names.answer(&1), None);
        names.keep(&names.asking(), 1, "Usha");
        assert_eq!(names.answer(&1), Some("Usha"));
    }

    #[test]
    fn an_old_answer_is_none() {
        let names = Recent::default();
        let asking = Asking { at: Instant::now() - RECENT, ..names.asking() };
        names.keep(&asking, 1, "Asha");
        assert_eq!(names.answer(&1), None);
    }

    #[test]
    fn a_number_of_answers_is_kept() {
        let names = Recent::default();
        for player in 0..3 * MOST {
            names.keep(&names.asking(), player, "somebody");
        }
        assert!(names.kept().answers.len() <= MOST);
    }
}
