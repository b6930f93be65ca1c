//! `maidan player`: players of any app.

use super::{defaults, existing};
use crate::config::{Config, Database};
use crate::people;
use crate::service::Maidan;

pub async fn delete(id: &str, database: Database) -> Result<(), String> {
    let player = id.parse().map_err(|_| format!("'{id}' is not a player's id."))?;
    existing(&database).await?;
    let config = Config { database, guests: Some(false), no_migrate: false, ..defaults() };
    let maidan = Maidan::open(&config).await?;
    people::delete_any_player(&maidan, player).await.map_err(|error| error.to_string())?;
    println!("{id} is deleted. Only its seats in games remain.");
    Ok(())
}
