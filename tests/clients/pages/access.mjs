// Every page as axe judges it: light on a desktop, dark on a phone. Nothing is wider than the screen, and whatever is
// touched is as large as a finger needs.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { DESKTOP, PHONE, overflow, story } from './browser.mjs';
import { GAMES, call, guest, open, sit, until } from './table.mjs';

const [url] = process.argv.slice(2);
const axe = readFileSync(createRequire(`${process.cwd()}/`).resolve('axe-core/axe.min.js'), 'utf8');

await story(async (visit) => {
  const person = await guest(url, 'Asha');
  const games = {};
  for (const name of Object.keys(GAMES)) games[name] = (await open(url, name, person)).id;
  const waiting = (await call(url, '/v1/games', { token: person.token, body: { kind: 'MARA', visibility: 'PUBLIC' } })).id;
  const over = (await open(url, 'MAHOLA', person)).id;
  await call(url, `/v1/games/${over}/resign`, { token: person.token, body: {} });

  /** What is less than 44 pixels wide or high. Links inside of a sentence may be; the pictures have a test of their own. */
  const small = (page) => page.evaluate(() => {
    const roots = [document, ...[...document.querySelectorAll('*')].map((one) => one.shadowRoot).filter(Boolean)];
    const touched = 'button, select, summary, textarea, input:not([type=checkbox]), label.check, nav a, .name, .games a';
    const seen = roots.flatMap((root) => [...root.querySelectorAll(touched)]).filter((one) => one.checkVisibility({ visibilityProperty: true }));
    const sizes = seen.map((one) => [one.id || one.textContent.trim().slice(0, 30), one.getBoundingClientRect()]);
    return sizes.filter(([, { width, height }]) => width > 0 && (width < 43.9 || height < 43.9)).map(([name, { width, height }]) => `${name} is ${width} by ${height} pixels`);
  });
  const problems = [];
  const judge = async (page, what) => {
    await page.evaluate(axe);
    const { violations } = await page.evaluate(() => axe.run(document, { rules: { 'target-size': { enabled: true } }, resultTypes: ['violations'] }));
    const said = violations.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.slice(0, 3).map(({ target, failureSummary }) => `${target.flat().join(' ')} ${failureSummary}`).join('; ')}`);
    problems.push(...said.map((line) => `${what}: ${line}`));
    problems.push(...(await small(page)).map((line) => `${what}: ${line}`));
    if ((await overflow(page)) > 0) problems.push(`${what}: wider than the screen`);
  };
  // axe measures with styles that our policy forbids.
  const look = async (size, colorScheme) => {
    const page = await visit({ ...size, colorScheme, bypassCSP: true });
    const name = (what) => `${what}, ${colorScheme}, ${size.viewport.width} pixels`;
    await page.goto(url);
    await page.locator('#kind-MARA').waitFor();
    await judge(page, name('the first screen'));
    await page.click('#kind-MARA');
    await page.click('#setup summary');
    await judge(page, name('a new game'));
    await page.goto(`${url}/explorer/`);
    await page.locator('#schema-types li').first().waitFor();
    await judge(page, name('the explorer'));
    await page.goto(`${url}/start/`);
    await page.locator('.copy').first().waitFor();
    await judge(page, name('the first steps'));
    for (const chapter of ['', 'configuration', 'deployment']) {
      await page.goto(`${url}/guide/${chapter}`);
      await judge(page, name(`the guide's page ${chapter}`));
    }
    await page.goto(`${url}/play/${waiting}`);
    await page.locator('maidan-table #join').waitFor();
    await judge(page, name('a seat for a friend'));
    await page.close();

    const seated = await visit({ ...size, colorScheme, bypassCSP: true });
    await sit(seated, url, waiting, person);
    await seated.locator('maidan-table #link').waitFor();
    await judge(seated, name('waiting for a friend'));
    for (const [kind, id] of Object.entries(games)) {
      await seated.goto(`${url}/play/${id}`);
      await until(seated, `${kind} can be played`, ({ isReady }) => isReady);
      await judge(seated, name(kind));
    }
    const filled = { moves: '.move-list button', rules: 'dt', text: '#text:not(:empty)', game: '#resign' };
    for (const [tab, content] of Object.entries(filled)) {
      await seated.locator(`maidan-table #tab-${tab}`).click();
      // Also while it is empty.
      await judge(seated, name(`beside the board: ${tab}, at first`));
      await seated.locator(`maidan-table #panel-${tab} ${content}`).first().waitFor();
      await judge(seated, name(`beside the board: ${tab}`));
    }
    await seated.goto(`${url}/play/${over}`);
    await seated.locator('maidan-table #places').waitFor();
    await judge(seated, name('the result'));
    await seated.close();
  };
  await Promise.all([look(DESKTOP, 'light'), look(PHONE, 'dark')]);
  assert.deepEqual(problems, []);
});
console.log('axe finds nothing');
