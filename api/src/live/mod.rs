//! Commits changes and announces them, in this process and to other replicas.

mod bot_queue;
mod commit;
mod replicas;
mod topics;

pub use bot_queue::BotQueue;
pub use commit::Commits;
pub use replicas::Replica;
pub use topics::{INACTIVE, Subscription, Topic, Topics};
