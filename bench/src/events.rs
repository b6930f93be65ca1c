//! A client for event streams, one game after the other on the same connection.

use std::io::{Error, ErrorKind, Result};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};

use crate::http::{Connection, request};

/// The sending half.
pub struct Speaker {
    stream: OwnedWriteHalf,
    token: String,
}

/// The receiving half.
pub struct Listener {
    stream: OwnedReadHalf,
    buffer: Vec<u8>,
    /// The number of bytes of the buffer already consumed.
    used: usize,
    /// Whether the client is inside the body of a response.
    is_streaming: bool,
}

pub async fn connect(address: &str, token: &str) -> Result<(Speaker, Listener)> {
    let (read, write) = Connection::open(address).await?.into_stream().into_split();
    let listener = Listener { stream: read, buffer: Vec::new(), used: 0, is_streaming: false };
    Ok((Speaker { stream: write, token: token.to_string() }, listener))
}

impl Speaker {
    /// Requests the stream of a game. It begins when the stream before it has ended, together with its game.
    pub async fn follow(&mut self, game: &str) -> Result<()> {
        let ask = request("GET", &format!("/v1/games/{game}/events"), &self.token, "", "");
        self.stream.write_all(&ask).await
    }
}

impl Listener {
    /// The next event or keep-alive comment.
    pub async fn hear(&mut self) -> Result<&[u8]> {
        self.buffer.drain(..self.used);
        self.used = 0;
        loop {
            match read_part(&self.buffer, self.is_streaming)? {
                Part::Head { end } => {
                    self.is_streaming = true;
                    self.buffer.drain(..end);
                }
                Part::Chunk { begin, end, next } => {
                    self.used = next;
                    return Ok(&self.buffer[begin..end]);
                }
                Part::End { next } => {
                    self.is_streaming = false;
                    self.buffer.drain(..next);
                }
                Part::NotWhole => {
                    if self.stream.read_buf(&mut self.buffer).await? == 0 {
                        return Err(ErrorKind::UnexpectedEof.into());
                    }
                }
            }
        }
    }
}

/// The part at the start of the bytes.
#[derive(Debug, PartialEq)]
enum Part {
    /// The head of a response with status 200.
    Head {
        end: usize,
    },
    Chunk {
        begin: usize,
        end: usize,
        next: usize,
    },
    End {
        next: usize,
    },
    NotWhole,
}

fn read_part(bytes: &[u8], is_streaming: bool) -> Result<Part> {
    let wrong = || Error::new(ErrorKind::InvalidData, format!("the stream says {}", String::from_utf8_lossy(bytes)));
    if !is_streaming {
        return match bytes.windows(4).position(|window| window == b"\r\n\r\n") {
            None => Ok(Part::NotWhole),
            Some(_) if !bytes.starts_with(b"HTTP/1.1 200") => Err(wrong()),
            Some(end) => Ok(Part::Head { end: end + 4 }),
        };
    }
    let Some(line) = bytes.windows(2).position(|window| window == b"\r\n") else { return Ok(Part::NotWhole) };
    let length = str::from_utf8(&bytes[..line]).ok().and_then(|digits| usize::from_str_radix(digits, 16).ok());
    let (begin, length) = (line + 2, length.ok_or_else(wrong)?);
    let (end, next) = (begin + length, begin + length + 2);
    Ok(match length {
        _ if bytes.len() < next => Part::NotWhole,
        0 => Part::End { next },
        _ => Part::Chunk { begin, end, next },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stream_is_read_part_by_part() {
        let read = |text: &str, is_streaming| read_part(text.as_bytes(), is_streaming).unwrap();
        assert_eq!(read("HTTP/1.1 200 OK\r\n\r\n6\r\n", false), Part::Head { end: 19 });
        assert_eq!(read("HTTP/1.1 200 OK\r\n", false), Part::NotWhole);
        assert_eq!(read("a\r\n0123456789\r\n0\r\n\r\n", true), Part::Chunk { begin: 3, end: 13, next: 15 });
        assert_eq!(read("a\r\n0123456789", true), Part::NotWhole);
        assert_eq!(read("0\r\n\r\nHTTP/1.1 200 OK", true), Part::End { next: 5 });
        assert!(read_part(b"HTTP/1.1 404 Not Found\r\n\r\n", false).is_err());
    }
}
