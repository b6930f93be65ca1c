//! `maidan healthcheck`: requests /readyz, for containers without an HTTP client.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr, TcpStream};
use std::time::Duration;

const TIMEOUT: Duration = Duration::from_secs(3);

pub fn run(listen: SocketAddr) -> Result<(), String> {
    let mut address = listen;
    if address.ip().is_unspecified() {
        address.set_ip(if address.is_ipv4() { Ipv4Addr::LOCALHOST.into() } else { Ipv6Addr::LOCALHOST.into() });
    }
    let response = request(address).map_err(|error| format!("{address} does not respond: {error}"))?;
    if !response.starts_with("HTTP/1.1 200") {
        return Err(format!("not ready: {}", response.lines().next().unwrap_or_default()));
    }
    println!("ready");
    Ok(())
}

fn request(address: SocketAddr) -> std::io::Result<String> {
    let mut stream = TcpStream::connect_timeout(&address, TIMEOUT)?;
    stream.set_read_timeout(Some(TIMEOUT))?;
    stream.write_all(format!("GET /readyz HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n").as_bytes())?;
    let mut response = String::new();
    stream.read_to_string(&mut response)?;
    Ok(response)
}
