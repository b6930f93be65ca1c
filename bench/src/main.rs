//! Measures Maidan against Postgres alone, boardgame.io and OpenSpiel. See README.md.

mod club;
mod drawing;
mod engine;
mod events;
mod figures;
mod floor;
mod graphql;
mod http;
mod live;
mod machine;
mod mix;
mod pace;
mod peers;
mod plan;
mod play;
mod process;
mod reads;
mod report;
mod server;
mod sizes;
mod stops;
mod thinking;
mod websocket;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::Parser;
use domain::Kind;
use tokio::signal::unix::{SignalKind, signal};

use club::Club;
use figures::{bytes, grouped, millis, ratio, whole};
use live::Way;
use pace::Pace;
use peers::{BoardgameIo, Host, KalahRun};
use play::{Api, Played, Session, play};
use report::Report;
use server::{Postgres, Program};
use stops::Stops;
use thinking::{Burner, Thinking};

pub type Result<T> = std::result::Result<T, Box<dyn std::error::Error + Send + Sync>>;

/// The number of tables for parts that measure only one number.
const TABLES: usize = 32;
const GROWTH: [usize; 5] = [1, 8, 32, 128, 512];
const FLOOR_CONNECTIONS: [usize; 3] = [8, 16, 32];
/// Connections of the floor at half the load: more are hardly faster in total, and slower each.
const HALF_CONNECTIONS: usize = 16;
/// The number of games over which the floor's moves are spread.
const FLOOR_GAMES: usize = 128;
/// Connections for reads.
const READERS: usize = 32;
/// More rounds of the mix than any machine makes in a second, and the size of the answers in them.
const MIXED_PER_SECOND: usize = 4_000;
const MIXED_BYTES: usize = 2_000;
/// The number of games for measuring the start on a large database.
const MANY: usize = 1_000_000;
/// Numbers of tables of Kalah for Maidan and boardgame.io; each is compared at its best.
const COMPARED: [usize; 4] = [8, 32, 64, 128];

/// Measures Maidan. Start it with `bench/run`, which builds everything and cleans up.
#[derive(Parser)]
struct Flags {
    /// The program to measure
    #[arg(long, default_value = "target/dist/maidan")]
    maidan: PathBuf,
    /// postgres://… of a private server, without a database name
    #[arg(long)]
    postgres: String,
    /// The process id of that server
    #[arg(long)]
    postmaster: u32,
    /// The directory of that server's programs
    #[arg(long)]
    postgres_bin: PathBuf,
    /// The directory where boardgame.io and OpenSpiel are installed
    #[arg(long, default_value = "target/bench-peers")]
    peers: PathBuf,
    /// Measure everything, but briefly
    #[arg(long)]
    quick: bool,
    /// Only these parts
    #[arg(long, value_delimiter = ',')]
    only: Vec<Part>,
    /// Only games of this kind, instead of all kinds in turn
    #[arg(long)]
    kind: Option<Kind>,
    /// Number of tables, instead of 1, 8, 32, 128 and 512 in turn
    #[arg(long, value_delimiter = ',')]
    tables: Vec<usize>,
    /// The API that moves go through
    #[arg(long, value_enum, default_value_t = Api::Rest)]
    api: Api,
    /// Seconds per measurement
    #[arg(long)]
    seconds: Option<u64>,
    /// Send an idempotency key with every move
    #[arg(long)]
    keys: bool,
    /// File to write the results to
    #[arg(long)]
    results: Option<PathBuf>,
}

/// The parts, in the order in which they are measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Part {
    Moves,
    Floor,
    Half,
    Bots,
    Apis,
    Peers,
    Reads,
    Mix,
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

    /// Repetitions of a comparison, in alternation, so that other load on the machine affects both sides.
    fn rounds(&self) -> usize {
        if self.quick { 1 } else { 3 }
    }

    /// The number of tables for parts that measure only one number.
    fn tables(&self) -> usize {
        self.tables.first().copied().unwrap_or(TABLES)
    }

    fn session(&self) -> Session {
        let warm_up = self.time() / 4;
        Session { api: self.api, pace: Pace::Full, warm_up, time: self.time(), keys: self.keys }
    }
}

