//! The GraphQL door: parse, call, render.

mod door;
mod mutation;
mod query;
mod socket;
mod subscription;

use std::sync::Arc;

use async_graphql::ErrorExtensions;

pub use door::door;

use crate::app::Maidan;
use crate::auth::Caller;
use crate::error::Error;
use crate::limits::Limits;

pub type Schema = async_graphql::Schema<query::Query, mutation::Mutation, subscription::Subscription>;

/// The schema, answering for this service.
pub fn schema(maidan: Arc<Maidan>) -> Schema {
    let limits = maidan.limits.clone();
    build(&limits).data(maidan).finish()
}

/// The schema as text.
pub fn sdl(limits: &Limits) -> String {
    build(limits).finish().sdl()
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

/// Turns an error of ours into one of GraphQL's, with its code.
trait Told<T> {
    fn told(self) -> async_graphql::Result<T>;
}

impl<T> Told<T> for Result<T, Error> {
    fn told(self) -> async_graphql::Result<T> {
        self.map_err(|error| error.extend())
    }
}

/// The service and the caller, which every resolver needs.
fn at_hand<'a>(ctx: &async_graphql::Context<'a>) -> async_graphql::Result<(&'a Arc<Maidan>, &'a Caller)> {
    Ok((ctx.data::<Arc<Maidan>>()?, ctx.data::<Caller>()?))
}
