// A person at a table: makes decisions by touching what is lit, or by the buttons below the picture.
import assert from 'node:assert/strict';
import { overflow } from './browser.mjs';

/** The kinds, with options that keep their games short. Bots of level 1 take the other seats. */
export const GAMES = {
  KALAH: { seats: 2 },
  MAHABHARATA: { seats: 2 },
  MAHOLA: { options: { mahola: { roundsToWin: 2 } }, seats: 3 },
  MACARENA: { options: { macarena: { maxHands: 1 } }, seats: 2 },
  MARA: { options: { mara: { quietTurnsPerSeat: 10 } }, seats: 2 },
  'MARA, family': { kind: 'MARA', options: { mara: { quietTurnsPerSeat: 10, variant: 'FAMILY' } }, seats: 2 },
};

/** Calls the REST API. */
export async function call(url, path, { token, body } = {}) {
  const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) };
  const response = await fetch(url + path, { method: body ? 'POST' : 'GET', headers, body: JSON.stringify(body) });
  const answer = await response.json();
  if (!response.ok) throw new Error(`${path}: ${JSON.stringify(answer)}`);
  return answer;
}

export async function guest(url, name) {
  const { player, token } = await call(url, '/v1/players', { body: { name } });
  return { id: player.id, name, token: token.token };
}

/** A game of one person and bots. */
export async function open(url, name, person, more = {}) {
  const { kind = name, options, seats } = GAMES[name];
  const bots = Array.from({ length: seats - 1 }, () => ({ bot: { level: 1 } }));
  return call(url, '/v1/games', { token: person.token, body: { kind, options, seats: [{ me: true }, ...bots], ...more } });
}

/** Opens the page of a game as this person. */
export async function sit(page, url, game, person) {
  await page.addInitScript((people) => localStorage.setItem('maidan.people', people), JSON.stringify([person]));
  await page.goto(`${url}/play/${game}`);
}

/** The table as a person sees it. It is ready when a choice is offered or the game is over. */
export const seen = (page) =>
  page.evaluate(() => {
    const root = document.querySelector('maidan-table')?.shadowRoot;
    const table = root?.querySelector('#table');
    // Without its style it is not shown yet.
    if (!table || getComputedStyle(table).visibility === 'hidden') return { status: 'LOADING', lit: [], buttons: [] };
    const lit = [...root.querySelectorAll('#picture [data-lit]')].map(({ dataset }) => `${dataset.type} ${dataset.token}`);
    const buttons = [...root.querySelectorAll('#choices button:not(:disabled)')].map((one) => one.id || one.dataset.token);
    const { status } = table.dataset;
    const chosen = root.querySelector('#chosen').textContent;
    const isOpen = !root.querySelector('#compose').hidden;
    const turn = root.querySelector('#turn').textContent;
    const refusal = root.querySelector('#refusal').textContent;
    const isReady = status === 'OVER' || (isOpen && lit.length + buttons.filter((id) => id !== 'take-back').length > 0);
    return { status, turn, lit, buttons, chosen, refusal, isOpen, isReady, decision: `${document.querySelector('maidan-table').game?.myDecision}` };
  });

/** Waits until something holds of what is seen. */
export async function until(page, what, holds) {
  const deadline = Date.now() + 60_000;
  for (;;) {
    const state = await seen(page);
    if (holds(state)) return state;
    if (Date.now() > deadline) throw new Error(`${what}: ${JSON.stringify(state)}`);
    await page.waitForTimeout(15);
  }
}

const ready = (page) => until(page, 'nothing can be chosen', ({ isReady }) => isReady);

/** Touches what is lit, with the mouse or a finger. */
async function touchPicture(page, index, isPhone) {
  const place = await page.evaluate((index) => {
    const root = document.querySelector('maidan-table').shadowRoot;
    const element = root.querySelectorAll('#picture [data-lit]')[index];
    if (!element) return null;
    element.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
    const { left, top, width, height } = element.getBoundingClientRect();
    return { x: left + width / 2, y: top + height / 2 };
  }, index);
  if (!place) return;
  await (isPhone ? page.touchscreen.tap(place.x, place.y) : page.mouse.click(place.x, place.y));
}

/** A person who chooses at random, but always alike. */
export function chooser(seed) {
  let state = seed;
  const below = (most) => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return Math.floor((state / 2147483648) * most);
  };
  return { below, pick: (list) => list[below(list.length)] };
}

/** One choice at the table. Returns the ways of choosing that were offered. */
export async function choose(page, state, dice, isPhone) {
  const others = state.buttons.filter((id) => id !== 'take-back');
  const canSend = others.includes('send');
  const sends = canSend && (state.lit.length + others.length === 1 || dice.below(3) > 0);
  if (sends) return page.locator('maidan-table #send').click({ timeout: 2000 }).catch(() => null);
  const rest = others.filter((id) => id !== 'send');
  const at = dice.below(state.lit.length + rest.length);
  if (at < state.lit.length) return touchPicture(page, at, isPhone);
  // The picture may have come in the meantime: then it is lit there, and no longer a button.
  const button = page.locator(`maidan-table #choices button[data-token="${rest[at - state.lit.length]}"]`);
  await button.click({ timeout: 2000 }).catch(() => null);
}

/**
 * Plays until the game is over, or so many decisions were made. Returns how many were, how many choices were made on the
 * picture, and whether the game is over.
 */
export async function play(page, { dice, isPhone = false, most = Infinity }) {
  let [decisions, onPicture, choices] = [0, 0, 0];
  let last = null;
  for (;;) {
    const state = await ready(page);
    const isNext = last !== null && state.decision !== last;
    if (isNext || state.status === 'OVER') decisions += 1;
    const isOver = state.status === 'OVER';
    if (isOver || decisions >= most) return { decisions, onPicture, isOver };
    choices = isNext ? 0 : choices + 1;
    last = state.decision;
    assert.ok(choices < 80, `a decision does not end: ${JSON.stringify(state)}`);
    if (isPhone) assert.equal(await overflow(page), 0, 'a page as wide as the phone');
    if (state.lit.length) onPicture += 1;
    const before = JSON.stringify(state);
    await choose(page, state, dice, isPhone);
    // A touch may miss if the picture moved in the meantime; then the choice is made again.
    const patience = Date.now() + 1500;
    await until(page, '', (one) => JSON.stringify(one) !== before || Date.now() > patience);
  }
}

/** The result is explained, and the record proves itself. */
export async function theEnd(page) {
  const table = page.locator('maidan-table');
  await table.locator('#places tbody tr').first().waitFor();
  await table.locator('#prove').click();
  await table.locator('#proof [data-finding]').first().waitFor();
  assert.equal(await table.locator('#proof [data-true="false"]').count(), 0);
  assert.ok((await table.locator('#proof [data-true="true"]').count()) >= 3);
}
