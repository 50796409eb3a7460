-- The franchiser's store (tenant), its hosts, its sign-ins, and the links by which the owner opens it.

-- +goose Up
-- +goose StatementBegin
SET LOCAL check_function_bodies = off;

-- Business types of stores.
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

CREATE FUNCTION tell_tenant() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    PERFORM public.tell_webhooks(CASE TG_OP WHEN 'INSERT' THEN 'tenant.live' ELSE 'tenant.updated' END, NEW.franchiser_id,
        jsonb_build_object('account_id', NEW.franchiser_id, 'tenant_id', NEW.id,
            'state', CASE WHEN NEW.closed_at IS NULL THEN 'live' ELSE 'closed' END),
        CASE TG_OP WHEN 'INSERT' THEN NEW.created_at ELSE coalesce(NEW.closed_at, NEW.updated_at) END);
    RETURN NULL;
END $$;

CREATE TABLE tenants (
    id                  uuid        PRIMARY KEY,
    franchiser_id       uuid        NOT NULL UNIQUE REFERENCES franchisers,
    store_name          text        NOT NULL CHECK (char_length(store_name) BETWEEN 2 AND 50),
    store_type_id       int         NOT NULL REFERENCES business_types,
    store_username      text        NOT NULL UNIQUE, -- always the franchiser's mobile
    store_password_hash text        NOT NULL,
    slug                text        NOT NULL UNIQUE CHECK (slug ~ '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$'),
    created_at          timestamptz NOT NULL,
    updated_at          timestamptz NOT NULL,
    closed_at           timestamptz, -- set by an erasure; its pages are gone
    search_name         text        COLLATE "C" NOT NULL GENERATED ALWAYS AS (lower(btrim(store_name))) STORED,
    search_rest         text        COLLATE "C" NOT NULL
        GENERATED ALWAYS AS (regexp_replace(lower(btrim(store_name)), '^\S+\s*', '')) STORED,
    UNIQUE (franchiser_id, id)
);
CREATE INDEX tenants_search_name ON tenants (search_name) WHERE closed_at IS NULL;
CREATE INDEX tenants_search_rest ON tenants (search_rest) WHERE closed_at IS NULL AND search_rest <> '';
CREATE INDEX tenants_search_slug ON tenants (slug COLLATE "C") WHERE closed_at IS NULL;
CREATE INDEX tenants_search_sounds ON tenants USING gin (sounds_of(store_name)) WHERE closed_at IS NULL;
CALL isolate('tenants');
-- A request to a store's host has only the host. Staff search by store name.
CREATE POLICY lookup ON tenants FOR SELECT TO franchise360_lookup USING (true);
CREATE TRIGGER tell_live AFTER INSERT ON tenants FOR EACH ROW EXECUTE FUNCTION tell_tenant();
CREATE TRIGGER tell_changed AFTER UPDATE OF store_name, store_type_id, slug, closed_at ON tenants FOR EACH ROW
    WHEN ((OLD.store_name, OLD.store_type_id, OLD.slug, OLD.closed_at) IS DISTINCT FROM (NEW.store_name, NEW.store_type_id, NEW.slug, NEW.closed_at))
    EXECUTE FUNCTION tell_tenant();
GRANT SELECT, INSERT, UPDATE ON tenants TO franchise360_api, franchise360_worker;
GRANT SELECT (id, franchiser_id, slug, closed_at, store_name, search_name, search_rest) ON tenants TO franchise360_lookup;

-- note_domain_check records a check's result: a new row if it differs from the last, otherwise a higher count.
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

-- A domain becomes active or inactive.
CREATE FUNCTION tell_domain() RETURNS trigger
    LANGUAGE plpgsql AS $$
DECLARE
    d record := coalesce(NEW, OLD);
BEGIN
    PERFORM public.tell_webhooks('tenant.updated', d.franchiser_id,
        jsonb_build_object('account_id', d.franchiser_id, 'tenant_id', d.tenant_id, 'state', 'live'),
        CASE TG_OP WHEN 'UPDATE' THEN NEW.state_since ELSE clock_timestamp() END);
    RETURN NULL;
END $$;

