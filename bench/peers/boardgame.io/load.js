// Plays Kalah at TABLES tables of a boardgame.io for SECONDS: `load.js PORT LOBBY_PORT TABLES SECONDS MATCHES`. Both
// players of a table are connected, and its next move is made when both have received the last one. Every table has
// MATCHES before the measurement, and creates more only when they are finished. Prints the latency of every move in
// microseconds.

const { io } = require("socket.io-client");
const { legal } = require("./kalah");

const [port, lobbyPort, tables, seconds, matches] = process.argv.slice(2).map(Number);
const times = [];
const started = { at: Infinity };
let stopped = false;

const post = async (path, body) => {
  const answer = await fetch(`http://127.0.0.1:${lobbyPort}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${path} answers ${answer.status}`);
  return answer.json();
};

const connect = () =>
  new Promise((resolve, reject) => {
    const socket = io(`http://127.0.0.1:${port}/kalah`, { transports: ["websocket"], forceNew: true });
    socket.on("connect", () => resolve(socket));
    socket.on("connect_error", reject);
  });

/** A new match with its players' credentials. */
const match = async () => {
  const { matchID } = await post("/games/kalah/create", { numPlayers: 2 });
  const credentials = [];
  for (const playerID of ["0", "1"]) {
    const joined = await post(`/games/kalah/${matchID}/join`, { playerID, playerName: `Player ${playerID}` });
    credentials.push(joined.playerCredentials);
  }
  return { matchID, credentials };
};

/** One match after the other on the same two sockets. */
const table = async (sockets, prepared) => {
  let received;
  sockets.forEach((socket, seat) => {
    socket.on("sync", (_, { state }) => received?.(seat, state));
    socket.on("update", (_, state) => received?.(seat, state));
  });
  // Resolves with the state when both players have seen this version of it.
  const bothTold = (version) =>
    new Promise((resolve) => {
      const seen = new Set();
      received = (seat, state) => {
        if (state._stateID >= version) seen.add(seat);
        if (seen.size === 2) resolve(state);
      };
    });
  while (!stopped) {
    const { matchID, credentials } = prepared.pop() ?? (await match());
    const synced = bothTold(0);
    sockets.forEach((socket, seat) => socket.emit("sync", matchID, String(seat), credentials[seat], 2));
    let state = await synced;
    while (!stopped && state.ctx.gameover === undefined) {
      const playerID = state.ctx.currentPlayer;
      const choices = legal(state.G.board, Number(playerID));
      const pocket = choices[Math.floor(Math.random() * choices.length)];
      const payload = { type: "sow", args: [pocket], playerID, credentials: credentials[Number(playerID)] };
      const sent = performance.now();
      const next = bothTold(state._stateID + 1);
      sockets[Number(playerID)].emit("update", { type: "MAKE_MOVE", payload }, state._stateID, matchID, playerID);
      state = await next;
      const now = performance.now();
      if (now >= started.at && !stopped) times.push(now - sent);
    }
  }
};

(async () => {
  const sockets = [];
  for (let n = 0; n < tables; n++) sockets.push([await connect(), await connect()]);
  const prepare = async () => {
    const prepared = [];
    while (prepared.length < matches) prepared.push(await match());
    return prepared;
  };
  const prepared = await Promise.all(sockets.map(prepare));
  sockets.forEach((pair, n) =>
    table(pair, prepared[n]).catch((error) => {
      console.error(String(error));
      process.exit(1);
    }),
  );
  const warmUp = (1000 * seconds) / 4;
  setTimeout(() => (started.at = performance.now()), warmUp);
  setTimeout(() => {
    stopped = true;
    const micros = JSON.stringify(times.map((time) => Math.round(time * 1000)));
    process.stdout.write(micros, () => process.exit(0));
  }, warmUp + 1000 * seconds);
})();
