//! Caches in memory, bounded in number and size.

mod sized;
mod ttl;

pub use sized::{Cacheable, SizedCache};
pub use ttl::TtlCache;
