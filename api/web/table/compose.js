// Composes a move, token by token. The server says what may follow; the picture lights it, and what has no place on the
// picture is a button.

import { Away, Refused } from '../lib/api.js';
import { button, fill, make } from './dom.js';

/** @typedef {import('../lib/api.js').Schemas} Schemas */
/** @typedef {import('../lib/api.js').Api} Api */
/** @typedef {Schemas['Game']} Game */
/** @typedef {Schemas['Continuations']} Continuations */
/** @typedef {Schemas['Continuation']} Continuation */
/** @typedef {{ tokens: Continuation[], isForced: boolean }} Step One choice, with the verbs that it implies. */
/** @typedef {Continuation & { path: Continuation[] }} Target A token, and the verbs that lead to it. */

/** Verbs are looked through, so that a place can be touched without its verb: so deep, and so many at most. */
const DEPTH = 2;
const BREADTH = 6;

export class Compose {
  element = make('section', { className: 'compose', id: 'compose', 'aria-labelledby': 'turn' });
  /** @type {Step[]} */
  #steps = [];
  /** @type {Continuations} */
  #now = { next: [], isMove: false };
  /** @type {Target[]} */
  #targets = [];
  /** @type {Api | null} */
  #api = null;
  /** @type {Game | null} */
  #game = null;
  #generation = 0;
  #isSending = false;
  #isFresh = false;
  /** Whether the server was unreachable when the continuations were requested. */
  isBehind = false;
  #byKeyboard = false;
  #hint = make('p', { className: 'hint', id: 'hint' });
  #chips = make('ol', { className: 'chips', id: 'chosen', 'aria-label': 'The move so far' });
  #buttons = make('div', { className: 'choices', id: 'choices' });
  #trouble = make('div', { className: 'trouble', id: 'refusal', role: 'alert' });

