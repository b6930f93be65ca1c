//! Reads documents: each is parsed once, its cost is counted for every request, and equal fields are merged.

use std::collections::HashMap;
use std::sync::Arc;

use async_graphql::parser::parse_query;
use async_graphql::parser::types::{
    DocumentOperations, ExecutableDocument, OperationDefinition, OperationType, Selection, SelectionSet,
};
use async_graphql::{Name, Positioned, Request, ServerError, Value};

use super::cost::Cost;
use super::selection::Walk;
use super::tokens;
use super::types::Types;
use crate::cache::{Cacheable, SizedCache};
use crate::limits::Limits;

/// A cache of parsed documents. Apps send the same few documents repeatedly.
pub struct Documents(SizedCache<String, Document>);

const MOST_TEXTS: usize = 1_000;
const MOST_BYTES: usize = 16 * 1024 * 1024;

/// The most selections of a document when all fragments are expanded wherever they are spread. Validation walks through
/// all of them.
const MOST_SELECTIONS: usize = 10_000;
/// The most variables of an operation: each use of one searches them.
const MOST_VARIABLES: usize = 100;

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

/// An operation that may be executed.
#[derive(Clone, Copy, Debug)]
pub struct Operation {
    pub ty: OperationType,
    pub cost: Cost,
    /// The place of the first field among those of its type.
    pub field: Option<usize>,
}

impl Operation {
    /// Type and first field, such as 'mutation playMove'. `None` if there is no such field.
    pub fn name(self, types: &Types) -> Option<String> {
        let field = &types.get(types.root(self.ty)).fields.get(self.field?)?.name;
        Some(format!("{} {field}", self.ty))
    }
}

impl Documents {
    /// Reads a request's document. Returns the operation to execute; `None` if the document has none of that name, which
    /// execution will report.
    pub fn read(
        &self,
        request: &mut Request,
        types: &Types,
        limits: &Limits,
    ) -> Result<Option<Operation>, ServerError> {
        let document = match self.0.get(request.query.as_str()) {
            Some(document) => document,
            None => {
                tokens::check(&request.query, limits)?;
                let parsed = parse_query(&request.query)?;
                check_size(&parsed, limits)?;
                let document = Document { parsed: Arc::new(parsed), length: request.query.len() };
                self.0.put(request.query.clone(), document.clone());
                document
            }
        };
        let document = &*document.parsed;
        let operation = operation(document, request.operation_name.as_deref());
        if let Some(operation) = operation {
            fill_in(request, &operation.node);
        }
        // Operations that are not executed are validated, too.
        let mut cost = Cost::default();
        let mut rewritten = None;
        let mut walk = Walk::new(types, document);
        for (_, other) in document.operations.iter() {
            walk.repeats = false;
            let of_other = walk.cost(&other.node, &request.variables, limits)?;
            if operation.is_some_and(|operation| std::ptr::eq(operation, other)) {
                cost = of_other;
                // Validation describes faults by the document as it was written.
                if walk.repeats && !walk.has_faults() {
                    rewritten = Some(Walk::new(types, document).rewritten(other, &request.variables)?);
                }
            }
        }
        if rewritten.is_some() {
            request.operation_name = None;
        }
        request.set_parsed_query(rewritten.unwrap_or_else(|| document.clone()));
        Ok(operation.map(|operation| {
            let OperationDefinition { ty, selection_set, .. } = &operation.node;
            let first = selection_set.node.items.iter().find_map(|selection| match &selection.node {
                Selection::Field(field) => Some(field.node.name.node.as_str()),
                _ => None,
            });
            let known = &types.get(types.root(*ty)).fields;
            let field = first.and_then(|first| known.iter().position(|field| field.name == first));
            Operation { ty: *ty, cost, field }
        }))
    }
}

fn operation<'a>(document: &'a ExecutableDocument, name: Option<&str>) -> Option<&'a Positioned<OperationDefinition>> {
    match (&document.operations, name) {
        (DocumentOperations::Single(operation), None) => Some(operation),
        (DocumentOperations::Single(_), Some(_)) => None,
        (DocumentOperations::Multiple(operations), Some(name)) => operations.get(name),
        (DocumentOperations::Multiple(operations), None) if operations.len() == 1 => operations.values().next(),
        (DocumentOperations::Multiple(_), None) => None,
    }
}

/// Gives variables that were left out their default. The library overlooks it in `@skip` and `@include`.
fn fill_in(request: &mut Request, operation: &OperationDefinition) {
    for Positioned { node: variable, .. } in &operation.variable_definitions {
        let default = match &variable.default_value {
            Some(default) => default.node.clone(),
            None if variable.var_type.node.nullable => Value::Null,
            None => continue,
        };
        request.variables.entry(variable.name.node.clone()).or_insert(default);
    }
}

/// Refuses what would make validation slow: many selections in expanded fragments, fragments that no operation spreads,
/// and many variables.
fn check_size(document: &ExecutableDocument, limits: &Limits) -> Result<(), ServerError> {
    let mut known = HashMap::new();
    let mut total = 0_usize;
    for (_, operation) in document.operations.iter() {
        let set = &operation.node.selection_set.node;
        total = total.saturating_add(size(document, set, limits.most_nested() + 1, &mut known)?);
        if operation.node.variable_definitions.len() > MOST_VARIABLES {
            let text = format!("An operation has more than {MOST_VARIABLES} variables.");
            return Err(ServerError::new(text, Some(operation.pos)));
        }
    }
    if total > MOST_SELECTIONS {
        let text = format!("The document selects more than {MOST_SELECTIONS} fields, fragments expanded.");
        return Err(ServerError::new(text, None));
    }
    match document.fragments.iter().filter(|(name, _)| !known.contains_key(name)).min_by_key(|(_, at)| at.pos) {
        Some((name, fragment)) => {
            Err(ServerError::new(format!("Fragment \"{name}\" is never used"), Some(fragment.pos)))
        }
        None => Ok(()),
    }
}

/// The number of selections in a set with its fragments expanded. Each fragment is counted once.
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
                match (known.get(name), document.fragments.get_key_value(name)) {
                    (Some(inside), _) => *inside,
                    (None, None) => 0,
                    (None, Some((name, fragment))) => {
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
