-- +goose Up
-- Since when every check of a domain in use has missed a record: it breaks after repeated misses over six hours, not after one.
ALTER TABLE custom_domains ADD COLUMN missing_since timestamptz;

-- +goose Down
ALTER TABLE custom_domains DROP COLUMN missing_since;
