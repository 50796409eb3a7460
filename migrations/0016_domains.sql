-- The hosts of stores: custom domains with their proof, the sessions of a store's own page, and its franchises.

-- +goose Up
-- One claim a store. verified_at says that the last look found the TXT record; only a verified domain excludes others,
-- so that a mere claim blocks nobody.
CREATE TABLE custom_domains (
    id            uuid        PRIMARY KEY,
    franchiser_id uuid        NOT NULL,
    tenant_id     uuid        NOT NULL UNIQUE,
    domain        text        NOT NULL CHECK (domain = lower(domain) AND char_length(domain) BETWEEN 4 AND 253), -- punycode
    display       text        NOT NULL,               -- as the person wrote it
    token         text        NOT NULL CHECK (token ~ '^[0-9a-f]{32}$'),
    state         text        NOT NULL CHECK (state IN ('pending', 'active', 'broken')),
    verified_at   timestamptz,
    found_txt     text[]      NOT NULL DEFAULT '{}',  -- what DNS answered at the last look
    found_ips     text[]      NOT NULL DEFAULT '{}',
    reason        text        NOT NULL DEFAULT '',    -- why it is not active, in a sentence
    claimed_at    timestamptz NOT NULL,
    state_since   timestamptz NOT NULL,
    checked_at    timestamptz,
    next_check_at timestamptz,                        -- NULL once nobody looks any more
    FOREIGN KEY (franchiser_id, tenant_id) REFERENCES tenants (franchiser_id, id),
    CHECK (state <> 'active' OR verified_at IS NOT NULL)
);
CREATE UNIQUE INDEX custom_domains_verified ON custom_domains (domain) WHERE verified_at IS NOT NULL;
CREATE INDEX custom_domains_due ON custom_domains (next_check_at) WHERE next_check_at IS NOT NULL;
CALL isolate('custom_domains');
GRANT SELECT, INSERT, UPDATE, DELETE ON custom_domains TO franchise360_api, franchise360_worker;

-- Who is signed in at a store's own host. Tokens are stored as SHA-256 and mean nothing at another store.
CREATE TABLE store_sessions (
    id            uuid        PRIMARY KEY,
    franchiser_id uuid        NOT NULL,
    tenant_id     uuid        NOT NULL,
    token_hash    bytea       NOT NULL UNIQUE CHECK (octet_length(token_hash) = 32),
    created_at    timestamptz NOT NULL,
    expires_at    timestamptz NOT NULL,
    FOREIGN KEY (franchiser_id, tenant_id) REFERENCES tenants (franchiser_id, id)
);
CREATE INDEX store_sessions_tenant ON store_sessions (franchiser_id, tenant_id);
CREATE INDEX store_sessions_expiry ON store_sessions (expires_at);
CALL isolate('store_sessions');
GRANT SELECT, INSERT, DELETE ON store_sessions TO franchise360_api, franchise360_worker;

-- The outlets of a store, which the plan's franchise limit counts.
CREATE TABLE franchises (
    id            uuid        PRIMARY KEY,
    franchiser_id uuid        NOT NULL,
    tenant_id     uuid        NOT NULL,
    name          text        NOT NULL CHECK (char_length(name) BETWEEN 2 AND 50),
    name_key      text        NOT NULL,               -- the name in lower case
    city          text        NOT NULL CHECK (char_length(city) BETWEEN 2 AND 25),
    created_at    timestamptz NOT NULL,
    removed_at    timestamptz,
    FOREIGN KEY (franchiser_id, tenant_id) REFERENCES tenants (franchiser_id, id)
);
CREATE UNIQUE INDEX franchises_name ON franchises (franchiser_id, tenant_id, name_key) WHERE removed_at IS NULL;
CREATE INDEX franchises_list ON franchises (franchiser_id, tenant_id, created_at DESC) WHERE removed_at IS NULL;
CALL isolate('franchises');
GRANT SELECT, INSERT, UPDATE ON franchises TO franchise360_api, franchise360_worker;

-- A request at a store's host knows the host only.
CREATE POLICY lookup ON tenants FOR SELECT TO franchise360_lookup USING (true);
CREATE POLICY lookup ON custom_domains FOR SELECT TO franchise360_lookup USING (true);
GRANT SELECT (id, franchiser_id, slug, closed_at) ON tenants TO franchise360_lookup;
GRANT SELECT (id, franchiser_id, tenant_id, domain, verified_at) ON custom_domains TO franchise360_lookup;

-- +goose StatementBegin
CREATE FUNCTION find_store_by_slug(s text) RETURNS TABLE (tenant_id uuid, franchiser_id uuid)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT t.id, t.franchiser_id FROM public.tenants t WHERE t.slug = s AND t.closed_at IS NULL $$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE FUNCTION find_store_by_domain(d text) RETURNS TABLE (tenant_id uuid, franchiser_id uuid)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT t.id, t.franchiser_id FROM public.custom_domains c
          JOIN public.tenants t ON t.franchiser_id = c.franchiser_id AND t.id = c.tenant_id
          WHERE c.domain = d AND c.verified_at IS NOT NULL AND t.closed_at IS NULL $$;
-- +goose StatementEnd
-- +goose StatementBegin
-- verified_claim returns the claim, of somebody else than the franchiser, that holds the domain.
CREATE FUNCTION verified_claim(d text, other_than uuid) RETURNS TABLE (id uuid)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT c.id FROM public.custom_domains c
          WHERE c.domain = d AND c.verified_at IS NOT NULL AND c.franchiser_id <> other_than $$;
-- +goose StatementEnd
ALTER FUNCTION find_store_by_slug(text) OWNER TO franchise360_lookup;
ALTER FUNCTION find_store_by_domain(text) OWNER TO franchise360_lookup;
ALTER FUNCTION verified_claim(text, uuid) OWNER TO franchise360_lookup;
REVOKE ALL ON FUNCTION find_store_by_slug(text), find_store_by_domain(text), verified_claim(text, uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION find_store_by_slug(text), find_store_by_domain(text), verified_claim(text, uuid)
    TO franchise360_api, franchise360_worker;

-- +goose Down
DROP FUNCTION verified_claim(text, uuid);
DROP FUNCTION find_store_by_domain(text);
DROP FUNCTION find_store_by_slug(text);
DROP TABLE franchises, store_sessions, custom_domains;
DROP POLICY lookup ON tenants;
REVOKE SELECT ON tenants FROM franchise360_lookup;
