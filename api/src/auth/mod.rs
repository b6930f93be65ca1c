//! Authentication: tokens, keys and tickets.

mod identify;
mod request;
mod tickets;
mod token_watch;

pub use identify::{Credentials, identify, redeem, renew};
pub use request::{address_of, caller_of, subscriber_of};
pub use tickets::{IssuedTicket, Lease, RENEWAL, issue_ticket};
pub use token_watch::TokenWatch;
