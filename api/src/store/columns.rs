//! The model's types as columns.
//!
//! Written here instead of derived: sqlx's derive macros bring both database drivers, SQLite's C source among them, to
//! the compiler's side as well, and everybody would build them twice.

use sqlx::encode::IsNull;
use sqlx::error::BoxDynError;
use sqlx::postgres::{PgHasArrayType, PgTypeInfo};
use sqlx::{Database, Decode, Encode, Type};
use uuid::Uuid;

use crate::ids::{AppId, AppKeyId, GameId, PlayerId, TokenId};
use crate::model::{EntryKind, GameResult, Status, Tag, Version, Visibility};

/// A type with one field is stored as that field.
macro_rules! stored_as_its_field {
    ($($Type:ident($Field:ty)),* $(,)?) => {$(
        impl<DB: Database> Type<DB> for $Type
        where
            $Field: Type<DB>,
        {
            fn type_info() -> DB::TypeInfo {
                <$Field as Type<DB>>::type_info()
            }

            fn compatible(info: &DB::TypeInfo) -> bool {
                <$Field as Type<DB>>::compatible(info)
            }
        }

        impl PgHasArrayType for $Type {
            fn array_type_info() -> PgTypeInfo {
                <$Field as PgHasArrayType>::array_type_info()
            }
        }

        impl<'q, DB: Database> Encode<'q, DB> for $Type
        where
            $Field: Encode<'q, DB>,
        {
            fn encode_by_ref(&self, buffer: &mut DB::ArgumentBuffer) -> Result<IsNull, BoxDynError> {
                self.0.encode_by_ref(buffer)
            }
        }

        impl<'r, DB: Database> Decode<'r, DB> for $Type
        where
            $Field: Decode<'r, DB>,
        {
            fn decode(value: DB::ValueRef<'r>) -> Result<$Type, BoxDynError> {
                <$Field as Decode<'r, DB>>::decode(value).map($Type)
            }
        }
    )*};
}

stored_as_its_field!(AppId(Uuid), AppKeyId(Uuid), GameId(Uuid), PlayerId(Uuid), TokenId(Uuid), Tag(i64), Version(i32));

/// An enum is stored as the name of its variant.
macro_rules! stored_as_text {
    ($($Enum:ident { $($Variant:ident = $name:literal),* $(,)? })*) => {$(
        impl<DB: Database> Type<DB> for $Enum
        where
            str: Type<DB>,
        {
            fn type_info() -> DB::TypeInfo {
                <str as Type<DB>>::type_info()
            }

            fn compatible(info: &DB::TypeInfo) -> bool {
                <str as Type<DB>>::compatible(info)
            }
        }

        impl PgHasArrayType for $Enum {
            fn array_type_info() -> PgTypeInfo {
                <&str as PgHasArrayType>::array_type_info()
            }
        }

        impl<'q, DB: Database> Encode<'q, DB> for $Enum
        where
            &'static str: Encode<'q, DB>,
        {
            fn encode_by_ref(&self, buffer: &mut DB::ArgumentBuffer) -> Result<IsNull, BoxDynError> {
                let name: &'static str = match self { $($Enum::$Variant => $name),* };
                name.encode(buffer)
            }
        }

        impl<'r, DB: Database> Decode<'r, DB> for $Enum
        where
            &'r str: Decode<'r, DB>,
        {
            fn decode(value: DB::ValueRef<'r>) -> Result<$Enum, BoxDynError> {
                match <&str as Decode<'r, DB>>::decode(value)? {
                    $($name => Ok($Enum::$Variant),)*
                    other => Err(format!("unknown {} {other:?}", stringify!($Enum)).into()),
                }
            }
        }
    )*};
}

stored_as_text! {
    Status { Open = "OPEN", Running = "RUNNING", Over = "OVER", Cancelled = "CANCELLED" }
    Visibility { Public = "PUBLIC", Private = "PRIVATE" }
    GameResult { Won = "WON", Shared = "SHARED", Drawn = "DRAWN", Lost = "LOST" }
    EntryKind {
        Opened = "OPENED",
        Joined = "JOINED",
        Left = "LEFT",
        Started = "STARTED",
        Moved = "MOVED",
        Resigned = "RESIGNED",
        Cancelled = "CANCELLED",
        Expired = "EXPIRED",
        Seeded = "SEEDED",
    }
}

/// A struct whose fields are the columns of a row, by name.
macro_rules! row {
    ($(#[$meta:meta])* $visible:vis struct $Row:ident { $($public:vis $column:ident: $Type:ty,)* }) => {
        $(#[$meta])*
        $visible struct $Row {
            $($public $column: $Type,)*
        }

        impl<'r, R: sqlx::Row> sqlx::FromRow<'r, R> for $Row
        where
            &'static str: sqlx::ColumnIndex<R>,
            $($Type: sqlx::Decode<'r, R::Database> + sqlx::Type<R::Database>,)*
        {
            fn from_row(row: &'r R) -> sqlx::Result<$Row> {
                Ok($Row { $($column: row.try_get(stringify!($column))?,)* })
            }
        }
    };
}
pub(super) use row;
