//! A minimal HTTP client: one keep-alive connection, one request at a time.
//!
//! It shares the machine with the service, so all its work reduces the measured throughput.

use std::io::{Error, ErrorKind, Result};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

pub struct Connection {
    stream: TcpStream,
    /// Bytes read and not yet consumed.
    buffer: Vec<u8>,
}

/// A response, valid until the next request.
pub struct Answer<'a> {
    pub status: u16,
    pub body: &'a [u8],
}

impl Answer<'_> {
    pub fn is_good(&self) -> bool {
        (200..300).contains(&self.status)
    }
}

/// The bytes of a request.
pub fn request(method: &str, path: &str, token: &str, more: &str, body: &str) -> Vec<u8> {
    let length = body.len();
    let mut text = format!("{method} {path} HTTP/1.1\r\nHost: localhost\r\n{more}");
    if !token.is_empty() {
        text.push_str(&format!("Authorization: Bearer {token}\r\n"));
    }
    if !body.is_empty() {
        text.push_str(&format!("Content-Type: application/json\r\nContent-Length: {length}\r\n"));
    }
    text.push_str("\r\n");
    text.push_str(body);
    text.into_bytes()
}

impl Connection {
    pub async fn open(address: &str) -> Result<Connection> {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        Ok(Connection { stream, buffer: Vec::with_capacity(16 * 1024) })
    }

    pub async fn ask(&mut self, request: &[u8]) -> Result<Answer<'_>> {
        self.buffer.clear();
        self.stream.write_all(request).await?;
        let head = self.read_head().await?;
        let (status, length) = read_head(&self.buffer[..head])?;
        while self.buffer.len() < head + length {
            self.read_more().await?;
        }
        Ok(Answer { status, body: &self.buffer[head..head + length] })
    }

    /// The stream itself, before the first request.
    pub fn into_stream(self) -> TcpStream {
        self.stream
    }

    /// Upgrades to another protocol; returns the stream and the bytes after the head of the response.
    pub async fn upgrade(mut self, request: &[u8]) -> Result<(TcpStream, Vec<u8>)> {
        self.stream.write_all(request).await?;
        let head = self.read_head().await?;
        match read_head(&self.buffer[..head])? {
            (101, _) => Ok((self.stream, self.buffer.split_off(head))),
            (status, _) => {
                Err(Error::new(ErrorKind::InvalidData, format!("expected a WebSocket, got status {status}")))
            }
        }
    }

    /// The end of the head of the response.
    async fn read_head(&mut self) -> Result<usize> {
        loop {
            if let Some(end) = self.buffer.windows(4).position(|window| window == b"\r\n\r\n") {
                return Ok(end + 4);
            }
            self.read_more().await?;
        }
    }

    async fn read_more(&mut self) -> Result<()> {
        match self.stream.read_buf(&mut self.buffer).await? {
            0 => Err(ErrorKind::UnexpectedEof.into()),
            _ => Ok(()),
        }
    }
}

/// Status and length of the body.
fn read_head(head: &[u8]) -> Result<(u16, usize)> {
    let unreadable = || Error::new(ErrorKind::InvalidData, "unreadable response");
    let text = str::from_utf8(head).map_err(|_| unreadable())?;
    let mut lines = text.split("\r\n");
    let status = lines.next().and_then(|line| line.get(9..12)?.parse().ok()).ok_or_else(unreadable)?;
    let mut length = 0;
    for (name, value) in lines.filter_map(|line| line.split_once(':')) {
        if name.eq_ignore_ascii_case("content-length") {
            length = value.trim().parse().map_err(|_| unreadable())?;
        }
        if name.eq_ignore_ascii_case("transfer-encoding") {
            return Err(unreadable());
        }
    }
    Ok((status, length))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answers_head_tells_its_status_and_length() {
        let head = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\ncontent-length: 42\r\n\r\n";
        assert_eq!(read_head(head).unwrap(), (200, 42));
        assert_eq!(read_head(b"HTTP/1.1 204 No Content\r\n\r\n").unwrap(), (204, 0));
        assert!(read_head(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n").is_err());
    }
}
