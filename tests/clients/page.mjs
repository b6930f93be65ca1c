// The start page in Chromium: the log beside the table is that of the seat that looks, and the explorer follows a game
// and sends headers.
import assert from 'node:assert/strict';
import { chromium } from 'playwright-core';

const [url, userData, executablePath, key, player] = process.argv.slice(2);
const args = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
  '--disable-background-networking', '--disable-component-update', '--disable-sync'];
const browser = await chromium.launchPersistentContext(userData, { executablePath, args });
const page = await browser.newPage();
const failures = [];
page.on('console', (message) => message.type() === 'error' && failures.push(message.text()));
page.on('pageerror', (error) => failures.push(String(error)));
const shows = (id, text) =>
  page.waitForFunction(([id, text]) => document.getElementById(id).textContent.includes(text), [id, text]);
await page.goto(url);

// In Mahola every move is secret.
await page.selectOption('#table-kind', 'MAHOLA');
await page.click('#table-open');
for (let ply = 1; ply <= 6; ply += 1) {
  await shows('table-turn', `Move ${ply}:`);
  await page.click('#table-random');
}
await shows('table-turn', 'Move 7:');
for (const [seat, name] of ['Ada', 'Bo', 'Cleo'].entries()) {
  await page.click(`#table-people button:nth-child(${seat + 1})`);
  await shows('log-title', name);
  const moves = await page.$$eval('#table-log li', (lines) =>
    lines
      .filter((line) => line.textContent.includes('in secret'))
      .map((line) => [line.querySelector('strong').textContent, line.querySelector('code') !== null]),
  );
  assert.equal(moves.length, 6);
  for (const [mover, isShown] of moves) assert.equal(isShown, mover === name, `${name} looks at a move of ${mover}`);
}

await page.click('#table-explore');
await page.click('#examples button:has-text("Follow the game")');
await page.click('#run');
await shows('answer-status', 'Subscribed · 1 message');
await page.click('#table-random');
await shows('answer-status', 'Subscribed · 2 messages');
const [newest] = JSON.parse(await page.textContent('#answer'));
assert.equal(newest.data.gameChanged.entries[0].what, 'MOVED');
await page.click('#run');
await shows('answer-status', 'stopped');

await page.fill('#query', 'subscription { gameChanged(id: "game_0") { version } }');
await page.fill('#variables', '');
await page.click('#run');
await shows('answer-trouble', 'NOT_FOUND');

await page.fill('#token', key);
await page.fill('#headers', JSON.stringify({ 'Maidan-Act-As': player }));
await page.fill('#query', '{ me { player { id } } }');
await page.click('#run');
await shows('answer', player);
await page.fill('#query', 'subscription { inboxChanged { waiting } }');
await page.click('#run');
await shows('answer-status', 'Subscribed');
assert.deepEqual(failures, []);
await browser.close();
console.log('all of it works');
