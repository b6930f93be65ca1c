//! The service `maidan`. ARCHITECTURE.md describes the modules.
//!
//! A library, because cargo compiles a library beside the code generation of its dependencies, and a program only after it.

mod audit;
mod auth;
mod body;
mod bots;
mod cache;
mod cli;
mod clock;
mod config;
mod connections;
mod cors;
mod error;
mod exporter;
mod games;
mod graphql;
mod ids;
mod limits;
mod live;
mod methods;
mod model;
mod pages;
mod people;
mod public;
mod request;
mod rest;
mod secrets;
mod sending;
mod server;
mod service;
mod store;
mod swagger;
mod telemetry;
mod traces;
mod version;
mod wire;

use std::process::ExitCode;

use mimalloc::MiMalloc;

#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

/// Runs the command line. Commits and background tasks run on this multi-threaded runtime; the web workers have runtimes of
/// their own.
#[tokio::main]
pub async fn run() -> ExitCode {
    match cli::run().await {
        Ok(()) => ExitCode::SUCCESS,
        Err(text) => {
            if !text.is_empty() {
                eprintln!("maidan: {text}");
            }
            ExitCode::FAILURE
        }
    }
}
