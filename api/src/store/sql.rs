//! A builder for SQL with bound values. Both databases number parameters `$1`, `$2` ….

use uuid::Uuid;

use crate::ids::{AppId, GameId, PlayerId};
use crate::model::{At, GameResult, Status};

#[derive(Default)]
pub struct Sql {
    pub text: String,
    pub values: Vec<Value>,
}

/// A bound value.
pub enum Value {
    Id(Uuid),
    Text(&'static str),
    Input(String),
    Status(Status),
    Result(GameResult),
    Time(At),
    Number(i64),
    Bytes(Vec<u8>),
}

impl Sql {
    pub fn new(text: &str) -> Sql {
        Sql { text: text.into(), values: Vec::new() }
    }

    pub fn push(&mut self, text: &str) -> &mut Sql {
        self.text.push_str(text);
        self
    }

    pub fn bind(&mut self, value: impl Into<Value>) -> &mut Sql {
        self.values.push(value.into());
        self.text.push('$');
        self.text.push_str(&self.values.len().to_string());
        self
    }

    /// Binds a list for `IN (…)`, the only form of a list that both databases accept.
    pub fn bind_list(&mut self, values: impl IntoIterator<Item = impl Into<Value>>) -> &mut Sql {
        for (index, value) in values.into_iter().enumerate() {
            if index > 0 {
                self.text.push_str(", ");
            }
            self.bind(value);
        }
        self
    }
}

/// Turns a statement into a sqlx query: `bound!(sql, sqlx::query_as)`.
macro_rules! bound {
    ($sql:expr, $query:path) => {{
        let $crate::store::sql::Sql { text, values } = $sql;
        let mut query = $query(sqlx::AssertSqlSafe(text));
        for value in values {
            query = match value {
                $crate::store::sql::Value::Id(id) => query.bind(id),
                $crate::store::sql::Value::Text(text) => query.bind(text),
                $crate::store::sql::Value::Input(text) => query.bind(text),
                $crate::store::sql::Value::Status(status) => query.bind(status),
                $crate::store::sql::Value::Result(result) => query.bind(result),
                $crate::store::sql::Value::Time(at) => query.bind(at),
                $crate::store::sql::Value::Number(number) => query.bind(number),
                $crate::store::sql::Value::Bytes(bytes) => query.bind(bytes),
            };
        }
        query
    }};
}
pub(super) use bound;

macro_rules! into_value {
    ($($Type:ty => |$value:ident| $into:expr;)*) => {
        $(impl From<$Type> for Value {
            fn from($value: $Type) -> Value {
                $into
            }
        })*
    };
}

into_value! {
    AppId => |id| Value::Id(id.0);
    GameId => |id| Value::Id(id.0);
    PlayerId => |id| Value::Id(id.0);
    &'static str => |text| Value::Text(text);
    String => |text| Value::Input(text);
    Status => |status| Value::Status(status);
    GameResult => |result| Value::Result(result);
    At => |at| Value::Time(at);
    i64 => |number| Value::Number(number);
    Vec<u8> => |bytes| Value::Bytes(bytes);
}
