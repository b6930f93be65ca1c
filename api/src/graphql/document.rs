//! What clients ask in GraphQL's language. An app asks the same few things again and again: each text is read once.

use std::collections::HashMap;
use std::sync::Arc;

use async_graphql::parser::parse_query;
use async_graphql::parser::types::{
    DocumentOperations, ExecutableDocument, OperationDefinition, OperationType, Selection, SelectionSet,
};
use async_graphql::{Name, Request, ServerError, Value};

use crate::limits::Limits;
use crate::shelf::{Keepable, Shelf};

/// Texts that were read lately.
pub struct Documents(Shelf<String, Document>);

const MOST_TEXTS: usize = 1_000;
const MOST_BYTES: usize = 16 * 1024 * 1024;

/// A text that was read, and is no larger than it may be.
#[derive(Clone)]
struct Document {
    parsed: Arc<ExecutableDocument>,
    length: usize,
}

impl Keepable for Document {
    /// Read, a text takes some twenty times the room.
    fn size(&self) -> usize {
        20 * self.length
    }
}

impl Default for Documents {
    fn default() -> Documents {
        Documents(Shelf::new(MOST_TEXTS, MOST_BYTES))
    }
}

impl Documents {
    /// Reads a request's text and says what kind of operation would be executed. `None`: there is none of that name,
    /// which execution will say.
    pub fn read(&self, request: &mut Request, limits: &Limits) -> Result<Option<OperationType>, ServerError> {
        let document = match self.0.get(request.query.as_str()) {
            Some(document) => document,
            None => {
                let parsed = parse_query(&request.query)?;
                mind_size(&parsed, limits)?;
                let document = Document { parsed: Arc::new(parsed), length: request.query.len() };
                self.0.put(request.query.clone(), document.clone());
                document
            }
        };
        let operation = operation(&document.parsed, request.operation_name.as_deref()).map(|operation| {
            // The library's count of complexity stumbles over a variable that may be left out and was; null means the
            // same.
            for definition in &operation.variable_definitions {
                let variable = &definition.node;
                if variable.var_type.node.nullable && variable.default_value.is_none() {
                    request.variables.entry(variable.name.node.clone()).or_insert(Value::Null);
                }
            }
            operation.ty
        });
        request.set_parsed_query(ExecutableDocument::clone(&document.parsed));
        Ok(operation)
    }
}

fn operation<'a>(document: &'a ExecutableDocument, name: Option<&str>) -> Option<&'a OperationDefinition> {
    match (&document.operations, name) {
        (DocumentOperations::Single(operation), _) => Some(&operation.node),
        (DocumentOperations::Multiple(operations), Some(name)) => Some(&operations.get(name)?.node),
        (DocumentOperations::Multiple(_), None) => None,
    }
}

/// Refuses what fragments within fragments make too large. The library walks all of a query, every fragment as often
/// as it is named, before it counts anything: thirty lines that each name the next one twice would keep it for hours.
fn mind_size(document: &ExecutableDocument, limits: &Limits) -> Result<(), ServerError> {
    let mut known = HashMap::new();
    let mut total = 0_usize;
    for (_, operation) in document.operations.iter() {
        let set = &operation.node.selection_set.node;
        total = total.saturating_add(size(document, set, limits.most_nested() + 1, &mut known)?);
    }
    if total > limits.max_complexity {
        let most = limits.max_complexity;
        return Err(ServerError::new(format!("The query comes to more than {most} fields."), None));
    }
    Ok(())
}

/// How many fields a selection comes to with its fragments in place. Each fragment is looked into once.
fn size<'a>(
    document: &'a ExecutableDocument,
    set: &'a SelectionSet,
    levels: usize,
    known: &mut HashMap<&'a Name, usize>,
) -> Result<usize, ServerError> {
    let Some(levels) = levels.checked_sub(1) else {
        return Err(ServerError::new("The query is nested too deeply, or a fragment contains itself.", None));
    };
    let mut total = 0_usize;
    for selection in &set.items {
        let inside = match &selection.node {
            Selection::Field(field) => match &field.node.selection_set.node {
                leaf if leaf.items.is_empty() => 0,
                set => size(document, set, levels, known)?,
            },
            Selection::InlineFragment(fragment) => size(document, &fragment.node.selection_set.node, levels, known)?,
            Selection::FragmentSpread(spread) => {
                let name = &spread.node.fragment_name.node;
                match (known.get(name), document.fragments.get(name)) {
                    (Some(inside), _) => *inside,
                    (None, None) => 0,
                    (None, Some(fragment)) => {
                        let inside = size(document, &fragment.node.selection_set.node, levels, known)?;
                        known.insert(name, inside);
                        inside
                    }
                }
            }
        };
        total = total.saturating_add(inside).saturating_add(1);
    }
    Ok(total)
}
