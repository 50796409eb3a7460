-- +goose NO TRANSACTION
-- Staff find a customer by the words of the legal name, in any order.

-- +goose Up
DROP INDEX CONCURRENTLY IF EXISTS business_addresses_search_words;
CREATE INDEX CONCURRENTLY business_addresses_search_words ON business_addresses USING gin (to_tsvector('simple', legal_name)) WHERE legal_name <> '';

-- +goose Down
DROP INDEX CONCURRENTLY IF EXISTS business_addresses_search_words;
