//! Several servers on one database.

use super::{Database, Server, Service};

/// Replicas of one service. On the embedded database there is only one.
pub struct Replicas(pub Vec<Service>);

impl Replicas {
    pub async fn start(database: Database, by_graphql: bool, variables: &[(&str, &str)]) -> Replicas {
        let first = Service::with(database, by_graphql, variables).await;
        if database == Database::Sqlite {
            return Replicas(vec![first]);
        }
        let server = Server::start(&first.server.home, variables).await;
        let second = Service { client: first.client.connect(&server.address), server };
        Replicas(vec![first, second])
    }

    /// The replica where games are followed.
    pub fn here(&self) -> &Service {
        &self.0[0]
    }

    /// The replica where games are played.
    pub fn there(&self) -> &Service {
        &self.0[self.0.len() - 1]
    }
}
