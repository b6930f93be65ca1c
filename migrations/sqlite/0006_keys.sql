-- Idempotency keys of requests that make something: a game, a player, a token, a ticket.

-- The transaction that makes the object also writes its key. Keys of changes of a game are in the log.
CREATE TABLE idempotency_keys (
    -- The player or app that sent the request.
    owner_id   blob    NOT NULL,
    key        text    NOT NULL,
    -- SHA-256 of the request.
    hash       blob    NOT NULL,
    -- The id of the object; null for a ticket, which has none.
    object_id  blob,
    created_at integer NOT NULL,
    CONSTRAINT one_object_per_idempotency_key PRIMARY KEY (owner_id, key)
) STRICT;
CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created_at);

INSERT INTO idempotency_keys (owner_id, key, hash, object_id, created_at)
    SELECT created_by, create_key, create_hash, id, created_at FROM games
    WHERE create_key IS NOT NULL AND create_hash IS NOT NULL;

-- SQLite drops a column that has a constraint only with the table, and a table only if no other refers to it.
CREATE TABLE new_games (
    id            blob        PRIMARY KEY,
    app_id        blob        NOT NULL,
    kind          text        NOT NULL,
    rules_version integer     NOT NULL,
    options       text        NOT NULL,
    seats         integer     NOT NULL CONSTRAINT a_table_has_one_to_eight_seats CHECK (seats BETWEEN 1 AND 8),
    visibility    text        NOT NULL CONSTRAINT visibility_is_known CHECK (visibility IN ('PUBLIC', 'PRIVATE')),
    status        text        NOT NULL CONSTRAINT status_is_known CHECK (status IN ('OPEN', 'RUNNING', 'OVER', 'CANCELLED')),
    -- Counts the entries of the log; the compare-and-set of every change.
    version       integer     NOT NULL,
    ply           integer     NOT NULL,
    -- Secret until the game is over.
    seed          blob        NOT NULL,
    join_code     text        CONSTRAINT join_codes_are_unique UNIQUE,
    -- The player who opened it; none if its app did. Whoever it was, created_by is its id.
    created_by    blob        NOT NULL,
    opener_id     blob,
    -- Who sits where, with what each added to the game's chance: the list that `seatings` indexes.
    seating       text        NOT NULL,
    -- The position as JSON, as it was kept before `position`. Read back whole, never looked into.
    state         text,
    -- A bit for each seat whose decision the game waits for.
    to_act        integer     NOT NULL,
    -- For each seat the version at which its present decision opened.
    decisions     text        NOT NULL,
    outcome       text,
    created_at    integer     NOT NULL,
    expires_at    integer,
    started_at    integer,
    ended_at      integer,
    -- For a practice game that goes on from a position of another: which game, and after which ply.
    origin        text,
    -- The game after which this one is played again by the same people.
    rematch_of    blob,
    -- A cache of what the log leads to, in few bytes. Where it is null, `state` has the same.
    position      blob
) STRICT;
INSERT INTO new_games (id, app_id, kind, rules_version, options, seats, visibility, status, version, ply, seed,
        join_code, created_by, opener_id, seating, state, to_act, decisions, outcome, created_at, expires_at, started_at,
        ended_at, origin, rematch_of, position)
    SELECT id, app_id, kind, rules_version, options, seats, visibility, status, version, ply, seed,
        join_code, created_by, opener_id, seating, state, to_act, decisions, outcome, created_at, expires_at, started_at,
        ended_at, origin, rematch_of, position
    FROM games;

CREATE TABLE new_seatings (
    game_id     blob    NOT NULL REFERENCES new_games,
    seat        integer NOT NULL,
    player_id   blob    NOT NULL,
    -- Whether the game is over or cancelled: what is still on must be found fast among thousands that are not.
    is_over     integer NOT NULL DEFAULT 0,
    kind        text    NOT NULL,
    is_public   integer NOT NULL,
    is_practice integer NOT NULL,
    -- None while the game is on, and for ever if it was called off.
    place       integer,
    result      text    CONSTRAINT result_is_known CHECK (result IN ('WON', 'SHARED', 'DRAWN', 'LOST')),
    -- When the game was over or called off.
    ended_at    integer,
    CONSTRAINT one_player_per_seat PRIMARY KEY (game_id, seat),
    CONSTRAINT one_seat_per_player UNIQUE (game_id, player_id)
) STRICT;
INSERT INTO new_seatings (game_id, seat, player_id, is_over, kind, is_public, is_practice, place, result, ended_at)
    SELECT game_id, seat, player_id, is_over, kind, is_public, is_practice, place, result, ended_at FROM seatings;

DROP TABLE seatings;
DROP TABLE games;
ALTER TABLE new_games RENAME TO games;
ALTER TABLE new_seatings RENAME TO seatings;

CREATE INDEX games_of_an_app ON games (app_id, id DESC);
CREATE INDEX games_of_an_app_by_status ON games (app_id, status, id DESC);
CREATE INDEX open_games_by_expiry ON games (expires_at) WHERE status = 'OPEN';
CREATE INDEX games_of_an_app_by_kind ON games (app_id, kind, id DESC);
CREATE INDEX games_of_an_app_by_kind_and_status ON games (app_id, kind, status, id DESC);
CREATE INDEX games_of_an_app_by_end ON games (app_id, ended_at) WHERE ended_at IS NOT NULL;
CREATE INDEX public_games_of_an_app ON games (app_id, id DESC, kind, status) WHERE visibility = 'PUBLIC';
CREATE UNIQUE INDEX one_rematch_per_game ON games (rematch_of) WHERE rematch_of IS NOT NULL AND status <> 'CANCELLED';
CREATE INDEX games_of_a_player ON seatings (player_id, is_over, game_id DESC);
CREATE INDEX answers_about_a_player ON seatings
    (player_id, game_id DESC, kind, is_public, is_practice, is_over, place, result, ended_at);

-- A key belongs to the player who sent it, because a seat that is left can be taken by another player. An app has no
-- seat: it can only cancel a game, which happens once.
DROP INDEX one_entry_per_idempotency_key;
CREATE UNIQUE INDEX one_change_per_idempotency_key ON entries (game_id, player_id, key) WHERE key IS NOT NULL;
