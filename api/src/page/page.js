// The start page: first steps, a table to try, and an explorer for GraphQL.
//
// It contains no rules: views, turns and legal moves come from the API, so a new kind needs no change here. Text from
// the server is inserted as text, never as markup.

// Helpers for the DOM.

const byId = (id) => document.getElementById(id);

/** Makes an element. Strings become text nodes, so that a name cannot be a script. */
function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name.includes('-')) element.setAttribute(name, value);
    else element[name] = value;
  }
  element.append(...children);
  return element;
}

function button(label, onclick, properties = {}) {
  return make('button', { type: 'button', onclick, ...properties }, label);
}

const pretty = (value) => JSON.stringify(value, null, 2);

/** Shows JSON with syntax colours. Every token is inserted as text. */
function showJson(element, value) {
  const sorts = { key: /^".*":$/s, string: /^"/, number: /^-?\d/, word: /^(?:true|false|null)$/ };
  const tokens = pretty(value).split(/("(?:[^"\\]|\\.)*":?|-?\d[\d.eE+-]*|\b(?:true|false|null)\b)/);
  const pieces = tokens.map((token) => {
    const sort = Object.keys(sorts).find((name) => sorts[name].test(token));
    return sort ? make('span', { className: `json-${sort}` }, token) : token;
  });
  element.replaceChildren(...pieces);
}

/** Scrolls to an element, smoothly unless the reader prefers reduced motion. */
function bringUp(element) {
  const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches;
  element.scrollIntoView({ behavior: isCalm ? 'auto' : 'smooth', block: 'start' });
}

async function copy(text, source) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  // Browsers offer the clipboard to secure pages only. From a phone in the same network this page is not one.
  getSelection().selectAllChildren(source);
  document.execCommand('copy');
}

// Requests.

/** An error response, with its code. */
class Refused extends Error {
  constructor(code, message, rule) {
    super(message);
    this.code = code;
    this.rule = rule;
  }
}

async function send(path, { method = 'GET', token, body, accept = 'application/json', more = {} } = {}) {
  const headers = { Accept: accept, ...more };
  if (token) headers.Authorization = `Bearer ${token}`;
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  try {
    return await fetch(path, { method, headers, body: body === undefined ? undefined : JSON.stringify(body) });
  } catch (error) {
    // A network failure, or a token with characters that no header can carry.
    throw new Refused('NOT_SENT', `The request could not be sent: ${error.message}`);
  }
}

/** Calls the REST API. Returns the response body, or throws the refusal. */
async function rest(path, request) {
  const response = await send(path, request);
  const answer = await response.json().catch(() => null);
  if (response.ok) return answer;
  throw new Refused(answer?.code ?? `HTTP ${response.status}`, answer?.detail ?? response.statusText, answer?.rule);
}

const post = (path, token, body) => rest(path, { method: 'POST', token, body });

/** Calls the GraphQL API. Returns status and body, also of errors: the explorer shows both. */
async function graphql(query, variables, token, more) {
  const accept = 'application/graphql-response+json, application/json;q=0.9';
  const response = await send('/graphql', { method: 'POST', token, body: { query, variables }, accept, more });
  const text = await response.text();
  try {
    return { response, size: new Blob([text]).size, answer: JSON.parse(text) };
  } catch {
    throw new Refused(`HTTP ${response.status}`, text || response.statusText);
  }
}

function socketAddress() {
  const address = new URL('/graphql', location.href);
  address.protocol = address.protocol.replace('http', 'ws');
  return address;
}

/**
 * Subscribes by graphql-transport-ws, on a socket of its own. Browsers cannot send headers with a WebSocket, so they go
 * into its first message. Returns a function that unsubscribes; nothing is reported after that.
 */
function subscribe(query, variables, headers, { begin, next, error, end }) {
  const socket = new WebSocket(socketAddress(), 'graphql-transport-ws');
  const say = (message) => socket.send(JSON.stringify(message));
  const finish = (report, ...facts) => {
    Object.assign(socket, { onmessage: null, onclose: null });
    socket.close();
    report?.(...facts);
  };
  const answers = {
    connection_ack: () => {
      begin();
      say({ type: 'subscribe', id: '1', payload: { query, variables } });
    },
    ping: () => say({ type: 'pong' }),
    next: ({ payload }) => next(payload),
    error: ({ payload }) => finish(error, payload),
    complete: () => finish(end, 'Complete'),
  };
  socket.onopen = () => say({ type: 'connection_init', payload: headers });
  socket.onmessage = ({ data }) => {
    const message = JSON.parse(data);
    answers[message.type]?.(message);
  };
  socket.onclose = ({ code, reason }) => finish(end, `Closed: ${code} ${reason}`.trim());
  return () => finish();
}

/** Shows errors with their codes. An empty list clears the element. */
function showRefusals(place, refusals) {
  place.replaceChildren(
    ...refusals.map(({ code, message, rule }) =>
      make('p', { className: 'trouble' }, make('code', {}, code), rule ? ` ${rule}: ` : ' ', message),
    ),
  );
}

/** Shows any error. Bugs of the page itself have no code. */
function showTrouble(place, error) {
  showRefusals(place, [{ code: error.code ?? 'PAGE', message: error.message, rule: error.rule }]);
}

// The catalogue of kinds, used by the first steps, the table and the examples.

let rulebooks = [];

/** The first kind for two players, for examples with two guests. */
const exampleBook = () => rulebooks.find((book) => book.leastSeats <= 2) ?? rulebooks[0];

// First steps.

/** Fills this server's address and a kind into the curl commands. */
function fillSteps() {
  const facts = { origin: location.origin, kind: exampleBook()?.kind ?? 'KIND' };
  for (const code of document.querySelectorAll('.steps code')) {
    code.textContent = code.textContent.replace(/\{(origin|kind)\}/g, (_, name) => facts[name]);
    code.parentElement.after(copyButton(code));
  }
}

