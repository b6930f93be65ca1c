// The GraphQL schema, by introspection, and queries written from it.

import { knownValue, memory } from './memory.js';
import { indent } from './page.js';
import { Refused, graphql } from './request.js';

/** @typedef {{ kind: string, name: string, ofType?: TypeRef | null }} TypeRef */
/** @typedef {{ name: string, description: string | null, defaultValue: string | null, type: TypeRef }} Input */
/** @typedef {{ name: string, description: string | null, args: Input[], type: TypeRef }} Field */
/** @typedef {{ name: string, description: string | null }} Named */
/**
 * @typedef {object} Type
 * @property {string} kind
 * @property {string} name
 * @property {string | null} description
 * @property {Field[] | null} fields
 * @property {Input[] | null} inputFields
 * @property {Named[] | null} enumValues
 * @property {Named[] | null} interfaces
 * @property {Named[] | null} possibleTypes
 */

const INTROSPECTION = `
  query Schema {
    __schema {
      queryType { name }
      mutationType { name }
      subscriptionType { name }
      types {
        kind name description
        fields { name description args { ...input } type { ...ref } }
        inputFields { ...input }
        enumValues { name description }
        interfaces { name }
        possibleTypes { name }
      }
    }
  }
  fragment input on __InputValue { name description defaultValue type { ...ref } }
  fragment ref on __Type {
    kind name
    ofType { kind name ofType { kind name ofType { kind name
      ofType { kind name ofType { kind name ofType { kind name } } } } } }
  }`;

export const schema = {
  /** @type {Map<string, Type>} */
  types: new Map(),
  /** Query, Mutation, Subscription. @type {string[]} */
  roots: [],
};

export async function readSchema() {
  const { answer } = await graphql(INTROSPECTION);
  if (!answer.data) throw new Refused(answer.errors?.[0]?.extensions?.code ?? 'ERROR', answer.errors?.[0]?.message ?? '');
  const { types, queryType, mutationType, subscriptionType } = /** @type {any} */ (answer.data).__schema;
  schema.roots = [queryType, mutationType, subscriptionType].map((root) => root?.name);
  const ours = types.filter((/** @type {Type} */ { name }) => !name.startsWith('__'));
  // The roots come first.
  const rank = (/** @type {Type} */ { name }) => (schema.roots.includes(name) ? schema.roots.indexOf(name) : schema.roots.length);
  ours.sort((/** @type {Type} */ a, /** @type {Type} */ b) => rank(a) - rank(b) || a.name.localeCompare(b.name));
  schema.types = new Map(ours.map((/** @type {Type} */ type) => [type.name, type]));
}

/** The name of a type without its list and non-null wrappings. @param {TypeRef} ref @returns {string} */
export const leafOf = (ref) => (ref.ofType ? leafOf(ref.ofType) : ref.name);
/** @param {Input} input */
export const isRequired = ({ type, defaultValue }) => type.kind === 'NON_NULL' && defaultValue === null;

/** A type as the schema writes it, its name made by `link`.
 * @template {string | Node} T @param {TypeRef} ref @param {(name: string) => T} link @returns {(T | string)[]} */
export function typeParts(ref, link) {
  if (ref.ofType && ref.kind === 'NON_NULL') return [...typeParts(ref.ofType, link), '!'];
  if (ref.ofType && ref.kind === 'LIST') return ['[', ...typeParts(ref.ofType, link), ']'];
  return [link(ref.name)];
}

/** @param {TypeRef} ref */
const typeText = (ref) => typeParts(ref, String).join('');

/** The fields of a type that need no arguments, down to some depth, as lines.
 * @param {string} typeName @param {number} levels @param {number} depth @returns {string[]} */
export function selection(typeName, levels, depth) {
  const type = schema.types.get(typeName);
  if (!type || levels === 0) return [];
  if (type.kind === 'UNION') return variantSelection(type, levels, depth);
  // A record exists only when the game is over.
  const lines = (type.fields ?? [])
    .filter(({ name, args }) => args.length === 0 && name !== 'record')
    .flatMap((field) => fieldSelection(field, levels, depth));
  return type.kind === 'INTERFACE' ? [`${indent(depth)}__typename`, ...lines] : lines;
}

/** @param {Field} field @param {number} levels @param {number} depth */
function fieldSelection(field, levels, depth) {
  const leaf = schema.types.get(leafOf(field.type));
  if (!leaf || leaf.kind === 'SCALAR' || leaf.kind === 'ENUM') return [indent(depth) + field.name];
  return braced(indent(depth) + field.name, selection(leaf.name, levels - 1, depth + 1), depth);
}

/** Of a union with one type per kind, the type of the current game; without a game, all types.
 * @param {Type} union @param {number} levels @param {number} depth */
function variantSelection(union, levels, depth) {
  const names = (union.possibleTypes ?? []).map(({ name }) => name);
  const kind = (memory.game?.kind ?? '').replaceAll('_', '').toLowerCase();
  const fitting = names.filter((name) => kind && name.toLowerCase().startsWith(kind));
  const variants = (fitting.length ? fitting : names).flatMap((name) =>
    braced(`${indent(depth)}... on ${name}`, selection(name, levels, depth + 1), depth));
  return [`${indent(depth)}__typename`, ...variants];
}

/** @param {string} head @param {string[]} lines @param {number} depth */
const braced = (head, lines, depth) => (lines.length ? [`${head} {`, ...lines, `${indent(depth)}}`] : []);

/** A query that runs: required arguments as variables, and the plain fields of the result.
 * @param {Type} root @param {Field} field */
export function skeleton(root, field) {
  const required = field.args.filter(isRequired);
  const declared = required.map(({ name, type }) => `$${name}: ${typeText(type)}`).join(', ');
  const passed = required.map(({ name }) => `${name}: $${name}`).join(', ');
  const operation = ['query', 'mutation', 'subscription'][schema.roots.indexOf(root.name)];
  const title = field.name[0].toUpperCase() + field.name.slice(1);
  const call = indent(1) + field.name + (passed && `(${passed})`);
  const body = braced(call, selection(leafOf(field.type), 2, 2), 1);
  const lines = [`${operation} ${title}${declared && `(${declared})`} {`, ...(body.length ? body : [call]), '}'];
  const variables = Object.fromEntries(required.map((input) => [input.name, sample(input, input.type, leafOf(field.type))]));
  return { query: lines.join('\n'), variables };
}

/** A value for an argument: a known value of that name, or else a simple one of its type.
 * @param {Input} input @param {TypeRef} type @param {string} answerType @returns {unknown} */
function sample(input, type, answerType) {
  if (type.ofType && type.kind === 'NON_NULL') return sample(input, type.ofType, answerType);
  if (type.kind === 'LIST') return [];
  const known = knownValue(input.name, answerType);
  const { kind, enumValues, inputFields } = schema.types.get(type.name) ?? {};
  if (kind === 'ENUM') return (enumValues?.find(({ name }) => name === known) ?? enumValues?.[0])?.name;
  if (known !== undefined) return known;
  if (kind === 'INPUT_OBJECT') return sampleObject(inputFields ?? [], answerType);
  /** @type {Record<string, unknown>} */
  const plain = { Int: 0, Float: 0, Boolean: false };
  return plain[type.name] ?? '';
}

/** The required fields, and other fields with a known value, such as an id or a move.
 * @param {Input[]} fields @param {string} answerType */
function sampleObject(fields, answerType) {
  const wanted = fields.filter((input) => isRequired(input) || knownValue(input.name, answerType) !== undefined);
  return Object.fromEntries(wanted.map((input) => [input.name, sample(input, input.type, answerType)]));
}
