//! What both doors can do, by the names that they share.

use std::future::Future;
use std::pin::Pin;

use serde_json::Value;

/// A refusal, the same by either door.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    pub code: String,
    pub rule: Option<String>,
    pub token: Option<i64>,
    pub text: String,
}

pub type Answer = Result<Value, Refused>;
pub type Answering<'a> = Pin<Box<dyn Future<Output = Answer> + Send + 'a>>;

/// A way into the service. Operations have the same names, inputs and answers by both.
pub trait Door: Send + Sync {
    /// Calls an operation as the bearer of a token, or as nobody. `act_as` is for apps.
    fn call<'a>(
        &'a self,
        token: Option<&'a str>,
        act_as: Option<&'a str>,
        operation: &'a str,
        input: Value,
    ) -> Answering<'a>;

    /// The same door of another server.
    fn to(&self, address: &str) -> Box<dyn Door>;
}

/// Takes a field out of an input.
pub fn take(input: &mut Value, name: &str) -> Option<Value> {
    input.as_object_mut().and_then(|object| object.remove(name))
}

/// The text of a field that must be there.
pub fn text(input: &mut Value, name: &str) -> String {
    take(input, name).and_then(|value| value.as_str().map(String::from)).unwrap_or_else(|| panic!("{name} is given"))
}
