//! A load balancer as operators run them: it probes `/readyz`, and leads each new connection to a server that is ready.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::net::{TcpListener, TcpStream};

/// A server, and whether its last probe succeeded.
struct Backend {
    address: String,
    is_ready: bool,
}

#[derive(Clone)]
pub struct Balancer {
    pub address: String,
    backends: Arc<Mutex<Vec<Backend>>>,
}

impl Balancer {
    pub async fn start() -> Balancer {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port is free");
        let address = format!("http://{}", listener.local_addr().expect("it is bound"));
        let balancer = Balancer { address, backends: Arc::default() };
        let (connecting, probing) = (balancer.clone(), balancer.clone());
        tokio::spawn(async move {
            for turn in 0.. {
                let Ok((mut near, _)) = listener.accept().await else { return };
                let balancer = connecting.clone();
                tokio::spawn(async move {
                    let Some(backend) = balancer.ready(turn) else { return };
                    let Ok(mut far) = TcpStream::connect(backend.trim_start_matches("http://")).await else { return };
                    let _ = tokio::io::copy_bidirectional(&mut near, &mut far).await;
                });
            }
        });
        tokio::spawn(async move {
            loop {
                probing.probe().await;
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
        });
        balancer
    }

    pub fn add(&self, address: &str) {
        self.backends.lock().unwrap().push(Backend { address: address.into(), is_ready: false });
    }

    pub fn remove(&self, address: &str) {
        self.backends.lock().unwrap().retain(|backend| backend.address != address);
    }

    pub fn is_ready(&self, address: &str) -> bool {
        self.backends.lock().unwrap().iter().any(|backend| backend.address == address && backend.is_ready)
    }

    /// A server that is ready, in turn.
    fn ready(&self, turn: usize) -> Option<String> {
        let backends = self.backends.lock().unwrap();
        let ready: Vec<&Backend> = backends.iter().filter(|backend| backend.is_ready).collect();
        (!ready.is_empty()).then(|| ready[turn % ready.len()].address.clone())
    }

    async fn probe(&self) {
        let addresses: Vec<String> =
            self.backends.lock().unwrap().iter().map(|backend| backend.address.clone()).collect();
        for address in addresses {
            let answer = reqwest::get(format!("{address}/readyz")).await;
            let is_ready = answer.is_ok_and(|answer| answer.status() == 200);
            let mut backends = self.backends.lock().unwrap();
            if let Some(backend) = backends.iter_mut().find(|backend| backend.address == address) {
                backend.is_ready = is_ready;
            }
        }
    }
}
