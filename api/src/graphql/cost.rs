//! The cost of a document, counted on its expanded selections before anything is executed.
//!
//! The unit is one field of the answer. A list counts as many times as it can have items; of the objects that a value of
//! an interface or a union can be, the most expensive one counts.

use async_graphql::ServerError;
use async_graphql::parser::types::{Field, OperationDefinition, OperationType, SelectionSet};
use async_graphql::{Value, Variables};
use async_graphql_value::Value as Argument;

use super::selection::{Walk, has_fragments};
use super::types::{TypeId, TypeRef};
use crate::limits::Limits;

/// A field that needs its own lookup or computation: a request may select it for many games.
const WORK: usize = 100;
/// A field that draws a position: up to 60 kB.
const DRAWING: usize = 500;
/// A field that aggregates all games of a player.
const STATISTICS: usize = 1_000;
/// A field that replays a game or returns all of it.
const REPLAY: usize = 2_000;

/// The cost of fields that are expensive to compute.
const OWN_COSTS: [(&str, &str, usize); 22] = [
    ("Query", "kinds", WORK),
    ("Query", "kind", WORK),
    ("Query", "kindPicture", DRAWING),
    ("Query", "nextDecision", WORK),
    ("Query", "gameCount", WORK),
    ("Query", "headToHead", STATISTICS),
    ("Game", "view", 20),
    ("Game", "components", WORK),
    ("Game", "componentsPicture", DRAWING),
    ("Game", "legalMoves", WORK),
    ("Game", "explain", WORK),
    ("Game", "continuations", WORK),
    ("Game", "log", WORK),
    ("Game", "at", REPLAY),
    ("Game", "record", REPLAY),
    ("Game", "picture", DRAWING),
    ("Game", "text", DRAWING),
    ("Moment", "view", 20),
    ("Moment", "picture", DRAWING),
    ("Moment", "text", DRAWING),
    ("Player", "statistics", STATISTICS),
    ("Mutation", "branchGame", REPLAY),
];

/// The number of objects that a list counts as, where it has no page size and usually more than [`USUAL_LENGTH`].
const LENGTHS: [(&str, &str, usize); 12] = [
    ("Query", "kinds", 5),
    ("Rulebook", "components", 60),
    ("Game", "components", 60),
    ("MaholaComponents", "cards", 44),
    ("MahabharataComponents", "leaders", 10),
    ("Rulebook", "rules", 30),
    ("EarlierRules", "rules", 30),
    ("Board", "cells", 50),
    ("Board", "places", 50),
    ("MaraView", "tiles", 40),
    ("MaraView", "knownDeck", 20),
    ("GameChange", "entries", 20),
];
const USUAL_LENGTH: usize = 4;

/// The longest page that is counted. Larger pages are refused later, and must not overflow before that.
const LONGEST_PAGE: usize = 10_000;

/// Introspections of one document: the library finds all visible types for each of them.
const MOST_INTROSPECTIONS: usize = 2;

/// The cost of a document, for each of the limits that it counts towards.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cost {
    /// The number of fields of the operation itself: each calls a use case.
    pub calls: usize,
    /// Those that move or resign.
    pub moves: usize,
    /// Those that register a player.
    pub registrations: usize,
    /// The number of fields in the answer, weighed.
    pub units: usize,
    /// Whether one of them may wait for something to happen.
    pub waits: bool,
}

/// The sets of one selection, and the variables to read page sizes from.
struct Asking<'v> {
    variables: &'v Variables,
    limits: &'v Limits,
    introspections: usize,
}

impl<'a> Walk<'a> {
    /// The cost of an operation.
    pub fn cost(
        &mut self,
        operation: &'a OperationDefinition,
        variables: &Variables,
        limits: &Limits,
    ) -> Result<Cost, ServerError> {
        let root = match operation.ty {
            OperationType::Query => self.types.query,
            OperationType::Mutation => self.types.mutation,
            OperationType::Subscription => self.types.subscription,
        };
        self.begin(operation, variables);
        let sets = [&operation.selection_set.node];
        let groups = self.collect(&sets, root)?;
        let named = |names: &[&str]| groups.iter().filter(|group| names.contains(&&*group.field().name.node)).count();
        let calls = groups.iter().filter(|group| !group.field().name.node.starts_with("__")).count();
        let (moves, registrations) = (named(&["playMove", "resign"]), named(&["registerPlayer"]));
        let waits = named(&["nextDecision"]) > 0;
        if operation.ty != OperationType::Query {
            // A mutation that is written twice is one mutation.
            self.repeats |= groups.iter().any(|group| group.fields.len() > 1);
        }
        if operation.ty == OperationType::Subscription && groups.len() != 1 {
            return Err(ServerError::new("A subscription selects exactly one field.", None));
        }
        let mut asking = Asking { variables, limits, introspections: 0 };
        let units = self.units(&sets, root, false, &mut asking)?;
        if units > limits.max_cost {
            let most = limits.max_cost;
            return Err(ServerError::new(format!("The document costs {units}; the limit is {most}."), None));
        }
        Ok(Cost { calls, moves, registrations, units, waits })
    }

