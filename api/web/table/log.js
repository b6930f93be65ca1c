// The log: what happened, newest first, in the sentences of the events.

import { button, fill, make } from './dom.js';
import { nameOf, withNames } from './words.js';

/** @typedef {import('../lib/api.js').Schemas} Schemas */
/** @typedef {Schemas['LogEntry']} Entry */
/** @typedef {Schemas['Game']} Game */

const SHOWN = 150;

const WHAT = /** @type {Record<string, string>} */ ({
  OPENED: 'opened the game.',
  JOINED: 'sat down.',
  LEFT: 'left.',
  STARTED: 'The game begins.',
  RESIGNED: 'resigned.',
  CANCELLED: 'The game was cancelled.',
  EXPIRED: 'The game expired before it began.',
  SEEDED: 'added a seed.',
});

/** The sentence of an entry, for the log and for screen readers. @param {Game} game @param {Entry} entry */
export function sentences(game, { what, seat, playerId, events, notation, secret }) {
  const texts = events.map(({ text }) => withNames(game, text));
  if (texts.length) return texts;
  const sitting = seat ?? game.seats.find(({ player }) => player && player.id === playerId)?.seat;
  const who = sitting === undefined ? '' : nameOf(game, sitting);
  if (what === 'MOVED') return [secret && !notation ? `${who} has chosen.` : `${who}: ${notation ?? ''}`];
  const said = WHAT[what] ?? what.toLowerCase();
  return [/^[A-Z]/.test(said) ? said : `${who || 'Somebody'} ${said}`];
}

export class Log {
  element = make('div', { className: 'log', id: 'log' });
  /** @type {Entry[]} */
  entries = [];
  #isWhole = false;
  #first = 0;
  #list = make('ol', { className: 'entries', reversed: true, 'aria-label': 'What happened, newest first' });
  #more = button('Show all', () => this.#showAll(), { className: 'quiet' });

  /** @param {{ look: (ply: number) => void }} on `look` shows the position after a ply. */
  constructor({ look }) {
    this.look = look;
    this.element.append(this.#list, this.#more);
    this.#more.hidden = true;
  }

  /** Reads the whole log. @param {import('../lib/api.js').Api} api @param {Game} game */
  async read(api, game) {
    this.entries = [];
    this.#first = 0;
    let after = 0;
    for (;;) {
      /** @type {Schemas['LogPage']} */
      const page = await api.get(`/v1/games/${game.id}/log?first=100&after=${after}`);
      this.entries.push(...page.items);
      if (!page.hasMore) break;
      after = page.endCursor ?? after;
    }
    this.show(game);
  }

  /** Begins at a version, without the entries before it. @param {Game} game @param {number} version */
  start(game, version) {
    this.entries = [];
    this.#first = version;
    this.show(game);
  }

  clear() {
    this.entries = [];
    fill(this.#list);
  }

  get version() {
    return this.entries[this.entries.length - 1]?.version ?? this.#first;
  }

  /** Adds the new entries. Returns them. @param {Game} game @param {Entry[]} entries */
  add(game, entries) {
    const fresh = entries.filter(({ version }) => version > this.version);
    this.entries.push(...fresh);
    for (const entry of fresh) this.#list.prepend(this.#line(game, entry));
    this.#trim();
    return fresh;
  }

  /** @param {Game} game */
  show(game) {
    const shown = this.#isWhole ? this.entries : this.entries.slice(-SHOWN);
    fill(this.#list, ...shown.map((entry) => this.#line(game, entry)).reverse());
    this.game = game;
    this.#more.hidden = shown.length === this.entries.length;
  }

  #showAll() {
    this.#isWhole = true;
    if (this.game) this.show(this.game);
  }

  #trim() {
    if (this.#isWhole) return;
    while (this.#list.children.length > SHOWN) this.#list.lastElementChild?.remove();
    this.#more.hidden = this.entries.length <= SHOWN;
  }

  /** The entry of the move that led to a ply. @param {number} ply */
  at(ply) {
    return this.entries.find((entry) => entry.ply === ply && entry.what === 'MOVED') ?? null;
  }

  /** The log's sentence about the end. @param {Game} game */
  ended(game) {
    const last = this.entries.findLast(({ events }) => events.length > 0);
    const isEnd = (/** @type {{ type?: string }} */ { type }) => type === game.view?.type.replace(/View$/, 'Ended');
    return last?.events.filter(isEnd).map(({ text }) => withNames(game, text)).join(' ') ?? '';
  }

  /** @param {Game} game @param {Entry} entry */
  #line(game, entry) {
    const texts = sentences(game, entry).map((text) => make('span', {}, text));
    const isMove = entry.what === 'MOVED' || entry.what === 'RESIGNED';
    const ply = isMove && button(String(entry.ply), () => this.look(entry.ply), { className: 'ply', title: `Look at move ${entry.ply}`, 'aria-label': `Look at the position after move ${entry.ply}` });
    return make('li', { 'data-version': entry.version, 'data-seat': entry.seat ?? '' }, make('div', { className: 'ply-cell' }, ply), make('div', { className: 'said' }, ...texts, entry.auto && make('small', {}, 'drawn at random')));
  }
}
