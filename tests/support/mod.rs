//! What every story needs: a server of its own, a door to it, and people.

pub mod client;
pub mod database;
pub mod graphql;
pub mod rest;
pub mod schema;
pub mod server;
pub mod service;
pub mod streams;

pub use client::{Door, Refused, Shown};
pub use server::{Database, Server};
pub use service::{Person, World};

/// Tells stories four times: by each door, on each database.
macro_rules! stories {
    ($($story:ident),* $(,)?) => {
        $(
            mod $story {
                use crate::support::{Database, World};

                #[tokio::test]
                async fn by_graphql_on_sqlite() {
                    super::$story(World::by_graphql(Database::Sqlite).await).await;
                }

                #[tokio::test]
                async fn by_rest_on_sqlite() {
                    super::$story(World::by_rest(Database::Sqlite).await).await;
                }

                #[tokio::test]
                async fn by_graphql_on_postgres() {
                    super::$story(World::by_graphql(Database::Postgres).await).await;
                }

                #[tokio::test]
                async fn by_rest_on_postgres() {
                    super::$story(World::by_rest(Database::Postgres).await).await;
                }
            }
        )*
    };
}
pub(crate) use stories;
