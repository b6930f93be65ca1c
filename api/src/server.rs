//! The HTTP server: routes, background tasks, start and stop.

use std::fmt::Display;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use actix_web::body::MessageBody;
use actix_web::dev::{Server, ServiceRequest, ServiceResponse};
use actix_web::http::{ConnectionType, StatusCode, header};
use actix_web::middleware::{Compress, DefaultHeaders, Next, from_fn};
use actix_web::web::{self, Data};
use actix_web::{App, HttpRequest, HttpResponse, HttpServer, Resource};
use metrics_exporter_prometheus::PrometheusHandle;
#[cfg(unix)]
use tokio::signal::unix::{SignalKind, signal};
use utoipa_actix_web::AppExt;

use crate::config::Config;
use crate::connections::Connections;
use crate::cors::Origins;
use crate::error::Result;
use crate::graphql::Graphql;
use crate::live::Replica;
use crate::methods::Methods;
use crate::model::At;
use crate::pages::page;
use crate::public::Document;
use crate::sending::{self, Unsent};
use crate::service::Maidan;
use crate::{bots, cors, exporter, games, graphql, methods, pages, people, request, rest, swagger, telemetry, version};

/// The addresses that neither the OpenAPI document nor the pages have. All are read by GET.
const ADDRESSES: &[&str] = &[swagger::FILES, "/openapi.json", "/schema.graphql", "/livez", "/readyz", "/version"];

/// A server that is bound to its address.
pub struct Application {
    pub address: SocketAddr,
    /// The address of the metrics, if they are served.
    pub metrics_address: Option<SocketAddr>,
    server: Server,
    metrics: Option<Server>,
    recorder: PrometheusHandle,
    maidan: Arc<Maidan>,
    connections: Connections,
    keep_alive: Duration,
    bot_threads: u8,
    drain: Duration,
}

impl Application {
    pub async fn build(config: &Config) -> std::result::Result<Application, String> {
        let recorder = exporter::start();
        let maidan = Arc::new(Maidan::open(config).await?);
        let graphql = Arc::new(Graphql::start(Arc::clone(&maidan)).await?);
        let shared = Arc::clone(&maidan);
        let cors_origins = config.cors_origins.clone();
        let openapi = rest::openapi();
        let openapi_text = Arc::new(Document::json(&openapi));
        let schema_text = Arc::new(Document::new("text/plain; charset=utf-8", graphql.sdl()));
        let connections = Connections::new(config);
        let open = connections.clone();
        let unsent = Unsent::default();
        let server = HttpServer::new(move || {
            let addresses: Vec<String> = ADDRESSES.iter().copied().map(String::from).chain(pages::paths()).collect();
            let app = App::new()
                .app_data(Data::new(Arc::clone(&shared)))
                .app_data(Data::new(graphql.for_worker()))
                .app_data(Data::new(Origins::new(&cors_origins)))
                .app_data(Data::new(unsent.clone()))
                // Routes are matched in order: GraphQL before the many REST routes.
                .service(web::resource("/graphql").route(web::route().to(graphql::endpoint)))
                .into_utoipa_app()
                .configure(rest::routes)
                .into_app();
            app.service(document("/schema.graphql", &schema_text))
                .service(document("/openapi.json", &openapi_text))
                .app_data(Data::new(Methods::new(&openapi, &addresses)))
                .configure(pages::routes)
                .service(page(swagger::FILES).to(swagger::file))
                .service(page("/livez").to(async || "alive"))
                .service(page("/readyz").to(readiness))
                .service(page("/version").to(async || web::Json(version::document())))
                .default_service(web::to(methods::no_route))
                // The last one sees a request first.
                .wrap(from_fn(methods::head_as_get))
                .wrap(from_fn(sending::track))
                .wrap(Compress::default())
                .wrap(from_fn(cors::apply))
                .wrap(
                    DefaultHeaders::new()
                        .add((header::X_CONTENT_TYPE_OPTIONS, "nosniff"))
                        .add((header::X_FRAME_OPTIONS, "DENY"))
                        .add((header::REFERRER_POLICY, "no-referrer")),
                )
                .wrap(from_fn(announce_end))
                .wrap(from_fn(telemetry::observe))
        })
        .keep_alive(Duration::from_secs(config.keep_alive_seconds))
        .on_connect(move |connection, data| connections.prepare(connection, data))
        .shutdown_timeout(config.shutdown_seconds)
        .disable_signals()
        .bind(config.listen)
        .map_err(|error| format!("Cannot listen on MAIDAN_LISTEN={}: {error}", config.listen))?;
        let address = server.addrs()[0];
        let metrics = match config.metrics_listen {
            None => None,
            Some(listen) => Some(metrics_server(listen, recorder.clone(), Arc::clone(&maidan))?),
        };
        let (metrics_address, metrics) = metrics.unzip();
        Ok(Application {
            address,
            metrics_address,
            server: server.run(),
            metrics,
            recorder,
            maidan,
            connections: open,
            keep_alive: Duration::from_secs(config.keep_alive_seconds),
            bot_threads: config.bot_threads,
            drain: Duration::from_secs(config.drain_seconds),
        })
    }

