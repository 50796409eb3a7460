-- Who a franchiser is and how it proves it: accounts, pending sign-ups, one-time codes, sessions.
-- Mobiles are ten digits without +91. Times are UTC. No code, token or password is stored as it is.

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
    erased_at         timestamptz
);
CREATE UNIQUE INDEX franchisers_mobile ON franchisers (mobile);
CREATE INDEX franchisers_email ON franchisers (email);
CREATE INDEX franchisers_erasure ON franchisers (erasure_requested_at) WHERE erasure_requested_at IS NOT NULL;
CALL isolate('franchisers', 'id');
GRANT SELECT, INSERT, UPDATE ON franchisers TO franchise360_api, franchise360_worker;

-- One free trial a mobile, for ever: its keyed hash stays when the account changes its mobile or is erased.
CREATE TABLE trial_mobiles (
    mobile_mac bytea       PRIMARY KEY,
    used_at    timestamptz NOT NULL
);
GRANT SELECT, INSERT ON trial_mobiles TO franchise360_api, franchise360_worker;

-- A sign-up that has not proved its mobile yet. It belongs to the browser that began it: a stranger who begins one
-- with the same mobile never has his e-mail and password confirmed by the owner's code. Known to no franchiser, hence
-- no row-level security: it is reached by what was typed in, and only through the account package.
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
    UNIQUE (mobile, browser_hash)
);
CREATE INDEX pending_sign_ups_expiry ON pending_sign_ups (expires_at);
GRANT SELECT, INSERT, UPDATE, DELETE ON pending_sign_ups TO franchise360_api, franchise360_worker;

-- One row an SMS that was asked for. The code is HMAC(key, id) cut to six digits, so it is nowhere.
CREATE TABLE one_time_codes (
    id             uuid        PRIMARY KEY,
    mobile         text        NOT NULL CHECK (mobile ~ '^[6-9][0-9]{9}$'),
    purpose        text        NOT NULL CHECK (purpose IN ('sign_up', 'password_reset', 'change_mobile', 'change_email')),
    -- what is sent: the code; the note that an account exists or has moved to another mobile; or nothing, which
    -- answers alike (no enumeration)
    message        text        NOT NULL CHECK (message IN ('code', 'account_exists', 'mobile_changed', 'none')),
    sign_up_id     uuid        REFERENCES pending_sign_ups ON DELETE CASCADE, -- whose sign-up the code confirms
    franchiser_ref uuid,                           -- who asked, where that is known; no access follows from it
    bound_to       bytea,                          -- keyed hash of the new e-mail that the code confirms
    created_at     timestamptz NOT NULL,
    expires_at     timestamptz NOT NULL,
    sent_at        timestamptz,                    -- when the provider took it
    send_error     text,
    used_at        timestamptz
);
CREATE INDEX one_time_codes_mobile ON one_time_codes (mobile, purpose, created_at DESC);
CREATE INDEX one_time_codes_sign_up ON one_time_codes (sign_up_id) WHERE sign_up_id IS NOT NULL;
CREATE INDEX one_time_codes_created ON one_time_codes (created_at);
GRANT SELECT, INSERT, UPDATE, DELETE ON one_time_codes TO franchise360_api, franchise360_worker;

-- Wrong tries are counted per mobile and purpose, not per code: a new code does not reset the count.
CREATE TABLE code_attempts (
    mobile      text        NOT NULL,
    purpose     text        NOT NULL,
    tries       int         NOT NULL,
    last_try_at timestamptz NOT NULL,
    PRIMARY KEY (mobile, purpose)
);
CREATE INDEX code_attempts_last ON code_attempts (last_try_at);
GRANT SELECT, INSERT, UPDATE, DELETE ON code_attempts TO franchise360_api, franchise360_worker;

-- How many SMS were asked for on a day (IST) for a mobile, from an address, and in all. Subjects are keyed hashes.
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

-- The limits' fallback while Redis is away: one row a subject and window. Subjects are keyed hashes.
CREATE TABLE rate_limits (
    subject      text        NOT NULL,
    window_start timestamptz NOT NULL,
    hits         int         NOT NULL,
    expires_at   timestamptz NOT NULL,
    PRIMARY KEY (subject, window_start)
);
CREATE INDEX rate_limits_expiry ON rate_limits (expires_at);
GRANT SELECT, INSERT, UPDATE, DELETE ON rate_limits TO franchise360_api, franchise360_worker;

-- Narrow look-ups for callers that do not know their franchiser yet. They run as franchise360_lookup, which may read
-- these tables and nothing else.
CREATE POLICY lookup ON franchisers FOR SELECT TO franchise360_lookup USING (true);
CREATE POLICY lookup ON sessions FOR SELECT TO franchise360_lookup USING (true);
CREATE POLICY lookup ON refresh_tokens FOR SELECT TO franchise360_lookup USING (true);
CREATE POLICY lookup ON totp_challenges FOR SELECT TO franchise360_lookup USING (true);
GRANT SELECT ON franchisers, sessions, refresh_tokens, totp_challenges TO franchise360_lookup;

-- +goose StatementBegin
CREATE FUNCTION find_franchiser_by_mobile(m text) RETURNS TABLE (id uuid)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT f.id FROM public.franchisers f WHERE f.mobile = m AND f.erased_at IS NULL $$;
-- +goose StatementEnd
-- +goose StatementBegin
-- One round trip fetches what a sign-in is checked against, and is the same for a mobile that has no account.
CREATE FUNCTION find_login(m text) RETURNS TABLE (id uuid, password_hash text)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT f.id, f.password_hash FROM public.franchisers f WHERE f.mobile = m AND f.erased_at IS NULL $$;
-- +goose StatementEnd
-- +goose StatementBegin
-- One round trip answers the check that precedes every private call.
CREATE FUNCTION find_session_by_access(h bytea, at timestamptz)
    RETURNS TABLE (id uuid, franchiser_id uuid, access_expires_at timestamptz)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT s.id, s.franchiser_id, s.access_expires_at FROM public.sessions s
          WHERE s.access_hash = h AND s.ended_at IS NULL AND s.access_expires_at > at AND s.expires_at > at $$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE FUNCTION find_session_by_refresh(h bytea) RETURNS TABLE (id uuid, franchiser_id uuid)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT t.session_id, t.franchiser_id FROM public.refresh_tokens t WHERE t.token_hash = h $$;
-- +goose StatementEnd
-- +goose StatementBegin
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

-- +goose Down
DROP FUNCTION find_franchiser_by_challenge(bytea);
DROP FUNCTION find_session_by_refresh(bytea);
DROP FUNCTION find_session_by_access(bytea, timestamptz);
DROP FUNCTION find_login(text);
DROP FUNCTION find_franchiser_by_mobile(text);
DROP TABLE rate_limits, totp_recovery_codes, totp_challenges, refresh_tokens, sessions, verifications, code_sends,
    code_attempts, one_time_codes, pending_sign_ups, trial_mobiles, franchisers;
