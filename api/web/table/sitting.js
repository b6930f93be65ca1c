// Sitting down: at a friend's game, at the rematch, at a branch. Each returns the id of the game.

/** @typedef {import('../lib/api.js').Game} Game */
/** @typedef {import('../lib/api.js').Api} Api */
/** @typedef {import('../lib/session.js').Session} Session */
/** @typedef {import('../lib/session.js').Person} Person */

/** How long the bots of a practice game wait before they move. */
const PAUSE_MS = 700;

/** @param {Session} session @param {string} id @param {string} name @param {string | null} code */
export async function join(session, id, name, code) {
  const person = await session.iAm(name);
  const api = session.api.as(person.token);
  /** @type {Game} */
  const game = code ? await session.send(api, '/v1/join', { code }) : await session.send(api, `/v1/games/${id}/join`, {});
  session.sit(game.id, [person]);
  return { id: game.id, person };
}

/** Everybody of this screen asks: the first opens the rematch, the others join.
 * @param {Session} session @param {Game} game @param {Api[]} seated @param {Person[]} people */
export async function rematch(session, game, seated, people) {
  let id = '';
  for (const api of seated) {
    /** @type {Game} */
    const opened = await session.send(api, `/v1/games/${game.id}/rematch`);
    id = opened.id;
  }
  if (people.every((person) => person.id)) session.sit(id, people);
  return id;
}

/** A practice game from a ply; bots play the other seats.
 * @param {Session} session @param {Game} game @param {number} ply @param {number} mine the seat to take
 * @param {Person} person */
export async function branch(session, game, ply, mine, person) {
  const seats = game.seats.map(({ seat, bot }) => (seat === mine ? { me: true } : { bot: { level: bot?.level ?? 2 } }));
  const body = { ply: Math.min(ply, game.ply - 1), seats, bots: { pauseMs: PAUSE_MS } };
  /** @type {Game} */
  const opened = await session.send(session.api.as(person.token), `/v1/games/${game.id}/branch`, body);
  if (person.id) session.sit(opened.id, [person]);
  return opened.id;
}
