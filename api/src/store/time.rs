//! Timestamps: `timestamptz` in Postgres, microseconds since 1970 in SQLite.

use std::time::Instant;

use jiff::Timestamp;
use sqlx::encode::IsNull;
use sqlx::error::BoxDynError;
use sqlx::{Decode, Encode, Postgres, Sqlite, Type};

use super::{Store, StoreError};
use crate::clock;
use crate::model::At;

impl Store {
    /// Sets the clock of this process by that of Postgres, which decides what has expired.
    pub async fn set_clock(&self) -> Result<(), StoreError> {
        if let Store::Postgres(db) = self {
            // The quickest answer says most: the first may have had to wait for a connection.
            for _ in 0..2 {
                let asked = Instant::now();
                let now: At = sqlx::query_scalar("SELECT clock_timestamp()").fetch_one(&db.lookups).await?;
                clock::set(now.0.as_microsecond(), asked.elapsed());
            }
        }
        Ok(())
    }
}

/// Postgres has no timestamp before 4714 BC. Filters are clamped to year 1, before which nothing is stored.
const EARLIEST_IN_POSTGRES: Timestamp = Timestamp::constant(-62_135_596_800, 0);

impl Type<Postgres> for At {
    fn type_info() -> sqlx::postgres::PgTypeInfo {
        <jiff_sqlx::Timestamp as Type<Postgres>>::type_info()
    }
}

impl sqlx::postgres::PgHasArrayType for At {
    fn array_type_info() -> sqlx::postgres::PgTypeInfo {
        sqlx::postgres::PgTypeInfo::with_name("_timestamptz")
    }
}

impl Encode<'_, Postgres> for At {
    fn encode_by_ref(&self, buf: &mut sqlx::postgres::PgArgumentBuffer) -> Result<IsNull, BoxDynError> {
        let at = jiff_sqlx::Timestamp::from(self.0.max(EARLIEST_IN_POSTGRES));
        <jiff_sqlx::Timestamp as Encode<Postgres>>::encode_by_ref(&at, buf)
    }
}

impl<'r> Decode<'r, Postgres> for At {
    fn decode(value: sqlx::postgres::PgValueRef<'r>) -> Result<At, BoxDynError> {
        <jiff_sqlx::Timestamp as Decode<Postgres>>::decode(value).map(|at| At(at.to_jiff()))
    }
}

impl Type<Sqlite> for At {
    fn type_info() -> sqlx::sqlite::SqliteTypeInfo {
        <i64 as Type<Sqlite>>::type_info()
    }

    fn compatible(ty: &sqlx::sqlite::SqliteTypeInfo) -> bool {
        <i64 as Type<Sqlite>>::compatible(ty)
    }
}

impl Encode<'_, Sqlite> for At {
    fn encode_by_ref(&self, buf: &mut sqlx::sqlite::SqliteArgumentsBuffer) -> Result<IsNull, BoxDynError> {
        <i64 as Encode<Sqlite>>::encode_by_ref(&self.0.as_microsecond(), buf)
    }
}

impl<'r> Decode<'r, Sqlite> for At {
    fn decode(value: sqlx::sqlite::SqliteValueRef<'r>) -> Result<At, BoxDynError> {
        <i64 as Decode<Sqlite>>::decode(value).map(At::from_micros)
    }
}
