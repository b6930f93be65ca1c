//! How fast Maidan is, held against what it stands on and what it stands beside. See README.md.

mod club;
mod engine;
mod figures;
mod floor;
mod graphql;
mod http;
mod live;
mod machine;
mod peers;
mod plan;
mod play;
mod process;
mod reads;
mod report;
mod server;
mod sizes;
mod websocket;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::Parser;
use domain::Kind;
use tokio::signal::unix::{SignalKind, signal};

use club::Club;
use figures::{bytes, grouped, millis, ratio};
use play::{Door, Pace, Played, Session, play};
use report::Report;
use server::{Postgres, Program};

pub type Result<T> = std::result::Result<T, Box<dyn std::error::Error + Send + Sync>>;

/// How many tables play at once where only one number is measured.
const TABLES: usize = 128;
const GROWTH: [usize; 5] = [1, 8, 32, 128, 512];
const FLOOR_CONNECTIONS: [usize; 3] = [8, 16, 32];
/// Tables of Kalah at which Maidan and boardgame.io are compared, each at its best.
const COMPARED: [usize; 3] = [8, 32, 128];

/// Measures Maidan. Meant to be started by `bench/run`, which builds what is needed and cleans up.
#[derive(Parser)]
struct Flags {
    /// The program to measure
    #[arg(long, default_value = "target/release/maidan")]
    maidan: PathBuf,
    /// postgres://… of a server that is ours alone, without a database's name
    #[arg(long)]
    postgres: String,
    /// The process id of that server
    #[arg(long)]
    postmaster: u32,
    /// Where that server's programs are
    #[arg(long)]
    postgres_bin: PathBuf,
    /// Where boardgame.io and OpenSpiel are installed
    #[arg(long, default_value = "target/bench-peers")]
    peers: PathBuf,
    /// Everything, but shortly
    #[arg(long)]
    quick: bool,
    /// Only these parts
    #[arg(long, value_delimiter = ',')]
    only: Vec<Part>,
    /// Only games of this kind, instead of all in turn
    #[arg(long)]
    kind: Option<Kind>,
    /// Tables that play at once, instead of 1, 8, 32, 128 and 512, one after the other
    #[arg(long, value_delimiter = ',')]
    tables: Vec<usize>,
    /// The door that moves go through
    #[arg(long, value_enum, default_value_t = Door::Rest)]
    door: Door,
    /// Seconds that each measurement takes
    #[arg(long)]
    seconds: Option<u64>,
    /// Send an idempotency key with every move
    #[arg(long)]
    keys: bool,
    /// Where to write the results
    #[arg(long)]
    results: Option<PathBuf>,
}

/// The parts, in the order in which they are measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Part {
    Moves,
    Half,
    Doors,
    Floor,
    Peers,
    Reads,
    Live,
    Memory,
    Engine,
    Start,
}

impl Flags {
    fn wants(&self, part: Part) -> bool {
        self.only.is_empty() || self.only.contains(&part)
    }

    fn kinds(&self) -> Vec<Kind> {
        self.kind.map_or(Kind::ALL.to_vec(), |kind| vec![kind])
    }

    fn time(&self) -> Duration {
        Duration::from_secs(self.seconds.unwrap_or(if self.quick { 2 } else { 8 }))
    }

    fn session(&self) -> Session {
        let warm_up = self.time() / 4;
        Session { door: self.door, pace: Pace::Full, warm_up, time: self.time(), keys: self.keys }
    }
}

fn main() -> ExitCode {
    if let Ok(size) = std::env::var(reads::BARE) {
        return reads::serve_bare(size.parse().unwrap_or(0)).map_or(ExitCode::FAILURE, |()| ExitCode::SUCCESS);
    }
    let flags = Flags::parse();
    // One thread is enough for clients that only send, and leaves the other cores to what is measured.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime can be made");
    let done = runtime.block_on(async {
        let mut ended = signal(SignalKind::terminate())?;
        // Whatever ends the run, the processes that it started end with it.
        tokio::select! {
            done = run(&flags) => done,
            _ = tokio::signal::ctrl_c() => Err("interrupted".into()),
            _ = ended.recv() => Err("ended".into()),
        }
    });
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("bench: {error}");
            ExitCode::FAILURE
        }
    }
}

