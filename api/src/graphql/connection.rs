//! Lists in pages, as Relay's clients expect them.

use std::borrow::Cow;

use async_graphql::{Object, OutputType, SimpleObject, TypeName};

use crate::wire::{Game, LogEntry, Player, TokenInUse};

/// An item of a list with pages.
pub trait Listed: OutputType + Clone {
    /// The cursor: a page can start after this item.
    fn cursor(&self) -> String;
}

impl Listed for Game {
    fn cursor(&self) -> String {
        self.id.to_string()
    }
}

impl Listed for LogEntry {
    fn cursor(&self) -> String {
        self.version.to_string()
    }
}

impl Listed for Player {
    fn cursor(&self) -> String {
        self.id.to_string()
    }
}

impl Listed for TokenInUse {
    fn cursor(&self) -> String {
        self.id.to_string()
    }
}

pub struct Connection<T> {
    nodes: Vec<T>,
    has_next_page: bool,
    has_previous_page: bool,
}

impl<T> Connection<T> {
    /// A page of items after a cursor, and whether more items follow.
    pub fn new(nodes: Vec<T>, has_more: bool, after: Option<&str>) -> Connection<T> {
        Connection { nodes, has_next_page: has_more, has_previous_page: after.is_some() }
    }
}

/// A page of a list: `nodes` has the items, `edges` has the items with their cursors.
#[Object(name_type)]
impl<T: Listed> Connection<T> {
    /// The items.
    async fn nodes(&self) -> &[T] {
        &self.nodes
    }

    /// The items, each with its cursor.
    async fn edges(&self) -> Vec<Edge<T>> {
        self.nodes.iter().map(|node| Edge { cursor: node.cursor(), node: node.clone() }).collect()
    }

    /// The position of this page in the list.
    async fn page_info(&self) -> PageInfo {
        PageInfo {
            has_next_page: self.has_next_page,
            has_previous_page: self.has_previous_page,
            start_cursor: self.nodes.first().map(Listed::cursor),
            end_cursor: self.nodes.last().map(Listed::cursor),
        }
    }
}

/// An item of a list with its cursor.
#[derive(SimpleObject)]
#[graphql(name_type)]
pub struct Edge<T: Listed> {
    /// The item.
    node: T,
    /// Pass the cursor as `after` to get the items that follow.
    cursor: String,
}

impl<T: Listed> TypeName for Connection<T> {
    fn type_name() -> Cow<'static, str> {
        format!("{}Connection", T::type_name()).into()
    }
}

impl<T: Listed> TypeName for Edge<T> {
    fn type_name() -> Cow<'static, str> {
        format!("{}Edge", T::type_name()).into()
    }
}

/// The position of a page in its list.
#[derive(SimpleObject)]
pub struct PageInfo {
    /// Whether more items follow.
    has_next_page: bool,
    /// Whether the page starts after a cursor.
    has_previous_page: bool,
    /// The cursor of the first item; null if the page is empty.
    start_cursor: Option<String>,
    /// The cursor of the last item; null if the page is empty. Pass it as `after` to get the next page.
    end_cursor: Option<String>,
}
