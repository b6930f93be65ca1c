-- A random tag of each change. After a failover a version can come twice, and the tag tells the histories apart.
ALTER TABLE games ADD COLUMN tag bigint NOT NULL DEFAULT 0;
ALTER TABLE entries ADD COLUMN tag bigint NOT NULL DEFAULT 0;
-- The time of the last change; null for games that have not changed since this column was added.
ALTER TABLE games ADD COLUMN changed_at timestamptz;
