//! Copying a database into one of the other kind: every row of every table, unchanged.
//!
//! Rows travel as integers, texts and bytes, the types of SQLite. The columns of Postgres say what they are there.

use std::time::Duration;

use futures_util::TryStreamExt;
use sqlx::postgres::{PgConnection, PgRow};
use sqlx::sqlite::{SqliteConnection, SqliteRow};
use sqlx::{AssertSqlSafe, ConnectOptions, Executor, Row};
use tokio::time::timeout;

use super::postgres::hosts_of;
use super::{Result, StoreError};

/// Every table, each after those that it refers to.
const TABLES: [&str; 9] =
    ["apps", "app_keys", "players", "tokens", "games", "seatings", "entries", "game_metadata", "idempotency_keys"];

/// Tables of which only running servers need the rows, and tables of the migrations.
const LEFT_OUT: [&str; 4] = ["_sqlx_migrations", "leases", "readiness", "stream_tickets"];

/// The most rows, and about the most bytes, of one statement.
const MOST_ROWS: usize = 1000;
const MOST_BYTES: usize = 4 * 1024 * 1024;

/// The longest time to connect, and the longest of a statement or of the next row: a whole table may be counted or locked.
const CONNECT: Duration = Duration::from_secs(10);
const STEP: Duration = Duration::from_secs(600);

/// Does a part of the work. A connection that has gone silent must not hold up the command for ever.
async fn within<T>(deadline: Duration, work: impl Future<Output = sqlx::Result<T>>) -> sqlx::Result<T> {
    timeout(deadline, work).await.unwrap_or_else(|_| Err(sqlx::Error::Io(std::io::ErrorKind::TimedOut.into())))
}

/// One end of a copy.
pub enum End {
    Sqlite(SqliteConnection),
    Postgres(PgConnection),
}

/// A column of both databases.
struct Column {
    name: String,
    /// The type in Postgres.
    kind: String,
}

/// What happened to a table.
pub struct Copied {
    pub table: &'static str,
    pub rows: i64,
}

/// Connects to the host of Postgres that accepts writes, as a client that no server can be mistaken for.
pub async fn connect(url: &str) -> Result<PgConnection> {
    let unlimited = [("statement_timeout", "0"), ("idle_in_transaction_session_timeout", "0"), ("lock_timeout", "3s")];
    let mut last = StoreError::Failed(sqlx::Error::PoolClosed);
    for host in hosts_of(url)? {
        let options = host.application_name("maidan copy").options(unlimited).disable_statement_logging();
        let connecting = async {
            let mut db = options.connect().await?;
            let is_replica: bool = sqlx::query_scalar("SELECT pg_is_in_recovery()").fetch_one(&mut db).await?;
            Ok((db, is_replica))
        };
        match within(CONNECT, connecting).await {
            Ok((db, false)) => return Ok(db),
            Ok((_, true)) => last = StoreError::Unreadable("no host accepts writes"),
            Err(error) => last = StoreError::from(error),
        }
    }
    Err(last)
}

/// Whether servers or commands of Maidan are connected to this database.
pub async fn is_in_use(db: &mut PgConnection) -> Result<bool> {
    let sql =
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'maidan'";
    let others: i64 = within(STEP, sqlx::query_scalar(sql).fetch_one(db)).await?;
    Ok(others > 0)
}

impl End {
    /// Begins a transaction that sees the database as of one moment, and keeps others from writing.
    pub async fn begin(&mut self) -> Result<()> {
        match self {
            // In a transaction since it was opened for exclusive use.
            End::Sqlite(_) => {}
            End::Postgres(db) => {
                within(STEP, db.execute("BEGIN ISOLATION LEVEL REPEATABLE READ")).await?;
                let lock = format!("LOCK TABLE {} IN SHARE ROW EXCLUSIVE MODE", TABLES.join(", "));
                within(STEP, db.execute(AssertSqlSafe(lock))).await?;
            }
        }
        Ok(())
    }

