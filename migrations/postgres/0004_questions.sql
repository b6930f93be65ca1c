-- What people ask: whose games, against whom, with what result. Rematches. Players who are gone.

-- To fill and index long tables takes longer than a request may.
SET LOCAL statement_timeout = 0;
SET LOCAL lock_timeout = 0;

-- A seat knows all that is asked about its player's games, so that one index can answer. What does not change is
-- written when the seat is taken; `place`, `result` and `ended_at` by the statement that ends the game.
ALTER TABLE seatings
    ADD COLUMN kind        text     NOT NULL DEFAULT '',
    ADD COLUMN is_public   boolean  NOT NULL DEFAULT false,
    ADD COLUMN is_practice boolean  NOT NULL DEFAULT false,
    -- None while the game is on, and for ever if it was called off.
    ADD COLUMN place       smallint,
    ADD COLUMN result      text     CONSTRAINT result_is_known CHECK (result IN ('WON', 'SHARED', 'DRAWN', 'LOST')),
    -- When the game was over or called off.
    ADD COLUMN ended_at    timestamptz;
UPDATE seatings s SET
    kind = g.kind,
    is_public = g.visibility = 'PUBLIC',
    is_practice = g.origin IS NOT NULL,
    place = (g.outcome -> 'places' ->> s.seat::integer)::smallint,
    result = CASE
        WHEN g.outcome IS NULL THEN NULL
        WHEN g.outcome -> 'winners' = '[]' THEN 'DRAWN'
        WHEN NOT g.outcome -> 'winners' @> to_jsonb(s.seat) THEN 'LOST'
        WHEN jsonb_array_length(g.outcome -> 'winners') > 1 THEN 'SHARED'
        ELSE 'WON'
    END,
    ended_at = g.ended_at
FROM games g WHERE g.id = s.game_id;
-- The defaults were for the rows of before.
ALTER TABLE seatings
    ALTER COLUMN kind DROP DEFAULT,
    ALTER COLUMN is_public DROP DEFAULT,
    ALTER COLUMN is_practice DROP DEFAULT;

-- Lists, counts, statistics and head to head of a player read this and, of seats, nothing else.
CREATE INDEX answers_about_a_player ON seatings (player_id, game_id DESC)
    INCLUDE (kind, is_public, is_practice, is_over, place, result, ended_at);

CREATE INDEX games_of_an_app_by_kind ON games (app_id, kind, id DESC);
CREATE INDEX games_of_an_app_by_kind_and_status ON games (app_id, kind, status, id DESC);
CREATE INDEX games_of_an_app_by_end ON games (app_id, ended_at) WHERE ended_at IS NOT NULL;
-- For those who may see nothing else, however many private games there are.
CREATE INDEX public_games_of_an_app ON games (app_id, id DESC, kind, status) WHERE visibility = 'PUBLIC';

-- The game after which this one is played again by the same people. One that was called off may be asked for anew.
ALTER TABLE games ADD COLUMN rematch_of uuid;
CREATE UNIQUE INDEX one_rematch_per_game ON games (rematch_of) WHERE rematch_of IS NOT NULL AND status <> 'CANCELLED';

-- Since when a player is gone: nothing is left of it but its seats.
ALTER TABLE players ADD COLUMN deleted_at timestamptz;
CREATE INDEX players_who_are_gone ON players (deleted_at) WHERE deleted_at IS NOT NULL;
