-- The franchiser's store (its tenant), the hosts it answers at, its sign-ins and its franchises.

-- +goose Up
CREATE TABLE business_types (
    id       int  PRIMARY KEY,
    name     text NOT NULL UNIQUE,
    position int  NOT NULL
);
INSERT INTO business_types (id, name, position) VALUES
    (1, 'Retail', 1), (2, 'Manufacturing', 2), (3, 'Network marketing', 3), (4, 'Food and beverage', 4),
    (5, 'Services', 5), (6, 'Education', 6), (7, 'Health and wellness', 7), (8, 'Beauty and personal care', 8),
    (9, 'Fashion and apparel', 9), (10, 'Electronics and appliances', 10), (11, 'Grocery and daily needs', 11),
    (12, 'Automotive', 12), (13, 'Logistics and courier', 13), (14, 'Travel and hospitality', 14),
    (15, 'Real estate', 15), (16, 'Community', 16), (17, 'Other', 17);
GRANT SELECT ON business_types TO franchise360_api, franchise360_worker, franchise360_lookup;

-- The store of a franchiser.
CREATE TABLE tenants (
    id                  uuid        PRIMARY KEY,
    franchiser_id       uuid        NOT NULL UNIQUE REFERENCES franchisers,
    store_name          text        NOT NULL CHECK (char_length(store_name) BETWEEN 2 AND 50),
    store_type_id       int         NOT NULL REFERENCES business_types,
    store_username      text        NOT NULL UNIQUE, -- the franchiser's mobile, and follows it
    store_password_hash text        NOT NULL,
    slug                text        NOT NULL UNIQUE CHECK (slug ~ '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$'),
    created_at          timestamptz NOT NULL,
    updated_at          timestamptz NOT NULL,
    closed_at           timestamptz,                 -- set by an erasure; its pages are gone
    search_name         text        COLLATE "C" NOT NULL GENERATED ALWAYS AS (lower(btrim(store_name))) STORED,
    search_rest         text        COLLATE "C" NOT NULL
        GENERATED ALWAYS AS (regexp_replace(lower(btrim(store_name)), '^\S+\s*', '')) STORED,
    UNIQUE (franchiser_id, id)
);
CREATE INDEX tenants_search_name ON tenants (search_name) WHERE closed_at IS NULL;
CREATE INDEX tenants_search_rest ON tenants (search_rest) WHERE closed_at IS NULL AND search_rest <> '';
CREATE INDEX tenants_search_slug ON tenants (slug COLLATE "C") WHERE closed_at IS NULL;
CALL isolate('tenants');
GRANT SELECT, INSERT, UPDATE ON tenants TO franchise360_api, franchise360_worker;

-- One claim per store. verified_at means that the last check found the TXT record; only a verified domain excludes others,
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
    next_check_at timestamptz,                        -- NULL once checks have stopped
    request_id    uuid        DEFAULT current_request(), -- that claimed it last
    FOREIGN KEY (franchiser_id, tenant_id) REFERENCES tenants (franchiser_id, id),
    CHECK (state <> 'active' OR verified_at IS NOT NULL)
);
CREATE UNIQUE INDEX custom_domains_verified ON custom_domains (domain) WHERE verified_at IS NOT NULL;
CREATE INDEX custom_domains_due ON custom_domains (next_check_at) WHERE next_check_at IS NOT NULL;
CREATE INDEX custom_domains_search ON custom_domains (domain COLLATE "C");
CALL isolate('custom_domains');
GRANT SELECT, INSERT, UPDATE, DELETE ON custom_domains TO franchise360_api, franchise360_worker;

-- What the looks at a custom domain found: a row a change, which counts the looks that found the same.
CREATE TABLE domain_checks (
    id            uuid        PRIMARY KEY DEFAULT uuidv7(),
    franchiser_id uuid        NOT NULL REFERENCES franchisers,
    domain        text        NOT NULL,
    state         text        NOT NULL,
    reason        text        NOT NULL,
    found_txt     text[]      NOT NULL,
    found_ips     text[]      NOT NULL,
    first_at      timestamptz NOT NULL,
    last_at       timestamptz NOT NULL,
    checks        int         NOT NULL DEFAULT 1
);
CREATE INDEX domain_checks_of_franchiser ON domain_checks (franchiser_id, first_at DESC);
CALL isolate('domain_checks');
GRANT SELECT, INSERT, UPDATE, DELETE ON domain_checks TO franchise360_api, franchise360_worker;

-- +goose StatementBegin
-- note_domain_check records the result of a check: a new row if it differs from the last one, otherwise its count increases.
CREATE FUNCTION note_domain_check() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.checked_at IS NULL OR TG_OP = 'UPDATE' AND NEW.checked_at IS NOT DISTINCT FROM OLD.checked_at THEN
        RETURN NULL;
    END IF;
    UPDATE domain_checks c SET last_at = NEW.checked_at, checks = c.checks + 1
    WHERE c.id = (SELECT n.id FROM domain_checks n WHERE n.franchiser_id = NEW.franchiser_id ORDER BY n.first_at DESC, n.id DESC LIMIT 1)
      AND (c.domain, c.state, c.reason, c.found_txt, c.found_ips) = (NEW.domain, NEW.state, NEW.reason, NEW.found_txt, NEW.found_ips);
    IF NOT FOUND THEN
        INSERT INTO domain_checks (franchiser_id, domain, state, reason, found_txt, found_ips, first_at, last_at)
        VALUES (NEW.franchiser_id, NEW.domain, NEW.state, NEW.reason, NEW.found_txt, NEW.found_ips, NEW.checked_at, NEW.checked_at);
    END IF;
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER note_check AFTER INSERT OR UPDATE ON custom_domains FOR EACH ROW EXECUTE FUNCTION note_domain_check();