function copyButton(code) {
  const label = code.parentElement.getAttribute('aria-label');
  const copied = button(
    'Copy',
    async () => {
      await copy(code.textContent, code);
      copied.textContent = 'Copied';
      setTimeout(() => (copied.textContent = 'Copy'), 1500);
    },
    { className: 'copy', 'aria-label': `Copy: ${label}`, 'aria-live': 'polite' },
  );
  return copied;
}

// The table: one person plays every seat, through the REST API.

const GUEST_NAMES = ['Ada', 'Bo', 'Cleo', 'Dev', 'Eli', 'Fay', 'Gus', 'Hana'];

const table = {
  game: null, // as `seat` sees it
  guests: [], // by seat: { id, name, token }
  seat: 0, // the seat whose view is shown, and which acts
  moves: [],
  logs: {}, // what each seat has read of the log
  log: null, // the one of them that is shown
  isBusy: false,
  isAuto: false,
};

const guestName = (seat) => table.guests[seat]?.name ?? `Seat ${seat}`;
const guestNames = (seats) => seats.map(guestName).join(', ');
const tableBook = () => rulebooks.find((book) => book.kind === byId('table-kind').value);

function offerKinds() {
  byId('table-kind').replaceChildren(...rulebooks.map((book) => make('option', { value: book.kind }, book.title)));
  offerSeats();
}

function offerSeats() {
  const book = tableBook();
  if (!book) return;
  const counts = Array.from({ length: book.mostSeats - book.leastSeats + 1 }, (_, more) => book.leastSeats + more);
  byId('table-seats').replaceChildren(...counts.map((count) => make('option', { value: count }, String(count))));
  byId('table-summary').textContent = book.summary;
}

/** Runs one action at a time, and shows its error. */
async function atTable(act) {
  if (table.isBusy) return;
  table.isBusy = true;
  byId('table-open').disabled = true;
  showRefusals(byId('table-trouble'), []);
  try {
    await act();
  } catch (error) {
    stopAuto();
    showTrouble(byId('table-trouble'), error);
    await lookAgain();
  } finally {
    table.isBusy = false;
    byId('table-open').disabled = false;
  }
}

async function registerGuest(name) {
  const { player, token } = await post('/v1/players', undefined, { name });
  if (!token) throw new Refused('FORBIDDEN', 'This server does not allow guests.');
  return { id: player.id, name: player.name, token: token.token };
}

/** The seats of a new game: the first is yours, the others are open. */
const ownSeatOf = (count) => Array.from({ length: count }, (_, seat) => (seat === 0 ? { me: true } : { open: true }));

/** Opens a game and fills its seats. It is private, so that nobody else joins. */
async function openTable() {
  stopAuto();
  const seats = Number(byId('table-seats').value);
  const names = Array.from({ length: seats }, (_, seat) => GUEST_NAMES[seat] ?? `Guest ${seat}`);
  const guests = await Promise.all(names.map(registerGuest));
  const [opener, ...others] = guests;
  const ask = { kind: byId('table-kind').value, seats: ownSeatOf(seats), visibility: 'PRIVATE' };
  let game = await post('/v1/games', opener.token, ask);
  const { joinCode } = game;
  for (const guest of others) game = await post('/v1/join', guest.token, { code: joinCode });
  Object.assign(table, { game, guests, seat: 0, moves: [], logs: {}, log: null });
  byId('table').hidden = false;
  await look();
}

/** Loads everything that the table shows, as a seat that is to act if there is one. */
async function look(seat = table.game.toAct.includes(table.seat) ? table.seat : (table.game.toAct[0] ?? table.seat)) {
  const { token } = table.guests[seat];
  const path = `/v1/games/${table.game.id}`;
  const [game, moves] = await Promise.all([rest(path, { token }), rest(`${path}/legal-moves`, { token })]);
  const news = await readLog(game, seat);
  Object.assign(table, { game, seat, moves: moves.items });
  showTurn();
  showPeople();
  showMoves(moves.complete);
  showView();
  showLog(news);
  showOutcome();
}

/** The log as a seat reads it: others' secret moves are hidden from it until the game is over, so it is read again then. */
const logOf = (game, seat) => (table.logs[`${seat} ${game.status === 'OVER'}`] ??= { version: 0, lines: [] });

/** Reads on in the log of a seat. Returns the new lines, newest first. */
async function readLog(game, seat) {
  const log = logOf(game, seat);
  const news = [];
  let page;
  do {
    const path = `/v1/games/${game.id}/log?first=100&after=${log.version}`;
    page = await rest(path, { token: table.guests[seat].token });
    news.unshift(...page.items.map(drawEntry).reverse());
    log.version = page.endCursor ?? log.version;
  } while (page.hasMore);
  log.lines.unshift(...news);
  return news;
}

function showLog(news) {
  const log = logOf(table.game, table.seat);
  if (log === table.log) byId('table-log').prepend(...news);
  else byId('table-log').replaceChildren(...log.lines);
  table.log = log;
}

/** Reloads after an error: the game may have changed elsewhere, in the explorer or a shell. */
async function lookAgain() {
  if (!table.game) return;
  try {
    table.game = await rest(`/v1/games/${table.game.id}`, { token: table.guests[table.seat].token });
    await look();
  } catch {
    // The error of the first request is already shown.
  }
}

async function play(notation) {
  const { game } = table;
  const ask = { notation, expectedVersion: game.version };
  const played = await post(`/v1/games/${game.id}/moves`, table.guests[table.seat].token, ask);
  table.game = played.game;
  await look();
}

async function playAny() {
  if (table.moves.length === 0) return stopAuto();
  const any = table.moves[Math.floor(Math.random() * table.moves.length)];
  await play(any.notation);
}

