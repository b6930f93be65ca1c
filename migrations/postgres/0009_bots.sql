-- Bots: which seats they play for, which moves they made, and which games count apart.

-- To index long tables takes longer than a request may.
SET LOCAL statement_timeout = 0;
SET LOCAL lock_timeout = 0;

ALTER TABLE games
    -- The level of the bot that plays for seats that resign. Null for games begun before there were bots: the moves of
    -- their resigned seats are drawn at random.
    ADD COLUMN stand_in     smallint,
    -- How long a bot waits before it moves, in milliseconds.
    ADD COLUMN bot_pause_ms integer  NOT NULL DEFAULT 0,
    -- A bit for each seat that a bot plays for: its own, or that of a player who resigned.
    ADD COLUMN bot_seats    smallint NOT NULL DEFAULT 0;
-- To find the games that wait for a bot after a crash. Neither column changes with an ordinary move.
CREATE INDEX running_games_with_bots ON games (id) WHERE status = 'RUNNING' AND bot_seats <> 0;

-- Which bot made the move.
ALTER TABLE entries
    ADD COLUMN bot_level   smallint,
    ADD COLUMN bot_version smallint;

-- Whether a bot had a seat from the start: such games have statistics of their own.
ALTER TABLE seatings ADD COLUMN with_bots boolean NOT NULL DEFAULT false;
DROP INDEX answers_about_a_player;
CREATE INDEX answers_about_a_player ON seatings (player_id, game_id DESC)
    INCLUDE (kind, is_public, is_practice, with_bots, is_over, place, result, ended_at);

-- A lease gives one process a task for a short time, so that not all do the same work. Correctness never depends on it.
CREATE TABLE leases (
    task   text        NOT NULL,
    -- A sixteenth of all games, by the first hexadecimal digit of the last byte of their ids.
    slice  smallint    NOT NULL,
    -- A random name of the process.
    holder uuid        NOT NULL,
    until  timestamptz NOT NULL,
    CONSTRAINT one_holder_per_slice PRIMARY KEY (task, slice)
);
