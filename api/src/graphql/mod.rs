//! The GraphQL API: parse, call, render.

mod connection;
mod document;
mod http;
mod input;
mod mutation;
mod payload;
mod query;
mod socket;
mod subscription;

use std::sync::Arc;

use async_graphql::{ErrorExtensions, SDLExportOptions};

use document::Documents;
pub use http::endpoint;

use crate::error::Error;
use crate::limits::Limits;
use crate::model::Caller;
use crate::service::Maidan;

type Schema = async_graphql::Schema<query::Query, mutation::Mutation, subscription::Subscription>;

/// The schema and its document cache. Each worker has its own.
pub struct Graphql {
    schema: Schema,
    /// Per worker: names in a parsed document are reference-counted, and workers would contend for shared counters.
    documents: Documents,
}

impl Graphql {
    pub fn new(maidan: Arc<Maidan>) -> Graphql {
        let limits = maidan.limits.clone();
        let schema = build(&limits).data(maidan).finish();
        Graphql { schema, documents: Documents::default() }
    }

    /// The same schema with a new cache, for another worker.
    pub fn for_worker(&self) -> Graphql {
        Graphql { schema: self.schema.clone(), documents: Documents::default() }
    }

    pub fn sdl(&self) -> String {
        text(&self.schema)
    }
}

/// The schema as text.
pub fn sdl(limits: &Limits) -> String {
    text(&build(limits).finish())
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
        .limit_complexity(limits.max_complexity)
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
