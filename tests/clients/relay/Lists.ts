// Every list of the schema as a Relay app pages through it.
import { graphql } from 'relay-runtime';

graphql`
  query ListsQuery($player: ID!, $game: ID!) {
    ...Lists_games
    ...Lists_players
    ...Lists_tokens @arguments(player: $player)
    me {
      ...Lists_mine
      ...Lists_inbox
    }
    game(id: $game) {
      ...Lists_log
    }
  }
`;

graphql`
  fragment Lists_games on Query
  @argumentDefinitions(first: { type: "Int", defaultValue: 20 }, after: { type: "String" })
  @refetchable(queryName: "ListsGamesQuery") {
    games(first: $first, after: $after) @connection(key: "Lists_games") {
      edges {
        node {
          id
          toAct
        }
      }
    }
  }
`;

graphql`
  fragment Lists_players on Query
  @argumentDefinitions(first: { type: "Int", defaultValue: 20 }, after: { type: "String" })
  @refetchable(queryName: "ListsPlayersQuery") {
    players(first: $first, after: $after) @connection(key: "Lists_players") {
      edges {
        node {
          id
          externalId
        }
      }
    }
  }
`;

graphql`
  fragment Lists_tokens on Query
  @argumentDefinitions(player: { type: "ID!" }, first: { type: "Int", defaultValue: 20 }, after: { type: "String" })
  @refetchable(queryName: "ListsTokensQuery") {
    tokens(playerId: $player, first: $first, after: $after) @connection(key: "Lists_tokens") {
      edges {
        node {
          id
          expiresAt
        }
      }
    }
  }
`;

graphql`
  fragment Lists_mine on Me
  @argumentDefinitions(first: { type: "Int", defaultValue: 20 }, after: { type: "String" }) {
    games(first: $first, after: $after) @connection(key: "Lists_mine_games") {
      edges {
        node {
          id
        }
      }
    }
  }
`;

graphql`
  fragment Lists_inbox on Me
  @argumentDefinitions(first: { type: "Int", defaultValue: 20 }, after: { type: "String" }) {
    inbox(first: $first, after: $after) @connection(key: "Lists_inbox") {
      edges {
        node {
          id
          myDecision
        }
      }
    }
  }
`;

// A game is a Node: Relay refetches it by its id.
graphql`
  fragment Lists_log on Game
  @argumentDefinitions(first: { type: "Int", defaultValue: 50 }, after: { type: "String" })
  @refetchable(queryName: "ListsLogQuery") {
    log(first: $first, after: $after) @connection(key: "Lists_log") {
      edges {
        node {
          version
          notation
          events {
            text
          }
        }
      }
    }
  }
`;

graphql`
  mutation ListsOpenMutation($input: CreateGameInput!, $connections: [ID!]!) {
    createGame(input: $input) {
      game @prependNode(connections: $connections, edgeTypeName: "GameEdge") {
        id
      }
    }
  }
`;

graphql`
  subscription ListsChangedSubscription($id: ID!) {
    gameChanged(id: $id) {
      version
      game {
        id
        toAct
      }
    }
  }
`;
