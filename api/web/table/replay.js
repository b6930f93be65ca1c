// Replay: any earlier position, by slider, arrow keys or the log, and after the end from the view of any seat.

import { button, fill, make, sign, signButton } from './dom.js';
import { nameOf } from './words.js';

/** @typedef {import('../lib/api.js').Schemas} Schemas */
/** @typedef {Schemas['Game']} Game */

const STEP_MS = 900;

export class Replay {
  #slider = make('input', { type: 'range', id: 'ply', min: '0', max: '0', value: '0', 'aria-label': 'Move' });
  #count = make('output', { className: 'count', for: 'ply' });
  #auto = signButton('play', 'Play the moves', () => this.#toggle(), { 'aria-pressed': 'false', id: 'replay-auto' });
  #eyes = make('select', { id: 'eyes', 'aria-label': 'View', onchange: () => this.#go(this.ply) });
  #caption = make('p', { className: 'caption', id: 'caption' });
  #now = button('Back to now', () => this.leave(), { id: 'now' });
  element = make('section', { className: 'replay', id: 'replay', 'aria-label': 'Replay' },
    make('div', { className: 'controls' },
      signButton('first', 'First position', () => this.go(0), { className: 'icon first' }),
      signButton('back', 'One move back', () => this.go(this.ply - 1), { id: 'replay-back' }),
      this.#slider,
      signButton('on', 'One move on', () => this.go(this.ply + 1), { id: 'replay-on' }),
      this.#auto,
      this.#count),
    make('div', { className: 'beside' }, this.#caption, this.#eyes, this.#now));
  /** @type {number | null} The position that is shown; null for the current one. */
  #at = null;
  #last = 0;
  /** @type {ReturnType<typeof setInterval> | undefined} */
  #timer;

  /** @param {{ look: (ply: number | null, eyes: number | null) => void, caption: (ply: number) => string }} on
   *    `look` shows a position, null for the current one. */
  constructor({ look, caption }) {
    this.look = look;
    this.caption = caption;
    this.#slider.addEventListener('input', () => this.#go(Number(this.#slider.value)));
    this.#show();
  }

  get ply() {
    return this.#at ?? this.#last;
  }

  /** Whether another position than the current one, or another seat's view, is shown. */
  get isPast() {
    return this.#at !== null;
  }

  /** The seat whose view is shown; null for the default. */
  get eyes() {
    return this.#eyes.value === '' ? null : Number(this.#eyes.value);
  }

  /** @param {Game} game */
  update(game) {
    this.#last = game.ply;
    this.element.hidden = game.status === 'OPEN' || (game.ply === 0 && game.status !== 'OVER');
    const isOpen = game.status === 'OVER';
    if (isOpen && !this.#eyes.options.length) {
      fill(this.#eyes,
        make('option', { value: '' }, 'Everything open'),
        ...game.seats.map(({ seat }) => make('option', { value: String(seat) }, `As ${nameOf(game, seat)}`)));
    }
    this.#eyes.hidden = !isOpen;
    this.#show();
  }

  /** Forgets another game. */
  reset() {
    this.#stop();
    this.#at = null;
    fill(this.#eyes);
  }

  /** @param {number} ply */
  go(ply) {
    this.#stop();
    this.#go(ply);
  }

  /** @param {number} ply */
  #go(ply) {
    const within = Math.max(0, Math.min(ply, this.#last));
    this.#at = within === this.#last && this.eyes === null ? null : within;
    if (within === this.#last) this.#stop();
    this.#show();
    this.look(this.#at, this.eyes);
  }

  /** Goes back by one move. The slider has the focus, so that arrow keys go on. */
  begin() {
    this.go(this.#last - 1);
    this.#slider.focus();
  }

  leave() {
    this.#stop();
    this.#eyes.value = '';
    this.#at = null;
    this.#show();
    this.look(null, null);
  }

  /** Arrow keys, Home and End, wherever the focus is outside of a field. @param {KeyboardEvent} event */
  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || this.element.hidden) return;
    const to = { ArrowLeft: this.ply - 1, ArrowRight: this.ply + 1, Home: 0, End: this.#last }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    this.go(to);
  }

  #show() {
    this.#slider.max = String(this.#last);
    this.#slider.value = String(this.ply);
    this.#slider.setAttribute('aria-valuetext', `Move ${this.ply} of ${this.#last}`);
    this.#count.textContent = `${this.ply} / ${this.#last}`;
    this.#now.hidden = !this.isPast;
    this.#caption.textContent = this.isPast ? this.caption(this.ply) : '';
    this.element.classList.toggle('past', this.isPast);
  }

  #toggle() {
    if (this.#timer) return this.#stop();
    if (this.ply === this.#last) this.#go(0);
    this.#auto.setAttribute('aria-pressed', 'true');
    fill(this.#auto, sign('pause'));
    this.#timer = setInterval(() => this.#go(this.ply + 1), STEP_MS);
  }

  #stop() {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#auto.setAttribute('aria-pressed', 'false');
    fill(this.#auto, sign('play'));
  }
}
