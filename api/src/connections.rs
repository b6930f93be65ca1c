//! Open connections: how many there may be in all, and from one address. Each takes file descriptors, and one that sends
//! nothing would keep them for as long as its client likes.

use std::any::Any;
use std::collections::HashMap;
use std::net::{IpAddr, Shutdown};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

use actix_web::dev::Extensions;
use actix_web::rt::net::TcpStream;
use socket2::{SockRef, Socket};

use crate::audit;
use crate::config::Config;
use crate::limits::Network;

/// How long sent bytes may stay unacknowledged before the system closes the connection.
const UNACKNOWLEDGED: Duration = Duration::from_secs(30);

/// Bytes that the system takes for a client that does not read them.
const SEND_BUFFER: usize = 256 * 1024;

/// File descriptors that are not for clients: the database, files, other listeners.
const RESERVED: u64 = 100;
/// File descriptors of a connection: the server's own, and the one to close it with.
const PER_CONNECTION: u64 = 2;

/// The time for the head of a request. The HTTP library has the same for the first one of a connection, and none for the
/// others.
const HEAD: Duration = Duration::from_secs(5);
/// How often connections are searched for stalled ones.
const SEARCH: Duration = Duration::from_secs(2);

#[derive(Clone)]
pub struct Connections(Arc<Inner>);

struct Inner {
    open: Mutex<Open>,
    connections: Mutex<Vec<Weak<Connection>>>,
    most: usize,
    /// `None` behind a proxy, from which all connections come.
    most_per_address: Option<usize>,
}

#[derive(Default)]
struct Open {
    all: usize,
    by_network: HashMap<Network, usize>,
}

/// The place of an open connection in the count.
struct Slot {
    connections: Connections,
    network: Network,
}

/// An open connection. It lives as long as the connection's data.
pub struct Connection {
    _slot: Slot,
    socket: Socket,
    requests: Mutex<Requests>,
}

/// The requests of a connection that are being answered.
struct Requests {
    count: usize,
    /// When the last answer was finished.
    idle_since: Instant,
}

/// A request that is being answered. Drop it when the answer is sent.
pub struct Answering(Arc<Connection>);

impl Connection {
    pub fn answering(self: &Arc<Connection>) -> Answering {
        self.requests().count += 1;
        Answering(Arc::clone(self))
    }

    fn idle(&self) -> Duration {
        let requests = self.requests();
        if requests.count > 0 { Duration::ZERO } else { requests.idle_since.elapsed() }
    }

    fn requests(&self) -> MutexGuard<'_, Requests> {
        self.requests.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Answering {
    fn drop(&mut self) {
        let mut requests = self.0.requests();
        requests.count -= 1;
        requests.idle_since = Instant::now();
    }
}

impl Connections {
    pub fn new(config: &Config) -> Connections {
        let limits = &config.limits;
        let most = match file_descriptors() {
            Some(most) => {
                let most = most.saturating_sub(RESERVED) / PER_CONNECTION;
                limits.max_connections.min(usize::try_from(most).unwrap_or(usize::MAX))
            }
            None => limits.max_connections,
        };
        let most_per_address = config.trust_proxy.is_none().then_some(limits.max_connections_per_address);
        Connections(Arc::new(Inner { open: Mutex::default(), connections: Mutex::default(), most, most_per_address }))
    }

    /// Closes connections that have been idle for longer than they are kept alive: their clients have begun a request
    /// and do not finish its head.
    pub async fn close_stalled(self, keep_alive: Duration) {
        let mut ticks = tokio::time::interval(SEARCH);
        loop {
            ticks.tick().await;
            let open: Vec<Arc<Connection>> = {
                let mut connections = self.0.connections.lock().unwrap_or_else(PoisonError::into_inner);
                connections.retain(|connection| connection.strong_count() > 0);
                connections.iter().filter_map(Weak::upgrade).collect()
            };
            for connection in open.iter().filter(|connection| connection.idle() > keep_alive + HEAD) {
                metrics::counter!("maidan_stalled_connections_total").increment(1);
                let _ = connection.socket.shutdown(Shutdown::Both);
            }
        }
    }

    /// Prepares a new connection: sends small messages without delay, and closes connections of clients that do not read,
    /// which would hold their buffers forever. A connection too many is closed.
    pub fn prepare(&self, connection: &dyn Any, data: &mut Extensions) {
        let Some(stream) = connection.downcast_ref::<TcpStream>() else { return };
        let socket = SockRef::from(stream);
        let peer = stream.peer_addr().ok().map(|peer| peer.ip());
        let (Some(slot), Ok(same)) = (peer.and_then(|peer| self.take(peer)), socket.try_clone()) else {
            metrics::counter!("maidan_refused_connections_total").increment(1);
            audit::limit_reached("connections", &peer.map(|peer| peer.to_string()).unwrap_or_default());
            let _ = socket.shutdown(Shutdown::Both);
            return;
        };
        let requests = Mutex::new(Requests { count: 0, idle_since: Instant::now() });
        let open = Arc::new(Connection { _slot: slot, socket: same, requests });
        self.0.connections.lock().unwrap_or_else(PoisonError::into_inner).push(Arc::downgrade(&open));
        data.insert(open);
        let mut set = stream.set_nodelay(true).and(socket.set_send_buffer_size(SEND_BUFFER));
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
        let connections = |most, most_per_address| {
            Connections(Arc::new(Inner {
                open: Mutex::default(),
                connections: Mutex::default(),
                most,
                most_per_address,
            }))
        };
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
