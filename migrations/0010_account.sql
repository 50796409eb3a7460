-- Who a franchiser is and how it proves it: accounts, pending sign-ups, one-time codes, sessions.
-- Mobiles are ten digits without +91. Times are UTC. No code, token or password is stored as it is. request_id, here and in other
-- tables, is the request that did it (X-Request-Id), so that support comes from an entry of a timeline to the log and back; what
-- workers do by themselves names none, and a job names the request it came from.

-- +goose Up
CREATE TABLE franchisers (
    id                uuid        PRIMARY KEY,
    mobile            text        NOT NULL CHECK (mobile ~ '^[6-9][0-9]{9}$' OR erased_at IS NOT NULL),
    email             text        NOT NULL CHECK (email = lower(email)),
    first_name        text        NOT NULL DEFAULT '',
    last_name         text        NOT NULL DEFAULT '',
    password_hash     text        NOT NULL,
    totp_secret       bytea,                      -- encrypted; NULL while not enrolled
    totp_begun_at     timestamptz,
    totp_enabled_at   timestamptz,
    totp_last_step    bigint      NOT NULL DEFAULT 0, -- the last time step that was used, so that none is used twice
    terms_version     text        NOT NULL,
    terms_accepted_at timestamptz NOT NULL,
    trial_used_at     timestamptz,
    created_at        timestamptz NOT NULL,
    erasure_requested_at timestamptz,             -- the account is erased seven days later, unless withdrawn
    erased_at         timestamptz,
    search_name       text        COLLATE "C" NOT NULL GENERATED ALWAYS AS (lower(btrim(first_name || ' ' || last_name))) STORED,
    search_rest       text        COLLATE "C" NOT NULL
        GENERATED ALWAYS AS (regexp_replace(lower(btrim(first_name || ' ' || last_name)), '^\S+\s*', '')) STORED,
    request_id        uuid        DEFAULT current_request(),
    totp_request_id   uuid,                       -- that turned the authenticator on
    erasure_request_id uuid                       -- that requested the erasure
);
CREATE UNIQUE INDEX franchisers_mobile ON franchisers (mobile);
CREATE INDEX franchisers_email ON franchisers (email);
CREATE INDEX franchisers_erasure ON franchisers (erasure_requested_at) WHERE erasure_requested_at IS NOT NULL;
-- How staff find a customer: normalised columns in the order of bytes, so that what begins alike is one range of an index. Ranges
-- and equality are leakproof, so that row-level security leaves them their indexes; LIKE and trigrams are not. A name is found by
-- its first word and from its second on. Stores, domains, payments and invoices are found alike.
CREATE INDEX franchisers_search_mobile ON franchisers (mobile COLLATE "C") WHERE erased_at IS NULL;
CREATE INDEX franchisers_search_email ON franchisers (email COLLATE "C") WHERE erased_at IS NULL;
CREATE INDEX franchisers_search_name ON franchisers (search_name) WHERE erased_at IS NULL AND search_name <> '';
CREATE INDEX franchisers_search_rest ON franchisers (search_rest) WHERE erased_at IS NULL AND search_rest <> '';
CALL isolate('franchisers', 'id');
GRANT SELECT, INSERT, UPDATE ON franchisers TO franchise360_api, franchise360_worker;

-- One free trial a mobile, for ever: its keyed hash stays when the account changes its mobile or is erased.
CREATE TABLE trial_mobiles (
    mobile_mac bytea       PRIMARY KEY,
    used_at    timestamptz NOT NULL
);
GRANT SELECT, INSERT ON trial_mobiles TO franchise360_api, franchise360_worker;

-- A sign-up that has not proved its mobile yet. It belongs to the browser that began it: if a stranger begins one with the
-- same mobile, the owner's code never confirms the stranger's e-mail and password. It belongs to no franchiser yet, hence no
-- row-level security: only the account package reads it, by what was typed in.
CREATE TABLE pending_sign_ups (
    id            uuid        PRIMARY KEY,
    mobile        text        NOT NULL CHECK (mobile ~ '^[6-9][0-9]{9}$'),
    browser_hash  bytea       NOT NULL,
    email         text        NOT NULL,
    first_name    text        NOT NULL DEFAULT '',
    password_hash text        NOT NULL,
    free_trial    boolean     NOT NULL,
    terms_version text        NOT NULL,
    created_at    timestamptz NOT NULL,
    expires_at    timestamptz NOT NULL,
    request_id    uuid        DEFAULT current_request(),
    UNIQUE (mobile, browser_hash)
);
CREATE INDEX pending_sign_ups_expiry ON pending_sign_ups (expires_at);
GRANT SELECT, INSERT, UPDATE, DELETE ON pending_sign_ups TO franchise360_api, franchise360_worker;

