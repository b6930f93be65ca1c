// Follows a game by server-sent events, without gaps, through sleep, lost networks and restarts of the server.

import { backoff } from './api.js';

/** @typedef {import('./api.js').Schemas} Schemas */
/** @typedef {Schemas['GameChange']} Change */
/** @typedef {'live' | 'away' | 'over' | 'refused'} State */

/** After this long without a message, the stream is checked against the game itself. */
const QUIET_MS = 20_000;
/** A stream that a laptop's sleep may have broken is opened again. */
const SLEPT_MS = 8_000;

export class Live {
  /** @type {EventSource | null} */
  #source = null;
  /** @type {string | null} */
  #cursor = null;
  #attempt = 0;
  /** Counts the streams that were asked for: only the last one is opened. */
  #opening = 0;
  #isStopped = false;
  #isByTicket = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #retry;
  /** @type {ReturnType<typeof setInterval> | undefined} */
  #watch;
  #lastSign = Date.now();
  #lastTick = Date.now();

  /**
   * @param {import('./api.js').Api} api the viewer
   * @param {string} game
   * @param {{ after: number | null, ticket?: string | null, picture?: () => Record<string, string>,
   *   change: (change: Change) => void, state: (state: State) => void }} follow
   *   `after` is the version that the caller has seen. A page without a token brings a ticket. `picture` has the
   *   parameters of the pictures that come with the changes.
   */
  constructor(api, game, { after, ticket = null, picture = () => ({}), change, state }) {
    this.api = api;
    this.game = game;
    this.version = after;
    this.ticket = ticket;
    this.#isByTicket = ticket !== null;
    this.picture = picture;
    this.change = change;
    this.state = state;
  }

  start() {
    addEventListener('online', this.#online);
    addEventListener('offline', this.#offline);
    addEventListener('pageshow', this.#wake);
    document.addEventListener('visibilitychange', this.#wake);
    this.#watch = setInterval(() => this.#check(), 2_000);
    this.#open();
  }

  stop() {
    this.#isStopped = true;
    this.#close();
    clearInterval(this.#watch);
    removeEventListener('online', this.#online);
    removeEventListener('offline', this.#offline);
    removeEventListener('pageshow', this.#wake);
    document.removeEventListener('visibilitychange', this.#wake);
  }

  #close() {
    clearTimeout(this.#retry);
    this.#source?.close();
    this.#source = null;
  }

  async #open() {
    this.#close();
    const opening = (this.#opening += 1);
    /** @type {string | null} */
    let ticket = this.ticket;
    this.ticket = null;
    try {
      if (this.api.token) {
        /** @type {Schemas['IssuedStreamTicket']} */
        const issued = await this.api.post('/v1/me/stream-tickets');
        ticket = issued.ticket ?? null;
      }
    } catch (error) {
      if (opening !== this.#opening) return;
      const code = /** @type {{ code?: string }} */ (error).code;
      return code === 'UNAUTHENTICATED' ? this.#end('refused') : this.#later();
    }
    if (this.#isStopped || opening !== this.#opening) return;
    const query = new URLSearchParams(this.picture());
    const after = this.#cursor ?? this.version;
    if (after !== null) query.set('after', String(after));
    if (ticket) query.set('ticket', ticket);
    const source = new EventSource(`${this.api.server}/v1/games/${this.game}/events?${query}`);
    this.#source = source;
    source.onopen = () => this.#sign();
    source.addEventListener('change', (event) => this.#read(event));
    source.addEventListener('resync', (event) => this.#read(event));
    source.addEventListener('error', (event) => this.#fail(source, event));
  }

  /** @param {MessageEvent} event */
  #read(event) {
    this.#sign();
    /** @type {Change} */
    const change = JSON.parse(event.data);
    // A resync may go back: after a failover the game can have another history.
    if (!change.resync && this.version !== null && change.version < this.version) return;
    this.version = change.version;
    this.#cursor = change.cursor;
    this.change(change);
    if (change.game.status === 'OVER' || change.game.status === 'CANCELLED') this.#end('over');
  }

  /** Both the server's last event and the browser's own failures are called `error`.
   * @param {EventSource} source @param {Event | MessageEvent} event */
  #fail(source, event) {
    if (source !== this.#source) return;
    if (event instanceof MessageEvent && event.data) {
      const { code } = JSON.parse(event.data);
      if (code === 'UNAUTHENTICATED' || code === 'NOT_FOUND') return this.#end('refused');
    }
    this.state('away');
    // While the browser reconnects by itself, with the same ticket, it is left alone.
    if (source.readyState === EventSource.CLOSED) this.#later();
  }

  #later() {
    if (this.#isStopped) return;
    this.#close();
    this.state('away');
    this.#retry = setTimeout(() => this.#open(), backoff(this.#attempt));
    this.#attempt += 1;
  }

  #sign() {
    this.#attempt = 0;
    this.#lastSign = Date.now();
    this.state('live');
  }

  /** @param {State} state */
  #end(state) {
    this.stop();
    this.state(state);
  }

  #offline = () => this.state('away');

  /** The network may be another one, and the old stream dead without a sign. A stream that only a ticket opened is left
   * to the browser. */
  #online = () => (this.#isByTicket ? this.#wake() : void this.#open());

  #wake = () => {
    if (document.visibilityState === 'visible' && Date.now() - this.#lastSign > SLEPT_MS) this.#open();
  };

  /** A clock that jumped means that the computer slept. A long silence is compared with the game. */
  async #check() {
    const now = Date.now();
    const slept = now - this.#lastTick > SLEPT_MS;
    this.#lastTick = now;
    if (slept) return this.#open();
    if (document.visibilityState !== 'visible' || now - this.#lastSign < QUIET_MS) return;
    this.#lastSign = now;
    try {
      /** @type {Schemas['Game']} */
      const game = await this.api.get(`/v1/games/${this.game}`);
      if (!this.#isStopped && this.version !== null && game.version > this.version) this.#open();
    } catch {
      // The stream reports what is wrong.
    }
  }
}
