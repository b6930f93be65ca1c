//! The HTTP server: routes, background tasks, start and stop.

use std::any::Any;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use actix_web::dev::{Extensions, Server};
use actix_web::http::header;
use actix_web::middleware::{Compress, DefaultHeaders, from_fn};
use actix_web::rt::net::TcpStream;
use actix_web::web::{self, Data};
use actix_web::{App, HttpResponse, HttpServer};
use metrics_exporter_prometheus::PrometheusHandle;
use socket2::SockRef;
#[cfg(unix)]
use tokio::signal::unix::{SignalKind, signal};
use utoipa_actix_web::AppExt;
use utoipa_swagger_ui::SwaggerUi;

use crate::config::Config;
use crate::cors::Origins;
use crate::error::Result;
use crate::graphql::Graphql;
use crate::live::Replica;
use crate::methods::Methods;
use crate::model::At;
use crate::page::page;
use crate::service::Maidan;
use crate::{bots, cors, games, graphql, methods, page, people, rest, telemetry};

/// The addresses that the OpenAPI document does not describe. All are read by GET, as is `/metrics`
/// if it is not elsewhere.
const PAGES: &[&str] = &[
    "/",
    "/page.css",
    "/page.js",
    "/docs",
    "/docs/{_:.*}",
    "/openapi.json",
    "/schema.graphql",
    "/record.schema.json",
    "/livez",
    "/readyz",
];

/// A server that is bound to its address.
pub struct Application {
    pub address: SocketAddr,
    server: Server,
    metrics: Option<Server>,
    recorder: PrometheusHandle,
    maidan: Arc<Maidan>,
    bot_threads: u8,
}

impl Application {
    pub async fn build(config: &Config) -> std::result::Result<Application, String> {
        let recorder = telemetry::start_metrics();
        let maidan = Arc::new(Maidan::open(config).await?);
        let graphql = Arc::new(Graphql::new(Arc::clone(&maidan)));
        let shared = Arc::clone(&maidan);
        let cors_origins = config.cors_origins.clone();
        let openapi = rest::openapi();
        let metrics_here = config.metrics_listen.is_none().then(|| recorder.clone());
        let server = HttpServer::new(move || {
            let metrics = metrics_here.clone();
            let pages: Vec<&str> = PAGES.iter().copied().chain(metrics.is_some().then_some("/metrics")).collect();
            let app = App::new()
                .app_data(Data::new(Arc::clone(&shared)))
                .app_data(Data::new(graphql.for_worker()))
                .app_data(Data::new(Origins::new(&cors_origins)))
                // Routes are matched in order: GraphQL before the many REST routes.
                .service(web::resource("/graphql").route(web::route().to(graphql::endpoint)))
                .into_utoipa_app()
                .configure(rest::routes)
                .into_app();
            app.service(page("/schema.graphql").to(schema_text))
                .service(page("/docs").to(async || web::Redirect::to("/docs/")))
                .app_data(Data::new(Methods::new(&openapi, &pages)))
                // Before the files of Swagger UI, whose page is replaced.
                .configure(page::routes)
                .service(SwaggerUi::new("/docs/{_:.*}").url("/openapi.json", openapi.clone()))
                .service(page("/livez").to(async || "alive"))
                .service(page("/readyz").to(readiness))
                .configure(move |config| {
                    if let Some(recorder) = metrics {
                        config.app_data(Data::new(recorder)).service(page("/metrics").to(metrics_text));
                    }
                })
                .default_service(web::to(methods::no_route))
                // The last one sees a request first.
                .wrap(from_fn(methods::head_as_get))
                .wrap(Compress::default())
                .wrap(from_fn(cors::apply))
                .wrap(
                    DefaultHeaders::new()
                        .add((header::X_CONTENT_TYPE_OPTIONS, "nosniff"))
                        .add((header::X_FRAME_OPTIONS, "DENY"))
                        .add((header::REFERRER_POLICY, "no-referrer")),
                )
                .wrap(from_fn(telemetry::observe))
        })
        .on_connect(prepare_connection)
        .shutdown_timeout(config.shutdown_seconds)
        .disable_signals()
        .bind(config.listen)
        .map_err(|error| format!("Cannot listen on MAIDAN_LISTEN={}: {error}", config.listen))?;
        let address = server.addrs()[0];
        let metrics = match config.metrics_listen {
            None => None,
            Some(listen) => Some(metrics_server(listen, recorder.clone())?),
        };
        Ok(Application { address, server: server.run(), metrics, recorder, maidan, bot_threads: config.bot_threads })
    }

