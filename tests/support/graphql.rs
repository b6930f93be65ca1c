//! The GraphQL client. It selects every field that REST would send, by introspection, so that the responses of GraphQL and
//! REST can be compared byte for byte.

use std::collections::BTreeMap;
use std::sync::Arc;

use reqwest::RequestBuilder;
use serde_json::{Map, Value, json};
use tokio::sync::OnceCell;

use super::client::{Answer, AnswerFuture, Client, Credentials, Refused, RequestFuture, StreamFuture, take, text};
use super::rest::broken;
use super::streams::SocketStream;

pub struct GraphqlClient {
    http: reqwest::Client,
    address: String,
    types: OnceCell<Arc<BTreeMap<String, Value>>>,
}

const TYPES: &str = "{ __schema { types { name kind isOneOf possibleTypes { name } fields { name args { name } type { \
    name ofType { name ofType { name ofType { name ofType { name ofType { name ofType { name } } } } } } } } } } }";

impl GraphqlClient {
    pub fn new(address: &str) -> GraphqlClient {
        GraphqlClient { http: reqwest::Client::new(), address: address.into(), types: OnceCell::new() }
    }

    async fn types(&self) -> &Arc<BTreeMap<String, Value>> {
        self.types
            .get_or_init(|| async {
                let answer = self.execute(None, None, TYPES, Value::Null).await.expect("it can be introspected");
                let types = answer["__schema"]["types"].as_array().expect("there are types").clone();
                let name = |of: &Value| of["name"].as_str().expect("a type has a name").to_string();
                Arc::new(types.into_iter().map(|of| (name(&of), of)).collect())
            })
            .await
    }

    /// All fields of a type that need no argument.
    fn selection(types: &BTreeMap<String, Value>, name: &str) -> String {
        let of = &types[name];
        match of["kind"].as_str() {
            Some("UNION" | "INTERFACE") => {
                let members = of["possibleTypes"].as_array().into_iter().flatten().map(|member| {
                    let member = member["name"].as_str().expect("a type has a name");
                    format!("... on {member} {}", GraphqlClient::selection(types, member))
                });
                format!("{{ __typename {} }}", members.collect::<Vec<_>>().join(" "))
            }
            Some("OBJECT") => {
                if let Some(item) = name.strip_suffix("Connection") {
                    let node = GraphqlClient::selection(types, item);
                    return format!("{{ nodes {node} edges {{ cursor }} pageInfo {{ {PAGE_INFO} }} }}");
                }
                let typename = if is_one_of(types, name) { "__typename " } else { "" };
                let fields = of["fields"].as_array().into_iter().flatten().filter(|field| {
                    let takes_arguments = field["args"].as_array().is_some_and(|args| !args.is_empty());
                    let asked_for_apart = ["legalMoves", "explain", "continuations", "log", "record"];
                    // Kinds and games have components; those of a game are asked for apart.
                    let field = field["name"].as_str().unwrap_or_default();
                    let is_apart = [("Moment", "text"), ("Game", "components")].contains(&(name, field));
                    !takes_arguments && !asked_for_apart.contains(&field) && !is_apart
                });
                let fields = fields.map(|field| {
                    let inner = innermost(&field["type"]);
                    format!(
                        "{} {}",
                        field["name"].as_str().expect("a field has a name"),
                        GraphqlClient::selection(types, &inner)
                    )
                });
                format!("{{ {typename}{} }}", fields.collect::<Vec<_>>().join(" "))
            }
            _ => String::new(),
        }
    }

    fn post(&self, token: Option<&str>, act_as: Option<&str>, query: &str, variables: &Value) -> RequestBuilder {
        let mut request = self
            .http
            .post(format!("{}/graphql", self.address))
            .header("accept", "application/graphql-response+json")
            .json(&json!({ "query": query, "variables": variables }));
        if let Some(token) = token {
            request = request.bearer_auth(token);
        }
        if let Some(player) = act_as {
            request = request.header("Maidan-Act-As", player);
        }
        request
    }

    async fn execute(&self, token: Option<&str>, act_as: Option<&str>, query: &str, variables: Value) -> Answer {
        let request = self.post(token, act_as, query, &variables);
        let response = request.send().await.map_err(|error| broken(&error))?;
        let mut answer: Value = response.json().await.map_err(|error| broken(&error))?;
        if let Some(error) = answer["errors"].get(0) {
            return Err(Refused::from_error(error));
        }
        Ok(answer["data"].take())
    }
}

