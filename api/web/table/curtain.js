// Everybody at one screen: the board is covered while the screen changes hands, unless all see the same.

import { button, fill, make } from './dom.js';

/** @typedef {import('../lib/api.js').Game} Game */
/** @typedef {import('./table.js').Viewer} Viewer */

export class Curtain {
  element = make('div', { className: 'curtain', id: 'curtain', hidden: true });
  /** Offers to cover the board, after a move. */
  offer = make('div', { className: 'choices', id: 'handover', hidden: true });
  /** @type {Viewer | null} The player who is to take the screen. */
  #next = null;

  /** @param {{ read: (viewer: Viewer, game: string) => Promise<Game | null>, show: (viewer: Viewer, game?: Game) => void,
   *   covered: (viewer: Viewer) => void }} on */
  constructor(on) {
    this.on = on;
  }

  get isDrawn() {
    return !this.element.hidden;
  }

  /** When somebody else of this screen is to act. @param {Game} game @param {Viewer} viewer @param {Viewer[]} viewers */
  async handOver(game, viewer, viewers) {
    const isDue = viewers.length > 1 && game.status === 'RUNNING' && !(viewer.seat !== null && game.toAct.includes(viewer.seat));
    const next = isDue ? viewers.find(({ seat }) => seat !== null && game.toAct.includes(seat)) ?? null : null;
    if (next === this.#next && next) return;
    this.#next = next;
    this.offer.hidden = true;
    if (!next) return;
    const seen = await this.on.read(next, game.id).catch(() => null);
    if (this.#next !== next || seen?.version !== game.version) {
      if (this.#next === next) this.#next = null;
      return;
    }
    // Players who see the same need no curtain.
    if (JSON.stringify(seen.view) === JSON.stringify(game.view)) {
      this.#next = null;
      return this.on.show(next, seen);
    }
    fill(this.offer, button(`Cover my hand, ${next.name} is next`, () => this.cover(next), { className: 'primary', id: 'cover' }));
    this.offer.hidden = false;
  }

  /** Covers everything until somebody says that they hold the screen. @param {Viewer} next */
  cover(next) {
    this.#next = null;
    this.offer.hidden = true;
    fill(this.element,
      make('p', {}, `Pass the screen to ${next.name}. Nobody else should look.`),
      button(`I am ${next.name}`, () => this.on.show(next), { className: 'primary', id: 'uncover' }));
    this.element.hidden = false;
    this.on.covered(next);
    this.element.querySelector('button')?.focus();
  }

  open() {
    this.#next = null;
    this.element.hidden = true;
    this.offer.hidden = true;
  }
}
