-- Connected systems: their API keys, and the OpenID Connect clients that customers sign in to. Only a key's SHA-256 is stored.

-- +goose Up
-- +goose StatementBegin
SET LOCAL check_function_bodies = off;

CREATE TABLE api_keys (
    id           uuid        PRIMARY KEY,
    label        text        NOT NULL CHECK (char_length(label) BETWEEN 2 AND 80),
    hint         text        NOT NULL CHECK (hint ~ '^f360_[0-9A-Za-z]{6}$'), -- the key's prefix
    hash         bytea       NOT NULL UNIQUE CHECK (octet_length(hash) = 32),
    scopes       text[]      NOT NULL CHECK (cardinality(scopes) > 0),
    created_at   timestamptz NOT NULL,
    expires_at   timestamptz, -- NULL until it is revoked
    revoked_at   timestamptz,
    last_used_at timestamptz -- to the minute
);
ALTER TABLE api_keys ENABLE ROW LEVEL SECURITY;
CREATE POLICY staff_read ON api_keys FOR SELECT TO franchise360_api USING ((SELECT acting_staff()) IS NOT NULL);
CREATE POLICY admins_add ON api_keys FOR INSERT TO franchise360_api WITH CHECK ((SELECT acting_staff('admin')) IS NOT NULL);
CREATE POLICY admins_change ON api_keys FOR UPDATE TO franchise360_api USING ((SELECT acting_staff('admin')) IS NOT NULL);
CREATE POLICY every_row ON api_keys TO franchise360_lookup USING (true) WITH CHECK (true);
GRANT SELECT, INSERT ON api_keys TO franchise360_api;
GRANT SELECT ON api_keys TO franchise360_lookup;
GRANT UPDATE (revoked_at) ON api_keys TO franchise360_api;
GRANT UPDATE (last_used_at) ON api_keys TO franchise360_lookup;

-- OpenID Connect clients of customers.
CREATE TABLE sign_in_systems (
    id               uuid        PRIMARY KEY, -- client_id
    label            text        NOT NULL CHECK (char_length(label) BETWEEN 2 AND 80),
    login_url        text        NOT NULL CHECK (char_length(login_url) BETWEEN 8 AND 500), -- starts a sign-in
    redirect_uris    text[]      NOT NULL CHECK (cardinality(redirect_uris) BETWEEN 1 AND 10),
    dashboard        boolean     NOT NULL, -- the dashboard button opens it
    state            text        NOT NULL CHECK (state IN ('enabled', 'disabled', 'removed')),
    secret_hash      bytea       NOT NULL CHECK (octet_length(secret_hash) = 32),
    old_secret_hash  bytea       CHECK (octet_length(old_secret_hash) = 32), -- also valid until old_secret_until
    old_secret_until timestamptz,
    created_at       timestamptz NOT NULL,
    updated_at       timestamptz NOT NULL,
    CHECK ((old_secret_hash IS NULL) = (old_secret_until IS NULL))
);
CREATE UNIQUE INDEX sign_in_systems_dashboard ON sign_in_systems (dashboard) WHERE dashboard AND state <> 'removed';
ALTER TABLE sign_in_systems ENABLE ROW LEVEL SECURITY;
CREATE POLICY staff_read ON sign_in_systems FOR SELECT TO franchise360_api USING ((SELECT acting_staff()) IS NOT NULL);
CREATE POLICY admins_add ON sign_in_systems FOR INSERT TO franchise360_api WITH CHECK ((SELECT acting_staff('admin')) IS NOT NULL);
CREATE POLICY admins_change ON sign_in_systems FOR UPDATE TO franchise360_api USING ((SELECT acting_staff('admin')) IS NOT NULL);
CREATE POLICY every_row ON sign_in_systems FOR SELECT TO franchise360_lookup USING (true);
CREATE TRIGGER transitions BEFORE UPDATE OF state ON sign_in_systems FOR EACH ROW WHEN (OLD.state <> NEW.state)
    EXECUTE FUNCTION keep_to_transitions('enabled>disabled', 'disabled>enabled', 'enabled>removed', 'disabled>removed');
GRANT SELECT, INSERT, UPDATE ON sign_in_systems TO franchise360_api;
GRANT SELECT ON sign_in_systems TO franchise360_lookup;

-- A key signs from signs_from until the next key does. It is published for a time before and after.
CREATE TABLE sign_in_keys (
    id         uuid        PRIMARY KEY,
    private    bytea       NOT NULL, -- encrypted
    signs_from timestamptz NOT NULL UNIQUE
);
GRANT SELECT, INSERT, DELETE ON sign_in_keys TO franchise360_api;

-- Single-use authorization code for a browser's return to a client.
CREATE TABLE sign_in_codes (
    id             uuid        PRIMARY KEY,
    franchiser_id  uuid        NOT NULL REFERENCES franchisers, -- the opened account
    person_id      uuid        NOT NULL,
    session_id     uuid        NOT NULL,
    system_id      uuid        NOT NULL REFERENCES sign_in_systems,
    system_label   text        NOT NULL,
    hash           bytea       NOT NULL UNIQUE CHECK (octet_length(hash) = 32),
    redirect_uri   text        NOT NULL,
    code_challenge text        NOT NULL,
    nonce          text        NOT NULL DEFAULT '',
    created_at     timestamptz NOT NULL,
    expires_at     timestamptz NOT NULL,
    used_at        timestamptz,
    request_id     uuid        DEFAULT current_request()
);
CREATE INDEX sign_in_codes_of_account ON sign_in_codes (franchiser_id, created_at DESC);
CREATE INDEX sign_in_codes_age ON sign_in_codes (created_at);
CALL isolate('sign_in_codes');
CREATE POLICY taken ON sign_in_codes TO franchise360_lookup USING (true) WITH CHECK (true);
GRANT SELECT, INSERT ON sign_in_codes TO franchise360_api;
GRANT SELECT, DELETE ON sign_in_codes TO franchise360_worker;
GRANT SELECT ON sign_in_codes TO franchise360_lookup;
GRANT UPDATE (used_at) ON sign_in_codes TO franchise360_lookup;