/// Whether a type is the output form of a oneOf input, with exactly one field set.
fn is_one_of(types: &BTreeMap<String, Value>, name: &str) -> bool {
    types.get(&format!("{name}Input")).is_some_and(|input| input["isOneOf"] == true)
}

const PAGE_INFO: &str = "hasNextPage hasPreviousPage startCursor endCursor";

/// A page as REST sends it.
fn page(mut connection: Map<String, Value>) -> Value {
    let (nodes, info) = (connection["nodes"].take(), connection["pageInfo"].take());
    let edges = connection["edges"].as_array().expect("a connection has edges");
    assert_eq!(edges.len(), nodes.as_array().map_or(0, Vec::len), "an edge for each node");
    let cursor = |edge: Option<&Value>| edge.map_or(Value::Null, |edge| edge["cursor"].clone());
    assert_eq!((&cursor(edges.first()), &cursor(edges.last())), (&info["startCursor"], &info["endCursor"]));
    json!({ "items": nodes, "endCursor": info["endCursor"], "hasMore": info["hasNextPage"] })
}

/// The response as REST sends it: `type` instead of `__typename`, only the set field of a oneOf, and pages with `items`.
pub fn to_rest(types: &BTreeMap<String, Value>, value: Value) -> Value {
    match value {
        Value::Array(items) => Value::Array(items.into_iter().map(|item| to_rest(types, item)).collect()),
        Value::Object(mut fields) => {
            let typename = fields.remove("__typename");
            let is_choice = typename.as_ref().and_then(Value::as_str).is_some_and(|name| is_one_of(types, name));
            let fields = fields.into_iter().filter(|(_, value)| !is_choice || !value.is_null());
            let mut fields: Map<String, Value> = fields.map(|(name, value)| (name, to_rest(types, value))).collect();
            if let Some(typename) = typename.filter(|_| !is_choice) {
                fields.insert("type".into(), typename);
            }
            if fields.contains_key("pageInfo") { page(fields) } else { Value::Object(fields) }
        }
        value => value,
    }
}

fn innermost(of: &Value) -> String {
    match of["name"].as_str() {
        Some(name) => name.to_string(),
        None if of.is_null() => panic!("the type is nested deeper than the introspection query"),
        None => innermost(&of["ofType"]),
    }
}

