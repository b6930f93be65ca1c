// boardgame.io with our Kalah: `server.js PORT LOBBY_PORT [postgres://…]`. Without a database it keeps games in memory.

const { Server, Origins } = require("boardgame.io/server");
const { Kalah } = require("./kalah");

const [port, apiPort, url] = process.argv.slice(2);
const db = url && new (require("bgio-postgres").PostgresStore)(url, { logging: false });
const server = Server({ games: [Kalah], origins: [Origins.LOCALHOST], ...(db && { db }) });
// The lobby on a port of its own: on the same one it is not found with the web server's present packages.
server.run({ port: Number(port), lobbyConfig: { apiPort: Number(apiPort) } }, () => console.log("ready"));
