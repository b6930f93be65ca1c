//! `maidan app`: creates, lists and revokes apps.

use super::{AppCommand, migrated};
use crate::ids::AppId;
use crate::model::{App, At, GUESTS};
use crate::secrets::{APP_KEY, fresh_secret};
use crate::store::StoreError;

pub async fn run(command: AppCommand) -> Result<(), String> {
    match command {
        AppCommand::Create { name, database } => {
            let name = name.trim().to_string();
            if name.is_empty() || name.len() > 60 || name == GUESTS {
                return Err("An app's name must have 1 to 60 characters and cannot be 'guests'.".into());
            }
            let (key, hash) = fresh_secret(APP_KEY);
            let app = App { id: AppId::fresh(), name, created_at: At::now(), revoked_at: None };
            match migrated(&database).await?.create_app(&app, &hash).await {
                Ok(()) => {
                    println!("{}  {}", app.id, app.name);
                    println!("{key}");
                    println!(
                        "This key is shown only once. It acts for the app and all its players: keep it on your servers."
                    );
                    Ok(())
                }
                Err(StoreError::Taken(_)) => Err(format!("An app called '{}' already exists.", app.name)),
                Err(error) => Err(error.to_string()),
            }
        }
        AppCommand::List { database } => {
            for app in migrated(&database).await?.apps().await.map_err(|error| error.to_string())? {
                let state = if app.revoked_at.is_some() { "revoked" } else { "active" };
                println!("{}  {:<8}  {}  {}", app.id, state, app.created_at.0, app.name);
            }
            Ok(())
        }
        AppCommand::Revoke { name, database } => {
            match migrated(&database).await?.revoke_app(&name, At::now()).await.map_err(|error| error.to_string())? {
                true => {
                    println!("The key of '{name}' and the tokens of its players are revoked.");
                    Ok(())
                }
                false => Err(format!("There is no active app called '{name}'.")),
            }
        }
    }
}
