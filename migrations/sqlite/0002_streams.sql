-- A ticket opens one stream, once, for a client that cannot send a header. It stands for the token that asked for it.
CREATE TABLE stream_tickets (
    -- SHA-256 of the ticket; the ticket itself is shown once and kept nowhere.
    hash       blob    PRIMARY KEY,
    -- SHA-256 of the player's token or of the app's key.
    token_hash blob    NOT NULL,
    is_app     integer NOT NULL,
    -- The player for whom the app acts.
    act_as     blob,
    expires_at integer NOT NULL
) STRICT;
CREATE INDEX stream_tickets_by_expiry ON stream_tickets (expires_at);
