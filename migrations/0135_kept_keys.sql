-- Keys that outlive SECRET_KEY: what is hashed under them (mobiles that had their trial, recovery codes, subjects of limits)
-- can't be hashed anew, for nobody keeps the text. Each is sealed under SECRET_KEY, so that a new one only seals them again.

-- +goose Up
CREATE TABLE kept_keys (
    purpose    text        PRIMARY KEY,
    sealed     bytea       NOT NULL,
    created_at timestamptz NOT NULL
);
GRANT SELECT, INSERT ON kept_keys TO franchise360_api, franchise360_worker;

-- +goose Down
DROP TABLE kept_keys;
