-- Apps: several keys each, their players in a list, and their own words about a game.

SET LOCAL statement_timeout = 0;
SET LOCAL lock_timeout = 0;

-- A leaked key can be replaced without losing the app.
CREATE TABLE app_keys (
    id         uuid        PRIMARY KEY,
    app_id     uuid        NOT NULL REFERENCES apps,
    name       text        NOT NULL,
    -- SHA-256 of the key. The key itself is shown once and not stored.
    hash       bytea       NOT NULL CONSTRAINT one_app_per_key UNIQUE,
    created_at timestamptz NOT NULL,
    revoked_at timestamptz
);
CREATE UNIQUE INDEX one_active_key_per_name ON app_keys (app_id, name) WHERE revoked_at IS NULL;
-- Nobody has the key of the guests' app.
INSERT INTO app_keys (id, app_id, name, hash, created_at, revoked_at)
    SELECT id, id, 'first', key_hash, created_at, revoked_at FROM apps WHERE name <> 'guests';
-- Replicas of the previous build still read it during a deployment; this build does not.
ALTER TABLE apps ALTER COLUMN key_hash DROP NOT NULL;

CREATE INDEX players_of_an_app ON players (app_id, id DESC) WHERE deleted_at IS NULL;

-- An app's own id of a game, and its own JSON about it. Not in `games`, whose rows every move rewrites.
CREATE TABLE game_metadata (
    game_id     uuid    PRIMARY KEY,
    app_id      uuid    NOT NULL,
    external_id text,
    -- JSON, as the app sent it.
    metadata    text,
    -- Counts the changes.
    revision    integer NOT NULL,
    CONSTRAINT one_game_per_external_id UNIQUE (app_id, external_id)
);
