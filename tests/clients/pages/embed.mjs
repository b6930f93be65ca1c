// The guide's page, on another origin, with a table inside: a whole game, its events, its colours.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { overflow, story } from './browser.mjs';
import { call, chooser, guest, open, play, seen, until } from './table.mjs';

const [url, port] = process.argv.slice(2);
const guide = readFileSync(new URL('../../../docs/embed.html', import.meta.url), 'utf8');
assert.ok(guide.includes('http://127.0.0.1:8080'), 'the guide names a server');
const server = createServer((request, response) => {
  response.setHeader('content-type', 'text/html; charset=utf-8');
  response.end(request.url === '/favicon.ico' ? '' : guide.replaceAll('http://127.0.0.1:8080', url));
});
await new Promise((listening) => server.listen(Number(port), '127.0.0.1', listening));

await story(async (visit) => {
  const person = await guest(url, 'Asha');
  const game = await open(url, 'KALAH', person);
  const page = await visit();
  await page.goto(`http://127.0.0.1:${port}/`);
  await page.fill('#game', game.id);
  await page.fill('#token', person.token);
  await page.click('#show');
  const state = await until(page, 'the table is playable', ({ isReady }) => isReady);
  assert.ok(state.lit.length, 'the picture is lit');
  await play(page, { dice: chooser(3) });
  await page.locator('#events li:has-text("over")').waitFor();
  assert.ok((await page.locator('#events li:has-text("move")').count()) > 2);
  assert.equal(await overflow(page), 0);
  const ground = await page.evaluate(() => getComputedStyle(document.querySelector('maidan-table').shadowRoot.querySelector('#table')).backgroundColor);
  assert.equal(ground, 'rgb(238, 243, 248)', 'the colour of the page around it');

  // A ticket shows what its player may see, and plays nothing.
  const next = await open(url, 'MACARENA', person);
  const { ticket } = await call(url, '/v1/me/stream-tickets', { token: person.token, body: {} });
  await page.evaluate(([id, ticket]) => {
    const table = document.querySelector('maidan-table');
    table.token = null;
    table.ticket = ticket;
    table.setAttribute('game', id);
  }, [next.id, ticket]);
  await page.waitForFunction((id) => document.querySelector('maidan-table').game?.id === id, next.id);
  await page.locator('maidan-table #picture svg:has-text("(you)")').waitFor();
  const { lit: none, isOpen } = await seen(page);
  assert.deepEqual([none, isOpen], [[], false]);
});
server.close();
server.closeAllConnections();
console.log('the game is over');
