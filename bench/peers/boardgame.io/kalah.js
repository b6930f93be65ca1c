// Kalah for boardgame.io: six pockets, four seeds, the rules of domain/src/games/kalah.rs.

const POCKETS = 6;
const STORES = [POCKETS, 2 * POCKETS + 1];
const PLACES = 2 * (POCKETS + 1);

const place = (seat, pocket) => seat * (POCKETS + 1) + pocket;
const row = (board, seat) => board.slice(place(seat, 0), STORES[seat]);
const isEmpty = (board, seat) => row(board, seat).every((seeds) => seeds === 0);

/** The pockets that a seat may sow. */
const legal = (board, seat) => [...Array(POCKETS).keys()].filter((pocket) => board[place(seat, pocket)] > 0);

const Kalah = {
  name: "kalah",
  minPlayers: 2,
  maxPlayers: 2,
  setup: () => ({ board: Array.from({ length: PLACES }, (_, n) => (STORES.includes(n) ? 0 : 4)) }),
  moves: {
    sow: ({ G, playerID, events }, pocket) => {
      const [seat, other] = playerID === "0" ? [0, 1] : [1, 0];
      const { board } = G;
      if (!legal(board, seat).includes(pocket)) return "INVALID_MOVE";
      let last = place(seat, pocket);
      const seeds = board[last];
      board[last] = 0;
      for (let n = 0; n < seeds; n++) {
        last = (last + 1) % PLACES;
        if (last === STORES[other]) last = (last + 1) % PLACES;
        board[last] += 1;
      }
      if (last !== STORES[seat]) {
        const opposite = 2 * POCKETS - last;
        if (last >= place(seat, 0) && last < STORES[seat] && board[last] === 1 && board[opposite] > 0) {
          board[STORES[seat]] += board[opposite] + 1;
          board[opposite] = board[last] = 0;
        }
        events.endTurn();
      }
    },
  },
  endIf: ({ G }) => {
    if (!isEmpty(G.board, 0) && !isEmpty(G.board, 1)) return undefined;
    const [zero, one] = STORES.map((store) => G.board[store]);
    return zero === one ? { draw: true } : { winner: zero > one ? "0" : "1" };
  },
};

module.exports = { Kalah, legal };
