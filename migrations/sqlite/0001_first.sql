-- The same tables as for Postgres: ids are blobs, times are microseconds since 1970, JSON is text.
--
-- Apps own players and games; players sit in seats of games; a game's log is its truth.
-- Game id first in every key of what belongs to a game, so that all of it can be spread by game one day.

CREATE TABLE apps (
    id         blob        PRIMARY KEY,
    name       text        NOT NULL CONSTRAINT app_names_are_unique UNIQUE,
    -- SHA-256 of the key; the key itself is shown once and kept nowhere.
    key_hash   blob        NOT NULL CONSTRAINT app_keys_are_unique UNIQUE,
    created_at integer     NOT NULL,
    revoked_at integer
) STRICT;

CREATE TABLE players (
    id          blob        PRIMARY KEY,
    app_id      blob        NOT NULL REFERENCES apps,
    -- The app's own name for this player.
    external_id text,
    name        text        NOT NULL,
    created_at  integer     NOT NULL,
    CONSTRAINT one_player_per_external_id UNIQUE (app_id, external_id)
) STRICT;

CREATE TABLE tokens (
    id         blob        PRIMARY KEY,
    player_id  blob        NOT NULL REFERENCES players,
    hash       blob        NOT NULL CONSTRAINT tokens_are_unique UNIQUE,
    created_at integer     NOT NULL,
    expires_at integer,
    revoked_at integer
) STRICT;
CREATE INDEX tokens_of_a_player ON tokens (player_id);

CREATE TABLE games (
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
    -- A cache of what the log leads to. Read back whole, never looked into.
    state         text,
    -- A bit for each seat whose decision the game waits for.
    to_act        integer     NOT NULL,
    -- For each seat the version at which its present decision opened.
    decisions     text        NOT NULL,
    outcome       text,
    create_key    text,
    create_hash   blob,
    created_at    integer     NOT NULL,
    expires_at    integer,
    started_at    integer,
    ended_at      integer,
    CONSTRAINT one_game_per_idempotency_key UNIQUE (created_by, create_key)
) STRICT;
-- Ids tell the time, so newest first is by id. No index has a column that an ordinary move changes.
CREATE INDEX games_of_an_app ON games (app_id, id DESC);
CREATE INDEX games_of_an_app_by_status ON games (app_id, status, id DESC);
CREATE INDEX open_games_by_expiry ON games (expires_at) WHERE status = 'OPEN';

CREATE TABLE seatings (
    game_id   blob     NOT NULL REFERENCES games,
    seat      integer  NOT NULL,
    player_id blob     NOT NULL,
    -- Whether the game is over or cancelled: what is still on must be found fast among thousands that are not.
    is_over   integer  NOT NULL DEFAULT 0,
    CONSTRAINT one_player_per_seat PRIMARY KEY (game_id, seat),
    CONSTRAINT one_seat_per_player UNIQUE (game_id, player_id)
) STRICT;
CREATE INDEX games_of_a_player ON seatings (player_id, is_over, game_id DESC);

CREATE TABLE entries (
    game_id   blob        NOT NULL REFERENCES games,
    version   integer     NOT NULL,
    what      text        NOT NULL CONSTRAINT entry_is_known
              CHECK (what IN ('OPENED', 'JOINED', 'LEFT', 'STARTED', 'MOVED', 'RESIGNED', 'CANCELLED', 'EXPIRED')),
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
