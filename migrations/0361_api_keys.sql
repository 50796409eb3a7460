-- Keys with which the operator's own systems ask the API. A key's SHA-256 is stored, never the key.

-- +goose Up
CREATE TABLE api_keys (
    id           uuid        PRIMARY KEY,
    label        text        NOT NULL CHECK (char_length(label) BETWEEN 2 AND 80),
    hint         text        NOT NULL CHECK (hint ~ '^f360_[0-9A-Za-z]{6}$'), -- how the key begins
    hash         bytea       NOT NULL UNIQUE CHECK (octet_length(hash) = 32),
    scopes       text[]      NOT NULL CHECK (cardinality(scopes) > 0),
    created_at   timestamptz NOT NULL,
    expires_at   timestamptz,             -- NULL until it is revoked
    revoked_at   timestamptz,
    last_used_at timestamptz              -- to the minute
);
GRANT SELECT, INSERT, UPDATE (revoked_at) ON api_keys TO franchise360_api;
GRANT SELECT, UPDATE (last_used_at) ON api_keys TO franchise360_lookup;
ALTER TABLE api_keys ENABLE ROW LEVEL SECURITY;
CREATE POLICY staff_read ON api_keys FOR SELECT TO franchise360_api USING ((SELECT acting_staff()) IS NOT NULL);
CREATE POLICY admins_add ON api_keys FOR INSERT TO franchise360_api WITH CHECK ((SELECT acting_staff('admin')) IS NOT NULL);
CREATE POLICY admins_change ON api_keys FOR UPDATE TO franchise360_api USING ((SELECT acting_staff('admin')) IS NOT NULL);
CREATE POLICY every_row ON api_keys TO franchise360_lookup USING (true) WITH CHECK (true);

-- +goose StatementBegin
-- A key and a store are found before it is known whose they are. find_api_key is the key with the hash if it is valid at the moment.
CREATE FUNCTION find_api_key(hash bytea, at timestamptz) RETURNS TABLE (id uuid, scopes text[], last_used_at timestamptz)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT k.id, k.scopes, k.last_used_at FROM public.api_keys k
        WHERE k.hash = find_api_key.hash AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > at) $$;

CREATE FUNCTION see_api_key(key uuid, at timestamptz) RETURNS void
    LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ UPDATE public.api_keys k SET last_used_at = at WHERE k.id = key AND (k.last_used_at IS NULL OR k.last_used_at < at) $$;

-- find_store is the franchiser whose store has the id.
CREATE FUNCTION find_store(store uuid) RETURNS uuid
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT t.franchiser_id FROM public.tenants t WHERE t.id = store AND t.closed_at IS NULL $$;
-- +goose StatementEnd
ALTER FUNCTION find_api_key(bytea, timestamptz) OWNER TO franchise360_lookup;
ALTER FUNCTION see_api_key(uuid, timestamptz) OWNER TO franchise360_lookup;
ALTER FUNCTION find_store(uuid) OWNER TO franchise360_lookup;
REVOKE ALL ON FUNCTION find_api_key(bytea, timestamptz), see_api_key(uuid, timestamptz), find_store(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION find_api_key(bytea, timestamptz), see_api_key(uuid, timestamptz), find_store(uuid) TO franchise360_api;

-- +goose Down
DROP FUNCTION find_store(uuid), see_api_key(uuid, timestamptz), find_api_key(bytea, timestamptz);
DROP TABLE api_keys;
