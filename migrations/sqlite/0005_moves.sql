-- A move writes what it needs, and no more.

-- A cache of what the log leads to, in few bytes. Where it is null, `state` has the same as JSON, as it was kept before;
-- whoever writes the one empties the other.
ALTER TABLE games ADD COLUMN position blob;

-- Entries are stored by the change of their game, so it is there: nothing is left to look up. Most entries have no key.
-- The log lies in the order in which it is read. SQLite changes a table's constraints only with the table.
CREATE TABLE new_entries (
    game_id   blob        NOT NULL,
    version   integer     NOT NULL,
    what      text        NOT NULL CONSTRAINT entry_is_known
              CHECK (what IN ('OPENED', 'JOINED', 'LEFT', 'STARTED', 'MOVED', 'RESIGNED', 'CANCELLED', 'EXPIRED', 'SEEDED')),
    seat      integer,
    player_id blob,
    ply       integer     NOT NULL,
    -- A move in notation.
    notation  text,
    -- Whether the decision was made for a seat that has resigned.
    is_auto   integer     NOT NULL,
    -- Whether only its mover may see the move while the game runs.
    is_secret integer     NOT NULL,
    events    text        NOT NULL,
    -- The idempotency key of the request that made this entry, and a hash of what it asked for.
    key       text,
    key_hash  blob,
    at        integer     NOT NULL,
    CONSTRAINT versions_are_unique PRIMARY KEY (game_id, version)
) STRICT, WITHOUT ROWID;
INSERT INTO new_entries (game_id, version, what, seat, player_id, ply, notation, is_auto, is_secret, events, key, key_hash, at)
    SELECT game_id, version, what, seat, player_id, ply, notation, is_auto, is_secret, events, key, key_hash, at FROM entries;
DROP TABLE entries;
ALTER TABLE new_entries RENAME TO entries;
CREATE UNIQUE INDEX one_entry_per_idempotency_key ON entries (game_id, seat, key) WHERE key IS NOT NULL;
