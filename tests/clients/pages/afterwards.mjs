// Beside a game and after it, on plain HTTP in a local network, where a browser offers less: the list of moves, taking back,
// refusals and their rules, replay, another seat's eyes, the record and its proof, a branch and a rematch.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { INSECURE, story } from './browser.mjs';
import { call, choose, chooser, theEnd, until } from './table.mjs';

const [local] = process.argv.slice(2);
const url = local.replace('127.0.0.1', INSECURE);

// Whoever touches what is not lit is told why; if no rule says so, the notation cannot be read.
const expected = [/status of 400 .*\/explain$/];
await story(async (visit) => {
  const page = await visit();
  const table = page.locator('maidan-table');
  const ready = () => until(page, 'nothing can be chosen', ({ isReady }) => isReady);
  const changed = async (act) => {
    const before = JSON.stringify(await ready());
    await act();
    return until(page, 'something happens', (one) => JSON.stringify(one) !== before);
  };
  await page.goto(url);
  assert.deepEqual(await page.evaluate(() => [isSecureContext, typeof crypto.subtle, typeof crypto.randomUUID]), [false, 'undefined', 'undefined']);
  await page.click('#kind-MACARENA');
  await page.click('#start');
  const start = await ready();
  const idOf = () => page.url().match(/game_[a-z0-9]+/)[0];
  const game = idOf();
  const { token } = await page.evaluate(() => JSON.parse(localStorage.getItem('maidan.people'))[0]);
  const read = (id = game) => call(local, `/v1/games/${id}`, { token });

  // A series is a well and cards: it can be taken back before it is sent.
  const dice = chooser(2);
  assert.ok(start.lit.length, 'wells are lit');
  await changed(() => choose(page, { ...start, buttons: [] }, dice));
  const chosen = await ready();
  assert.notEqual(chosen.chosen, '');
  await table.locator('#take-back').click();
  const back = await until(page, 'it is taken back', ({ chosen, isReady }) => isReady && chosen === '');
  assert.deepEqual(back.lit, start.lit);

  // What is not lit says which rule forbids it, and the rule is beside the table.
  const unlit = await table.locator('#picture [data-token]:not([data-lit])').all();
  const link = table.locator('#refusal a.rule');
  for (const element of unlit) {
    if (await link.count()) break;
    await element.evaluate((one) => one.dispatchEvent(new MouseEvent('click', { bubbles: true, composed: true, clientX: -100, clientY: -100 })));
    await page.waitForLoadState('networkidle');
  }
  const rule = await link.textContent();
  await link.click();
  assert.equal(await table.locator('#panel-rules dt.marked').textContent(), rule);

  // The list has the same moves, and a tap plays one.
  const { ply } = await read();
  await table.locator('#tab-moves').click();
  await table.locator('#moves button[data-notation]').first().click();
  await page.waitForFunction((ply) => document.querySelector('maidan-table').game.ply > ply, ply);
  for (let choices = 0; choices < 6; choices += 1) {
    const state = await ready();
    if (state.status === 'OVER') break;
    await changed(() => choose(page, state, dice));
  }

  // The end is explained, and the record proves itself: the page computes its own hashes.
  await table.locator('#tab-game').click();
  await table.locator('#resign').click();
  await table.locator('#resign:has-text("Really resign?")').click();
  await until(page, 'the game is over', ({ status }) => status === 'OVER');
  await theEnd(page);
  assert.match(await table.locator('.ending').textContent(), /resigned/);
  const download = page.waitForEvent('download');
  await table.locator('#record').click();
  const record = JSON.parse(readFileSync(await (await download).path(), 'utf8'));
  assert.deepEqual([record.kind, record.gameId], ['MACARENA', game]);
  await table.locator('#share').click();
  await table.locator('#share:has-text("Copied")').waitFor();

  // Back through the game by button, slider and keys, and with another seat's eyes.
  const last = (await read()).ply;
  const shown = async () => [await table.locator('#ply').inputValue(), await table.locator('#caption').textContent()];
  await table.locator('#branch:has-text("Look back")').click();
  assert.deepEqual((await shown())[0], String(last - 1));
  await page.keyboard.press('ArrowLeft');
  const [at, caption] = await shown();
  assert.equal(at, String(last - 2));
  assert.match(caption, new RegExp(`^Move ${last - 2}: .`));
  await table.locator('#ply').fill('1');
  assert.equal((await shown())[0], '1');
  await page.keyboard.press('Home');
  assert.equal((await shown())[0], '0');
  await page.keyboard.press('ArrowRight');
  assert.equal((await shown())[0], '1');
  const drawn = () => table.locator('#picture svg').evaluate((svg) => svg.outerHTML);
  const pictures = new Set();
  for (const eyes of ['', '0', '1']) {
    const before = await drawn();
    const arrival = page.waitForResponse((response) => response.url().includes('/picture.svg'));
    await table.locator('#eyes').selectOption(eyes);
    if (eyes !== '') {
      await arrival;
      await page.waitForFunction((before) => document.querySelector('maidan-table').shadowRoot.querySelector('#picture svg').outerHTML !== before, before);
    }
    pictures.add(await drawn());
  }
  assert.equal(pictures.size, 3, 'everything open, and each seat');

  // A branch is another game, and so is the rematch.
  await table.locator('#branch:has-text("Play on from here")').click();
  await page.waitForURL((to) => to.pathname.includes('/play/') && !to.pathname.includes(game));
  await ready();
  const branch = await read(idOf());
  assert.deepEqual([branch.origin?.gameId, branch.status], [game, 'RUNNING']);
  await page.goBack();
  await table.locator('#rematch').click();
  await page.waitForURL((to) => ![game, branch.id].some((id) => to.pathname.includes(id)));
  await until(page, 'the rematch is on', ({ status }) => status === 'RUNNING');
  assert.equal((await read(idOf())).rematchOf, game);
}, { expected });
console.log('all of it works');
