//! `maidan app`: creates, lists and revokes apps and their keys.

use super::{AppCommand, AppKeyCommand, existing};
use crate::ids::{AppId, AppKeyId};
use crate::model::{App, AppKey, At, GUESTS};
use crate::secrets::{APP_KEY, fresh_secret};
use crate::store::{Store, StoreError};

/// The name of the key that an app is created with.
const FIRST_KEY: &str = "first";

pub async fn run(command: AppCommand) -> Result<(), String> {
    match command {
        AppCommand::Create { name, database } => {
            let name = fitting_name("An app's name", &name)?;
            let store = existing(&database).await?;
            let app = App { id: AppId::fresh(), name, created_at: At::now(), revoked_at: None };
            match store.create_app(&app).await {
                Ok(()) => {}
                Err(StoreError::Taken(_)) => return Err(format!("An app called '{}' already exists.", app.name)),
                Err(error) => return Err(error.to_string()),
            }
            println!("{}  {}", app.id, app.name);
            add_key(&store, &app, FIRST_KEY.into()).await
        }
        AppCommand::List { database } => {
            for app in existing(&database).await?.apps().await.map_err(|error| error.to_string())? {
                println!("{}  {:<8}  {}  {}", app.id, state(app.revoked_at), app.created_at.0, app.name);
            }
            Ok(())
        }
        AppCommand::Revoke { name, database } => {
            match existing(&database).await?.revoke_app(&name, At::now()).await.map_err(|error| error.to_string())? {
                true => {
                    println!("The keys of '{name}' and the tokens of its players are revoked.");
                    Ok(())
                }
                false => Err(format!("There is no active app called '{name}'.")),
            }
        }
        AppCommand::Key { what: AppKeyCommand::Add { app, name, database } } => {
            let name = fitting_name("A key's name", &name)?;
            let store = existing(&database).await?;
            let app = find(&store, &app).await?;
            if app.revoked_at.is_some() {
                return Err(format!("The app '{}' is revoked.", app.name));
            }
            add_key(&store, &app, name).await
        }
        AppCommand::Key { what: AppKeyCommand::List { app, database } } => {
            let store = existing(&database).await?;
            let app = find(&store, &app).await?;
            for key in store.app_keys(app.id).await.map_err(|error| error.to_string())? {
                let revoked_at = key.revoked_at.or(app.revoked_at);
                println!("{}  {:<8}  {}  {}", key.id, state(revoked_at), key.created_at.0, key.name);
            }
            Ok(())
        }
        AppCommand::Key { what: AppKeyCommand::Revoke { app, name, database } } => {
            let store = existing(&database).await?;
            let app = find(&store, &app).await?;
            match store.revoke_app_key(app.id, &name, At::now()).await.map_err(|error| error.to_string())? {
                true => {
                    println!("The key '{name}' of '{}' is revoked.", app.name);
                    Ok(())
                }
                false => Err(format!("The app '{}' has no active key called '{name}'.", app.name)),
            }
        }
    }
}

/// Adds a key and prints it.
async fn add_key(store: &Store, app: &App, name: String) -> Result<(), String> {
    let (key, hash) = fresh_secret(APP_KEY);
    let new = AppKey { id: AppKeyId::fresh(), app_id: app.id, name, created_at: At::now(), revoked_at: None };
    match store.add_app_key(&new, &hash).await {
        Ok(()) => {
            println!("{}  {}", new.id, new.name);
            println!("{key}");
            println!("This key is shown only once. It acts for the app and all its players: keep it on your servers.");
            Ok(())
        }
        Err(StoreError::Taken(_)) => {
            Err(format!("The app '{}' already has an active key called '{}'.", app.name, new.name))
        }
        Err(error) => Err(error.to_string()),
    }
}

async fn find(store: &Store, name: &str) -> Result<App, String> {
    let app = store.app_by_name(name).await.map_err(|error| error.to_string())?.filter(|app| app.name != GUESTS);
    app.ok_or_else(|| format!("There is no app called '{name}'."))
}

fn fitting_name(what: &str, name: &str) -> Result<String, String> {
    let name = name.trim().to_string();
    if name.is_empty() || name.len() > 60 || name == GUESTS || name.chars().any(char::is_control) {
        return Err(format!("{what} must have 1 to 60 characters and cannot be '{GUESTS}'."));
    }
    Ok(name)
}

fn state(revoked_at: Option<At>) -> &'static str {
    if revoked_at.is_some() { "revoked" } else { "active" }
}