async function toggleAuto() {
  if (table.isAuto) return stopAuto();
  table.isAuto = true;
  byId('table-auto').setAttribute('aria-pressed', 'true');
  while (table.isAuto && table.game.status === 'RUNNING') {
    await atTable(playAny);
    // A short pause, so that one can follow the moves.
    await new Promise((resolve) => setTimeout(resolve, 60));
  }
  stopAuto();
}

function stopAuto() {
  table.isAuto = false;
  byId('table-auto').setAttribute('aria-pressed', 'false');
}

function showTurn() {
  const { toAct, status, ply } = table.game;
  const waits =
    toAct.length > 1 ? `${guestNames(toAct)} choose simultaneously.` : `it is ${guestNames(toAct)}’s turn.`;
  byId('table-turn').textContent = toAct.length ? `Move ${ply + 1}: ${waits}` : `The game is ${status.toLowerCase()}.`;
}

function showPeople() {
  const people = table.guests.map((guest, seat) => {
    const acts = table.game.toAct.includes(seat);
    return button(`${guest.name}, seat ${seat}`, () => atTable(() => look(seat)), {
      className: acts ? 'acts' : '',
      title: acts ? 'to act' : '',
      'aria-pressed': String(seat === table.seat),
    });
  });
  replaceKeepingFocus(byId('table-people'), people);
}

function showMoves(isComplete) {
  const moves = table.moves.map(({ notation, text }) =>
    button(text, () => atTable(() => play(notation)), { title: `Notation: ${notation}` }),
  );
  const note = noteOnMoves(isComplete);
  replaceKeepingFocus(byId('table-moves'), note ? [...moves, make('p', { className: 'quiet' }, note)] : moves);
  byId('table-random').disabled = moves.length === 0;
  byId('table-auto').disabled = table.game.status !== 'RUNNING';
}

function noteOnMoves(isComplete) {
  if (!isComplete) return `Only the first ${table.moves.length} moves are listed.`;
  if (table.moves.length) return '';
  return table.game.status === 'RUNNING' ? `The game does not wait for ${guestName(table.seat)}.` : 'The game is over.';
}

/** Replaced buttons lose the keyboard focus: it goes to the new button in the same place. */
function replaceKeepingFocus(place, children) {
  const at = [...place.children].indexOf(document.activeElement);
  place.replaceChildren(...children);
  if (at >= 0) (place.children[at] ?? place.querySelector('button'))?.focus({ preventScroll: true });
}

function showView() {
  const { view } = table.game;
  const { type: _, ...facts } = view ?? {};
  byId('view-title').textContent = `View of ${guestName(table.seat)}`;
  byId('log-title').textContent = `What ${guestName(table.seat)} saw`;
  byId('table-view').replaceChildren(draw(facts));
  showJson(byId('table-json'), view);
}

function drawEntry({ what, seat, notation, secret, events }) {
  const who = seat === null ? 'The game' : guestName(seat);
  const mv = notation === null ? '' : make('code', {}, notation);
  const line = make('li', {}, make('strong', {}, who), ` ${what.toLowerCase()}${secret ? ' in secret' : ''} `, mv);
  line.append(...events.map(({ text }) => make('div', {}, text)));
  return line;
}

function showOutcome() {
  const { outcome } = table.game;
  const place = byId('table-outcome');
  place.hidden = !outcome;
  if (!outcome) return;
  const { winners, places, ending, details } = outcome;
  const { type: _, ...score } = details ?? {};
  const result = { 0: 'A draw.', 1: `${guestNames(winners)} wins.` }[winners.length] ?? `${guestNames(winners)} win.`;
  const book = rulebooks.find((book) => book.kind === table.game.kind);
  const earlier = book?.earlierVersions.find(({ rulesVersion }) => rulesVersion === table.game.rulesVersion);
  const rule = (earlier ?? book)?.rules.find((rule) => rule.id === ending);
  const reason = [rule?.text, rule?.decision && `Not a printed rule: ${rule.why}`].filter(Boolean).join(' ');
  const ranking = places.map((rank, seat) => `${guestName(seat)} ${rank}`).join(', ');
  place.replaceChildren(
    make('h3', {}, result),
    make('p', {}, make('code', {}, ending), ` ${reason}`),
    make('p', {}, `Places: ${ranking}.`),
    draw(score),
  );
}

/** Copies the table's guests and game to the explorer. */
function exploreTable() {
  memory.guests = [...table.guests];
  memory.game = table.game;
  memory.moves = table.moves;
  memory.played = null;
  showGuests();
  loadExample(EXAMPLES.find((example) => example.title === 'View the game'));
  bringUp(byId('explorer'));
}

// Rendering JSON for people: the table shows the view of any kind this way.

const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
const isPlain = (value) => typeof value !== 'object' || value === null;

/** seedsPerPocket → seeds per pocket */
const inWords = (name) => name.replace(/([a-z\d])([A-Z])/g, '$1 $2').toLowerCase();

function draw(value) {
  if (isPlain(value)) return drawPlain(value);
  if (!Array.isArray(value)) return drawObject(value);
  if (value.length === 0) return make('span', { className: 'quiet' }, 'none');
  if (value.every(isPlain)) return make('span', { className: 'row' }, ...value.map(drawPlain));
  return isTabular(value) ? drawTable(value) : drawList(value);
}

function drawPlain(value) {
  const words = { null: '–', true: 'yes', false: 'no' };
  return make('span', { className: 'cell' }, words[value] ?? String(value));
}

/** Small values flow in a line; values with parts get their own lines. */
function drawObject(object) {
  const isSmall = (value) => [value].flat().every(isPlain);
  const pairs = Object.entries(object).map(([name, value]) =>
    make(
      'div',
      { className: isSmall(value) ? 'fact' : 'facts' },
      make('dt', {}, inWords(name)),
      make('dd', {}, draw(value)),
    ),
  );
  return make('dl', {}, ...pairs);
}

