-- A ticket may open its stream again: a browser's EventSource reconnects with the address that it has.

-- The stream that the ticket opened; null until then. It opens no other.
ALTER TABLE stream_tickets ADD COLUMN stream text;
-- How often it has opened it. Only the latest opening keeps the ticket valid.
ALTER TABLE stream_tickets ADD COLUMN openings integer NOT NULL DEFAULT 0;
