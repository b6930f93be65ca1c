//! Who is calling.

use std::net::IpAddr;

use rand::TryRng;
use rand::rngs::SysRng;
use sha2::{Digest, Sha256};

use crate::app::Maidan;
use crate::error::{Error, Result};
use crate::games;
use crate::ids::{AppId, PlayerId};
use crate::store::{App, At, Player};

/// Whoever makes a request, and from where.
#[derive(Clone, Debug)]
pub struct Caller {
    pub principal: Principal,
    pub address: IpAddr,
    /// Whether an app's key was sent.
    pub by_app: bool,
    /// The hash of the token or key that was sent: a stream stays open as long as that is in use.
    pub token_hash: Option<Vec<u8>>,
    /// When the token that was sent stops working; `None` for never.
    pub until: Option<At>,
}

/// What a request has to show.
#[derive(Clone, Copy, Debug, Default)]
pub struct Credentials<'a> {
    /// The header Authorization.
    pub authorization: Option<&'a str>,
    /// The header Maidan-Act-As.
    pub act_as: Option<&'a str>,
    /// A ticket for a stream, which stands for both.
    pub ticket: Option<&'a str>,
}

#[derive(Clone, Debug)]
pub enum Principal {
    /// No token was sent.
    Anonymous,
    /// A player's token, or an app's key that acts for one of its players.
    Player(Player),
    /// An app's key.
    App(App),
}

impl Caller {
    /// The player, where only a player will do.
    pub fn player(&self) -> Result<&Player> {
        match &self.principal {
            Principal::Player(player) => Ok(player),
            Principal::App(_) => Err(Error::Forbidden(
                "This is for players. An app acts for one of its own with the header Maidan-Act-As.",
            )),
            Principal::Anonymous => {
                Err(Error::Unauthenticated("Send a player's token: Authorization: Bearer mdn_ply_…"))
            }
        }
    }

    /// The app that the caller belongs to.
    pub fn app_id(&self) -> Option<AppId> {
        match &self.principal {
            Principal::Player(player) => Some(player.app_id),
            Principal::App(app) => Some(app.id),
            Principal::Anonymous => None,
        }
    }
}

pub const APP_KEY: &str = "mdn_app_";
pub const PLAYER_TOKEN: &str = "mdn_ply_";
pub const STREAM_TICKET: &str = "mdn_tkt_";
const SECRET_LENGTH: usize = 52;

/// A new key or token, and the hash that is kept of it. The text is shown once.
pub fn fresh_secret(prefix: &str) -> (String, Vec<u8>) {
    let secret = format!("{prefix}{}", base32(&random_bytes::<32>()));
    let hash = hash_of(&secret);
    (secret, hash)
}

/// Ten letters and digits that let a player into a private game.
pub fn fresh_join_code() -> String {
    base32(&random_bytes::<8>())[..10].to_uppercase()
}

/// Whether a text looks like one of those codes.
pub fn is_join_code(text: &str) -> bool {
    text.len() == 10 && text.bytes().all(|byte| matches!(byte, b'A'..=b'Z' | b'2'..=b'7'))
}

/// Bytes from the operating system, which has them or the machine is lost.
pub fn random_bytes<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    SysRng.try_fill_bytes(&mut bytes).expect("the operating system gives random bytes");
    bytes
}

pub fn hash_of(text: &str) -> Vec<u8> {
    Sha256::digest(text.as_bytes()).to_vec()
}

/// Finds out who shows these credentials. The one place where tokens are looked at.
pub async fn identify(maidan: &Maidan, shown: Credentials<'_>, address: IpAddr) -> Result<Caller> {
    if let Some(ticket) = shown.ticket {
        return by_ticket(maidan, ticket, address).await;
    }
    let (principal, until, token_hash) = match shown.authorization {
        None => (Principal::Anonymous, None, None),
        Some(header) => {
            let hash = token_in(header);
            let known = match &hash {
                Some((hash, is_app)) => known_principal(maidan, hash, *is_app).await?,
                None => None,
            };
            if known.is_none() {
                maidan.buckets.charge_wrong_token(address)?;
            }
            let (principal, until) =
                known.ok_or(Error::Unauthenticated("This token is not known, or it has expired or been revoked."))?;
            (principal, until, hash.map(|(hash, _)| hash))
        }
    };
    let by_app = matches!(principal, Principal::App(_));
    let principal = match (shown.act_as, principal) {
        (None, principal) => principal,
        (Some(id), Principal::App(app)) => {
            let id = id.parse().map_err(|_| NO_SUCH_PLAYER)?;
            Principal::Player(own_player(maidan, &app, id).await?)
        }
        (Some(_), _) => return Err(Error::Forbidden("Only an app's key may act as a player.")),
    };
    Ok(Caller { principal, address, by_app, token_hash, until })
}