-- One row per requested SMS. The code is HMAC(key, id) cut to six digits, so it is stored nowhere. What was sent to a mobile before
-- it had an account remains visible to support after the sign-up is complete.
CREATE TABLE one_time_codes (
    id             uuid        PRIMARY KEY,
    mobile         text        NOT NULL CHECK (mobile ~ '^[6-9][0-9]{9}$'),
    purpose        text        NOT NULL CHECK (purpose IN ('sign_up', 'password_reset', 'change_mobile', 'change_email')),
    -- what is sent: the code; the notice that an account exists or has moved to another mobile; or nothing, with
    -- the same response (no enumeration)
    message        text        NOT NULL CHECK (message IN ('code', 'account_exists', 'mobile_changed', 'none')),
    sign_up_id     uuid        REFERENCES pending_sign_ups ON DELETE SET NULL, -- whose sign-up the code confirms
    franchiser_ref uuid,                           -- the requester, if known; it gives no access
    bound_to       bytea,                          -- keyed hash of the new e-mail that the code confirms
    created_at     timestamptz NOT NULL,
    expires_at     timestamptz NOT NULL,
    sent_at        timestamptz,                    -- when the provider took it
    send_error     text,
    used_at        timestamptz,
    request_id     uuid        DEFAULT current_request(),
    -- SHA-256 of the secret of the browser that the code belongs to; NULL if a signed-in user requested it
    browser_hash   bytea
);
CREATE INDEX one_time_codes_mobile ON one_time_codes (mobile, purpose, created_at DESC);
CREATE INDEX one_time_codes_sign_up ON one_time_codes (sign_up_id) WHERE sign_up_id IS NOT NULL;
CREATE INDEX one_time_codes_created ON one_time_codes (created_at);
GRANT SELECT, INSERT, UPDATE, DELETE ON one_time_codes TO franchise360_api, franchise360_worker;

-- Wrong tries are counted per mobile, purpose and who asked, not per code: a new code does not reset the count.
CREATE TABLE code_attempts (
    mobile      text        NOT NULL,
    purpose     text        NOT NULL,
    tries       int         NOT NULL,
    last_try_at timestamptz NOT NULL,
    owner       bytea       NOT NULL DEFAULT '', -- the browser or franchiser that asked; empty for those that bring no cookie
    PRIMARY KEY (mobile, purpose, owner)
);
CREATE INDEX code_attempts_last ON code_attempts (last_try_at);
GRANT SELECT, INSERT, UPDATE, DELETE ON code_attempts TO franchise360_api, franchise360_worker;

-- How many SMS were requested on a day (IST) for a mobile, from an address, and in total. Subjects are keyed hashes.
CREATE TABLE code_sends (
    subject text NOT NULL,
    day     date NOT NULL,
    sends   int  NOT NULL,
    PRIMARY KEY (subject, day)
);
CREATE INDEX code_sends_day ON code_sends (day);
GRANT SELECT, INSERT, UPDATE, DELETE ON code_sends TO franchise360_api, franchise360_worker;

-- A proof that a mobile was verified for a purpose: single use, ten minutes. Its token is stored as SHA-256.
CREATE TABLE verifications (
    token_hash bytea       PRIMARY KEY,
    mobile     text        NOT NULL,
    purpose    text        NOT NULL,
    sign_up_id uuid        REFERENCES pending_sign_ups ON DELETE CASCADE,
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    used_at    timestamptz
);
CREATE INDEX verifications_expiry ON verifications (expires_at);
CREATE INDEX verifications_sign_up ON verifications (sign_up_id) WHERE sign_up_id IS NOT NULL;
GRANT SELECT, INSERT, UPDATE, DELETE ON verifications TO franchise360_api, franchise360_worker;

