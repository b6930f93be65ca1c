//! The GraphQL API: parse, call, render.

mod connection;
mod cost;
mod document;
mod execution;
mod http;
mod input;
mod introspection;
mod mutation;
mod payload;
mod query;
mod selection;
mod socket;
mod subscription;
mod tokens;
mod types;

use std::sync::Arc;

use async_graphql::{ErrorExtensions, SDLExportOptions};

use document::Documents;
use execution::HeavyThreads;
pub use http::endpoint;
use types::Types;

use crate::error::Error;
use crate::limits::Limits;
use crate::model::Caller;
use crate::service::Maidan;

type Schema = async_graphql::Schema<query::Query, mutation::Mutation, subscription::Subscription>;

/// The schema and its document cache. Each worker has its own.
pub struct Graphql {
    schema: Schema,
    /// Per worker: names in a parsed document are reference-counted, and workers would contend for shared counters.
    documents: Arc<Documents>,
    types: Arc<Types>,
    heavy: Arc<HeavyThreads>,
}

impl Graphql {
    pub async fn start(maidan: Arc<Maidan>) -> Result<Graphql, String> {
        let limits = maidan.limits.clone();
        let schema = build(&limits).data(maidan).finish();
        let types = read_types(&schema).await?;
        let heavy = HeavyThreads::start().map_err(|error| format!("Cannot start threads: {error}"))?;
        Ok(Graphql { schema, documents: Arc::default(), types: Arc::new(types), heavy: Arc::new(heavy) })
    }

    /// The same schema with a new cache, for another worker.
    pub fn for_worker(&self) -> Graphql {
        let Graphql { schema, documents: _, types, heavy } = self;
        Graphql {
            schema: schema.clone(),
            documents: Arc::default(),
            types: Arc::clone(types),
            heavy: Arc::clone(heavy),
        }
    }

    pub fn sdl(&self) -> String {
        text(&self.schema)
    }
}

/// The schema as text.
pub fn sdl(limits: &Limits) -> String {
    text(&build(limits).finish())
}

async fn read_types(schema: &Schema) -> Result<Types, String> {
    let answer = schema.execute(types::INTROSPECTION).await;
    Types::read(answer).map_err(|errors| format!("The schema cannot be read: {errors:?}"))
}

fn text(schema: &Schema) -> String {
    schema.sdl_with_options(SDLExportOptions::new().include_specified_by())
}

fn build(
    limits: &Limits,
) -> async_graphql::SchemaBuilder<query::Query, mutation::Mutation, subscription::Subscription> {
    Schema::build(query::Query, mutation::Mutation, subscription::Subscription)
        .limit_depth(limits.max_depth)
        .limit_recursive_depth(limits.most_nested())
        .limit_aliases(limits.max_aliases)
        .limit_directives(10)
}

/// Converts an error to a GraphQL error with its code.
trait Coded<T> {
    fn coded(self) -> async_graphql::Result<T>;
}

impl<T> Coded<T> for Result<T, Error> {
    fn coded(self) -> async_graphql::Result<T> {
        self.map_err(|error| error.extend())
    }
}

/// The service and the caller, which every resolver needs.
fn service<'a>(ctx: &async_graphql::Context<'a>) -> async_graphql::Result<(&'a Arc<Maidan>, &'a Caller)> {
    Ok((maidan(ctx)?, ctx.data::<Caller>()?))
}

fn maidan<'a>(ctx: &async_graphql::Context<'a>) -> async_graphql::Result<&'a Arc<Maidan>> {
    ctx.data::<Arc<Maidan>>()
}
