// The list of all types with a search, and the description of one.

import { button, fill, make } from '../table/dom.js';
import { bringUp, byId, field, showTrouble } from './page.js';
import { isRequired, readSchema, schema, typeParts } from './schema.js';

/** @typedef {import('./schema.js').Type} Type */
/** @typedef {import('./schema.js').Field} Field */

/** OBJECT → object; INPUT_OBJECT → input object @param {string} kind */
const inWords = (kind) => kind.toLowerCase().replace('_', ' ');

// The address holds the chosen type, so that the browser's Back returns to the previous type.
/** @param {string} name */
const typeLink = (name) => make('a', { href: `#type/${name}` }, name);
/** @param {import('./schema.js').TypeRef} ref */
const typeLinks = (ref) => make('span', { className: 'type' }, ...typeParts(ref, typeLink));

/** The text that the search matches: names and descriptions of a type, its fields and values. @param {Type} type */
function searchText(type) {
  const parts = [...(type.fields ?? []), ...(type.inputFields ?? []), ...(type.enumValues ?? [])];
  return [type, ...parts].map(({ name, description }) => `${name} ${description ?? ''}`).join(' ').toLowerCase();
}

function listTypes() {
  const words = field('schema-search').value.toLowerCase().split(/\s+/).filter(Boolean);
  const found = [...schema.types.values()].filter((type) => words.every((word) => searchText(type).includes(word)));
  const inName = (/** @type {Type} */ { name }) => Number(words.some((word) => name.toLowerCase().includes(word)));
  found.sort((a, b) => inName(b) - inName(a));
  fill(byId('schema-types'), ...found.map(({ name, kind }) => make('li', {}, typeLink(name), make('small', {}, inWords(kind)))));
  byId('schema-count').textContent = `${found.length} of ${schema.types.size} types`;
  markChosenType();
}

const chosenType = () => schema.types.get(location.hash.replace(/^#type\//, ''));

function markChosenType() {
  const chosen = chosenType()?.name ?? schema.roots[0];
  for (const link of byId('schema-types').querySelectorAll('a')) {
    if (link.textContent === chosen) link.setAttribute('aria-current', 'true');
    else link.removeAttribute('aria-current');
  }
}

export class Types {
  /** @param {(type: Type, field: Field) => void} insert called with a field of a root type that was chosen */
  constructor(insert) {
    this.insert = insert;
    field('schema-search').addEventListener('input', listTypes);
    addEventListener('hashchange', () => this.#followAddress());
  }

  async open() {
    try {
      await readSchema();
      const type = chosenType() ?? schema.types.get(schema.roots[0]);
      if (type) this.#show(type);
      listTypes();
      if (chosenType()) this.#followAddress();
    } catch (error) {
      showTrouble(byId('schema-type'), error);
    }
  }

  /** Shows the type in the address. The browser handles other fragments. */
  #followAddress() {
    // Back to the address without a type.
    const type = chosenType() ?? (location.hash ? undefined : schema.types.get(schema.roots[0]));
    if (!type) return;
    this.#show(type);
    markChosenType();
    const article = byId('schema-type');
    article.focus({ preventScroll: true });
    const { top } = article.getBoundingClientRect();
    if (top < 0 || top > innerHeight / 2) bringUp(article);
  }

  /** @param {Type} type */
  #show(type) {
    const { kind, name, description, fields, inputFields, enumValues, interfaces, possibleTypes } = type;
    fill(
      byId('schema-type'),
      make('h3', {}, name, ' ', make('small', {}, inWords(kind))),
      make('p', {}, ...withCode(description)),
      typeNames('Possible types:', possibleTypes),
      typeNames('Implements', interfaces),
      make('dl', { className: 'fields' },
        ...(fields ?? []).flatMap((one) => this.#describeField(type, one)),
        ...(inputFields ?? []).flatMap(describeInput),
        ...(enumValues ?? []).flatMap((value) => described(make('code', {}, value.name), value.description))),
    );
  }

  /** @param {Type} type @param {Field} one */
  #describeField(type, one) {
    const isRoot = schema.roots.includes(type.name);
    const name = isRoot
      ? button(one.name, () => this.insert(type, one), { className: 'insert', title: 'Put into the explorer' })
      : make('code', {}, one.name);
    const term = make('span', {}, name, ': ', typeLinks(one.type));
    if (one.args.length === 0) return described(term, one.description);
    return described(term, one.description, make('dl', { className: 'args' }, ...one.args.flatMap(describeInput)));
  }
}

/** @param {string} label @param {import('./schema.js').Named[] | null} types */
function typeNames(label, types) {
  if (!types?.length) return null;
  return make('p', { className: 'type' }, `${label} `, ...types.flatMap(({ name }) => [typeLink(name), ' ']));
}

/** @param {Node} term @param {string | null} description @param {...Node} more */
const described = (term, description, ...more) => [make('dt', {}, term), make('dd', {}, ...withCode(description), ...more)];

/** Descriptions have names between backticks. @param {string | null} description */
const withCode = (description) =>
  (description ?? '').split(/`([^`]+)`/).map((part, index) => (index % 2 ? make('code', {}, part) : part));

/** @param {import('./schema.js').Input} input */
function describeInput(input) {
  const { name, type, defaultValue, description } = input;
  const required = isRequired(input) ? make('small', {}, ' required') : null;
  const term = make('span', {}, make('code', {}, name), ': ', typeLinks(type), required);
  if (defaultValue !== null) term.append(' = ', make('code', {}, defaultValue));
  return described(term, description);
}
