// Plays a random legal move in every game that waits for it, until you stop it.
const { MAIDAN_URL, MAIDAN_TOKEN } = process.env;

async function call(path, body, key) {
  const headers = { authorization: `Bearer ${MAIDAN_TOKEN}`, "content-type": "application/json" };
  if (key) headers["idempotency-key"] = key;
  const method = body ? "POST" : "GET";
  const response = await fetch(MAIDAN_URL + path, { method, headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(await response.text());
  return response.status === 200 ? response.json() : null;
}

for (;;) {
  try {
    const game = await call("/v1/me/next?wait=30"); // null: nothing waits
    if (!game) continue;
    const moves = game.legalMoves.items;
    const { notation } = moves[Math.floor(Math.random() * moves.length)];
    await call(`/v1/games/${game.id}/moves`, { notation, expectedVersion: game.version }, `${game.id}.${game.myDecision}`);
  } catch (error) { // a refusal, or the server is unreachable
    console.error(error.message);
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
}
