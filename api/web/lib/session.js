// The players of this browser, the tables at which they sit, and the requests that have no answer yet.

import { Away, newKey, Refused } from './api.js';

/** @typedef {import('./api.js').Schemas} Schemas */
/** @typedef {{ id: string, name: string, token: string }} Person */
/** @typedef {{ key: string, player: string | null, path: string, body: unknown, since: number, isUnderWay?: boolean }} Pending */

/** A browser may forbid storage. Then everything lasts as long as the page. */
class Memory {
  /** @type {Map<string, string>} */
  #values = new Map();

  /** @template T @param {string} name @param {T} otherwise @returns {T} */
  read(name, otherwise) {
    try {
      const text = localStorage.getItem(`maidan.${name}`) ?? this.#values.get(name);
      return text ? JSON.parse(text) : otherwise;
    } catch {
      const text = this.#values.get(name);
      return text ? JSON.parse(text) : otherwise;
    }
  }

  /** @param {string} name @param {unknown} value */
  write(name, value) {
    const text = JSON.stringify(value);
    this.#values.set(name, text);
    try {
      localStorage.setItem(`maidan.${name}`, text);
    } catch {
      // As above.
    }
  }
}

const memory = new Memory();

/** The commitment that a game published when this browser first saw it. @param {string} game @returns {string | null} */
export const commitmentSeen = (game) => memory.read('commitments', /** @type {[string, string][]} */ ([])).find(([id]) => id === game)?.[1] ?? null;

/** How many tables and unanswered requests are remembered. */
const MOST = 200;
/** A request this old is not sent again after a reload. */
const OUTDATED_MS = 10 * 60_000;

export class Session {
  /** The keys of requests that wait for their answer right now. @type {Set<string>} */
  #underWay = new Set();

  /** @param {import('./api.js').Api} api */
  constructor(api) {
    this.api = api;
  }

  /** @returns {Person[]} The first is the owner of this browser. */
  get people() {
    return memory.read('people', /** @type {Person[]} */ ([]));
  }

  get me() {
    return this.people[0] ?? null;
  }

  /** The owner of this browser, registered as a guest when first needed. @param {string} name
   * @returns {Promise<Person>} */
  async iAm(name) {
    const { me } = this;
    if (me && !(await this.#isKnown(me))) {
      this.forget(me.id);
      return this.iAm(name);
    }
    if (!me) return this.register(name);
    if (me.name !== name) {
      /** @type {Schemas['Player']} */
      const player = await this.api.as(me.token).patch(`/v1/players/${me.id}`, { name });
      memory.write('people', this.people.map((one) => (one.id === me.id ? { ...one, name: player.name } : one)));
    }
    return this.people[0];
  }

  /** Whether the server still knows a token: it may have been revoked, or the database is another one.
   * @param {Person} person */
  async #isKnown({ token }) {
    try {
      await this.api.as(token).get('/v1/me');
      return true;
    } catch (error) {
      if (error instanceof Refused && error.code === 'UNAUTHENTICATED') return false;
      throw error;
    }
  }

  /** Registers a guest, who stays known to this browser. @param {string} name @returns {Promise<Person>} */
  async register(name) {
    // Guests have no keys: a lost response leaves an unused guest.
    /** @type {Schemas['Registered']} */
    const { player, token } = await this.api.ask('/v1/players', { name });
    const person = { id: player.id, name: player.name ?? name, token: token?.token ?? '' };
    memory.write('people', [...this.people, person]);
    return person;
  }

  /** Forgets a player whose token is no longer valid. @param {string} id */
  forget(id) {
    memory.write('people', this.people.filter((one) => one.id !== id));
  }

  /** The players of this browser who sit at a game: the people at this screen, or its owner.
   * @param {string} game @returns {Person[]} */
  at(game) {
    const tables = memory.read('tables', /** @type {[string, string[]][]} */ ([]));
    const ids = tables.find(([id]) => id === game)?.[1];
    if (!ids) return this.people.slice(0, 1);
    return this.people.filter(({ id }) => ids.includes(id));
  }

  /** @param {string} game @param {Person[]} people */
  sit(game, people) {
    const tables = memory.read('tables', /** @type {[string, string[]][]} */ ([]));
    const others = tables.filter(([id]) => id !== game);
    memory.write('tables', [[game, people.map(({ id }) => id)], ...others].slice(0, MOST));
  }

  /** Keeps the commitment of a game that is not over, to compare it with the record later.
   * @param {Schemas['Game']} game */
  notice({ id, status, commitment }) {
    if (status === 'OVER' || commitmentSeen(id)) return;
    const seen = memory.read('commitments', /** @type {[string, string][]} */ ([]));
    memory.write('commitments', [[id, commitment], ...seen].slice(0, MOST));
  }

  /** Requests without an answer, also those of other pages of this browser. @returns {Pending[]} */
  get pending() {
    const all = memory.read('pending', /** @type {Pending[]} */ ([]));
    return all.map((one) => ({ ...one, isUnderWay: this.#underWay.has(one.key) }));
  }

  /**
   * Sends a change. Its key is stored before the first attempt and removed with the answer, so that a reload in between
   * asks for the answer instead of doing it twice.
   * @template T @param {import('./api.js').Api} api @param {string} path @param {unknown} [body] @returns {Promise<T>}
   */
  async send(api, path, body) {
    const player = this.people.find(({ token }) => token === api.token)?.id ?? null;
    const pending = { key: newKey(), player, path, body, since: Date.now() };
    memory.write('pending', [pending, ...this.pending].slice(0, MOST));
    return this.#deliver(api, pending);
  }

  /** Repeats requests that a reload or a lost network has left without an answer. @param {string} path of the game */
  async resend(path) {
    for (const pending of this.pending.filter((one) => one.path.startsWith(path) && !one.isUnderWay).reverse()) {
      const person = this.people.find(({ id }) => id === pending.player);
      const isOutdated = Date.now() - pending.since > OUTDATED_MS;
      if (!person || isOutdated) this.#answered(pending);
      else await this.#deliver(this.api.as(person.token), pending).catch(() => null);
    }
  }

  /** @template T @param {import('./api.js').Api} api @param {Pending} pending @returns {Promise<T>} */
  async #deliver(api, pending) {
    this.#underWay.add(pending.key);
    try {
      /** @type {T} */
      const answer = await api.post(pending.path, pending.body ?? undefined, pending.key);
      this.#answered(pending);
      return answer;
    } catch (error) {
      if (!(error instanceof Away)) this.#answered(pending);
      throw error;
    } finally {
      this.#underWay.delete(pending.key);
    }
  }

  /** @param {Pending} pending */
  #answered({ key }) {
    memory.write('pending', this.pending.filter((one) => one.key !== key));
  }
}
