// Words for people, from the names that the API uses.

/** @typedef {import('../lib/api.js').Schemas} Schemas */
/** @typedef {Schemas['Game']} Game */

/** seedsPerPocket → Seeds per pocket; MOST_POINTS → Most points. @param {string} name */
export function inWords(name) {
  const words = /^[A-Z_\d]+$/.test(name) ? name.toLowerCase().replaceAll('_', ' ') : name.replace(/([a-z\d])([A-Z])/g, '$1 $2').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** @param {Game} game @param {number} seat */
export function nameOf(game, seat) {
  const at = game.seats[seat];
  if (at?.player) return at.player.name ? (at.player.isBot ? `Bot: ${at.player.name}` : at.player.name) : `Seat ${seat}`;
  if (at?.bot) {
    // Pictures name bots by their level; a number distinguishes bots of one level.
    const isOnly = game.seats.filter(({ bot }) => bot?.name === at.bot?.name).length === 1;
    return isOnly ? `Bot: ${at.bot.name}` : `Bot ${seat}: ${at.bot.name}`;
  }
  return `Seat ${seat}`;
}

/** @param {string[]} words */
export function list(words) {
  if (words.length < 2) return words.join('');
  return `${words.slice(0, -1).join(', ')} and ${words[words.length - 1]}`;
}

/** @param {Game} game @param {number[]} seats */
export const names = (game, seats) => list(seats.map((seat) => nameOf(game, seat)));

/** Sentences of the server count seats; at the table people have names. @param {Game} game @param {string} text */
export const withNames = (game, text) =>
  text.replace(/\b[Ss]eat (\d)\b/g, (words, seat) => (game.seats[Number(seat)] ? nameOf(game, Number(seat)) : words));

/** @param {number} count @param {string} noun */
export const counted = (count, noun) => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** 1 → 1st @param {number} rank */
export const ordinal = (rank) => `${rank}${{ 1: 'st', 2: 'nd', 3: 'rd' }[rank] ?? 'th'}`;
