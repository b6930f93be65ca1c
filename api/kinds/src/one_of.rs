//! One-of enums as GraphQL outputs.

/// Generates the GraphQL object of a one-of enum: a nullable field for each variant.
///
/// GraphQL has one-of inputs, which the enum derives, but no one-of outputs. Input and output have separate
/// descriptions: an input says what to do, an output what was done.
macro_rules! one_of {
    ($(#[$about:meta])* $Enum:ident { $($(#[$about_field:meta])* $field:ident: $Variant:ident($T:ident),)* }) => {
        $(#[$about])*
        #[async_graphql::Object]
        impl $Enum {
            $(
                $(#[$about_field])*
                async fn $field(&self) -> Option<&$T> {
                    if let $Enum::$Variant(given) = self { Some(given) } else { None }
                }
            )*
        }
    };
}

pub(super) use one_of;
