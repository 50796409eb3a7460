-- A person who asks for another check of a domain sees that it is under way until a check that began afterwards has its answer.

-- +goose Up
ALTER TABLE custom_domains ADD COLUMN check_asked_at timestamptz; -- by its owner; NULL once a check that began afterwards has its answer

-- +goose Down
ALTER TABLE custom_domains DROP COLUMN check_asked_at;
