//! What apps say about their games.

use super::rows::MetadataRow;
use super::sql::{Sql, bound};
use super::{Result, Store, execute, on};
use crate::ids::{AppId, GameId};
use crate::model::{Metadata, MetadataChange};

impl Store {
    /// The metadata of these games, for those that have any.
    pub async fn metadata(&self, games: &[GameId]) -> Result<Vec<(GameId, Metadata)>> {
        if games.is_empty() {
            return Ok(Vec::new());
        }
        let mut sql = Sql::new("SELECT game_id, external_id, metadata, revision FROM game_metadata WHERE game_id IN (");
        sql.bind_list(games.iter().copied()).push(")");
        let rows: Vec<MetadataRow> = on!(self.reads, db => bound!(sql, sqlx::query_as).fetch_all(db))?;
        Ok(rows.into_iter().map(MetadataRow::read).collect())
    }

    /// Changes the metadata of a game. If another game of the app has the external id:
    /// [`StoreError::Taken`](super::StoreError::Taken).
    pub async fn change_metadata(&self, game: GameId, app: AppId, change: &MetadataChange) -> Result<()> {
        let sql = "INSERT INTO game_metadata (game_id, app_id, external_id, metadata, revision)
             VALUES ($1, $2, $3, $4, 1)
             ON CONFLICT (game_id) DO UPDATE SET
                external_id = CASE WHEN $5 THEN excluded.external_id ELSE game_metadata.external_id END,
                metadata = CASE WHEN $6 THEN excluded.metadata ELSE game_metadata.metadata END,
                revision = game_metadata.revision + 1";
        execute!(
            self.writes,
            sqlx::query(sql)
                .bind(game)
                .bind(app)
                .bind(change.external_id.as_ref().and_then(Option::as_deref))
                .bind(change.json.as_ref().and_then(Option::as_deref))
                .bind(change.external_id.is_some())
                .bind(change.json.is_some())
        )
        .map(drop)
    }
}
