-- +goose Up
-- The name whose CAA records forbid our certificates, and those records, as of the last check.
ALTER TABLE custom_domains ADD COLUMN caa_name text NOT NULL DEFAULT '', ADD COLUMN found_caa text[] NOT NULL DEFAULT '{}';

-- +goose Down
ALTER TABLE custom_domains DROP COLUMN caa_name, DROP COLUMN found_caa;
