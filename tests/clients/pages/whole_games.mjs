// Whole games of every kind by clicks on the picture, on a desktop or a phone.
import assert from 'node:assert/strict';
import { DESKTOP, PHONE, story } from './browser.mjs';
import { GAMES, call, chooser, guest, open, play, sit, theEnd } from './table.mjs';

const [url, size, ...only] = process.argv.slice(2);
const isPhone = size === 'phone';
const names = only.length ? only : Object.keys(GAMES);

// Touching a piece that is not lit shows the reason; if no rule forbids it, the notation cannot be read.
// A refused move is an error of the story: everything that is offered is legal.
const expected = [/status of 400 .*\/explain$/];
await story(async (visit) => {
  const person = await guest(url, 'Asha');
  const playOne = async (name, index) => {
    const game = await open(url, name, person);
    const page = await visit(isPhone ? PHONE : DESKTOP);
    await sit(page, url, game.id, person);
    const { decisions, onPicture, isOver } = await play(page, { dice: chooser(index + 7), isPhone, most: isPhone ? 20 : Infinity });
    assert.ok(onPicture > 0, `${name} is played on its picture`);
    if (!isOver) {
      await page.locator('maidan-table #tab-game').click();
      await page.locator('maidan-table #resign').click();
      await page.locator('maidan-table #resign:has-text("Really resign?")').click();
    }
    await theEnd(page);
    const { status, ply } = await call(url, `/v1/games/${game.id}`, { token: person.token });
    assert.equal(status, 'OVER');
    await page.context().close();
    return `${name}: ${decisions} decisions, ${onPicture} on the picture, ${ply} plies`;
  };
  // Two at a time: while a bot thinks, the other table goes on.
  const waiting = names.map((name, index) => [name, index]);
  const playAll = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) console.error(await playOne(...next));
  };
  await Promise.all([playAll(), playAll()]);
}, { expected });
console.log(`${names.length} games are over`);
