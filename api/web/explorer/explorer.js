// The GraphQL explorer: runs what is in the editor and shows the response.

import { button, fill, make } from '../table/dom.js';
import { listen, load, read, setToken } from './editor.js';
import { listExamples, mark, marker } from './examples.js';
import { memory, remember } from './memory.js';
import { bringUp, byId, field, pretty, showJson, showRefusals, showTrouble } from './page.js';
import { graphql, isSubscription, refusals, subscribe } from './request.js';
import { skeleton } from './schema.js';
import { Types } from './types.js';

/** @typedef {{ query: string, variables: Record<string, any>, headers: Record<string, string>, token: string }} Asked */
/** @typedef {{ query: string, variables: Record<string, any>, status: string }} Past */

/** @type {Past[]} */
const pastQueries = [];
const HISTORY_LENGTH = 20;
const MESSAGES_SHOWN = 50;

const runButton = /** @type {HTMLButtonElement} */ (byId('run'));

/** Ends the subscription that runs, if there is one. @type {(() => void) | null} */
let unsubscribe = null;

function stop() {
  unsubscribe?.();
  unsubscribe = null;
  runButton.textContent = 'Run';
}

/** @param {string} text */
const say = (text) => (byId('answer-status').textContent = text);

async function run() {
  if (runButton.disabled) return;
  if (unsubscribe) {
    say(`${byId('answer-status').textContent} · stopped`);
    return stop();
  }
  runButton.disabled = true;
  showRefusals(byId('answer-trouble'), []);
  fill(byId('answer-token'));
  say('Running…');
  try {
    const asked = read();
    if (isSubscription(asked.query)) follow(asked);
    else await ask(asked);
  } catch (error) {
    fill(byId('answer'));
    say('No response.');
    showTrouble(byId('answer-trouble'), error);
  } finally {
    runButton.disabled = false;
  }
  // On a narrow screen the response is below the fields.
  const title = byId('answer-title');
  if (title.getBoundingClientRect().top > innerHeight * 0.8) bringUp(title);
}

/** @param {Asked} asked */
async function ask({ query, variables, headers, token }) {
  const isDone = marker();
  const began = performance.now();
  const { response, answer, size } = await graphql(query, variables, headers);
  const took = Math.round(performance.now() - began);
  const status = `${response.status} ${response.statusText} · ${took} ms · ${size} bytes`;
  say(status);
  showJson(byId('answer'), answer);
  showRefusals(byId('answer-trouble'), refusals(answer.errors ?? []));
  if (!answer.errors) isDone();
  offerToken(answer.data);
  remember(answer.data, variables, token);
  keep({ query, variables, status });
}

/** Runs a subscription, and shows its messages, the newest first, until it ends or is stopped. @param {Asked} asked */
function follow({ query, variables, headers, token }) {
  const isDone = marker();
  /** @type {unknown[]} */
  const messages = [];
  let count = 0;
  /** @param {string} state */
  const counted = (state) => `${state} · ${count} ${count === 1 ? 'message' : 'messages'}`;
  /** @param {string} state */
  const end = (state) => {
    stop();
    say(counted(state));
    keep({ query, variables, status: counted(state) });
  };
  fill(byId('answer'));
  runButton.textContent = 'Stop';
  say(counted('Connecting…'));
  unsubscribe = subscribe(query, variables, headers, {
    begin: () => say(counted('Subscribed')),
    next: (answer) => {
      count += 1;
      messages.unshift(answer);
      messages.length = Math.min(messages.length, MESSAGES_SHOWN);
      showJson(byId('answer'), messages);
      showRefusals(byId('answer-trouble'), refusals(answer.errors ?? []));
      remember(answer.data, variables, token);
      isDone();
      say(counted('Subscribed'));
    },
    error: (errors) => {
      end('Refused');
      showRefusals(byId('answer-trouble'), refusals(errors));
    },
    end,
  });
}

/** @param {Record<string, any> | null | undefined} data */
function offerToken(data) {
  const made = Object.values(data ?? {}).find((value) => value?.token?.token);
  if (!made) return;
  const offer = button(`Use ${made.player?.name ?? 'this player'}’s token`, () => {
    setToken(made.token.token);
    offer.textContent = 'Copied to the token field';
  });
  fill(byId('answer-token'), offer);
}

/** @param {Past} asked */
function keep(asked) {
  const isSame = (/** @type {Past} */ other) => other.query === asked.query && pretty(other.variables) === pretty(asked.variables);
  const before = pastQueries.findIndex(isSame);
  if (before >= 0) pastQueries.splice(before, 1);
  pastQueries.unshift(asked);
  pastQueries.length = Math.min(pastQueries.length, HISTORY_LENGTH);
  const recall = (/** @type {Past} */ past) => {
    load(past);
    mark(null);
    field('query').focus();
  };
  fill(byId('history'), ...pastQueries.map((past) => make('li', {}, button(titleOf(past), () => recall(past)), make('small', {}, past.status))));
  byId('history-empty').hidden = true;
}

/** The operation's name and variables, which distinguish queries better than their text. @param {Past} past */
function titleOf({ query, variables }) {
  const name = query.match(/\b(?:query|mutation|subscription)\s+(\w+)/)?.[1] ?? query.replace(/\s+/g, ' ').slice(0, 40);
  const values = Object.keys(variables).length ? ` ${JSON.stringify(variables)}` : '';
  return `${name}${values}`.slice(0, 90);
}

function showGuests() {
  fill(byId('guests'), ...memory.guests.slice(-6).map((guest) => button(`Act as ${guest.name}`, () => setToken(guest.token))));
}

async function readBooks() {
  const { answer } = await graphql('{ kinds { kind leastSeats } }');
  memory.books = /** @type {any} */ (answer.data)?.kinds ?? [];
}

const types = new Types((root, chosen) => {
  load(skeleton(root, chosen));
  mark(null);
  bringUp(byId('explorer'));
  field('query').focus({ preventScroll: true });
});

memory.onguest = showGuests;
listen(run);
runButton.addEventListener('click', run);
listExamples();
readBooks().catch((error) => showTrouble(byId('answer-trouble'), error));
types.open();