    /// The cost of a selection for an object of a type, or for one of the objects of an interface or union.
    fn units(
        &mut self,
        sets: &[&'a SelectionSet],
        of: TypeId,
        is_page: bool,
        asking: &mut Asking,
    ) -> Result<usize, ServerError> {
        let types = self.types;
        if !types.get(of).is_abstract() || !has_fragments(sets) {
            return self.units_of_object(sets, of, is_page, asking);
        }
        let mut most = 0;
        for object in types.objects(of) {
            most = most.max(self.units_of_object(sets, *object, is_page, asking)?);
        }
        Ok(most)
    }

    fn units_of_object(
        &mut self,
        sets: &[&'a SelectionSet],
        of: TypeId,
        is_page: bool,
        asking: &mut Asking,
    ) -> Result<usize, ServerError> {
        let types = self.types;
        let mut total = 0_usize;
        for group in self.collect(sets, of)? {
            let (field, inside) = (group.field(), group.inside());
            let name = field.name.node.as_str();
            let units = match types.get(of).field(name) {
                None if of == types.query && matches!(name, "__schema" | "__type") => {
                    asking.introspections += 1;
                    check_introspection(asking)?;
                    self.introspect(field, &inside, asking.limits.max_cost)?
                }
                None if name == "__typename" => 1,
                None => {
                    self.fault()?;
                    1
                }
                Some(known) => {
                    for (argument, _) in &field.arguments {
                        if known.arguments.iter().all(|known| known.name != argument.node.as_str()) {
                            self.fault()?;
                        }
                    }
                    let arguments = self.size_of_arguments(field);
                    self.step(arguments)?;
                    let page = page_size(field, known, asking.variables);
                    let own = weight(&OWN_COSTS, &types.get(of).name, name).unwrap_or(1) + arguments;
                    let items = match page {
                        Some(page) => page,
                        // The page itself has been counted.
                        None if is_page => 1,
                        None => length(&types.get(of).name, name, known.of),
                    };
                    let child = match inside.is_empty() {
                        true => 0,
                        false => self.units(&inside, known.of.id, page.is_some(), asking)?,
                    };
                    items.saturating_mul(child).saturating_add(own)
                }
            };
            total = total.saturating_add(units);
        }
        Ok(total)
    }
}

fn check_introspection(asking: &Asking) -> Result<(), ServerError> {
    if !asking.limits.introspection {
        return Err(ServerError::new("Introspection is off. The schema is at /schema.graphql.", None));
    }
    match asking.introspections > MOST_INTROSPECTIONS {
        true => Err(ServerError::new(
            format!("A document may select __schema and __type {MOST_INTROSPECTIONS} times, not more often."),
            None,
        )),
        false => Ok(()),
    }
}

fn weight(table: &[(&str, &str, usize)], of: &str, field: &str) -> Option<usize> {
    table.iter().find(|(known, name, _)| *known == of && *name == field).map(|(_, _, weight)| *weight)
}

/// The number of objects that a field counts as.
fn length(of: &str, field: &str, is: TypeRef) -> usize {
    match is.is_list {
        true => weight(&LENGTHS, of, field).unwrap_or(USUAL_LENGTH),
        false => 1,
    }
}

/// The page size that a field asks for; `None` if it has no pages.
fn page_size(field: &Field, known: &super::types::Field, variables: &Variables) -> Option<usize> {
    let (argument, default) = [("first", 20), ("limit", 100)]
        .into_iter()
        .find(|(name, _)| known.arguments.iter().any(|argument| argument.name == *name))?;
    let asked = match field.get_argument(argument).map(|value| &value.node) {
        Some(Argument::Number(number)) => number.as_u64(),
        Some(Argument::Variable(name)) => match variables.get(name) {
            Some(Value::Number(number)) => number.as_u64(),
            _ => None,
        },
        _ => None,
    };
    Some(asked.and_then(|asked| usize::try_from(asked).ok()).unwrap_or(default).min(LONGEST_PAGE))
}
