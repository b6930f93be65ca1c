// Makes the icons of the pages from api/web/icon.svg: node docs/icons.mjs, from the root of the repository. It needs
// Debian's Chromium and playwright-core, which `./test` installs into target/test-peers.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const { chromium } = createRequire(`${process.cwd()}/target/test-peers/`)('playwright-core');
const svg = readFileSync('api/web/icon.svg', 'utf8');
// A system cuts a maskable icon into its own shape, so the ground fills it and the drawing keeps to the middle.
const maskable = svg.replace('rx="7" ', '').replace('<g ', '<g transform="translate(4.8 4.8) scale(.7)" ');
const ICONS = [['192', svg, 192], ['512', svg, 512], ['maskable', maskable, 512], ['apple', svg.replace('rx="7" ', ''), 180]];

const browser = await chromium.launch({
  executablePath: process.env.MAIDAN_TEST_CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'],
});
for (const [name, drawing, size] of ICONS) {
  const page = await browser.newPage({ viewport: { width: size, height: size } });
  await page.setContent(`<style>body { margin: 0 } svg { display: block; width: ${size}px; height: ${size}px }</style>${drawing}`);
  await page.screenshot({ path: `api/web/icons/${name}.png`, omitBackground: true });
  await page.close();
}
await browser.close();
