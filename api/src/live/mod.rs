//! Commits changes and announces them, in this process and to other replicas.

mod commit;
mod replicas;
mod topics;

pub use commit::Commits;
pub use replicas::Replica;
pub use topics::{Subscription, TOKEN_INACTIVE, Topic, Topics};