-- One claim per store. verified_at: the last check found the TXT record. Only a verified domain excludes other claims.
CREATE TABLE custom_domains (
    id            uuid        PRIMARY KEY,
    franchiser_id uuid        NOT NULL,
    tenant_id     uuid        NOT NULL UNIQUE,
    domain        text        NOT NULL CHECK (domain = lower(domain) AND char_length(domain) BETWEEN 4 AND 253), -- punycode
    display       text        NOT NULL, -- as typed
    token         text        NOT NULL CHECK (token ~ '^[0-9a-f]{32}$'),
    state         text        NOT NULL CHECK (state IN ('pending', 'active', 'broken')),
    verified_at   timestamptz,
    found_txt     text[]      NOT NULL DEFAULT '{}', -- DNS answer of the last check
    found_ips     text[]      NOT NULL DEFAULT '{}',
    reason        text        NOT NULL DEFAULT '', -- why it is not active, as text
    claimed_at    timestamptz NOT NULL,
    state_since   timestamptz NOT NULL,
    checked_at    timestamptz,
    next_check_at timestamptz, -- NULL when checks have stopped
    request_id    uuid        DEFAULT current_request(), -- the last claim
    check_asked_at timestamptz, -- by the owner; NULL when a later check has finished
    -- Start of uninterrupted misses of an active domain's record: it breaks after repeated misses over six hours.
    missing_since timestamptz,
    -- The name whose CAA records forbid our certificates, and the records, at the last check.
    caa_name      text        NOT NULL DEFAULT '',
    found_caa     text[]      NOT NULL DEFAULT '{}',
    FOREIGN KEY (franchiser_id, tenant_id) REFERENCES tenants (franchiser_id, id),
    CHECK (state <> 'active' OR verified_at IS NOT NULL)
);
CREATE UNIQUE INDEX custom_domains_verified ON custom_domains (domain) WHERE verified_at IS NOT NULL;
CREATE INDEX custom_domains_due ON custom_domains (next_check_at) WHERE next_check_at IS NOT NULL;
CREATE INDEX custom_domains_search ON custom_domains (domain COLLATE "C");
CALL isolate('custom_domains');
CREATE POLICY lookup ON custom_domains FOR SELECT TO franchise360_lookup USING (true);
CREATE TRIGGER note_check AFTER INSERT OR UPDATE ON custom_domains FOR EACH ROW EXECUTE FUNCTION note_domain_check();
CREATE TRIGGER tell_changed AFTER UPDATE OF state ON custom_domains FOR EACH ROW
    WHEN (OLD.state <> NEW.state AND 'active' IN (OLD.state, NEW.state)) EXECUTE FUNCTION tell_domain();
CREATE TRIGGER tell_removed AFTER DELETE ON custom_domains FOR EACH ROW WHEN (OLD.state = 'active') EXECUTE FUNCTION tell_domain();
GRANT SELECT, INSERT, UPDATE, DELETE ON custom_domains TO franchise360_api, franchise360_worker;
GRANT SELECT (id, franchiser_id, tenant_id, domain, verified_at, next_check_at) ON custom_domains TO franchise360_lookup;

-- Results of domain checks: a row per change, with the number of checks with that result.
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

-- Sign-ins at store hosts. Tokens are stored as SHA-256 and valid for one store. A session ends after inactivity.
CREATE TABLE store_sessions (
    id            uuid        PRIMARY KEY,
    franchiser_id uuid        NOT NULL,
    tenant_id     uuid        NOT NULL,
    token_hash    bytea       NOT NULL UNIQUE CHECK (octet_length(token_hash) = 32),
    created_at    timestamptz NOT NULL,
    expires_at    timestamptz NOT NULL,
    seen_at       timestamptz NOT NULL DEFAULT now(), -- last use, to the minute
    member_id     uuid, -- the team member who used a link
    FOREIGN KEY (franchiser_id, tenant_id) REFERENCES tenants (franchiser_id, id)
);
CREATE INDEX store_sessions_tenant ON store_sessions (franchiser_id, tenant_id);
CREATE INDEX store_sessions_expiry ON store_sessions (expires_at);
CALL isolate('store_sessions');
GRANT SELECT, INSERT, DELETE ON store_sessions TO franchise360_api, franchise360_worker;
GRANT UPDATE (seen_at) ON store_sessions TO franchise360_api;

-- Links that open the store's dashboard for the owner or a team manager, without the store's password.
CREATE TABLE store_entries (
    token_hash    bytea       PRIMARY KEY CHECK (octet_length(token_hash) = 32), -- SHA-256; the row is deleted by its use
    franchiser_id uuid        NOT NULL,
    tenant_id     uuid        NOT NULL,
    member_id     uuid, -- team member; NULL for the owner
    expires_at    timestamptz NOT NULL,
    FOREIGN KEY (franchiser_id, tenant_id) REFERENCES tenants (franchiser_id, id)
);
CREATE INDEX store_entries_tenant ON store_entries (franchiser_id, tenant_id);
CREATE INDEX store_entries_expiry ON store_entries (expires_at);
CALL isolate('store_entries');
GRANT SELECT, INSERT, DELETE ON store_entries TO franchise360_api, franchise360_worker;

