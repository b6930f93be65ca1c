// <maidan-table game="game_…">: a game on its picture, live, for one player, for everybody at one screen, or to watch.
//
// Properties: `token` or `people` (several players at one screen), `ticket`, `session`, `code`. Events: `move` and
// `over` for the page around it, `turn` when another seat is to act, `open` when another game is to be shown.

import { Api, Away, Refused } from '../lib/api.js';
import { Live } from '../lib/live.js';
import { Session } from '../lib/session.js';
import { Banner } from './banner.js';
import { Compose } from './compose.js';
import { Curtain } from './curtain.js';
import { fill, isCalm, isDark, make } from './dom.js';
import { Log, sentences } from './log.js';
import { Menu } from './menu.js';
import { Moves } from './moves.js';
import { Picture } from './picture.js';
import { Replay } from './replay.js';
import { explain, headline } from './result.js';
import { Room } from './room.js';
import { anchor, Rules } from './rules.js';
import { branch, join, rematch } from './sitting.js';
import { Tabs } from './tabs.js';
import { nameOf, names } from './words.js';

/** @typedef {import('../lib/api.js').Schemas} Schemas */
/** @typedef {Schemas['Game']} Game */
/** @typedef {import('../lib/session.js').Person} Person */
/** @typedef {{ api: Api, name: string, token: string | null, seat: number | null }} Viewer */

const STYLE = new URL('./table.css', import.meta.url).href;
export class MaidanTable extends HTMLElement {
  static observedAttributes = ['game'];

  /** @type {Person[]} */
  #people = [];
  /** @type {string | null} */
  #ticket = null;
  /** @type {string | null} The code of a private game, from its link. */
  #code = null;
  /** @type {Session | null} */
  #session = null;
  /** @type {Api} */
  #api = new Api();
  /** @type {Viewer[]} */
  #viewers = [];
  /** @type {Viewer | null} */
  #viewer = null;
  /** @type {Game | null} */
  #game = null;
  /** @type {Schemas['Rulebook'] | null} */
  #book = null;
  /** @type {Live | null} */
  #live = null;
  /** Counts the games that were opened and the pictures that were asked for: late answers are dropped. */
  #opening = 0;
  #drawing = 0;
  #lastTurn = '';
  /** The last picture that came by the stream. @type {{ version: number, style: string, picture: string } | null} */
  #drawn = null;
  /** How the pictures of the stream are drawn. */
  #streamed = { picture: '', width: '' };
  /** Whether the server was unreachable when a picture was requested. */
  #isBehind = false;
  /** Whether only a ticket let in. */
  #isGuest = false;
  /** @type {number | null} */
  #lastEyes = null;

  // The parts.
  #turn = make('h2', { className: 'turn', id: 'turn' }, 'Loading…');
  #board = make('div', { className: 'picture', id: 'picture', tabIndex: -1 });
  #result = make('section', { className: 'result', id: 'result', hidden: true, 'aria-labelledby': 'turn' });
  #text = make('pre', { className: 'text', id: 'text', tabIndex: 0, role: 'region', 'aria-label': 'The position as text' });
  #news = make('div', { className: 'news', id: 'news', 'aria-live': 'polite', role: 'log' });
  #status = make('div', { className: 'status' });
  #root = make('div', { className: 'table', id: 'table' });

