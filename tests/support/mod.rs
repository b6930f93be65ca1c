//! Support for stories: a separate server, a client, and people.

use std::time::Duration;

pub mod balancer;
pub mod client;
pub mod database;
pub mod dice;
pub mod graphql;
pub mod kinds;
pub mod mara;
pub mod peers;
pub mod proxy;
pub mod replicas;
pub mod rest;
pub mod schema;
pub mod server;
pub mod service;
pub mod source;
pub mod streams;
pub mod tables;
pub mod tags;

pub use client::{Client, Credentials, Refused};
pub use dice::Dice;
pub use replicas::Replicas;
pub use server::{Database, Server};
pub use service::{Person, Service, own_seat, seated};

/// Waits until a condition holds; panics after the deadline.
pub async fn eventually(what: &str, mut has_happened: impl AsyncFnMut() -> bool) {
    let happening = async {
        while !has_happened().await {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(streams::DEADLINE, happening).await.unwrap_or_else(|_| panic!("{what}: it never happened"));
}

/// Runs stories four times: by GraphQL and by REST, on each database.
macro_rules! stories {
    ($($story:ident),* $(,)?) => {
        $(
            mod $story {
                use crate::support::{Database, Service};

                #[tokio::test]
                async fn by_graphql_on_sqlite() {
                    super::$story(Service::by_graphql(Database::Sqlite).await).await;
                }

                #[tokio::test]
                async fn by_rest_on_sqlite() {
                    super::$story(Service::by_rest(Database::Sqlite).await).await;
                }

                #[tokio::test]
                async fn by_graphql_on_postgres() {
                    super::$story(Service::by_graphql(Database::Postgres).await).await;
                }

                #[tokio::test]
                async fn by_rest_on_postgres() {
                    super::$story(Service::by_rest(Database::Postgres).await).await;
                }
            }
        )*
    };
}
pub(crate) use stories;
