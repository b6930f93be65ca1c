//! The types of the schema, as the cost of a document depends on them. They are read by introspection when the server
//! starts.

use std::collections::HashMap;

use async_graphql::parser::types::OperationType;
use async_graphql::{ServerError, from_value};
use serde::Deserialize;

/// The number of a type in [`Types`].
pub type TypeId = usize;

pub struct Types {
    types: Vec<Type>,
    by_name: HashMap<String, TypeId>,
    pub query: TypeId,
    pub mutation: TypeId,
    pub subscription: TypeId,
    /// The arguments of each directive.
    pub directives: Vec<Vec<Argument>>,
}

pub struct Type {
    own: TypeId,
    pub name: String,
    pub fields: Vec<Field>,
    by_name: HashMap<String, usize>,
    pub interfaces: Vec<TypeId>,
    /// The objects that a value of an interface or a union can be; empty for all others.
    pub possible: Vec<TypeId>,
    pub enum_values: usize,
    pub input_fields: Vec<Argument>,
}

pub struct Field {
    pub name: String,
    pub arguments: Vec<Argument>,
    pub of: TypeRef,
}

/// An argument, or a field of an input.
pub struct Argument {
    pub name: String,
    pub of: TypeRef,
}

/// A named type, and the number of lists and non-nulls around it.
#[derive(Clone, Copy)]
pub struct TypeRef {
    pub id: TypeId,
    pub wrappers: usize,
    pub is_list: bool,
}

/// The introspection query whose answer [`Types::read`] reads.
pub const INTROSPECTION: &str = "{ __schema { queryType { name } mutationType { name } subscriptionType { name }
    directives { args { name type { ...T } } }
    types { name
        fields(includeDeprecated: true) { name args { name type { ...T } } type { ...T } }
        inputFields { name type { ...T } }
        enumValues(includeDeprecated: true) { name }
        interfaces { name }
        possibleTypes { name } } } }
    fragment T on __Type { name kind ofType { name kind ofType { name kind ofType { name kind ofType { name kind
        ofType { name kind } } } } } }";

impl Types {
    /// The types in a response to [`INTROSPECTION`].
    pub fn read(response: async_graphql::Response) -> Result<Types, Vec<ServerError>> {
        let data = response.into_result()?.data;
        let answer: Answer = from_value(data).map_err(|error| vec![ServerError::new(error.to_string(), None)])?;
        Ok(answer.schema.into())
    }

    pub fn get(&self, id: TypeId) -> &Type {
        &self.types[id]
    }

    /// The type of the root fields of an operation.
    pub fn root(&self, operation: OperationType) -> TypeId {
        match operation {
            OperationType::Query => self.query,
            OperationType::Mutation => self.mutation,
            OperationType::Subscription => self.subscription,
        }
    }

    pub fn named(&self, name: &str) -> Option<TypeId> {
        self.by_name.get(name).copied()
    }

    pub fn ids(&self) -> std::ops::Range<TypeId> {
        0..self.types.len()
    }

    /// Whether a selection for one type concerns objects of another.
    pub fn applies(&self, condition: TypeId, to: TypeId) -> bool {
        condition == to || self.get(condition).possible.contains(&to)
    }

    /// The objects that a value of a type can be.
    pub fn objects(&self, id: TypeId) -> &[TypeId] {
        match self.get(id).possible.as_slice() {
            [] => std::slice::from_ref(&self.get(id).own),
            possible => possible,
        }
    }
}

impl Type {
    pub fn field(&self, name: &str) -> Option<&Field> {
        self.by_name.get(name).map(|index| &self.fields[*index])
    }

    pub fn is_abstract(&self) -> bool {
        !self.possible.is_empty()
    }
}

#[derive(Deserialize)]
struct Answer {
    #[serde(rename = "__schema")]
    schema: Schema,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Schema {
    query_type: Named,
    mutation_type: Named,
    subscription_type: Named,
    directives: Vec<Directive>,
    types: Vec<Listed>,
}

#[derive(Deserialize)]
struct Named {
    name: String,
}

#[derive(Deserialize)]
struct Directive {
    args: Vec<Input>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Listed {
    name: String,
    fields: Option<Vec<Output>>,
    input_fields: Option<Vec<Input>>,
    enum_values: Option<Vec<Named>>,
    interfaces: Option<Vec<Named>>,
    possible_types: Option<Vec<Named>>,
}

#[derive(Deserialize)]
struct Output {
    name: String,
    args: Vec<Input>,
    #[serde(rename = "type")]
    of: Wrapped,
}

#[derive(Deserialize)]
struct Input {
    name: String,
    #[serde(rename = "type")]
    of: Wrapped,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Wrapped {
    name: Option<String>,
    kind: String,
    of_type: Option<Box<Wrapped>>,
}

impl From<Schema> for Types {
    fn from(schema: Schema) -> Types {
        let Schema { query_type, mutation_type, subscription_type, directives, types } = schema;
        let by_name: HashMap<String, TypeId> = types.iter().enumerate().map(|(id, of)| (of.name.clone(), id)).collect();
        let id = |name: &str| by_name[name];
        let ids = |named: Option<Vec<Named>>| named.into_iter().flatten().map(|named| id(&named.name)).collect();
        let reference = |of: &Wrapped| {
            let (mut of, mut wrappers, mut is_list) = (of, 0, false);
            while let Some(inner) = &of.of_type {
                is_list |= of.kind == "LIST";
                (of, wrappers) = (inner, wrappers + 1);
            }
            TypeRef { id: id(of.name.as_deref().unwrap_or_default()), wrappers, is_list }
        };
        let inputs = |inputs: Vec<Input>| -> Vec<Argument> {
            inputs.into_iter().map(|Input { name, of }| Argument { name, of: reference(&of) }).collect()
        };
        let type_of = |Listed { name, fields, input_fields, enum_values, interfaces, possible_types }: Listed| {
            let field = |Output { name, args, of }| Field { name, arguments: inputs(args), of: reference(&of) };
            let fields: Vec<Field> = fields.into_iter().flatten().map(field).collect();
            Type {
                by_name: fields.iter().enumerate().map(|(index, field)| (field.name.clone(), index)).collect(),
                own: id(&name),
                name,
                fields,
                interfaces: ids(interfaces),
                possible: ids(possible_types),
                enum_values: enum_values.map_or(0, |values| values.len()),
                input_fields: inputs(input_fields.unwrap_or_default()),
            }
        };
        Types {
            query: id(&query_type.name),
            mutation: id(&mutation_type.name),
            subscription: id(&subscription_type.name),
            directives: directives.into_iter().map(|directive| inputs(directive.args)).collect(),
            types: types.into_iter().map(type_of).collect(),
            by_name,
        }
    }
}
