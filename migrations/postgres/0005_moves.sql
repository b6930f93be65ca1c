-- A move writes what it needs, and no more.

-- To index a long log takes longer than a request may.
SET LOCAL statement_timeout = 0;
SET LOCAL lock_timeout = 0;

-- A cache of what the log leads to, in few bytes. Where it is null, `state` has the same as JSON, as it was kept before;
-- whoever writes the one empties the other.
ALTER TABLE games ADD COLUMN position bytea;

-- Entries are stored by the statement that changes their game, so it is there: nothing is left to look up.
ALTER TABLE entries DROP CONSTRAINT entries_game_id_fkey;

-- Most entries have no key.
ALTER TABLE entries DROP CONSTRAINT one_entry_per_idempotency_key;
CREATE UNIQUE INDEX one_entry_per_idempotency_key ON entries (game_id, seat, key) WHERE key IS NOT NULL;
