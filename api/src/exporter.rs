//! Metrics, as Prometheus reads them. Labels take values from lists that clients cannot lengthen.

use std::time::{SystemTime, UNIX_EPOCH};

use domain::Kind;
use metrics::{Unit, counter, describe_counter, describe_gauge, describe_histogram, gauge};
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};

use crate::version::{VERSION, commit};

/// Installs the metrics recorder.
pub fn start() -> PrometheusHandle {
    let buckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0];
    let batch_size = Matcher::Full("maidan_store_batch_size".into());
    // Few, because there are many statements.
    let statements = Matcher::Full("maidan_store_statement_seconds".into());
    let recorder = PrometheusBuilder::new()
        .set_buckets(&buckets)
        .and_then(|builder| builder.set_buckets_for_metric(batch_size, &[1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0]))
        .and_then(|builder| builder.set_buckets_for_metric(statements, &[0.001, 0.005, 0.025, 0.1, 0.5, 2.5]))
        .expect("there are buckets")
        .build_recorder();
    let handle = recorder.handle();
    // Fails only if the process already has a recorder.
    let _ = metrics::set_global_recorder(recorder);
    describe();
    gauge!("maidan_build_info", "version" => VERSION, "commit" => commit()).set(1.0);
    // A counter that appears with its first event hides that event from `increase`.
    for name in [
        "maidan_slow_consumers_total",
        "maidan_bot_queue_overflows_total",
        "maidan_refused_connections_total",
        "maidan_stalled_connections_total",
    ] {
        counter!(name).increment(0);
    }
    for source in ["decoded", "replayed"] {
        counter!("maidan_positions_total", "source" => source).increment(0);
    }
    for kind in Kind::ALL {
        for name in ["maidan_games_opened_total", "maidan_games_started_total", "maidan_moves_total"] {
            counter!(name, "kind" => kind.name()).increment(0);
        }
        for ending in ["over", "cancelled"] {
            counter!("maidan_games_ended_total", "kind" => kind.name(), "as" => ending).increment(0);
        }
    }
    handle
}

