-- +goose NO TRANSACTION
-- Staff find a customer by the GSTIN.

-- +goose Up
DROP INDEX CONCURRENTLY IF EXISTS business_addresses_search_gstin;
CREATE INDEX CONCURRENTLY business_addresses_search_gstin ON business_addresses (lower(gstin) COLLATE "C") WHERE gstin <> '';

-- +goose Down
DROP INDEX CONCURRENTLY IF EXISTS business_addresses_search_gstin;
