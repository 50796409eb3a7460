-- +goose Up
-- Work that was used up, until it has expired anyway.
CREATE TABLE spent_work (
    id         bytea       PRIMARY KEY,
    expires_at timestamptz NOT NULL
);
CREATE INDEX spent_work_expiry ON spent_work (expires_at);
GRANT SELECT, INSERT, DELETE ON spent_work TO franchise360_api, franchise360_worker;

-- A code belongs to the browser that asked for it: its SHA-256, NULL where somebody signed in asked.
ALTER TABLE one_time_codes ADD COLUMN browser_hash bytea;
UPDATE one_time_codes c SET browser_hash = p.browser_hash FROM pending_sign_ups p WHERE p.id = c.sign_up_id;

-- Tries are counted for each browser, or franchiser, that asked; empty for those that bring no cookie.
ALTER TABLE code_attempts ADD COLUMN owner bytea NOT NULL DEFAULT '';
ALTER TABLE code_attempts DROP CONSTRAINT code_attempts_pkey;
ALTER TABLE code_attempts ADD PRIMARY KEY (mobile, purpose, owner);

-- +goose Down
DELETE FROM code_attempts WHERE owner <> '';
ALTER TABLE code_attempts DROP CONSTRAINT code_attempts_pkey;
ALTER TABLE code_attempts ADD PRIMARY KEY (mobile, purpose);
ALTER TABLE code_attempts DROP COLUMN owner;
ALTER TABLE one_time_codes DROP COLUMN browser_hash;
DROP TABLE spent_work;
