// The result, explained: places, and points by their reasons, from the details of the outcome.

import { fill, make } from './dom.js';
import { inWords, nameOf, names, ordinal } from './words.js';

/** @typedef {import('../lib/api.js').Schemas} Schemas */
/** @typedef {Schemas['Game']} Game */
/** @typedef {Record<string, unknown>} Facts */

/** Fields that name seats. */
const SEATS = ['winner', 'taker', 'sevenWells', 'revealed', 'tied', 'tiedForMost', 'tiedForNext'];
/** Fields that repeat what the places say. */
const REPEATED = ['type', 'winner', 'seat', 'leader'];

/** @param {Game} game @param {number | null} mySeat */
export function headline(game, mySeat) {
  const { outcome } = game;
  if (game.status === 'CANCELLED') return 'The game was cancelled.';
  if (!outcome) return 'The game is over.';
  const { winners } = outcome;
  if (winners.length === 0) return 'A draw.';
  const isMine = mySeat !== null && winners.includes(mySeat);
  if (winners.length > 1) return isMine ? `You win together with ${names(game, winners.filter((seat) => seat !== mySeat))}.` : `${names(game, winners)} win together.`;
  return isMine ? 'You win!' : `${nameOf(game, winners[0])} wins.`;
}

/**
 * @param {HTMLElement} place @param {Game} game @param {string} ended what the log says of the end
 * @param {Schemas['Rule'][]} rules @param {(id: string) => HTMLElement} linkTo
 */
export function explain(place, game, ended, rules, linkTo) {
  const { outcome } = game;
  if (!outcome) return fill(place, make('p', {}, game.status === 'CANCELLED' ? 'It stays in the list, without a result.' : ''));
  const rule = rules.find(({ id }) => id === outcome.ending);
  const reason = rule ? [ended || rule.text, ' ', linkTo(rule.id)] : [{ RESIGNATION: 'Everybody else resigned.', PLY_LIMIT: 'The game reached the largest number of moves.' }[outcome.ending] ?? outcome.ending];
  const { columns, tables, facts } = sorted(/** @type {Facts} */ (/** @type {unknown} */ (outcome.details)), game);
  const order = outcome.places.map((_, seat) => seat).sort((a, b) => outcome.places[a] - outcome.places[b] || a - b);
  fill(place,
    make('div', { className: 'wide' }, make('table', { className: 'places', id: 'places' },
      make('thead', {}, make('tr', {}, ...['Place', 'Player', ...columns.map(([name]) => inWords(name))].map((name) => make('th', { scope: 'col' }, name)))),
      make('tbody', {}, ...order.map((seat) =>
        make('tr', { className: outcome.winners.includes(seat) ? 'won' : '' },
          make('td', {}, ordinal(outcome.places[seat])),
          make('th', { scope: 'row' }, nameOf(game, seat), game.seats[seat].resigned && make('small', {}, ' resigned')),
          ...columns.map(([, values]) => make('td', {}, cell(values[seat])))))))),
    ...facts.map(([name, value]) => make('p', { className: 'fact' }, make('strong', {}, `${inWords(withoutKind(game, name))}: `), said(game, name, value))),
    make('p', { className: 'ending' }, ...reason),
    ...tables.map(([name, rows]) => make('details', {}, make('summary', {}, inWords(name)), rowsOf(game, rows))));
}

/** The facts about seats, about the game, and all others. @param {Facts} details @param {Game} game */
function sorted(details, game) {
  /** @type {[string, unknown[]][]} */
  const columns = [];
  /** @type {[string, Facts[]][]} */
  const tables = [];
  /** @type {[string, unknown][]} */
  const facts = [];
  for (const [name, value] of Object.entries(details ?? {})) {
    if (REPEATED.includes(name) || value === null || (Array.isArray(value) && value.length === 0)) continue;
    if (!Array.isArray(value) || SEATS.includes(name)) facts.push([name, value]);
    else if (value.length && typeof value[0] !== 'object') columns.push([name, value]);
    else if ('seat' in value[0]) columns.push(...bySeat(/** @type {Facts[]} */ (value), game.seats.length));
    else tables.push([name, value]);
  }
  return { columns, tables, facts };
}

/** @param {Facts[]} rows @param {number} seats @returns {[string, unknown[]][]} */
function bySeat(rows, seats) {
  const fields = Object.keys(rows[0]).filter((name) => !REPEATED.includes(name));
  // The sum comes last, after its parts.
  fields.sort((a, b) => Number(a === 'points') - Number(b === 'points'));
  return fields.map((field) => [field, Array.from({ length: seats }, (_, seat) => rows.find((row) => row.seat === seat)?.[field])]);
}

/** @param {unknown} value @returns {string} */
function cell(value) {
  if (value === null || value === undefined) return '–';
  if (!Array.isArray(value)) return typeof value === 'string' ? inWords(value) : String(value);
  if (value.length === 0) return '–';
  if (Array.isArray(value[0])) return value.map((set) => set.map(inWords).join(' ')).join(' · ');
  return value.map((one) => (typeof one === 'string' ? inWords(one) : String(one))).join(', ');
}

/** mahabharataEnding → ending @param {Game} game @param {string} name */
function withoutKind({ kind }, name) {
  const prefix = kind.replaceAll('_', '').toLowerCase();
  return name.toLowerCase().startsWith(prefix) && name.length > prefix.length ? name.slice(prefix.length) : name;
}

/** @param {Game} game @param {string} name @param {unknown} value */
function said(game, name, value) {
  if (!SEATS.includes(name)) return cell(value);
  const seats = /** @type {number[]} */ ([value].flat());
  return value === null || seats.length === 0 ? 'nobody' : names(game, seats);
}

/** @param {Game} game @param {Facts[]} rows */
function rowsOf(game, rows) {
  const fields = Object.keys(rows[0]).filter((name) => name !== 'leader' && name !== 'type');
  return make('div', { className: 'wide' }, make('table', {},
    make('thead', {}, make('tr', {}, ...fields.map((name) => make('th', { scope: 'col' }, inWords(name))))),
    make('tbody', {}, ...rows.map((row) => make('tr', {}, ...fields.map((name) => make('td', {}, row[name] === null || (Array.isArray(row[name]) && !(/** @type {unknown[]} */ (row[name]).length)) ? '–' : said(game, name, row[name]))))))));
}
