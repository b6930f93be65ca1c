//! Changes on their way: committed, then announced, here and to other replicas.

mod commit;
mod replicas;
mod topics;

pub use commit::Commits;
pub use replicas::Replica;
pub use topics::{Subscription, TOKEN_INACTIVE, Topic, Topics};
