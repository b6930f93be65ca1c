// All legal moves as a list, for those who prefer it: the same moves that the picture offers.

import { button, fill, make } from './dom.js';
import { withNames } from './words.js';

/** @typedef {import('../lib/api.js').Schemas} Schemas */

/** So many are listed. Hands with thousands of moves are played on the picture, or by typing. */
const MOST = 200;

export class Moves {
  element = make('div', { className: 'moves', id: 'moves' });
  #list = make('ul', { className: 'move-list', 'aria-label': 'Legal moves' });
  #note = make('p', { className: 'quiet' });
  #typed = make('input', { type: 'text', id: 'typed', autocomplete: 'off', spellcheck: false, 'aria-label': 'A move in notation', placeholder: 'notation' });
  #form = make('form', { className: 'typing', onsubmit: (/** @type {Event} */ event) => this.#submit(event) }, this.#typed, make('button', { type: 'submit' }, 'Play'));
  #generation = 0;

  /** @param {{ play: (notation: string) => void }} on */
  constructor({ play }) {
    this.play = play;
    this.element.append(this.#note, this.#list, this.#form);
  }

  /** @param {import('../lib/api.js').Api} api @param {import('../lib/api.js').Game} game @param {string} help about the notation */
  async load(api, game, help) {
    const generation = (this.#generation += 1);
    this.#form.hidden = false;
    this.#typed.title = help;
    /** @type {Schemas['LegalMoves']} */
    const { items, complete } = await api.get(`/v1/games/${game.id}/legal-moves?limit=${MOST}`);
    if (generation !== this.#generation) return;
    fill(this.#list, ...items.map(({ notation, text }) =>
      make('li', {}, button(withNames(game, text), () => this.play(notation), { 'data-notation': notation, title: notation })),
    ));
    this.#note.textContent = complete ? `You have ${items.length === 1 ? 'one legal move' : `${items.length} legal moves`}.` : `The first ${items.length} of very many moves, the shortest first. Longer ones are played on the picture.`;
  }

  /** @param {string} note */
  close(note) {
    this.#generation += 1;
    fill(this.#list);
    this.#form.hidden = true;
    this.#note.textContent = note;
  }

  /** @param {Event} event */
  #submit(event) {
    event.preventDefault();
    const notation = this.#typed.value.trim();
    if (!notation) return;
    this.#typed.value = '';
    this.play(notation);
  }
}