/** Lists are numbered from 0, as seats and places are. */
function drawList(list) {
  return make('ol', { start: 0, className: 'drawn' }, ...list.map((item) => make('li', {}, draw(item))));
}

const columnsOf = (objects) => [...new Set(objects.flatMap(Object.keys))];

/** Whether objects are small and flat enough for the rows of a table. */
function isTabular(list) {
  const isShort = (value) => isPlain(value) || (Array.isArray(value) && value.length <= 4 && value.every(isPlain));
  return list.every((item) => isObject(item) && Object.values(item).every(isShort)) && columnsOf(list).length <= 6;
}

function drawTable(objects) {
  const names = columnsOf(objects);
  const head = make('tr', {}, ...names.map((name) => make('th', { scope: 'col' }, inWords(name))));
  const rows = objects.map((object) =>
    make('tr', {}, ...names.map((name) => make('td', {}, draw(object[name] ?? null)))),
  );
  // Many objects have their number as the first field; the others are numbered from 0.
  const numbers = new Set(objects.map((object) => object[names[0]]).filter(Number.isInteger));
  if (numbers.size < objects.length) {
    head.prepend(make('th', { scope: 'col' }, '#'));
    rows.forEach((row, index) => row.prepend(make('th', { scope: 'row' }, String(index))));
  }
  return make('table', {}, make('thead', {}, head), make('tbody', {}, ...rows));
}

// The schema, by introspection.

const INTROSPECTION = `
  query Schema {
    __schema {
      queryType { name }
      mutationType { name }
      subscriptionType { name }
      types {
        kind name description
        fields { name description args { ...input } type { ...ref } }
        inputFields { ...input }
        enumValues { name description }
        interfaces { name }
        possibleTypes { name }
      }
    }
  }
  fragment input on __InputValue { name description defaultValue type { ...ref } }
  fragment ref on __Type {
    kind name
    ofType { kind name ofType { kind name ofType { kind name
      ofType { kind name ofType { kind name ofType { kind name } } } } } }
  }`;

const schema = { types: new Map(), roots: [] };

async function readSchema() {
  const { answer } = await graphql(INTROSPECTION);
  if (!answer.data) throw new Refused(answer.errors?.[0]?.extensions?.code, answer.errors?.[0]?.message);
  const { types, queryType, mutationType, subscriptionType } = answer.data.__schema;
  schema.roots = [queryType, mutationType, subscriptionType].map((root) => root?.name);
  const ours = types.filter(({ name }) => !name.startsWith('__'));
  // The roots come first.
  const rank = ({ name }) => (schema.roots.includes(name) ? schema.roots.indexOf(name) : schema.roots.length);
  ours.sort((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name));
  schema.types = new Map(ours.map((type) => [type.name, type]));
}

/** The name of a type without its list and non-null wrappings. */
const leafOf = (ref) => (ref.ofType ? leafOf(ref.ofType) : ref.name);
const isRequired = ({ type, defaultValue }) => type.kind === 'NON_NULL' && defaultValue === null;

/** A type as the schema writes it, its name a link; or as plain text if `link` is String. */
function typeParts(ref, link) {
  if (ref.kind === 'NON_NULL') return [...typeParts(ref.ofType, link), '!'];
  if (ref.kind === 'LIST') return ['[', ...typeParts(ref.ofType, link), ']'];
  return [link(ref.name)];
}

const typeText = (ref) => typeParts(ref, String).join('');
// The address holds the chosen type, so that the browser's Back returns to the previous type.
const typeLink = (name) => make('a', { href: `#type/${name}` }, name);
const typeLinks = (ref) => make('span', { className: 'type' }, ...typeParts(ref, typeLink));

/** The text that the search matches: names and descriptions of a type, its fields and values. */
function searchText(type) {
  const parts = [...(type.fields ?? []), ...(type.inputFields ?? []), ...(type.enumValues ?? [])];
  return [type, ...parts]
    .map(({ name, description }) => `${name} ${description ?? ''}`)
    .join(' ')
    .toLowerCase();
}

function listTypes() {
  const words = byId('schema-search').value.toLowerCase().split(/\s+/).filter(Boolean);
  const found = [...schema.types.values()].filter((type) => words.every((word) => searchText(type).includes(word)));
  const inName = ({ name }) => words.length > 0 && words.some((word) => name.toLowerCase().includes(word));
  found.sort((a, b) => inName(b) - inName(a));
  byId('schema-types').replaceChildren(
    ...found.map(({ name, kind }) =>
      make('li', {}, typeLink(name), make('small', {}, inWords(kind).replace('_', ' '))),
    ),
  );
  byId('schema-count').textContent = `${found.length} of ${schema.types.size} types`;
  markChosenType();
}

