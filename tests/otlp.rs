//! Spans as a collector receives them. In builds with the feature `otlp` alone: `./test --features maidan/otlp otlp`.

use reqwest::Client;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;

use crate::support::server::Home;
use crate::support::streams::DEADLINE;
use crate::support::{Database, Server};

/// Takes requests as a collector does, and passes their first line and body on.
async fn collect(connection: TcpStream, received: mpsc::UnboundedSender<(String, Vec<u8>)>) -> std::io::Result<()> {
    let mut connection = BufReader::new(connection);
    loop {
        let (mut first, mut length) = (String::new(), 0);
        if connection.read_line(&mut first).await? == 0 {
            return Ok(());
        }
        loop {
            let mut line = String::new();
            connection.read_line(&mut line).await?;
            if let Some(value) = line.to_lowercase().strip_prefix("content-length:") {
                length = value.trim().parse().expect("a number");
            }
            if line.trim().is_empty() {
                break;
            }
        }
        let mut body = vec![0; length];
        connection.read_exact(&mut body).await?;
        connection.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n").await?;
        let _ = received.send((first, body));
    }
}

fn contains(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|window| window == part)
}

#[tokio::test]
async fn a_collector_gets_the_span_of_a_request_in_the_trace_of_its_client() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port is free");
    let endpoint = format!("http://{}", listener.local_addr().expect("it is bound"));
    let (sender, mut received) = mpsc::unbounded_channel();
    tokio::spawn(async move {
        while let Ok((connection, _)) = listener.accept().await {
            tokio::spawn(collect(connection, sender.clone()));
        }
    });
    let home = Home::new(Database::Sqlite).await;
    let variables = [("OTEL_EXPORTER_OTLP_ENDPOINT", endpoint.as_str()), ("OTEL_BSP_SCHEDULE_DELAY", "50")];
    let mut server = Server::start(&home, &variables).await;
    let trace = "0af7651916cd43dd8448eb211c80319c";
    let sent = format!("00-{trace}-b7ad6b7169203331-01");
    let ask = Client::new().get(format!("{}/v1/kinds", server.address)).header("traceparent", &sent);
    let answer = ask.send().await.expect("it answers");
    let returned = answer.headers()["traceparent"].to_str().expect("it is text").to_string();
    assert!(returned.starts_with(&format!("00-{trace}-")) && returned != sent, "{returned}");

    let bytes: Vec<u8> =
        (0..16).map(|at| u8::from_str_radix(&trace[2 * at..2 * at + 2], 16).expect("it is hexadecimal")).collect();
    let found = async {
        while let Some((first, body)) = received.recv().await {
            assert!(first.starts_with("POST /v1/traces "), "{first}");
            if contains(&body, &bytes) {
                return body;
            }
        }
        panic!("the collector has ended");
    };
    let body = tokio::time::timeout(DEADLINE, found).await.expect("the span arrives");
    for part in ["maidan", "GET /v1/kinds", "http.response.status_code"] {
        assert!(contains(&body, part.as_bytes()), "{part}");
    }
    assert!(server.terminate(), "it ends well although it exports");
}
