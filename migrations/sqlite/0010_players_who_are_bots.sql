-- An app's programs that play.

-- Whether the player is a bot, as its app says. Guests never are.
ALTER TABLE players ADD COLUMN is_bot integer NOT NULL DEFAULT 0;
