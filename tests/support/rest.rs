//! The REST client.

use reqwest::Method;
use serde_json::Value;

use super::client::{AnswerFuture, Client, Credentials, Refused, RequestFuture, StreamFuture, take, text};
use super::streams::{EventStream, Stream, Update};

pub struct RestClient {
    http: reqwest::Client,
    address: String,
}

impl RestClient {
    pub fn new(address: &str) -> RestClient {
        RestClient { http: reqwest::Client::new(), address: address.into() }
    }
}

impl Client for RestClient {
    fn connect(&self, address: &str) -> Box<dyn Client> {
        Box::new(RestClient::new(address))
    }

    fn follow<'a>(&'a self, credentials: Credentials<'a>, operation: &'a str, mut input: Value) -> StreamFuture<'a> {
        Box::pin(async move {
            let path = match operation {
                "gameChanged" => format!("/v1/games/{}/events", text(&mut input, "gameId")),
                _ => "/v1/me/events".to_string(),
            };
            let mut parameters = Vec::new();
            let mut request = self.http.get(format!("{}{path}", self.address));
            match credentials {
                Credentials::None => {}
                Credentials::Token(token) => request = request.bearer_auth(token),
                Credentials::Ticket(ticket) => parameters.push(("ticket", ticket.to_string())),
            }
            for (name, value) in input.as_object().expect("an input") {
                parameters.push((name.as_str(), value.as_str().map_or(value.to_string(), String::from)));
            }
            let response = request.query(&parameters).send().await.expect("it answers");
            match response.status().as_u16() {
                200 => Stream::Events(EventStream::new(response)),
                204 => Stream::Nothing(Update::Ended(None)),
                _ => {
                    let problem = response.json().await.expect("a refusal is a problem");
                    Stream::Nothing(Update::Refused(Refused::from_problem(&problem)))
                }
            }
        })
    }

    fn request<'a>(
        &'a self,
        token: Option<&'a str>,
        act_as: Option<&'a str>,
        operation: &'a str,
        mut input: Value,
    ) -> RequestFuture<'a> {
        Box::pin(async move {
            let key = take(&mut input, "idempotencyKey");
            let game = |input: &mut Value, rest: &str| format!("/v1/games/{}{rest}", text(input, "gameId"));
            let (method, path) = match operation {
                "kinds" => (Method::GET, "/v1/kinds".to_string()),
                "kind" => (Method::GET, format!("/v1/kinds/{}", text(&mut input, "id"))),
                "registerPlayer" => (Method::POST, "/v1/players".to_string()),
                "players" => (Method::GET, "/v1/players".to_string()),
                "updatePlayer" => (Method::PATCH, format!("/v1/players/{}", text(&mut input, "playerId"))),
                "player" => (Method::GET, format!("/v1/players/{}", text(&mut input, "id"))),
                "deletePlayer" => (Method::DELETE, format!("/v1/players/{}", text(&mut input, "playerId"))),
                "statistics" => (Method::GET, format!("/v1/players/{}/statistics", text(&mut input, "playerId"))),
                "headToHead" => {
                    let (player, opponent) = (text(&mut input, "playerId"), text(&mut input, "opponentId"));
                    (Method::GET, format!("/v1/players/{player}/head-to-head/{opponent}"))
                }
                "issueToken" => (Method::POST, format!("/v1/players/{}/tokens", text(&mut input, "playerId"))),
                "tokens" => (Method::GET, format!("/v1/players/{}/tokens", text(&mut input, "playerId"))),
                "revokeTokens" => (Method::DELETE, format!("/v1/players/{}/tokens", text(&mut input, "playerId"))),
                "revokeToken" => {
                    let (player, token) = (text(&mut input, "playerId"), text(&mut input, "tokenId"));
                    (Method::DELETE, format!("/v1/players/{player}/tokens/{token}"))
                }
                "me" => (Method::GET, "/v1/me".to_string()),
                "myGames" => (Method::GET, "/v1/me/games".to_string()),
                "inbox" => (Method::GET, "/v1/me/inbox".to_string()),
                "nextDecision" => {
                    if let Some(exclude) = take(&mut input, "exclude") {
                        let games: Vec<&str> =
                            exclude.as_array().into_iter().flatten().filter_map(Value::as_str).collect();
                        input["exclude"] = games.join(",").into();
                    }
                    (Method::GET, "/v1/me/next".to_string())
                }
                "createStreamTicket" => (Method::POST, "/v1/me/stream-tickets".to_string()),
                "createGame" => (Method::POST, "/v1/games".to_string()),
                "games" => (Method::GET, "/v1/games".to_string()),
                "gameCount" => (Method::GET, "/v1/games/count".to_string()),
                "game" => (Method::GET, game(&mut input, "")),
                "updateGame" => (Method::PATCH, game(&mut input, "")),
                "joinGame" if input.get("code").is_some() => (Method::POST, "/v1/join".to_string()),
                "joinGame" => (Method::POST, game(&mut input, "/join")),
                "addClientSeed" => (Method::POST, game(&mut input, "/client-seed")),
                "seatBot" => (Method::POST, game(&mut input, "/bots")),
                "leaveGame" => (Method::POST, game(&mut input, "/leave")),
                "cancelGame" => (Method::POST, game(&mut input, "/cancel")),
                "rematch" => (Method::POST, game(&mut input, "/rematch")),
                "legalMoves" => (Method::GET, game(&mut input, "/legal-moves")),
                "explain" => (Method::POST, game(&mut input, "/explain")),
                "continuations" => {
                    let prefix = take(&mut input, "prefix").unwrap_or_default();
                    let tokens: Vec<&str> = prefix.as_array().into_iter().flatten().filter_map(Value::as_str).collect();
                    input["prefix"] = tokens.join(" ").into();
                    (Method::GET, game(&mut input, "/continuations"))
                }
                "playMove" => (Method::POST, game(&mut input, "/moves")),
                "resign" => (Method::POST, game(&mut input, "/resign")),
                "at" => {
                    let ply = take(&mut input, "ply").expect("ply is given");
                    (Method::GET, game(&mut input, &format!("/at/{ply}")))
                }
                "picture" => (Method::GET, game(&mut input, "/picture.svg")),
                "text" => (Method::GET, game(&mut input, "/text")),
                "components" => (Method::GET, game(&mut input, "/components")),
                "componentsPicture" => (Method::GET, game(&mut input, "/components.svg")),
                "pictureAt" | "textAt" => {
                    let ply = take(&mut input, "ply").expect("ply is given");
                    let what = if operation == "textAt" { "text" } else { "picture.svg" };
                    (Method::GET, game(&mut input, &format!("/at/{ply}/{what}")))
                }
                "kindPicture" => (Method::GET, format!("/v1/kinds/{}/picture.svg", text(&mut input, "id"))),
                "record" => (Method::GET, game(&mut input, "/record")),
                "branchGame" => (Method::POST, game(&mut input, "/branch")),
                "log" => (Method::GET, game(&mut input, "/log")),
                other => panic!("REST has no operation {other}"),
            };
            let mut url = format!("{}{path}", self.address);
            if method == Method::GET {
                let fields = input.as_object().into_iter().flatten();
                let parameters: Vec<(&String, String)> = fields
                    .map(|(name, value)| (name, value.as_str().map_or(value.to_string(), String::from)))
                    .collect();
                url = format!("{url}?{}", serde_urlencoded::to_string(parameters).expect("parameters are text"));
            }
            let mut request = self.http.request(method.clone(), url);
            if let Some(token) = token {
                request = request.bearer_auth(token);
            }
            if let Some(player) = act_as {
                request = request.header("Maidan-Act-As", player);
            }
            if let Some(key) = key.as_ref().and_then(Value::as_str) {
                request = request.header("Idempotency-Key", key);
            }
            if method != Method::GET {
                request = request.json(&input);
            }
            request
        })
    }

    fn call<'a>(
        &'a self,
        token: Option<&'a str>,
        act_as: Option<&'a str>,
        operation: &'a str,
        input: Value,
    ) -> AnswerFuture<'a> {
        Box::pin(async move {
            let request = self.request(token, act_as, operation, input).await;
            let response = request.send().await.map_err(|error| broken(&error))?;
            let status = response.status();
            let media = response.headers().get("content-type").and_then(|media| media.to_str().ok()).map(String::from);
            let body = response.bytes().await.map_err(|error| broken(&error))?;
            // Pictures and texts are no JSON; GraphQL has them as strings.
            if media.is_some_and(|media| media.starts_with("image/svg+xml") || media.starts_with("text/plain")) {
                return Ok(String::from_utf8(body.to_vec()).expect("it is UTF-8").into());
            }
            if status == 204 {
                return Ok(Value::Null);
            }
            let value: Value =
                serde_json::from_slice(&body).unwrap_or_else(|_| panic!("{operation} returned {status} {body:?}"));
            if status.is_success() {
                return Ok(value);
            }
            assert_eq!(value["status"], status.as_u16(), "a problem has its status: {value}");
            Err(Refused::from_problem(&value))
        })
    }
}

/// The connection itself failed, so the outcome of the request is unknown.
pub fn broken(error: &reqwest::Error) -> Refused {
    Refused { code: "NO_ANSWER".into(), rule: None, token: None, text: error.to_string() }
}
