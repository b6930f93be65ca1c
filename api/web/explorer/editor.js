// The fields of the explorer: the query, its variables and headers, and the token.

import { byId, field, indent, isObject, pretty } from './page.js';
import { Refused } from './request.js';

/** @param {{ query: string, variables?: Record<string, unknown> }} asked */
export function load({ query, variables }) {
  field('query').value = query;
  field('variables').value = Object.keys(variables ?? {}).length ? pretty(variables) : '';
}

/** Inserts text. Only the deprecated execCommand keeps the browser's undo history.
 * @param {HTMLTextAreaElement} area @param {string} text */
function typeIn(area, text) {
  if (!document.execCommand('insertText', false, text)) {
    area.setRangeText(text, area.selectionStart, area.selectionEnd, 'end');
  }
}

/** Tab indents, unless Escape was pressed before: keyboard users must be able to leave the field.
 * @param {HTMLTextAreaElement} area */
function editKeys(area) {
  let leaves = false;
  area.addEventListener('keydown', (event) => {
    const isBare = !event.ctrlKey && !event.metaKey && !event.altKey && !event.shiftKey;
    if (isBare && event.key === 'Tab' && !leaves) {
      event.preventDefault();
      typeIn(area, indent(1));
    }
    if (isBare && event.key === 'Enter' && !event.isComposing) {
      event.preventDefault();
      breakLine(area);
    }
    leaves = event.key === 'Escape';
  });
}

/** A new line keeps the indentation, and indents after an opening bracket. @param {HTMLTextAreaElement} area */
function breakLine(area) {
  const before = area.value.slice(0, area.selectionStart);
  const margin = before.slice(before.lastIndexOf('\n') + 1).match(/^ */)?.[0] ?? '';
  const isOpen = /[{([]\s*$/.test(before);
  const isBeforeCloser = /^[})\]]/.test(area.value.slice(area.selectionEnd));
  typeIn(area, `\n${margin}${isOpen ? indent(1) : ''}`);
  if (!isOpen || !isBeforeCloser) return;
  const cursor = area.selectionStart;
  typeIn(area, `\n${margin}`);
  area.setSelectionRange(cursor, cursor);
}

// The token is kept in the session storage of this tab: not in a cookie, and not for the next visit.

const TOKEN_KEY = 'maidan.token';

/** @param {string} token */
export function setToken(token) {
  field('token').value = token;
  keepToken();
}

function keepToken() {
  try {
    sessionStorage.setItem(TOKEN_KEY, field('token').value);
  } catch {
    // A browser may forbid storage. Then only the field holds the token.
  }
}

function recallToken() {
  try {
    field('token').value = sessionStorage.getItem(TOKEN_KEY) ?? '';
  } catch {
    // As above.
  }
}

/** The JSON object in a field; an empty field is an empty object. @param {string} name @returns {Record<string, any>} */
function readJson(name) {
  const text = field(name).value.trim();
  try {
    const value = text ? JSON.parse(text) : {};
    if (isObject(value)) return value;
  } catch (error) {
    throw new Refused(name.toUpperCase(), `The ${name} are not valid JSON: ${/** @type {Error} */ (error).message}`);
  }
  throw new Refused(name.toUpperCase(), `The ${name} are not a JSON object.`);
}

/** The request, with the token among the headers. */
export function read() {
  const token = field('token').value.trim();
  const headers = { ...readJson('headers'), ...(token && { Authorization: `Bearer ${token}` }) };
  return { query: field('query').value, variables: readJson('variables'), headers, token };
}

/** @param {() => void} run */
export function listen(run) {
  for (const name of ['query', 'variables', 'headers']) editKeys(/** @type {HTMLTextAreaElement} */ (field(name)));
  field('token').addEventListener('input', keepToken);
  byId('token-clear').addEventListener('click', () => setToken(''));
  byId('explorer').addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    run();
  });
  recallToken();
}
