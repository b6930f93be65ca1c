// A small client of Maidan's REST API, without dependencies. Other pages may import it from a server.

/** @typedef {import('./openapi.d.ts').components['schemas']} Schemas */
/** @typedef {Schemas['Game']} Game */
/** @typedef {Schemas['Problem']} Problem */

/** A refusal, with the code that programs use, the sentence for people and, if a move broke a rule, its id. */
export class Refused extends Error {
  /** @param {number} status @param {Partial<Problem> | null} problem */
  constructor(status, problem) {
    super(problem?.detail ?? `The server answered with status ${status}.`);
    this.status = status;
    this.code = problem?.code ?? 'INTERNAL';
    this.rule = problem?.rule ?? null;
    this.retryAfter = problem?.retryAfter ?? null;
  }
}

/** The server could not be reached for a while. A request with a key may or may not have been executed. */
export class Away extends Error {
  constructor() {
    super('The server cannot be reached.');
  }
}

/** A key for a request that must be executed once. Pages in a local network have no `crypto.randomUUID`. */
export function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** @param {number} ms @param {AbortSignal | null} [signal] */
export function sleep(ms, signal) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}

/** The delay before another attempt: doubled each time, up to 10 seconds, and never the same for all clients.
 * @param {number} attempt counted from 0 */
export const backoff = (attempt) => Math.min(10_000, 400 * 2 ** attempt) * (0.5 + Math.random() / 2);

/** How long one attempt may take, and how long attempts are repeated. */
const ATTEMPT_MS = 15_000;
const PATIENCE_MS = 45_000;
/** Statuses of servers and proxies that are temporarily unavailable. */
const PASSING = [429, 502, 503, 504];

/**
 * @typedef {object} Ask
 * @property {string} [method]
 * @property {unknown} [body]
 * @property {string} [key] the idempotency key: with it, a lost response is asked for again
 * @property {string} [accept]
 * @property {AbortSignal} [signal]
 */

/** Calls of one player, or of nobody, to one server. */
export class Api {
  /** @param {{ server?: string, token?: string | null, report?: (away: boolean) => void }} [of] */
  constructor({ server = '', token = null, report = () => {} } = {}) {
    this.server = server;
    this.token = token;
    /** Called when the server stops or resumes to respond. */
    this.report = report;
  }

  /** The same server as another player. @param {string | null} token */
  as(token) {
    return new Api({ server: this.server, token, report: this.report });
  }

  /** @template T @param {string} path @param {AbortSignal} [signal] @returns {Promise<T>} */
  get(path, signal) {
    return this.#json(path, { signal });
  }

  /** @param {string} path @param {string} accept @param {AbortSignal} [signal] */
  async text(path, accept = 'text/plain', signal) {
    return (await this.#call(path, { accept, signal })).text();
  }

  /** Sends a request that changes something. Its key is made here unless the caller keeps one.
   * @template T @param {string} path @param {unknown} [body] @param {string} [key] @returns {Promise<T>} */
  post(path, body, key = newKey()) {
    return this.#json(path, { method: 'POST', body, key });
  }

  /** @template T @param {string} path @param {unknown} body @returns {Promise<T>} */
  patch(path, body) {
    return this.#json(path, { method: 'PATCH', body });
  }

  /** Asks something that needs a body. It changes nothing. @template T @param {string} path @param {unknown} body
   * @returns {Promise<T>} */
  ask(path, body) {
    return this.#json(path, { method: 'POST', body });
  }

  /** @param {string} path @param {Ask} ask */
  async #json(path, ask) {
    const response = await this.#call(path, ask);
    return response.status === 204 ? null : response.json();
  }

  /** Repeats the request while the server is unreachable, if that is safe: a read, or a change with a key.
   * @param {string} path @param {Ask} ask @returns {Promise<Response>} */
  async #call(path, ask) {
    const isSafe = !ask.method || ask.key !== undefined;
    const giveUpAt = Date.now() + PATIENCE_MS;
    for (let attempt = 0; ; attempt += 1) {
      const response = await this.#once(path, ask);
      if (response && !PASSING.includes(response.status)) {
        this.report(false);
        if (response.ok) return response;
        throw new Refused(response.status, await response.json().catch(() => null));
      }
      const isBusy = response?.status === 429;
      if (!isBusy) this.report(true);
      if (!isSafe || Date.now() > giveUpAt) {
        if (response) throw new Refused(response.status, await response.json().catch(() => null));
        throw new Away();
      }
      const wait = Number(response?.headers.get('Retry-After') ?? 0) * 1000;
      await sleep(Math.max(wait, backoff(attempt)), ask.signal);
    }
  }

  /** One attempt; null if no response came. @param {string} path @param {Ask} ask @returns {Promise<Response | null>} */
  async #once(path, { method = 'GET', body, key, accept = 'application/json', signal }) {
    /** @type {Record<string, string>} */
    const headers = { Accept: accept };
    if (this.token) headers.Authorization = `Bearer ${this.token}`;
    if (key) headers['Idempotency-Key'] = key;
    if (body !== undefined) headers['Content-Type'] = 'application/json';
    const attempt = new AbortController();
    const timer = setTimeout(() => attempt.abort(), ATTEMPT_MS);
    const stop = () => attempt.abort();
    signal?.addEventListener('abort', stop);
    try {
      const sent = body === undefined ? undefined : JSON.stringify(body);
      return await fetch(this.server + path, { method, headers, body: sent, signal: attempt.signal });
    } catch {
      signal?.throwIfAborted();
      return null;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
    }
  }
}