    pub async fn commit(mut self) -> Result<()> {
        match &mut self {
            End::Sqlite(db) => db.execute("COMMIT").await.map(drop)?,
            End::Postgres(db) => {
                within(STEP, db.execute("COMMIT")).await?;
                // A new database has no statistics.
                within(STEP, db.execute("ANALYZE")).await?;
            }
        }
        Ok(())
    }

    async fn count(&mut self, table: &str) -> Result<i64> {
        let sql = AssertSqlSafe(format!("SELECT count(*) FROM {table}"));
        Ok(match self {
            End::Sqlite(db) => sqlx::query_scalar(sql).fetch_one(db).await?,
            End::Postgres(db) => within(STEP, sqlx::query_scalar(sql).fetch_one(db)).await?,
        })
    }

    /// The number of rows that a copy would have.
    pub async fn rows(&mut self) -> Result<i64> {
        let mut rows = 0;
        for table in TABLES {
            rows += self.count(table).await?;
        }
        Ok(rows)
    }

    /// A table that this build does not know how to copy.
    async fn unknown_table(&mut self) -> Result<Option<String>> {
        let tables: Vec<String> = match self {
            End::Sqlite(db) => {
                let sql = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'";
                sqlx::query_scalar(sql).fetch_all(db).await?
            }
            End::Postgres(db) => {
                let sql = "SELECT table_name::text FROM information_schema.tables
                     WHERE table_schema = current_schema() AND table_type = 'BASE TABLE'";
                within(STEP, sqlx::query_scalar(sql).fetch_all(db)).await?
            }
        };
        let is_known = |table: &String| TABLES.contains(&table.as_str()) || LEFT_OUT.contains(&table.as_str());
        Ok(tables.into_iter().find(|table| !is_known(table)))
    }
}

/// Copies all tables into a database that has the same tables, without rows. `report` gets the number of rows copied.
pub async fn copy(
    from: &mut End,
    to: &mut End,
    mut report: impl FnMut(usize),
) -> std::result::Result<Vec<Copied>, String> {
    let failed = |error: StoreError| error.to_string();
    for end in [&mut *from, &mut *to] {
        if let Some(table) = end.unknown_table().await.map_err(failed)? {
            return Err(format!(
                "The table {table} is not one of this build. Use the build that runs on this database."
            ));
        }
    }
    let mut copied = Vec::new();
    for table in TABLES {
        let columns = columns(from, to, table).await?;
        let broken = |error: StoreError| format!("Copying {table} failed: {error}");
        match (&mut *from, &mut *to) {
            (End::Sqlite(from), End::Postgres(to)) => {
                let names: Vec<&str> = columns.iter().map(|column| column.name.as_str()).collect();
                let sql = AssertSqlSafe(format!("SELECT {} FROM {table}", names.join(", ")));
                let mut rows = sqlx::query(sql).fetch(from);
                let mut batch = Batch::new(&columns);
                loop {
                    let row = rows.try_next().await.map_err(|error| broken(error.into()))?;
                    if let Some(row) = &row {
                        batch.push_sqlite(row).map_err(|error| broken(error.into()))?;
                    }
                    if row.is_none() || batch.is_full() {
                        report(batch.rows);
                        batch.insert_into_postgres(to, table).await.map_err(broken)?;
                    }
                    if row.is_none() {
                        break;
                    }
                }
            }
            (End::Postgres(from), End::Sqlite(to)) => {
                let values: Vec<String> = columns.iter().map(Column::read).collect();
                let sql = AssertSqlSafe(format!("SELECT {} FROM {table}", values.join(", ")));
                let mut rows = sqlx::query(sql).fetch(from);
                let mut unreported = 0;
                while let Some(row) = within(STEP, rows.try_next()).await.map_err(|error| broken(error.into()))? {
                    insert_into_sqlite(to, table, &columns, &row).await.map_err(broken)?;
                    unreported += 1;
                    if unreported == MOST_ROWS {
                        report(std::mem::take(&mut unreported));
                    }
                }
                report(unreported);
            }
            _ => return Err("Both databases are of the same kind.".into()),
        }
        let (before, after) = (from.count(table).await.map_err(failed)?, to.count(table).await.map_err(failed)?);
        if before != after {
            return Err(format!("{table} has {before} rows, and its copy {after}."));
        }
        copied.push(Copied { table, rows: after });
    }
    Ok(copied)
}