const chosenType = () => schema.types.get(location.hash.replace(/^#type\//, ''));

function markChosenType() {
  const chosen = chosenType()?.name ?? schema.roots[0];
  for (const link of byId('schema-types').querySelectorAll('a')) {
    if (link.textContent === chosen) link.setAttribute('aria-current', 'true');
    else link.removeAttribute('aria-current');
  }
}

/** Shows the type in the address. The browser handles other fragments. */
function followAddress() {
  const type = chosenType();
  if (!type) return;
  showType(type);
  markChosenType();
  const article = byId('schema-type');
  article.focus({ preventScroll: true });
  if (article.getBoundingClientRect().top < 0 || article.getBoundingClientRect().top > innerHeight / 2)
    bringUp(article);
}

function showType(type) {
  const { kind, name, description, fields, inputFields, enumValues, interfaces, possibleTypes } = type;
  byId('schema-type').replaceChildren(
    make('h3', {}, name, ' ', make('small', {}, inWords(kind).replace('_', ' '))),
    make('p', {}, description ?? ''),
    typeNames('Possible types:', possibleTypes),
    typeNames('Implements', interfaces),
    make(
      'dl',
      { className: 'fields' },
      ...(fields ?? []).flatMap((field) => describeField(type, field)),
      ...(inputFields ?? []).flatMap(describeInput),
      ...(enumValues ?? []).flatMap((value) => described(make('code', {}, value.name), value.description)),
    ),
  );
}

function typeNames(label, types) {
  if (!types?.length) return '';
  const links = types.flatMap(({ name }) => [typeLink(name), ' ']);
  return make('p', { className: 'type' }, `${label} `, ...links);
}

const described = (term, description, ...more) => [make('dt', {}, term), make('dd', {}, description ?? '', ...more)];

function describeField(type, field) {
  const isRoot = schema.roots.includes(type.name);
  const name = isRoot
    ? button(field.name, () => insertSkeleton(type, field), { className: 'insert', title: 'Put into the explorer' })
    : make('code', {}, field.name);
  const term = make('span', {}, name, ': ', typeLinks(field.type));
  if (field.args.length === 0) return described(term, field.description);
  return described(term, field.description, make('dl', { className: 'args' }, ...field.args.flatMap(describeInput)));
}

function describeInput({ name, type, defaultValue, description }) {
  const term = make('span', {}, make('code', {}, name), ': ', typeLinks(type));
  if (defaultValue !== null) term.append(' = ', make('code', {}, defaultValue));
  return described(term, description);
}

// Writing queries from the schema.

const indent = (depth) => '  '.repeat(depth);

/** The fields of a type that need no arguments, down to some depth, as lines. */
function selection(typeName, levels, depth) {
  const type = schema.types.get(typeName);
  if (!type || levels === 0) return [];
  if (type.kind === 'UNION') return variantSelection(type, levels, depth);
  // A record exists only when the game is over.
  const lines = (type.fields ?? [])
    .filter(({ name, args }) => args.length === 0 && name !== 'record')
    .flatMap((field) => fieldSelection(field, levels, depth));
  return type.kind === 'INTERFACE' ? [`${indent(depth)}__typename`, ...lines] : lines;
}

function fieldSelection(field, levels, depth) {
  const leaf = schema.types.get(leafOf(field.type));
  if (leaf.kind === 'SCALAR' || leaf.kind === 'ENUM') return [indent(depth) + field.name];
  return braced(indent(depth) + field.name, selection(leaf.name, levels - 1, depth + 1), depth);
}

/** Of a union with one type per kind, the type of the current game; without a game, all types. */
function variantSelection(union, levels, depth) {
  const names = union.possibleTypes.map(({ name }) => name);
  const kind = (memory.game?.kind ?? '').replaceAll('_', '').toLowerCase();
  const fitting = names.filter((name) => kind && name.toLowerCase().startsWith(kind));
  const variants = (fitting.length ? fitting : names).flatMap((name) =>
    braced(`${indent(depth)}... on ${name}`, selection(name, levels, depth + 1), depth),
  );
  return [`${indent(depth)}__typename`, ...variants];
}

const braced = (head, lines, depth) => (lines.length ? [`${head} {`, ...lines, `${indent(depth)}}`] : []);

/** A query that runs: required arguments as variables, and the plain fields of the result. */
function skeleton(root, field) {
  const required = field.args.filter(isRequired);
  const declared = required.map(({ name, type }) => `$${name}: ${typeText(type)}`).join(', ');
  const passed = required.map(({ name }) => `${name}: $${name}`).join(', ');
  const operation = ['query', 'mutation', 'subscription'][schema.roots.indexOf(root.name)];
  const title = field.name[0].toUpperCase() + field.name.slice(1);
  const call = indent(1) + field.name + (passed && `(${passed})`);
  const body = braced(call, selection(leafOf(field.type), 2, 2), 1);
  const query = [`${operation} ${title}${declared && `(${declared})`} {`, ...(body.length ? body : [call]), '}'].join(
    '\n',
  );
  const variables = Object.fromEntries(required.map((arg) => [arg.name, sample(arg, leafOf(field.type))]));
  return { query, variables };
}

/** A value for an argument: a known value of that name, or else a simple one of its type. */
function sample({ name, type }, answerType) {
  if (type.kind === 'NON_NULL') return sample({ name, type: type.ofType }, answerType);
  if (type.kind === 'LIST') return [];
  const known = knownValue(name, answerType);
  if (known !== undefined) return known;
  const { kind, enumValues, inputFields } = schema.types.get(type.name);
  if (kind === 'ENUM') return enumValues[0].name;
  if (kind === 'INPUT_OBJECT') return sampleObject(inputFields, answerType);
  return { Int: 0, Float: 0, Boolean: false }[type.name] ?? '';
}

/** The required fields, and other fields with a known value, such as an id or a move. */
function sampleObject(fields, answerType) {
  const wanted = fields.filter((field) => isRequired(field) || knownValue(field.name, answerType) !== undefined);
  return Object.fromEntries(wanted.map((field) => [field.name, sample(field, answerType)]));
}

function knownValue(name, answerType) {
  const guest = memory.guests.at(-1);
  const known = {
    id: { Player: guest?.id, Rulebook: exampleBook()?.kind }[answerType] ?? memory.game?.id,
    gameId: memory.game?.id,
    playerId: guest?.id,
    kind: exampleBook()?.kind,
    notation: memory.moves[0]?.notation,
    name: answerType === 'RegisterPlayerPayload' ? 'Ada' : undefined,
  };
  return known[name];
}

function insertSkeleton(root, field) {
  load(skeleton(root, field));
  markExample(null);
  bringUp(byId('explorer'));
  byId('query').focus({ preventScroll: true });
}

// Values from earlier responses, to fill into later examples. Kept until the page is closed.

const memory = {
  guests: [], // { id, name, token }, in the order of registering
  game: null, // the last one, with the fields that were selected
  moves: [], // the last legal moves
  played: null, // { notation, token } of the last move
};

const isGame = (value) => typeof value?.id === 'string' && value.id.startsWith('game_');

/** Stores the guests, the game and its moves from a response. Lists are ignored: they also have other games. */
function remember(data, variables, token) {
  for (const value of Object.values(data ?? {})) {
    if (value?.player?.id && value.token?.token) rememberGuest(value);
    const game = isGame(value) ? value : value?.game;
    if (isGame(game)) rememberGame(game);
  }
  if (data?.playMove && variables?.input?.notation) memory.played = { notation: variables.input.notation, token };
}

function rememberGuest({ player, token }) {
  memory.guests.push({ id: player.id, name: player.name ?? player.id, token: token.token });
  showGuests();
}

function rememberGame(game) {
  const isSame = memory.game?.id === game.id;
  memory.game = isSame ? { ...memory.game, ...game } : game;
  if (!isSame) memory.played = null;
  if (!isSame || game.legalMoves) memory.moves = game.legalMoves?.items ?? [];
}

const opener = () => memory.guests.at(-2) ?? memory.guests.at(-1);
const joiner = () => memory.guests.at(-1);

/** The guest whom the game waits for. */
function actor() {
  const { toAct, seats } = memory.game ?? {};
  const sitting = seats?.find(({ seat }) => toAct?.includes(seat))?.player?.id;
  return memory.guests.find(({ id }) => id === sitting) ?? opener();
}

/** The guest who made the last move. */
const mover = () => memory.guests.find(({ token }) => token === memory.played?.token);

function showGuests() {
  const buttons = memory.guests.slice(-6).map((guest) => button(`Act as ${guest.name}`, () => setToken(guest.token)));
  byId('guests').replaceChildren(...buttons);
}

// The examples, in the order in which they play a game. `who` acts; `needs` names the examples that must run before.

const GAME_FIELDS = `id
    kind
    status
    version
    toAct
    seats {
      seat
      player {
        id
        name
      }
    }`;

const gameId = () => memory.game?.id ?? 'game_…';
const nested = (text, depth) => text.replaceAll('\n', `\n${indent(depth)}`);

const EXAMPLES = [
  {
    title: 'List the kinds',
    query: () => `query Kinds {
  kinds {
    kind
    title
    summary
    leastSeats
    mostSeats
    notation
    options {
      name
      text
      default
    }
    rules {
      id
      text
      decision
      why
    }
    changes {
      rulesVersion
      text
    }
  }
}`,
    variables: () => ({}),
  },
  registering('Register a guest', 'Ada'),
  registering('Register another', 'Bo'),
  {
    title: 'Open a game',
    who: opener,
    needs: { 'Register a guest': () => opener() },
    query: () => `mutation Open($input: CreateGameInput!) {
  createGame(input: $input) {
    game {
      ${nested(GAME_FIELDS, 1)}
    }
  }
}`,
    variables: () => ({ input: { kind: exampleBook()?.kind, seats: ownSeatOf(Math.max(2, exampleBook()?.leastSeats ?? 2)) } }),
  },
  {
    title: 'Join the game',
    who: joiner,
    needs: { 'Register another': () => memory.guests.length > 1, 'Open a game': () => memory.game },
    query: () => `mutation Join($input: JoinGameInput!) {
  joinGame(input: $input) {
    game {
      ${nested(GAME_FIELDS, 1)}
    }
  }
}`,
    variables: () => ({ input: { gameId: gameId() } }),
  },
  {
    title: 'View the game',
    who: actor,
    needs: { 'Open a game': () => memory.game },
    query: () => `query Look($id: ID!) {
  game(id: $id) {
    ${GAME_FIELDS}
    mySeat
${viewSelection()}
    legalMoves {
      complete
      items {
        notation
        text
      }
    }
  }
}`,
    variables: () => ({ id: gameId() }),
  },
  {
    title: 'Play a move',
    who: actor,
    needs: { 'View the game': () => memory.moves.length },
    query: playing,
    variables: () => ({ input: { gameId: gameId(), notation: memory.moves[0]?.notation ?? '…' } }),
  },
  {
    title: 'Explain an illegal move',
    who: mover,
    needs: { 'Play a move': () => memory.played },
    query: () => `# The move that was just made, once more.
query Explain($id: ID!, $notation: String!) {
  game(id: $id) {
    explain(notation: $notation) {
      legal
      code
      rule
      text
    }
  }
}`,
    variables: () => ({ id: gameId(), notation: memory.played?.notation ?? '…' }),
  },
  {
    title: 'Make an illegal move',
    who: mover,
    needs: { 'Play a move': () => memory.played },
    query: playing,
    variables: () => ({ input: { gameId: gameId(), notation: memory.played?.notation ?? '…' } }),
  },
  {
    title: 'Read the log',
    who: actor,
    needs: { 'Open a game': () => memory.game },
    query: () => `query Log($id: ID!) {
  game(id: $id) {
    log(first: 50) {
      nodes {
        version
        what
        seat
        notation
        events {
          text
        }
        at
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
}`,
    variables: () => ({ id: gameId() }),
  },
  {
    title: 'Follow the game',
    who: actor,
    needs: { 'Open a game': () => memory.game },
    query: () => `# Runs until you stop it, or the game is over. Play on at the table above meanwhile.
subscription Follow($id: ID!) {
  gameChanged(id: $id) {
    version
    entries {
      what
      seat
      notation
      events {
        text
      }
    }
    game {
      ${nested(GAME_FIELDS, 1)}
    }
  }
}`,
    variables: () => ({ id: gameId() }),
  },
  {
    title: 'Read my inbox',
    who: actor,
    needs: { 'Register a guest': () => opener() },
    query: () => `query Inbox {
  me {
    player {
      name
    }
    inbox {
      nodes {
        id
        kind
        version
        myDecision
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
}`,
    variables: () => ({}),
  },
  {
    title: 'Resign',
    who: actor,
    needs: { 'Open a game': () => memory.game },
    query: () => `mutation Resign($input: ResignInput!) {
  resign(input: $input) {
    events {
      text
    }
    game {
      ${nested(GAME_FIELDS, 1)}
      outcome {
        ending
        winners
        places
      }
    }
  }
}`,
    variables: () => ({ input: { gameId: gameId() } }),
  },
];

function registering(title, name) {
  return {
    title,
    query: () => `mutation Register($input: RegisterPlayerInput!) {
  registerPlayer(input: $input) {
    player {
      id
      name
    }
    token {
      token
      expiresAt
    }
  }
}`,
    variables: () => ({ input: { name } }),
  };
}

function playing() {
  return `mutation Play($input: PlayMoveInput!) {
  playMove(input: $input) {
    version
    events {
      text
    }
    game {
      ${nested(GAME_FIELDS, 1)}
      legalMoves {
        items {
          notation
          text
        }
      }
      outcome {
        ending
        winners
        places
      }
    }
  }
}`;
}

/** All fields of a view of this kind, from the schema. */
function viewSelection() {
  const lines = selection('View', 5, 3);
  return ['    view {', ...(lines.length ? lines : ['      __typename']), '    }'].join('\n');
}

function listExamples() {
  const items = EXAMPLES.map((example) => {
    example.button = button(example.title, () => loadExample(example));
    return make('li', {}, example.button);
  });
  byId('examples').replaceChildren(...items);
}

function loadExample(example) {
  load({ query: example.query(), variables: example.variables() });
  const token = example.who?.()?.token;
  if (token) setToken(token);
  markExample(example);
  const missing = Object.entries(example.needs ?? {}).find(([, isKnown]) => !isKnown());
  byId('answer-status').textContent = missing
    ? `Run “${missing[0]}” first: this example needs its response.`
    : 'Ready to run.';
}

let currentExample = null;

function markExample(current) {
  currentExample = current;
  for (const example of EXAMPLES) {
    if (example === current) example.button.setAttribute('aria-current', 'step');
    else example.button.removeAttribute('aria-current');
  }
}

// The explorer's editor.

function load({ query, variables }) {
  byId('query').value = query;
  byId('variables').value = Object.keys(variables ?? {}).length ? pretty(variables) : '';
}

/** Inserts text. Only the deprecated execCommand keeps the browser's undo history. */
function typeIn(area, text) {
  if (!document.execCommand('insertText', false, text))
    area.setRangeText(text, area.selectionStart, area.selectionEnd, 'end');
}

/** Tab indents, unless Escape was pressed before: keyboard users must be able to leave the field. */
function editKeys(area) {
  let leaves = false;
  area.addEventListener('keydown', (event) => {
    const isBare = !event.ctrlKey && !event.metaKey && !event.altKey && !event.shiftKey;
    if (isBare && event.key === 'Tab' && !leaves) {
      event.preventDefault();
      typeIn(area, indent(1));
    }
    if (isBare && event.key === 'Enter' && !event.isComposing) {
      event.preventDefault();
      breakLine(area);
    }
    leaves = event.key === 'Escape';
  });
}

/** A new line keeps the indentation, and indents after an opening bracket. */
function breakLine(area) {
  const before = area.value.slice(0, area.selectionStart);
  const margin = before.slice(before.lastIndexOf('\n') + 1).match(/^ */)[0];
  const isOpen = /[{([]\s*$/.test(before);
  const isBeforeCloser = /^[})\]]/.test(area.value.slice(area.selectionEnd));
  typeIn(area, `\n${margin}${isOpen ? indent(1) : ''}`);
  if (!isOpen || !isBeforeCloser) return;
  const cursor = area.selectionStart;
  typeIn(area, `\n${margin}`);
  area.setSelectionRange(cursor, cursor);
}

// The token is kept in the session storage of this tab: not in a cookie, and not for the next visit.

const TOKEN_KEY = 'maidan.token';

function setToken(token) {
  byId('token').value = token;
  keepToken();
}

function keepToken() {
  try {
    sessionStorage.setItem(TOKEN_KEY, byId('token').value);
  } catch {
    // A browser may forbid storage. Then only the field holds the token.
  }
}

function recallToken() {
  try {
    byId('token').value = sessionStorage.getItem(TOKEN_KEY) ?? '';
  } catch {
    // As above.
  }
}

// Running queries.

const pastQueries = [];
const HISTORY_LENGTH = 20;

/** Ends the subscription that runs in the explorer, if there is one. */
let unsubscribe = null;

function stop() {
  unsubscribe?.();
  unsubscribe = null;
  byId('run').textContent = 'Run';
}

async function run() {
  if (byId('run').disabled) return;
  if (unsubscribe) {
    byId('answer-status').textContent += ' · stopped';
    return stop();
  }
  byId('run').disabled = true;
  showRefusals(byId('answer-trouble'), []);
  byId('answer-token').replaceChildren();
  byId('answer-status').textContent = 'Running…';
  try {
    await runQuery();
  } catch (error) {
    byId('answer').replaceChildren();
    byId('answer-status').textContent = 'No response.';
    showTrouble(byId('answer-trouble'), error);
  } finally {
    byId('run').disabled = false;
  }
  // On a narrow screen the response is below the fields.
  const title = byId('answer-title');
  if (title.getBoundingClientRect().top > innerHeight * 0.8) bringUp(title);
}

async function runQuery() {
  const query = byId('query').value;
  const variables = readJson('variables');
  const headers = readJson('headers');
  const token = byId('token').value.trim();
  if (isSubscription(query)) return follow(query, variables, headers, token);
  const example = currentExample;
  const began = performance.now();
  const { response, answer, size } = await graphql(query, variables, token, headers);
  const took = Math.round(performance.now() - began);
  const status = `${response.status} ${response.statusText} · ${took} ms · ${size} bytes`;
  byId('answer-status').textContent = status;
  showJson(byId('answer'), answer);
  showErrors(answer.errors ?? []);
  if (!answer.errors && example) example.button.classList.add('done');
  offerToken(answer.data);
  remember(answer.data, variables, token);
  keepHistory({ query, variables, status });
}

/** Whether a document is a subscription, by its text outside of all braces. */
function isSubscription(query) {
  const bare = query.replace(/"""[^]*?"""|"(?:[^"\\\n]|\\.)*"|#.*/g, '');
  let depth = 0;
  let outside = '';
  for (const character of bare) {
    if (character === '{') depth += 1;
    if (depth === 0) outside += character;
    if (character === '}') depth -= 1;
  }
  return /\bsubscription\b/.test(outside);
}

const MESSAGES_SHOWN = 50;

/** Runs a subscription, and shows its messages, the newest first, until it ends or is stopped. */
function follow(query, variables, headers, token) {
  const example = currentExample;
  const messages = [];
  let count = 0;
  const showStatus = (state) => {
    byId('answer-status').textContent = `${state} · ${count} ${count === 1 ? 'message' : 'messages'}`;
  };
  const end = (state) => {
    stop();
    showStatus(state);
    keepHistory({ query, variables, status: byId('answer-status').textContent });
  };
  byId('answer').replaceChildren();
  byId('run').textContent = 'Stop';
  showStatus('Connecting…');
  const credentials = { ...headers, ...(token && { Authorization: `Bearer ${token}` }) };
  unsubscribe = subscribe(query, variables, credentials, {
    begin: () => showStatus('Subscribed'),
    next: (answer) => {
      count += 1;
      messages.unshift(answer);
      messages.length = Math.min(messages.length, MESSAGES_SHOWN);
      showJson(byId('answer'), messages);
      showErrors(answer.errors ?? []);
      remember(answer.data, variables, token);
      example?.button.classList.add('done');
      showStatus('Subscribed');
    },
    error: (errors) => {
      end('Refused');
      showErrors(errors);
    },
    end,
  });
}

/** The JSON object in a field; an empty field is an empty object. */
function readJson(field) {
  const text = byId(field).value.trim();
  try {
    const value = text ? JSON.parse(text) : {};
    if (isObject(value)) return value;
  } catch (error) {
    throw new Refused(field.toUpperCase(), `The ${field} are not valid JSON: ${error.message}`);
  }
  throw new Refused(field.toUpperCase(), `The ${field} are not a JSON object.`);
}

function showErrors(errors) {
  const refusals = errors.map(({ message, extensions }) => ({
    message,
    code: extensions?.code ?? 'ERROR',
    rule: extensions?.rule,
  }));
  showRefusals(byId('answer-trouble'), refusals);
}

function offerToken(data) {
  const made = Object.values(data ?? {}).find((value) => value?.token?.token);
  if (!made) return;
  const name = made.player?.name ?? 'this player';
  const offer = button(`Use ${name}’s token`, () => {
    setToken(made.token.token);
    offer.textContent = 'Copied to the token field';
  });
  byId('answer-token').replaceChildren(offer);
}

function keepHistory(asked) {
  const isSame = (other) => other.query === asked.query && pretty(other.variables) === pretty(asked.variables);
  const before = pastQueries.findIndex(isSame);
  if (before >= 0) pastQueries.splice(before, 1);
  pastQueries.unshift(asked);
  pastQueries.length = Math.min(pastQueries.length, HISTORY_LENGTH);
  const items = pastQueries.map((past) =>
    make(
      'li',
      {},
      button(titleOf(past), () => recall(past)),
      make('small', {}, past.status),
    ),
  );
  byId('history').replaceChildren(...items);
  byId('history-empty').hidden = true;
}

/** The operation's name and variables, which distinguish queries better than their text. */
function titleOf({ query, variables }) {
  const name = query.match(/\b(?:query|mutation|subscription)\s+(\w+)/)?.[1] ?? query.replace(/\s+/g, ' ').slice(0, 40);
  const values = Object.keys(variables).length ? ` ${JSON.stringify(variables)}` : '';
  return `${name}${values}`.slice(0, 90);
}

function recall(past) {
  load(past);
  markExample(null);
  byId('query').focus();
}

// Startup.

function listen() {
  byId('table-kind').addEventListener('change', offerSeats);
  byId('table-form').addEventListener('submit', (event) => {
    event.preventDefault();
    atTable(openTable);
  });
  byId('table-random').addEventListener('click', () => atTable(playAny));
  byId('table-auto').addEventListener('click', toggleAuto);
  byId('table-explore').addEventListener('click', exploreTable);
  byId('run').addEventListener('click', run);
  byId('token').addEventListener('input', keepToken);
  byId('token-clear').addEventListener('click', () => setToken(''));
  byId('schema-search').addEventListener('input', listTypes);
  addEventListener('hashchange', followAddress);
  ['query', 'variables', 'headers'].map(byId).forEach(editKeys);
  byId('explorer').addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    run();
  });
}

async function openKinds() {
  try {
    rulebooks = await rest('/v1/kinds');
    offerKinds();
  } catch (error) {
    showTrouble(byId('table-trouble'), error);
  }
  fillSteps();
}

async function openSchema() {
  try {
    await readSchema();
    showType(chosenType() ?? schema.types.get(schema.roots[0]));
    listTypes();
    followAddress();
  } catch (error) {
    showTrouble(byId('schema-type'), error);
  }
}

listen();
recallToken();
listExamples();
loadExample(EXAMPLES[0]);
openKinds();
openSchema();