-- Figures of a customer's day, reported by connected systems. The label is that of the API key, so that a replaced key corrects its
-- predecessor's figures.
CREATE TABLE reported_figures (
    franchiser_id uuid        NOT NULL REFERENCES franchisers,
    name          text        NOT NULL CHECK (name IN ('sales_paise', 'points', 'new_customers')),
    key_label     text        NOT NULL CHECK (char_length(key_label) BETWEEN 2 AND 80),
    day           date        NOT NULL,
    value         bigint      NOT NULL CHECK (value BETWEEN 0 AND 1000000000000000),
    reported_at   timestamptz NOT NULL,
    PRIMARY KEY (franchiser_id, day, name, key_label)
);
CALL isolate('reported_figures');
GRANT SELECT, INSERT, UPDATE, DELETE ON reported_figures TO franchise360_api, franchise360_worker;

-- find_api_key finds a valid API key by its hash, before a franchiser is known.
CREATE FUNCTION find_api_key(hash bytea, at timestamptz) RETURNS TABLE (id uuid, label text, scopes text[], last_used_at timestamptz)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT k.id, k.label, k.scopes, k.last_used_at FROM public.api_keys k
        WHERE k.hash = find_api_key.hash AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > at) $$;

CREATE FUNCTION see_api_key(key uuid, at timestamptz) RETURNS void
    LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ UPDATE public.api_keys k SET last_used_at = at WHERE k.id = key AND (k.last_used_at IS NULL OR k.last_used_at < at) $$;

-- find_sign_in_system returns an enabled system with its valid secret hashes.
CREATE FUNCTION find_sign_in_system(system uuid, at timestamptz) RETURNS TABLE (label text, redirect_uris text[], secret_hashes bytea[])
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT s.label, s.redirect_uris, CASE WHEN s.old_secret_until > at THEN ARRAY[s.secret_hash, s.old_secret_hash] ELSE ARRAY[s.secret_hash] END
          FROM public.sign_in_systems s WHERE s.id = system AND s.state = 'enabled' $$;

-- dashboard_system returns the dashboard button's target.
CREATE FUNCTION dashboard_system() RETURNS TABLE (label text, login_url text)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT s.label, s.login_url FROM public.sign_in_systems s WHERE s.dashboard AND s.state = 'enabled' $$;

-- take_sign_in_code consumes a code; a second call gets no row.
CREATE FUNCTION take_sign_in_code(hash bytea, system uuid, at timestamptz)
    RETURNS TABLE (id uuid, franchiser_id uuid, person_id uuid, role text, redirect_uri text, code_challenge text, nonce text)
    LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ UPDATE public.sign_in_codes c SET used_at = at
          WHERE c.hash = take_sign_in_code.hash AND c.system_id = system AND c.used_at IS NULL AND c.expires_at > at
          RETURNING c.id, c.franchiser_id, c.person_id, coalesce(public.role_of_session(c.session_id, at), ''), c.redirect_uri, c.code_challenge, c.nonce $$;

-- search_systems finds a sign-in system by client id, and a key by id.
CREATE FUNCTION search_systems(q text) RETURNS TABLE (franchiser_id uuid, kind text, label text, exact boolean)
    LANGUAGE sql STABLE AS $$
    SELECT NULL::uuid, 'connected_system', s.label, true FROM public.sign_in_systems s WHERE s.id = public.id_in(q)
    UNION ALL SELECT NULL::uuid, 'connected_system', k.label, true FROM public.api_keys k WHERE k.id = public.id_in(q) $$;

-- Owner and callers of the functions above.
ALTER FUNCTION find_api_key(bytea, timestamptz) OWNER TO franchise360_lookup;
ALTER FUNCTION see_api_key(uuid, timestamptz) OWNER TO franchise360_lookup;
ALTER FUNCTION find_sign_in_system(uuid, timestamptz) OWNER TO franchise360_lookup;
ALTER FUNCTION dashboard_system() OWNER TO franchise360_lookup;
ALTER FUNCTION take_sign_in_code(bytea, uuid, timestamptz) OWNER TO franchise360_lookup;
REVOKE ALL ON FUNCTION find_api_key(bytea, timestamptz), see_api_key(uuid, timestamptz), find_sign_in_system(uuid, timestamptz),
    dashboard_system(), take_sign_in_code(bytea, uuid, timestamptz), search_systems(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION find_api_key(bytea, timestamptz), see_api_key(uuid, timestamptz), find_sign_in_system(uuid, timestamptz),
    dashboard_system(), take_sign_in_code(bytea, uuid, timestamptz) TO franchise360_api;
GRANT EXECUTE ON FUNCTION search_systems(text) TO franchise360_lookup;
-- +goose StatementEnd