    /// Serves until SIGTERM or Ctrl-C, then closes streams and finishes requests in progress.
    pub async fn run_until_stopped(self) -> std::io::Result<()> {
        let replica = Replica {
            store: Arc::clone(&self.maidan.store),
            topics: Arc::clone(&self.maidan.topics),
            hints: self.maidan.hints,
        };
        let metrics = tokio::spawn(telemetry::fold_histograms(self.recorder));
        let maintenance = tokio::spawn(maintenance(Arc::clone(&self.maidan)));
        let replica = tokio::spawn(replica.run());
        let bots = bots::start(&self.maidan, self.bot_threads)?;
        if let Some(metrics) = self.metrics {
            tokio::spawn(metrics);
        }
        let handle = self.server.handle();
        let maidan = self.maidan;
        let stopping = tokio::spawn(async move {
            stop_signal().await;
            maidan.closing.send_replace(true);
            handle.stop(true).await;
        });
        let served = self.server.await;
        for task in [metrics, maintenance, replica, stopping].into_iter().chain(bots) {
            task.abort();
            // Waits so that its database connections close while the runtime is still up.
            let _ = task.await;
        }
        served
    }
}

/// Waits for SIGTERM or Ctrl-C.
async fn stop_signal() {
    let interrupted = tokio::signal::ctrl_c();
    #[cfg(unix)]
    if let Ok(mut terminated) = signal(SignalKind::terminate()) {
        tokio::select! {
            _ = interrupted => {}
            _ = terminated.recv() => {}
        }
        return;
    }
    let _ = interrupted.await;
}

/// How long sent bytes may stay unacknowledged before the system closes the connection.
const UNACKNOWLEDGED: Duration = Duration::from_secs(30);

/// Sends small messages without delay, and closes connections of clients that do not read, which would hold their
/// buffers forever.
fn prepare_connection(connection: &dyn Any, _: &mut Extensions) {
    let Some(stream) = connection.downcast_ref::<TcpStream>() else { return };
    let mut set = stream.set_nodelay(true);
    #[cfg(target_os = "linux")]
    {
        set = set.and(SockRef::from(stream).set_tcp_user_timeout(Some(UNACKNOWLEDGED)));
    }
    if let Err(error) = set {
        tracing::debug!(%error, "failed to set socket options");
    }
}

fn metrics_server(listen: SocketAddr, recorder: PrometheusHandle) -> std::result::Result<Server, String> {
    let server = HttpServer::new(move || {
        App::new()
            .app_data(Data::new(recorder.clone()))
            .route("/metrics", web::get().to(metrics_text))
            .wrap(from_fn(methods::head_as_get))
    })
    .workers(1)
    .disable_signals()
    .bind(listen)
    .map_err(|error| format!("Cannot listen on MAIDAN_METRICS_LISTEN={listen}: {error}"))?;
    Ok(server.run())
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
        maidan.rates.drop_idle();
        if let Err(error) = maidan.store.delete_expired_tickets(At::now()).await {
            tracing::warn!(%error, "failed to delete expired tickets");
        }
        if let Err(error) = maidan.store.delete_old_keys(At::now().minus(KEY_LIFETIME), MOST_OLD_KEYS).await {
            tracing::warn!(%error, "failed to delete old idempotency keys");
        }
        match games::expire(&maidan).await {
            Ok(0) => {}
            Ok(games) => tracing::info!(games, "cancelled games whose seats were not taken in time"),
            Err(error) => tracing::warn!(%error, "failed to cancel games whose seats were not taken in time"),
        }
        if let Err(error) = people::finish_deletions(&maidan).await {
            tracing::warn!(%error, "failed to remove deleted players from their games");
        }
    }
}

async fn schema_text(graphql: Data<Graphql>) -> HttpResponse {
    HttpResponse::Ok().content_type("text/plain; charset=utf-8").body(graphql.sdl())
}

async fn metrics_text(recorder: Data<PrometheusHandle>) -> HttpResponse {
    HttpResponse::Ok().content_type("text/plain; version=0.0.4").body(recorder.render())
}

/// Ready while the database responds.
async fn readiness(maidan: Data<Arc<Maidan>>) -> Result<&'static str> {
    maidan.store.ping().await?;
    Ok("ready")
}
