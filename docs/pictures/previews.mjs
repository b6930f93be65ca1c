// Makes the previews that a link to a game shows: node docs/pictures/previews.mjs, from the root of the repository.
// It needs Debian's Chromium and playwright-core, which `./test` installs into target/test-peers.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const { chromium } = createRequire(`${process.cwd()}/target/test-peers/`)('playwright-core');
const NAMES = { kalah: 'Kalah', mahabharata: 'Mahabharata', mahola: 'Mahola', macarena: 'La Macarena', mara: 'The Mara' };
const SIZE = { width: 1200, height: 630 };

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'],
});
const page = await browser.newPage({ viewport: SIZE });
for (const [kind, name] of Object.entries(NAMES)) {
  const picture = readFileSync(`docs/pictures/${kind}.svg`).toString('base64');
  await page.setContent(`
    <style>
      body { margin: 0; width: 1200px; height: 630px; display: flex; align-items: center; background: #f4ecdf;
        color: #2c2119; font-family: 'DejaVu Sans', sans-serif; overflow: hidden; }
      div { box-sizing: border-box; width: 340px; padding-left: 48px; flex: none; }
      h1 { margin: 0; font-size: ${name.length > 10 ? 38 : 46}px; white-space: nowrap; }
      p { margin: 12px 0 0; font-size: 24px; color: #66574a; }
      b { display: block; width: 72px; height: 8px; margin-bottom: 28px; border-radius: 4px; background: #a63c14; }
      main { flex: 1; height: 100%; display: flex; align-items: center; justify-content: center; }
      img { max-width: 820px; max-height: 515px; border-radius: 14px; border: 2px solid #cdbda4; }
    </style>
    <div><b></b><h1>${name}</h1><p>Play on Maidan</p></div>
    <main><img src="data:image/svg+xml;base64,${picture}"></main>`);
  await page.screenshot({ path: `api/web/previews/${kind}.png` });
}
await browser.close();
