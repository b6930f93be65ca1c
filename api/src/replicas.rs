//! How replicas hear of each other's changes.
//!
//! They share nothing but the database. After its commits a replica sends one hint per tick, on a connection of its
//! own, outside every change's statement. A hint may get lost: what is followed here is looked at now and then, and that
//! heals everything. Where hints cannot be had it is looked at more often, and nothing else differs.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::sync::Arc;
use std::time::Duration;

use tokio::time::{Instant, MissedTickBehavior, interval, sleep, sleep_until};

use crate::app::Maidan;
use crate::ids::{GameId, PlayerId};
use crate::news::{Hint, TOKEN_GONE, Topic};
use crate::store::{self, At};

/// At most one hint in this time.
const TICK: Duration = Duration::from_millis(20);
/// How often what is followed is looked at while hints come, and while none do.
const HEAL_BESIDE_HINTS: Duration = Duration::from_secs(1);
const HEAL_WITHOUT_HINTS: Duration = Duration::from_millis(100);
/// How long to leave a connection alone that failed.
const PAUSE: Duration = Duration::from_secs(1);
/// How many topics one question to the database is about.
const AT_ONCE: usize = 1000;

/// Keeps this replica and the others told of each other's changes, for ever.
pub async fn keep_in_touch(maidan: Arc<Maidan>) {
    if maidan.hints && maidan.store.takes_hints() {
        // By its own name a replica knows its own hints again.
        let own = uuid::Uuid::new_v4().simple().to_string();
        tokio::join!(tell(&maidan, &own), hear(&maidan, &own), heal(&maidan, HEAL_BESIDE_HINTS));
    } else {
        // Where the database is this process's alone nothing is there to heal but tokens.
        let pace = if maidan.hints { HEAL_BESIDE_HINTS } else { HEAL_WITHOUT_HINTS };
        heal(&maidan, pace).await;
    }
}

async fn tell(maidan: &Maidan, own: &str) {
    loop {
        let started = Instant::now();
        let hints = maidan.news.unsent().await;
        if let Err(error) = maidan.store.send_hints(&written(own, &hints)).await {
            tracing::warn!(%error, "cannot send hints to other replicas: they find out by themselves");
        }
        sleep_until(started + TICK).await;
    }
}

async fn hear(maidan: &Maidan, own: &str) {
    loop {
        match maidan.store.hear_hints().await {
            Err(error) => tracing::warn!(%error, "cannot hear hints of other replicas: looking instead"),
            Ok(mut hints) => loop {
                match hints.next().await {
                    Ok(Some(text)) => read(own, &text).iter().for_each(|hint| maidan.news.hear(hint)),
                    // The connection was lost for a moment, and hints with it.
                    Ok(None) => look(maidan).await,
                    Err(error) => {
                        tracing::warn!(%error, "no longer hearing hints of other replicas: looking instead");
                        break;
                    }
                }
            },
        }
        sleep(PAUSE).await;
    }
}

async fn heal(maidan: &Maidan, pace: Duration) {
    let mut ticks = interval(pace);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        look(maidan).await;
    }
}

/// Looks at everything that is followed here, and wakes whoever has missed something.
async fn look(maidan: &Maidan) {
    if let Err(error) = look_at(maidan, maidan.news.followed()).await {
        tracing::warn!(%error, "cannot look for changes");
    }
}

async fn look_at(maidan: &Maidan, followed: Vec<Topic>) -> store::Result<()> {
    let (mut games, mut players, mut tokens) = (Vec::new(), Vec::new(), Vec::new());
    for topic in followed {
        match topic {
            Topic::Game(game) => games.push(game),
            Topic::Inbox(player) => players.push(player),
            Topic::Token(hash) => tokens.push(hash),
        }
    }
    for games in games.chunks(AT_ONCE) {
        for (game, version) in maidan.store.versions(games).await? {
            maidan.news.heal_game(game, version);
        }
    }
    for players in players.chunks(AT_ONCE) {
        let waiting = maidan.store.waiting(players).await?;
        for player in players {
            maidan.news.heal(&Topic::Inbox(*player), in_a_number(*player, &waiting));
        }
    }
    for tokens in tokens.chunks(AT_ONCE) {
        let in_use = maidan.store.tokens_in_use(tokens, At::now()).await?;
        for token in tokens {
            let seen = if in_use.contains(token) { 0 } else { TOKEN_GONE };
            maidan.news.heal(&Topic::Token(token.clone()), seen);
        }
    }
    Ok(())
}

/// What waits for a player, in a number that is another one when something else does.
fn in_a_number(player: PlayerId, waiting: &[(PlayerId, GameId, i32)]) -> u64 {
    let mut own: Vec<_> = waiting.iter().filter(|(whom, _, _)| *whom == player).collect();
    own.sort_unstable();
    let mut hasher = DefaultHasher::new();
    own.hash(&mut hasher);
    hasher.finish()
}

/// The most that Postgres takes in one notification is 8000 bytes.
const LONGEST: usize = 7900;

/// Hints as texts: the sender's name, then for each game its id, version and players. Seldom more than one text.
fn written(own: &str, hints: &[Hint]) -> Vec<String> {
    let mut texts: Vec<String> = Vec::new();
    for Hint { game, version, players } in hints {
        let mut text = format!(" {}:{version}", game.0.simple());
        for player in players {
            text.push_str(&format!(":{}", player.0.simple()));
        }
        match texts.last_mut() {
            Some(last) if last.len() + text.len() <= LONGEST => last.push_str(&text),
            _ => texts.push(format!("{own}{text}")),
        }
    }
    texts
}

/// The hints in a text of another replica. What cannot be read is left out: it may be of a later build.
fn read(own: &str, text: &str) -> Vec<Hint> {
    let mut words = text.split(' ');
    if words.next() == Some(own) {
        return Vec::new();
    }
    let hint = |word: &str| {
        let mut parts = word.split(':');
        let game = GameId(parts.next()?.parse().ok()?);
        let version = parts.next()?.parse().ok()?;
        let players = parts.map(|part| part.parse().map(PlayerId)).collect::<Result<_, _>>().ok()?;
        Some(Hint { game, version, players })
    };
    words.filter_map(hint).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hints_are_read_as_they_were_written_by_everybody_but_their_writer() {
        let hint = |version, players: usize| Hint {
            game: GameId::fresh(),
            version,
            players: (0..players).map(|_| PlayerId::fresh()).collect(),
        };
        let hints: Vec<Hint> = (0..200).map(|n| hint(n, n as usize % 5)).collect();
        let texts = written("here", &hints);
        assert!(texts.len() > 1 && texts.iter().all(|text| text.len() <= LONGEST), "{} texts", texts.len());
        let heard: Vec<Hint> = texts.iter().flat_map(|text| read("there", text)).collect();
        assert_eq!(heard, hints);
        assert!(texts.iter().all(|text| read("here", text).is_empty()));
        assert!(read("there", "").is_empty() && read("there", "x y:z 1:2").is_empty());
    }
}
