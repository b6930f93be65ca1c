//! A TCP proxy between the service and Postgres that breaks connections in the ways networks do.

use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::tcp::{ReadHalf, WriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

use super::server::Home;

/// The state of the network.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Network {
    /// Open connections break and new ones are refused.
    is_cut: bool,
    /// Nothing passes, until it passes again.
    is_frozen: bool,
    /// The connections before this one stay silent.
    silent_before: usize,
    /// How long every message takes.
    delay: Duration,
}

pub struct Proxy {
    pub port: u16,
    network: watch::Sender<Network>,
    /// The number of connections accepted so far.
    accepted: watch::Receiver<usize>,
}

impl Proxy {
    /// A proxy, and the home with which a service reaches its database through it.
    pub async fn before(home: &Home) -> (Proxy, Home) {
        let url = home.url.as_ref().expect("a proxy needs Postgres");
        let (start, rest) = url.split_once('@').expect("the address names a user");
        let (target, name) = rest.split_once('/').expect("the address names a database");
        let proxy = Proxy::to(target.to_string()).await;
        let url = Some(format!("{start}@127.0.0.1:{}/{name}", proxy.port));
        (proxy, Home { url, ..home.clone() })
    }

    async fn to(target: String) -> Proxy {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port is free");
        let port = listener.local_addr().expect("it is bound").port();
        let network =
            watch::Sender::new(Network { is_cut: false, is_frozen: false, silent_before: 0, delay: Duration::ZERO });
        let (count, accepted) = watch::channel(0);
        let state = network.subscribe();
        tokio::spawn(async move {
            let target: Arc<str> = target.into();
            while let Ok((near, _)) = listener.accept().await {
                let number = *count.borrow();
                count.send_replace(number + 1);
                tokio::spawn(carry(near, Arc::clone(&target), number, state.clone()));
            }
        });
        Proxy { port, network, accepted }
    }

    /// The number of connections that were opened so far.
    pub fn opened(&self) -> usize {
        *self.accepted.borrow()
    }

    pub fn cut(&self, is_cut: bool) {
        self.network.send_modify(|network| network.is_cut = is_cut);
    }

    /// Like SIGSTOP: nothing is answered, and nothing is lost.
    pub fn freeze(&self, is_frozen: bool) {
        self.network.send_modify(|network| network.is_frozen = is_frozen);
    }

    /// Makes the database slow: a statement takes twice this time.
    pub fn delay(&self, delay: Duration) {
        self.network.send_modify(|network| network.delay = delay);
    }

    /// Makes the open connections silent without closing them. New ones work.
    pub fn silence(&self) {
        let silent_before = self.opened();
        self.network.send_modify(|network| network.silent_before = silent_before);
    }
}

async fn carry(mut near: TcpStream, target: Arc<str>, number: usize, network: watch::Receiver<Network>) {
    if network.borrow().is_cut {
        return;
    }
    let Ok(mut far) = TcpStream::connect(&*target).await else { return };
    let ((from_near, to_near), (from_far, to_far)) = (near.split(), far.split());
    let mut cut = network.clone();
    tokio::select! {
        () = pass(from_near, to_far, number, network.clone()) => {}
        () = pass(from_far, to_near, number, network) => {}
        _ = cut.wait_for(|network| network.is_cut) => {}
    }
}

async fn pass(mut from: ReadHalf<'_>, mut to: WriteHalf<'_>, number: usize, mut network: watch::Receiver<Network>) {
    let mut bytes = vec![0; 64 * 1024];
    while let Ok(read @ 1..) = from.read(&mut bytes).await {
        let delay = network.borrow().delay;
        if !delay.is_zero() {
            tokio::time::sleep(delay).await;
        }
        let passes = |network: &Network| !network.is_frozen && number >= network.silent_before;
        if network.wait_for(passes).await.is_err() || to.write_all(&bytes[..read]).await.is_err() {
            return;
        }
    }
}
