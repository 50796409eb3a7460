-- Connected systems that customers are signed in to from here (OpenID Connect): the systems, the keys that sign what they are told, and
-- the codes with which a browser comes back to one.

-- +goose Up
CREATE TABLE sign_in_systems (
    id               uuid        PRIMARY KEY,   -- its client_id
    label            text        NOT NULL CHECK (char_length(label) BETWEEN 2 AND 80),
    login_url        text        NOT NULL CHECK (char_length(login_url) BETWEEN 8 AND 500), -- where it starts a sign-in
    redirect_uris    text[]      NOT NULL CHECK (cardinality(redirect_uris) BETWEEN 1 AND 10),
    dashboard        boolean     NOT NULL,      -- whether the customers' button leads there
    state            text        NOT NULL CHECK (state IN ('enabled', 'disabled', 'removed')),
    secret_hash      bytea       NOT NULL CHECK (octet_length(secret_hash) = 32),
    old_secret_hash  bytea       CHECK (octet_length(old_secret_hash) = 32), -- counts too until old_secret_until
    old_secret_until timestamptz,
    created_at       timestamptz NOT NULL,
    updated_at       timestamptz NOT NULL,
    CHECK ((old_secret_hash IS NULL) = (old_secret_until IS NULL))
);
CREATE UNIQUE INDEX sign_in_systems_dashboard ON sign_in_systems (dashboard) WHERE dashboard AND state <> 'removed';
CREATE TRIGGER transitions BEFORE UPDATE OF state ON sign_in_systems FOR EACH ROW WHEN (OLD.state <> NEW.state)
    EXECUTE FUNCTION keep_to_transitions('enabled>disabled', 'disabled>enabled', 'enabled>removed', 'disabled>removed');

-- A key signs from signs_from until the next one does, and is published a while before and after.
CREATE TABLE sign_in_keys (
    id         uuid        PRIMARY KEY,
    private    bytea       NOT NULL,            -- encrypted
    signs_from timestamptz NOT NULL UNIQUE
);

CREATE TABLE sign_in_codes (
    id             uuid        PRIMARY KEY,
    franchiser_id  uuid        NOT NULL REFERENCES franchisers, -- the account that is opened
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

GRANT SELECT, INSERT, UPDATE ON sign_in_systems TO franchise360_api;
GRANT SELECT ON sign_in_systems TO franchise360_lookup;
GRANT SELECT, INSERT, DELETE ON sign_in_keys TO franchise360_api;
GRANT SELECT, INSERT ON sign_in_codes TO franchise360_api;
GRANT SELECT, DELETE ON sign_in_codes TO franchise360_worker;
GRANT SELECT, UPDATE (used_at) ON sign_in_codes TO franchise360_lookup;
ALTER TABLE sign_in_systems ENABLE ROW LEVEL SECURITY;
CREATE POLICY staff_read ON sign_in_systems FOR SELECT TO franchise360_api USING ((SELECT acting_staff()) IS NOT NULL);
CREATE POLICY admins_add ON sign_in_systems FOR INSERT TO franchise360_api WITH CHECK ((SELECT acting_staff('admin')) IS NOT NULL);
CREATE POLICY admins_change ON sign_in_systems FOR UPDATE TO franchise360_api USING ((SELECT acting_staff('admin')) IS NOT NULL);
CREATE POLICY every_row ON sign_in_systems FOR SELECT TO franchise360_lookup USING (true);
CREATE POLICY taken ON sign_in_codes TO franchise360_lookup USING (true) WITH CHECK (true);

-- +goose StatementBegin
-- role_of_session is the role in which a live session acts in its account, and nothing once the session or the membership ended.
CREATE FUNCTION role_of_session(session uuid, at timestamptz) RETURNS text
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT CASE WHEN s.member_id IS NULL THEN 'owner' ELSE m.role END
          FROM public.sessions s LEFT JOIN public.team_members m ON m.id = s.member_id AND m.state = 'active'
          WHERE s.id = session AND s.ended_at IS NULL AND s.expires_at > at AND (s.member_id IS NULL OR m.id IS NOT NULL) $$;

-- find_sign_in_system is an enabled system with the hashes of its secrets that count at the moment.
CREATE FUNCTION find_sign_in_system(system uuid, at timestamptz) RETURNS TABLE (label text, redirect_uris text[], secret_hashes bytea[])
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT s.label, s.redirect_uris, CASE WHEN s.old_secret_until > at THEN ARRAY[s.secret_hash, s.old_secret_hash] ELSE ARRAY[s.secret_hash] END
          FROM public.sign_in_systems s WHERE s.id = system AND s.state = 'enabled' $$;

-- dashboard_system is the one to which the customers' button leads.
CREATE FUNCTION dashboard_system() RETURNS TABLE (label text, login_url text)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT s.label, s.login_url FROM public.sign_in_systems s WHERE s.dashboard AND s.state = 'enabled' $$;

-- take_sign_in_code uses a code up: whoever comes second gets nothing.
CREATE FUNCTION take_sign_in_code(hash bytea, system uuid, at timestamptz)
    RETURNS TABLE (id uuid, franchiser_id uuid, person_id uuid, role text, redirect_uri text, code_challenge text, nonce text)
    LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ UPDATE public.sign_in_codes c SET used_at = at
          WHERE c.hash = take_sign_in_code.hash AND c.system_id = system AND c.used_at IS NULL AND c.expires_at > at
          RETURNING c.id, c.franchiser_id, c.person_id, coalesce(public.role_of_session(c.session_id, at), ''), c.redirect_uri, c.code_challenge, c.nonce $$;
-- +goose StatementEnd
ALTER FUNCTION role_of_session(uuid, timestamptz) OWNER TO franchise360_lookup;
ALTER FUNCTION find_sign_in_system(uuid, timestamptz) OWNER TO franchise360_lookup;
ALTER FUNCTION dashboard_system() OWNER TO franchise360_lookup;
ALTER FUNCTION take_sign_in_code(bytea, uuid, timestamptz) OWNER TO franchise360_lookup;
REVOKE ALL ON FUNCTION role_of_session(uuid, timestamptz), find_sign_in_system(uuid, timestamptz), dashboard_system(),
    take_sign_in_code(bytea, uuid, timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION find_sign_in_system(uuid, timestamptz), dashboard_system(), take_sign_in_code(bytea, uuid, timestamptz)
    TO franchise360_api;

-- +goose Down
DROP FUNCTION take_sign_in_code(bytea, uuid, timestamptz), dashboard_system(), find_sign_in_system(uuid, timestamptz),
    role_of_session(uuid, timestamptz);
DROP TABLE sign_in_codes, sign_in_keys, sign_in_systems;
