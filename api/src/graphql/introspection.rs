//! The cost of introspection: exactly the number of fields in its answer.
//!
//! Types refer to each other, so a short document can ask for millions of fields. No weights of lists could tell it from
//! the documents that tools send. The answer depends on the schema alone, so its fields can be counted.

use async_graphql::ServerError;
use async_graphql::parser::types::{Field, SelectionSet};
use async_graphql_value::Value;

use super::selection::Walk;
use super::types::{Argument, TypeId, TypeRef, Types};

/// A field of a selection, and what is selected inside.
struct Asked<'a> {
    name: &'a str,
    inside: Vec<Asked<'a>>,
}

/// An object of an introspection.
#[derive(Clone, Copy)]
enum Node<'a> {
    Schema,
    Type(TypeRef),
    Field(&'a super::types::Field),
    Input(&'a Argument),
    Directive(&'a [Argument]),
    /// An object without objects inside.
    Leaf,
}

impl<'a> Walk<'a> {
    /// The number of fields in the answer to `__schema` or `__type`, counted up to a limit.
    pub fn introspect(
        &mut self,
        field: &Field,
        inside: &[&'a SelectionSet],
        most: usize,
    ) -> Result<usize, ServerError> {
        let types = self.types;
        let (of, root) = match field.name.node.as_str() {
            "__schema" => ("__Schema", Node::Schema),
            _ => ("__Type", named(types, field)),
        };
        let Some(of) = types.named(of) else { return Ok(1) };
        let asked = self.asked(inside, of)?;
        let mut left = most;
        match count(types, root, &asked, &mut left) {
            true => Ok(most - left + 1),
            false => Err(ServerError::new("The introspection asks for too many fields.", None)),
        }
    }

    fn asked(&mut self, sets: &[&'a SelectionSet], of: TypeId) -> Result<Vec<Asked<'a>>, ServerError> {
        let mut asked = Vec::new();
        for group in self.collect(sets, of)? {
            let name = group.field().name.node.as_str();
            let (known, inside) = (self.types.get(of).field(name), group.inside());
            let inside = match known {
                Some(known) if !inside.is_empty() => self.asked(&inside, known.of.id)?,
                Some(_) => Vec::new(),
                None if name == "__typename" => Vec::new(),
                None => {
                    self.fault()?;
                    Vec::new()
                }
            };
            asked.push(Asked { name, inside });
        }
        Ok(asked)
    }
}

/// The type that `__type` asks for. A name in a variable may be that of any type.
fn named<'a>(types: &'a Types, field: &Field) -> Node<'a> {
    let named = |id| Node::Type(TypeRef { id, wrappers: 0, is_list: false });
    match field.get_argument("name").map(|name| &name.node) {
        Some(Value::String(name)) => types.named(name).map_or(Node::Leaf, named),
        _ => types.ids().max_by_key(|id| types.get(*id).fields.len()).map_or(Node::Leaf, named),
    }
}

/// Counts the fields of a node. Returns whether the limit was enough.
fn count(types: &Types, node: Node, asked: &[Asked], left: &mut usize) -> bool {
    asked.iter().all(|field| match left.checked_sub(1) {
        None => false,
        Some(now) => {
            *left = now;
            field.inside.is_empty()
                || inside(types, node, field.name).all(|node| count(types, node, &field.inside, left))
        }
    })
}

/// The objects in a field of a node.
fn inside<'a>(types: &'a Types, node: Node<'a>, field: &str) -> Box<dyn Iterator<Item = Node<'a>> + 'a> {
    let named = |id: TypeId| Node::Type(TypeRef { id, wrappers: 0, is_list: false });
    match (node, field) {
        (Node::Schema, "types") => Box::new(types.ids().map(named)),
        (Node::Schema, "queryType") => Box::new(std::iter::once(named(types.query))),
        (Node::Schema, "mutationType") => Box::new(std::iter::once(named(types.mutation))),
        (Node::Schema, "subscriptionType") => Box::new(std::iter::once(named(types.subscription))),
        (Node::Schema, "directives") => Box::new(types.directives.iter().map(|args| Node::Directive(args))),
        (Node::Type(of), "ofType") => {
            let inner = of.wrappers.checked_sub(1).map(|wrappers| Node::Type(TypeRef { wrappers, ..of }));
            Box::new(inner.into_iter())
        }
        (Node::Type(TypeRef { id, wrappers: 0, .. }), field) => {
            let of = types.get(id);
            match field {
                "fields" => Box::new(of.fields.iter().map(Node::Field)),
                "interfaces" => Box::new(of.interfaces.iter().copied().map(named)),
                "possibleTypes" => Box::new(of.possible.iter().copied().map(named)),
                "enumValues" => Box::new((0..of.enum_values).map(|_| Node::Leaf)),
                "inputFields" => Box::new(of.input_fields.iter().map(Node::Input)),
                _ => Box::new(std::iter::empty()),
            }
        }
        (Node::Field(field), "type") => Box::new(std::iter::once(Node::Type(field.of))),
        (Node::Field(super::types::Field { arguments, .. }), "args") => Box::new(arguments.iter().map(Node::Input)),
        (Node::Directive(arguments), "args") => Box::new(arguments.iter().map(Node::Input)),
        (Node::Input(argument), "type") => Box::new(std::iter::once(Node::Type(argument.of))),
        _ => Box::new(std::iter::empty()),
    }
}
