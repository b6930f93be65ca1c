//! A cache of parsed GraphQL documents. Apps send the same few documents repeatedly: each is parsed once.

use std::collections::HashMap;
use std::sync::Arc;

use async_graphql::parser::parse_query;
use async_graphql::parser::types::{
    DocumentOperations, ExecutableDocument, OperationDefinition, OperationType, Selection, SelectionSet,
};
use async_graphql::{Name, Request, ServerError, Value};

use crate::cache::{Cacheable, SizedCache};
use crate::limits::Limits;

/// A cache of parsed documents.
pub struct Documents(SizedCache<String, Document>);

const MOST_TEXTS: usize = 1_000;
const MOST_BYTES: usize = 16 * 1024 * 1024;

/// A parsed document within the limits.
#[derive(Clone)]
struct Document {
    parsed: Arc<ExecutableDocument>,
    length: usize,
}

impl Cacheable for Document {
    /// A parsed document takes about twenty times the memory of its text.
    fn size(&self) -> usize {
        20 * self.length
    }
}

impl Default for Documents {
    fn default() -> Documents {
        Documents(SizedCache::new(MOST_TEXTS, MOST_BYTES))
    }
}

impl Documents {
    /// Parses a request's document and returns the type of the operation to execute. `None` if the document has no
    /// operation of that name, which execution will report.
    pub fn read(&self, request: &mut Request, limits: &Limits) -> Result<Option<OperationType>, ServerError> {
        let document = match self.0.get(request.query.as_str()) {
            Some(document) => document,
            None => {
                let parsed = parse_query(&request.query)?;
                check_size(&parsed, limits)?;
                let document = Document { parsed: Arc::new(parsed), length: request.query.len() };
                self.0.put(request.query.clone(), document.clone());
                document
            }
        };
        let operation = operation(&document.parsed, request.operation_name.as_deref()).map(|operation| {
            // The library's complexity calculation fails on omitted optional variables; null is equivalent.
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

/// Refuses a document whose nested fragments make it too large. The library expands every spread before it applies its
/// limits: thirty fragments that each spread the next one twice would keep it busy for hours.
fn check_size(document: &ExecutableDocument, limits: &Limits) -> Result<(), ServerError> {
    let mut known = HashMap::new();
    let mut total = 0_usize;
    for (_, operation) in document.operations.iter() {
        let set = &operation.node.selection_set.node;
        total = total.saturating_add(size(document, set, limits.most_nested() + 1, &mut known)?);
    }
    if total > limits.max_complexity {
        let most = limits.max_complexity;
        return Err(ServerError::new(format!("The query selects more than {most} fields."), None));
    }
    Ok(())
}

/// The number of fields of a selection with its fragments expanded. Each fragment is counted once.
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
