//! The service: what all requests share, and how it opens and closes.

use std::any::Any;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use actix_cors::Cors;
use actix_web::dev::{Extensions, Server};
use actix_web::http::header::{self, HeaderMap, HeaderName};
use actix_web::middleware::{Compress, DefaultHeaders, from_fn};
use actix_web::rt::net::TcpStream;
#[cfg(unix)]
use actix_web::rt::signal::unix::{SignalKind, signal};
use actix_web::web::{self, Data};
use actix_web::{App, HttpRequest, HttpResponse, HttpServer};
use metrics_exporter_prometheus::PrometheusHandle;
use socket2::SockRef;
use tokio::sync::watch;
use utoipa_actix_web::AppExt;
use utoipa_swagger_ui::SwaggerUi;

use crate::auth::{self, Caller, Credentials, Principal};
use crate::config::Config;
use crate::error::{Error, Result};
use crate::games::Sittings;
use crate::graphql::Graphql;
use crate::ids::{AppId, PlayerId};
use crate::limits::{Buckets, Limits, Places};
use crate::news::News;
use crate::recent::Recent;
use crate::store::{At, Store};
use crate::{games, graphql, page, replicas, rest, store, telemetry};

/// The app whose players anybody may register.
pub const GUESTS: &str = "guests";

/// The ground on which all games are played: what every request shares.
pub struct Maidan {
    pub store: Box<dyn Store>,
    /// Games as they were last seen here.
    pub sittings: Sittings,
    /// Who the bearers of tokens are, by a token's hash, and until when. For auth.rs alone.
    pub tokens: Recent<Vec<u8>, (Principal, Option<At>)>,
    /// For names beside seats.
    pub players: Recent<PlayerId, store::Player>,
    pub limits: Limits,
    pub buckets: Buckets,
    /// The app of the guests, if they are welcome.
    pub guests: Option<AppId>,
    /// Who waits here for what.
    pub news: Arc<News>,
    /// Whether replicas send each other hints.
    pub hints: bool,
    /// Whether this process is about to end: streams end first, so that their clients go elsewhere.
    pub closing: watch::Sender<bool>,
    /// How many streams each caller has open.
    pub places: Places,
    trust_proxy: bool,
}

impl Maidan {
    /// Prepares the database and everything else that requests will need.
    pub async fn open(config: &Config) -> std::result::Result<Maidan, String> {
        let store = config.database.store()?;
        if config.no_migrate {
            let is_migrated = store.is_migrated().await.map_err(|error| error.to_string())?;
            if !is_migrated {
                return Err(
                    "The database is not up to date, and --no-migrate forbids touching it. Run: maidan migrate".into(),
                );
            }
        } else {
            store.migrate().await.map_err(|error| error.to_string())?;
        }
        let guests =
            if config.guests() { Some(guests(&*store).await.map_err(|error| error.to_string())?) } else { None };
        let has_others = config.hints && store.takes_hints();
        Ok(Maidan {
            store,
            news: Arc::new(News::new(has_others)),
            hints: config.hints,
            closing: watch::Sender::new(false),
            places: Places::default(),
            sittings: games::no_sittings(),
            tokens: Recent::default(),
            players: Recent::default(),
            limits: config.limits.clone(),
            buckets: Buckets::new(&config.limits),
            guests,
            trust_proxy: config.trust_proxy,
        })
    }

    /// To be called after a player or its tokens have changed in the store: nothing older is believed from here on.
    pub fn forget_player(&self, id: PlayerId) {
        self.tokens.forget(|_, (principal, _)| matches!(principal, Principal::Player(player) if player.id == id));
        self.players.forget(|player, _| *player == id);
    }

    /// Who sends this request, by its headers.
    pub async fn identify(&self, req: &HttpRequest) -> Result<Caller> {
        auth::identify(self, shown_by(req)?, self.address_of(req)).await
    }

    /// Who opens a stream by this request: by its headers, or by a ticket where a browser cannot send any.
    pub async fn identify_follower(&self, req: &HttpRequest, ticket: Option<&str>) -> Result<Caller> {
        auth::identify(self, Credentials { ticket, ..shown_by(req)? }, self.address_of(req)).await
    }

    /// Where a request comes from.
    pub fn address_of(&self, req: &HttpRequest) -> IpAddr {
        let peer = req.peer_addr().map(|peer| peer.ip()).unwrap_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED));
        let told = if self.trust_proxy { told_by_proxy(req.headers()) } else { None };
        told.unwrap_or(peer)
    }
}

/// The credentials in a request's headers.
fn shown_by(req: &HttpRequest) -> Result<Credentials<'_>> {
    let text = |name: &str| match req.headers().get(name) {
        None => Ok(None),
        Some(value) => value.to_str().map(Some).map_err(|_| Error::InvalidInput(format!("{name} cannot be read."))),
    };
    Ok(Credentials { authorization: text("Authorization")?, act_as: text("Maidan-Act-As")?, ticket: None })
}

