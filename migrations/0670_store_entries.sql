-- Links by which the owner, or a manager of the team, comes from the product to the store's own dashboard without the store's password.

-- +goose Up
CREATE TABLE store_entries (
    token_hash    bytea       PRIMARY KEY CHECK (octet_length(token_hash) = 32), -- SHA-256; the row is deleted by its use
    franchiser_id uuid        NOT NULL,
    tenant_id     uuid        NOT NULL,
    member_id     uuid, -- of the owner's team; null for the owner
    expires_at    timestamptz NOT NULL,
    FOREIGN KEY (franchiser_id, tenant_id) REFERENCES tenants (franchiser_id, id)
);
CREATE INDEX store_entries_tenant ON store_entries (franchiser_id, tenant_id);
CREATE INDEX store_entries_expiry ON store_entries (expires_at);
CALL isolate('store_entries');
GRANT SELECT, INSERT, DELETE ON store_entries TO franchise360_api, franchise360_worker;
ALTER TABLE store_sessions ADD COLUMN member_id uuid; -- who came by a link as a member of the owner's team

-- +goose Down
DELETE FROM store_sessions WHERE member_id IS NOT NULL;
ALTER TABLE store_sessions DROP COLUMN member_id;
DROP TABLE store_entries;
