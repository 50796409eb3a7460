-- +goose NO TRANSACTION
-- Staff find a person by the words of the name, in any order.

-- +goose Up
DROP INDEX CONCURRENTLY IF EXISTS franchisers_search_words;
CREATE INDEX CONCURRENTLY franchisers_search_words ON franchisers USING gin (to_tsvector('simple', first_name || ' ' || last_name)) WHERE erased_at IS NULL;

-- +goose Down
DROP INDEX CONCURRENTLY IF EXISTS franchisers_search_words;
