//! The fields that a document selects, as the specification collects them: fragments expanded, equal fields merged.
//!
//! The library executes every field as often as it is written, and merges the results. So documents that write a field
//! with a selection of its own more than once, or any field of a mutation, are rewritten before they are executed.

use std::collections::{HashMap, HashSet};

use async_graphql::parser::Pos;
use async_graphql::parser::types::{
    Directive, DocumentOperations, ExecutableDocument, Field, InlineFragment, OperationDefinition, OperationType,
    Selection, SelectionSet, TypeCondition, VariableDefinition,
};
use async_graphql::{Name, Positioned, ServerError, Value, Variables};
use async_graphql_value::Value as Argument;

use super::types::{TypeId, Types};

/// The most steps of one walk through a document. A step takes well under a microsecond.
const MOST_STEPS: usize = 100_000;
/// The most faults of one document. Validation describes each of them, some at length.
const MOST_FAULTS: usize = 20;
/// The most arguments of a field.
const MOST_ARGUMENTS: usize = 32;

/// Fields with the same key in the response.
pub struct Group<'a> {
    pub fields: Vec<&'a Positioned<Field>>,
}

impl<'a> Group<'a> {
    pub fn field(&self) -> &'a Field {
        &self.fields[0].node
    }

    /// The selection sets of all of its fields, to be merged.
    pub fn inside(&self) -> Vec<&'a SelectionSet> {
        let sets = self.fields.iter().map(|field| &field.node.selection_set.node);
        sets.filter(|set| !set.items.is_empty()).collect()
    }
}

/// Walks through the expanded selections of a document, for a limited number of steps.
pub struct Walk<'a> {
    pub types: &'a Types,
    document: &'a ExecutableDocument,
    /// The size of each variable's value.
    sizes: HashMap<&'a str, usize>,
    /// The values of `@skip` and `@include` count only in the operation that is rewritten.
    variables: Option<&'a Variables>,
    steps: usize,
    faults: usize,
    /// Whether a field would be executed more than once for one object.
    pub repeats: bool,
}

