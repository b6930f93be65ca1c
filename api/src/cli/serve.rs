//! `maidan serve`, the default.

use std::io::Write;

use serde_json::json;

use super::{check, settings};
use crate::config::{Config, LogFormat};
use crate::model::At;
use crate::server::Application;
use crate::store::embedded::InUse;
use crate::version::VERSION;
use crate::{telemetry, traces};

/// Whether this process is a server that logs JSON, judged before the command line is parsed.
pub fn logs_json() -> bool {
    let is_server = std::env::args().nth(1).is_none_or(|first| first == "serve" || first.starts_with('-'));
    is_server && std::env::var("MAIDAN_LOG_FORMAT").is_ok_and(|format| format.eq_ignore_ascii_case("json"))
}

/// Prints an error that occurs before the log is set up.
pub fn print_error(message: &str) {
    let timestamp = At::now().0.to_string();
    eprintln!("{}", json!({ "timestamp": timestamp, "level": "ERROR", "message": message }));
}

/// Runs the service. With JSON as format of the log, the error is logged and then empty.
pub async fn serve(config: &Config) -> Result<(), String> {
    telemetry::start_logging(config);
    let served = run(config).await;
    traces::stop().await;
    match (served, config.log_format) {
        (Err(error), LogFormat::Json) => {
            tracing::error!("{error}");
            Err(String::new())
        }
        (served, _) => served,
    }
}

async fn run(config: &Config) -> Result<(), String> {
    check(config)?;
    let application = Application::build(config).await?;
    let _in_use = match config.database.url() {
        None => Some(InUse::mark(&config.database.data).await.map_err(|error| error.to_string())?),
        Some(_) => None,
    };
    let here = format!("http://{}", application.address);
    let (database, guests) = (config.database.describe(), config.guests());
    let metrics = application.metrics_address.map(|metrics| format!("http://{metrics}/metrics"));
    match config.log_format {
        LogFormat::Json => {
            let line = json!({
                "timestamp": At::now().0.to_string(), "level": "INFO", "message": "Maidan is running",
                "version": VERSION, "address": here, "metrics": metrics, "database": database, "guests": guests,
                "settings": settings::changed(),
            });
            println!("{line}");
        }
        LogFormat::Pretty => {
            println!("Maidan {VERSION} is running.");
            println!("  play                     {here}/");
            println!("  guide                    {here}/guide/");
            println!("  GraphQL                  {here}/graphql");
            println!("  REST docs                {here}/docs/");
            if let Some(metrics) = metrics {
                println!("  metrics                  {metrics}");
            }
            println!("  database                 {database}");
            println!("  guests                   {}", if guests { "allowed" } else { "not allowed" });
            for setting in settings::changed() {
                println!("  setting                  {setting}");
            }
        }
    }
    // A pipe would buffer these lines.
    std::io::stdout().flush().map_err(|error| error.to_string())?;
    application.run_until_stopped().await.map_err(|error| error.to_string())
}
