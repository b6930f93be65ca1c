//! The events of a kind on the wire, as a table.

/// Generates a kind's events: for each entry a wire type, and its conversion from the rules' event.
///
/// An entry destructures an event of the rules and defines the fields of the wire type:
///
/// ```ignore
/// Sowed { seat, pocket, seeds } => KalahSowed {
///     seat: Some(seat),
///     pocket: i32 = pocket.into(),
///     seeds: i32 = seeds.into(),
/// }
/// ```
///
/// It cannot contain `..`, so a new field of the rules does not compile until its place on the wire is decided. Every
/// event has `seat`, given as an `Option<Seat>`, and `text`, which is how the event prints.
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
                /// The event as a sentence.
                pub text: String,
                // Private, because public fields would get public getters, which are unused.
                $($(#[$about_field])* $field: $T,)*
            }
        )*

        impl From<$kind::Event> for $crate::Event {
            fn from(event: $kind::Event) -> $crate::Event {
                let text = event.to_string();
                match event {
                    $($kind::Event::$Event { $($part),* } => {
                        let seat: Option<domain::Seat> = $seat;
                        let seat = seat.map($crate::seat);
                        $crate::Event::$Wire($Wire { seat, text, $($field: $value,)* })
                    })*
                }
            }
        }
    };
}

pub(super) use events;
