// A whole game by keyboard alone: from the first screen, through its options, to the explained result.
import assert from 'node:assert/strict';
import { story } from './browser.mjs';
import { seen, until } from './table.mjs';

const [url] = process.argv.slice(2);

await story(async (visit) => {
  const page = await visit();
  await page.goto(url);
  await page.locator('#kind-KALAH').waitFor();
  const isFocused = (selector) =>
    page.evaluate((selector) => {
      let focused = document.activeElement;
      while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement;
      return focused?.matches(selector) ?? false;
    }, selector);
  const tabTo = async (selector) => {
    for (let presses = 0; presses < 80; presses += 1) {
      if (await isFocused(selector)) return;
      await page.keyboard.press('Tab');
    }
    assert.fail(`the keyboard does not reach ${selector}`);
  };
  const type = async (selector, text) => {
    await tabTo(selector);
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type(text);
  };

  await tabTo('#kind-KALAH');
  await page.keyboard.press('Enter');
  await page.locator('#setup').waitFor();
  assert.ok(await isFocused('#start'), 'the second key press would begin the game');
  await tabTo('#seat-1');
  await page.keyboard.press('ArrowUp');
  await type('#name', 'Asha');
  await tabTo('summary');
  await page.keyboard.press('Enter');
  await type('#option-pockets', '3');
  await type('#option-seedsPerPocket', '2');
  await page.keyboard.press('Enter');

  for (let choices = 0; ; choices += 1) {
    const state = await until(page, 'nothing can be chosen', ({ isReady }) => isReady);
    if (state.status === 'OVER') break;
    assert.ok(choices < 60, 'the game ends');
    await tabTo('#picture .light, #choices button:not(#take-back)');
    if (choices % 2 && state.lit.length > 1) await page.keyboard.press('ArrowRight');
    const before = JSON.stringify(await seen(page));
    await page.keyboard.press('Enter');
    const patience = Date.now() + 5000;
    await until(page, '', (one) => JSON.stringify(one) !== before || Date.now() > patience);
  }
  await page.locator('maidan-table #places').waitFor();
  // Back through the game by arrow keys, and to its beginning.
  await tabTo('#prove');
  await page.keyboard.press('Enter');
  await page.locator('maidan-table #proof [data-true="true"]').first().waitFor();
});
console.log('the game is over');
