-- The operator's own people: who they are, their sessions, and all that they did. They belong to no franchiser; where a
-- row concerns one, it names it as franchiser_ref, from which no access follows. Times are UTC.

-- +goose Up
CREATE TABLE staff (
    id             uuid        PRIMARY KEY,
    email          text        NOT NULL UNIQUE CHECK (email = lower(email)),
    name           text        NOT NULL,
    role           text        NOT NULL CHECK (role IN ('support', 'admin')),
    password_hash  text        NOT NULL,
    totp_secret    bytea       NOT NULL,           -- encrypted
    totp_last_step bigint      NOT NULL DEFAULT 0, -- the last time step that was used, so that none is used twice
    created_at     timestamptz NOT NULL,
    disabled_at    timestamptz
);
GRANT SELECT ON staff TO franchise360_api;
GRANT UPDATE (totp_last_step) ON staff TO franchise360_api;

CREATE TABLE staff_sessions (
    id         uuid        PRIMARY KEY,
    staff_id   uuid        NOT NULL REFERENCES staff,
    token_hash bytea       NOT NULL UNIQUE CHECK (octet_length(token_hash) = 32),
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    ended_at   timestamptz
);
CREATE INDEX staff_sessions_of_staff ON staff_sessions (staff_id);
GRANT SELECT, INSERT, UPDATE ON staff_sessions TO franchise360_api;

-- What staff did. Each row holds the hash of the one before it, so that none can be changed or lost unnoticed.
CREATE TABLE staff_actions (
    sequence       bigint      PRIMARY KEY,
    id             uuid        NOT NULL UNIQUE,
    staff_id       uuid        NOT NULL REFERENCES staff,
    action         text        NOT NULL CHECK (action ~ '^[a-z_]{3,40}$'),
    target         text        NOT NULL,           -- such as job:8123
    franchiser_ref uuid,
    reason         text        NOT NULL CHECK (reason ~ '\S'),
    before         text        NOT NULL DEFAULT '',
    after          text        NOT NULL DEFAULT '',
    at             timestamptz NOT NULL,
    previous       bytea       NOT NULL,
    hash           bytea       NOT NULL
);
CREATE INDEX staff_actions_of_franchiser ON staff_actions (franchiser_ref, at DESC) WHERE franchiser_ref IS NOT NULL;
CREATE INDEX staff_actions_of_staff ON staff_actions (staff_id);
CREATE INDEX staff_actions_of_target ON staff_actions (target);
GRANT SELECT, INSERT ON staff_actions TO franchise360_api;

-- +goose StatementBegin
CREATE FUNCTION staff_action_hash(a staff_actions) RETURNS bytea
    LANGUAGE sql IMMUTABLE
    AS $$ SELECT sha256(a.previous || convert_to(jsonb_build_array(a.sequence, a.id, a.staff_id, a.action, a.target,
        a.franchiser_ref, a.reason, a.before, a.after, (extract(epoch FROM a.at) * 1000000)::bigint)::text, 'UTF8')) $$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE FUNCTION chain_staff_action() RETURNS trigger
    LANGUAGE plpgsql AS $$
DECLARE
    last record;
BEGIN
    PERFORM pg_advisory_xact_lock(hashtext('staff_actions'));
    SELECT sequence, hash INTO last FROM staff_actions ORDER BY sequence DESC LIMIT 1;
    NEW.sequence := coalesce(last.sequence, 0) + 1;
    NEW.previous := coalesce(last.hash, decode(repeat('00', 32), 'hex'));
    NEW.hash := staff_action_hash(NEW);
    RETURN NEW;
END $$;
-- +goose StatementEnd
CREATE TRIGGER chain BEFORE INSERT ON staff_actions FOR EACH ROW EXECUTE FUNCTION chain_staff_action();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON staff_actions
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Support searches across franchisers by beginnings: lower columns in the order of bytes.
CREATE INDEX franchisers_search_email ON franchisers (email text_pattern_ops);
CREATE INDEX franchisers_search_mobile ON franchisers (mobile text_pattern_ops);
CREATE INDEX franchisers_search_name ON franchisers (lower(first_name || ' ' || last_name) text_pattern_ops);
CREATE INDEX tenants_search_name ON tenants (lower(store_name) text_pattern_ops);
CREATE INDEX custom_domains_search ON custom_domains (domain text_pattern_ops);
CREATE INDEX payments_search_gateway ON payments (gateway_payment_id) WHERE gateway_payment_id IS NOT NULL;
CREATE INDEX jobs_of_franchiser ON river_job ((metadata ->> 'franchiser_id'), id DESC)
    WHERE metadata ->> 'franchiser_id' IS NOT NULL;

