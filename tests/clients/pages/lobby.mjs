// The first screen: two taps to a table, options, who sits where, codes, a game to watch; and what the browser adds to it.
import assert from 'node:assert/strict';
import { DESKTOP, PHONE, overflow, story } from './browser.mjs';
import { call, choose, chooser, until } from './table.mjs';

const [url] = process.argv.slice(2);
const table = (page) => page.locator('maidan-table');
const ready = (page) => until(page, 'nothing can be chosen', ({ isReady }) => isReady);
/** The game of a page, as the owner of the browser sees it. */
const gameOf = async (page) => {
  const { token } = await page.evaluate(() => JSON.parse(localStorage.getItem('maidan.people'))[0]);
  return call(url, `/v1/games/${page.url().match(/game_[a-z0-9]+/)[0]}`, { token });
};
/** One decision, and what follows it at the table. */
async function decide(page, dice, isPhone) {
  const { decision } = await ready(page);
  for (let choices = 0; choices < 40; choices += 1) {
    const state = await until(page, 'the decision goes on', (one) => one.isReady || one.decision !== decision);
    if (state.decision !== decision || state.status === 'OVER') return;
    const before = JSON.stringify(state);
    await choose(page, state, dice, isPhone);
    const patience = Date.now() + 5000;
    await until(page, '', (one) => JSON.stringify(one) !== before || Date.now() > patience);
  }
  assert.fail('a decision does not end');
}

