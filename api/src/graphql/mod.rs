//! The GraphQL door: parse, call, render.

mod answers;
mod document;
mod door;
mod mutation;
mod query;
mod socket;
mod subscription;

use std::sync::Arc;

use async_graphql::ErrorExtensions;

use answers::{Answers, Witness};
use document::Documents;
pub use door::door;

use crate::app::Maidan;
use crate::auth::Caller;
use crate::error::Error;
use crate::limits::Limits;

type Schema = async_graphql::Schema<query::Query, mutation::Mutation, subscription::Subscription>;

/// The schema, answering for this service, with what it was asked and what it answered lately. Each worker has its own.
pub struct Graphql {
    schema: Schema,
    /// Of this worker alone. Names in a text are counted references, and every answer takes and returns each of them:
    /// between workers the counts would go to and fro.
    documents: Documents,
    answers: Arc<Answers>,
}

impl Graphql {
    pub fn new(maidan: Arc<Maidan>) -> Graphql {
        let limits = maidan.limits.clone();
        let schema = build(&limits).data(maidan).finish();
        Graphql { schema, documents: Documents::default(), answers: Arc::default() }
    }

    /// The same for one more worker.
    pub fn for_a_worker(&self) -> Graphql {
        let Graphql { schema, documents: _, answers } = self;
        Graphql { schema: schema.clone(), documents: Documents::default(), answers: Arc::clone(answers) }
    }

    pub fn sdl(&self) -> String {
        self.schema.sdl()
    }
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

/// The service and the caller, which every resolver needs. If somebody watches, it notes that.
fn at_hand<'a>(ctx: &async_graphql::Context<'a>) -> async_graphql::Result<(&'a Arc<Maidan>, &'a Caller)> {
    if let Some(witness) = witness(ctx) {
        witness.turned();
    }
    Ok((ctx.data::<Arc<Maidan>>()?, ctx.data::<Caller>()?))
}

fn witness<'a>(ctx: &async_graphql::Context<'a>) -> Option<&'a Witness> {
    ctx.data_opt::<Arc<Witness>>().map(Arc::as_ref)
}
