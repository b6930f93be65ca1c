//! `maidan serve`, the default.

use std::io::Write;

use super::check;
use crate::config::Config;
use crate::server::Application;
use crate::telemetry;

pub async fn serve(config: &Config) -> Result<(), String> {
    check(config)?;
    telemetry::start_logging(config);
    let application = Application::build(config).await?;
    let here = format!("http://{}", application.address);
    println!("Maidan is running.");
    println!("  start page and explorer  {here}/");
    println!("  GraphQL                  {here}/graphql");
    println!("  REST docs                {here}/docs/");
    println!("  database                 {}", config.database.describe());
    println!("  guests                   {}", if config.guests() { "allowed" } else { "not allowed" });
    // A pipe would buffer these lines.
    std::io::stdout().flush().map_err(|error| error.to_string())?;
    application.run_until_stopped().await.map_err(|error| error.to_string())
}
