//! `maidan serve`, the default.

use std::io::Write;

use serde_json::json;

use super::{check, settings};
use crate::config::{Config, LogFormat};
use crate::model::At;
use crate::server::Application;
use crate::store::embedded::InUse;
use crate::telemetry;
use crate::version::VERSION;

pub async fn serve(config: &Config) -> Result<(), String> {
    check(config)?;
    telemetry::start_logging(config);
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
