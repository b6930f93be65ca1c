//! The operations of the service, by the names that GraphQL and REST share.

use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};

use reqwest::RequestBuilder;
use serde_json::Value;

use super::server::Server;
use super::streams::Stream;

/// A refusal, the same by GraphQL and by REST.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    pub code: String,
    pub rule: Option<String>,
    pub token: Option<i64>,
    pub text: String,
}

impl Refused {
    /// Reads a problem+json document.
    pub fn from_problem(problem: &Value) -> Refused {
        Refused {
            code: problem["code"].as_str().expect("a problem has a code").into(),
            rule: problem["rule"].as_str().map(String::from),
            token: problem["token"].as_i64(),
            text: problem["detail"].as_str().expect("a problem has a sentence").into(),
        }
    }

    /// Reads an error of GraphQL.
    pub fn from_error(error: &Value) -> Refused {
        let extensions = &error["extensions"];
        Refused {
            code: extensions["code"].as_str().unwrap_or_else(|| panic!("an error has a code: {error}")).into(),
            rule: extensions["rule"].as_str().map(String::from),
            token: extensions["token"].as_i64(),
            text: error["message"].as_str().expect("an error has a sentence").into(),
        }
    }
}

pub type Answer = Result<Value, Refused>;
pub type AnswerFuture<'a> = Pin<Box<dyn Future<Output = Answer> + Send + 'a>>;

pub type RequestFuture<'a> = Pin<Box<dyn Future<Output = RequestBuilder> + Send + 'a>>;
pub type StreamFuture<'a> = Pin<Box<dyn Future<Output = Stream> + Send + 'a>>;

/// The credentials that open a stream.
#[derive(Clone, Copy)]
pub enum Credentials<'a> {
    None,
    Token(&'a str),
    Ticket(&'a str),
}

/// A client of the service. Operations have the same names, inputs and answers by GraphQL and by REST.
pub trait Client: Send + Sync {
    /// Calls an operation with a token or anonymously. `act_as` is for apps.
    fn call<'a>(
        &'a self,
        token: Option<&'a str>,
        act_as: Option<&'a str>,
        operation: &'a str,
        input: Value,
    ) -> AnswerFuture<'a>;

    /// The request of such a call, for tests that compare raw responses.
    fn request<'a>(
        &'a self,
        token: Option<&'a str>,
        act_as: Option<&'a str>,
        operation: &'a str,
        input: Value,
    ) -> RequestFuture<'a>;

    /// Follows a game (`gameChanged`) or an inbox (`inboxChanged`). A refusal is the first update of the stream.
    fn follow<'a>(&'a self, credentials: Credentials<'a>, operation: &'a str, input: Value) -> StreamFuture<'a>;

    /// A client of the same kind for another server.
    fn connect(&self, address: &str) -> Box<dyn Client>;
}

/// Sends each call to one of two servers on the same data, in turn.
pub struct RoundRobin {
    pub clients: [Box<dyn Client>; 2],
    pub calls: AtomicUsize,
    /// The second server; it stops when the client is dropped.
    pub _other: Server,
}

impl RoundRobin {
    /// The client whose turn it is.
    fn next(&self) -> &dyn Client {
        &*self.clients[self.calls.fetch_add(1, Ordering::Relaxed) % 2]
    }
}

impl Client for RoundRobin {
    fn call<'a>(
        &'a self,
        token: Option<&'a str>,
        act_as: Option<&'a str>,
        operation: &'a str,
        input: Value,
    ) -> AnswerFuture<'a> {
        self.next().call(token, act_as, operation, input)
    }

    fn request<'a>(
        &'a self,
        token: Option<&'a str>,
        act_as: Option<&'a str>,
        operation: &'a str,
        input: Value,
    ) -> RequestFuture<'a> {
        self.next().request(token, act_as, operation, input)
    }

    fn follow<'a>(&'a self, credentials: Credentials<'a>, operation: &'a str, input: Value) -> StreamFuture<'a> {
        self.next().follow(credentials, operation, input)
    }

    fn connect(&self, address: &str) -> Box<dyn Client> {
        self.clients[0].connect(address)
    }
}

/// Removes a field from an input.
pub fn take(input: &mut Value, name: &str) -> Option<Value> {
    input.as_object_mut().and_then(|object| object.remove(name))
}

/// Removes a required text field.
pub fn text(input: &mut Value, name: &str) -> String {
    take(input, name).and_then(|value| value.as_str().map(String::from)).unwrap_or_else(|| panic!("{name} is given"))
}
