// The rules beside the table. Every refusal links to its rule.

import { fill, make } from './dom.js';
import { inWords } from './words.js';

/** @typedef {import('../lib/api.js').Schemas} Schemas */
/** @typedef {import('../lib/api.js').Api} Api */
/** @typedef {Schemas['Game']} Game */
/** @typedef {Schemas['Rulebook']} Rulebook */

/** The address of a rule within the page. @param {string} id */
export const anchor = (id) => `rule-${id}`;

export class Rules {
  element = make('div', { className: 'rules', id: 'rules' });
  /** @type {Schemas['Rule'][]} */
  rules = [];

  /** @param {Game} game @param {Rulebook} book @param {Api} api */
  show(game, book, api) {
    const tables = make('div');
    const version = book.earlierVersions.find(({ rulesVersion }) => rulesVersion === game.rulesVersion) ?? book;
    this.rules = version.rules;
    fill(
      this.element,
      make('p', { className: 'lead' }, book.summary),
      this.#options(game, version.options),
      make('dl', {}, ...version.rules.flatMap(({ id, text, decision, why }) => [
        make('dt', { id: anchor(id), tabIndex: -1 }, id),
        make('dd', {}, text, decision && make('small', {}, ` Not all of this is printed: ${why}`)),
      ])),
      tables,
    );
    if (game.componentsHash) this.#ownTables(tables, game, api);
    else fill(tables, ...book.components.map(table));
  }

  /** The game has tables of its own. Who only follows it by a ticket cannot ask for them.
   * @param {HTMLElement} place @param {Game} game @param {Api} api */
  async #ownTables(place, game, api) {
    try {
      /** @type {Schemas['Component'][]} */
      const own = await api.get(`/v1/games/${game.id}/components`);
      fill(place, ...own.map(table));
    } catch {
      fill(place, make('p', {}, 'This game has its own tables of components.'));
    }
  }

  /** @param {Game} game @param {Schemas['RulebookOption'][]} options */
  #options(game, options) {
    const set = Object.values(game.options ?? {}).find((value) => value) ?? {};
    const shown = options.filter(({ name }) => name in set && /** @type {Record<string, unknown>} */ (set)[name] !== null);
    if (!shown.length) return null;
    return make('details', {},
      make('summary', {}, 'Options of this game'),
      make('ul', {}, ...shown.map(({ name, text }) =>
        make('li', {}, make('strong', {}, `${inWords(name)}: ${said(/** @type {Record<string, unknown>} */ (set)[name])}. `), text))));
  }

  /** Brings a rule into view. @param {string} id */
  reveal(id) {
    const term = /** @type {HTMLElement | null} */ (this.element.querySelector(`#${CSS.escape(anchor(id))}`));
    if (!term) return false;
    for (const marked of this.element.querySelectorAll('.marked')) marked.classList.remove('marked');
    term.classList.add('marked');
    term.nextElementSibling?.classList.add('marked');
    term.scrollIntoView({ block: 'nearest' });
    term.focus({ preventScroll: true });
    return true;
  }
}

/** @param {Schemas['Component']} component */
const table = ({ name, text, columns, rows, reconstructed }) =>
  make('details', {},
    make('summary', {}, inWords(name), reconstructed && make('small', {}, ' (reconstructed)')),
    make('p', {}, text),
    make('div', { className: 'wide', tabIndex: 0, role: 'region', 'aria-label': inWords(name) },
      make('table', {},
        make('thead', {}, make('tr', {}, ...columns.map((column) => make('th', { scope: 'col' }, inWords(column))))),
        make('tbody', {}, ...rows.map((row) => make('tr', {}, ...row.map((cell) => make('td', {}, cell))))))));

/** @param {unknown} value */
const said = (value) => (typeof value === 'boolean' ? (value ? 'yes' : 'no') : typeof value === 'object' ? 'own tables' : inWords(String(value)));
