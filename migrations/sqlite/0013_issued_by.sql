-- The player's own token with which a token was issued: it is revoked with that one.
ALTER TABLE tokens ADD COLUMN issued_by blob;