    /// Serves until SIGTERM or Ctrl-C. Then streams end and `/readyz` fails. After SIGTERM the server goes on answering until
    /// load balancers have noticed that. At the end it finishes requests in progress.
    pub async fn run_until_stopped(self) -> std::io::Result<()> {
        let replica = Replica {
            store: Arc::clone(&self.maidan.store),
            topics: Arc::clone(&self.maidan.topics),
            hints: self.maidan.hints,
        };
        let metrics = tokio::spawn(telemetry::fold_histograms(self.recorder));
        let maintenance = tokio::spawn(maintenance(Arc::clone(&self.maidan)));
        let replica = tokio::spawn(replica.run());
        let stalled = tokio::spawn(self.connections.close_stalled(self.keep_alive));
        let bots = bots::start(&self.maidan, self.bot_threads)?;
        if let Some(metrics) = self.metrics {
            tokio::spawn(metrics);
        }
        let handle = self.server.handle();
        let (maidan, drain) = (self.maidan, self.drain);
        let stopping = tokio::spawn(async move {
            let signal = stop_signal().await;
            maidan.close();
            if signal == Signal::Terminate && !drain.is_zero() {
                tracing::info!(seconds = drain.as_secs(), "draining: answering requests, refusing streams");
                tokio::select! {
                    () = tokio::time::sleep(drain) => {}
                    _ = stop_signal() => {}
                }
            }
            handle.stop(true).await;
        });
        let served = self.server.await;
        for task in [metrics, maintenance, replica, stalled, stopping].into_iter().chain(bots) {
            task.abort();
            // Waits so that its database connections close while the runtime is still up.
            let _ = task.await;
        }
        served
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Signal {
    /// SIGTERM: the server is being replaced and must drain.
    Terminate,
    /// Ctrl-C.
    Interrupt,
}

async fn stop_signal() -> Signal {
    let interrupted = tokio::signal::ctrl_c();
    #[cfg(unix)]
    if let Ok(mut terminated) = signal(SignalKind::terminate()) {
        return tokio::select! {
            _ = interrupted => Signal::Interrupt,
            _ = terminated.recv() => Signal::Terminate,
        };
    }
    let _ = interrupted.await;
    Signal::Interrupt
}

/// Answers with `Connection: close` if no other request will be read from the connection, so that the client opens another
/// one. Either the server drains, or the client asked to upgrade to a protocol that the server does not have: Java's
/// asks for HTTP/2. The HTTP library closes such a connection, but would not say so.
async fn announce_end<B: MessageBody>(
    req: ServiceRequest,
    next: Next<B>,
) -> std::result::Result<ServiceResponse<B>, actix_web::Error> {
    let is_closing = req.app_data::<Data<Arc<Maidan>>>().is_some_and(|maidan| maidan.is_closing());
    let wants_upgrade = req.head().upgrade();
    let mut response = next.call(req).await?;
    let is_upgraded = response.status() == StatusCode::SWITCHING_PROTOCOLS;
    if is_closing || wants_upgrade && !is_upgraded {
        response.response_mut().head_mut().set_connection_type(ConnectionType::Close);
    }
    Ok(response)
}

/// The listener of the operator: metrics, and health checks that no client can crowd out.
fn metrics_server(
    listen: SocketAddr,
    recorder: PrometheusHandle,
    maidan: Arc<Maidan>,
) -> std::result::Result<(SocketAddr, Server), String> {
    let server = HttpServer::new(move || {
        App::new()
            .app_data(Data::new(recorder.clone()))
            .app_data(Data::new(Arc::clone(&maidan)))
            .route("/metrics", web::get().to(metrics_text))
            .route("/livez", web::get().to(async || "alive"))
            .route("/readyz", web::get().to(readiness))
            .wrap(from_fn(methods::head_as_get))
    })
    .workers(1)
    .disable_signals()
    .bind(listen)
    .map_err(|error| format!("Cannot listen on MAIDAN_METRICS_LISTEN={listen}: {error}"))?;
    Ok((server.addrs()[0], server.run()))
}

/// How long the idempotency key of a request that made something is kept.
const KEY_LIFETIME: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// The most idempotency keys that are deleted at a time.
const MOST_OLD_KEYS: i64 = 10_000;

/// Maintenance, once a minute.
async fn maintenance(maidan: Arc<Maidan>) {
    let mut minute = tokio::time::interval(Duration::from_secs(60));
    loop {
        minute.tick().await;
        let started = Instant::now();
        maidan.rates.drop_idle();
        maidan.store.close_idle();
        let failed = |error: &dyn Display, task: &'static str| {
            metrics::counter!("maidan_maintenance_failures_total", "task" => task).increment(1);
            tracing::warn!(%error, task, "maintenance failed");
        };
        if let Err(error) = maidan.store.delete_expired_tickets(At::now()).await {
            failed(&error, "delete expired tickets");
        }
        if let Err(error) = maidan.store.delete_old_keys(At::now().minus(KEY_LIFETIME), MOST_OLD_KEYS).await {
            failed(&error, "delete old idempotency keys");
        }
        match games::expire(&maidan).await {
            Ok(0) => {}
            Ok(games) => tracing::info!(games, "cancelled games whose seats were not taken in time"),
            Err(error) => failed(&error, "cancel games whose seats were not taken in time"),
        }
        if let Err(error) = people::finish_deletions(&maidan).await {
            failed(&error, "remove deleted players from their games");
        }
        match maidan.store.games_under_way().await {
            Ok(counts) => counts.into_iter().for_each(|(kind, status, games)| {
                metrics::gauge!("maidan_games", "kind" => kind.name(), "status" => status).set(games as f64);
            }),
            Err(error) => failed(&error, "count games"),
        }
        metrics::histogram!("maidan_maintenance_seconds").record(started.elapsed());
        metrics::gauge!("maidan_maintenance_last_run_timestamp_seconds").set(exporter::now());
    }
}

fn document(path: &str, document: &Arc<Document>) -> Resource {
    let document = Arc::clone(document);
    page(path).to(move |req: HttpRequest| std::future::ready(document.answer(&req)))
}

async fn metrics_text(recorder: Data<PrometheusHandle>) -> HttpResponse {
    HttpResponse::Ok().content_type("text/plain; version=0.0.4").body(exporter::render(&recorder))
}

/// Ready while the database serves reads and writes, until shutdown begins.
async fn readiness(maidan: Data<Arc<Maidan>>) -> Result<&'static str> {
    maidan.check_open()?;
    // A server that refuses requests because it has too many must not lose its place behind the load balancer.
    request::admit_always();
    maidan.readiness.check(&maidan.store).await?;
    Ok("ready")
}