/// The columns of a table. Fails if the source has values for which the target has no column.
async fn columns(from: &mut End, to: &mut End, table: &str) -> std::result::Result<Vec<Column>, String> {
    let failed = |error: sqlx::Error| error.to_string();
    let (sqlite, postgres, is_from_postgres) = match (from, to) {
        (End::Sqlite(sqlite), End::Postgres(postgres)) => (sqlite, postgres, false),
        (End::Postgres(postgres), End::Sqlite(sqlite)) => (sqlite, postgres, true),
        _ => return Err("Both databases are of the same kind.".into()),
    };
    let sql = "SELECT name FROM pragma_table_info($1)";
    let in_sqlite: Vec<String> = sqlx::query_scalar(sql).bind(table).fetch_all(sqlite).await.map_err(failed)?;
    let sql = "SELECT column_name::text, udt_name::text FROM information_schema.columns
         WHERE table_schema = current_schema() AND table_name = $1 AND is_generated = 'NEVER' ORDER BY ordinal_position";
    let in_postgres: Vec<(String, String)> =
        within(STEP, sqlx::query_as(sql).bind(table).fetch_all(&mut *postgres)).await.map_err(failed)?;
    if let Some(name) = in_sqlite.iter().find(|name| !in_postgres.iter().any(|(other, _)| other == *name)) {
        return Err(format!("{table}.{name} has no counterpart in Postgres."));
    }
    let mut columns = Vec::new();
    for (name, kind) in in_postgres {
        if in_sqlite.contains(&name) {
            columns.push(Column { name, kind });
        } else if is_from_postgres {
            let sql = AssertSqlSafe(format!("SELECT count({name}) FROM {table}"));
            let counting = sqlx::query_scalar(sql).fetch_one(&mut *postgres);
            let values: i64 = within(STEP, counting).await.map_err(failed)?;
            if values > 0 {
                return Err(format!("{table}.{name} has no counterpart in SQLite."));
            }
        }
    }
    Ok(columns)
}

/// The type in which a column travels.
enum Form {
    Integer,
    Text,
    Bytes,
}

impl Column {
    fn form(&self) -> Form {
        match self.kind.as_str() {
            "int2" | "int4" | "int8" | "bool" | "timestamptz" => Form::Integer,
            "uuid" | "bytea" => Form::Bytes,
            _ => Form::Text,
        }
    }

    /// The SQL that reads it from Postgres as it travels. Times are microseconds since 1970.
    fn read(&self) -> String {
        let Column { name, kind } = self;
        match kind.as_str() {
            "uuid" => format!("uuid_send({name})"),
            "bytea" => name.clone(),
            "bool" => format!("{name}::integer::bigint"),
            "timestamptz" => format!("(extract(epoch FROM {name}) * 1000000)::bigint"),
            "int2" | "int4" | "int8" => format!("{name}::bigint"),
            _ => format!("{name}::text"),
        }
    }

    /// The SQL that makes a value of Postgres of it.
    fn written(&self) -> String {
        let Column { name, kind } = self;
        match kind.as_str() {
            "uuid" => format!("encode({name}, 'hex')::uuid"),
            "bool" => format!("{name} <> 0"),
            "timestamptz" => format!("'epoch'::timestamptz + {name} * interval '1 microsecond'"),
            kind => format!("{name}::{kind}"),
        }
    }
}

