//! Commits changes and announces them, in this process and to other replicas.

mod bot_queue;
mod commit;
mod replicas;
mod shared_reads;
mod topics;

pub use bot_queue::BotQueue;
pub use commit::Commits;
pub use replicas::Replica;
pub use shared_reads::{SharedRead, SharedReads};
pub use topics::{INACTIVE, Subscription, Topic, Topics};
