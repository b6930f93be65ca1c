// The GraphQL explorer plays a game by its examples, follows it, sends headers, and shows the schema.
import assert from 'node:assert/strict';
import { PHONE, overflow, story } from './browser.mjs';

const [url, key, player] = process.argv.slice(2);

// The status of a refused query is an error on the console.
await story(async (visit) => {
  const page = await visit();
  await page.goto(`${url}/explorer`);
  const shows = (id, text) =>
    page.waitForFunction(([id, text]) => document.getElementById(id).textContent.includes(text), [id, text]);
  const example = (title) => page.click(`#examples button:has-text("${title}")`);
  const run = async (title) => {
    await example(title);
    await shows('answer-status', 'Ready to run.');
    await page.click('#run');
    await shows('answer-status', '200 OK');
    assert.equal(await page.textContent('#answer-trouble'), '', title);
    return JSON.parse(await page.textContent('#answer')).data;
  };

  await example('Join the game');
  await shows('answer-status', 'Run “Register another” first');
  assert.ok((await run('List the kinds')).kinds.length >= 5);
  await run('Register a guest');
  await run('Register another');
  await run('Open a game');
  const { joinGame } = await run('Join the game');
  assert.equal(joinGame.game.status, 'RUNNING');
  assert.ok((await run('View the game')).game.legalMoves.items.length > 0);

  await example('Follow the game');
  await page.click('#run');
  await shows('answer-status', 'Subscribed · 1 message');
  await page.click('#run');
  await shows('answer-status', 'stopped');
  await run('Play a move');
  assert.equal((await run('Explain an illegal move')).game.explain.legal, false);
  assert.ok((await run('Read the log')).game.log.nodes.length > 3);
  await run('Resign');
  assert.equal(await page.locator('#examples .done').count(), 11);

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
  await page.click('#run');

  await page.fill('#schema-search', 'pocket');
  await page.click('#schema-types a:has-text("KalahMove")');
  await shows('schema-type', 'pocket');
  await page.goBack();
  await page.click('#schema-type button.insert:has-text("kindPicture")');
  await page.fill('#headers', '');
  await page.fill('#token', '');
  await page.click('#run');
  await shows('answer', '<svg');

  const phone = await visit(PHONE);
  for (const path of ['/explorer/', '/start/']) {
    await phone.goto(url + path);
    await phone.waitForFunction(() => document.querySelectorAll('#schema-types li, .copy').length > 3);
    assert.equal(await overflow(phone), 0, path);
  }
  assert.ok((await phone.textContent('.steps')).includes(`${url}/v1/games`));
});
console.log('all of it works');
