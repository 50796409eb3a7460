-- +goose NO TRANSACTION
-- sound_words has changed, so the indexes of its keys are built again. An interrupted rebuild leaves an invalid index that is not used.

-- +goose Up
REINDEX INDEX CONCURRENTLY franchisers_search_sounds;
REINDEX INDEX CONCURRENTLY business_addresses_search_sounds;
REINDEX INDEX CONCURRENTLY tenants_search_sounds;
