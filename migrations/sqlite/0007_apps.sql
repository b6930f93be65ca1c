-- Apps: several keys each, their players in a list, and their own words about a game.

-- A leaked key can be replaced without losing the app.
CREATE TABLE app_keys (
    id         blob    PRIMARY KEY,
    app_id     blob    NOT NULL REFERENCES apps,
    name       text    NOT NULL,
    -- SHA-256 of the key. The key itself is shown once and not stored.
    hash       blob    NOT NULL CONSTRAINT one_app_per_key UNIQUE,
    created_at integer NOT NULL,
    revoked_at integer
) STRICT;
CREATE UNIQUE INDEX one_active_key_per_name ON app_keys (app_id, name) WHERE revoked_at IS NULL;
-- Nobody has the key of the guests' app.
INSERT INTO app_keys (id, app_id, name, hash, created_at, revoked_at)
    SELECT id, id, 'first', key_hash, created_at, revoked_at FROM apps WHERE name <> 'guests';

-- SQLite drops a unique column only with its table. Until the rows are back, other tables refer to missing apps.
PRAGMA defer_foreign_keys = ON;
CREATE TABLE old_apps (id blob, name text, created_at integer, revoked_at integer) STRICT;
INSERT INTO old_apps (id, name, created_at, revoked_at) SELECT id, name, created_at, revoked_at FROM apps;
DROP TABLE apps;
CREATE TABLE apps (
    id         blob    PRIMARY KEY,
    name       text    NOT NULL CONSTRAINT app_names_are_unique UNIQUE,
    created_at integer NOT NULL,
    revoked_at integer
) STRICT;
INSERT INTO apps (id, name, created_at, revoked_at) SELECT id, name, created_at, revoked_at FROM old_apps;
DROP TABLE old_apps;

CREATE INDEX players_of_an_app ON players (app_id, id DESC) WHERE deleted_at IS NULL;

-- An app's own id of a game, and its own JSON about it. Not in `games`, whose rows every move rewrites.
CREATE TABLE game_metadata (
    game_id     blob    PRIMARY KEY,
    app_id      blob    NOT NULL,
    external_id text,
    -- JSON, as the app sent it.
    metadata    text,
    -- Counts the changes.
    revision    integer NOT NULL,
    CONSTRAINT one_game_per_external_id UNIQUE (app_id, external_id)
) STRICT;