/// Where the proxy in front says that a request comes from. It adds its word at the end: what stands before it is
/// whatever the client sent, and who believed that would let everybody choose a new address for every guess.
fn told_by_proxy(headers: &HeaderMap) -> Option<IpAddr> {
    let last = |name: HeaderName| headers.get_all(name).last()?.to_str().ok()?.rsplit(',').next();
    let told = match last(header::X_FORWARDED_FOR) {
        Some(address) => address,
        None => last(header::FORWARDED)?.split(';').find_map(|pair| {
            let (name, value) = pair.split_once('=')?;
            name.trim().eq_ignore_ascii_case("for").then_some(value)
        })?,
    };
    let told = told.trim().trim_matches('"');
    let bare = told.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(told);
    bare.parse().ok().or_else(|| told.parse().ok().map(|address: SocketAddr| address.ip()))
}

/// The guests' app. Its key is thrown away at once: nobody acts for all guests.
async fn guests(store: &dyn Store) -> store::Result<AppId> {
    let app = store::App { id: AppId::fresh(), name: GUESTS.into(), created_at: At::now(), revoked_at: None };
    let (_, hash) = auth::fresh_secret(auth::APP_KEY);
    Ok(store.ensure_app(&app, &hash).await?.id)
}

/// A service that listens, and where.
pub struct Application {
    pub address: SocketAddr,
    server: Server,
    metrics: Option<Server>,
    counted: PrometheusHandle,
    maidan: Arc<Maidan>,
}

impl Application {
    pub async fn build(config: &Config) -> std::result::Result<Application, String> {
        let counted = telemetry::start_counting();
        let maidan = Arc::new(Maidan::open(config).await?);
        let graphql = Arc::new(Graphql::new(Arc::clone(&maidan)));
        let shared = Arc::clone(&maidan);
        let cors_origins = config.cors_origins.clone();
        let metrics_here = config.metrics_listen.is_none().then(|| counted.clone());
        let server = HttpServer::new(move || {
            let metrics = metrics_here.clone();
            let (app, openapi) = App::new()
                .app_data(Data::new(Arc::clone(&shared)))
                .app_data(Data::new(graphql.for_a_worker()))
                // Addresses are tried in turn: this one before the many of REST.
                .service(web::resource("/graphql").route(web::route().to(graphql::door)))
                .into_utoipa_app()
                .openapi(rest::openapi())
                .configure(rest::routes)
                .split_for_parts();
            app.service(web::resource("/schema.graphql").route(web::get().to(schema_text)))
                .service(web::resource("/docs").route(web::get().to(async || web::Redirect::to("/docs/"))))
                .service(SwaggerUi::new("/docs/{_:.*}").url("/openapi.json", openapi))
                .configure(page::routes)
                .route("/livez", web::get().to(async || "alive"))
                .route("/readyz", web::get().to(readiness))
                .configure(move |config| {
                    if let Some(counted) = metrics {
                        config.app_data(Data::new(counted)).route("/metrics", web::get().to(metrics_text));
                    }
                })
                .default_service(web::to(async || -> Result<HttpResponse> {
                    Err(Error::NotFound("There is nothing at this address."))
                }))
                .wrap(from_fn(telemetry::observe))
                .wrap(Compress::default())
                .wrap(cors(&cors_origins))
                .wrap(
                    DefaultHeaders::new()
                        .add((header::X_CONTENT_TYPE_OPTIONS, "nosniff"))
                        .add((header::X_FRAME_OPTIONS, "DENY"))
                        .add((header::REFERRER_POLICY, "no-referrer")),
                )
        })
        .on_connect(prepare_connection)
        .shutdown_timeout(config.shutdown_seconds)
        .disable_signals()
        .bind(config.listen)
        .map_err(|error| format!("Cannot listen on MAIDAN_LISTEN={}: {error}", config.listen))?;
        let address = server.addrs()[0];
        let metrics = match config.metrics_listen {
            None => None,
            Some(listen) => Some(metrics_server(listen, counted.clone())?),
        };
        Ok(Application { address, server: server.run(), metrics, counted, maidan })
    }

    /// Serves until it is told to stop; then ends its streams, finishes what is under way, and is gone.
    pub async fn run_until_stopped(self) -> std::io::Result<()> {
        let counting = actix_web::rt::spawn(telemetry::keep_counting(self.counted));
        let chores = actix_web::rt::spawn(chores(Arc::clone(&self.maidan)));
        let touch = actix_web::rt::spawn(replicas::keep_in_touch(Arc::clone(&self.maidan)));
        if let Some(metrics) = self.metrics {
            actix_web::rt::spawn(metrics);
        }
        let handle = self.server.handle();
        let maidan = self.maidan;
        let stopping = actix_web::rt::spawn(async move {
            told_to_stop().await;
            maidan.closing.send_replace(true);
            handle.stop(true).await;
        });
        let served = self.server.await;
        for task in [counting, chores, touch, stopping] {
            task.abort();
            // What it holds of the database is given back while there is still a runtime to do it.
            let _ = task.await;
        }
        served
    }
}

