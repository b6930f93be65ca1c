//! Black-box tests of the running service: the real program, a real socket, both databases, GraphQL and REST.
//!
//! A story is written once, against a [`support::Client`], and runs four times: by GraphQL and by REST, on
//! SQLite and on Postgres. Run them with `./test`, which starts the Postgres that half of them need.

mod support;

mod apps;
mod architecture;
mod backups;
mod bad_input;
mod bots;
mod bots_from_outside;
mod browser;
mod cancellation;
mod clocks;
mod commands;
mod concurrency;
mod connections;
mod container;
mod contracts;
mod cost;
mod crashes;
mod deletion;
mod dependencies;
mod deploy;
mod draining;
mod dumps;
mod editions;
mod exposure;
mod fairness;
mod faults;
mod games;
mod graphql_clients;
mod graphql_over_http;
mod history;
mod http;
mod idempotency;
mod kinds;
mod limits;
mod lists;
mod logs;
mod metrics;
mod openapi;
mod operators;
#[cfg(feature = "otlp")]
mod otlp;
mod pages;
mod permissions;
mod pictures;
mod positions;
mod readme;
mod records;
mod rematch;
mod repeated_queries;
mod replicas;
mod secrets;
mod sessions;
mod statistics;
mod streams;
mod table;
mod tables;
mod twins;
mod websockets;