-- forget_domain_checks deletes the history of an erased franchiser.
CREATE FUNCTION forget_domain_checks() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM domain_checks WHERE franchiser_id = NEW.id;
    RETURN NULL;
END $$;

CREATE FUNCTION find_store_by_slug(s text) RETURNS TABLE (tenant_id uuid, franchiser_id uuid)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT t.id, t.franchiser_id FROM public.tenants t WHERE t.slug = s AND t.closed_at IS NULL $$;

CREATE FUNCTION find_store_by_domain(d text) RETURNS TABLE (tenant_id uuid, franchiser_id uuid)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT t.id, t.franchiser_id FROM public.custom_domains c
          JOIN public.tenants t ON t.franchiser_id = c.franchiser_id AND t.id = c.tenant_id
          WHERE c.domain = d AND c.verified_at IS NOT NULL AND t.closed_at IS NULL $$;

-- verified_claim returns another franchiser's verified claim of the domain.
CREATE FUNCTION verified_claim(d text, other_than uuid) RETURNS TABLE (id uuid)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT c.id FROM public.custom_domains c
          WHERE c.domain = d AND c.verified_at IS NOT NULL AND c.franchiser_id <> other_than $$;

-- Custom domains due for a check.

CREATE FUNCTION domain_check_is_due(next_check_at timestamptz, at timestamptz) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN next_check_at <= at;

-- Counts the rows that are due for a sweep, up to 10,001; reveals only the number.
CREATE FUNCTION count_due_domain_checks(at timestamptz) RETURNS bigint
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT count(*) FROM (SELECT FROM public.custom_domains d WHERE public.domain_check_is_due(d.next_check_at, at) LIMIT 10001) x $$;

-- named_customer returns a franchiser's name (empty if unknown) and mobile for staff. After erasure it returns 'Erased account' without a
-- mobile; the placeholder mobile is not shown.
CREATE FUNCTION named_customer(franchiser uuid) RETURNS TABLE (name text, mobile text, erased boolean)
    LANGUAGE sql STABLE
    AS $$
    SELECT CASE WHEN p.erased THEN 'Erased account' ELSE public.customer_name(a.legal_name, p.first_name, p.last_name, t.store_name) END,
        CASE WHEN p.erased THEN '' ELSE p.mobile END, p.erased
    FROM public.person_of(franchiser) p
        LEFT JOIN public.legal_name_of(franchiser) a ON true
        LEFT JOIN public.tenants t ON t.franchiser_id = franchiser AND t.closed_at IS NULL $$;

-- search_stores finds stores by a prefix of their name, of a later word, or of a host.
CREATE FUNCTION search_stores(q text) RETURNS TABLE (franchiser_id uuid, kind text, label text, exact boolean) LANGUAGE sql STABLE AS $$
    (SELECT t.franchiser_id, 'store', t.store_name, t.search_name = q FROM public.tenants t
        WHERE t.search_name >= q AND t.search_name <= q || chr(1114111) AND t.closed_at IS NULL
        ORDER BY t.search_name LIMIT (SELECT public.search_limit()))
    UNION ALL (SELECT t.franchiser_id, 'store', t.store_name, false FROM public.tenants t
        WHERE t.search_rest >= q AND t.search_rest <= q || chr(1114111) AND t.search_rest <> '' AND t.closed_at IS NULL
        ORDER BY t.search_rest LIMIT (SELECT public.search_limit()))
    UNION ALL (SELECT t.franchiser_id, 'domain', t.slug, t.slug = q FROM public.tenants t
        WHERE t.slug COLLATE "C" >= q AND t.slug COLLATE "C" <= q || chr(1114111) AND t.closed_at IS NULL
        ORDER BY t.slug COLLATE "C" LIMIT (SELECT public.search_limit()))
    UNION ALL (SELECT t.franchiser_id, 'domain', t.slug, true FROM public.tenants t
        WHERE position('.' IN q) > 0 AND position('@' IN q) = 0 AND t.slug = split_part(q, '.', 1) AND t.closed_at IS NULL)
    UNION ALL (SELECT c.franchiser_id, 'domain', c.domain, c.domain = q FROM public.custom_domains c
        WHERE c.domain COLLATE "C" >= q AND c.domain COLLATE "C" <= q || chr(1114111)
        ORDER BY c.domain COLLATE "C" LIMIT (SELECT public.search_limit()))  $$;