-- +goose StatementBegin
-- forget_domain_checks deletes the history of an erased franchiser.
CREATE FUNCTION forget_domain_checks() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM domain_checks WHERE franchiser_id = NEW.id;
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER forget_checks AFTER UPDATE OF erased_at ON franchisers
    FOR EACH ROW WHEN (NEW.erased_at IS NOT NULL) EXECUTE FUNCTION forget_domain_checks();

-- The sign-ins at stores' own hosts. Tokens are stored as SHA-256 and are invalid at any other store. A sign-in ends after a while
-- without use.
CREATE TABLE store_sessions (
    id            uuid        PRIMARY KEY,
    franchiser_id uuid        NOT NULL,
    tenant_id     uuid        NOT NULL,
    token_hash    bytea       NOT NULL UNIQUE CHECK (octet_length(token_hash) = 32),
    created_at    timestamptz NOT NULL,
    expires_at    timestamptz NOT NULL,
    seen_at       timestamptz NOT NULL DEFAULT now(), -- when it was last used, to the minute
    FOREIGN KEY (franchiser_id, tenant_id) REFERENCES tenants (franchiser_id, id)
);
CREATE INDEX store_sessions_tenant ON store_sessions (franchiser_id, tenant_id);
CREATE INDEX store_sessions_expiry ON store_sessions (expires_at);
CALL isolate('store_sessions');
GRANT SELECT, INSERT, DELETE ON store_sessions TO franchise360_api, franchise360_worker;
GRANT UPDATE (seen_at) ON store_sessions TO franchise360_api;

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

-- A request at a store's host knows only the host. Staff also search by the stores' names.
CREATE POLICY lookup ON tenants FOR SELECT TO franchise360_lookup USING (true);
CREATE POLICY lookup ON custom_domains FOR SELECT TO franchise360_lookup USING (true);
GRANT SELECT (id, franchiser_id, slug, closed_at, store_name, search_name, search_rest) ON tenants TO franchise360_lookup;
GRANT SELECT (id, franchiser_id, tenant_id, domain, verified_at, next_check_at) ON custom_domains TO franchise360_lookup;

-- +goose StatementBegin
CREATE FUNCTION find_store_by_slug(s text) RETURNS TABLE (tenant_id uuid, franchiser_id uuid)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT t.id, t.franchiser_id FROM public.tenants t WHERE t.slug = s AND t.closed_at IS NULL $$;

CREATE FUNCTION find_store_by_domain(d text) RETURNS TABLE (tenant_id uuid, franchiser_id uuid)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT t.id, t.franchiser_id FROM public.custom_domains c
          JOIN public.tenants t ON t.franchiser_id = c.franchiser_id AND t.id = c.tenant_id
          WHERE c.domain = d AND c.verified_at IS NOT NULL AND t.closed_at IS NULL $$;

-- verified_claim returns the claim of another franchiser that holds the domain.
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

-- The custom domains at which the sweep looks.

CREATE FUNCTION domain_check_is_due(next_check_at timestamptz, at timestamptz) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN next_check_at <= at;

-- +goose StatementBegin
-- How many rows a sweep would process at that moment, counted up to 10,001; nothing but the number is revealed.
CREATE FUNCTION count_due_domain_checks(at timestamptz) RETURNS bigint
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT count(*) FROM (SELECT FROM public.custom_domains d WHERE public.domain_check_is_due(d.next_check_at, at) LIMIT 10001) x $$;
-- +goose StatementEnd
ALTER FUNCTION count_due_domain_checks(timestamptz) OWNER TO franchise360_lookup;
REVOKE ALL ON FUNCTION count_due_domain_checks(timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION count_due_domain_checks(timestamptz) TO franchise360_api;

-- What others may read of these tables.

CREATE VIEW store_overview WITH (security_invoker = true) AS
    SELECT id, franchiser_id, store_name, store_type_id, store_username, slug, closed_at FROM tenants;
COMMENT ON VIEW store_overview IS 'tenant: the store of a franchiser, closed ones too';

CREATE VIEW domain_overview WITH (security_invoker = true) AS SELECT franchiser_id, domain, display, state FROM custom_domains;
COMMENT ON VIEW domain_overview IS 'tenant: the custom domain of a franchiser';

CREATE VIEW franchise_overview WITH (security_invoker = true) AS
    SELECT id, franchiser_id FROM franchises WHERE removed_at IS NULL;
COMMENT ON VIEW franchise_overview IS 'tenant: the franchises that count towards the limit';
GRANT SELECT ON store_overview, domain_overview, franchise_overview TO franchise360_api, franchise360_worker;

-- +goose Down
DROP VIEW franchise_overview, domain_overview, store_overview;
DROP FUNCTION count_due_domain_checks(timestamptz), domain_check_is_due(timestamptz, timestamptz);
DROP FUNCTION verified_claim(text, uuid);
DROP FUNCTION find_store_by_domain(text);
DROP FUNCTION find_store_by_slug(text);
DROP TRIGGER forget_checks ON franchisers;
DROP TABLE franchises, store_sessions, domain_checks, custom_domains, tenants, business_types;
DROP FUNCTION forget_domain_checks(), note_domain_check();
