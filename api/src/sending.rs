//! Answers that are being sent. A large one takes memory until its client has received it, so there is a limit to them,
//! and a client that receives too slowly is cut off.

use std::collections::HashMap;
use std::error::Error as StdError;
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::{Duration, Instant};

use actix_web::ResponseError;
use actix_web::body::{BodySize, BoxBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::middleware::Next;
use actix_web::web::{Bytes, Data};

use crate::audit;
use crate::auth;
use crate::connections::{Answering, Connection};
use crate::error::Error;
use crate::limits::Network;
use crate::service::Maidan;

/// The largest answer that is not counted: the system takes it at once.
const SMALL: usize = 64 * 1024;
/// The most bytes of large answers, in all and for one address.
const MOST: usize = 256 * 1024 * 1024;
const MOST_PER_ADDRESS: usize = 64 * 1024 * 1024;

/// The bytes that are handed over at a time.
const CHUNK: usize = 64 * 1024;
/// A large answer must be received at the least rate, in bytes per second, after some patience.
const LEAST_RATE: u32 = 20_000;
const PATIENCE: Duration = Duration::from_secs(10);

/// The sizes of the large answers that are being sent.
#[derive(Clone, Default)]
pub struct Unsent(Arc<Mutex<Sizes>>);

#[derive(Default)]
struct Sizes {
    all: usize,
    by_network: HashMap<Network, usize>,
}

/// The part of one answer. Dropping it makes room.
struct Share {
    unsent: Unsent,
    network: Network,
    size: usize,
}

impl Unsent {
    fn take(&self, address: IpAddr, size: usize) -> Option<Share> {
        let network = Network::of(address);
        let mut sizes = self.sizes();
        let of_network = sizes.by_network.get(&network).copied().unwrap_or_default() + size;
        // A single answer of any size is sent.
        if (sizes.all > 0 && sizes.all + size > MOST) || (of_network > size && of_network > MOST_PER_ADDRESS) {
            return None;
        }
        sizes.all += size;
        sizes.by_network.insert(network, of_network);
        Some(Share { unsent: self.clone(), network, size })
    }

    fn sizes(&self) -> MutexGuard<'_, Sizes> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        let mut sizes = self.unsent.sizes();
        sizes.all -= self.size;
        if let Some(size) = sizes.by_network.get_mut(&self.network) {
            *size -= self.size;
            if *size == 0 {
                sizes.by_network.remove(&self.network);
            }
        }
    }
}

/// Marks the connection as busy while a request is answered, and counts a large answer until it is sent. One that is too
/// much is replaced by a refusal.
pub async fn track<B: MessageBody + 'static>(
    req: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<BoxBody>, actix_web::Error> {
    let answering = req.conn_data::<Arc<Connection>>().map(Connection::answering);
    let response = next.call(req).await?.map_into_boxed_body();
    let size = response.response().body().size();
    let share = match size {
        BodySize::Sized(size) => match usize::try_from(size).unwrap_or(usize::MAX) {
            size if size <= SMALL => return Ok(response),
            size => match share_of(&response, size) {
                Some(share) => Some(share),
                None => {
                    let refused = Error::Busy("Too many large responses are waiting to be received. Try again.");
                    return Ok(response.into_response(refused.error_response()));
                }
            },
        },
        BodySize::None => return Ok(response),
        BodySize::Stream => None,
    };
    Ok(response.map_body(|_, body| BoxBody::new(Sending::new(body, size, share, answering))))
}

fn share_of(response: &ServiceResponse<BoxBody>, size: usize) -> Option<Share> {
    let req = response.request();
    let (unsent, maidan) = (req.app_data::<Data<Unsent>>()?, req.app_data::<Data<Arc<Maidan>>>()?);
    let address = auth::address_of(maidan, req);
    let share = unsent.take(address, size);
    if share.is_none() {
        audit::limit_reached("unsent_bytes", &address.to_string());
    }
    share
}

/// The body of an answer on its way.
struct Sending {
    body: BoxBody,
    size: BodySize,
    /// `None` for a stream, which is produced as it is received.
    share: Option<Share>,
    /// What is left of the body's last piece.
    rest: Bytes,
    begun: Option<Instant>,
    sent: usize,
    _answering: Option<Answering>,
}

impl Sending {
    fn new(body: BoxBody, size: BodySize, share: Option<Share>, answering: Option<Answering>) -> Sending {
        Sending { body, size, share, rest: Bytes::new(), begun: None, sent: 0, _answering: answering }
    }
}

/// Whether a client has received too little in this time.
fn is_too_slow(time: Duration, received: usize) -> bool {
    time > PATIENCE + Duration::from_secs(1) * u32::try_from(received).unwrap_or(u32::MAX) / LEAST_RATE
}

impl MessageBody for Sending {
    type Error = Box<dyn StdError>;

    fn size(&self) -> BodySize {
        self.size
    }

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Bytes, Self::Error>>> {
        let sending = self.get_mut();
        if sending.share.is_none() {
            return Pin::new(&mut sending.body).poll_next(cx);
        }
        // The server asks for more whenever the client has received something.
        let begun = *sending.begun.get_or_insert_with(Instant::now);
        if is_too_slow(begun.elapsed(), sending.sent) {
            metrics::counter!("maidan_stalled_connections_total").increment(1);
            return Poll::Ready(Some(Err("the client receives its response too slowly".into())));
        }
        if sending.rest.is_empty() {
            match ready!(Pin::new(&mut sending.body).poll_next(cx)) {
                Some(Ok(bytes)) => sending.rest = bytes,
                end => return Poll::Ready(end),
            }
        }
        let chunk = sending.rest.split_to(sending.rest.len().min(CHUNK));
        sending.sent += chunk.len();
        Poll::Ready(Some(Ok(chunk)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_answers_are_limited_in_all_and_by_address() {
        let unsent = Unsent::default();
        let address = |last| IpAddr::from([192, 0, 2, last]);
        let half = MOST_PER_ADDRESS / 2;
        let first = unsent.take(address(1), half);
        let second = unsent.take(address(1), half);
        assert!(first.is_some() && second.is_some());
        assert!(unsent.take(address(1), SMALL).is_none(), "the address has its share");
        drop(first);
        assert!(unsent.take(address(1), SMALL).is_some(), "a received answer makes room");
        let others: Vec<_> = (2..6).map(|last| unsent.take(address(last), MOST_PER_ADDRESS)).collect();
        assert_eq!(others.iter().filter(|share| share.is_some()).count(), 3, "the fourth is too much for all");
        drop((others, second));
        assert!(unsent.take(address(1), 2 * MOST).is_some(), "a single one is always sent");
        let sizes = unsent.sizes();
        assert!(sizes.all == 0 && sizes.by_network.is_empty());
    }

    #[test]
    fn a_client_must_receive_at_the_least_rate() {
        let seconds = Duration::from_secs;
        assert!(!is_too_slow(seconds(10), 0) && is_too_slow(seconds(11), 0));
        assert!(!is_too_slow(seconds(59), 1_000_000) && is_too_slow(seconds(61), 1_000_000));
    }
}
