//! `maidan app`: creates, lists and revokes apps and their keys.

use serde_json::{Value, json};

use super::output::Output;
use super::players::time;
use super::{AppCommand, AppKeyCommand, existing};
use crate::ids::{AppId, AppKeyId};
use crate::model::{App, AppKey, At, GUESTS};
use crate::secrets::{APP_KEY, fresh_secret};
use crate::store::{Store, StoreError};

/// The name of the key that an app is created with.
const FIRST_KEY: &str = "first";

pub async fn run(command: AppCommand) -> Result<(), String> {
    match command {
        AppCommand::Create { name, output, database } => {
            let name = fitting_name("An app's name", &name)?;
            let store = existing(&database).await?;
            let app = App { id: AppId::fresh(), name, created_at: At::now(), revoked_at: None };
            match store.create_app(&app).await {
                Ok(()) => {}
                Err(StoreError::Taken(_)) => return Err(format!("An app called '{}' already exists.", app.name)),
                Err(error) => return Err(error.to_string()),
            }
            add_key(&store, &app, FIRST_KEY.into(), true, output).await
        }
        AppCommand::List { output, database } => {
            let apps = existing(&database).await?.apps().await.map_err(|error| error.to_string())?;
            let apps: Vec<Value> =
                apps.iter().map(|app| shown(&app.id.to_string(), &app.name, app.created_at, app.revoked_at)).collect();
            output.print_all(&apps, line);
            Ok(())
        }
        AppCommand::Revoke { name, output, database } => {
            match existing(&database).await?.revoke_app(&name, At::now()).await.map_err(|error| error.to_string())? {
                true => {
                    let sentence = format!("The keys of '{name}' and the tokens of its players are revoked.");
                    output.done(&json!({ "revoked": name }), &sentence);
                    Ok(())
                }
                false => Err(format!("There is no active app called '{name}'.")),
            }
        }
        AppCommand::Key { what: AppKeyCommand::Add { app, name, output, database } } => {
            let name = fitting_name("A key's name", &name)?;
            let store = existing(&database).await?;
            let app = find(&store, &app).await?;
            if app.revoked_at.is_some() {
                return Err(format!("The app '{}' is revoked.", app.name));
            }
            add_key(&store, &app, name, false, output).await
        }
        AppCommand::Key { what: AppKeyCommand::List { app, output, database } } => {
            let store = existing(&database).await?;
            let app = find(&store, &app).await?;
            let keys = store.app_keys(app.id).await.map_err(|error| error.to_string())?;
            let keys = keys.iter().map(|key| {
                let revoked_at = key.revoked_at.or(app.revoked_at);
                shown(&key.id.to_string(), &key.name, key.created_at, revoked_at)
            });
            output.print_all(&keys.collect::<Vec<Value>>(), line);
            Ok(())
        }
        AppCommand::Key { what: AppKeyCommand::Revoke { app, name, output, database } } => {
            let store = existing(&database).await?;
            let app = find(&store, &app).await?;
            match store.revoke_app_key(app.id, &name, At::now()).await.map_err(|error| error.to_string())? {
                true => {
                    let sentence = format!("The key '{name}' of '{}' is revoked.", app.name);
                    output.done(&json!({ "revoked": name }), &sentence);
                    Ok(())
                }
                false => Err(format!("The app '{}' has no active key called '{name}'.", app.name)),
            }
        }
    }
}

/// Adds a key and prints it, and the app if it is new.
async fn add_key(store: &Store, app: &App, name: String, is_new: bool, output: Output) -> Result<(), String> {
    let (key, hash) = fresh_secret(APP_KEY);
    let new = AppKey { id: AppKeyId::fresh(), app_id: app.id, name, created_at: At::now(), revoked_at: None };
    match store.add_app_key(&new, &hash).await {
        Ok(()) => {
            let object = json!({
                "app": { "id": app.id.to_string(), "name": app.name },
                "id": new.id.to_string(), "name": new.name, "key": key,
            });
            let app = if is_new { format!("{}  {}\n", app.id, app.name) } else { String::new() };
            let sentence = format!(
                "{app}{}  {}\n{key}\nThis key is shown only once. It acts for the app and all its players: keep it on \
                 your servers.",
                new.id, new.name
            );
            output.done(&object, &sentence);
            Ok(())
        }
        Err(StoreError::Taken(_)) => {
            Err(format!("The app '{}' already has an active key called '{}'.", app.name, new.name))
        }
        Err(error) => Err(error.to_string()),
    }
}

pub async fn find(store: &Store, name: &str) -> Result<App, String> {
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

fn shown(id: &str, name: &str, created_at: At, revoked_at: Option<At>) -> Value {
    json!({ "id": id, "name": name, "createdAt": created_at.0.to_string(), "revokedAt": time(revoked_at) })
}

fn line(shown: &Value) -> String {
    let text = |name: &str| shown[name].as_str().unwrap_or_default().to_string();
    let state = if shown["revokedAt"].is_null() { "active" } else { "revoked" };
    format!("{}  {state:<8}  {}  {}", text("id"), text("createdAt"), text("name"))
}
