-- Apps own players and games; players sit in seats of games; a game's log is its truth.
-- Game id first in every key of what belongs to a game, so that all of it can be spread by game one day.

CREATE TABLE apps (
    id         uuid        PRIMARY KEY,
    name       text        NOT NULL CONSTRAINT app_names_are_unique UNIQUE,
    -- SHA-256 of the key; the key itself is shown once and kept nowhere.
    key_hash   bytea       NOT NULL CONSTRAINT app_keys_are_unique UNIQUE,
    created_at timestamptz NOT NULL,
    revoked_at timestamptz
);

CREATE TABLE players (
    id          uuid        PRIMARY KEY,
    app_id      uuid        NOT NULL REFERENCES apps,
    -- The app's own name for this player.
    external_id text,
    name        text        NOT NULL,
    created_at  timestamptz NOT NULL,
    CONSTRAINT one_player_per_external_id UNIQUE (app_id, external_id)
);

CREATE TABLE tokens (
    id         uuid        PRIMARY KEY,
    player_id  uuid        NOT NULL REFERENCES players,
    hash       bytea       NOT NULL CONSTRAINT tokens_are_unique UNIQUE,
    created_at timestamptz NOT NULL,
    expires_at timestamptz,
    revoked_at timestamptz
);
CREATE INDEX tokens_of_a_player ON tokens (player_id);

CREATE TABLE games (
    id            uuid        PRIMARY KEY,
    app_id        uuid        NOT NULL,
    kind          text        NOT NULL,
    rules_version integer     NOT NULL,
    options       jsonb       NOT NULL,
    seats         smallint    NOT NULL CONSTRAINT a_table_has_one_to_eight_seats CHECK (seats BETWEEN 1 AND 8),
    visibility    text        NOT NULL CONSTRAINT visibility_is_known CHECK (visibility IN ('PUBLIC', 'PRIVATE')),
    status        text        NOT NULL CONSTRAINT status_is_known CHECK (status IN ('OPEN', 'RUNNING', 'OVER', 'CANCELLED')),
    -- Counts the entries of the log; the compare-and-set of every change.
    version       integer     NOT NULL,
    ply           integer     NOT NULL,
    -- Secret until the game is over.
    seed          bytea       NOT NULL,
    join_code     text        CONSTRAINT join_codes_are_unique UNIQUE,
    -- The player who opened it; none if its app did. Whoever it was, created_by is its id.
    created_by    uuid        NOT NULL,
    opener_id     uuid,
    -- Who sits where, with what each added to the game's chance: the list that `seatings` indexes.
    seating       jsonb       NOT NULL,
    -- A cache of what the log leads to. Read back whole, never looked into.
    state         text,
    -- A bit for each seat whose decision the game waits for.
    to_act        smallint    NOT NULL,
    -- For each seat the version at which its present decision opened.
    decisions     jsonb       NOT NULL,
    outcome       jsonb,
    create_key    text,
    create_hash   bytea,
    created_at    timestamptz NOT NULL,
    expires_at    timestamptz,
    started_at    timestamptz,
    ended_at      timestamptz,
    CONSTRAINT one_game_per_idempotency_key UNIQUE (created_by, create_key)
)
-- Every move rewrites its game's row: room on the page lets Postgres do it without touching an index.
WITH (fillfactor = 60);
-- Ids tell the time, so newest first is by id. No index has a column that an ordinary move changes.
CREATE INDEX games_of_an_app ON games (app_id, id DESC);
CREATE INDEX games_of_an_app_by_status ON games (app_id, status, id DESC);
CREATE INDEX open_games_by_expiry ON games (expires_at) WHERE status = 'OPEN';

CREATE TABLE seatings (
    game_id   uuid     NOT NULL REFERENCES games,
    seat      smallint NOT NULL,
    player_id uuid     NOT NULL,
    -- Whether the game is over or cancelled: what is still on must be found fast among thousands that are not.
    is_over   boolean  NOT NULL DEFAULT false,
    CONSTRAINT one_player_per_seat PRIMARY KEY (game_id, seat),
    CONSTRAINT one_seat_per_player UNIQUE (game_id, player_id)
);
CREATE INDEX games_of_a_player ON seatings (player_id, is_over, game_id DESC);

CREATE TABLE entries (
    game_id   uuid        NOT NULL REFERENCES games,
    version   integer     NOT NULL,
    what      text        NOT NULL CONSTRAINT entry_is_known
              CHECK (what IN ('OPENED', 'JOINED', 'LEFT', 'STARTED', 'MOVED', 'RESIGNED', 'CANCELLED', 'EXPIRED')),
    seat      smallint,
    player_id uuid,
    ply       integer     NOT NULL,
    -- A move in notation.
    notation  text,
    -- Whether the decision was made for a seat that has resigned.
    is_auto   boolean     NOT NULL,
    -- Whether only its mover may see the move while the game runs.
    is_secret boolean     NOT NULL,
    events    jsonb       NOT NULL,
    -- The idempotency key of the request that made this entry, and a hash of what it asked for.
    key       text,
    key_hash  bytea,
    at        timestamptz NOT NULL,
    CONSTRAINT versions_are_unique PRIMARY KEY (game_id, version),
    CONSTRAINT one_entry_per_idempotency_key UNIQUE (game_id, seat, key)
);