/// The GraphQL query of an operation, its variables, and the path to its result.
fn query(types: &BTreeMap<String, Value>, operation: &str, input: &mut Value) -> (String, Value, Vec<&'static str>) {
    let all = |name: &str| GraphqlClient::selection(types, name);
    let mutation = |input: &mut Value, path: Vec<&'static str>| {
        let (first, rest) = operation.split_at(1);
        let name = format!("{}{rest}", first.to_uppercase());
        let selection = all(&format!("{name}Payload"));
        let query = format!("mutation($input: {name}Input!) {{ answer: {operation}(input: $input) {selection} }}");
        (query, json!({ "input": input.take() }), [vec!["answer"], path].concat())
    };
    let of_game = |input: &mut Value, arguments: &str, uses: &str, field: &str| {
        let id = text(input, "gameId");
        input["id"] = id.into();
        format!("query($id: ID!{arguments}) {{ game(id: $id) {{ {operation}{uses} {field} }} }}")
    };
    match operation {
        "kinds" => (format!("{{ kinds {} }}", all("Rulebook")), Value::Null, vec!["kinds"]),
        "kind" => (format!("query($id: Kind!) {{ kind(id: $id) {} }}", all("Rulebook")), input.take(), vec!["kind"]),
        "registerPlayer" | "revokeToken" | "revokeTokens" | "deletePlayer" | "playMove" | "resign" => {
            mutation(input, vec![])
        }
        "issueToken" => mutation(input, vec!["token"]),
        "createStreamTicket" => mutation(input, vec!["ticket"]),
        "createGame" | "updateGame" | "branchGame" | "joinGame" | "addClientSeed" | "seatBot" | "leaveGame"
        | "cancelGame" | "rematch" => mutation(input, vec!["game"]),
        "player" => (format!("query($id: ID!) {{ player(id: $id) {} }}", all("Player")), input.take(), vec!["player"]),
        "updatePlayer" => mutation(input, vec!["player"]),
        "players" => {
            let field = "players(externalId: $externalId, first: $first, after: $after)";
            let head = "query($externalId: String, $first: Int, $after: String)";
            (format!("{head} {{ {field} {} }}", all("PlayerConnection")), input.take(), vec!["players"])
        }
        "tokens" => {
            let field =
                format!("tokens(playerId: $playerId, first: $first, after: $after) {}", all("TokenInUseConnection"));
            let head = "query($playerId: ID!, $first: Int, $after: String)";
            (format!("{head} {{ {field} }}"), input.take(), vec!["tokens"])
        }
        "statistics" => {
            let field = format!("statistics(kind: $kind, withBots: $withBots) {}", all("Statistics"));
            let head = "query($playerId: ID!, $kind: Kind, $withBots: Boolean! = false)";
            let query = format!("{head} {{ player(id: $playerId) {{ {field} }} }}");
            (query, input.take(), vec!["player", "statistics"])
        }
        "headToHead" => {
            let field = "headToHead(playerId: $playerId, opponentId: $opponentId, kind: $kind, withBots: $withBots)";
            let head = "query($playerId: ID!, $opponentId: ID!, $kind: Kind, $withBots: Boolean! = false)";
            (format!("{head} {{ {field} {} }}", all("HeadToHead")), input.take(), vec!["headToHead"])
        }
        "me" => (format!("{{ me {} }}", all("Me")), Value::Null, vec!["me"]),
        "inbox" => {
            let field = format!("inbox(first: $first, after: $after) {}", all("GameConnection"));
            (format!("query($first: Int, $after: String) {{ me {{ {field} }} }}"), input.take(), vec!["me", "inbox"])
        }
        "nextDecision" => {
            let game = all("Game");
            let game = game.trim_end_matches('}');
            let moves = format!("legalMoves(limit: $limit) {}", all("LegalMoves"));
            let field = format!("nextDecision(wait: $wait, exclude: $exclude) {game} {moves} }}");
            let head = "query($wait: Int, $exclude: [ID!], $limit: Int)";
            (format!("{head} {{ {field} }}"), input.take(), vec!["nextDecision"])
        }
        "games" | "myGames" => {
            let (first, after) = (take(input, "first"), take(input, "after"));
            let variables = json!({ "filter": input.take(), "first": first, "after": after });
            let field = format!("games(filter: $filter, first: $first, after: $after) {}", all("GameConnection"));
            let head = "query($filter: GamesFilter, $first: Int, $after: String)";
            if operation == "games" {
                (format!("{head} {{ {field} }}"), variables, vec!["games"])
            } else {
                (format!("{head} {{ me {{ {field} }} }}"), variables, vec!["me", "games"])
            }
        }
        "gameCount" => {
            let field = format!("gameCount(filter: $filter) {}", all("GameCount"));
            let query = format!("query($filter: GamesFilter) {{ {field} }}");
            (query, json!({ "filter": input.take() }), vec!["gameCount"])
        }
        "game" => {
            let id = text(input, "gameId");
            (format!("query($id: ID!) {{ game(id: $id) {} }}", all("Game")), json!({ "id": id }), vec!["game"])
        }
        "legalMoves" => {
            let query = of_game(input, ", $limit: Int", "(limit: $limit)", &all("LegalMoves"));
            (query, input.take(), vec!["game", "legalMoves"])
        }
        "explain" => {
            let arguments = ", $move: MoveInput, $notation: String";
            let query = of_game(input, arguments, "(move: $move, notation: $notation)", &all("Explanation"));
            (query, input.take(), vec!["game", "explain"])
        }
        "continuations" => {
            let query = of_game(input, ", $prefix: [String!]! = []", "(prefix: $prefix)", &all("Continuations"));
            (query, input.take(), vec!["game", "continuations"])
        }
        "log" => {
            // REST's cursor is the version itself.
            if let Some(after) = take(input, "after") {
                input["after"] = after.to_string().into();
            }
            let arguments = ", $first: Int, $after: String";
            let query = of_game(input, arguments, "(first: $first, after: $after)", &all("LogEntryConnection"));
            (query, input.take(), vec!["game", "log"])
        }
        "record" => (of_game(input, "", "", ""), input.take(), vec!["game", "record"]),
        "components" => {
            let query = of_game(input, "", "", &all("Component"));
            (query, input.take(), vec!["game", "components"])
        }
        "componentsPicture" => {
            let query = of_game(input, ", $theme: Theme, $width: Int", "(theme: $theme, width: $width)", "");
            (query, input.take(), vec!["game", "componentsPicture"])
        }
        "picture" => {
            let arguments = ", $seat: Int, $theme: Theme, $width: Int";
            let query = of_game(input, arguments, "(seat: $seat, theme: $theme, width: $width)", "");
            (query, input.take(), vec!["game", "picture"])
        }
        "text" => (of_game(input, ", $seat: Int", "(seat: $seat)", ""), input.take(), vec!["game", "text"]),
        "pictureAt" | "textAt" => {
            input["id"] = text(input, "gameId").into();
            let (field, arguments, last) = match operation {
                "textAt" => ("text", "", "text"),
                _ => ("picture(theme: $theme, width: $width)", ", $theme: Theme, $width: Int", "picture"),
            };
            let head = format!("query($id: ID!, $ply: Int!, $seat: Int{arguments})");
            let query = format!("{head} {{ game(id: $id) {{ at(ply: $ply, seat: $seat) {{ {field} }} }} }}");
            (query, input.take(), vec!["game", "at", last])
        }
        "kindPicture" => {
            let head = "query($id: Kind!, $theme: Theme, $width: Int)";
            let query = format!("{head} {{ kindPicture(id: $id, theme: $theme, width: $width) }}");
            (query, input.take(), vec!["kindPicture"])
        }
        "at" => {
            let query = of_game(input, ", $ply: Int!, $seat: Int", "(ply: $ply, seat: $seat)", &all("Moment"));
            (query, input.take(), vec!["game", "at"])
        }
        other => panic!("GraphQL has no operation {other}"),
    }
}