// Ben may not see a private game before he sits down.
const expected = [/status of 404 .*\/v1\/games\/game_/];
await story(async (visit) => {
  // Two taps, then the first move.
  const phone = await visit(PHONE);
  await phone.goto(url);
  assert.equal(await phone.locator('.kinds .card').count(), 5);
  for (const image of await phone.locator('.kinds img').all()) {
    await image.scrollIntoViewIfNeeded();
    await image.evaluate((one) => one.decode());
  }
  await phone.locator('#kind-KALAH').tap();
  await phone.locator('#start').tap();
  const { lit } = await ready(phone);
  assert.ok(lit.length > 0 && lit.every((one) => one.startsWith('PLACE')), `pockets are lit: ${lit}`);
  assert.deepEqual((await gameOf(phone)).seats.map(({ bot, player }) => [Boolean(player), bot?.level ?? null]), [[true, null], [false, 2]]);
  assert.equal(await overflow(phone), 0);
  await phone.context().close();

  // The options of a kind, its variant first; an app in the browser; a permission to ask for.
  const asha = await visit();
  await asha.addInitScript(() => {
    window.rung = [];
    const state = { permission: 'default' };
    window.Notification = class {
      static get permission() { return state.permission; }
      static async requestPermission() { return (state.permission = 'granted'); }
      constructor(text, { body }) { window.rung.push(`${text} ${body}`); }
      close() {}
    };
    Object.defineProperty(document, 'hidden', { get: () => window.isAway ?? false });
  });
  await asha.goto(url);
  const browser = await asha.context().newCDPSession(asha);
  const { errors, data } = await browser.send('Page.getAppManifest');
  assert.deepEqual([errors, JSON.parse(data).display], [[], 'standalone']);
  const { installabilityErrors } = await browser.send('Page.getInstallabilityErrors');
  // A context of a test keeps nothing, as a private window.
  assert.deepEqual(installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== 'in-incognito'), []);
  await asha.click('#kind-MARA');
  await asha.selectOption('#option-variant', 'FAMILY');
  await asha.fill('#name', 'Asha');
  await asha.check('#public');
  await asha.click('#start');
  await ready(asha);
  assert.equal((await gameOf(asha)).options.mara.variant, 'FAMILY');
  assert.match(await asha.title(), /^● Your turn · The Mara/);
  await asha.click('#bell');
  await asha.locator('#bell').waitFor({ state: 'hidden' });
  await asha.evaluate(() => (window.isAway = true));
  const dice = chooser(11);
  const hasRung = () => asha.evaluate(() => window.rung);
  for (let decisions = 0; decisions < 20 && !(await hasRung()).length; decisions += 1) await decide(asha, dice);
  assert.equal((await hasRung())[0], 'Your turn The Mara');
  await asha.evaluate(() => (window.isAway = false));

  // Whoever has the link of a public game watches it live, and can do nothing.
  const watcher = await visit();
  await watcher.goto(asha.url());
  await table(watcher).locator('#picture svg').waitFor();
  const { ply } = await gameOf(asha);
  await decide(asha, dice);
  await watcher.waitForFunction((ply) => document.querySelector('maidan-table').game.ply > ply, ply);
  await table(watcher).locator('#log li').first().waitFor();
  assert.ok(!(await watcher.evaluate(() => document.querySelector('maidan-table').shadowRoot.querySelector('#picture').textContent)).includes('(you)'));
  await table(watcher).locator('#tab-game').click();
  assert.equal(await table(watcher).locator('#resign, #compose:not([hidden])').count(), 0);
  await watcher.context().close();

  // A code lets in as a link does; whoever sat down may leave, and the opener may cancel.
  await asha.goto(url);
  await asha.click('#kind-MAHOLA');
  await asha.click('#preset-friends');
  await asha.click('#start');
  const code = (await table(asha).locator('#copy-code').textContent()).split(' ').pop();
  const ben = await visit(PHONE);
  await ben.goto(url);
  await ben.fill('#code', code.toLowerCase());
  await ben.locator('.by-code button').tap();
  await table(asha).locator('#seats .taken').nth(1).waitFor();
  await table(ben).locator('#leave').tap();
  await table(asha).locator('#seats .open').nth(1).waitFor();
  await ben.context().close();
  await table(asha).locator('#cancel').click();
  await until(asha, 'the game is cancelled', ({ status }) => status === 'CANCELLED');
  assert.equal((await gameOf(asha)).status, 'CANCELLED');
  await asha.context().close();

  // Everybody at one screen: whoever is next sees nothing of the hand before.
  const here = await visit();
  await here.goto(url);
  await here.click('#kind-MAHOLA');
  await here.click('#preset-here');
  await here.click('#start');
  const isCovered = () => here.evaluate(() => {
    const root = document.querySelector('maidan-table').shadowRoot;
    return !root.querySelector('#picture svg') && !root.querySelector('#text').textContent && !root.querySelector('#log li') && !root.querySelector('#moves button[data-notation]');
  });
  for (const name of ['Guest', 'Player 2', 'Player 3']) {
    await table(here).locator(`#uncover:has-text("I am ${name}")`).waitFor();
    assert.ok(await isCovered(), 'nothing of a hand is in the page');
    await table(here).locator('#uncover').click();
    const { turn } = await ready(here);
    assert.ok(turn.startsWith(name), turn);
    for (let choices = 0; choices < 20 && !(await table(here).locator('#cover').isVisible()); choices += 1) {
      const state = await until(here, 'a choice, or the next player', (one) => one.isReady || !one.isOpen);
      if (!state.isReady) break;
      const before = JSON.stringify(state);
      await choose(here, state, dice);
      const patience = Date.now() + 5000;
      await until(here, '', (one) => JSON.stringify(one) !== before || Date.now() > patience);
    }
    if (name !== 'Player 3') await table(here).locator('#cover').click();
  }
  // All have chosen: the first passes cards now.
  await table(here).locator('#cover, #compose:not([hidden])').first().waitFor();
  await here.context().close();

  // Pieces slide to their places, unless somebody prefers that nothing moves.
  for (const reducedMotion of ['no-preference', 'reduce']) {
    const page = await visit({ ...DESKTOP, reducedMotion });
    await page.addInitScript(() => {
      window.moved = 0;
      const { animate } = Element.prototype;
      Element.prototype.animate = function (...how) {
        window.moved += 1;
        return animate.apply(this, how);
      };
    });
    await page.goto(url);
    await page.click('#kind-KALAH');
    await page.click('#start');
    await decide(page, chooser(3));
    await until(page, 'the bot has moved', ({ isReady, status }) => isReady || status === 'OVER');
    const moved = await page.evaluate(() => window.moved);
    assert.ok(reducedMotion === 'reduce' ? moved === 0 : moved > 2, `${reducedMotion}: ${moved}`);
    await page.context().close();
  }
}, { expected });
console.log('all of it works');
