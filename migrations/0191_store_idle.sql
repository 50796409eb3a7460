-- A sign-in at a store's own page ends when nobody used it for a while; seen_at is exact to the minute.

-- +goose Up
-- The default is for processes of the release before, which go on for a moment beside the new ones.
ALTER TABLE store_sessions ADD COLUMN seen_at timestamptz NOT NULL DEFAULT now();
GRANT UPDATE (seen_at) ON store_sessions TO franchise360_api;

-- +goose Down
REVOKE UPDATE (seen_at) ON store_sessions FROM franchise360_api;
ALTER TABLE store_sessions DROP COLUMN seen_at;
