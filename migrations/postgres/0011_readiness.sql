-- A row that a server writes to find out whether it can.
CREATE TABLE readiness (
    id smallint    PRIMARY KEY,
    at timestamptz NOT NULL
);