/// Waits for SIGTERM or Ctrl-C.
async fn told_to_stop() {
    let interrupted = actix_web::rt::signal::ctrl_c();
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

/// How long a client may leave what was sent to it untaken.
pub const UNTAKEN: Duration = Duration::from_secs(30);

/// Has the system send what is written at once, and end connections whose client takes nothing: what is to be sent to
/// it would be kept for ever.
fn prepare_connection(connection: &dyn Any, _: &mut Extensions) {
    let Some(stream) = connection.downcast_ref::<TcpStream>() else { return };
    let mut set = stream.set_nodelay(true);
    #[cfg(target_os = "linux")]
    {
        set = set.and(SockRef::from(stream).set_tcp_user_timeout(Some(UNTAKEN)));
    }
    if let Err(error) = set {
        tracing::debug!(%error, "a connection cannot be prepared");
    }
}

fn metrics_server(listen: SocketAddr, counted: PrometheusHandle) -> std::result::Result<Server, String> {
    let server = HttpServer::new(move || {
        App::new().app_data(Data::new(counted.clone())).route("/metrics", web::get().to(metrics_text))
    })
    .workers(1)
    .disable_signals()
    .bind(listen)
    .map_err(|error| format!("Cannot listen on MAIDAN_METRICS_LISTEN={listen}: {error}"))?;
    Ok(server.run())
}

/// What has to be done now and then.
async fn chores(maidan: Arc<Maidan>) {
    let mut minute = actix_web::rt::time::interval(Duration::from_secs(60));
    loop {
        minute.tick().await;
        maidan.buckets.forget_the_idle();
        if let Err(error) = maidan.store.drop_old_tickets(At::now()).await {
            tracing::warn!(%error, "cannot throw away old tickets");
        }
        match games::expire(&maidan).await {
            Ok(0) => {}
            Ok(games) => tracing::info!(games, "called off games that nobody completed"),
            Err(error) => tracing::warn!(%error, "cannot call off games that nobody completed"),
        }
        if let Err(error) = games::see_off_the_deleted(&maidan).await {
            tracing::warn!(%error, "cannot let deleted players get up");
        }
    }
}

fn cors(origins: &[String]) -> Cors {
    let cors = Cors::default()
        .allowed_methods(["GET", "POST", "DELETE"])
        .allowed_headers([header::AUTHORIZATION, header::CONTENT_TYPE, header::IF_NONE_MATCH])
        .allowed_headers(["Idempotency-Key", "Maidan-Act-As"])
        .expose_headers(["ETag", "Retry-After", "X-Request-Id"])
        .max_age(3600);
    origins.iter().fold(cors, |cors, origin| match origin.as_str() {
        "*" => cors.allow_any_origin(),
        origin => cors.allowed_origin(origin),
    })
}

async fn schema_text(graphql: Data<Graphql>) -> HttpResponse {
    HttpResponse::Ok().content_type("text/plain; charset=utf-8").body(graphql.sdl())
}

async fn metrics_text(counted: Data<PrometheusHandle>) -> HttpResponse {
    HttpResponse::Ok().content_type("text/plain; version=0.0.4").body(counted.render())
}

/// Ready while the database answers.
async fn readiness(maidan: Data<Arc<Maidan>>) -> Result<&'static str> {
    maidan.store.ping().await?;
    Ok("ready")
}

#[cfg(test)]
mod tests {
    use actix_web::http::header::HeaderValue;

    use super::*;

    #[test]
    fn of_what_is_forwarded_the_last_word_is_the_proxys() {
        let told = |lines: &[(&'static str, &'static str)]| {
            let mut headers = HeaderMap::new();
            for (name, value) in lines {
                headers.append(HeaderName::from_static(name), HeaderValue::from_static(value));
            }
            told_by_proxy(&headers).map(|address| address.to_string())
        };
        let address = Some("192.0.2.7".to_string());
        assert_eq!(told(&[("x-forwarded-for", "192.0.2.7")]), address);
        assert_eq!(told(&[("x-forwarded-for", "10.1.1.1, 192.0.2.7")]), address);
        assert_eq!(told(&[("x-forwarded-for", "10.1.1.1"), ("x-forwarded-for", "192.0.2.7")]), address);
        assert_eq!(told(&[("x-forwarded-for", "192.0.2.7:4711")]), address);
        assert_eq!(told(&[("forwarded", "for=10.1.1.1, for=192.0.2.7;proto=https")]), address);
        assert_eq!(told(&[("forwarded", "for=10.1.1.1"), ("x-forwarded-for", "192.0.2.7")]), address);
        let address = Some("2001:db8::1".to_string());
        assert_eq!(told(&[("forwarded", "proto=https; For=\"[2001:db8::1]:4711\"")]), address);
        assert_eq!(told(&[("x-forwarded-for", "[2001:db8::1]")]), address);
        assert_eq!(told(&[("x-forwarded-for", "unknown")]), None);
        assert_eq!(told(&[]), None);
    }
}
