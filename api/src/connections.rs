//! Open connections: how many there may be in all, and from one address. Each takes a file descriptor, and one that sends
//! nothing would keep it for as long as its client likes.

use std::any::Any;
use std::collections::HashMap;
use std::net::{IpAddr, Shutdown};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use actix_web::dev::Extensions;
use actix_web::rt::net::TcpStream;
use socket2::SockRef;

use crate::config::Config;
use crate::limits::Network;

/// How long sent bytes may stay unacknowledged before the system closes the connection.
const UNACKNOWLEDGED: Duration = Duration::from_secs(30);

/// File descriptors that are not for clients: the database, files, other listeners.
const RESERVED: u64 = 100;

#[derive(Clone)]
pub struct Connections(Arc<Inner>);

struct Inner {
    open: Mutex<Open>,
    most: usize,
    /// `None` behind a proxy, from which all connections come.
    most_per_address: Option<usize>,
}

#[derive(Default)]
struct Open {
    all: usize,
    by_network: HashMap<Network, usize>,
}

/// An open connection. It lives as long as the connection's data.
struct Slot {
    connections: Connections,
    network: Network,
}

impl Connections {
    pub fn new(config: &Config) -> Connections {
        let limits = &config.limits;
        let most = match file_descriptors() {
            Some(most) => {
                limits.max_connections.min(usize::try_from(most.saturating_sub(RESERVED)).unwrap_or(usize::MAX))
            }
            None => limits.max_connections,
        };
        let most_per_address = config.trust_proxy.is_none().then_some(limits.max_connections_per_address);
        Connections(Arc::new(Inner { open: Mutex::default(), most, most_per_address }))
    }

    /// Prepares a new connection: sends small messages without delay, and closes connections of clients that do not read,
    /// which would hold their buffers forever. A connection too many is closed.
    pub fn prepare(&self, connection: &dyn Any, data: &mut Extensions) {
        let Some(stream) = connection.downcast_ref::<TcpStream>() else { return };
        let socket = SockRef::from(stream);
        let Some(slot) = stream.peer_addr().ok().and_then(|peer| self.take(peer.ip())) else {
            metrics::counter!("maidan_refused_connections_total").increment(1);
            let _ = socket.shutdown(Shutdown::Both);
            return;
        };
        data.insert(slot);
        let mut set = stream.set_nodelay(true);
        #[cfg(target_os = "linux")]
        {
            set = set.and(socket.set_tcp_user_timeout(Some(UNACKNOWLEDGED)));
        }
        if let Err(error) = set {
            tracing::debug!(%error, "failed to set socket options");
        }
    }

    fn take(&self, address: IpAddr) -> Option<Slot> {
        let network = Network::of(address);
        let mut open = self.0.open.lock().unwrap_or_else(PoisonError::into_inner);
        let from_here = open.by_network.get(&network).copied().unwrap_or_default();
        if open.all >= self.0.most || self.0.most_per_address.is_some_and(|most| from_here >= most) {
            return None;
        }
        open.all += 1;
        open.by_network.insert(network, from_here + 1);
        Some(Slot { connections: self.clone(), network })
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        let mut open = self.connections.0.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.all -= 1;
        if let Some(count) = open.by_network.get_mut(&self.network) {
            *count -= 1;
            if *count == 0 {
                open.by_network.remove(&self.network);
            }
        }
    }
}

/// Raises the number of file descriptors that this process may open to the most that the system allows. Returns it.
#[cfg(unix)]
fn file_descriptors() -> Option<u64> {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let Rlimit { maximum, .. } = getrlimit(Resource::Nofile);
    let _ = setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum });
    getrlimit(Resource::Nofile).current
}

#[cfg(not(unix))]
fn file_descriptors() -> Option<u64> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connections_are_limited_in_all_and_by_address() {
        let connections =
            |most, most_per_address| Connections(Arc::new(Inner { open: Mutex::default(), most, most_per_address }));
        let (here, there) = (IpAddr::from([192, 0, 2, 1]), IpAddr::from([192, 0, 2, 2]));
        let limited = connections(3, Some(2));
        let first = limited.take(here);
        let _second = limited.take(here);
        assert!(first.is_some() && limited.take(here).is_none(), "two from an address");
        let _third = limited.take(there);
        assert!(limited.take(there).is_none(), "three in all");
        drop(first);
        assert!(limited.take(here).is_some(), "a closed connection makes room");
        let behind_a_proxy = connections(3, None);
        let open = [behind_a_proxy.take(here), behind_a_proxy.take(here), behind_a_proxy.take(here)];
        assert!(open.iter().all(Option::is_some) && behind_a_proxy.take(here).is_none());
        drop(open);
        let inner = behind_a_proxy.0.open.lock().unwrap();
        assert!(inner.all == 0 && inner.by_network.is_empty());
    }
}
