//! The events of a kind on the wire, as a table.

/// Writes a kind's events: for each line of the table a wire type, and its conversion from the rules' event.
///
/// A line takes an event of the rules apart and gives a field of the wire type for each field of GraphQL and JSON:
///
/// ```ignore
/// Sowed { seat, pocket, seeds } => KalahSowed {
///     seat: Some(seat),
///     pocket: i32 = pocket.into(),
///     seeds: i32 = seeds.into(),
/// }
/// ```
///
/// It has no way to write `..`, so a new field of the rules does not compile until somebody decides where it goes.
/// `seat` and `text` are fields of every event; `seat` is given as an `Option<Seat>`, `text` is how the event prints.
macro_rules! events {
    (
        $kind:ident::Event;
        $(
            $(#[$about:meta])*
            $Event:ident { $($part:ident),* } => $Wire:ident {
                $(#[$about_seat:meta])*
                seat: $seat:expr,
                $($(#[$about_field:meta])* $field:ident: $T:ty = $value:expr,)*
            }
        )*
    ) => {
        $(
            $(#[$about])*
            #[derive(Clone, Debug, async_graphql::SimpleObject, serde::Serialize, utoipa::ToSchema)]
            #[serde(rename_all = "camelCase")]
            pub struct $Wire {
                $(#[$about_seat])*
                pub seat: Option<i32>,
                /// What happened, in a sentence.
                pub text: String,
                // Only GraphQL and JSON read these. If they were `pub`, so would be their getters, and those are unused.
                $($(#[$about_field])* $field: $T,)*
            }
        )*

        impl From<$kind::Event> for $crate::wire::Event {
            fn from(event: $kind::Event) -> $crate::wire::Event {
                let text = event.to_string();
                match event {
                    $($kind::Event::$Event { $($part),* } => {
                        let seat: Option<domain::Seat> = $seat;
                        let seat = seat.map($crate::wire::seat);
                        $crate::wire::Event::$Wire($Wire { seat, text, $($field: $value,)* })
                    })*
                }
            }
        }
    };
}

pub(super) use events;
