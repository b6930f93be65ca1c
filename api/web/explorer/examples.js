// Queries that open and play a game step by step. Ids and tokens of earlier responses are filled in.

import { button, fill, make } from '../table/dom.js';
import { load, setToken } from './editor.js';
import { actor, exampleBook, joiner, memory, mover, opener } from './memory.js';
import { byId, indent } from './page.js';
import { selection } from './schema.js';

/**
 * @typedef {object} Example
 * @property {string} title
 * @property {() => string} query
 * @property {() => Record<string, unknown>} variables
 * @property {() => import('./memory.js').Guest | undefined} [who]
 * @property {Record<string, () => unknown>} [needs]
 * @property {HTMLButtonElement} [button]
 */

// The examples, in the order in which they play a game. `who` acts; `needs` names the examples that
// must run before.

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
/** @param {string} text @param {number} depth */
const nested = (text, depth) => text.replaceAll('\n', `\n${indent(depth)}`);

/** @type {Example[]} */
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
    query: () => `# Runs until you stop it, or the game is over. Play a move in another tab meanwhile.
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

/** @param {string} title @param {string} name @returns {Example} */
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

/** The seats of a new game: the first is yours, the others are open. @param {number} count */
const ownSeatOf = (count) => Array.from({ length: count }, (_, seat) => (seat === 0 ? { me: true } : { open: true }));

/** @type {Example | null} */
let current = null;

export function listExamples() {
  const items = EXAMPLES.map((example) => {
    example.button = button(example.title, () => loadExample(example));
    return make('li', {}, example.button);
  });
  fill(byId('examples'), ...items);
  loadExample(EXAMPLES[0]);
}

/** @param {Example} example */
function loadExample(example) {
  load({ query: example.query(), variables: example.variables() });
  const token = example.who?.()?.token;
  if (token) setToken(token);
  mark(example);
  const missing = Object.entries(example.needs ?? {}).find(([, isKnown]) => !isKnown());
  byId('answer-status').textContent = missing
    ? `Run “${missing[0]}” first: this example needs its response.`
    : 'Ready to run.';
}

/** Marks the example that is in the editor. @param {Example | null} example */
export function mark(example) {
  current = example;
  for (const { button } of EXAMPLES) {
    if (button && button === example?.button) button.setAttribute('aria-current', 'step');
    else button?.removeAttribute('aria-current');
  }
}

/** A function that marks the example that is now in the editor as done. */
export function marker() {
  const example = current;
  return () => example?.button?.classList.add('done');
}