impl Client for GraphqlClient {
    fn connect(&self, address: &str) -> Box<dyn Client> {
        Box::new(GraphqlClient::new(address))
    }

    fn follow<'a>(&'a self, credentials: Credentials<'a>, operation: &'a str, mut input: Value) -> StreamFuture<'a> {
        Box::pin(async move {
            let types = self.types().await;
            let init = match credentials {
                Credentials::None => json!({}),
                Credentials::Token(token) => json!({ "Authorization": format!("Bearer {token}") }),
                Credentials::Ticket(ticket) => json!({ "ticket": ticket }),
            };
            let query = match operation {
                "gameChanged" => {
                    let selection = GraphqlClient::selection(types, "GameChange");
                    input["id"] = text(&mut input, "gameId").into();
                    format!("subscription($id: ID!, $after: Int) {{ gameChanged(id: $id, after: $after) {selection} }}")
                }
                _ => {
                    let selection = GraphqlClient::selection(types, "InboxChange");
                    format!("subscription($after: String) {{ inboxChanged(after: $after) {selection} }}")
                }
            };
            SocketStream::open(&self.address, init, (operation, query, input), Arc::clone(types)).await
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
            let (query, variables, _) = query(self.types().await, operation, &mut input);
            self.post(token, act_as, &query, &variables)
        })
    }

    fn call<'a>(
        &'a self,
        token: Option<&'a str>,
        act_as: Option<&'a str>,
        operation: &'a str,
        mut input: Value,
    ) -> AnswerFuture<'a> {
        Box::pin(async move {
            let (query, variables, path) = query(self.types().await, operation, &mut input);
            let mut answer = self.execute(token, act_as, &query, variables).await?;
            let repeated = answer["answer"]["repeated"].clone();
            for step in path {
                answer = answer[step].take();
            }
            let mut answer = to_rest(self.types().await, answer);
            // REST has it beside the fields of the object.
            if repeated.is_boolean() {
                answer["repeated"] = repeated;
            }
            if operation == "log"
                && let Some(cursor) = answer["endCursor"].as_str()
            {
                answer["endCursor"] = cursor.parse::<i32>().expect("an entry's cursor is its version").into();
            }
            if ["revokeToken", "revokeTokens", "deletePlayer"].contains(&operation) {
                return Ok(Value::Null);
            }
            Ok(answer)
        })
    }
}