fn main() -> ExitCode {
    if let Ok(size) = std::env::var(reads::BARE) {
        return reads::serve_bare(size.parse().unwrap_or(0)).map_or(ExitCode::FAILURE, |()| ExitCode::SUCCESS);
    }
    if std::env::var(thinking::BURN).is_ok() {
        thinking::burn();
        return ExitCode::SUCCESS;
    }
    let flags = Flags::parse();
    // One thread is enough for clients that only send, and leaves the other cores to the service.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime can be made");
    let done = runtime.block_on(async {
        let mut ended = signal(SignalKind::terminate())?;
        // However the run ends, the processes that it started end with it.
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
    let stops = Stops::watch();
    let mut bench = Bench {
        flags,
        postgres: Postgres { url: flags.postgres.clone(), postmaster: flags.postmaster },
        program: Program(flags.maidan.canonicalize()?),
        report: Report::default(),
        load: None,
    };
    if flags.wants(Part::Moves) {
        bench.moves().await?;
    }
    if flags.wants(Part::Floor) {
        bench.floor().await?;
    }
    if flags.wants(Part::Half) {
        bench.half().await?;
    }
    if flags.wants(Part::Bots) {
        bench.bots().await?;
    }
    if flags.wants(Part::Apis) {
        bench.apis().await?;
    }
    if flags.wants(Part::Peers) {
        bench.peers().await?;
    }
    if flags.wants(Part::Reads) {
        bench.reads().await?;
    }
    if flags.wants(Part::Mix) {
        bench.mix().await?;
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
        bench.start().await?;
    }
    let mut about = machine::describe(&flags.postgres_bin);
    about.push(stops.describe());
    let text = bench.report.text(&about);
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
    /// The rate of moves at [`Flags::tables`].
    load: Option<f64>,
}

impl Bench<'_> {
    fn say(&self, text: &str) {
        eprintln!("{text}");
    }

    async fn club(&self) -> Result<Club> {
        Club::open(&self.program, self.postgres.database().await?).await
    }

    /// One session at this many tables. `rate` is the expected rate; if it is too low, the session ends early.
    async fn session(&self, club: &mut Club, count: usize, rate: f64, session: &Session) -> Result<Played> {
        let mut tables = club.tables(&self.flags.kinds(), count).await?;
        let moves = 1.3 * rate * (session.time + session.warm_up).as_secs_f64();
        club.deal(&mut tables, whole(moves), false).await?;
        play(club, tables, session).await
    }

    /// The rate to prepare for, before it is known.
    fn guess(&self, count: usize) -> f64 {
        self.load.unwrap_or(0.0).max(2000.0 * count.min(6) as f64)
    }

    async fn moves(&mut self) -> Result<()> {
        let counts = if self.flags.tables.is_empty() { GROWTH.to_vec() } else { self.flags.tables.clone() };
        let mut club = self.club().await?;
        for count in counts {
            let what = format!("moves at {count} tables");
            self.say(&what);
            let played = self.session(&mut club, count, 1.5 * self.guess(count), &self.flags.session()).await?;
            self.report.played(&what, &played);
            if count == self.flags.tables() {
                self.load = Some(played.rate());
            }
        }
        let logs = sizes::logs(&club.database).await?;
        let head = ["kind", "moves per game", "log per move", "log per game", "position"];
        self.report.section("The log", &head, &logs);
        Ok(())
    }

    /// Moves by the service and by the database alone, in alternation.
    async fn floor(&mut self) -> Result<()> {
        let count = self.flags.tables();
        let mut ours: Vec<Played> = Vec::new();
        let mut floors: Vec<(String, Vec<floor::Floor>)> = Vec::new();
        for round in 1..=self.flags.rounds() {
            self.say(&format!("moves at {count} tables beside the floor, {round}"));
            let mut club = self.club().await?;
            let played = self.session(&mut club, count, 1.5 * self.guess(count), &self.flags.session()).await?;
            self.say(&format!("  {}", grouped(played.rate())));
            ours.push(played);
            drop(club);
            let mut place = 0;
            for connections in FLOOR_CONNECTIONS {
                for is_pgbench in [true, false] {
                    let tool = if is_pgbench { "pgbench" } else { "by this tool" };
                    let what = format!("the floor: {connections} connections, {tool}");
                    let floor = match is_pgbench {
                        true => self.floor_by_pgbench(connections).await?,
                        false => self.floor_by_hand(connections, Pace::Full, &self.flags.session()).await?,
                    };
                    self.say(&format!("  {what}: {}", grouped(floor.rate)));
                    if floors.len() == place {
                        floors.push((what, Vec::new()));
                    }
                    floors[place].1.push(floor);
                    place += 1;
                }
            }
        }
        let ours = middle(ours, Played::rate);
        self.load = Some(ours.rate());
        self.report.played(&format!("**moves at {count} tables**, beside the floor"), &ours);
        let mut highest: Option<floor::Floor> = None;
        for (what, floors) in floors {
            let floor = middle(floors, |floor| floor.rate);
            self.report.floor(&what, &floor, ours.rate());
            if highest.as_ref().is_none_or(|highest| floor.rate > highest.rate) {
                highest = Some(floor);
            }
        }
        if let Some(floor) = highest {
            self.report.floor("**the floor at its best**", &floor, ours.rate());
        }
        Ok(())
    }

    async fn floor_by_pgbench(&self, connections: usize) -> Result<floor::Floor> {
        let pgbench = self.flags.postgres_bin.join("pgbench");
        let Session { warm_up, time, .. } = self.flags.session();
        let club = self.club().await?;
        let mut tables = club.tables(&self.flags.kinds(), FLOOR_GAMES).await?;
        club.deal(&mut tables, 1, true).await?;
        floor::by_pgbench(&pgbench, &club.database, &tables, connections, warm_up, time).await
    }

    async fn floor_by_hand(&self, connections: usize, pace: Pace, session: &Session) -> Result<floor::Floor> {
        let Session { warm_up, time, .. } = *session;
        let rate = match pace {
            Pace::Full => 16_000.0,
            Pace::PerSecond(rate) => 1.3 * rate,
        };
        let club = self.club().await?;
        let mut tables = club.tables(&self.flags.kinds(), FLOOR_GAMES).await?;
        club.deal(&mut tables, whole((warm_up + time).as_secs_f64() * rate), true).await?;
        floor::by_hand(&club, tables, connections, pace, warm_up, time).await
    }

    /// Half the full load, whether or not the service keeps up, and the same rate by the database alone, in alternation.
    async fn half(&mut self) -> Result<()> {
        let count = self.flags.tables();
        let rate = self.load.unwrap_or(self.guess(count)) / 2.0;
        let pace = Pace::PerSecond(rate);
        let whole = self.flags.session();
        let session = Session { pace, warm_up: whole.warm_up / 2, time: whole.time / 2, ..whole };
        let (mut ours, mut floors) = (Vec::new(), Vec::new());
        // One pause of the whole machine decides the p99 of a round, so there are more and shorter rounds.
        for round in 1..=3 * self.flags.rounds() {
            self.say(&format!("half that load, {round}"));
            let mut club = self.club().await?;
            let played = self.session(&mut club, count, rate, &session).await?;
            drop(club);
            let floor = self.floor_by_hand(HALF_CONNECTIONS, pace, &session).await?;
            let theirs = floor.times.as_ref().map_or("-".into(), figures::Times::p99);
            self.say(&format!("  p99 {}, by the database alone {theirs}", played.times.p99()));
            ours.push(played);
            floors.push(floor);
        }
        let ours = middle(ours, |played| played.times.within(0.99).as_secs_f64());
        self.report.played(&format!("moves at half that load, {count} tables"), &ours);
        let slow = |floor: &floor::Floor| floor.times.as_ref().map_or(0.0, |times| times.within(0.99).as_secs_f64());
        let floor = middle(floors, slow);
        self.report.floor(
            &format!("the floor at the same rate, {HALF_CONNECTIONS} connections, by this tool"),
            &floor,
            ours.rate(),
        );
        Ok(())
    }

    /// A quarter of the full load while a bot's thread is always busy, and beside a process of idle priority that burns a
    /// core, in alternation.
    async fn bots(&mut self) -> Result<()> {
        let count = self.flags.tables();
        let full = match self.load {
            Some(load) => load,
            None => {
                self.say("the full load");
                let mut club = self.club().await?;
                self.session(&mut club, count, 1.5 * self.guess(count), &self.flags.session()).await?.rate()
            }
        };
        let rate = full / 4.0;
        let whole = self.flags.session();
        let session =
            Session { pace: Pace::PerSecond(rate), warm_up: whole.warm_up / 2, time: whole.time / 2, ..whole };
        let share = |before: Duration, after: Duration, since: Instant| {
            after.saturating_sub(before).as_secs_f64() / since.elapsed().as_secs_f64()
        };
        // As at half the load, one pause of the whole machine decides the p99 of a round.
        let (mut with_bots, mut with_burner) = (Vec::new(), Vec::new());
        for round in 1..=3 * self.flags.rounds() {
            self.say(&format!("a quarter of the load with bots, {round}"));
            let mut club = self.club().await?;
            let thinking = Thinking::start(&club).await?;
            let (began, before) = (Instant::now(), thinking.cpu());
            let played = self.session(&mut club, count, rate, &session).await?;
            let busy = share(before, thinking.cpu(), began);
            thinking.stop().await?;
            drop(club);
            let burner = Burner::start()?;
            let mut club = self.club().await?;
            let (began, before) = (Instant::now(), burner.cpu());
            let beside = self.session(&mut club, count, rate, &session).await?;
            let burnt = share(before, burner.cpu(), began);
            drop(burner);
            let [ours, theirs] = [&played, &beside].map(|played| played.times.p99());
            self.say(&format!("  p99 {ours} with {busy:.2} of a core, {theirs} beside {burnt:.2} of a core"));
            with_bots.push((played, busy));
            with_burner.push((beside, burnt));
        }
        let p99 = |(played, _): &(Played, f64)| played.times.within(0.99).as_secs_f64();
        let (bots, burner) = (middle(with_bots, p99), middle(with_burner, p99));
        let row = |what: &str, of: &(Played, f64)| {
            let (played, busy) = of;
            let compared = ratio(p99(of), p99(&burner));
            let rate = grouped(played.rate());
            vec![what.to_string(), rate, played.times.p50(), played.times.p99(), compared, format!("{busy:.2}")]
        };
        let rows =
            [row("a bot's thread is always busy", &bots), row("a process of idle priority burns a core", &burner)];
        let head =
            ["moves of people while", "per second", "p50", "p99", "p99 / burner's", "cores of the bot or burner"];
        self.report.section(&format!("A quarter of the load beside bots, {count} tables"), &head, &rows);
        Ok(())
    }

    /// The other API, and moves with idempotency keys.
    async fn apis(&mut self) -> Result<()> {
        let count = self.flags.tables();
        let rate = self.guess(count);
        let other = match self.flags.api {
            Api::Rest => ("GraphQL", Api::Graphql),
            Api::Graphql => ("REST", Api::Rest),
        };
        let mut club = self.club().await?;
        self.say("moves by the other API");
        let session = Session { api: other.1, ..self.flags.session() };
        let played = self.session(&mut club, count, 1.5 * rate, &session).await?;
        self.report.played(&format!("moves at {count} tables by {}", other.0), &played);
        self.say("moves with idempotency keys");
        let session = Session { keys: true, ..self.flags.session() };
        let played = self.session(&mut club, count, 1.5 * rate, &session).await?;
        self.report.played(&format!("moves at {count} tables with idempotency keys"), &played);
        Ok(())
    }

    /// Kalah with every move delivered to both players, here and by boardgame.io.
    async fn peers(&mut self) -> Result<()> {
        let hosts = [
            Host::Maidan(Way::WebSocket),
            Host::Maidan(Way::Events),
            Host::BoardgameIo { on_postgres: false },
            Host::BoardgameIo { on_postgres: true },
        ];
        let mut at_best = Vec::new();
        for host in hosts {
            let mut best: Result<KalahRun> = Err("nothing was measured".into());
            for count in COMPARED {
                let run = self.kalah_run(host, count).await;
                if let (Host::Maidan(_), Ok(run)) = (host, &run) {
                    self.report.kalah(&format!("{host} at {count} tables"), run, "-".into());
                }
                if best.as_ref().map_or(0.0, |best| best.rate) < run.as_ref().map_or(0.1, |run| run.rate) {
                    best = run;
                }
            }
            at_best.push((host, best.map(|run| vec![run])));
        }
        for _ in 1..self.flags.rounds() {
            for (host, runs) in &mut at_best {
                if let Ok(runs) = runs {
                    runs.push(self.kalah_run(*host, runs[0].tables).await?);
                }
            }
        }
        let mut ours: f64 = 0.0;
        for (host, runs) in at_best {
            match runs.map(|runs| middle(runs, |run| run.rate)) {
                Ok(run) => {
                    let what = format!("**{host}**, at its best {} tables", run.tables);
                    let is_ours = matches!(host, Host::Maidan(_));
                    let compared = if is_ours { "-".into() } else { ratio(ours, run.rate) };
                    self.report.kalah(&what, &run, compared);
                    ours = if is_ours { ours.max(run.rate) } else { ours };
                }
                Err(error) => self.report.missing(&host.to_string(), &error.to_string()),
            }
        }
        Ok(())
    }

    /// Kalah at this many tables, with every move delivered to both players.
    async fn kalah_run(&self, host: Host, tables: usize) -> Result<KalahRun> {
        self.say(&format!("{host}, {tables} tables"));
        let run = match host {
            Host::Maidan(way) => {
                let live = self.followed(tables, way, Pace::Full).await?;
                KalahRun { tables, rate: live.rate(), times: live.received_by_all }
            }
            Host::BoardgameIo { on_postgres } => {
                let theirs = BoardgameIo {
                    packages: self.flags.peers.join("boardgame.io"),
                    files: "bench/peers/boardgame.io".into(),
                };
                let database = if on_postgres { Some(self.postgres.database().await?.url) } else { None };
                theirs.play(database.as_deref(), tables, self.flags.time())?
            }
        };
        self.say(&format!("  {}", grouped(run.rate)));
        Ok(run)
    }

    /// Tables of Kalah whose players are all subscribed.
    async fn followed(&self, count: usize, way: Way, pace: Pace) -> Result<live::Live> {
        let mut club = self.club().await?;
        let mut tables = club.tables(&[Kind::Kalah], count).await?;
        let session = self.flags.session();
        let rate = match pace {
            Pace::Full => 1.5 * self.guess(count),
            Pace::PerSecond(rate) => rate,
        };
        let moves = 1.3 * rate * (session.time + session.warm_up).as_secs_f64();
        club.deal(&mut tables, whole(moves), false).await?;
        // A fresh process, so that its memory grows only by the subscriptions.
        club.server = self.program.serve(&club.database)?;
        live::follow(&mut club, tables, way, pace, session.warm_up, session.time).await
    }

    /// Many sockets on one process, with one move per second in every game.
    async fn live(&mut self) -> Result<()> {
        let games = if self.flags.quick { 20 } else { 500 };
        self.say(&format!("{} sockets following {games} games", 2 * games));
        let head = ["sockets", "games", "moves/s", "delivery p50", "p99", "p99.9", "memory per socket"];
        let row = match self.followed(games, Way::WebSocket, Pace::PerSecond(games as f64)).await {
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

    /// Reads, and a bare handler with responses of the same size, in alternation.
    async fn reads(&mut self) -> Result<()> {
        let mut club = self.club().await?;
        let mut tables = club.tables(&self.flags.kinds(), 2 * READERS).await?;
        club.deal(&mut tables, 1, false).await?;
        let questions = reads::questions(&mut club, &tables).await?;
        let dash = || ["-"; 4].map(String::from);
        for (what, questions) in questions {
            let (mut ours, mut bare) = (Vec::new(), Vec::new());
            for _ in 0..self.flags.rounds() {
                self.say(&format!("reads: {what}"));
                let read = reads::read(&club.server.address, &questions, READERS, self.flags.time()).await?;
                let handler = reads::Bare::start(read.size)?;
                bare.push(reads::read(&handler.address, &questions, READERS, self.flags.time()).await?);
                ours.push(read);
            }
            let (ours, bare) = (middle(ours, |reads| reads.rate), middle(bare, |reads| reads.rate));
            let row = format!("reads: {what}, {} on average", bytes(ours.size as f64));
            self.report.row(&row, ours.rate, Some(&ours.times), dash(), "-".into());
            let row = "reads: a bare actix handler, responses of the same size";
            self.report.row(row, bare.rate, Some(&bare.times), dash(), ratio(ours.rate, bare.rate));
        }
        Ok(())
    }

    /// Rounds of six requests at 32 tables, beside a bare handler.
    async fn mix(&mut self) -> Result<()> {
        let (mut ours, mut bare) = (Vec::new(), Vec::new());
        for _ in 0..self.flags.rounds() {
            self.say("mix: a move, two reads, a poll, a list of ids, another read");
            let mut club = self.club().await?;
            let mut tables = club.tables(&self.flags.kinds(), TABLES).await?;
            club.deal(&mut tables, MIXED_PER_SECOND * usize::try_from(self.flags.time().as_secs())?, false).await?;
            ours.push(mix::mix(&mut club, tables, self.flags.time()).await?);
            club.check_log().await?;
            let handler = reads::Bare::start(MIXED_BYTES)?;
            let question = [reads::Question::repeated(http::request("GET", "/", "", "", ""))];
            bare.push(reads::read(&handler.address, &question, READERS, self.flags.time()).await?);
        }
        let (ours, bare) = (middle(ours, |mixed| mixed.rate), middle(bare, |reads| reads.rate));
        let dash = || ["-"; 4].map(String::from);
        let row = "mix: rounds of a move, two reads, a poll, a list of ids and another read";
        self.report.row(row, ours.rate, Some(&ours.times), dash(), "-".into());
        let row = "mix: a bare actix handler, compared by single requests";
        self.report.row(row, bare.rate, Some(&bare.times), dash(), ratio(6.0 * ours.rate, bare.rate));
        Ok(())
    }

    async fn memory(&mut self) -> Result<()> {
        let steps = if self.flags.quick { [200, 1000] } else { [10_000, 100_000] };
        let club = self.club().await?;
        let empty = club.server.memory();
        let tables = club.tables(&self.flags.kinds(), 100).await?;
        let mut rows = vec![vec!["none, just started".to_string(), bytes(empty as f64), "-".into()]];
        let mut dealt = 0;
        for games in steps {
            self.say(&format!("memory for {games} running games"));
            sizes::fill(&club, &tables, dealt, games).await?;
            dealt = games;
            let memory = club.server.memory();
            let each = memory.saturating_sub(empty) as f64 / games as f64;
            rows.push(vec![grouped(games as f64), bytes(memory as f64), bytes(each)]);
        }
        self.report.section("Memory of the service", &["running games", "in use", "per game"], &rows);
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
        let mut rows = Vec::new();
        for kind in Kind::ALL {
            self.say(&format!("drawing {kind}"));
            let drawn = drawing::draw(*kind, time)?;
            let micros = |time: Duration| grouped(time.as_secs_f64() * 1e6);
            let ratio = ratio(drawn.picture.as_secs_f64(), drawn.view.as_secs_f64());
            let size = bytes(drawn.bytes as f64);
            rows.push(vec![kind.to_string(), micros(drawn.picture), micros(drawn.text), ratio, size]);
        }
        let head = ["kind", "picture, µs", "text, µs", "picture / view", "picture"];
        self.report.section("Drawings of a position with the most seats, one core", &head, &rows);
        self.say("Kalah beside OpenSpiel");
        let python = self.flags.peers.join("openspiel/bin/python");
        let script = std::path::Path::new("bench/peers/openspiel.py");
        let (mut ours, mut theirs) = (Vec::new(), Vec::new());
        // In alternation, so that other load on the machine affects both.
        for _ in 0..3 {
            ours.push(engine::random_games(Kind::Kalah, time)?.games);
            theirs.push(engine::openspiel(&python, script, time));
        }
        let theirs: Result<Vec<f64>> = theirs.into_iter().collect();
        let row = match theirs {
            Ok(theirs) => {
                let (ours, theirs) = (middle(ours, |rate| *rate), middle(theirs, |rate| *rate));
                vec![grouped(ours), grouped(theirs), ratio(ours, theirs)]
            }
            Err(error) => vec![grouped(ours[0]), format!("not available: {error}"), "-".into()],
        };
        let head = ["Maidan, games/s", "OpenSpiel, games/s", "Maidan / OpenSpiel"];
        self.report.section("Kalah, random games on one core, the median of three", &head, &[row]);
        Ok(())
    }

    async fn start(&mut self) -> Result<()> {
        self.say("start and size");
        let start = sizes::start_embedded(&self.program, 5)?;
        let empty = sizes::start_on(&self.program, &self.postgres.database().await?, 5)?;
        let many = if self.flags.quick { MANY / 100 } else { MANY };
        self.say(&format!("start on a database of {many} games"));
        let club = self.club().await?;
        sizes::fill_by_copying(&club, many).await?;
        let Club { server, database, .. } = club;
        drop(server);
        let among_many = sizes::start_on(&self.program, &database, 5)?;
        let rows = [
            vec!["from start to ready on an empty embedded database".to_string(), millis(start)],
            vec!["from start to ready on an empty Postgres".to_string(), millis(empty)],
            vec![format!("from start to ready on a Postgres with {} games", grouped(many as f64)), millis(among_many)],
            vec!["the program, which is its whole image".to_string(), bytes(self.program.size()? as f64)],
        ];
        self.report.section("Start and size", &["what", "how much"], &rows);
        Ok(())
    }
}

/// The median of several measurements.
fn middle<T>(mut of: Vec<T>, by: impl Fn(&T) -> f64) -> T {
    of.sort_by(|one, other| by(one).total_cmp(&by(other)));
    of.swap_remove(of.len() / 2)
}