-- A session is one family of rotating refresh tokens with one live access token. Tokens are stored as SHA-256.
CREATE TABLE sessions (
    id                uuid        PRIMARY KEY,
    franchiser_id     uuid        NOT NULL REFERENCES franchisers,
    access_hash       bytea       NOT NULL UNIQUE,
    access_expires_at timestamptz NOT NULL,
    refreshed_at      timestamptz NOT NULL,
    expires_at        timestamptz NOT NULL,       -- end of the family: 30 days, or 12 h without remember-me
    remember          boolean     NOT NULL,
    user_agent        text        NOT NULL DEFAULT '',
    ip_address        text        NOT NULL DEFAULT '',
    created_at        timestamptz NOT NULL,
    ended_at          timestamptz,
    end_reason        text        CHECK (end_reason IN ('logout', 'revoked', 'password_reset', 'mobile_changed', 'refresh_reuse', 'erased', 'staff')),
    request_id        uuid        DEFAULT current_request(),
    end_request_id    uuid,
    UNIQUE (franchiser_id, id)
);
CREATE INDEX sessions_franchiser ON sessions (franchiser_id, created_at DESC);
CREATE INDEX sessions_expiry ON sessions (expires_at);
CALL isolate('sessions');
GRANT SELECT, INSERT, UPDATE, DELETE ON sessions TO franchise360_api, franchise360_worker;

-- Every refresh token of a session, so that a spent one is recognised however old it is.
CREATE TABLE refresh_tokens (
    token_hash    bytea       PRIMARY KEY,
    franchiser_id uuid        NOT NULL,
    session_id    uuid        NOT NULL,
    issued_at     timestamptz NOT NULL,
    spent_at      timestamptz,
    FOREIGN KEY (franchiser_id, session_id) REFERENCES sessions (franchiser_id, id) ON DELETE CASCADE
);
CREATE INDEX refresh_tokens_session ON refresh_tokens (franchiser_id, session_id);
CALL isolate('refresh_tokens');
GRANT SELECT, INSERT, UPDATE, DELETE ON refresh_tokens TO franchise360_api, franchise360_worker;

-- Between the right password and the authenticator's code: five minutes, five tries.
CREATE TABLE totp_challenges (
    token_hash    bytea       PRIMARY KEY,
    franchiser_id uuid        NOT NULL REFERENCES franchisers,
    remember      boolean     NOT NULL,
    tries         int         NOT NULL DEFAULT 0,
    expires_at    timestamptz NOT NULL,
    used_at       timestamptz
);
CREATE INDEX totp_challenges_expiry ON totp_challenges (expires_at);
CREATE INDEX totp_challenges_franchiser ON totp_challenges (franchiser_id);
CALL isolate('totp_challenges');
GRANT SELECT, INSERT, UPDATE, DELETE ON totp_challenges TO franchise360_api, franchise360_worker;

-- Each replaces the authenticator once; stored as keyed hashes.
CREATE TABLE totp_recovery_codes (
    franchiser_id uuid        NOT NULL REFERENCES franchisers,
    code_mac      bytea       NOT NULL,
    used_at       timestamptz,
    PRIMARY KEY (franchiser_id, code_mac)
);
CALL isolate('totp_recovery_codes');
GRANT SELECT, INSERT, UPDATE, DELETE ON totp_recovery_codes TO franchise360_api, franchise360_worker;

-- Failed sign-ins, so that support can explain why somebody cannot sign in: when, and for which reason; never what was typed, nor
-- from where. Each account keeps a limited number per hour, whatever an attacker does.
CREATE TABLE failed_sign_ins (
    id            uuid        PRIMARY KEY,
    franchiser_id uuid        NOT NULL REFERENCES franchisers,
    at            timestamptz NOT NULL,
    reason        text        NOT NULL CHECK (reason IN ('wrong_password', 'wrong_code', 'too_many_tries')),
    request_id    uuid        DEFAULT current_request()
);
CREATE INDEX failed_sign_ins_franchiser ON failed_sign_ins (franchiser_id, at DESC);
CREATE INDEX failed_sign_ins_at ON failed_sign_ins (at);
CALL isolate('failed_sign_ins');
GRANT SELECT, INSERT ON failed_sign_ins TO franchise360_api;
GRANT SELECT, INSERT, DELETE ON failed_sign_ins TO franchise360_worker;

