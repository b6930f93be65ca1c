//! In-memory caches with bounded size.

mod sized;
mod ttl;

pub use sized::{Cacheable, SizedCache};
pub use ttl::TtlCache;
