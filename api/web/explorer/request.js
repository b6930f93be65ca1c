// GraphQL over HTTP and over a WebSocket, as the explorer shows it: with status, headers and errors.

/** @typedef {Record<string, unknown>} JsonObject */
/** @typedef {{ data?: JsonObject | null, errors?: GraphqlError[] }} Answer */
/** @typedef {{ message: string, extensions?: { code?: string, rule?: string } }} GraphqlError */
/** @typedef {{ code: string, message: string, rule?: string | null }} Refusal */

/** An error with a code. */
export class Refused extends Error {
  /** @param {string} code @param {string} message */
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

/**
 * Runs a query. Returns status and body, also of errors.
 * @param {string} query @param {JsonObject} [variables] @param {Record<string, string>} [headers]
 * @returns {Promise<{ response: Response, size: number, answer: Answer }>}
 */
export async function graphql(query, variables, headers = {}) {
  const accept = 'application/graphql-response+json, application/json;q=0.9';
  const all = { Accept: accept, 'Content-Type': 'application/json', ...headers };
  /** @type {Response} */
  let response;
  try {
    response = await fetch('/graphql', { method: 'POST', headers: all, body: JSON.stringify({ query, variables }) });
  } catch (error) {
    // A network failure, or a token with characters that no header can carry.
    throw new Refused('NOT_SENT', `The request could not be sent: ${/** @type {Error} */ (error).message}`);
  }
  const text = await response.text();
  try {
    return { response, size: new Blob([text]).size, answer: JSON.parse(text) };
  } catch {
    throw new Refused(`HTTP ${response.status}`, text || response.statusText);
  }
}

/** @param {GraphqlError[]} errors @returns {Refusal[]} */
export const refusals = (errors) =>
  errors.map(({ message, extensions }) => ({ message, code: extensions?.code ?? 'ERROR', rule: extensions?.rule }));

function socketAddress() {
  const address = new URL('/graphql', location.href);
  address.protocol = address.protocol.replace('http', 'ws');
  return address;
}

/**
 * @typedef {object} Reports
 * @property {() => void} begin
 * @property {(answer: Answer) => void} next
 * @property {(errors: GraphqlError[]) => void} error
 * @property {(state: string) => void} end
 */

/**
 * Subscribes by graphql-transport-ws, on a socket of its own. Browsers cannot send headers with a WebSocket, so they go
 * into its first message. Returns a function that unsubscribes; nothing is reported after that.
 * @param {string} query @param {JsonObject} variables @param {Record<string, string>} headers @param {Reports} reports
 */
export function subscribe(query, variables, headers, { begin, next, error, end }) {
  const socket = new WebSocket(socketAddress(), 'graphql-transport-ws');
  /** @param {JsonObject} message */
  const say = (message) => socket.send(JSON.stringify(message));
  const finish = () => {
    Object.assign(socket, { onmessage: null, onclose: null });
    socket.close();
  };
  /** @type {Record<string, (payload: any) => void>} */
  const answers = {
    connection_ack: () => {
      begin();
      say({ type: 'subscribe', id: '1', payload: { query, variables } });
    },
    ping: () => say({ type: 'pong' }),
    next,
    error: (payload) => {
      finish();
      error(payload);
    },
    complete: () => {
      finish();
      end('Complete');
    },
  };
  socket.onopen = () => say({ type: 'connection_init', payload: headers });
  socket.onmessage = ({ data }) => {
    const message = JSON.parse(data);
    answers[message.type]?.(message.payload);
  };
  socket.onclose = ({ code, reason }) => {
    finish();
    end(`Closed: ${code} ${reason}`.trim());
  };
  return finish;
}

/** Whether a document is a subscription, by its text outside of all braces. @param {string} query */
export function isSubscription(query) {
  const bare = query.replace(/"""[^]*?"""|"(?:[^"\\\n]|\\.)*"|#.*/g, '');
  let depth = 0;
  let outside = '';
  for (const character of bare) {
    if (character === '{') depth += 1;
    if (depth === 0) outside += character;
    if (character === '}') depth -= 1;
  }
  return /\bsubscription\b/.test(outside);
}
