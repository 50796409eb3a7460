-- +goose NO TRANSACTION
-- Staff find a proforma by the end of its number.

-- +goose Up
DROP INDEX CONCURRENTLY IF EXISTS proformas_number_ending;
CREATE INDEX CONCURRENTLY proformas_number_ending ON proformas (ltrim(substring(number FROM '[0-9]+$'), '0'));

-- +goose Down
DROP INDEX CONCURRENTLY IF EXISTS proformas_number_ending;
