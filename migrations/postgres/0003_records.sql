-- Players add to the chance of their game before it starts, and the log says that they did. Old rows need no look.
ALTER TABLE entries DROP CONSTRAINT entry_is_known;
ALTER TABLE entries ADD CONSTRAINT entry_is_known
    CHECK (what IN ('OPENED', 'JOINED', 'LEFT', 'STARTED', 'MOVED', 'RESIGNED', 'CANCELLED', 'EXPIRED', 'SEEDED'))
    NOT VALID;

-- For a practice game that goes on from a position of another: which game, and after which ply.
ALTER TABLE games ADD COLUMN origin jsonb;
