-- What people ask: whose games, against whom, with what result. Rematches. Players who are gone.

-- A seat knows all that is asked about its player's games, so that one index can answer. What does not change is
-- written when the seat is taken; `place`, `result` and `ended_at` by the change that ends the game. The defaults are
-- for the rows of before.
ALTER TABLE seatings ADD COLUMN kind        text    NOT NULL DEFAULT '';
ALTER TABLE seatings ADD COLUMN is_public   integer NOT NULL DEFAULT 0;
ALTER TABLE seatings ADD COLUMN is_practice integer NOT NULL DEFAULT 0;
-- None while the game is on, and for ever if it was called off.
ALTER TABLE seatings ADD COLUMN place       integer;
ALTER TABLE seatings ADD COLUMN result      text    CONSTRAINT result_is_known CHECK (result IN ('WON', 'SHARED', 'DRAWN', 'LOST'));
-- When the game was over or called off.
ALTER TABLE seatings ADD COLUMN ended_at    integer;
UPDATE seatings AS s SET
    kind = g.kind,
    is_public = g.visibility = 'PUBLIC',
    is_practice = g.origin IS NOT NULL,
    place = json_extract(g.outcome, '$.places[' || s.seat || ']'),
    result = CASE
        WHEN g.outcome IS NULL THEN NULL
        WHEN json_array_length(g.outcome, '$.winners') = 0 THEN 'DRAWN'
        WHEN s.seat NOT IN (SELECT value FROM json_each(g.outcome, '$.winners')) THEN 'LOST'
        WHEN json_array_length(g.outcome, '$.winners') > 1 THEN 'SHARED'
        ELSE 'WON'
    END,
    ended_at = g.ended_at
FROM games g WHERE g.id = s.game_id;

-- Lists, counts, statistics and head to head of a player read this and, of seats, nothing else.
CREATE INDEX answers_about_a_player ON seatings
    (player_id, game_id DESC, kind, is_public, is_practice, is_over, place, result, ended_at);

CREATE INDEX games_of_an_app_by_kind ON games (app_id, kind, id DESC);
CREATE INDEX games_of_an_app_by_kind_and_status ON games (app_id, kind, status, id DESC);
CREATE INDEX games_of_an_app_by_end ON games (app_id, ended_at) WHERE ended_at IS NOT NULL;
-- For those who may see nothing else, however many private games there are.
CREATE INDEX public_games_of_an_app ON games (app_id, id DESC, kind, status) WHERE visibility = 'PUBLIC';

-- The game after which this one is played again by the same people. One that was called off may be asked for anew.
ALTER TABLE games ADD COLUMN rematch_of blob;
CREATE UNIQUE INDEX one_rematch_per_game ON games (rematch_of) WHERE rematch_of IS NOT NULL AND status <> 'CANCELLED';

-- Since when a player is gone: nothing is left of it but its seats.
ALTER TABLE players ADD COLUMN deleted_at integer;
CREATE INDEX players_who_are_gone ON players (deleted_at) WHERE deleted_at IS NOT NULL;
