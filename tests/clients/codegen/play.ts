// Two guests play a game of Kalah to its end, by types that graphql-codegen made.
import { graphql } from './generated';
import type { TypedDocumentString } from './generated/graphql';

declare const process: { argv: string[]; exit(code: number): never };

const Register = graphql(`
  mutation Register($input: RegisterPlayerInput!) {
    registerPlayer(input: $input) {
      player {
        id
      }
      token {
        token
      }
    }
  }
`);
const Open = graphql(`
  mutation Open($input: CreateGameInput!) {
    createGame(input: $input) {
      game {
        id
      }
    }
  }
`);
const Join = graphql(`
  mutation Join($input: JoinGameInput!) {
    joinGame(input: $input) {
      game {
        status
      }
    }
  }
`);
const Look = graphql(`
  query Look($id: ID!) {
    game(id: $id) {
      status
      toAct
      legalMoves(limit: 1) {
        items {
          notation
        }
      }
      view {
        __typename
        ... on KalahView {
          pockets
          stores
        }
      }
      outcome {
        winners
      }
    }
  }
`);
const Play = graphql(`
  mutation Play($input: PlayMoveInput!) {
    playMove(input: $input) {
      version
      events {
        text
      }
    }
  }
`);
const Log = graphql(`
  query Log($id: ID!, $after: String) {
    game(id: $id) {
      log(first: 4, after: $after) {
        nodes {
          version
        }
        pageInfo {
          hasNextPage
          endCursor
        }
      }
    }
  }
`);

async function ask<Data, Variables>(
  document: TypedDocumentString<Data, Variables>,
  variables: Variables,
  token = '',
): Promise<Data> {
  const response = await fetch(process.argv[2]!, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify({ query: document.toString(), variables }),
  });
  const { data, errors } = (await response.json()) as { data: Data; errors?: { message: string }[] };
  if (errors) throw new Error(errors.map(({ message }) => message).join(' '));
  return data;
}

async function guest(name: string): Promise<string> {
  const { registerPlayer } = await ask(Register, { input: { name } });
  return registerPlayer.token!.token!;
}

/** The versions of all log entries after a cursor. */
async function versionsAfter(id: string, after: string | null): Promise<number[]> {
  const { game } = await ask(Log, { id, after });
  const { nodes, pageInfo } = game!.log;
  const later = pageInfo.hasNextPage ? await versionsAfter(id, pageInfo.endCursor!) : [];
  return [...nodes.map(({ version }) => version), ...later];
}

async function main() {
  const tokens = [await guest('Asha'), await guest('Ben')];
  const options = { kalah: { pockets: 3, seedsPerPocket: 2 } };
  const { createGame } = await ask(Open, { input: { kind: 'KALAH', options } }, tokens[0]);
  const { id } = createGame.game;
  await ask(Join, { input: { gameId: id } }, tokens[1]);
  let seat = 0;
  let version = 0;
  for (;;) {
    const { game } = await ask(Look, { id }, tokens[seat]);
    if (!game) throw new Error('The game is gone.');
    if (game.view?.__typename !== 'KalahView') throw new Error('This is not Kalah.');
    if (game.status === 'OVER') {
      if (!game.outcome) throw new Error('There is no outcome.');
      break;
    }
    const next = game.toAct[0]!;
    if (next !== seat) {
      seat = next;
      continue;
    }
    const { notation } = game.legalMoves.items[0]!;
    const { playMove } = await ask(Play, { input: { gameId: id, notation } }, tokens[seat]);
    if (!playMove.events[0]?.text) throw new Error('Nothing happened.');
    version = playMove.version;
  }
  const versions = await versionsAfter(id, null);
  if (versions.length !== version || versions.some((entry, index) => entry !== index + 1)) {
    throw new Error(`The log has gaps: ${versions}`);
  }
  console.log(`over after ${version} entries`);
}

main().catch((error) => {
  console.log(error);
  process.exit(1);
});