-- Narrow look-ups for callers that do not know their franchiser yet. They run as franchise360_lookup, which may read
-- these tables and nothing else.
CREATE POLICY lookup ON franchisers FOR SELECT TO franchise360_lookup USING (true);
CREATE POLICY lookup ON sessions FOR SELECT TO franchise360_lookup USING (true);
CREATE POLICY lookup ON refresh_tokens FOR SELECT TO franchise360_lookup USING (true);
CREATE POLICY lookup ON totp_challenges FOR SELECT TO franchise360_lookup USING (true);
GRANT SELECT ON franchisers, sessions, refresh_tokens, totp_challenges TO franchise360_lookup;
GRANT SELECT (mobile, created_at) ON one_time_codes TO franchise360_lookup; -- for the search of staff

-- +goose StatementBegin
CREATE FUNCTION find_franchiser_by_mobile(m text) RETURNS TABLE (id uuid)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT f.id FROM public.franchisers f WHERE f.mobile = m AND f.erased_at IS NULL $$;

-- One round trip fetches what a sign-in is checked against, and is the same for a mobile that has no account.
CREATE FUNCTION find_login(m text) RETURNS TABLE (id uuid, password_hash text)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT f.id, f.password_hash FROM public.franchisers f WHERE f.mobile = m AND f.erased_at IS NULL $$;

-- One round trip answers the check that precedes every private call.
CREATE FUNCTION find_session_by_access(h bytea, at timestamptz)
    RETURNS TABLE (id uuid, franchiser_id uuid, access_expires_at timestamptz)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT s.id, s.franchiser_id, s.access_expires_at FROM public.sessions s
          WHERE s.access_hash = h AND s.ended_at IS NULL AND s.access_expires_at > at AND s.expires_at > at $$;

CREATE FUNCTION find_session_by_refresh(h bytea) RETURNS TABLE (id uuid, franchiser_id uuid)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT t.session_id, t.franchiser_id FROM public.refresh_tokens t WHERE t.token_hash = h $$;

CREATE FUNCTION find_franchiser_by_challenge(h bytea) RETURNS TABLE (id uuid)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT c.franchiser_id FROM public.totp_challenges c WHERE c.token_hash = h $$;
-- +goose StatementEnd

ALTER FUNCTION find_franchiser_by_mobile(text) OWNER TO franchise360_lookup;
ALTER FUNCTION find_login(text) OWNER TO franchise360_lookup;
ALTER FUNCTION find_session_by_access(bytea, timestamptz) OWNER TO franchise360_lookup;
ALTER FUNCTION find_session_by_refresh(bytea) OWNER TO franchise360_lookup;
ALTER FUNCTION find_franchiser_by_challenge(bytea) OWNER TO franchise360_lookup;
REVOKE ALL ON FUNCTION find_franchiser_by_mobile(text), find_login(text), find_session_by_access(bytea, timestamptz),
    find_session_by_refresh(bytea), find_franchiser_by_challenge(bytea) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION find_franchiser_by_mobile(text), find_login(text), find_session_by_access(bytea, timestamptz),
    find_session_by_refresh(bytea), find_franchiser_by_challenge(bytea) TO franchise360_api, franchise360_worker;

-- The result of a right password, in one round trip: the session with its first refresh token, or the challenge that precedes
-- it, and who signed in.

-- +goose StatementBegin
-- begin_session runs with its caller's rights and sets the franchiser for the rest of the transaction, so that row-level
-- security applies inside it too. It returns no row if the password was changed since it was checked: the
-- account's row stays locked, so that a session of the old password cannot begin while a reset ends all of them.
CREATE FUNCTION begin_session(
    f uuid, checked_hash text, now_at timestamptz, remembered boolean,
    session_id uuid, session_access bytea, session_access_expires timestamptz, session_expires timestamptz,
    session_agent text, session_address text, session_refresh bytea,
    challenge bytea, challenge_expires timestamptz)
    RETURNS TABLE (id uuid, mobile text, email text, first_name text, last_name text, totp_enabled boolean,
        created_at timestamptz, erasure_requested_at timestamptz, store_name text, has_address boolean)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    who franchisers%ROWTYPE;
