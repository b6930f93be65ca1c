//! Connections and bodies that never end.

use std::process::Stdio;

use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpSocket, TcpStream};

use crate::support::{Database, Service, eventually};

async fn service(variables: &[(&str, &str)]) -> Service {
    Service::with(Database::Sqlite, false, variables).await
}

/// Opens a connection and sends the beginning of a request.
async fn begin(service: &Service, path: &str, body: &str) -> TcpStream {
    let address = service.server.address.trim_start_matches("http://");
    let mut stream = TcpStream::connect(address).await.unwrap();
    let head =
        format!("POST {path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 5000\r\n\r\n");
    // A connection that is refused may be closed already.
    let _ = stream.write_all(format!("{head}{body}").as_bytes()).await;
    stream
}

async fn read_to_end(mut stream: TcpStream) -> String {
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer).await;
    String::from_utf8_lossy(&answer).into_owned()
}

#[tokio::test]
async fn a_body_that_stalls_gets_408_and_its_connection_is_closed() {
    let service = service(&[]).await;
    for path in ["/v1/players", "/graphql"] {
        let answer = read_to_end(begin(&service, path, "{").await).await;
        assert!(answer.starts_with("HTTP/1.1 408 ") && answer.contains("BODY_TIMEOUT"), "{path}: {answer}");
    }
    // One that trickles in ends, too.
    let mut stream = begin(&service, "/v1/players", "{").await;
    let trickle = async {
        while stream.write_all(b" ").await.is_ok() {
            tokio::time::sleep(std::time::Duration::from_millis(100)).await;
        }
    };
    tokio::time::timeout(std::time::Duration::from_secs(30), trickle).await.expect("the server closes it");
}

#[tokio::test]
async fn connections_from_one_address_are_limited_and_a_closed_one_makes_room() {
    let service = service(&[("MAIDAN_MAX_CONNECTIONS_PER_ADDRESS", "20")]).await;
    let mut open = Vec::new();
    for _ in 0..60 {
        open.push(begin(&service, "/v1/players", "").await);
    }
    let livez = format!("{}/livez", service.server.address);
    eventually("more are refused", async || service.server.count("maidan_refused_connections_total").await > 0).await;
    drop(open);
    eventually("there is room again", async || reqwest::get(&livez).await.is_ok()).await;
    // Connections of proxies are not counted.
    let behind =
        self::service(&[("MAIDAN_MAX_CONNECTIONS_PER_ADDRESS", "2"), ("MAIDAN_TRUST_PROXY", "Forwarded")]).await;
    let _open = [begin(&behind, "/v1/players", "").await, begin(&behind, "/v1/players", "").await];
    assert_eq!(reqwest::get(format!("{}/livez", behind.server.address)).await.unwrap().status(), 200);
}

/// Sends a request, and reads its whole answer.
async fn ask_once(stream: &mut TcpStream) -> std::io::Result<String> {
    stream.write_all(b"GET /livez HTTP/1.1\r\nHost: x\r\n\r\n").await?;
    let mut answer = vec![0; 4096];
    let mut length = 0;
    while !answer[..length].ends_with(b"alive") {
        match stream.read(&mut answer[length..]).await? {
            0 => return Err(std::io::ErrorKind::UnexpectedEof.into()),
            read => length += read,
        }
    }
    Ok(String::from_utf8_lossy(&answer[..length]).into_owned())
}

#[tokio::test]
async fn an_idle_connection_stays_open_for_as_long_as_the_setting_says() {
    let short = service(&[("MAIDAN_KEEP_ALIVE_SECONDS", "1")]).await;
    let usual = service(&[]).await;
    let connect = async |service: &Service| {
        TcpStream::connect(service.server.address.trim_start_matches("http://")).await.expect("it listens")
    };
    let (mut short_one, mut usual_one) = (connect(&short).await, connect(&usual).await);
    for stream in [&mut short_one, &mut usual_one] {
        assert!(ask_once(stream).await.expect("it answers").starts_with("HTTP/1.1 200"));
    }
    let mut rest = Vec::new();
    let closed = tokio::time::timeout(std::time::Duration::from_secs(30), short_one.read_to_end(&mut rest)).await;
    assert_eq!(closed.expect("the server closes it").expect("in order"), 0);
    assert!(ask_once(&mut usual_one).await.expect("it is still open").starts_with("HTTP/1.1 200"));
    // Common proxies keep theirs for 60 seconds: the server must not be the first to close.
    let settings = usual.server.home.read(&["config", "check"]);
    let line = settings.lines().find_map(|line| line.strip_prefix("MAIDAN_KEEP_ALIVE_SECONDS = "));
    let seconds: u32 = line.and_then(|line| line.split(' ').next()).expect("it is listed").parse().expect("a number");
    assert!(seconds > 60, "{seconds}");
}

/// Reads an answer up to its body.
async fn read_head(stream: &mut TcpStream) -> String {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(stream.read_u8().await.expect("it answers"));
    }
    String::from_utf8(head).expect("a head is text")
}

