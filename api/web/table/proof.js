// 'Prove it': checks the record of a finished game in the browser.

import { prove } from '../lib/proof.js';
import { commitmentSeen } from '../lib/session.js';
import { fill, make } from './dom.js';

export class Proof {
  element = make('div', { className: 'proof', id: 'proof', role: 'status' });

  /** @param {import('../lib/api.js').Api} api @param {import('../lib/api.js').Game} game */
  async check(api, game) {
    fill(this.element, make('p', {}, 'Checking…'));
    try {
      const record = await api.get(`/v1/games/${game.id}/record`);
      const findings = prove(record, commitmentSeen(game.id) ?? game.commitment);
      fill(this.element,
        make('ul', {}, ...findings.map(({ isTrue, name, text }) =>
          make('li', { className: isTrue ? 'true' : 'false', 'data-finding': name, 'data-true': String(isTrue) }, make('span', { 'aria-hidden': 'true' }, isTrue ? '✓ ' : '✗ '), text))),
        make('p', { className: 'quiet' }, 'To replay every move and every draw as well, download the record and run: ', make('code', {}, 'maidan verify game.json')));
    } catch (error) {
      fill(this.element, make('p', { className: 'trouble' }, /** @type {Error} */ (error).message));
    }
  }
}