/// The values of one column in a batch of rows.
enum Values {
    Integers(Vec<Option<i64>>),
    Texts(Vec<Option<String>>),
    Bytes(Vec<Option<Vec<u8>>>),
}

struct Batch<'a> {
    columns: &'a [Column],
    values: Vec<Values>,
    rows: usize,
    bytes: usize,
}

impl<'a> Batch<'a> {
    fn new(columns: &'a [Column]) -> Batch<'a> {
        let empty = |column: &Column| match column.form() {
            Form::Integer => Values::Integers(Vec::new()),
            Form::Text => Values::Texts(Vec::new()),
            Form::Bytes => Values::Bytes(Vec::new()),
        };
        Batch { columns, values: columns.iter().map(empty).collect(), rows: 0, bytes: 0 }
    }

    fn is_full(&self) -> bool {
        self.rows == MOST_ROWS || self.bytes >= MOST_BYTES
    }

    fn push_sqlite(&mut self, row: &SqliteRow) -> sqlx::Result<()> {
        for (index, values) in self.values.iter_mut().enumerate() {
            self.bytes += 8;
            match values {
                Values::Integers(values) => values.push(row.try_get(index)?),
                Values::Texts(values) => {
                    let text: Option<String> = row.try_get(index)?;
                    self.bytes += text.as_ref().map_or(0, String::len);
                    values.push(text);
                }
                Values::Bytes(values) => {
                    let bytes: Option<Vec<u8>> = row.try_get(index)?;
                    self.bytes += bytes.as_ref().map_or(0, Vec::len);
                    values.push(bytes);
                }
            }
        }
        self.rows += 1;
        Ok(())
    }

    /// Inserts the rows, after which the batch is empty.
    async fn insert_into_postgres(&mut self, db: &mut PgConnection, table: &str) -> Result<()> {
        let done = std::mem::replace(self, Batch::new(self.columns));
        if done.rows == 0 {
            return Ok(());
        }
        let names: Vec<&str> = self.columns.iter().map(|column| column.name.as_str()).collect();
        let written: Vec<String> = self.columns.iter().map(Column::written).collect();
        let arrays = self.columns.iter().enumerate().map(|(index, column)| {
            let array = match column.form() {
                Form::Integer => "bigint[]",
                Form::Text => "text[]",
                Form::Bytes => "bytea[]",
            };
            format!("${}::{array}", index + 1)
        });
        let names = names.join(", ");
        let sql = format!(
            "INSERT INTO {table} ({names}) SELECT {} FROM unnest({}) AS row ({names})",
            written.join(", "),
            arrays.collect::<Vec<_>>().join(", "),
        );
        let mut query = sqlx::query(AssertSqlSafe(sql));
        for values in done.values {
            query = match values {
                Values::Integers(values) => query.bind(values),
                Values::Texts(values) => query.bind(values),
                Values::Bytes(values) => query.bind(values),
            };
        }
        within(STEP, query.execute(db)).await?;
        Ok(())
    }
}

async fn insert_into_sqlite(db: &mut SqliteConnection, table: &str, columns: &[Column], row: &PgRow) -> Result<()> {
    let names: Vec<&str> = columns.iter().map(|column| column.name.as_str()).collect();
    let places: Vec<String> = (1..=columns.len()).map(|place| format!("${place}")).collect();
    let sql = format!("INSERT INTO {table} ({}) VALUES ({})", names.join(", "), places.join(", "));
    let mut query = sqlx::query(AssertSqlSafe(sql));
    for (index, column) in columns.iter().enumerate() {
        query = match column.form() {
            Form::Integer => query.bind(row.try_get::<Option<i64>, _>(index)?),
            Form::Text => query.bind(row.try_get::<Option<String>, _>(index)?),
            Form::Bytes => query.bind(row.try_get::<Option<Vec<u8>>, _>(index)?),
        };
    }
    query.execute(db).await?;
    Ok(())
}
