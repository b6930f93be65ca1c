// boardgame.io with our Kalah: `server.js PORT LOBBY_PORT [postgres://…]`. Without a database it keeps games in memory.

const { Server, Origins } = require("boardgame.io/server");
const { Kalah } = require("./kalah");

const [port, apiPort, url] = process.argv.slice(2);
const db = url && new (require("bgio-postgres").PostgresStore)(url, { logging: false });
const server = Server({ games: [Kalah], origins: [Origins.LOCALHOST], ...(db && { db }) });
// The lobby has its own port: with the current packages of the web server it is not found on the same one.
server.run({ port: Number(port), lobbyConfig: { apiPort: Number(apiPort) } }, () => console.log("ready"));
