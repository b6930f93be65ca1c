//! Apps and their keys.

use super::rows::{AppKeyRow, AppRow};
use super::{Result, Store, execute, on};
use crate::ids::AppId;
use crate::model::{App, AppKey, At};

impl Store {
    /// Stores an app without a key. If the name is taken: [`StoreError::Taken`](super::StoreError::Taken).
    pub async fn create_app(&self, app: &App) -> Result<()> {
        let sql = "INSERT INTO apps (id, name, created_at) VALUES ($1, $2, $3)";
        execute!(self.writes, sqlx::query(sql).bind(app.id).bind(&app.name).bind(app.created_at)).map(drop)
    }

    /// The app with this name. Creates it if it does not exist, without a key.
    pub async fn ensure_app(&self, app: &App) -> Result<App> {
        let sql = "INSERT INTO apps (id, name, created_at) VALUES ($1, $2, $3) ON CONFLICT (name) DO NOTHING";
        execute!(self.writes, sqlx::query(sql).bind(app.id).bind(&app.name).bind(app.created_at))?;
        let sql = "SELECT id, name, created_at, revoked_at FROM apps WHERE name = $1";
        let row: AppRow = on!(self.writes, db => sqlx::query_as(sql).bind(&app.name).fetch_one(db))?;
        Ok(row.into())
    }

    pub async fn apps(&self) -> Result<Vec<App>> {
        let sql = "SELECT id, name, created_at, revoked_at FROM apps ORDER BY id";
        let rows: Vec<AppRow> = on!(self.reads, db => sqlx::query_as(sql).fetch_all(db))?;
        Ok(rows.into_iter().map(App::from).collect())
    }

    pub async fn app_by_name(&self, name: &str) -> Result<Option<App>> {
        let sql = "SELECT id, name, created_at, revoked_at FROM apps WHERE name = $1";
        let row: Option<AppRow> = on!(self.reads, db => sqlx::query_as(sql).bind(name).fetch_optional(db))?;
        Ok(row.map(App::from))
    }

    /// Revokes an app: its keys and its players' tokens no longer work. Returns whether it was active.
    pub async fn revoke_app(&self, name: &str, at: At) -> Result<bool> {
        let sql = "UPDATE apps SET revoked_at = $2 WHERE name = $1 AND revoked_at IS NULL";
        Ok(execute!(self.writes, sqlx::query(sql).bind(name).bind(at))? == 1)
    }

    /// Stores a key. If an active key of the app has the same name: [`StoreError::Taken`](super::StoreError::Taken).
    pub async fn add_app_key(&self, key: &AppKey, hash: &[u8]) -> Result<()> {
        let sql = "INSERT INTO app_keys (id, app_id, name, hash, created_at) VALUES ($1, $2, $3, $4, $5)";
        execute!(
            self.writes,
            sqlx::query(sql).bind(key.id).bind(key.app_id).bind(&key.name).bind(hash).bind(key.created_at)
        )
        .map(drop)
    }

    /// The keys of an app, active or revoked, oldest first.
    pub async fn app_keys(&self, app: AppId) -> Result<Vec<AppKey>> {
        let sql =
            "SELECT id, app_id, name, created_at, revoked_at FROM app_keys WHERE app_id = $1 ORDER BY created_at, id";
        let rows: Vec<AppKeyRow> = on!(self.reads, db => sqlx::query_as(sql).bind(app).fetch_all(db))?;
        Ok(rows.into_iter().map(AppKey::from).collect())
    }

    /// Revokes a key by its name. Returns whether an active key had that name.
    pub async fn revoke_app_key(&self, app: AppId, name: &str, at: At) -> Result<bool> {
        let sql = "UPDATE app_keys SET revoked_at = $3 WHERE app_id = $1 AND name = $2 AND revoked_at IS NULL";
        Ok(execute!(self.writes, sqlx::query(sql).bind(app).bind(name).bind(at))? == 1)
    }

    /// The app of an active key.
    pub async fn app_by_key(&self, hash: &[u8]) -> Result<Option<App>> {
        let sql = "SELECT a.id, a.name, a.created_at, a.revoked_at FROM app_keys k JOIN apps a ON a.id = k.app_id
             WHERE k.hash = $1 AND k.revoked_at IS NULL AND a.revoked_at IS NULL";
        let row: Option<AppRow> = on!(self.reads, db => sqlx::query_as(sql).bind(hash).fetch_optional(db))?;
        Ok(row.map(App::from))
    }
}
