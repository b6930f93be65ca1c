-- A row that a server writes to find out whether it can.
CREATE TABLE readiness (
    id integer PRIMARY KEY,
    at integer NOT NULL
);
