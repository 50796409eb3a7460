-- +goose NO TRANSACTION
-- Staff find a customer by the PAN, which is the middle of the GSTIN.

-- +goose Up
DROP INDEX CONCURRENTLY IF EXISTS business_addresses_search_pan;
CREATE INDEX CONCURRENTLY business_addresses_search_pan ON business_addresses (lower(substr(gstin, 3, 10)) COLLATE "C") WHERE gstin <> '';

-- +goose Down
DROP INDEX CONCURRENTLY IF EXISTS business_addresses_search_pan;
