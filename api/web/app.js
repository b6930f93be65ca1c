// The page for playing: the lobby, and the table at /play/game_….

import { Api } from './lib/api.js';
import { Session } from './lib/session.js';
import { Lobby } from './lobby/lobby.js';
import { Bell } from './lobby/bell.js';
import './embed.js';

/** @typedef {import('./table/table.js').MaidanTable} MaidanTable */

const NAME = 'Maidan';

const session = new Session(new Api());
const bell = new Bell(/** @type {HTMLElement} */ (document.getElementById('bell')));
/** For screen readers: on the screen the picture has the title. */
const heading = document.createElement('h1');
heading.className = 'offscreen';
const main = /** @type {HTMLElement} */ (document.getElementById('main'));
/** @type {Map<string, string>} */
const titles = new Map();
const lobby = new Lobby(session, { open: go, titles });

/** @param {string} game */
function go(game) {
  visit(`/play/${game}`);
}

/** @param {string} address */
function visit(address) {
  history.pushState(null, '', address);
  show();
  scrollTo(0, 0);
  main.focus({ preventScroll: true });
}

function show() {
  const game = location.pathname.match(/^\/play\/(game_[a-z0-9]+)$/)?.[1];
  shownAt = location.pathname;
  document.body.dataset.page = game ? 'table' : 'lobby';
  if (!game) {
    document.title = `${NAME} · play`;
    main.replaceChildren(lobby.element);
    lobby.load();
    return;
  }
  const table = /** @type {MaidanTable} */ (document.createElement('maidan-table'));
  table.session = session;
  table.people = session.at(game);
  table.code = new URLSearchParams(location.hash.slice(1)).get('code');
  table.setAttribute('game', game);
  table.addEventListener('turn', (event) => noticeTurn(/** @type {CustomEvent} */ (event).detail));
  table.addEventListener('open', (event) => {
    event.preventDefault();
    go(/** @type {CustomEvent} */ (event).detail.game);
  });
  // A link may name a rule: #rule-kalah.3
  table.addEventListener('shown', () => showRule(table), { once: true });
  heading.textContent = 'A game';
  main.replaceChildren(heading, table);
}

/** @param {MaidanTable} table */
function showRule(table) {
  const id = location.hash.match(/^#rule-(.+)$/)?.[1];
  if (id) table.showRule(id);
}

/** @param {{ text: string, isMine: boolean, game: import('./lib/api.js').Game | null, isFirst: boolean }} turn */
function noticeTurn({ text, isMine, game, isFirst }) {
  const kind = game ? (titles.get(game.kind) ?? '') : '';
  heading.textContent = kind || 'A game';
  document.title = [`${isMine ? '● ' : ''}${text}`, kind, NAME].filter(Boolean).join(' · ');
  bell.offer(game?.status === 'RUNNING');
  if (isMine && !isFirst && game) bell.ring(text, kind, game.id);
}

// Without a focus, arrow keys belong to the table.
document.addEventListener('keydown', (event) => {
  if (event.target === document.body || event.target === main) /** @type {MaidanTable | null} */ (main.querySelector('maidan-table'))?.key(event);
});

let shownAt = '';
addEventListener('popstate', () => {
  const table = /** @type {MaidanTable | null} */ (main.querySelector('maidan-table'));
  if (table && location.pathname === shownAt) showRule(table);
  else show();
});
document.addEventListener('click', (event) => {
  const link = event.target instanceof Element ? event.target.closest('a[data-here]') : null;
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
  event.preventDefault();
  visit(link.getAttribute('href') ?? '/');
});
await lobby.read();
show();
