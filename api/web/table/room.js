// A game that waits for players: its seats, the link, its QR code, and a form to take a seat.

import { qr, qrPath } from '../lib/qr.js';
import { button, copyButton, fill, labelled, make } from './dom.js';
import { nameOf } from './words.js';

/** @typedef {import('../lib/api.js').Game} Game */

/** The address at which a game is played. A private game's code stays in the fragment, which is not sent to servers.
 * @param {string} server @param {Game} game */
export function linkTo(server, game) {
  const address = new URL(`/play/${game.id}`, server || location.origin);
  if (game.joinCode) address.hash = `code=${game.joinCode}`;
  return address.href;
}

const SVG = 'http://www.w3.org/2000/svg';

/** The QR code of an address, dark on light in both themes: readers expect it. @param {HTMLElement} place @param {string} address */
function drawCode(place, address) {
  const { size, path: d } = qrPath(qr(address));
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('viewBox', `0 0 ${size} ${size}`);
  const ground = document.createElementNS(SVG, 'rect');
  for (const [name, value] of Object.entries({ width: size, height: size, fill: '#ffffff' })) ground.setAttribute(name, String(value));
  const path = document.createElementNS(SVG, 'path');
  for (const [name, value] of Object.entries({ d, fill: '#000000' })) path.setAttribute(name, value);
  svg.append(ground, path);
  fill(place, svg);
}

export class Room {
  element = make('section', { className: 'room', id: 'room', 'aria-labelledby': 'turn' });
  #shown = '';

  /**
   * @param {{ server: () => string, name: () => string, join: (name: string, code: string | null) => void,
   *   seatBot: (level: number) => void, leave: () => void, cancel: () => void }} on
   */
  constructor(on) {
    this.on = on;
  }

  /** A game that waits. @param {Game} game @param {boolean} isHere whether somebody of this screen has a seat
   * @param {boolean} isOpener */
  wait(game, isHere, isOpener) {
    const state = JSON.stringify([game.id, game.seats, isHere, isOpener]);
    if (state === this.#shown) return;
    this.#shown = state;
    const address = linkTo(this.on.server(), game);
    const code = make('div', { className: 'qr', role: 'img', 'aria-label': 'QR code of the link' });
    const level = make('select', { id: 'bot-level', 'aria-label': 'Level of the bot' }, ...[1, 2, 3, 4].map((one) => make('option', { value: String(one), selected: one === 2 }, `Level ${one}`)));
    fill(this.element,
      make('ul', { className: 'seats', id: 'seats' }, ...game.seats.map((at) =>
        make('li', { 'data-seat': at.seat, className: at.player || at.bot ? 'taken' : 'open' }, at.player || at.bot ? nameOf(game, at.seat) : 'Waiting…', at.seat === game.mySeat && make('small', {}, ' you')))),
      !isHere && this.#form(game.joinCode),
      isHere && make('div', { className: 'invite' },
        make('div', {},
          make('p', {}, 'Send this link to a friend, or let them scan the code:'),
          make('p', { className: 'link' }, make('code', { id: 'link' }, address)),
          make('div', { className: 'choices' },
            copyButton('Copy the link', () => address, { className: 'primary', id: 'copy-link' }),
            game.joinCode && copyButton(`Copy the code ${game.joinCode}`, () => game.joinCode ?? '', { id: 'copy-code' }))),
        code),
      isOpener && make('div', { className: 'choices' },
        level, button('Give a seat to a bot', () => this.on.seatBot(Number(level.value)), { id: 'seat-bot' })),
      isHere && make('div', { className: 'choices' },
        isOpener ? button('Cancel the game', this.on.cancel, { id: 'cancel', className: 'danger' }) : button('Leave the game', this.on.leave, { id: 'leave', className: 'danger' })));
    if (isHere) drawCode(code, address);
  }

  /** A game that one may not see without a code. @param {string | null} code */
  ask(code) {
    const state = `ask ${code}`;
    if (state === this.#shown) return;
    this.#shown = state;
    fill(this.element,
      make('p', {}, code ? 'Somebody invites you to a game. Type your name, and sit down.' : 'This is a private game, or it does not exist. With its code you can sit down.'),
      this.#form(code, !code));
  }

  /** @param {string | null} code @param {boolean} [asksCode] */
  #form(code, asksCode = false) {
    const name = make('input', { type: 'text', id: 'join-name', required: true, maxLength: 40, autocomplete: 'nickname', value: this.on.name() });
    const typed = make('input', { type: 'text', id: 'join-code', required: true, autocomplete: 'off', value: code ?? '', autocapitalize: 'characters' });
    return make('form', {
      className: 'join', id: 'join-form',
      onsubmit: (/** @type {Event} */ event) => {
        event.preventDefault();
        this.on.join(name.value.trim(), asksCode ? typed.value.trim() : code);
      },
    },
      labelled('Your name', name),
      asksCode && labelled('Code', typed),
      make('button', { type: 'submit', className: 'primary', id: 'join' }, 'Sit down and play'));
  }

  reset() {
    this.#shown = '';
  }
}
