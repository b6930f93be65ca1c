// Actions besides moving: invite, resign, leave, and after the end rematch, branch and record.

import { button, copyButton, download, fill, make } from './dom.js';
import { Proof } from './proof.js';
import { linkTo } from './room.js';
import { nameOf } from './words.js';

/** @typedef {import('../lib/api.js').Schemas} Schemas */
/** @typedef {Schemas['Game']} Game */
/** @typedef {import('./table.js').Viewer} Viewer */

export class Menu {
  element = make('div', { className: 'menu', id: 'menu' });
  /** Belongs to the result. */
  afterwards = make('div', { className: 'choices', id: 'afterwards' });
  #shown = '';

  /**
   * @param {{ change: (verb: string) => void, rematch: () => void, branch: () => void, look: (seat: number) => void,
   *   open: (game: string) => void, say: (text: string) => void }} on
   */
  constructor(on) {
    this.on = on;
  }

  /**
   * @param {Game} game @param {number | null} seat @param {Viewer[]} viewers @param {string} server
   * @param {import('./replay.js').Replay} replay
   */
  update(game, seat, viewers, server, replay) {
    const state = JSON.stringify([game.id, game.status, game.seats, game.rematch, seat, viewers.length, replay.isPast]);
    if (state === this.#shown) return;
    this.#shown = state;
    const isSeated = seat !== null;
    const address = linkTo(server, game);
    fill(this.element,
      make('ul', { className: 'seats' }, ...game.seats.map((at) =>
        make('li', { 'data-seat': at.seat }, nameOf(game, at.seat), at.seat === seat && make('small', {}, ' you'), at.resigned && make('small', {}, at.bot ? ` resigned; a bot plays on: ${at.bot.name}` : ' resigned')))),
      make('div', { className: 'choices' },
        (isSeated || game.visibility === 'PUBLIC') && copyButton(game.visibility === 'PUBLIC' ? 'Copy the link, also to watch' : 'Copy the link', () => address, { id: 'share-link' }),
        game.joinCode && game.status === 'OPEN' && copyButton(`Copy the code ${game.joinCode}`, () => game.joinCode ?? ''),
        viewers.length > 1 && game.status === 'RUNNING' && viewers.map((one) => one.seat !== seat && one.seat !== null && one).filter((one) => one).length > 0 &&
          make('span', { className: 'choices' }, ...viewers.filter((one) => one.seat !== null && one.seat !== seat).map((one) =>
            button(`Hand the screen to ${one.name}`, () => this.on.look(/** @type {number} */ (one.seat))))),
        isSeated && game.status === 'RUNNING' && sure('Resign', 'Really resign', () => this.on.change('resign'), { id: 'resign' })),
      make('p', { className: 'quiet' }, game.visibility === 'PUBLIC' ? 'This game is public: anybody with the link may watch.' : 'This game is private: only its players see it.'),
      make('details', { className: 'commitment' }, make('summary', {}, 'Fairness'),
        make('p', {}, 'All randomness of this game comes from a seed. Its hash was published before anybody sat down; the seed follows at the end.'),
        make('p', {}, make('code', {}, game.commitment))));
    this.#afterwards(game, isSeated, address, replay);
  }

  /** @param {Game} game @param {boolean} isSeated @param {string} address @param {import('./replay.js').Replay} replay */
  #afterwards(game, isSeated, address, replay) {
    const rematch = game.rematch;
    const api = () => /** @type {import('./table.js').MaidanTable} */ (/** @type {ShadowRoot} */ (this.element.getRootNode()).host).viewerApi;
    const proof = new Proof();
    fill(this.afterwards,
      game.status === 'OVER' && isSeated && button(rematch ? 'Go to the rematch' : 'Rematch', this.on.rematch, { className: 'primary', id: 'rematch' }),
      game.status === 'OVER' && !isSeated && rematch && button('Watch the rematch', () => this.on.open(rematch), { id: 'rematch' }),
      game.status === 'OVER' && game.ply > 0 && button(replay.isPast ? 'Play on from here' : 'Look back', () => (replay.isPast ? this.on.branch() : replay.begin()), { id: 'branch' }),
      'share' in navigator ? button('Share', () => void navigator.share({ url: address, title: 'Maidan' }).catch(() => null), { id: 'share' }) : copyButton('Share: copy the link', () => address, { id: 'share' }),
      game.status === 'OVER' && button('Download the record', async () => {
        download(`${game.id}.json`, await api().text(`/v1/games/${game.id}/record`, 'application/json'), 'application/json');
      }, { id: 'record' }),
      game.status === 'OVER' && button('Prove it', () => proof.check(api(), game), { id: 'prove' }),
      proof.element);
  }
}

/** A button that asks once more. @param {string} label @param {string} question @param {() => void} act
 * @param {import('./dom.js').Properties} properties */
function sure(label, question, act, properties) {
  let isAsked = false;
  const said = make('span', {}, label);
  return button(said, () => {
    if (isAsked) return act();
    isAsked = true;
    said.textContent = `${question}?`;
    setTimeout(() => {
      isAsked = false;
      said.textContent = label;
    }, 4000);
  }, { className: 'danger', ...properties });
}
