-- When the data was saved, so that somebody is told where it no longer is.

-- +goose Up
CREATE TABLE backups (
    id       uuid        PRIMARY KEY DEFAULT uuidv7(),
    saved_at timestamptz NOT NULL, -- the moment that it brings back
    -- What is saved. 'nothing' is the row of this migration, from which the first day without a backup is counted.
    saved    text        NOT NULL CHECK (saved IN ('everything', 'database', 'elsewhere', 'nothing'))
);
INSERT INTO backups (saved_at, saved) VALUES (now(), 'nothing');
GRANT SELECT ON backups TO franchise360_api, franchise360_worker;

-- +goose Down
DROP TABLE backups;
