//! The GraphQL queries of a client for one kind of game: every field that it shows, and no other.

use std::collections::BTreeMap;

use domain::Kind;
use serde_json::{Value, json};

use crate::Result;
use crate::http::{Connection, request};

const TYPES: &str = "{ __schema { types { name kind possibleTypes { name } fields { name type { \
    name ofType { name ofType { name ofType { name ofType { name ofType { name ofType { name } } } } } } } } } } }";

/// The types of the schema by name, as a client of one kind of game needs them.
pub struct Types {
    types: BTreeMap<String, Value>,
    /// The prefixes of the types of other kinds.
    others: Vec<String>,
}

impl Types {
    pub async fn of(kind: Kind, connection: &mut Connection) -> Result<Types> {
        let ask = json!({ "query": TYPES }).to_string();
        let accept = "Accept: application/json\r\n";
        let question = request("POST", "/graphql", "", accept, &ask);
        let answer: Value = serde_json::from_slice(connection.ask(&question).await?.body)?;
        let types = answer["data"]["__schema"]["types"].as_array().ok_or("the schema cannot be read")?;
        let others = Kind::ALL.iter().filter(|other| **other != kind).map(|other| {
            let (first, rest) = other.name().split_at(1);
            format!("{first}{}", rest.to_lowercase())
        });
        Ok(Types { types: types.iter().map(|of| (name(of), of.clone())).collect(), others: others.collect() })
    }

    /// A mutation that makes a move and selects its result.
    pub fn play_move(&self) -> String {
        let view = self.selection("View");
        format!(
            "mutation($input: PlayMoveInput!) {{ playMove(input: $input) {{ version events {{ text }} \
             game {{ version status toAct myDecision view {view} }} }} }}"
        )
    }

    /// A query for a game and its legal moves.
    pub fn look(&self) -> String {
        let view = self.selection("View");
        format!(
            "query($id: ID!) {{ game(id: $id) {{ version status toAct myDecision view {view} \
             legalMoves(limit: 100) {{ complete items {{ notation text }} }} }} }}"
        )
    }

    /// All fields of a type, in braces; empty for a scalar.
    fn selection(&self, of: &str) -> String {
        let members = |list: &str| self.types[of][list].as_array().into_iter().flatten();
        match self.types.get(of).and_then(|of| of["kind"].as_str()) {
            Some("UNION" | "INTERFACE") => {
                let own = members("possibleTypes").map(name);
                let own = own.filter(|member| !self.others.iter().any(|other| member.starts_with(other)));
                let parts = own.map(|member| format!("... on {member} {}", self.selection(&member)));
                format!("{{ {} }}", parts.collect::<Vec<_>>().join(" "))
            }
            Some("OBJECT") => {
                let parts = members("fields")
                    .map(|field| format!("{} {}", name(field), self.selection(&innermost(&field["type"]))));
                format!("{{ {} }}", parts.collect::<Vec<_>>().join(" "))
            }
            _ => String::new(),
        }
    }
}

fn name(of: &Value) -> String {
    of["name"].as_str().unwrap_or_default().to_string()
}

/// The named type inside lists and non-null wrappers.
fn innermost(of: &Value) -> String {
    match of["name"].as_str() {
        Some(name) => name.to_string(),
        None if of["ofType"].is_object() => innermost(&of["ofType"]),
        None => String::new(),
    }
}
