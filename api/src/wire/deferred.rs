//! Fields that are computed on demand.

use std::borrow::Cow;
use std::sync::Arc;

use async_graphql::parser::types::Field;
use async_graphql::registry::Registry;
use async_graphql::{ContextSelectionSet, ErrorExtensions, OutputType, Positioned, ServerResult, Value};
use serde::{Serialize, Serializer};

use crate::error::Result;
use crate::games::Snapshot;

/// A field of a game that is costly to compute. GraphQL computes it if the query selects it, REST when the response is
/// serialized.
pub struct Deferred<T> {
    game: Arc<Snapshot>,
    compute: fn(&Snapshot) -> Result<T>,
}

impl<T> Deferred<T> {
    pub fn new(game: &Arc<Snapshot>, compute: fn(&Snapshot) -> Result<T>) -> Deferred<T> {
        Deferred { game: Arc::clone(game), compute }
    }

    fn value(&self) -> Result<T> {
        (self.compute)(&self.game)
    }
}

impl<T> Clone for Deferred<T> {
    fn clone(&self) -> Deferred<T> {
        Deferred { game: Arc::clone(&self.game), compute: self.compute }
    }
}

impl<T: OutputType> OutputType for Deferred<T> {
    fn type_name() -> Cow<'static, str> {
        T::type_name()
    }

    fn qualified_type_name() -> String {
        T::qualified_type_name()
    }

    fn create_type_info(registry: &mut Registry) -> String {
        T::create_type_info(registry)
    }

    async fn resolve(&self, ctx: &ContextSelectionSet<'_>, field: &Positioned<Field>) -> ServerResult<Value> {
        match self.value() {
            Ok(value) => value.resolve(ctx, field).await,
            Err(error) => Err(ctx.set_error_path(error.extend().into_server_error(field.pos))),
        }
    }
}

impl<T: Serialize> Serialize for Deferred<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        // REST prepares the game before: errors were returned then.
        self.value().map_err(serde::ser::Error::custom)?.serialize(serializer)
    }
}
