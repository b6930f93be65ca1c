// The panels beside the board, one at a time.

import { button, make } from './dom.js';

export class Tabs {
  element = make('div', { className: 'tabs' });
  #list = make('div', { role: 'tablist', className: 'tablist', 'aria-label': 'Beside the board' });
  shown = '';

  /** @param {[string, string, HTMLElement][]} panels name, label and content @param {(name: string) => void} filled called when a panel is shown */
  constructor(panels, filled) {
    this.filled = filled;
    this.element.append(this.#list);
    for (const [name, label, content] of panels) {
      this.#list.append(button(label, () => this.show(name), { role: 'tab', id: `tab-${name}`, 'aria-controls': `panel-${name}` }));
      this.element.append(make('div', { role: 'tabpanel', id: `panel-${name}`, className: 'panel', 'aria-labelledby': `tab-${name}` }, content));
    }
    this.#list.addEventListener('keydown', (event) => this.#key(event));
    this.show(panels[0][0]);
  }

  /** @param {string} name */
  show(name) {
    this.shown = name;
    for (const tab of /** @type {HTMLCollectionOf<HTMLElement>} */ (this.#list.children)) {
      const isShown = tab.id === `tab-${name}`;
      tab.setAttribute('aria-selected', String(isShown));
      tab.tabIndex = isShown ? 0 : -1;
    }
    for (const panel of this.element.querySelectorAll(':scope > .panel')) {
      /** @type {HTMLElement} */ (panel).hidden = panel.id !== `panel-${name}`;
    }
    this.filled(name);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const tabs = /** @type {HTMLElement[]} */ ([...this.#list.children]);
    const at = tabs.findIndex((tab) => tab.id === `tab-${this.shown}`);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const tab = tabs[(to + tabs.length) % tabs.length];
    this.show(tab.id.slice('tab-'.length));
    tab.focus();
  }
}