BEGIN
    PERFORM set_config('app.franchiser_id', f::text, true);
    SELECT * INTO who FROM franchisers a
    WHERE a.id = f AND a.erased_at IS NULL AND a.password_hash = checked_hash FOR UPDATE;
    IF NOT FOUND THEN
        RETURN;
    END IF;
    IF who.totp_enabled_at IS NOT NULL THEN
        INSERT INTO totp_challenges (token_hash, franchiser_id, remember, expires_at)
        VALUES (challenge, f, remembered, challenge_expires);
    ELSE
        INSERT INTO sessions (id, franchiser_id, access_hash, access_expires_at, refreshed_at, expires_at, remember,
                              user_agent, ip_address, created_at)
        VALUES (session_id, f, session_access, session_access_expires, now_at, session_expires, remembered,
                session_agent, session_address, now_at);
        INSERT INTO refresh_tokens (token_hash, franchiser_id, session_id, issued_at)
        VALUES (session_refresh, f, session_id, now_at);
    END IF;
    RETURN QUERY SELECT who.id, who.mobile, who.email, who.first_name, who.last_name, who.totp_enabled_at IS NOT NULL,
        who.created_at, who.erasure_requested_at,
        coalesce((SELECT t.store_name FROM tenants t WHERE t.franchiser_id = f AND t.closed_at IS NULL), ''),
        EXISTS (SELECT FROM business_addresses b WHERE b.franchiser_id = f);
END $$;
-- +goose StatementEnd
REVOKE ALL ON FUNCTION begin_session(uuid, text, timestamptz, boolean, uuid, bytea, timestamptz, timestamptz, text, text,
    bytea, bytea, timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION begin_session(uuid, text, timestamptz, boolean, uuid, bytea, timestamptz, timestamptz, text, text,
    bytea, bytea, timestamptz) TO franchise360_api;

-- +goose StatementBegin
-- customer_name is the legal name, otherwise the person's, otherwise the store's; empty if there is none.
CREATE FUNCTION customer_name(legal text, first text, last text, store text) RETURNS text
    LANGUAGE sql IMMUTABLE
    AS $$
    SELECT coalesce(nullif(btrim(legal), ''), nullif(btrim(concat_ws(' ', first, last)), ''), nullif(store, ''), '') $$;
-- +goose StatementEnd
REVOKE ALL ON FUNCTION customer_name(text, text, text, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION customer_name(text, text, text, text) TO franchise360_lookup;

-- The accounts that the sweep erases.

CREATE FUNCTION erasure_is_due(requested_at timestamptz, erased_at timestamptz, before timestamptz) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN requested_at <= before AND erased_at IS NULL;

-- +goose StatementBegin
-- How many rows a sweep would process at that moment, counted up to 10,001; nothing but the number is revealed.
CREATE FUNCTION count_due_erasures(at timestamptz) RETURNS bigint
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT count(*) FROM (SELECT FROM public.franchisers f
        WHERE public.erasure_is_due(f.erasure_requested_at, f.erased_at, at) LIMIT 10001) x $$;
-- +goose StatementEnd
ALTER FUNCTION count_due_erasures(timestamptz) OWNER TO franchise360_lookup;
REVOKE ALL ON FUNCTION count_due_erasures(timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION count_due_erasures(timestamptz) TO franchise360_api;

-- What others may read of these tables.

CREATE VIEW person_overview WITH (security_invoker = true) AS
    SELECT id AS franchiser_id, first_name, last_name, email, mobile, erasure_requested_at, erased_at FROM franchisers;
COMMENT ON VIEW person_overview IS 'account: who a franchiser is';
GRANT SELECT ON person_overview TO franchise360_api, franchise360_worker;

-- +goose Down
DROP VIEW person_overview;
DROP FUNCTION count_due_erasures(timestamptz), erasure_is_due(timestamptz, timestamptz, timestamptz);
DROP FUNCTION customer_name(text, text, text, text);
DROP FUNCTION begin_session(uuid, text, timestamptz, boolean, uuid, bytea, timestamptz, timestamptz, text, text,
    bytea, bytea, timestamptz);
DROP FUNCTION find_franchiser_by_challenge(bytea);
DROP FUNCTION find_session_by_refresh(bytea);
DROP FUNCTION find_session_by_access(bytea, timestamptz);
DROP FUNCTION find_login(text);
DROP FUNCTION find_franchiser_by_mobile(text);
DROP TABLE failed_sign_ins, totp_recovery_codes, totp_challenges, refresh_tokens, sessions, verifications, code_sends,
    code_attempts, one_time_codes, pending_sign_ups, trial_mobiles, franchisers;
