// The first screen: a game. Below: games that wait for somebody, and those of this browser.

import { button, fill, labelled, make } from '../table/dom.js';
import { counted, names } from '../table/words.js';
import { Setup } from './setup.js';

/** @typedef {import('../lib/api.js').Schemas} Schemas */
/** @typedef {Schemas['Game']} Game */
/** @typedef {Schemas['Rulebook']} Rulebook */
/** @typedef {import('../lib/session.js').Session} Session */

const MOST = 20;

export class Lobby {
  /** @type {Rulebook[]} */
  #books = [];
  #kinds = make('div', { className: 'kinds', id: 'kinds' });
  #mine = make('section', { id: 'my-games', className: 'games', hidden: true });
  #open = make('section', { id: 'open-games', className: 'games', hidden: true });
  #trouble = make('p', { className: 'trouble', role: 'alert' });
  #code = make('input', { type: 'text', id: 'code', autocomplete: 'off', autocapitalize: 'characters', required: true, maxLength: 20 });
  #setup;
  element = make('div', { className: 'lobby' });

  /** @param {Session} session @param {{ open: (game: string) => void, titles: Map<string, string> }} on */
  constructor(session, { open, titles }) {
    this.session = session;
    this.open = open;
    this.titles = titles;
    this.#setup = new Setup(session, open);
    const join = make('form', { className: 'by-code', onsubmit: (/** @type {Event} */ event) => this.#join(event) },
      labelled('A friend gave you a code?', this.#code), make('button', { type: 'submit' }, 'Join'));
    this.element.append(
      make('h1', { className: 'lobby-title' }, 'What shall we play?'),
      this.#trouble, this.#kinds, this.#mine, join, this.#open, this.#setup.element);
  }

  /** Reads the catalogue. */
  async read() {
    try {
      this.#books = await this.session.api.get('/v1/kinds');
      for (const { kind, title } of this.#books) this.titles.set(kind, title);
      fill(this.#kinds, ...this.#books.map((book) => this.#card(book)));
    } catch (error) {
      this.#fail(error);
    }
  }

  /** @param {Rulebook} book */
  #card(book) {
    const { kind, title, summary, leastSeats, mostSeats } = book;
    const seats = leastSeats === mostSeats ? `${leastSeats} players` : `${leastSeats} to ${mostSeats} players`;
    const inside = make('span', { className: 'card-inside' },
      make('span', { className: 'card-picture' }, pictureOf(kind)),
      make('span', { className: 'card-title' }, title),
      make('span', { className: 'card-seats' }, seats),
      make('span', { className: 'card-summary' }, summary));
    return button(inside, () => this.#setup.open(book), { className: 'card', id: `kind-${kind}`, 'data-kind': kind });
  }

  /** Reads the games that are shown below. */
  async load() {
    const { me, api } = this.session;
    const asMe = api.as(me?.token ?? null);
    await Promise.all([
      me ? this.#fill(this.#mine, 'Your games', async () => {
        const pages = await Promise.all(['OPEN', 'RUNNING'].map((status) => asMe.get(`/v1/me/games?status=${status}&first=${MOST}`)));
        return /** @type {Schemas['GamePage'][]} */ (pages).flatMap(({ items }) => items);
      }) : null,
      this.#fill(this.#open, 'Waiting for players', async () => {
        /** @type {Schemas['GamePage']} */
        const page = await asMe.get(`/v1/games?status=OPEN&first=${MOST}`);
        return page.items.filter((game) => !game.seats.some(({ player }) => player && player.id === me?.id));
      }),
    ]);
  }

  /** @param {HTMLElement} place @param {string} title @param {() => Promise<Game[]>} read */
  async #fill(place, title, read) {
    try {
      const games = await read();
      place.hidden = games.length === 0;
      const isMine = (/** @type {Game} */ game) => game.mySeat !== null && game.mySeat !== undefined && game.toAct.includes(game.mySeat);
      games.sort((a, b) => Number(isMine(b)) - Number(isMine(a)));
      fill(place, make('h2', {}, title), make('ul', {}, ...games.map((game) => this.#line(game, isMine(game)))));
    } catch {
      place.hidden = true;
    }
  }

  /** @param {Game} game @param {boolean} isMine */
  #line(game, isMine) {
    const taken = game.seats.filter(({ player, bot }) => player || bot).map(({ seat }) => seat);
    const free = game.seats.length - taken.length;
    const state = game.status === 'OPEN' ? `${counted(free, 'free seat')}` : isMine ? 'Your turn' : `Move ${game.ply}`;
    return make('li', {}, make('a', { href: `/play/${game.id}`, 'data-here': '', className: isMine ? 'mine' : '' },
      make('strong', {}, this.titles.get(game.kind) ?? game.kind), make('span', {}, names(game, taken)), make('em', {}, state)));
  }

  /** @param {Event} event */
  async #join(event) {
    event.preventDefault();
    try {
      const person = await this.session.iAm(this.session.me?.name ?? 'Guest');
      /** @type {Game} */
      const game = await this.session.send(this.session.api.as(person.token), '/v1/join', { code: this.#code.value.trim() });
      this.session.sit(game.id, [person]);
      this.open(game.id);
    } catch (error) {
      this.#fail(error);
    }
  }

  /** @param {unknown} error */
  #fail(error) {
    this.#trouble.textContent = /** @type {Error} */ (error).message;
  }
}

/** A kind's board, cards or dice, in the colours of the theme. @param {string} kind */
function pictureOf(kind) {
  // Kalah's narrow board is taller than a card.
  const width = kind === 'KALAH' ? 960 : 480;
  const address = (/** @type {string} */ theme) => `/v1/kinds/${kind}/picture.svg?width=${width}&theme=${theme}`;
  return make('picture', {},
    make('source', { media: '(prefers-color-scheme: dark)', srcset: address('DARK') }),
    make('img', { src: address('LIGHT'), alt: '', loading: 'lazy' }));
}