/// Whoever asked for a ticket, if it is still who it was.
async fn by_ticket(maidan: &Maidan, text: &str, address: IpAddr) -> Result<Caller> {
    let ticket = match is_secret(text, STREAM_TICKET) {
        true => maidan.store.redeem_ticket(&hash_of(text), At::now()).await?,
        false => None,
    };
    let known = match &ticket {
        Some(ticket) => known_principal(maidan, &ticket.token_hash, ticket.is_app).await?,
        None => None,
    };
    let (Some(ticket), Some((principal, until))) = (ticket, known) else {
        maidan.buckets.charge_wrong_token(address)?;
        return Err(Error::Unauthenticated("This ticket is not known, or it has expired or been used."));
    };
    let principal = match (ticket.act_as, principal) {
        (Some(id), Principal::App(app)) => Principal::Player(own_player(maidan, &app, id).await?),
        (_, principal) => principal,
    };
    Ok(Caller { principal, address, by_app: ticket.is_app, token_hash: Some(ticket.token_hash), until })
}

/// The hash of the token in a header, and whether it is an app's key. Garbled ones are refused without asking the
/// database.
fn token_in(header: &str) -> Option<(Vec<u8>, bool)> {
    let scheme = header.get(..7).filter(|scheme| scheme.eq_ignore_ascii_case("Bearer "));
    let token = scheme.map(|_| header[7..].trim())?;
    let is_app = is_secret(token, APP_KEY);
    (is_app || is_secret(token, PLAYER_TOKEN)).then(|| (hash_of(token), is_app))
}

/// Whether a text looks like a secret of this sort.
fn is_secret(text: &str, prefix: &str) -> bool {
    text.strip_prefix(prefix)
        .is_some_and(|secret| secret.len() == SECRET_LENGTH && secret.bytes().all(|byte| byte.is_ascii_alphanumeric()))
}

/// The principal of a token, and when the token stops working.
async fn known_principal(maidan: &Maidan, hash: &[u8], is_app: bool) -> Result<Option<(Principal, Option<At>)>> {
    let now = At::now();
    if let Some((principal, until)) = maidan.tokens.answer(hash) {
        return Ok(until.is_none_or(|until| until > now).then_some((principal, until)));
    }
    let asking = maidan.tokens.asking();
    let known = if is_app {
        maidan.store.app_by_key(hash).await?.map(|app| (Principal::App(app), None))
    } else {
        let known = maidan.store.player_by_token(hash, now).await?;
        known.map(|(player, until)| (Principal::Player(player), until))
    };
    if let Some(known) = &known {
        maidan.tokens.keep(&asking, hash.to_vec(), known.clone());
    }
    Ok(known)
}

const NO_SUCH_PLAYER: Error = Error::NotFound("Your app has no such player.");

async fn own_player(maidan: &Maidan, app: &App, id: PlayerId) -> Result<Player> {
    let player = games::players(maidan, vec![id]).await?.pop();
    player.filter(|player| player.app_id == app.id && player.deleted_at.is_none()).ok_or(NO_SUCH_PLAYER)
}

/// Lower-case base32 without padding (RFC 4648's letters).
fn base32(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 32] = b"abcdefghijklmnopqrstuvwxyz234567";
    let mut text = String::with_capacity(bytes.len().div_ceil(5) * 8);
    let (mut buffer, mut bits) = (0u32, 0);
    for byte in bytes {
        buffer = buffer << 8 | u32::from(*byte);
        bits += 8;
        while bits >= 5 {
            bits -= 5;
            text.push(LETTERS[(buffer >> bits & 31) as usize] as char);
        }
        buffer &= (1 << bits) - 1;
    }
    if bits > 0 {
        text.push(LETTERS[(buffer << (5 - bits) & 31) as usize] as char);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base32_is_what_everybody_means_by_it() {
        assert_eq!(base32(b"foobar"), "mzxw6ytboi");
        assert_eq!(base32(b"f"), "my");
        assert_eq!(base32(&[0; 32]).len(), SECRET_LENGTH);
    }

    #[test]
    fn secrets_are_long_fresh_and_kept_as_hashes() {
        let (one, hash) = fresh_secret(PLAYER_TOKEN);
        let (two, _) = fresh_secret(PLAYER_TOKEN);
        assert_ne!(one, two);
        assert_eq!(one.len(), PLAYER_TOKEN.len() + SECRET_LENGTH);
        assert_eq!(hash, hash_of(&one));
        assert!(is_join_code(&fresh_join_code()));
        assert!(!is_join_code("AAAAA") && !is_join_code("AAAAAAAAA\0") && !is_join_code("aaaaaaaaaa"));
    }
}
