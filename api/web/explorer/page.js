// Shared by the parts of the explorer: its elements, JSON in colours, and refusals.

import { fill, isCalm, make } from '../table/dom.js';

/** An element of the page, by its id. @param {string} id */
export const byId = (id) => /** @type {HTMLElement} */ (document.getElementById(id));
/** A field of the page, by its id. @param {string} id */
export const field = (id) => /** @type {HTMLInputElement | HTMLTextAreaElement} */ (document.getElementById(id));

/** @param {unknown} value */
export const pretty = (value) => JSON.stringify(value, null, 2);

/** @param {unknown} value @returns {value is Record<string, unknown>} */
export const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

/** @param {number} depth */
export const indent = (depth) => '  '.repeat(depth);

/** @type {[string, RegExp][]} */
const SORTS = [['key', /^".*":$/s], ['string', /^"/], ['number', /^-?\d/], ['word', /^(?:true|false|null)$/]];

/** Shows JSON with syntax colours. Every token is inserted as text. @param {HTMLElement} element @param {unknown} value */
export function showJson(element, value) {
  const tokens = pretty(value).split(/("(?:[^"\\]|\\.)*":?|-?\d[\d.eE+-]*|\b(?:true|false|null)\b)/);
  const pieces = tokens.map((token) => {
    const sort = SORTS.find(([, form]) => form.test(token))?.[0];
    return sort ? make('span', { className: `json-${sort}` }, token) : token;
  });
  element.replaceChildren(...pieces);
}

/** Shows errors with their codes. An empty list clears the element.
 * @param {HTMLElement} place @param {import('./request.js').Refusal[]} refusals */
export function showRefusals(place, refusals) {
  const shown = refusals.map(({ code, message, rule }) =>
    make('p', { className: 'trouble' }, make('code', {}, code), rule ? ` ${rule}: ` : ' ', message));
  fill(place, ...shown);
}

/** Shows any error. Bugs of the page itself have no code. @param {HTMLElement} place @param {unknown} thrown */
export function showTrouble(place, thrown) {
  const error = /** @type {Error & { code?: string }} */ (thrown);
  showRefusals(place, [{ code: error.code ?? 'PAGE', message: error.message }]);
}

/** Scrolls to an element, smoothly unless the reader prefers reduced motion. @param {HTMLElement} element */
export function bringUp(element) {
  element.scrollIntoView({ behavior: isCalm() ? 'auto' : 'smooth', block: 'start' });
}
