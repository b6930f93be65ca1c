-- Bots: which seats they play for, which moves they made, and which games count apart.

-- The level of the bot that plays for seats that resign. Null for games begun before there were bots: the moves of their
-- resigned seats are drawn at random.
ALTER TABLE games ADD COLUMN stand_in integer;
-- How long a bot waits before it moves, in milliseconds.
ALTER TABLE games ADD COLUMN bot_pause_ms integer NOT NULL DEFAULT 0;
-- A bit for each seat that a bot plays for: its own, or that of a player who resigned.
ALTER TABLE games ADD COLUMN bot_seats integer NOT NULL DEFAULT 0;
-- To find the games that wait for a bot after a crash. Neither column changes with an ordinary move.
CREATE INDEX running_games_with_bots ON games (id) WHERE status = 'RUNNING' AND bot_seats <> 0;

-- Which bot made the move.
ALTER TABLE entries ADD COLUMN bot_level integer;
ALTER TABLE entries ADD COLUMN bot_version integer;

-- Whether a bot had a seat from the start: such games have statistics of their own.
ALTER TABLE seatings ADD COLUMN with_bots integer NOT NULL DEFAULT 0;
DROP INDEX answers_about_a_player;
CREATE INDEX answers_about_a_player ON seatings
    (player_id, game_id DESC, kind, is_public, is_practice, with_bots, is_over, place, result, ended_at);
