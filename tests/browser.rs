//! Tests that need a browser: an EventSource that survives restarts of the server, and the REST docs on a phone.

use std::net::TcpListener;
use std::process::Stdio;
use std::time::Duration;

use serde_json::json;
use tokio::io::{AsyncBufReadExt, BufReader, Lines};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};

use crate::support::server::repository;
use crate::support::service::seats_to_act;
use crate::support::{Database, Server, Service};

/// Opens an EventSource in Chromium and prints its events, a line each, until its input ends.
const SCRIPT: &str = r#"import { chromium } from 'playwright-core';
    const [executablePath, userData, address, path] = process.argv.slice(1);
    const args = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
      '--disable-background-networking', '--disable-component-update', '--disable-sync'];
    const browser = await chromium.launchPersistentContext(userData, { executablePath, args });
    process.stdin.on('end', async () => { await browser.close(); process.exit(0); }).resume();
    const page = await browser.newPage();
    await page.exposeFunction('say', (text) => console.log(text));
    await page.goto(address);
    await page.evaluate((path) => {
      const source = new EventSource(path);
      source.onopen = () => say('open');
      source.onerror = () => say(source.readyState === EventSource.CLOSED ? 'closed' : 'reconnecting');
      for (const name of ['change', 'resync']) {
        // An id is a version and the tag of its history.
        const versions = ({ data, lastEventId }) => `${JSON.parse(data).after} ${lastEventId.split('.')[0]}`;
        source.addEventListener(name, (event) => say(`${name} ${versions(event)}`));
      }
    }, path);"#;

/// Opens the REST docs at the size of a phone, and an operation in them. Fails if something is wrong there.
const DOCS: &str = r#"import { chromium } from 'playwright-core';
    const [executablePath, userData, address] = process.argv.slice(1);
    const args = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
      '--disable-background-networking', '--disable-component-update', '--disable-sync'];
    const viewport = { width: 360, height: 740 };
    const browser = await chromium.launchPersistentContext(userData, { executablePath, args, viewport });
    const page = await browser.newPage();
    page.setDefaultTimeout(100_000);
    const problems = [];
    page.on('pageerror', (error) => problems.push(String(error)));
    await page.goto(`${address}/docs/`);
    await page.locator('#operations-games-playMove button').first().click();
    await page.locator('#operations-games-playMove .responses-wrapper').waitFor();
    problems.push(...await page.locator('.errors-wrapper').allInnerTexts());
    const width = await page.evaluate(() => document.scrollingElement.scrollWidth);
    if (width > viewport.width) problems.push(`${width} pixels wide`);
    await browser.close();
    if (problems.length) throw new Error(problems.join('\n'));"#;

/// Runs a script in Node with the address of the service and a new profile of Chromium.
fn node(script: &str, service: &Service) -> Command {
    let peers = repository().join("target/test-peers");
    assert!(peers.join("node_modules/playwright-core").exists(), "run the tests by ./test, which fetches the client");
    let chromium = std::env::var("MAIDAN_TEST_CHROMIUM").unwrap_or("/usr/bin/chromium".into());
    let mut command = Command::new("node");
    command
        .args(["--input-type=module", "--eval", script, &chromium])
        .arg(service.server.home.directory.join("browser"))
        .arg(&service.server.address)
        .current_dir(&peers)
        .kill_on_drop(true);
    command
}

/// A page in Chromium that follows a game.
struct Page {
    lines: Lines<BufReader<ChildStdout>>,
    child: Child,
    input: ChildStdin,
}

impl Page {
    fn open(service: &Service, path: &str) -> Page {
        let mut child = node(SCRIPT, service)
            .arg(path)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("node is there");
        let lines = BufReader::new(child.stdout.take().expect("its output is piped")).lines();
        let input = child.stdin.take().expect("its input is piped");
        Page { lines, child, input }
    }

    async fn line(&mut self) -> String {
        let line = tokio::time::timeout(Duration::from_secs(60), self.lines.next_line()).await;
        line.expect("something happens in time").expect("it prints text").expect("it goes on")
    }

    /// Waits until this happens; changes must not come in the meantime.
    async fn wait_for(&mut self, what: &str) {
        loop {
            let line = self.line().await;
            if line == what {
                return;
            }
            assert!(["open", "reconnecting"].contains(&line.as_str()), "waiting for {what}: {line}");
        }
    }

    /// The next change: the version before it, and its own.
    async fn change(&mut self) -> (i64, i64) {
        loop {
            let line = self.line().await;
            match line.split(' ').collect::<Vec<_>>()[..] {
                ["change", after, version] => return (after.parse().unwrap(), version.parse().unwrap()),
                _ => assert!(["open", "reconnecting"].contains(&line.as_str()), "waiting for a change: {line}"),
            }
        }
    }

    async fn close(mut self) {
        drop(self.input);
        assert!(self.child.wait().await.expect("it ends").success());
    }
}

async fn an_event_source_survives_restarts(database: Database) {
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let listen = format!("127.0.0.1:{port}");
    let variables = [("MAIDAN_LISTEN", listen.as_str())];
    let mut service = Service::with(database, false, &variables).await;
    let home = service.server.home.clone();
    let (id, players) = service.kalah(json!({})).await;
    let ticket = service.ask(&players[0], "createStreamTicket", json!({})).await;
    let path = format!("/v1/games/{id}/events?ticket={}", ticket["ticket"].as_str().unwrap());
    let mut page = Page::open(&service, &path);
    let (_, mut seen) = page.change().await;

    let mut move_on = async |service: &Service, page: &mut Page| {
        let seat = seats_to_act(&service.game(&players[0], &id).await)[0];
        let moves = service.ask(&players[seat], "legalMoves", json!({ "gameId": id })).await;
        service.play(&players[seat], &id, moves["items"][0]["notation"].as_str().unwrap()).await;
        assert_eq!(page.change().await, (seen, seen + 1), "no entry is lost or repeated");
        seen += 1;
    };
    move_on(&service, &mut page).await;
    for is_killed in [false, true] {
        match is_killed {
            true => service.server.kill(),
            false => assert!(service.server.terminate()),
        }
        page.wait_for("reconnecting").await;
        service.server = Server::start(&home, &variables).await;
        move_on(&service, &mut page).await;
        move_on(&service, &mut page).await;
    }
    service.ask(&players[1], "resign", json!({ "gameId": id })).await;
    assert_eq!(page.change().await, (seen, seen + 1));
    page.wait_for("closed").await;
    page.close().await;
}

#[tokio::test]
async fn an_event_source_survives_restarts_on_sqlite() {
    an_event_source_survives_restarts(Database::Sqlite).await;
}

#[tokio::test]
async fn an_event_source_survives_restarts_on_postgres() {
    an_event_source_survives_restarts(Database::Postgres).await;
}

#[tokio::test]
async fn the_rest_docs_fit_a_phone() {
    let service = Service::with(Database::Sqlite, false, &[]).await;
    let run = tokio::time::timeout(Duration::from_secs(120), node(DOCS, &service).output()).await;
    let output = run.expect("it ends in time").expect("node is there");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}
