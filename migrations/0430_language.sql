-- +goose Up
-- The language that somebody chose for the site; empty until then.
ALTER TABLE franchisers ADD COLUMN language text NOT NULL DEFAULT '' CHECK (language ~ '^([a-z]{2,3})?$');

-- +goose Down
ALTER TABLE franchisers DROP COLUMN language;
