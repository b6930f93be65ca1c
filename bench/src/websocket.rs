//! A minimal graphql-transport-ws client for following games.

use std::io::{Error, ErrorKind, Result};

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};

use crate::http::Connection;

const TEXT: u8 = 1;
const CLOSE: u8 = 8;

/// The sending half.
pub struct Speaker(OwnedWriteHalf);

/// The receiving half.
pub struct Listener {
    stream: OwnedReadHalf,
    buffer: Vec<u8>,
    /// The number of bytes of the buffer already consumed.
    used: usize,
}

/// Opens an authenticated socket.
pub async fn connect(address: &str, token: &str) -> Result<(Speaker, Listener)> {
    let ask = "GET /graphql HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
        Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: bWFpZGFuLW1haWRhbi0uLg==\r\n\
        Sec-WebSocket-Protocol: graphql-transport-ws\r\n\r\n";
    let (stream, buffer) = Connection::open(address).await?.upgrade(ask.as_bytes()).await?;
    let (read, write) = stream.into_split();
    let (mut speaker, mut listener) = (Speaker(write), Listener { stream: read, buffer, used: 0 });
    let authorization = format!("Bearer {token}");
    speaker.say(&json!({ "type": "connection_init", "payload": { "Authorization": authorization } })).await?;
    let answer = listener.hear().await?;
    match contains(answer, b"\"connection_ack\"") {
        true => Ok((speaker, listener)),
        false => Err(wrong(answer)),
    }
}

impl Speaker {
    pub async fn subscribe(&mut self, id: usize, query: &str, variables: Value) -> Result<()> {
        let payload = json!({ "query": query, "variables": variables });
        self.say(&json!({ "type": "subscribe", "id": id.to_string(), "payload": payload })).await
    }

    async fn say(&mut self, message: &Value) -> Result<()> {
        self.0.write_all(&frame(message.to_string().as_bytes())).await
    }
}

impl Listener {
    /// The next message.
    pub async fn hear(&mut self) -> Result<&[u8]> {
        self.buffer.drain(..self.used);
        self.used = 0;
        loop {
            match read_frame(&self.buffer) {
                Some((TEXT, payload, end)) => {
                    self.used = end;
                    return Ok(&self.buffer[payload..end]);
                }
                Some((CLOSE, payload, end)) => return Err(wrong(&self.buffer[payload..end])),
                // Pings are ignored: the run is shorter than the server's timeout.
                Some((_, _, end)) => drop(self.buffer.drain(..end)),
                None => {
                    if self.stream.read_buf(&mut self.buffer).await? == 0 {
                        return Err(ErrorKind::UnexpectedEof.into());
                    }
                }
            }
        }
    }
}

/// A text message in one frame. Clients must mask their payload; a mask of zeros leaves it unchanged.
fn frame(text: &[u8]) -> Vec<u8> {
    let mut frame = vec![0x80 | TEXT];
    match u16::try_from(text.len()).expect("the messages of the protocol are short").to_be_bytes() {
        [0, short @ 0..126] => frame.push(0x80 | short),
        long => {
            frame.push(0x80 | 126);
            frame.extend(long);
        }
    }
    frame.extend([0; 4]);
    frame.extend(text);
    frame
}

/// The kind of the first frame, and where its payload begins and ends; `None` if it is incomplete.
fn read_frame(bytes: &[u8]) -> Option<(u8, usize, usize)> {
    let (kind, short) = (bytes.first()? & 0x0f, bytes.get(1)? & 0x7f);
    let (begin, length) = match short {
        126 => (4, u16::from_be_bytes(bytes.get(2..4)?.try_into().ok()?).into()),
        127 => (10, usize::try_from(u64::from_be_bytes(bytes.get(2..10)?.try_into().ok()?)).ok()?),
        short => (2, short.into()),
    };
    (bytes.len() >= begin + length).then_some((kind, begin, begin + length))
}

pub fn contains(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|window| window == part)
}

fn wrong(said: &[u8]) -> Error {
    Error::new(ErrorKind::InvalidData, format!("the socket says {}", String::from_utf8_lossy(said)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_is_read_when_it_is_whole() {
        let bytes = [&[0x81, 2][..], b"hi", &[0x81, 126, 1, 0][..], &[b'x'; 256]].concat();
        assert_eq!(read_frame(&bytes), Some((TEXT, 2, 4)));
        assert_eq!(read_frame(&bytes[4..]), Some((TEXT, 4, 260)));
        assert_eq!(read_frame(&bytes[4..100]), None);
        assert_eq!(read_frame(&bytes[..1]), None);
    }

    #[test]
    fn a_client_masks_what_it_sends() {
        assert_eq!(frame(b"hi"), [0x81, 0x82, 0, 0, 0, 0, b'h', b'i']);
        assert_eq!(frame(&[b'x'; 300])[..8], [0x81, 0xfe, 1, 44, 0, 0, 0, 0]);
    }
}
