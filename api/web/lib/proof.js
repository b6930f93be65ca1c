// Checks the record of a finished game: that its seed is the one that was committed to, and that nobody has changed its
// entries, their times or its outcome since. `maidan verify` also replays the moves.

import { fromHex, hex, sha256 } from './sha256.js';

/** @typedef {Record<string, unknown>} JsonObject */
/** @typedef {{ name: 'commitment' | 'published' | 'chain' | 'origin', isTrue: boolean, text: string }} Finding */

/** The longest chain of branches that a record may have. */
const MOST_BRANCHES = 8;

const utf8 = new TextEncoder();

/** JSON as it is hashed (RFC 8785): names sorted, no white space. @param {unknown} value @returns {string} */
export function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.keys(value).sort().map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`);
  return `{${members.join(',')}}`;
}

/** @param {...(string | Uint8Array)} parts */
function hashOf(...parts) {
  const bytes = parts.map((part) => (typeof part === 'string' ? utf8.encode(part) : part));
  const whole = new Uint8Array(bytes.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of bytes) {
    whole.set(part, at);
    at += part.length;
  }
  return sha256(whole);
}

/** An object without some of its members. @param {JsonObject} object @param {string[]} names */
const without = (object, names) => Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));

/** @param {unknown} value @returns {value is JsonObject} */
const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * The findings about a record, each with a sentence for people.
 * @param {unknown} record the record, as parsed JSON
 * @param {string | null} [published] the commitment that the game showed before it began
 * @returns {Finding[]}
 */
export function prove(record, published = null) {
  if (!isObject(record)) return [{ name: 'chain', isTrue: false, text: 'This is not a record.' }];
  const findings = [committed(record)];
  if (published !== null) {
    const isTrue = record.commitment === published;
    const text = isTrue
      ? 'The commitment is the one that the game published when it was opened.'
      : 'The commitment is not the one that the game published when it was opened.';
    findings.push({ name: 'published', isTrue, text });
  }
  findings.push(chained(record));
  const parents = branchedFrom(record);
  if (parents) findings.push(parents);
  return findings;
}

/** @param {JsonObject} record @returns {Finding} */
function committed({ seed, gameId, commitment }) {
  const bytes = typeof seed === 'string' ? fromHex(seed) : null;
  const isTrue = bytes?.length === 32 && hex(hashOf('maidan/seed', String(gameId), bytes)) === commitment;
  const text = isTrue
    ? 'The seed of all dice and cards is the one that the server committed to.'
    : 'The seed is not the one that the server committed to.';
  return { name: 'commitment', isTrue, text };
}

/** @param {JsonObject} record @returns {Finding} */
function chained(record) {
  const name = 'chain';
  const entries = record.entries ?? record.moves;
  if (!Array.isArray(entries)) return { name, isTrue: false, text: 'The record has no entries.' };
  let link = hashOf('maidan/record\0', canonical(without(record, ['moves', 'entries', 'outcome', 'hash'])));
  for (const [index, entry] of entries.entries()) {
    if (!isObject(entry)) return { name, isTrue: false, text: `Entry ${index} cannot be read.` };
    link = hashOf(link, canonical(without(entry, ['hash'])));
    if (hex(link) !== entry.hash) {
      return { name, isTrue: false, text: `The chain is broken: entry ${index}, or something before it, was changed.` };
    }
  }
  link = hashOf(link, canonical(record.outcome ?? null));
  const isTrue = hex(link) === record.hash;
  const text = isTrue
    ? `The hash chain is unbroken: none of ${entries.length} entries and no result was changed.`
    : 'The chain is broken at its end: the outcome, or the hash itself, was changed.';
  return { name, isTrue, text };
}

/** The finding about the games that this one was branched from; null if it was not. @param {JsonObject} record */
function branchedFrom(record) {
  let { origin } = record;
  if (!isObject(origin)) return null;
  let count = 0;
  for (; isObject(origin) && isObject(origin.record); { origin } = origin.record) {
    count += 1;
    const failed = [committed(origin.record), chained(origin.record)].find(({ isTrue }) => !isTrue);
    if (count > MOST_BRANCHES) return finding(false, `The game has more than ${MOST_BRANCHES} ancestors.`);
    if (failed) return finding(false, `In the game that it was branched from: ${failed.text}`);
  }
  return finding(true, count === 1 ? 'The game that it was branched from is unchanged, too.' : 'The games that it was branched from are unchanged, too.');

  /** @param {boolean} isTrue @param {string} text @returns {Finding} */
  function finding(isTrue, text) {
    return { name: 'origin', isTrue, text };
  }
}
