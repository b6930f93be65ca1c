// The first steps: fills this server's address and a kind into the commands, and offers to copy them.

import { copyButton } from '../table/dom.js';

/** @param {string} kind */
function fillIn(kind) {
  /** @type {Record<string, string>} */
  const facts = { origin: location.origin, kind };
  for (const code of document.querySelectorAll('.steps code')) {
    code.textContent = (code.textContent ?? '').replace(/\{(origin|kind)\}/g, (_, name) => facts[name]);
    const block = /** @type {HTMLElement} */ (code.parentElement);
    const copy = copyButton('Copy', () => code.textContent ?? '', { className: 'copy', 'aria-label': `Copy: ${block.ariaLabel}` });
    block.after(copy);
  }
}

/** The first kind for two players. */
async function exampleKind() {
  try {
    const response = await fetch('/v1/kinds');
    /** @type {import('../lib/openapi.d.ts').components['schemas']['Rulebook'][]} */
    const books = await response.json();
    return books.find(({ leastSeats }) => leastSeats <= 2)?.kind ?? 'KALAH';
  } catch {
    return 'KALAH';
  }
}

fillIn(await exampleKind());
