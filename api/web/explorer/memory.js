// Values from earlier responses, to fill into later examples. Kept until the page is closed.

/** @typedef {{ id: string, name: string, token: string }} Guest */
/** @typedef {{ seat: number, player?: { id: string } | null }} Sitting */
/** @typedef {{ id: string, kind?: string, toAct?: number[], seats?: Sitting[] }} Game the last one, with the fields that were selected */
/** @typedef {{ notation: string, text?: string }} Move */
/** @typedef {{ kind: string, leastSeats: number }} Book */

export const memory = {
  /** In the order of registering. @type {Guest[]} */
  guests: [],
  /** @type {Game | null} */
  game: null,
  /** The last legal moves. @type {Move[]} */
  moves: [],
  /** The last move. @type {{ notation: string, token: string } | null} */
  played: null,
  /** @type {Book[]} */
  books: [],
  /** Called when a guest was registered. */
  onguest: () => {},
};

/** The first kind for two players, for examples with two guests. */
export const exampleBook = () => memory.books.find((book) => book.leastSeats <= 2) ?? memory.books[0];

/** @param {any} value @returns {value is Game} */
const isGame = (value) => typeof value?.id === 'string' && value.id.startsWith('game_');

/** Stores the guests, the game and its moves from a response. Lists are ignored: they also have other games.
 * @param {Record<string, any> | null | undefined} data @param {Record<string, any>} variables @param {string} token */
export function remember(data, variables, token) {
  for (const value of Object.values(data ?? {})) {
    if (value?.player?.id && value.token?.token) rememberGuest(value);
    const game = isGame(value) ? value : value?.game;
    if (isGame(game)) rememberGame(game);
  }
  if (data?.playMove && variables.input?.notation) memory.played = { notation: variables.input.notation, token };
}

/** @param {{ player: { id: string, name?: string }, token: { token: string } }} registered */
function rememberGuest({ player, token }) {
  memory.guests.push({ id: player.id, name: player.name ?? player.id, token: token.token });
  memory.onguest();
}

/** @param {Game & { legalMoves?: { items?: Move[] } }} game */
function rememberGame(game) {
  const isSame = memory.game?.id === game.id;
  memory.game = isSame ? { ...memory.game, ...game } : game;
  if (!isSame) memory.played = null;
  if (!isSame || game.legalMoves) memory.moves = game.legalMoves?.items ?? [];
}

/** The guest who opens games. */
export const opener = () => memory.guests.at(-2) ?? memory.guests.at(-1);
/** The guest who joins them. */
export const joiner = () => memory.guests.at(-1);

/** The guest whom the game waits for. */
export function actor() {
  const { toAct, seats } = memory.game ?? {};
  const sitting = seats?.find(({ seat }) => toAct?.includes(seat))?.player?.id;
  return memory.guests.find(({ id }) => id === sitting) ?? opener();
}

/** The guest who made the last move. */
export const mover = () => memory.guests.find(({ token }) => token === memory.played?.token);

/** A known value for an argument of this name. @param {string} name @param {string} answerType
 * @returns {string | undefined} */
export function knownValue(name, answerType) {
  const guest = memory.guests.at(-1);
  /** @type {Record<string, string | undefined>} */
  const ids = { Player: guest?.id, Rulebook: exampleBook()?.kind };
  /** @type {Record<string, string | undefined>} */
  const known = {
    id: ids[answerType] ?? memory.game?.id,
    gameId: memory.game?.id,
    playerId: guest?.id,
    kind: exampleBook()?.kind,
    notation: memory.moves[0]?.notation,
    name: answerType === 'RegisterPlayerPayload' ? 'Ada' : undefined,
  };
  return known[name];
}