async fn run(flags: &Flags) -> Result<()> {
    let mut bench = Bench {
        flags,
        postgres: Postgres { url: flags.postgres.clone(), postmaster: flags.postmaster },
        program: Program(flags.maidan.canonicalize()?),
        report: Report::default(),
        best: None,
    };
    if flags.wants(Part::Moves) {
        bench.moves().await?;
    }
    if flags.wants(Part::Half) {
        bench.half().await?;
    }
    if flags.wants(Part::Doors) {
        bench.doors().await?;
    }
    if flags.wants(Part::Floor) {
        bench.floor().await?;
    }
    if flags.wants(Part::Peers) {
        bench.peers().await?;
    }
    if flags.wants(Part::Reads) {
        bench.reads().await?;
    }
    if flags.wants(Part::Live) {
        bench.live().await?;
    }
    if flags.wants(Part::Memory) {
        bench.memory().await?;
    }
    if flags.wants(Part::Engine) {
        bench.engine()?;
    }
    if flags.wants(Part::Start) {
        bench.start()?;
    }
    let text = bench.report.text(&machine::describe(&flags.postgres_bin));
    println!("{text}");
    if let Some(file) = &flags.results {
        std::fs::write(file, text)?;
    }
    Ok(())
}

struct Bench<'a> {
    flags: &'a Flags,
    postgres: Postgres,
    program: Program,
    report: Report,
    /// The highest rate of moves, and at how many tables.
    best: Option<(f64, usize)>,
}