  #banner = new Banner((id) => this.#ruleLink(id));
  #curtain = new Curtain({
    read: (viewer, game) => this.#read(viewer, game),
    show: (viewer, game) => this.#try(() => this.#view(viewer, game)),
    covered: (viewer) => this.#covered(viewer),
  });
  #picture = new Picture(this.#board, {
    touch: (target) => this.#compose.touch(target),
    miss: (element) => void this.#compose.miss(element).catch(() => null),
  });
  #compose = new Compose(this.#picture, { send: (notation) => this.#send(notation), rule: (id) => this.#ruleLink(id) });
  #log = new Log({ look: (ply) => this.#replay.go(ply) });
  #moves = new Moves({ play: (notation) => this.#compose.play(notation) });
  #rules = new Rules();
  #replay = new Replay({ look: () => this.#look(), caption: (ply) => this.#caption(ply) });
  #room = new Room({
    server: () => this.server,
    name: () => this.#session?.me?.name ?? '',
    join: (name, code) => this.#try(() => this.#join(name, code)),
    seatBot: (level) => this.#try(() => this.#change('bots', { level })),
    leave: () => this.#try(() => this.#change('leave')),
    cancel: () => this.#try(() => this.#change('cancel')),
  });
  #menu = new Menu({
    change: (verb) => this.#try(() => this.#change(verb)),
    rematch: () => this.#try(() => this.#rematch()),
    branch: () => this.#try(() => this.#branch()),
    look: (seat) => this.#lookAs(seat),
    open: (game) => this.#openOther(game),
    say: (text) => this.#say(text),
  });
  #tabs = new Tabs([
    ['log', 'Log', this.#log.element],
    ['moves', 'Moves', this.#moves.element],
    ['rules', 'Rules', this.#rules.element],
    ['text', 'Text', this.#text],
    ['game', 'Game', this.#menu.element],
  ], (name) => this.#fillTab(name));

  constructor() {
    super();
    const shadow = this.attachShadow({ mode: 'open' });
    // Nothing is shown before it has its style: it would jump.
    const dressed = () => (this.#root.style.visibility = '');
    const style = make('link', { rel: 'stylesheet', href: STYLE, onload: dressed, onerror: dressed });
    this.#root.style.visibility = 'hidden';
    this.#status.append(this.#turn, this.#curtain.offer, this.#compose.element, this.#result);
    this.#compose.element.hidden = true;
    this.#root.append(
      this.#banner.element,
      make('div', { className: 'ground' },
        make('div', { className: 'board' }, this.#room.element, this.#board, this.#curtain.element, this.#replay.element),
        this.#status,
        make('div', { className: 'side' }, this.#tabs.element)),
      this.#news,
    );
    this.#root.addEventListener('keydown', (event) => this.key(event));
    shadow.append(style, this.#root);
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.#draw(false));
    let width = 0;
    new ResizeObserver(([entry]) => {
      const wide = this.#width;
      if (Math.abs(entry.contentRect.width) > 0 && wide !== width && this.#game) this.#draw(false);
      width = wide;
    }).observe(this.#root);
  }

  /** The server: the one that sent this script, unless the attribute names another. */
  get server() {
    return this.getAttribute('server') ?? new URL(import.meta.url).origin;
  }

  /** The token of the player who looks. @param {string | null} token */
  set token(token) {
    this.people = token ? [{ id: '', name: '', token }] : [];
  }

  get token() {
    return this.#people[0]?.token ?? null;
  }

  /** The players of this screen. @param {Person[]} people */
  set people(people) {
    this.#people = people;
    if (this.isConnected) this.#start();
  }

  get people() {
    return this.#people;
  }

  /** Opens the stream of a page that has no token. @param {string | null} ticket */
  set ticket(ticket) {
    this.#ticket = ticket;
    if (ticket && this.isConnected) this.#start();
  }

  /** @param {string | null} code */
  set code(code) {
    this.#code = code;
  }

  /** The storage of unanswered requests. @param {Session} session */
  set session(session) {
    this.#session = session;
  }

  get game() {
    return this.#game;
  }

  connectedCallback() {
    // A page may set properties before this script has come: they are the element's own until then.
    for (const name of /** @type {const} */ (['token', 'people', 'ticket', 'session', 'code'])) {
      if (!Object.hasOwn(this, name)) continue;
      const early = /** @type {any} */ (this)[name];
      delete /** @type {any} */ (this)[name];
      Object.assign(this, { [name]: early });
    }
    this.#start();
  }

  disconnectedCallback() {
    this.#opening += 1;
    this.#live?.stop();
  }

  attributeChangedCallback() {
    if (this.isConnected) this.#start();
  }

  /** Opens the game of the attribute. */
  #start() {
    // Properties are often set one after the other: the last one starts.
    const opening = (this.#opening += 1);
    queueMicrotask(() => {
      if (opening === this.#opening) this.#open(opening).catch((error) => this.#banner.fail(error));
    });
  }

  /** Calls as the one who looks. */
  get viewerApi() {
    return this.#viewer?.api ?? this.#api;
  }

  /** @param {number} opening */
  async #open(opening) {
    const id = this.getAttribute('game');
    this.#live?.stop();
    this.#replay.reset();
    this.#room.reset();
    this.#picture.clear();
    this.#compose.close();
    this.#game = null;
    this.#lastTurn = '';
    this.#drawn = null;
    this.#isGuest = false;
    this.#uncover();
    if (!id) return;
    const server = this.server === location.origin ? '' : this.server;
    this.#api = new Api({ server, report: (away) => this.#banner.away(away) });
    this.#session ??= new Session(this.#api);
    await this.#session.resend(`/v1/games/${id}/`);
    const known = await Promise.all(this.people.map((person) => this.#viewerOf(person, id)));
    const seen = known.filter((one) => one !== null);
    if (seen.length === 0 && this.#ticket) return this.#follow(id, this.#ticket);
    const anonymous = { api: this.#api, name: '', token: null, seat: null };
    if (seen.length === 0) {
      const game = await this.#read(anonymous, id);
      if (opening !== this.#opening) return;
      if (!game) return this.#askForCode();
      seen.push({ viewer: anonymous, game });
    }
    if (opening !== this.#opening) return;
    this.#viewers = seen.map(({ viewer }) => viewer);
    const first = seen.find(({ viewer, game }) => viewer.seat !== null && game.toAct.includes(viewer.seat)) ?? seen[0];
    const views = new Set(seen.map(({ game }) => JSON.stringify(game.view)));
    this.#book = await this.#api.get(`/v1/kinds/${first.game.kind}`);
    if (views.size > 1 && first.game.status === 'RUNNING') {
      this.#viewer = first.viewer;
      this.#game = first.game;
      return this.#curtain.cover(first.viewer);
    }
    await this.#view(first.viewer, first.game);
  }

  /** @param {Person} person @param {string} id */
  async #viewerOf({ name, token }, id) {
    /** @type {Viewer} */
    const viewer = { api: this.#api.as(token), name, token, seat: null };
    const game = await this.#read(viewer, id);
    if (!game) return null;
    viewer.seat = game.mySeat ?? null;
    if (viewer.seat !== null) viewer.name = nameOf(game, viewer.seat);
    return { viewer, game };
  }

  /** The game as somebody may see it; null if not at all. @param {Viewer} viewer @param {string} id */
  async #read({ api }, id) {
    try {
      /** @type {Game} */
      const game = await api.get(`/v1/games/${id}`);
      return game;
    } catch (error) {
      if (error instanceof Refused && ['NOT_FOUND', 'UNAUTHENTICATED', 'FORBIDDEN', 'INVALID_INPUT'].includes(error.code)) return null;
      throw error;
    }
  }

  /** Shows the game to one of this screen. @param {Viewer} viewer @param {Game} [known] */
  async #view(viewer, known) {
    const opening = this.#opening;
    const id = /** @type {string} */ (this.getAttribute('game'));
    this.#live?.stop();
    this.#compose.close();
    this.#viewer = viewer;
    const game = known ?? (await this.#read(viewer, id));
    if (!game || opening !== this.#opening) return;
    this.#game = game;
    this.#session?.notice(game);
    this.#uncover();
    if (this.#book) this.#rules.show(game, this.#book, viewer.api);
    await this.#log.read(viewer.api, game);
    if (opening !== this.#opening || viewer !== this.#viewer) return;
    this.#show(false);
    this.#tell('shown', { game });
    if (game.status === 'OVER' || game.status === 'CANCELLED') return;
    this.#live = new Live(viewer.api, id, {
      after: game.version,
      picture: () => (this.#streamed = this.#style),
      change: (change) => this.#changed(change),
      state: (state) => {
        this.#banner.away(state === 'away');
        if (state === 'live') this.#recover().catch(() => null);
      },
    });
    this.#live.start();
  }

  /** Follows the game with a ticket alone: everything comes by the stream, and nothing can be changed.
   * @param {string} id @param {string} ticket */
  #follow(id, ticket) {
    this.#ticket = null;
    const viewer = { api: this.#api, name: '', token: null, seat: null };
    this.#viewer = viewer;
    this.#viewers = [viewer];
    this.#isGuest = true;
    const first = async (/** @type {Schemas['GameChange']} */ change) => {
      this.#book = await this.#api.get(`/v1/kinds/${change.game.kind}`);
      this.#game = change.game;
      this.#rules.show(change.game, /** @type {Schemas['Rulebook']} */ (this.#book), this.#api);
      this.#log.start(change.game, change.version);
      this.#changed(change);
      this.#show(false);
    };
    this.#live = new Live(this.#api, id, {
      after: null,
      ticket,
      picture: () => (this.#streamed = this.#style),
      change: (change) => (this.#game ? this.#changed(change) : void first(change)),
      state: (state) => (state === 'refused' ? this.#tell('ticket', {}) : this.#banner.away(state === 'away')),
    });
    this.#live.start();
  }

  /** @param {Schemas['GameChange']} change */
  #changed(change) {
    this.#drawn = change.picture ? { version: change.version, style: JSON.stringify(this.#streamed), picture: change.picture } : null;
    if (change.resync && this.#viewer && !this.#isGuest) {
      this.#game = change.game;
      this.#show(false);
      this.#log.read(this.#viewer.api, change.game).catch(() => null);
    }
    this.#take(change.game, change.entries);
  }

  /** A newer state of the game, and what led to it. @param {Game} game @param {Schemas['LogEntry'][]} entries */
  #take(game, entries) {
    if (!this.#game || game.id !== this.#game.id || this.#curtain.isDrawn) return;
    const isNewer = game.version > this.#game.version;
    const wasOver = this.#game.status === 'OVER';
    if (game.version >= this.#game.version) this.#game = game;
    const fresh = this.#log.add(this.#game, entries);
    for (const entry of fresh) this.#announce(entry);
    if (fresh.length) this.#tell('move', { game, entries: fresh });
    if (isNewer || fresh.length) this.#show(isNewer);
    if (game.status === 'OVER' && !wasOver) {
      // The end opens everything: what others chose in secret is in the log now.
      if (this.#viewer && !this.#isGuest) this.#log.read(this.#viewer.api, game).then(() => this.#show(false), () => null);
      this.#status.scrollIntoView({ block: 'nearest', behavior: isCalm() ? 'auto' : 'smooth' });
      this.#tell('over', { game, outcome: game.outcome });
    }
  }

  /** @param {Schemas['LogEntry']} entry */
  #announce(entry) {
    const game = /** @type {Game} */ (this.#game);
    const said = sentences(game, entry).join(' ');
    this.#say(entry.what === 'MOVED' ? `Move ${entry.ply}: ${said}` : said);
  }

  /** A line for screen readers. @param {string} text */
  #say(text) {
    this.#news.append(make('p', {}, text));
    while (this.#news.children.length > 20) this.#news.firstElementChild?.remove();
  }

  /** @param {string} name @param {unknown} detail @param {boolean} [cancelable] */
  #tell(name, detail, cancelable = false) {
    return this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true, cancelable }));
  }

  /** Shows everything of the current state. @param {boolean} isMoving whether pieces slide to their new places */
  #show(isMoving) {
    const game = this.#game;
    const viewer = this.#viewer;
    if (!game || !viewer || this.#curtain.isDrawn) return;
    if (viewer.seat === null) viewer.seat = game.mySeat ?? null;
    const isWaiting = game.status === 'OPEN';
    const isOver = game.status === 'OVER' || game.status === 'CANCELLED';
    const isMine = viewer.seat !== null && game.toAct.includes(viewer.seat);
    this.#root.dataset.status = game.status;
    this.#root.dataset.kind = game.kind;
    this.#root.classList.toggle('mine', isMine);
    this.#showTurn(game, viewer, isMine);
    this.#room.element.hidden = !isWaiting;
    if (isWaiting) {
      const opener = this.#log.entries.find(({ what }) => what === 'OPENED')?.playerId;
      const me = viewer.seat === null ? null : game.seats[viewer.seat].player?.id;
      this.#room.wait(game, viewer.seat !== null, me !== null && me === opener);
    }
    this.#board.hidden = isWaiting || game.startedAt === null;
    this.#replay.update(game);
    this.#menu.update(game, viewer.seat, this.#viewers, this.server, this.#replay);
    this.#result.hidden = !isOver;
    if (isOver) {
      explain(this.#result, game, this.#log.ended(game), this.#rules.rules, (id) => this.#ruleLink(id));
      this.#result.append(this.#menu.afterwards);
    }
    this.#curtain.handOver(game, viewer, this.#viewers);
    if (this.#isGuest) this.#replay.element.hidden = true;
    if (isMine && !this.#replay.isPast && !this.#isGuest) this.#compose.open(viewer.api, game);
    else this.#compose.close();
    if (!this.#replay.isPast && !this.#board.hidden) this.#draw(isMoving);
    this.#fillTab(this.#tabs.shown);
  }

  /** @param {Game} game @param {Viewer} viewer @param {boolean} isMine */
  #showTurn(game, viewer, isMine) {
    const others = game.toAct.filter((seat) => seat !== viewer.seat);
    let text = '';
    if (game.status === 'OPEN') text = viewer.seat === null ? 'A seat is free' : 'Waiting for players';
    else if (game.status !== 'RUNNING') text = headline(game, this.#viewers.length > 1 ? null : viewer.seat);
    else if (isMine && this.#viewers.length > 1) text = `${viewer.name}, it is your turn`;
    else if (isMine) text = others.length ? 'Choose, like the others' : 'Your turn';
    else if (others.length) text = `${names(game, others)} ${others.length > 1 ? 'choose' : 'to move'}`;
    this.#turn.textContent = text;
    const turn = JSON.stringify([game.id, game.status, isMine, game.toAct]);
    if (turn === this.#lastTurn) return;
    const isFirst = this.#lastTurn === '';
    this.#lastTurn = turn;
    if (isMine && !isFirst) this.#say(`${text}.`);
    this.#tell('turn', { text, isMine, game, isFirst });
  }

  /** Pictures are drawn in one column below 720 pixels. */
  get #width() {
    const { clientWidth } = this.#board.parentElement ?? this.#board;
    return clientWidth >= 720 ? 1000 : 400;
  }

  /** Shows the picture of the current position, or of the one that replay shows. @param {boolean} isMoving */
  async #draw(isMoving) {
    const game = this.#game;
    const viewer = this.#viewer;
    if (!game || !viewer || game.startedAt === null || this.#curtain.isDrawn) return;
    const drawing = (this.#drawing += 1);
    const { picture: theme, width } = this.#style;
    const known = this.#drawn;
    if (!this.#replay.isPast && known?.version === game.version && known.style === JSON.stringify(this.#style)) {
      this.#picture.show(known.picture, isMoving);
      return this.#compose.relight();
    }
    if (this.#isGuest) return;
    const query = new URLSearchParams({ theme, width });
    if (this.#replay.eyes !== null) query.set('seat', String(this.#replay.eyes));
    const at = this.#replay.isPast ? `/at/${this.#replay.ply}` : '';
    try {
      const picture = await viewer.api.text(`/v1/games/${game.id}${at}/picture.svg?${query}`, 'image/svg+xml');
      this.#isBehind = false;
      if (drawing !== this.#drawing || this.#curtain.isDrawn) return;
      this.#picture.show(picture, isMoving);
      if (!this.#replay.isPast) this.#compose.relight();
    } catch (error) {
      this.#isBehind = error instanceof Away;
      if (drawing === this.#drawing) this.#banner.fail(error);
    }
  }

  /** How pictures are to be drawn, as the stream asks for them. */
  get #style() {
    const theme = this.getAttribute('theme');
    return { picture: theme === 'dark' || (theme !== 'light' && isDark()) ? 'DARK' : 'LIGHT', width: String(this.#width) };
  }

  // Replay.

  #look() {
    this.#show(false);
    // Another seat's picture is another picture: nothing slides from one to the other.
    if (this.#replay.isPast) this.#draw(this.#replay.eyes === this.#lastEyes);
    this.#lastEyes = this.#replay.eyes;
  }

  /** @param {number} ply */
  #caption(ply) {
    const entry = this.#log.at(ply);
    if (!this.#game || ply === 0) return 'The beginning.';
    return entry ? `Move ${ply}: ${sentences(this.#game, entry).join(' ')}` : `After move ${ply}.`;
  }

  /** Arrow keys look back. A page whose only table this is may pass on the keys of its body.
   * @param {KeyboardEvent} event */
  key(event) {
    const target = event.composedPath()[0];
    const isField = target instanceof Element && target.closest('input, select, textarea, [role=tablist], pre, .wide');
    if (!isField && !event.defaultPrevented && !this.#curtain.isDrawn) this.#replay.key(event);
  }

  // Changes.

  /** @param {string} notation */
  async #send(notation) {
    const { api } = /** @type {Viewer} */ (this.#viewer);
    const game = /** @type {Game} */ (this.#game);
    try {
      /** @type {Schemas['Played']} */
      const played = await /** @type {Session} */ (this.#session).send(api, `/v1/games/${game.id}/moves`, { notation, expectedVersion: game.version });
      this.#take(played.game, []);
    } catch (error) {
      // Perhaps the game has changed: it is shown as it is now.
      if (error instanceof Refused) await this.#refresh();
      throw error;
    }
  }

  /** After the server was unreachable: repeats requests without an answer, and shows the missing picture. */
  async #recover() {
    const game = this.#game;
    if (!game) return;
    const path = `/v1/games/${game.id}/`;
    const session = /** @type {Session} */ (this.#session);
    if (session.pending.some((one) => one.path.startsWith(path) && !one.isUnderWay)) {
      await session.resend(path);
      await this.#refresh();
    }
    await this.#compose.retry();
    if (this.#isBehind) await this.#draw(false);
  }

  async #refresh() {
    if (!this.#viewer || !this.#game) return;
    const game = await this.#read(this.#viewer, this.#game.id).catch(() => null);
    if (game) this.#take(game, []);
  }

  /** @param {string} verb @param {unknown} [body] */
  async #change(verb, body) {
    const { api } = /** @type {Viewer} */ (this.#viewer);
    const game = /** @type {Game} */ (this.#game);
    /** @type {Game | Schemas['Played']} */
    const changed = await /** @type {Session} */ (this.#session).send(api, `/v1/games/${game.id}/${verb}`, body);
    this.#take('game' in changed ? changed.game : changed, []);
    if (verb === 'leave') this.#start();
  }

  /** @param {string} name @param {string | null} code */
  async #join(name, code) {
    const shown = /** @type {string} */ (this.getAttribute('game'));
    const { id, person } = await join(/** @type {Session} */ (this.#session), shown, name, code);
    this.people = [person];
    if (id !== shown) this.#openOther(id);
  }

  async #rematch() {
    const seated = this.#viewers.filter(({ seat }) => seat !== null).map(({ api }) => api);
    this.#openOther(await rematch(/** @type {Session} */ (this.#session), /** @type {Game} */ (this.#game), seated, this.#people));
  }

  /** Opens a practice game from the position that replay shows. */
  async #branch() {
    const session = /** @type {Session} */ (this.#session);
    const person = this.#people[0] ?? (await session.iAm('Guest'));
    const mine = this.#replay.eyes ?? this.#viewer?.seat ?? 0;
    const id = await branch(session, /** @type {Game} */ (this.#game), this.#replay.ply, mine, person);
    this.#people = [person];
    this.#openOther(id);
  }

  /** The page may show another game in its own way. @param {string} id */
  #openOther(id) {
    if (this.#tell('open', { game: id }, true)) this.setAttribute('game', id);
  }

  /** @param {() => Promise<void>} act */
  async #try(act) {
    try {
      await act();
    } catch (error) {
      this.#banner.fail(error);
    }
  }

  #askForCode() {
    this.#turn.textContent = 'Sit down';
    this.#board.hidden = true;
    this.#replay.element.hidden = true;
    this.#root.dataset.status = 'HIDDEN';
    this.#room.element.hidden = false;
    this.#room.ask(this.#code);
    this.#tell('turn', { text: 'Sit down', isMine: false, game: null, isFirst: true });
  }

  /** @param {number} seat */
  #lookAs(seat) {
    const viewer = this.#viewers.find((one) => one.seat === seat);
    if (viewer) this.#curtain.cover(viewer);
  }

  /** Nothing of the last player may stay on the screen. @param {Viewer} next */
  #covered(next) {
    this.#live?.stop();
    this.#compose.close();
    this.#picture.clear();
    this.#replay.reset();
    this.#board.hidden = true;
    this.#root.classList.add('covered');
    this.#turn.textContent = `${next.name} is next`;
    fill(this.#text);
    fill(this.#news);
    this.#log.clear();
    this.#moves.close('');
    this.#say(`Pass the screen to ${next.name}.`);
  }

  #uncover() {
    this.#root.classList.remove('covered');
    this.#curtain.open();
  }

  // The tabs.

  /** @param {string} name */
  #fillTab(name) {
    const game = this.#game;
    const viewer = this.#viewer;
    if (!game || !viewer || this.#curtain.isDrawn || this.#isGuest) return;
    if (name === 'moves') {
      const isMine = viewer.seat !== null && game.toAct.includes(viewer.seat);
      if (isMine && !this.#replay.isPast) this.#moves.load(viewer.api, game, this.#book?.notation ?? '').catch(() => null);
      else this.#moves.close(isMine ? 'Go back to now to move.' : 'It is not your turn.');
    }
    if (name === 'text' && game.startedAt !== null) {
      const at = this.#replay.isPast ? `/at/${this.#replay.ply}` : '';
      const seat = this.#replay.eyes === null ? '' : `?seat=${this.#replay.eyes}`;
      viewer.api.text(`/v1/games/${game.id}${at}/text${seat}`).then((text) => {
        if (!this.#curtain.isDrawn) this.#text.textContent = text;
      }, () => null);
    }
  }

  /** Brings a rule into view. @param {string} id */
  showRule(id) {
    this.#tabs.show('rules');
    return this.#rules.reveal(id);
  }

  /** A link to a rule beside the table. @param {string} id */
  #ruleLink(id) {
    return make('a', {
      href: `#${anchor(id)}`, className: 'rule',
      onclick: (/** @type {Event} */ event) => {
        event.preventDefault();
        this.showRule(id);
      },
    }, id);
  }
}
