//! Black-box tests of the running service: the real program, a real socket, both databases, both doors.
//!
//! A story is written once, against a [`support::door::Door`], and told four times. Run them by `./test`, which
//! starts the Postgres that half of them need.

mod support;

mod apps;
mod asked_again;
mod bad_input;
mod commands;
mod container;
mod contracts;
mod crashes;
mod deletion;
mod fairness;
mod games_told;
mod graphql_over_http;
mod history_told;
mod kinds_told;
mod limits;
mod lists;
mod live;
mod races;
mod readme;
mod records_told;
mod rematch;
mod replicas;
mod secrets_kept;
mod sockets;
mod statistics;
mod strangers;
mod twins;
