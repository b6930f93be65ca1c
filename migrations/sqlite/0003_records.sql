-- Players add to the chance of their game before it starts, and the log says that they did. SQLite changes a check only
-- with its table.
CREATE TABLE new_entries (
    game_id   blob        NOT NULL REFERENCES games,
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
    CONSTRAINT versions_are_unique PRIMARY KEY (game_id, version),
    CONSTRAINT one_entry_per_idempotency_key UNIQUE (game_id, seat, key)
) STRICT;
INSERT INTO new_entries (game_id, version, what, seat, player_id, ply, notation, is_auto, is_secret, events, key, key_hash, at)
    SELECT game_id, version, what, seat, player_id, ply, notation, is_auto, is_secret, events, key, key_hash, at FROM entries;
DROP TABLE entries;
ALTER TABLE new_entries RENAME TO entries;

-- For a practice game that goes on from a position of another: which game, and after which ply.
ALTER TABLE games ADD COLUMN origin text;
