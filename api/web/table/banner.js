// Errors, and whether the server is unreachable.

import { Away, Refused } from '../lib/api.js';
import { button, fill, make } from './dom.js';

/** Shorter absences of the server are not worth a word. */
const AWAY_MS = 1_500;

export class Banner {
  element = make('p', { className: 'banner', id: 'banner', role: 'status', hidden: true });
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /** @param {(id: string) => HTMLElement} linkTo a rule */
  constructor(linkTo) {
    this.linkTo = linkTo;
  }

  /** @param {unknown} error */
  fail(error) {
    if (error instanceof Away) return this.away(true);
    const rule = error instanceof Refused && error.rule;
    this.element.className = 'banner trouble';
    fill(this.element, /** @type {Error} */ (error).message, rule && ' ', rule && this.linkTo(rule), ' ', button('Close', () => (this.element.hidden = true)));
    this.element.hidden = false;
  }

  /** @param {boolean} isAway */
  away(isAway) {
    if (!isAway) {
      clearTimeout(this.#timer);
      this.#timer = undefined;
      if (this.element.classList.contains('away')) this.element.hidden = true;
      return;
    }
    this.#timer ??= setTimeout(() => {
      this.element.className = 'banner away';
      fill(this.element, navigator.onLine === false ? 'You are offline. The game goes on when the network is back.' : 'The server cannot be reached. Nothing is lost: the game goes on when it is back.');
      this.element.hidden = false;
    }, AWAY_MS);
  }
}
