-- A session of staff ends when nobody used it for a while; seen_at is exact to the minute.

-- +goose Up
-- The default is for processes of the release before, which go on for a moment beside the new ones.
ALTER TABLE staff_sessions ADD COLUMN seen_at timestamptz NOT NULL DEFAULT now();

-- +goose Down
ALTER TABLE staff_sessions DROP COLUMN seen_at;