fn describe() {
    describe_counter!("maidan_requests_total", "Requests by operation and code: OK, an error code, or an HTTP status.");
    describe_histogram!("maidan_request_duration_seconds", Unit::Seconds, "Request duration, by operation.");
    describe_counter!("maidan_graphql_cost_total", "Cost of GraphQL documents, in units.");
    describe_counter!("maidan_moves_total", "Moves and resignations of players stored, by kind of game.");
    describe_counter!("maidan_games_opened_total", "Games opened, by kind.");
    describe_counter!("maidan_games_started_total", "Games started, by kind.");
    describe_counter!("maidan_games_ended_total", "Games that ended, by kind and final status: over or cancelled.");
    describe_gauge!("maidan_games", "Open and running games in the database, by kind and status, counted each minute.");
    describe_counter!("maidan_bot_moves_total", "Moves of bots stored, by kind of game and level.");
    describe_histogram!(
        "maidan_bot_think_seconds",
        Unit::Seconds,
        "Time a bot takes to choose a move, by kind of game."
    );
    describe_gauge!("maidan_bot_queue", "Games that wait for a bot's move, or whose bot is thinking.");
    describe_counter!(
        "maidan_bot_queue_overflows_total",
        "Games that were not queued for a bot because the queue was full. A scan finds them within seconds."
    );
    describe_counter!("maidan_refused_connections_total", "Connections closed because there were too many.");
    describe_counter!(
        "maidan_stalled_connections_total",
        "Connections closed because the client sent a request or received a response too slowly."
    );
    describe_gauge!("maidan_streams", "Open streams: WebSockets, event streams, long polls.");
    describe_counter!("maidan_slow_consumers_total", "WebSockets closed because the client did not read.");
    describe_counter!("maidan_game_cache_total", "Game cache lookups, by result: hit, stale or miss.");
    describe_counter!("maidan_cache_total", "Lookups in the caches of two seconds, by cache and result: hit or miss.");
    describe_counter!(
        "maidan_positions_total",
        "Positions loaded, by source: decoded from the saved position, or replayed from the log."
    );
    describe_counter!(
        "maidan_wakeups_total",
        "Notifications to subscribers, by source: a local commit, a hint of another replica, or the poll."
    );
    describe_histogram!("maidan_store_batch_size", "Changes or lookups per database batch.");
    describe_histogram!(
        "maidan_store_wait_seconds",
        Unit::Seconds,
        "Wait for a database connection, by pool: reads, writes, moves or lookups."
    );
    describe_histogram!("maidan_store_seconds", Unit::Seconds, "Time that a database connection is used, by pool.");
    describe_histogram!(
        "maidan_store_statement_seconds",
        Unit::Seconds,
        "Time of database statements, by action and table. Transactions of SQLite are counted by pool alone."
    );
    describe_histogram!(
        "maidan_hint_lag_seconds",
        Unit::Seconds,
        "Round trip of a hint of this replica through the database; measured on one hint at a time."
    );
    describe_gauge!("maidan_store_connections_in_use", "Database connections in use, by pool.");
    describe_counter!(
        "maidan_store_errors_total",
        "Failures of the database, by pool and kind: no connection in time, or a broken connection."
    );
    describe_histogram!(
        "maidan_maintenance_seconds",
        Unit::Seconds,
        "Duration of the maintenance that runs every minute."
    );
    describe_counter!("maidan_maintenance_failures_total", "Maintenance tasks that failed.");
    describe_gauge!(
        "maidan_maintenance_last_run_timestamp_seconds",
        "Time at which maintenance last ended, in seconds since 1970."
    );
    describe_gauge!("maidan_build_info", "The version and commit of this build. Always 1.");
    describe_counter!("process_cpu_seconds_total", "CPU time of the process.");
    describe_gauge!("process_resident_memory_bytes", "Resident memory of the process.");
    describe_gauge!("process_open_fds", "Open file descriptors of the process.");
    describe_gauge!("process_threads", "Threads of the process.");
    describe_gauge!("process_start_time_seconds", "Time at which the process started, in seconds since 1970.");
}

/// The metrics as text, those of the process as of now.
pub fn render(recorder: &PrometheusHandle) -> String {
    measure_process();
    recorder.render()
}

/// The current time in seconds since 1970.
pub fn now() -> f64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0.0, |since| since.as_secs_f64())
}

/// The unit of times in /proc on every Linux.
const TICKS_PER_SECOND: u64 = 100;

/// Reads /proc; systems without it have no metrics of the process.
fn measure_process() {
    let Ok(stat) = std::fs::read_to_string("/proc/self/stat") else { return };
    // The name of the program, in brackets, may contain spaces.
    let Some((_, rest)) = stat.rsplit_once(") ") else { return };
    let fields: Vec<u64> = rest.split(' ').map(|field| field.trim().parse().unwrap_or(0)).collect();
    // The third field of the line is the first here.
    let field = |number: usize| fields.get(number - 3).copied().unwrap_or(0);
    counter!("process_cpu_seconds_total").absolute((field(14) + field(15)) / TICKS_PER_SECOND);
    gauge!("process_threads").set(field(20) as f64);
    if let Ok(status) = std::fs::read_to_string("/proc/self/status") {
        let resident = status.lines().find_map(|line| line.strip_prefix("VmRSS:")?.trim().strip_suffix(" kB"));
        let kilobytes: u64 = resident.and_then(|number| number.trim().parse().ok()).unwrap_or(0);
        gauge!("process_resident_memory_bytes").set((kilobytes * 1024) as f64);
    }
    if let Ok(descriptors) = std::fs::read_dir("/proc/self/fd") {
        gauge!("process_open_fds").set(descriptors.count() as f64);
    }
    let uptime = std::fs::read_to_string("/proc/uptime").unwrap_or_default();
    if let Some(uptime) = uptime.split(' ').next().and_then(|seconds| seconds.parse::<f64>().ok()) {
        let age = uptime - field(22) as f64 / TICKS_PER_SECOND as f64;
        gauge!("process_start_time_seconds").set(now() - age);
    }
}
