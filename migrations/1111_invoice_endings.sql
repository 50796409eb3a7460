-- +goose NO TRANSACTION
-- Staff find a document by the end of its number, as FP/26-27/000005 by 5.

-- +goose Up
DROP INDEX CONCURRENTLY IF EXISTS invoices_number_ending;
CREATE INDEX CONCURRENTLY invoices_number_ending ON invoices (ltrim(substring(number FROM '[0-9]+$'), '0'));

-- +goose Down
DROP INDEX CONCURRENTLY IF EXISTS invoices_number_ending;
