//! The audit log, for operators: actions with ids and addresses, never with secrets, names or contents of games.

use std::net::IpAddr;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::time::{Duration, Instant};

use crate::model::{Caller, Principal};

/// Lines about failures per second, so that an attack does not fill the disk. All of them are counted.
const FAILURES_PER_SECOND: u32 = 10;

/// The actor: `player_…`, `app_…`, `app_… as player_…` or `anonymous`.
pub fn actor(caller: &Caller) -> String {
    match &caller.principal {
        Principal::Player(player) if caller.by_app => format!("{} as {}", player.app_id, player.id),
        Principal::Player(player) => player.id.to_string(),
        Principal::App(app) => app.id.to_string(),
        Principal::Anonymous => "anonymous".into(),
    }
}

/// Logs a completed action.
macro_rules! done {
    ($caller:expr, $($field:ident = $value:expr,)* $what:literal) => {
        tracing::info!(target: "maidan::audit", actor = $crate::audit::actor($caller), $($field = %$value,)* $what)
    };
}
pub(crate) use done;

/// A failed authentication.
pub fn failed_authentication(address: IpAddr) {
    metrics::counter!("maidan_failed_authentications_total").increment(1);
    if may_log() {
        tracing::info!(target: "maidan::audit", %address, "authentication failed");
    }
}

/// A limit that a caller has reached.
pub fn limit_reached(limit: &'static str, account: &str) {
    metrics::counter!("maidan_limits_reached_total", "limit" => limit).increment(1);
    if may_log() {
        tracing::info!(target: "maidan::audit", limit, account, "limit reached");
    }
}

/// Whether another line about a failure fits into this second.
fn may_log() -> bool {
    static LINES: Mutex<Option<(Instant, u32)>> = Mutex::new(None);
    let mut lines = LINES.lock().unwrap_or_else(PoisonError::into_inner);
    let (second, count) = match *lines {
        Some((second, count)) if second.elapsed() < Duration::from_secs(1) => (second, count + 1),
        _ => (Instant::now(), 1),
    };
    *lines = Some((second, count));
    count <= FAILURES_PER_SECOND
}
