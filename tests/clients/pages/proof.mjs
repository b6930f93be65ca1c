// The proof of records: true ones pass, and each change of one is found.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { prove } from '../../../api/web/lib/proof.js';
import { hex, sha256 } from '../../../api/web/lib/sha256.js';

for (let length = 0; length < 260; length += 1) {
  const message = new Uint8Array(length).map((_, index) => (index * 7 + length) % 256);
  assert.equal(hex(sha256(message)), createHash('sha256').update(message).digest('hex'), `${length} bytes`);
}

const failed = (record, published) => prove(record, published).filter(({ isTrue }) => !isTrue).map(({ name }) => name);
/** The record after a change. */
const changed = (record, change) => {
  const copy = structuredClone(record);
  change(copy);
  return copy;
};

const records = readFileSync(process.argv[2], 'utf8').trim().split('\n').map((line) => JSON.parse(line));
for (const record of records) {
  assert.deepEqual(failed(record), [], record.kind);
  assert.deepEqual(failed(record, record.commitment), [], record.kind);
  assert.deepEqual(failed(record, '0'.repeat(64)), ['published']);
  const last = record.entries.length - 1;
  const changes = {
    'another seed': (copy) => (copy.seed = copy.seed.replace(/^./, (digit) => (digit === '0' ? '1' : '0'))),
    'another game': (copy) => (copy.gameId += '0'),
    'other options': (copy) => (copy.options.more = 1),
    'an earlier time': (copy) => (copy.entries[0].at = '2020-01-01T00:00:00Z'),
    'another seat': (copy) => (copy.entries[last].seat += 1),
    'one entry less': (copy) => copy.entries.pop(),
    'an entry twice': (copy) => copy.entries.push(copy.entries[0]),
    'another winner': (copy) => copy.outcome.winners.push(7),
    'another end': (copy) => (copy.hash = 'f'.repeat(64)),
    'no entries': (copy) => delete copy.entries,
  };
  for (const [name, change] of Object.entries(changes)) {
    assert.notDeepEqual(failed(changed(record, change)), [], `${record.kind}: ${name}`);
  }
  if (record.origin) {
    assert.ok(prove(record).some(({ name, isTrue }) => name === 'origin' && isTrue));
    // The head of the branch covers its parent, which has a chain of its own.
    const forged = changed(record, (copy) => (copy.origin.record.entries[0].at = '2020-01-01T00:00:00Z'));
    assert.deepEqual(failed(forged), ['chain', 'origin']);
  }
}
for (const nonsense of [null, 7, [], {}, { entries: [3] }, { entries: [], seed: 'x' }]) assert.ok(failed(nonsense).length);
console.log(`${records.length} records are true`);