impl<'a> Walk<'a> {
    pub fn new(types: &'a Types, document: &'a ExecutableDocument) -> Walk<'a> {
        Walk { types, document, sizes: HashMap::new(), variables: None, steps: MOST_STEPS, faults: 0, repeats: false }
    }

    /// Begins an operation: its variables may be as large as their values or their defaults.
    pub fn begin(&mut self, operation: &'a OperationDefinition, variables: &Variables) {
        let size = |definition: &'a Positioned<VariableDefinition>| {
            let definition = &definition.node;
            let value = variables.get(&definition.name.node).map_or(1, size_of);
            let default = definition.default_value.as_ref().map_or(1, |default| size_of(&default.node));
            (definition.name.node.as_str(), value.max(default))
        };
        self.sizes = operation.variable_definitions.iter().map(size).collect();
    }

    /// Counts a step.
    pub fn step(&mut self, steps: usize) -> Result<(), ServerError> {
        match self.steps.checked_sub(steps) {
            Some(left) => self.steps = left,
            None => return Err(ServerError::new("The document selects too much.", None)),
        }
        Ok(())
    }

    /// Notes a fault that validation will describe. With too many of them the document is not validated at all.
    pub fn fault(&mut self) -> Result<(), ServerError> {
        self.faults += 1;
        match self.faults > MOST_FAULTS {
            true => Err(ServerError::new("The document has too many unknown fields or arguments.", None)),
            false => Ok(()),
        }
    }

    pub fn has_faults(&self) -> bool {
        self.faults > 0
    }

    /// The fields that these sets select for an object of a type, in the order in which they first appear.
    pub fn collect(&mut self, sets: &[&'a SelectionSet], of: TypeId) -> Result<Vec<Group<'a>>, ServerError> {
        let mut fields = Collected { of, groups: Vec::new(), by_key: HashMap::new(), spread: HashSet::new() };
        for set in sets {
            self.collect_set(set, &mut fields)?;
        }
        for group in &fields.groups {
            self.agree(group)?;
        }
        Ok(fields.groups)
    }

    fn collect_set(&mut self, set: &'a SelectionSet, fields: &mut Collected<'a>) -> Result<(), ServerError> {
        for selection in &set.items {
            self.step(1)?;
            if self.is_skipped(selection.node.directives()) {
                continue;
            }
            match &selection.node {
                Selection::Field(field) => fields.add(field),
                Selection::InlineFragment(fragment) => {
                    let condition = fragment.node.type_condition.as_ref().map(|condition| &condition.node);
                    if self.applies(condition, fields.of)? {
                        self.collect_set(&fragment.node.selection_set.node, fields)?;
                    }
                }
                Selection::FragmentSpread(spread) => {
                    let name = spread.node.fragment_name.node.as_str();
                    let Some(fragment) = self.document.fragments.get(name) else {
                        self.fault()?;
                        continue;
                    };
                    if !fields.spread.insert(name) {
                        self.repeats = true;
                    } else if self.applies(Some(&fragment.node.type_condition.node), fields.of)? {
                        self.collect_set(&fragment.node.selection_set.node, fields)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn applies(&mut self, condition: Option<&TypeCondition>, to: TypeId) -> Result<bool, ServerError> {
        match condition.map(|condition| self.types.named(&condition.on.node)) {
            None => Ok(true),
            Some(None) => self.fault().map(|()| false),
            Some(Some(condition)) => Ok(self.types.applies(condition, to)),
        }
    }

    /// Refuses fields of one key that differ. The specification requires it, and the library reports each pair.
    fn agree(&mut self, group: &Group<'a>) -> Result<(), ServerError> {
        let first = group.field();
        if first.arguments.len() > MOST_ARGUMENTS {
            return Err(ServerError::new(
                format!("A field has more than {MOST_ARGUMENTS} arguments."),
                Some(group.fields[0].pos),
            ));
        }
        for other in &group.fields[1..] {
            self.step(first.arguments.len())?;
            let has = |(name, value): &(Positioned<Name>, Positioned<Argument>)| {
                other.node.get_argument(&name.node).is_some_and(|other| other.node == value.node)
            };
            let is_same = first.name.node == other.node.name.node
                && first.arguments.len() == other.node.arguments.len()
                && first.arguments.iter().all(has);
            if !is_same {
                let key = &first.response_key().node;
                let text = format!(
                    "Fields \"{key}\" conflict because they are different, or have different arguments. Use different \
                     aliases on the fields to fetch both if this was intentional."
                );
                let mut error = ServerError::new(text, Some(group.fields[0].pos));
                error.locations.push(other.pos);
                return Err(error);
            }
        }
        self.repeats |= group.fields.len() > 1 && !group.inside().is_empty();
        Ok(())
    }

    /// The size of a field's arguments, the values of variables included.
    pub fn size_of_arguments(&self, field: &Field) -> usize {
        field.arguments.iter().map(|(_, value)| self.size_of_argument(&value.node)).sum()
    }

    fn size_of_argument(&self, value: &Argument) -> usize {
        match value {
            Argument::Variable(name) => self.sizes.get(name.as_str()).copied().unwrap_or(1),
            Argument::List(items) => items.iter().map(|item| self.size_of_argument(item)).sum::<usize>() + 1,
            Argument::Object(fields) => {
                fields.values().map(|value| self.size_of_argument(value)).sum::<usize>() + fields.len()
            }
            Argument::String(text) => 1 + text.len() / 64,
            _ => 1,
        }
    }

    fn is_skipped(&self, directives: &[Positioned<Directive>]) -> bool {
        let Some(variables) = self.variables else { return false };
        directives.iter().any(|Positioned { node: directive, .. }| {
            let wanted = match directive.name.node.as_str() {
                "skip" => false,
                "include" => true,
                _ => return false,
            };
            let condition = match directive.get_argument("if").map(|value| &value.node) {
                Some(Argument::Variable(name)) => variables.get(name) == Some(&Value::Boolean(true)),
                Some(value) => *value == Argument::Boolean(true),
                None => wanted,
            };
            condition != wanted
        })
    }

    /// The same document with one operation, in which every field is selected once for each object.
    pub fn rewritten(
        mut self,
        operation: &'a Positioned<OperationDefinition>,
        variables: &'a Variables,
    ) -> Result<ExecutableDocument, ServerError> {
        (self.variables, self.steps) = (Some(variables), MOST_STEPS);
        let definition = &operation.node;
        let root = match definition.ty {
            OperationType::Query => self.types.query,
            OperationType::Mutation => self.types.mutation,
            OperationType::Subscription => self.types.subscription,
        };
        let mut used = HashSet::new();
        let selected =
            self.rewrite(&[&definition.selection_set.node], root, definition.selection_set.pos, &mut used)?;
        // A variable may have been needed for a directive alone, which has done its work.
        let is_used = |variable: &&Positioned<VariableDefinition>| used.contains(variable.node.name.node.as_str());
        let rewritten = OperationDefinition {
            ty: definition.ty,
            variable_definitions: definition.variable_definitions.iter().filter(is_used).cloned().collect(),
            directives: definition.directives.clone(),
            selection_set: selected,
        };
        Ok(ExecutableDocument {
            operations: DocumentOperations::Single(Positioned::new(rewritten, operation.pos)),
            fragments: HashMap::new(),
        })
    }

    fn rewrite(
        &mut self,
        sets: &[&'a SelectionSet],
        of: TypeId,
        pos: Pos,
        used: &mut HashSet<&'a str>,
    ) -> Result<Positioned<SelectionSet>, ServerError> {
        let types = self.types;
        let items = match types.get(of).is_abstract() && has_fragments(sets) {
            false => self.rewrite_fields(sets, of, used)?,
            // The fields of each object: some are selected for all of them, and again for one.
            true => {
                let mut items = Vec::new();
                for object in types.objects(of) {
                    let fields = self.rewrite_fields(sets, *object, used)?;
                    if !fields.is_empty() {
                        let on = Positioned::new(Name::new(&types.get(*object).name), pos);
                        let fragment = InlineFragment {
                            type_condition: Some(Positioned::new(TypeCondition { on }, pos)),
                            directives: Vec::new(),
                            selection_set: Positioned::new(SelectionSet { items: fields }, pos),
                        };
                        let fragment = Selection::InlineFragment(Positioned::new(fragment, pos));
                        items.push(Positioned::new(fragment, pos));
                    }
                }
                items
            }
        };
        Ok(Positioned::new(SelectionSet { items }, pos))
    }

    fn rewrite_fields(
        &mut self,
        sets: &[&'a SelectionSet],
        of: TypeId,
        used: &mut HashSet<&'a str>,
    ) -> Result<Vec<Positioned<Selection>>, ServerError> {
        let mut items = Vec::new();
        for group in self.collect(sets, of)? {
            let (field, pos) = (group.field(), group.fields[0].pos);
            for (_, value) in &field.arguments {
                note_variables(&value.node, used);
            }
            let inside = group.inside();
            let selection_set = match self.types.get(of).field(&field.name.node) {
                Some(known) if !inside.is_empty() => {
                    self.rewrite(&inside, known.of.id, field.selection_set.pos, used)?
                }
                // Unknown fields are left to validation.
                _ => field.selection_set.clone(),
            };
            let field = Field { directives: Vec::new(), selection_set, ..copy_without_selection(field) };
            items.push(Positioned::new(Selection::Field(Positioned::new(field, pos)), pos));
        }
        Ok(items)
    }
}

/// The fields collected so far for an object of one type.
struct Collected<'a> {
    of: TypeId,
    groups: Vec<Group<'a>>,
    by_key: HashMap<&'a str, usize>,
    /// The fragments that have been spread.
    spread: HashSet<&'a str>,
}

impl<'a> Collected<'a> {
    fn add(&mut self, field: &'a Positioned<Field>) {
        let key = field.node.response_key().node.as_str();
        let next = self.groups.len();
        match *self.by_key.entry(key).or_insert(next) {
            index if index < next => self.groups[index].fields.push(field),
            _ => self.groups.push(Group { fields: vec![field] }),
        }
    }
}

/// Whether fields may be selected for some objects and not for others.
pub fn has_fragments(sets: &[&SelectionSet]) -> bool {
    sets.iter().any(|set| set.items.iter().any(|item| !matches!(item.node, Selection::Field(_))))
}

fn copy_without_selection(field: &Field) -> Field {
    Field {
        alias: field.alias.clone(),
        name: field.name.clone(),
        arguments: field.arguments.clone(),
        directives: Vec::new(),
        selection_set: Positioned::default(),
    }
}

fn note_variables<'a>(value: &'a Argument, used: &mut HashSet<&'a str>) {
    match value {
        Argument::Variable(name) => drop(used.insert(name.as_str())),
        Argument::List(items) => items.iter().for_each(|item| note_variables(item, used)),
        Argument::Object(fields) => fields.values().for_each(|value| note_variables(value, used)),
        _ => {}
    }
}

/// The number of values in a value. Long texts count as several.
fn size_of(value: &Value) -> usize {
    match value {
        Value::List(items) => items.iter().map(size_of).sum::<usize>() + 1,
        Value::Object(fields) => fields.values().map(size_of).sum::<usize>() + fields.len(),
        Value::String(text) => 1 + text.len() / 64,
        _ => 1,
    }
}