impl Bench<'_> {
    fn say(&self, text: &str) {
        eprintln!("{text}");
    }

    async fn club(&self) -> Result<Club> {
        Club::open(&self.program, self.postgres.database().await?).await
    }

    /// One session at so many tables. `rate` is what it will come to, about; too little and it ends early.
    async fn session(&self, club: &mut Club, count: usize, rate: f64, session: &Session) -> Result<Played> {
        let mut tables = club.tables(&self.flags.kinds(), count).await?;
        let moves = 1.3 * rate * (session.time + session.warm_up).as_secs_f64();
        club.deal(&mut tables, moves as usize, false).await?;
        play(club, tables, session).await
    }

    /// The rate to prepare for, before it is known.
    fn guess(&self, count: usize) -> f64 {
        self.best.map_or(0.0, |(rate, _)| rate).max(1500.0 * count.min(6) as f64)
    }

    async fn moves(&mut self) -> Result<()> {
        let counts = if self.flags.tables.is_empty() { GROWTH.to_vec() } else { self.flags.tables.clone() };
        let mut club = self.club().await?;
        for count in counts {
            self.say(&format!("moves at {count} tables"));
            let played = self.session(&mut club, count, 1.5 * self.guess(count), &self.flags.session()).await?;
            self.report.played(&format!("moves at {count} tables"), &played);
            if self.best.is_none_or(|(rate, _)| played.rate() > rate) {
                self.best = Some((played.rate(), count));
            }
        }
        let logs = sizes::logs(&club.database).await?;
        let head = ["kind", "moves per game", "log per move", "log per game", "position"];
        self.report.section("The log", &head, &logs);
        Ok(())
    }

    /// Half of the full load, whether or not the service keeps up.
    async fn half(&mut self) -> Result<()> {
        let (rate, count) = self.best.unwrap_or((self.guess(TABLES), TABLES));
        self.say("half of that load");
        let pace = Pace::PerSecond(rate / 2.0);
        let mut club = self.club().await?;
        let session = Session { pace, ..self.flags.session() };
        let played = self.session(&mut club, count, rate / 2.0, &session).await?;
        self.report.played(&format!("moves at half of that load, {count} tables"), &played);
        Ok(())
    }

    /// The other door, and moves that can be sent again.
    async fn doors(&mut self) -> Result<()> {
        let (rate, count) = self.best.unwrap_or((self.guess(TABLES), TABLES));
        let other = match self.flags.door {
            Door::Rest => ("GraphQL", Door::Graphql),
            Door::Graphql => ("REST", Door::Rest),
        };
        let mut club = self.club().await?;
        self.say("moves by the other door");
        let session = Session { door: other.1, ..self.flags.session() };
        let played = self.session(&mut club, count, 1.5 * rate, &session).await?;
        self.report.played(&format!("moves at {count} tables by {}", other.0), &played);
        self.say("moves with idempotency keys");
        let session = Session { keys: true, ..self.flags.session() };
        let played = self.session(&mut club, count, 1.5 * rate, &session).await?;
        self.report.played(&format!("moves at {count} tables with idempotency keys"), &played);
        Ok(())
    }

    async fn floor(&mut self) -> Result<()> {
        let ours = self.best.map_or(0.0, |(rate, _)| rate);
        let pgbench = self.flags.postgres_bin.join("pgbench");
        let Session { warm_up, time, .. } = self.flags.session();
        let mut highest: Option<(String, floor::Floor)> = None;
        for connections in FLOOR_CONNECTIONS {
            for is_pgbench in [true, false] {
                let what = format!(
                    "the floor: {connections} connections, {}",
                    if is_pgbench { "pgbench" } else { "by this tool" }
                );
                self.say(&what);
                let club = self.club().await?;
                let mut tables = club.tables(&self.flags.kinds(), TABLES).await?;
                let floor = if is_pgbench {
                    club.deal(&mut tables, 1, true).await?;
                    floor::by_pgbench(&pgbench, &club.database, &tables, connections, warm_up, time).await?
                } else {
                    let moves = (warm_up + time).as_secs_f64() * 14_000.0;
                    club.deal(&mut tables, moves as usize, true).await?;
                    floor::by_hand(&club, tables, connections, warm_up, time).await?
                };
                self.report.floor(&what, &floor, ours);
                if highest.as_ref().is_none_or(|(_, highest)| floor.rate > highest.rate) {
                    highest = Some((what, floor));
                }
            }
        }
        if let Some((_, floor)) = highest {
            self.report.floor("**the floor at its best**", &floor, ours);
        }
        Ok(())
    }

    /// Kalah with both players told of every move, here and by boardgame.io.
    async fn peers(&mut self) -> Result<()> {
        let dash = || ["-"; 4].map(String::from);
        let mut ours: f64 = 0.0;
        for count in COMPARED {
            let what = format!("Kalah at {count} tables, both players told");
            self.say(&what);
            match self.followed(count, Pace::Full).await {
                Ok(live) => {
                    ours = ours.max(live.rate());
                    self.report.row(&what, live.rate(), Some(&live.told), dash(), "-".into());
                }
                Err(error) => self.report.missing(&what, &error.to_string()),
            }
        }
        let theirs = peers::BoardgameIo {
            packages: self.flags.peers.join("boardgame.io"),
            files: "bench/peers/boardgame.io".into(),
        };
        for on_postgres in [false, true] {
            let place = if on_postgres { "on Postgres" } else { "in memory" };
            let mut best: Option<(f64, figures::Times, usize)> = None;
            let mut trouble = "nothing was measured".to_string();
            for count in COMPARED {
                self.say(&format!("boardgame.io {place}, {count} tables"));
                let database = if on_postgres { Some(self.postgres.database().await?.url) } else { None };
                match theirs.play(database.as_deref(), count, self.flags.time()) {
                    Ok((rate, times)) if best.as_ref().is_none_or(|(best, ..)| rate > *best) => {
                        best = Some((rate, times, count));
                    }
                    Ok(_) => {}
                    Err(error) => trouble = error.to_string(),
                }
            }
            match best {
                Some((rate, times, count)) => {
                    let what = format!("Kalah by boardgame.io {place}, at its best {count} tables");
                    self.report.row(&what, rate, Some(&times), dash(), ratio(ours, rate));
                }
                None => self.report.missing(&format!("Kalah by boardgame.io {place}"), &trouble),
            }
        }
        Ok(())
    }

    /// Tables of Kalah whose players all follow by WebSocket.
    async fn followed(&self, count: usize, pace: Pace) -> Result<live::Live> {
        let mut club = self.club().await?;
        let mut tables = club.tables(&[Kind::Kalah], count).await?;
        let session = self.flags.session();
        let rate = match pace {
            Pace::Full => 1.5 * self.guess(count),
            Pace::PerSecond(rate) => rate,
        };
        let moves = 1.3 * rate * (session.time + session.warm_up).as_secs_f64();
        club.deal(&mut tables, moves as usize, false).await?;
        live::follow(&mut club, tables, pace, session.warm_up, session.time).await
    }

    /// Many sockets on one process, while every game has a move per second.
    async fn live(&mut self) -> Result<()> {
        let games = if self.flags.quick { 20 } else { 500 };
        self.say(&format!("{} sockets following {games} games", 2 * games));
        let head = ["sockets", "games", "moves/s", "delivery p50", "p99", "p99.9", "memory per socket"];
        let row = match self.followed(games, Pace::PerSecond(games as f64)).await {
            Ok(live) => vec![
                grouped(live.sockets as f64),
                grouped(games as f64),
                grouped(live.rate()),
                live.delivered.p50(),
                live.delivered.p99(),
                live.delivered.p999(),
                bytes(live.per_socket),
            ],
            Err(error) => vec![format!("not measured: {error}")],
        };
        self.report.section("Live: WebSockets, from sending a move to its delivery", &head, &[row]);
        Ok(())
    }

    async fn reads(&mut self) -> Result<()> {
        self.say("reads");
        let mut club = self.club().await?;
        let mut tables = club.tables(&self.flags.kinds(), TABLES / 2).await?;
        club.deal(&mut tables, 1, false).await?;
        let questions = reads::questions(&mut club, &tables).await?;
        let dash = || ["-"; 4].map(String::from);
        let connections = 32;
        let reads = reads::read(&club.server.address, &questions, connections, self.flags.time()).await?;
        let what = format!("reads: game, view and legal moves, {} on average", bytes(reads.size as f64));
        self.report.row(&what, reads.rate, Some(&reads.times), dash(), "-".into());
        drop(club);
        let bare = reads::Bare::start(reads.size)?;
        let theirs = reads::read(&bare.address, &questions, connections, self.flags.time()).await?;
        let what = "reads: a bare actix handler, as many bytes";
        self.report.row(what, theirs.rate, Some(&theirs.times), dash(), ratio(reads.rate, theirs.rate));
        Ok(())
    }

    async fn memory(&mut self) -> Result<()> {
        let steps = if self.flags.quick { [200, 1000] } else { [10_000, 100_000] };
        let club = self.club().await?;
        let tables = club.tables(&self.flags.kinds(), 100).await?;
        let empty = club.server.memory();
        let mut rows = vec![vec!["0".to_string(), bytes(empty as f64), "-".into()]];
        let mut dealt = 0;
        for games in steps {
            self.say(&format!("memory for {games} games under way"));
            sizes::fill(&club, &tables, dealt, games).await?;
            dealt = games;
            let memory = club.server.memory();
            let each = memory.saturating_sub(empty) as f64 / games as f64;
            rows.push(vec![grouped(games as f64), bytes(memory as f64), bytes(each)]);
        }
        self.report.section("Memory of the service", &["games under way", "in use", "per game"], &rows);
        Ok(())
    }

    fn engine(&mut self) -> Result<()> {
        let time = if self.flags.quick { Duration::from_millis(300) } else { Duration::from_secs(2) };
        let mut rows = Vec::new();
        for kind in Kind::ALL {
            self.say(&format!("random games of {kind}"));
            let speed = engine::random_games(*kind, time)?;
            rows.push(vec![kind.to_string(), grouped(speed.games), grouped(speed.moves)]);
        }
        self.report.section("The rules, random games on one core", &["kind", "games/s", "moves/s"], &rows);
        self.say("Kalah beside OpenSpiel");
        let python = self.flags.peers.join("openspiel/bin/python");
        let script = std::path::Path::new("bench/peers/openspiel.py");
        let (mut ours, mut theirs) = (Vec::new(), Vec::new());
        // By turns, so that whatever else the machine does meets both.
        for _ in 0..3 {
            ours.push(engine::random_games(Kind::Kalah, time)?.games);
            theirs.push(engine::openspiel(&python, script, time));
        }
        let theirs: Result<Vec<f64>> = theirs.into_iter().collect();
        let row = match theirs {
            Ok(theirs) => {
                let middle = |mut of: Vec<f64>| {
                    of.sort_by(f64::total_cmp);
                    of[of.len() / 2]
                };
                let (ours, theirs) = (middle(ours), middle(theirs));
                vec![grouped(ours), grouped(theirs), ratio(ours, theirs)]
            }
            Err(error) => vec![grouped(ours[0]), format!("not to be had: {error}"), "-".into()],
        };
        let head = ["Maidan, games/s", "OpenSpiel, games/s", "ours, compared"];
        self.report.section("Kalah, random games on one core, the middle of three", &head, &[row]);
        Ok(())
    }

    fn start(&mut self) -> Result<()> {
        self.say("start and size");
        let start = sizes::start_embedded(&self.program, 5)?;
        let rows = [
            vec!["from start to ready on an empty embedded database".to_string(), millis(start)],
            vec!["the program".to_string(), bytes(self.program.size()? as f64)],
        ];
        self.report.section("Start and size", &["what", "how much"], &rows);
        Ok(())
    }
}
