// Apollo Client asks by hash first. Told that the server does not store queries, it sends the query itself, and never
// asks by hash again.
import { ApolloClient, HttpLink, InMemoryCache, gql } from '@apollo/client/core';
import { PersistedQueryLink } from '@apollo/client/link/persisted-queries';
import { createHash } from 'node:crypto';

const sent = [];
const http = new HttpLink({
  uri: process.argv[2],
  fetch: (url, options) => {
    sent.push('query' in JSON.parse(options.body) ? 'query' : 'hash');
    return fetch(url, options);
  },
});
const hashed = new PersistedQueryLink({ sha256: (text) => createHash('sha256').update(text).digest('hex') });
const client = new ApolloClient({ link: hashed.concat(http), cache: new InMemoryCache() });
const one = await client.query({ query: gql`{ kinds { kind } }` });
const two = await client.query({ query: gql`{ kinds { title } }` });
console.log(one.data.kinds[0].kind, two.data.kinds[0].title, sent.join(' '));
