// Two browsers at two replicas play against each other through a link, while one of the servers is killed and comes back.
import assert from 'node:assert/strict';
import { createInterface } from 'node:readline';
import { DESKTOP, PHONE, story } from './browser.mjs';
import { chooser, choose, until } from './table.mjs';

const [here, there] = process.argv.slice(2);
const answers = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
/** Asks the test to do something to the first server. */
const ask = async (what) => {
  console.log(what);
  await answers.next();
};

// Ben may not see the private game before he sits down.
const expected = [/status of 404 .*\/v1\/games\/game_/, /ERR_INTERNET_DISCONNECTED|ERR_CONNECTION_REFUSED|ERR_CONNECTION_RESET|ERR_EMPTY_RESPONSE|ERR_INCOMPLETE_CHUNKED_ENCODING|ERR_SOCKET/];
await story(async (visit) => {
  const asha = await visit(DESKTOP);
  await asha.goto(here);
  await asha.click('#kind-KALAH');
  await asha.fill('#name', 'Asha');
  await asha.click('#preset-friends');
  await asha.click('#setup summary');
  await asha.fill('#option-pockets', '4');
  await asha.fill('#option-seedsPerPocket', '3');
  await asha.click('#start');
  const link = await asha.locator('maidan-table #link').textContent();
  await asha.locator('maidan-table .qr svg path').waitFor();
  assert.ok(link.startsWith(`${here}/play/game_`), link);

  // The same link, at the other replica, on a phone.
  const ben = await visit(PHONE);
  await ben.goto(link.replace(here, there));
  await ben.locator('maidan-table #join-name').fill('Ben');
  await ben.locator('maidan-table #join').tap();

  const tables = [{ page: asha, isPhone: false }, { page: ben, isPhone: true }];
  const dice = chooser(5);
  let moves = 0;
  /** The player who is to act makes a choice. Returns whether the game goes on. */
  const playOn = async () => {
    const turns = tables.map(({ page, isPhone }) => until(page, 'nobody can choose', ({ isReady }) => isReady || isDone).then((state) => ({ page, isPhone, state })));
    let isDone = false;
    const { page, isPhone, state } = await Promise.race(turns);
    isDone = true;
    await Promise.all(turns);
    if (state.status === 'OVER') return false;
    const before = JSON.stringify(state);
    await choose(page, state, dice, isPhone);
    const patience = Date.now() + 1500;
    await until(page, '', (one) => JSON.stringify(one) !== before || Date.now() > patience);
    moves += 1;
    assert.ok(moves < 200, 'the game ends');
    return true;
  };
  for (let turn = 0; turn < 4; turn += 1) assert.ok(await playOn());
  await ask('kill');
  await asha.locator('maidan-table #banner:not([hidden])').waitFor();
  await ask('start');
  await asha.locator('maidan-table #banner').waitFor({ state: 'hidden' });
  // Another network.
  await ben.context().setOffline(true);
  await ben.locator('maidan-table #banner:has-text("You are offline")').waitFor();
  await ben.context().setOffline(false);
  await ben.locator('maidan-table #banner').waitFor({ state: 'hidden' });
  assert.ok(await playOn());
  // A reload loses nothing.
  await ben.reload();
  while (await playOn());
  for (const { page } of tables) {
    await until(page, 'the end is shown', ({ status }) => status === 'OVER');
    await page.locator('maidan-table #places').waitFor();
  }
  assert.ok((await asha.locator('maidan-table #places').textContent()).includes('Ben'));
}, { expected });
console.log('the game is over');
