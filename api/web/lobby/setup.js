// A new game: its seats and options. The defaults are good: two taps begin a game with bots.

import { button, fill, labelled, make, signButton } from '../table/dom.js';
import { inWords, ordinal } from '../table/words.js';

/** @typedef {import('../lib/api.js').Schemas} Schemas */
/** @typedef {Schemas['Rulebook']} Rulebook */
/** @typedef {Schemas['RulebookOption']} Option */
/** @typedef {import('../lib/session.js').Session} Session */
/** @typedef {import('../lib/session.js').Person} Person */

/** How long bots wait before they move, so that people can follow. */
const PAUSE_MS = 700;
const GOOD_LEVEL = 2;

export class Setup {
  element = make('dialog', { className: 'setup', id: 'setup', 'aria-labelledby': 'setup-title' });
  /** @type {Rulebook | null} */
  #book = null;
  #seats = make('ol', { className: 'who', id: 'who' });
  #count = make('select', { id: 'count', onchange: () => this.#showSeats() });
  #name = make('input', { type: 'text', id: 'name', required: true, maxLength: 40, autocomplete: 'nickname' });
  #isPublic = make('input', { type: 'checkbox', id: 'public' });
  #options = make('div', { className: 'options' });
  #trouble = make('p', { className: 'trouble', role: 'alert' });
  #play = make('button', { type: 'submit', className: 'primary big', id: 'start' }, 'Play');
  #presets = make('div', { className: 'choices', role: 'group', 'aria-label': 'Who plays' },
    button('Against bots', () => this.#preset(`bot${GOOD_LEVEL}`), { id: 'preset-bots', value: 'bot' }),
    button('With friends', () => this.#preset('open'), { id: 'preset-friends', value: 'open' }),
    button('All at this screen', () => this.#preset('here'), { id: 'preset-here', value: 'here' }));
  #isBusy = false;

  /** @param {Session} session @param {(game: string) => void} opened */
  constructor(session, opened) {
    this.session = session;
    this.opened = opened;
    // A tap beside the dialog closes it.
    this.element.addEventListener('click', (event) => event.target === this.element && this.element.close());
  }

  /** @param {Rulebook} book */
  open(book) {
    this.#book = book;
    this.#name.value = this.session.me?.name ?? 'Guest';
    fill(this.#trouble);
    const counts = Array.from({ length: book.mostSeats - book.leastSeats + 1 }, (_, more) => book.leastSeats + more);
    fill(this.#count, ...counts.map((count) => make('option', { value: String(count) }, String(count))));
    // Options that change the game most come first; numbers and details are folded away.
    const [first, others] = [book.options.filter(({ name }) => name === 'variant'), book.options.filter(({ name }) => name !== 'variant')];
    fill(this.#options, ...first.map(field), others.length > 0 && make('details', {}, make('summary', {}, 'More options'), ...others.map(field)));
    fill(this.element,
      make('form', { className: 'setup-form', onsubmit: (/** @type {Event} */ event) => this.#submit(event) },
        make('div', { className: 'setup-head' },
          make('h2', { id: 'setup-title' }, book.title),
          signButton('close', 'Close', () => this.element.close())),
        make('p', { className: 'lead' }, book.summary),
        this.#play,
        this.#presets,
        counts.length > 1 && labelled('Players', this.#count),
        this.#seats,
        labelled('Your name', this.#name),
        this.#options,
        make('label', { className: 'check' }, this.#isPublic, make('span', {}, 'Public: anybody may find and watch it')),
        this.#trouble));
    this.#showSeats();
    this.#markPreset();
    this.element.showModal();
    this.#play.focus();
  }

  /** The first seat is mine; each other one is somebody's. @param {string} [preset] */
  #showSeats(preset) {
    const book = /** @type {Rulebook} */ (this.#book);
    const before = [...this.#seats.querySelectorAll('select')].map(({ value }) => value);
    const count = Number(this.#count.value);
    const rows = Array.from({ length: count }, (_, seat) => {
      const chosen = preset ? (seat === 0 ? 'me' : preset) : (before[seat] ?? (seat === 0 ? 'me' : before[count - 2] ?? `bot${GOOD_LEVEL}`));
      const choices = [
        ['me', 'Me'], ...book.botLevels.map(({ level, name }) => [`bot${level}`, `Bot: ${name}`]),
        ['open', 'A friend, by link'], ['here', 'Somebody at this screen'],
      ];
      const select = make('select', { id: `seat-${seat}`, 'aria-label': `The ${ordinal(seat + 1)} seat` },
        ...choices.map(([value, label]) => make('option', { value, selected: value === chosen }, label)));
      const name = make('input', { type: 'text', id: `seat-name-${seat}`, className: 'seat-name', maxLength: 40, value: `Player ${seat + 1}`, hidden: select.value !== 'here', 'aria-label': `Name at the ${ordinal(seat + 1)} seat` });
      select.addEventListener('change', () => {
        this.#oneIsMe(select);
        this.#markPreset();
        name.hidden = select.value !== 'here';
      });
      return make('li', {}, make('span', {}, `${ordinal(seat + 1)} seat`), select, name);
    });
    fill(this.#seats, ...rows);
  }

  /** @param {string} preset */
  #preset(preset) {
    this.#showSeats(preset);
    this.#markPreset();
  }

  /** Which of the three is set, if any. */
  #markPreset() {
    const others = [...this.#seats.querySelectorAll('select')].map(({ value }) => value).filter((value) => value !== 'me');
    for (const one of this.#presets.querySelectorAll('button')) {
      const is = others.every((value) => (one.value === 'bot' ? value.startsWith('bot') : value === one.value));
      one.setAttribute('aria-pressed', String(is));
    }
  }

  /** There is one of me. @param {HTMLSelectElement} changed */
  #oneIsMe(changed) {
    if (changed.value !== 'me') return;
    for (const select of this.#seats.querySelectorAll('select')) {
      if (select !== changed && select.value === 'me') select.value = `bot${GOOD_LEVEL}`;
    }
  }

  /** @param {number} seat */
  #nameAt(seat) {
    const field = /** @type {HTMLInputElement | null} */ (this.#seats.querySelector(`#seat-name-${seat}`));
    return field?.value.trim() || `Player ${seat + 1}`;
  }

  /** @param {Event} event */
  async #submit(event) {
    event.preventDefault();
    if (this.#isBusy) return;
    this.#isBusy = true;
    this.#play.disabled = true;
    fill(this.#trouble);
    try {
      await this.#begin();
    } catch (error) {
      fill(this.#trouble, /** @type {Error} */ (error).message);
    } finally {
      this.#isBusy = false;
      this.#play.disabled = false;
    }
  }

  async #begin() {
    const { session } = this;
    const book = /** @type {Rulebook} */ (this.#book);
    const who = [...this.#seats.querySelectorAll('select')].map(({ value }) => value);
    const me = await session.iAm(this.#name.value.trim() || 'Guest');
    // Without a seat of mine, the first of this screen opens the game.
    if (!who.includes('me')) {
      const first = who.indexOf('here');
      if (first < 0) throw new Error('Somebody of this screen needs a seat.');
      who[first] = 'me';
    }
    const local = who.flatMap((value, seat) => (value === 'here' ? [seat] : []));
    const body = {
      kind: book.kind,
      seats: who.map((value) => (value === 'me' ? { me: true } : value.startsWith('bot') ? { bot: { level: Number(value.slice(3)) } } : { open: true })),
      visibility: this.#isPublic.checked ? 'PUBLIC' : 'PRIVATE',
      options: { [book.kind.toLowerCase()]: await chosenOptions(this.#options, book.options) },
      bots: { pauseMs: PAUSE_MS },
    };
    /** @type {Schemas['ChangedGame']} */
    const game = await session.send(session.api.as(me.token), '/v1/games', body);
    /** @type {Person[]} */
    const here = [me];
    for (const seat of local) {
      const person = await session.register(this.#nameAt(seat));
      const api = session.api.as(person.token);
      if (game.joinCode) await session.send(api, '/v1/join', { code: game.joinCode, seat });
      else await session.send(api, `/v1/games/${game.id}/join`, { seat });
      here.push(person);
    }
    session.sit(game.id, here);
    this.element.close();
    this.opened(game.id);
  }
}

/** The field of an option. @param {Option} option */
function field({ name, text, value, default: otherwise, least, most, words }) {
  const id = `option-${name}`;
  const given = otherwise === null ? null : JSON.parse(otherwise);
  if (value === 'FLAG') {
    return make('label', { className: 'check' }, make('input', { type: 'checkbox', id, name, checked: given === true }), make('span', {}, `${inWords(name)}. ${text}`));
  }
  if (value === 'COMPONENTS') {
    const control = make('input', { type: 'file', id, name, accept: '.json,application/json' });
    return make('div', { className: 'option' }, labelled('Own tables, as a file', control), make('small', {}, text));
  }
  const control = value === 'WHOLE_NUMBER' ? make('input', { type: 'number', id, name, min: String(least), max: String(most), value: String(given) })
    : value === 'WORD' ? make('select', { id, name }, ...(words ?? []).map((word) => make('option', { value: word, selected: word === given }, inWords(word))))
      : make('select', { id, name }, make('option', { value: '' }, 'By chance'), ...[0, 1, 2, 3, 4].map((seat) => make('option', { value: String(seat) }, `The ${ordinal(seat + 1)} seat`)));
  return make('div', { className: 'option' }, labelled(inWords(name), control), make('small', {}, text));
}

/** Only what differs from the default is sent. @param {HTMLElement} place @param {Option[]} options */
async function chosenOptions(place, options) {
  /** @type {Record<string, unknown>} */
  const chosen = {};
  for (const { name, value, default: otherwise } of options) {
    const control = /** @type {HTMLInputElement | null} */ (place.querySelector(`[name="${name}"]`));
    if (!control) continue;
    if (value === 'COMPONENTS') {
      const file = control.files?.[0];
      if (file) chosen[name] = await tablesIn(file);
      continue;
    }
    const given = value === 'FLAG' ? control.checked : value === 'WORD' ? control.value : control.value === '' ? null : Number(control.value);
    if (given !== null && JSON.stringify(given) !== otherwise) chosen[name] = given;
  }
  return chosen;
}

/** The tables in a file. The server checks them. @param {File} file */
async function tablesIn(file) {
  try {
    return /** @type {unknown} */ (JSON.parse(await file.text()));
  } catch {
    throw new Error(`${file.name} is not JSON.`);
  }
}
