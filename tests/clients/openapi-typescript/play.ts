import type { components, operations } from "./maidan.js";

type Schemas = components["schemas"];
type Body<Name extends keyof operations> =
    operations[Name] extends { requestBody?: { content: { "application/json": infer Body } } } ? Body : undefined;
type Ok<Name extends keyof operations> =
    operations[Name]["responses"] extends { 200: { content: { "application/json": infer Answer } } } ? Answer
    : operations[Name]["responses"] extends { 201: { content: { "application/json": infer Answer } } } ? Answer
    : never;

const address = process.argv[2];

async function call<Name extends keyof operations>(
    _name: Name, method: "GET" | "POST", path: string, token: string | null, body?: Body<Name>,
): Promise<Ok<Name>> {
    const headers: Record<string, string> = { "Content-Type": "application/json" };
    if (token !== null) headers["Authorization"] = `Bearer ${token}`;
    const init = body === undefined ? { method, headers } : { method, headers, body: JSON.stringify(body) };
    const response = await fetch(address + path, init);
    if (!response.ok) {
        const problem = await response.json() as Schemas["Problem"];
        const known: Schemas["ErrorCode"] = problem.code;
        throw new Error(`${known}: ${problem.detail}`);
    }
    return await response.json() as Ok<Name>;
}

async function register(name: string): Promise<string> {
    const registered = await call("registerPlayer", "POST", "/v1/players", null, { name });
    if (registered.token === null || registered.token.token === null) throw new Error("a guest gets a token");
    return registered.token.token;
}

/** The seeds in the stores: the discriminator leads to the view of the kind. */
function stores(view: Schemas["View"]): number[] {
    switch (view.type) {
        case "KalahView": return view.stores;
        case "MahabharataView": case "MaholaView": case "MacarenaView": case "MaraView": return [];
    }
}

function sown(events: Schemas["Event"][]): number {
    let seeds = 0;
    for (const event of events) if (event.type === "KalahSowed") seeds += event.seeds;
    return seeds;
}

const tokens = [await register("Asha"), await register("Ben")] as const;
const ask: Schemas["CreateGame"] = { kind: "KALAH", options: { kalah: { pockets: 6, seedsPerPocket: 4 } } };
let game: Schemas["Game"] = await call("createGame", "POST", "/v1/games", tokens[0], ask);
const path = `/v1/games/${game.id}`;
game = await call("joinGame", "POST", `${path}/join`, tokens[1], {});
let seeds = 0;
for (let ply = 0; game.status === "RUNNING"; ply++) {
    if (ply > 500) throw new Error("the game does not end");
    const token = tokens[game.toAct[0] === 0 ? 0 : 1];
    const moves = await call("legalMoves", "GET", `${path}/legal-moves`, token);
    const chosen = moves.items[ply % moves.items.length];
    if (chosen?.move.kalah === undefined) throw new Error("a move of Kalah names a pocket");
    const move: Body<"playMove"> = { move: { kalah: { pocket: chosen.move.kalah.pocket } }, expectedVersion: moves.version };
    const played = await call("playMove", "POST", `${path}/moves`, token, move);
    seeds += sown(played.events);
    game = played.game;
}
if (game.view === null || game.outcome === null) throw new Error("a finished game has an outcome");
if (game.outcome.details.type !== "KalahDetails") throw new Error("the outcome is of the kind");
const told = JSON.stringify([stores(game.view), game.outcome.details.stores, seeds > 48]);
console.log(game.status, told);