#[tokio::test]
async fn a_later_request_whose_head_stalls_loses_its_connection_and_an_answer_that_takes_long_does_not() {
    let service = service(&[("MAIDAN_KEEP_ALIVE_SECONDS", "1")]).await;
    let (id, [asha, _]) = service.kalah(serde_json::json!({})).await;
    let address = service.server.address.trim_start_matches("http://");
    let mut waiting = TcpStream::connect(address).await.unwrap();
    let version = service.game(&asha, &id).await["version"].clone();
    let asked = format!("?after={version}&wait=60");
    let head = format!("GET /v1/games/{id}{asked} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {}\r\n\r\n", asha.token);
    waiting.write_all(head.as_bytes()).await.unwrap();
    let mut following = TcpStream::connect(address).await.unwrap();
    following.write_all(head.replace(&asked, "/events").as_bytes()).await.unwrap();
    assert!(read_head(&mut following).await.starts_with("HTTP/1.1 200 "));

    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(b"GET /livez HTTP/1.1\r\nHost: x\r\n\r\n").await.unwrap();
    assert!(read_head(&mut stream).await.starts_with("HTTP/1.1 200 "));
    stream.read_exact(&mut [0; "alive".len()]).await.unwrap();
    stream.write_all(b"GET /livez HTTP/1.1\r\nHost: x\r\n").await.unwrap();
    // Far fewer lines than a head may have.
    let trickle = async {
        while stream.write_all(b"X-Line: more\r\n").await.is_ok() {
            tokio::time::sleep(std::time::Duration::from_millis(500)).await;
        }
    };
    tokio::time::timeout(std::time::Duration::from_secs(30), trickle).await.expect("the server closes it");
    assert!(service.server.count("maidan_stalled_connections_total").await > 0);
    // Both of the others were busy for as long.
    service.play(&asha, &id, "2").await;
    assert!(read_head(&mut waiting).await.starts_with("HTTP/1.1 200 "));
    following.read_exact(&mut [0; 1000]).await.expect("it goes on");
}

#[tokio::test]
async fn clients_that_do_not_receive_get_no_further_large_answers() {
    let service = service(&[]).await;
    let address = service.server.address.trim_start_matches("http://").parse().unwrap();
    let ask = async || {
        let socket = TcpSocket::new_v4().unwrap();
        socket.set_recv_buffer_size(4096).unwrap();
        let mut stream = socket.connect(address).await.unwrap();
        stream.write_all(b"GET /docs/swagger-ui-bundle.js HTTP/1.1\r\nHost: x\r\n\r\n").await.unwrap();
        let head = read_head(&mut stream).await;
        (stream, head)
    };
    let mut open = Vec::new();
    let refused = loop {
        let (stream, head) = ask().await;
        if !head.starts_with("HTTP/1.1 200 ") {
            break head;
        }
        open.push(stream);
        assert!(open.len() < 200, "each of them is more than a megabyte");
    };
    assert!(refused.starts_with("HTTP/1.1 503 "), "{refused}");
    let livez = format!("{}/livez", service.server.address);
    assert_eq!(reqwest::get(&livez).await.unwrap().status(), 200, "small ones are sent");
    drop(open);
    eventually("there is room again", async || ask().await.1.starts_with("HTTP/1.1 200 ")).await;
}

/// Two thousand connections of eight addresses, each with a body that stalls and is begun again when it is refused.
#[tokio::test]
async fn health_is_answered_while_two_thousand_bodies_stall() {
    let service = service(&[]).await;
    let script = r#"
import resource, socket, sys, time
limit = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))
host, port = sys.argv[1].split(':')
head = b'POST /v1/players HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n{'
open_ones = []
for n in range(2000):
    stream = socket.socket()
    stream.bind((f'127.0.1.{1 + n % 8}', 0))
    stream.connect((host, int(port)))
    stream.sendall(head)
    open_ones.append(stream)
print('open', flush=True)
time.sleep(60)
"#;
    let address = service.server.address.trim_start_matches("http://").to_string();
    let mut child = tokio::process::Command::new("python3")
        .args(["-c", script, &address])
        .stdout(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .expect("python3 is there");
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let health = service.server.metrics.replace("/metrics", "/readyz");
    let asha = service.guest("Asha").await;
    // While they are opened, and when all of them are open.
    let mut answered = 0;
    loop {
        tokio::select! {
            line = lines.next_line() => {
                assert_eq!(line.unwrap().as_deref(), Some("open"));
                break;
            }
            response = reqwest::get(&health) => {
                assert_eq!(response.unwrap().status(), 200);
                answered += 1;
            }
        }
    }
    assert!(answered > 0);
    for _ in 0..10 {
        assert_eq!(reqwest::get(&health).await.unwrap().status(), 200);
        assert_eq!(reqwest::get(format!("{}/readyz", service.server.address)).await.unwrap().status(), 200);
        service.ask(&asha, "me", serde_json::json!({})).await;
    }
}
