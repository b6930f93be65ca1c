-- Idempotency keys of requests that make something: a game, a player, a token, a ticket.

-- To copy, rewrite and index long tables takes longer than a request may.
SET LOCAL statement_timeout = 0;
SET LOCAL lock_timeout = 0;

-- The statement that makes the object also writes its key. Keys of changes of a game are in the log.
CREATE TABLE idempotency_keys (
    -- The player or app that sent the request.
    owner_id   uuid        NOT NULL,
    key        text        NOT NULL,
    -- SHA-256 of the request.
    hash       bytea       NOT NULL,
    -- The id of the object; null for a ticket, which has none.
    object_id  uuid,
    created_at timestamptz NOT NULL,
    CONSTRAINT one_object_per_idempotency_key PRIMARY KEY (owner_id, key)
);
CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created_at);

INSERT INTO idempotency_keys (owner_id, key, hash, object_id, created_at)
    SELECT created_by, create_key, create_hash, id, created_at FROM games
    WHERE create_key IS NOT NULL AND create_hash IS NOT NULL;
ALTER TABLE games DROP CONSTRAINT one_game_per_idempotency_key, DROP COLUMN create_key, DROP COLUMN create_hash;

-- A key belongs to the player who sent it, because a seat that is left can be taken by another player. An app has no
-- seat: it can only cancel a game, which happens once.
DROP INDEX one_entry_per_idempotency_key;
CREATE UNIQUE INDEX one_change_per_idempotency_key ON entries (game_id, player_id, key) WHERE key IS NOT NULL;