-- find_store returns the franchiser of a store id.
CREATE FUNCTION find_store(store uuid) RETURNS uuid
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT t.franchiser_id FROM public.tenants t WHERE t.id = store AND t.closed_at IS NULL $$;

-- search_sounding_stores finds stores like search_sounding_people.
CREATE FUNCTION search_sounding_stores(q text, near boolean) RETURNS TABLE (franchiser_id uuid, label text) LANGUAGE sql STABLE AS $$
    (SELECT t.franchiser_id, t.store_name FROM public.sound_forms(q) AS keys
        JOIN public.tenants t ON public.sounds_of(t.store_name) @> keys
        WHERE NOT near AND t.closed_at IS NULL
        LIMIT (SELECT public.search_limit()))
    UNION ALL (SELECT t.franchiser_id, t.store_name FROM public.tenants t
        WHERE near AND public.sounds_of(t.store_name) && public.sounds_near(q, 1) AND public.sounds_of(t.store_name) && public.sounds_near(q, 2)
            AND public.sounds_of(t.store_name) && public.sounds_near(q, 3) AND t.closed_at IS NULL
        LIMIT (SELECT public.search_limit())) $$;

-- search_store_ids finds stores and domains by id, for connected systems.
CREATE FUNCTION search_store_ids(q text) RETURNS TABLE (franchiser_id uuid, kind text, label text, exact boolean)
    LANGUAGE sql STABLE AS $$
    SELECT t.franchiser_id, 'store', t.store_name, true FROM public.tenants t WHERE t.id = public.id_in(q)
    UNION ALL SELECT c.franchiser_id, 'domain', c.domain, true FROM public.custom_domains c WHERE c.id = public.id_in(q) $$;

-- Owner and callers of the functions above.
ALTER FUNCTION find_store_by_slug(text) OWNER TO franchise360_lookup;
ALTER FUNCTION find_store_by_domain(text) OWNER TO franchise360_lookup;
ALTER FUNCTION verified_claim(text, uuid) OWNER TO franchise360_lookup;
ALTER FUNCTION count_due_domain_checks(timestamptz) OWNER TO franchise360_lookup;
ALTER FUNCTION find_store(uuid) OWNER TO franchise360_lookup;
REVOKE ALL ON FUNCTION find_store_by_slug(text), find_store_by_domain(text), verified_claim(text, uuid),
    count_due_domain_checks(timestamptz), named_customer(uuid), search_stores(text), search_sounding_stores(text, boolean), find_store(uuid), search_store_ids(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION find_store_by_slug(text), find_store_by_domain(text),
    verified_claim(text, uuid) TO franchise360_api, franchise360_worker;
GRANT EXECUTE ON FUNCTION count_due_domain_checks(timestamptz), find_store(uuid) TO franchise360_api;
GRANT EXECUTE ON FUNCTION named_customer(uuid), search_stores(text), search_sounding_stores(text, boolean), search_store_ids(text) TO franchise360_lookup;

CREATE VIEW store_overview WITH (security_invoker = true) AS
    SELECT id, franchiser_id, store_name, store_type_id, store_username, slug, closed_at FROM tenants;
COMMENT ON VIEW store_overview IS 'tenant: franchisers'' stores, also closed';
GRANT SELECT ON store_overview TO franchise360_api, franchise360_worker;

CREATE VIEW domain_overview WITH (security_invoker = true) AS SELECT franchiser_id, domain, display, state FROM custom_domains;
COMMENT ON VIEW domain_overview IS 'tenant: the custom domain of a franchiser';
GRANT SELECT ON domain_overview TO franchise360_api, franchise360_worker;

CREATE VIEW domain_check_overview WITH (security_invoker = true) AS
    SELECT franchiser_id, domain, state, first_at, last_at FROM domain_checks;
COMMENT ON VIEW domain_check_overview IS 'tenant: results of the checks of domains, each with the time it lasted';
GRANT SELECT ON domain_check_overview TO franchise360_api, franchise360_worker;

-- Triggers on earlier files' tables for functions of this file.
CREATE TRIGGER forget_checks AFTER UPDATE OF erased_at ON franchisers
    FOR EACH ROW WHEN (NEW.erased_at IS NOT NULL) EXECUTE FUNCTION forget_domain_checks();
-- +goose StatementEnd
