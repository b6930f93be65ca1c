// Chromium for the stories: every page that a story opens must run without an error.
import { createRequire } from 'node:module';

const { chromium } = createRequire(`${process.cwd()}/`)('playwright-core');
/** A name of this computer for which a page is not secure, as in a local network. */
export const INSECURE = 'table.test';
const args = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
  '--disable-component-update', '--disable-sync', '--no-proxy-server', `--host-resolver-rules=MAP ${INSECURE} 127.0.0.1`];
/** Nothing takes this long. A story that waits for it fails. */
export const DEADLINE = 60_000;
export const DESKTOP = { viewport: { width: 1280, height: 900 } };
export const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };

/** Runs a story in a browser. Errors on the console, in a script or by a status fail it at its end, unless `expected`. */
export async function story(play, { expected = [] } = {}) {
  const browser = await chromium.launch({ executablePath: process.env.MAIDAN_TEST_CHROMIUM ?? '/usr/bin/chromium', args });
  const failures = [];
  const fail = (text) => expected.some((pattern) => pattern.test(text)) || failures.push(text);
  const visit = async (settings = DESKTOP) => {
    const context = await browser.newContext({ reducedMotion: 'reduce', ...settings });
    context.setDefaultTimeout(DEADLINE);
    const page = await context.newPage();
    page.on('console', (message) => message.type() === 'error' && fail(`${message.text()} ${message.location().url}`));
    page.on('pageerror', (error) => fail(String(error.stack ?? error)));
    return page;
  };
  try {
    await play(visit);
  } catch (error) {
    console.error(failures.join('\n'));
    const shots = process.env.MAIDAN_TEST_SHOTS;
    const pages = shots ? browser.contexts().flatMap((context) => context.pages()) : [];
    await Promise.all(pages.map((page, index) => page.screenshot({ path: `${shots}/failure-${index}.png` })));
    throw error;
  } finally {
    await browser.close();
  }
  if (failures.length) throw new Error(failures.join('\n'));
}

/** How much wider than its window a page is. */
export const overflow = (page) =>
  page.evaluate(() => document.scrollingElement.scrollWidth - document.documentElement.clientWidth);