CREATE POLICY lookup ON invoices FOR SELECT TO franchise360_lookup USING (true);
GRANT SELECT (franchiser_id, number) ON invoices TO franchise360_lookup;
GRANT SELECT (store_name) ON tenants TO franchise360_lookup;
GRANT SELECT (gateway_payment_id) ON payments TO franchise360_lookup;
GRANT SELECT (id, metadata) ON river_job TO franchise360_lookup;

-- +goose StatementBegin
-- Whom staff mean by q, which is trimmed, in lower case and at least three characters long. It tells the franchiser, what
-- matched and whether it matched whole; everything else is read as that franchiser, under row-level security.
CREATE FUNCTION support_search(q text) RETURNS TABLE (franchiser_id uuid, kind text, label text, exact boolean)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$
    WITH s AS MATERIALIZED (SELECT replace(replace(replace(q, '\', '\\'), '%', '\%'), '_', '\_') || '%' AS beginning)
    (SELECT f.id, 'mobile', f.mobile, f.mobile = q FROM public.franchisers f, s
        WHERE f.mobile LIKE s.beginning AND f.mobile ~ '^[0-9]' AND f.erased_at IS NULL LIMIT 8)
    UNION ALL (SELECT f.id, 'email', f.email, f.email = q FROM public.franchisers f, s
        WHERE f.email LIKE s.beginning AND f.erased_at IS NULL LIMIT 8)
    UNION ALL (SELECT f.id, 'name', btrim(f.first_name || ' ' || f.last_name), btrim(lower(f.first_name || ' ' || f.last_name)) = q
        FROM public.franchisers f, s
        WHERE lower(f.first_name || ' ' || f.last_name) LIKE s.beginning AND f.erased_at IS NULL LIMIT 8)
    UNION ALL (SELECT t.franchiser_id, 'store', t.store_name, lower(t.store_name) = q FROM public.tenants t, s
        WHERE lower(t.store_name) LIKE s.beginning AND t.closed_at IS NULL LIMIT 8)
    UNION ALL (SELECT t.franchiser_id, 'domain', t.slug, true FROM public.tenants t WHERE t.slug = split_part(q, '.', 1) AND t.closed_at IS NULL)
    UNION ALL (SELECT c.franchiser_id, 'domain', c.domain, c.domain = q FROM public.custom_domains c, s
        WHERE c.domain LIKE s.beginning LIMIT 8)
    UNION ALL (SELECT p.franchiser_id, 'transaction', p.transaction_id, true FROM public.payments p
        WHERE p.transaction_id IN (q, upper(q)))
    UNION ALL (SELECT p.franchiser_id, 'gateway_payment', p.gateway_payment_id, true FROM public.payments p
        WHERE p.gateway_payment_id = q LIMIT 8)
    UNION ALL (SELECT i.franchiser_id, 'invoice', i.number, true FROM public.invoices i WHERE i.number = upper(q))
    UNION ALL (SELECT (j.metadata ->> 'franchiser_id')::uuid, 'job', j.id::text, true FROM public.river_job j
        WHERE j.id = CASE WHEN q ~ '^[0-9]{1,18}$' THEN q::bigint END AND j.metadata ->> 'franchiser_id' IS NOT NULL) $$;
-- +goose StatementEnd
ALTER FUNCTION support_search(text) OWNER TO franchise360_lookup;
REVOKE ALL ON FUNCTION support_search(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION support_search(text) TO franchise360_api;

-- +goose Down
DROP FUNCTION support_search(text);
REVOKE SELECT (id, metadata) ON river_job FROM franchise360_lookup;
REVOKE SELECT (gateway_payment_id) ON payments FROM franchise360_lookup;
REVOKE SELECT (store_name) ON tenants FROM franchise360_lookup;
REVOKE SELECT (franchiser_id, number) ON invoices FROM franchise360_lookup;
DROP POLICY lookup ON invoices;
DROP INDEX jobs_of_franchiser, payments_search_gateway, custom_domains_search, tenants_search_name,
    franchisers_search_name, franchisers_search_mobile, franchisers_search_email;
DROP TABLE staff_actions CASCADE;
DROP FUNCTION chain_staff_action();
DROP TABLE staff_sessions, staff;