  /**
   * @param {import('./picture.js').Picture} picture
   * @param {{ send: (notation: string) => Promise<void>, rule: (id: string) => HTMLElement }} table
   *   `send` plays a move; `rule` makes a link to a rule.
   */
  constructor(picture, { send, rule }) {
    this.picture = picture;
    this.send = send;
    this.rule = rule;
    this.element.append(this.#hint, this.#chips, this.#buttons, this.#trouble);
    this.element.addEventListener('keydown', (event) => this.#noticeKey(event));
    picture.place.addEventListener('keydown', (event) => this.#noticeKey(event), true);
    addEventListener('pointerdown', () => (this.#byKeyboard = false));
  }

  /** @param {KeyboardEvent} event */
  #noticeKey(event) {
    this.#byKeyboard = true;
    if (event.key === 'Escape' && this.#chosen.length) this.takeBack();
  }

  get #tokens() {
    return this.#steps.flatMap(({ tokens }) => tokens);
  }

  /** The player's own choices, without forced ones. */
  get #chosen() {
    return this.#steps.filter(({ isForced }) => !isForced);
  }

  get notation() {
    return this.#tokens.map(({ token }) => token).join(' ');
  }

  get isOpen() {
    return this.#game !== null;
  }

  /** Begins a decision. The same decision goes on where it was. @param {Api} api @param {Game} game */
  async open(api, game) {
    const isSame = this.#game?.id === game.id && this.#game.myDecision === game.myDecision && this.#api?.token === api.token;
    this.#api = api;
    this.#game = game;
    this.element.hidden = false;
    if (isSame) return this.#show();
    this.#steps = [];
    this.#isSending = false;
    this.#refuse(null);
    await this.#load();
  }

  close() {
    this.#generation += 1;
    this.#game = null;
    this.#steps = [];
    this.picture.dim();
    this.element.hidden = true;
  }

  /** The picture has been replaced. */
  relight() {
    this.#show();
  }

  /** @param {string} prefix @returns {Promise<Continuations>} */
  #continue(prefix) {
    return /** @type {Api} */ (this.#api).get(`/v1/games/${this.#game?.id}/continuations?${new URLSearchParams({ prefix })}`);
  }

  async #load() {
    const generation = (this.#generation += 1);
    // Targets of the previous choice may not follow this one.
    this.#targets = [];
    this.#now = { next: [], isMove: false };
    this.#show();
    try {
      for (;;) {
        const now = await this.#continue(this.notation);
        const targets = await this.#lookAhead(now, this.notation, [], DEPTH);
        if (generation !== this.#generation || !this.#game) return;
        this.#now = now;
        this.#targets = targets;
        const [only] = now.next;
        // A verb without an alternative is no choice, unless it is the whole move.
        const isForced = now.next.length === 1 && !now.isMove && only.type === 'VERB' && !this.#ends.has(only.token);
        if (!isForced) break;
        this.#steps.push({ tokens: [only], isForced: true });
      }
      this.#isFresh = true;
      this.#show();
    } catch (error) {
      this.isBehind = error instanceof Away;
      if (generation === this.#generation && !this.isBehind) this.#refuse(error);
    }
  }

  /** After the server was unreachable. */
  async retry() {
    if (!this.isBehind || !this.#game) return;
    this.isBehind = false;
    this.#refuse(null);
    await this.#load();
  }

  /** The verbs that are a move by themselves. */
  #ends = new Set();

  /** All tokens that may be touched now: those that follow, and those that follow a verb that follows.
   * @param {Continuations} now @param {string} prefix @param {Continuation[]} path @param {number} depth
   * @returns {Promise<Target[]>} */
  async #lookAhead(now, prefix, path, depth) {
    if (path.length === 0) this.#ends.clear();
    const targets = now.next.map((one) => ({ ...one, path: [...path, one] }));
    const verbs = now.next.filter(({ type }) => type === 'VERB');
    if (depth === 0 || verbs.length > BREADTH) return targets;
    const further = await Promise.all(verbs.map(async (verb) => {
      const longer = `${prefix} ${verb.token}`.trim();
      const then = await this.#continue(longer);
      if (path.length === 0 && then.isMove) this.#ends.add(verb.token);
      return this.#lookAhead(then, longer, [...path, verb], depth - 1);
    }));
    return [...targets, ...further.flat()];
  }

  /** The unambiguous targets: tokens to which only one path leads, the direct path first. */
  get #clear() {
    const direct = this.#targets.filter(({ path }) => path.length === 1);
    const known = new Set(direct.map(({ token }) => token));
    const others = this.#targets.filter(({ path, token, type }) => path.length > 1 && type !== 'VERB' && !known.has(token));
    const counts = new Map();
    for (const { token } of others) counts.set(token, (counts.get(token) ?? 0) + 1);
    return [...direct, ...others.filter(({ token }) => counts.get(token) === 1)];
  }

  /** Lights the picture. Returns the direct choices that it does not show. */
  #light() {
    const seat = this.#game?.mySeat ?? -1;
    if (this.#isSending) {
      this.picture.light([], this.#tokens, seat);
      return [];
    }
    return this.picture.light(this.#clear, this.#tokens, seat).filter((target) => /** @type {Target} */ (target).path.length === 1);
  }

  #show() {
    // Before there is a picture, nothing is known to be missing from it.
    if (!this.#game || !this.picture.svg) return;
    const hadFocus = this.#byKeyboard;
    const missing = this.#light();
    const chips = this.#chosen.map(({ tokens }) => make('li', {}, tokens[tokens.length - 1].text));
    fill(this.#chips, ...chips);
    this.#chips.hidden = chips.length === 0;
    const choices = missing.map((target) =>
      button(target.text, () => this.touch(target), { 'data-token': target.token, 'data-type': target.type, disabled: this.#isSending }),
    );
    const { isMove } = this.#now;
    const send = isMove && this.#tokens.length > 0 &&
      button(this.#isSending ? 'Sending…' : 'Play it', () => this.#play(), { className: 'primary', id: 'send', disabled: this.#isSending, 'data-notation': this.notation });
    const back = this.#chosen.length > 0 && button('Take back', () => this.takeBack(), { id: 'take-back', disabled: this.#isSending });
    fill(this.#buttons, send, ...choices, back);
    this.#hint.textContent = this.#advice(choices.length);
    if (this.#isFresh) this.#reveal();
    if (hadFocus) this.#keepFocus();
  }

  /** Scrolls the next targets into view once, not with every change at the table. */
  #reveal() {
    this.#isFresh = false;
    const bar = /** @type {HTMLElement} */ (this.element.parentElement);
    this.picture.reveal(getComputedStyle(bar).position === 'sticky' ? bar.offsetHeight : 0);
  }

  /** @param {number} choices */
  #advice(choices) {
    if (this.#isSending) return 'Sending your move…';
    const { hasLights } = this.picture;
    if (this.#now.isMove && this.#tokens.length) return hasLights || choices ? 'Play it, or choose more.' : 'Play it, or take it back.';
    if (hasLights) return choices ? 'Tap a lit piece or place, or choose:' : 'Tap a lit piece or place.';
    return choices ? 'Choose:' : 'Just a moment…';
  }

  /** After a choice by keyboard the focus goes to the next one. */
  #keepFocus() {
    const root = /** @type {ShadowRoot | Document} */ (this.element.getRootNode());
    const focused = root.activeElement;
    if (focused && focused !== this.picture.place && focused !== document.body && !this.element.contains(focused)) return;
    const isComplete = this.#now.isMove && this.#now.next.length === 0 && this.#tokens.length;
    if (!isComplete && this.picture.hasLights) this.picture.focus();
    else this.#buttons.querySelector('button')?.focus();
  }

  /** @param {import('./picture.js').Target} lit */
  touch(lit) {
    if (this.#isSending || !this.#game) return;
    const target = this.#clear.find(({ token, type }) => token === lit.token && type === lit.type);
    if (!target) return;
    const isFirst = this.#tokens.length === 0;
    this.#refuse(null);
    this.#steps.push({ tokens: target.path, isForced: false });
    // A move of one token takes one tap.
    if (isFirst && target.path.length === 1 && this.#mayEnd(target)) return this.#playIfWhole();
    return this.#load();
  }

  /** @param {Target} target */
  #mayEnd(target) {
    return target.type !== 'VERB' || this.#ends.has(target.token);
  }

  async #playIfWhole() {
    await this.#load();
    if (this.#now.isMove && this.#now.next.length === 0 && this.#tokens.length === 1) await this.#play();
  }

  takeBack() {
    if (this.#isSending) return;
    while (this.#steps.length && this.#steps.pop()?.isForced);
    this.#refuse(null);
    this.#load();
  }

  async #play() {
    await this.play(this.notation);
  }

  /** Sends a move, and shows the refusal if it comes. @param {string} notation */
  async play(notation) {
    if (this.#isSending || !this.#game) return;
    this.#isSending = true;
    this.#refuse(null);
    this.#show();
    try {
      await this.send(notation);
    } catch (error) {
      this.#isSending = false;
      this.#steps = [];
      await this.#load();
      this.#refuse(error);
    } finally {
      this.#isSending = false;
    }
  }

  /** Says why something that is not lit may not be touched. @param {Element} element */
  async miss(element) {
    const { token, seat } = /** @type {SVGElement} */ (element).dataset;
    const game = this.#game;
    if (!game || !this.#api || !token || this.#isSending || (seat !== undefined && Number(seat) !== game.mySeat)) return;
    const verbs = this.#now.next.filter(({ type }) => type === 'VERB').map((verb) => verb.token);
    const prefix = this.notation;
    for (const verb of ['', ...verbs]) {
      const notation = [prefix, verb, token].filter(Boolean).join(' ');
      /** @type {Schemas['Explanation']} */
      const said = await this.#api.ask(`/v1/games/${game.id}/explain`, { notation });
      if (this.#game !== game) return;
      if (said.rule && said.text) return this.#refuse(new Refused(422, { detail: said.text, rule: said.rule, code: 'ILLEGAL_MOVE' }));
    }
  }

  /** @param {unknown} error */
  #refuse(error) {
    if (!error) return fill(this.#trouble);
    const text = error instanceof Away ? 'The server cannot be reached. Your move is kept and will be sent when it is back.' : /** @type {Error} */ (error).message;
    const rule = error instanceof Refused && error.rule;
    fill(this.#trouble, make('p', {}, text, rule && ' ', rule && this.rule(rule)));
  }
}
