-- Identity and authentication: accounts, pending sign-ups, one-time codes, sessions and team members. Mobiles are ten digits without +91.
-- Times are UTC. Codes, tokens and passwords are never stored in plain text. request_id, in all tables, is the request that wrote the row
-- (X-Request-Id), which links a timeline to the log. It is NULL for the worker's own work; a job names the request that started it.
--
-- A team member has a separate account (franchisers) and acts in another account. The session names that account, and each request checks
-- the membership.

-- +goose Up
-- +goose StatementBegin
SET LOCAL check_function_bodies = off;

-- Triggers that emit webhook events.
CREATE FUNCTION tell_account() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        PERFORM public.tell_webhooks('account.created', NEW.id, jsonb_build_object('account_id', NEW.id, 'state', 'open'), NEW.created_at);
    ELSIF NEW.erased_at IS NOT NULL THEN
        PERFORM public.tell_webhooks('account.closed', NEW.id, jsonb_build_object('account_id', NEW.id, 'state', 'closed'), NEW.erased_at);
    ELSE -- a profile change has no timestamp column
        PERFORM public.tell_webhooks('account.updated', NEW.id, jsonb_build_object('account_id', NEW.id, 'state', 'open'), clock_timestamp());
    END IF;
    RETURN NULL;
END $$;

-- Accounts. A row is a person who signed up, including people who act only in another's account.
CREATE TABLE franchisers (
    id                uuid        PRIMARY KEY,
    mobile            text        NOT NULL CHECK (mobile ~ '^[6-9][0-9]{9}$' OR erased_at IS NOT NULL),
    email             text        NOT NULL CHECK (email = lower(email)),
    first_name        text        NOT NULL DEFAULT '',
    last_name         text        NOT NULL DEFAULT '',
    password_hash     text        NOT NULL,
    totp_secret       bytea, -- encrypted; NULL while not enrolled
    totp_begun_at     timestamptz,
    totp_enabled_at   timestamptz,
    totp_last_step    bigint      NOT NULL DEFAULT 0, -- the last used time step, to prevent reuse of a code
    terms_version     text        NOT NULL,
    terms_accepted_at timestamptz NOT NULL,
    trial_used_at     timestamptz,
    created_at        timestamptz NOT NULL,
    erasure_requested_at timestamptz, -- the account is erased seven days later, unless withdrawn
    erased_at         timestamptz,
    search_name       text        COLLATE "C" NOT NULL GENERATED ALWAYS AS (lower(btrim(first_name || ' ' || last_name))) STORED,
    search_rest       text        COLLATE "C" NOT NULL
        GENERATED ALWAYS AS (regexp_replace(lower(btrim(first_name || ' ' || last_name)), '^\S+\s*', '')) STORED,
    request_id        uuid        DEFAULT current_request(),
    totp_request_id   uuid, -- that enabled the authenticator
    erasure_request_id uuid, -- that requested the erasure
    email_proved_at   timestamptz, -- when the link sent to this address was opened; NULL after a change
    email_refused_at  timestamptz, -- when a mail server permanently rejected this address
    -- The language chosen for the site; empty if not chosen.
    language          text        NOT NULL DEFAULT '' CHECK (language ~ '^([a-z]{2,3})?$'),
    -- Second language of new documents, besides English; may be empty.
    document_language text        NOT NULL DEFAULT '' CHECK (document_language ~ '^([a-z]{2,3})?$' AND document_language <> 'en')
);
CREATE UNIQUE INDEX franchisers_mobile ON franchisers (mobile);
CREATE INDEX franchisers_email ON franchisers (email);
CREATE INDEX franchisers_erasure ON franchisers (erasure_requested_at) WHERE erasure_requested_at IS NOT NULL;
-- Staff search on normalised columns in byte order, so that a prefix is one index range. Ranges and equality are leakproof, so row-level
-- security still uses the index; LIKE and trigrams are not. A name matches from its first or its second word. Stores, domains, payments and
-- invoices work the same way.
CREATE INDEX franchisers_search_mobile ON franchisers (mobile COLLATE "C") WHERE erased_at IS NULL;
CREATE INDEX franchisers_search_email ON franchisers (email COLLATE "C") WHERE erased_at IS NULL;
CREATE INDEX franchisers_search_name ON franchisers (search_name) WHERE erased_at IS NULL AND search_name <> '';
CREATE INDEX franchisers_search_rest ON franchisers (search_rest) WHERE erased_at IS NULL AND search_rest <> '';
CREATE INDEX franchisers_search_mobile_end ON franchisers (reverse(mobile) COLLATE "C") WHERE erased_at IS NULL;
CREATE INDEX franchisers_search_words ON franchisers USING gin (to_tsvector('simple', first_name || ' ' || last_name)) WHERE erased_at IS NULL;
CREATE INDEX franchisers_search_sounds ON franchisers USING gin (sounds_of(first_name || ' ' || last_name)) WHERE erased_at IS NULL;
CALL isolate('franchisers', 'id');
-- Look-ups for callers whose franchiser is unknown. They run as franchise360_lookup, which may read only such tables.
CREATE POLICY lookup ON franchisers FOR SELECT TO franchise360_lookup USING (true);
CREATE TRIGGER tell_created AFTER INSERT ON franchisers FOR EACH ROW EXECUTE FUNCTION tell_account();
CREATE TRIGGER tell_changed AFTER UPDATE OF mobile, email, first_name, last_name, erased_at ON franchisers FOR EACH ROW
    WHEN ((OLD.mobile, OLD.email, OLD.first_name, OLD.last_name, OLD.erased_at)
        IS DISTINCT FROM (NEW.mobile, NEW.email, NEW.first_name, NEW.last_name, NEW.erased_at))
    EXECUTE FUNCTION tell_account();
GRANT SELECT, INSERT, UPDATE ON franchisers TO franchise360_api, franchise360_worker;
GRANT SELECT ON franchisers TO franchise360_lookup;

-- One free trial per mobile, for ever: its keyed hash stays after a change of mobile or an erasure.
CREATE TABLE trial_mobiles (
    mobile_mac bytea       PRIMARY KEY,
    used_at    timestamptz NOT NULL
);
GRANT SELECT, INSERT ON trial_mobiles TO franchise360_api, franchise360_worker;

-- A sign-up with an unverified mobile. It belongs to the browser that began it. If a stranger begins one with the same mobile, the owner's
-- code never confirms the stranger's e-mail and password. It has no franchiser, hence no row-level security. Only the account package reads
-- it.
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

-- One row per requested SMS. The code is HMAC(key, id) cut to six digits and is not stored. After sign-up, support still sees the earlier
-- messages to a mobile.
CREATE TABLE one_time_codes (
    id             uuid        PRIMARY KEY,
    mobile         text        NOT NULL CHECK (mobile ~ '^[6-9][0-9]{9}$'),
    purpose        text        NOT NULL CHECK (purpose IN ('sign_up', 'password_reset', 'change_mobile', 'change_email', 'erasure')),
    -- message type: the code, a notice (account exists, mobile changed, erasure requested), or no message, with the same response to
    -- prevent enumeration
    message        text        NOT NULL CHECK (message IN ('code', 'account_exists', 'mobile_changed', 'erasure_asked', 'none')),
    sign_up_id     uuid        REFERENCES pending_sign_ups ON DELETE SET NULL, -- the sign-up that the code confirms
    franchiser_ref uuid, -- the requester, if known; it gives no access
    bound_to       bytea, -- keyed hash of the new e-mail that the code confirms
    created_at     timestamptz NOT NULL,
    expires_at     timestamptz NOT NULL,
    sent_at        timestamptz, -- when the provider accepted it
    send_error     text,
    used_at        timestamptz,
    request_id     uuid        DEFAULT current_request(),
    -- SHA-256 of the secret of the browser that requested the code; NULL if a signed-in user did
    browser_hash   bytea,
    -- Language of the page that requested the code, for its SMS; empty without a page.
    language       text        NOT NULL DEFAULT '' CHECK (language ~ '^([a-z]{2,3})?$')
);
CREATE INDEX one_time_codes_mobile ON one_time_codes (mobile, purpose, created_at DESC);
CREATE INDEX one_time_codes_sign_up ON one_time_codes (sign_up_id) WHERE sign_up_id IS NOT NULL;
CREATE INDEX one_time_codes_created ON one_time_codes (created_at);
GRANT SELECT, INSERT, UPDATE, DELETE ON one_time_codes TO franchise360_api, franchise360_worker;
-- for staff search
GRANT SELECT (mobile, created_at) ON one_time_codes TO franchise360_lookup;

-- Wrong tries are counted per mobile, purpose and requester, not per code: a new code does not reset the count.
CREATE TABLE code_attempts (
    mobile      text        NOT NULL,
    purpose     text        NOT NULL,
    tries       int         NOT NULL,
    last_try_at timestamptz NOT NULL,
    owner       bytea       NOT NULL DEFAULT '', -- the requesting browser or franchiser; empty without a cookie
    PRIMARY KEY (mobile, purpose, owner)
);
CREATE INDEX code_attempts_last ON code_attempts (last_try_at);
GRANT SELECT, INSERT, UPDATE, DELETE ON code_attempts TO franchise360_api, franchise360_worker;

-- SMS requested per day (IST), by mobile, by IP address and in total. Subjects are keyed hashes.
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

-- Team members of an account, including invited and removed ones.
CREATE TABLE team_members (
    id            uuid        PRIMARY KEY,
    franchiser_id uuid        NOT NULL REFERENCES franchisers, -- the account
    name          text        NOT NULL CHECK (char_length(name) BETWEEN 2 AND 50),
    mobile        text        NOT NULL CHECK (mobile ~ '^([6-9][0-9]{9})?$'), -- the invited mobile; empty after erasure
    role          text        NOT NULL CHECK (role IN ('accountant', 'manager')),
    state         text        NOT NULL,
    person_id     uuid        REFERENCES franchisers, -- the accepting person
    invited_at    timestamptz NOT NULL,
    accepted_at   timestamptz,
    ended_at      timestamptz,
    seen_at       timestamptz, -- to five minutes
    UNIQUE (franchiser_id, id),
    CONSTRAINT team_members_state_check CHECK (state IN ('invited', 'active', 'removed')),
    CONSTRAINT team_members_accepted_check CHECK ((person_id IS NULL) = (accepted_at IS NULL)),
    CONSTRAINT team_members_other_check CHECK (person_id <> franchiser_id)
);
CREATE UNIQUE INDEX team_members_mobile ON team_members (franchiser_id, mobile) WHERE state <> 'removed';
CREATE UNIQUE INDEX team_members_person ON team_members (franchiser_id, person_id) WHERE state = 'active';
CREATE INDEX team_members_of_person ON team_members (person_id) WHERE person_id IS NOT NULL;
CALL isolate('team_members');
CREATE POLICY lookup ON team_members FOR SELECT TO franchise360_lookup USING (true);
-- As in pkg/account/team/team.go; a test compares every pair of states.
CREATE TRIGGER transitions BEFORE UPDATE OF state ON team_members FOR EACH ROW WHEN (OLD.state <> NEW.state)
    EXECUTE FUNCTION keep_to_transitions('invited>active', 'invited>removed', 'active>removed');
CREATE TRIGGER first_states AFTER INSERT ON team_members FOR EACH ROW
    WHEN (current_user IN ('franchise360_api', 'franchise360_worker')) EXECUTE FUNCTION keep_to_first_states('invited');
ALTER TABLE team_members ENABLE ALWAYS TRIGGER first_states;
GRANT SELECT, INSERT, UPDATE ON team_members TO franchise360_api, franchise360_worker;
GRANT SELECT ON team_members TO franchise360_lookup;

-- A session is one family of rotating refresh tokens with one live access token. Tokens are stored as SHA-256.
CREATE TABLE sessions (
    id                uuid        PRIMARY KEY,
    franchiser_id     uuid        NOT NULL REFERENCES franchisers,
    access_hash       bytea       NOT NULL UNIQUE,
    access_expires_at timestamptz NOT NULL,
    refreshed_at      timestamptz NOT NULL,
    expires_at        timestamptz NOT NULL, -- end of the family: 30 days, or 12 h without remember-me
    remember          boolean     NOT NULL,
    user_agent        text        NOT NULL DEFAULT '',
    ip_address        text        NOT NULL DEFAULT '',
    created_at        timestamptz NOT NULL,
    ended_at          timestamptz,
    end_reason        text        CHECK (end_reason IN ('logout', 'revoked', 'password_reset', 'mobile_changed', 'refresh_reuse',
        'erased', 'staff', 'switched', 'removed', 'left')),
    request_id        uuid        DEFAULT current_request(),
    end_request_id    uuid,
    -- The account in which the session acts; NULL: the person's.
    account_id        uuid,
    member_id         uuid,
    UNIQUE (franchiser_id, id),
    CONSTRAINT sessions_member_fkey FOREIGN KEY (account_id, member_id) REFERENCES team_members (franchiser_id, id),
    CONSTRAINT sessions_member_check CHECK ((account_id IS NULL) = (member_id IS NULL))
);
CREATE INDEX sessions_franchiser ON sessions (franchiser_id, created_at DESC);
CREATE INDEX sessions_expiry ON sessions (expires_at);
CREATE INDEX sessions_of_member ON sessions (account_id, member_id) WHERE member_id IS NOT NULL;
CALL isolate('sessions');
CREATE POLICY lookup ON sessions FOR SELECT TO franchise360_lookup USING (true);
CREATE POLICY lookup_ends ON sessions FOR UPDATE TO franchise360_lookup USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON sessions TO franchise360_api, franchise360_worker;
GRANT SELECT ON sessions TO franchise360_lookup;
GRANT UPDATE (ended_at, end_reason, end_request_id) ON sessions TO franchise360_lookup;

-- Every refresh token of a session, so that any reuse of an old token is detected.
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
CREATE POLICY lookup ON refresh_tokens FOR SELECT TO franchise360_lookup USING (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON refresh_tokens TO franchise360_api, franchise360_worker;
GRANT SELECT ON refresh_tokens TO franchise360_lookup;

-- Sign-ins that wait for the authenticator's code: five minutes, five tries.
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
CREATE POLICY lookup ON totp_challenges FOR SELECT TO franchise360_lookup USING (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON totp_challenges TO franchise360_api, franchise360_worker;
GRANT SELECT ON totp_challenges TO franchise360_lookup;

-- Each code replaces the authenticator once; stored as keyed hashes.
CREATE TABLE totp_recovery_codes (
    franchiser_id uuid        NOT NULL REFERENCES franchisers,
    code_mac      bytea       NOT NULL,
    used_at       timestamptz,
    PRIMARY KEY (franchiser_id, code_mac)
);
CALL isolate('totp_recovery_codes');
GRANT SELECT, INSERT, UPDATE, DELETE ON totp_recovery_codes TO franchise360_api, franchise360_worker;

-- Failed sign-ins, so that support can explain why a customer cannot sign in. They store time and reason, never the input or the IP
-- address. Each account keeps a limited number per hour.
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

-- One row per e-mail verification link. The token is a keyed hash of the row and is not stored. The link works once, for the requesting
-- account, while the address is unchanged.
CREATE TABLE email_proofs (
    id            uuid        PRIMARY KEY,
    franchiser_id uuid        NOT NULL REFERENCES franchisers,
    email         text        NOT NULL,
    replaces      text        NOT NULL DEFAULT '', -- the previous proved address, which gets a notice
    created_at    timestamptz NOT NULL,
    expires_at    timestamptz NOT NULL,
    used_at       timestamptz,
    request_id    uuid        DEFAULT current_request(),
    use_request_id uuid -- the request that used it
);
CREATE INDEX email_proofs_franchiser ON email_proofs (franchiser_id, created_at DESC);
CREATE INDEX email_proofs_expiry ON email_proofs (expires_at);
CALL isolate('email_proofs');
GRANT SELECT, INSERT, UPDATE ON email_proofs TO franchise360_api;
GRANT SELECT, DELETE ON email_proofs TO franchise360_worker;

-- SMS invitations; the link is derived from the row's id. Only a member's newest one is valid.
CREATE TABLE team_invitations (
    id            uuid        PRIMARY KEY,
    franchiser_id uuid        NOT NULL,
    member_id     uuid        NOT NULL,
    created_at    timestamptz NOT NULL,
    expires_at    timestamptz NOT NULL,
    sent_at       timestamptz,
    send_error    text        NOT NULL DEFAULT '',
    request_id    uuid        DEFAULT current_request(),
    FOREIGN KEY (franchiser_id, member_id) REFERENCES team_members (franchiser_id, id)
);
CREATE INDEX team_invitations_of_member ON team_invitations (franchiser_id, member_id, created_at DESC, id DESC);
CREATE INDEX team_invitations_of_account ON team_invitations (franchiser_id, created_at DESC);
CALL isolate('team_invitations');
CREATE POLICY lookup ON team_invitations FOR SELECT TO franchise360_lookup USING (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON team_invitations TO franchise360_api, franchise360_worker;
GRANT SELECT (id, franchiser_id) ON team_invitations TO franchise360_lookup;

-- Team history and the members' acts. An act is written before it runs and gets its outcome afterwards.
CREATE TABLE team_events (
    id            uuid        PRIMARY KEY,
    franchiser_id uuid        NOT NULL,
    member_id     uuid        NOT NULL,
    actor         text        NOT NULL CHECK (actor IN ('owner', 'member')),
    kind          text        NOT NULL
        CHECK (kind IN ('invited', 'resent', 'withdrawn', 'accepted', 'role_changed', 'removed', 'left', 'act')),
    role          text        NOT NULL DEFAULT '', -- old or new role of the member
    operation     text        NOT NULL DEFAULT '', -- of an act: the method and the route
    outcome       text        CHECK (outcome IN ('done', 'refused')),
    at            timestamptz NOT NULL,
    request_id    uuid        DEFAULT current_request(),
    FOREIGN KEY (franchiser_id, member_id) REFERENCES team_members (franchiser_id, id)
);
CREATE INDEX team_events_of_account ON team_events (franchiser_id, at DESC, id DESC);
CREATE INDEX team_events_of_request ON team_events (franchiser_id, (request_id::text)) WHERE kind = 'act';
CALL isolate('team_events');
GRANT SELECT, INSERT ON team_events TO franchise360_api, franchise360_worker;
GRANT UPDATE (outcome) ON team_events TO franchise360_api;

-- A change of a lost mobile that two members of staff decided. Before it applies, the old number and the e-mail address get a link that can
-- stop it.
CREATE TABLE mobile_changes (
    id            uuid        PRIMARY KEY, -- id of the act that staff decided
    franchiser_id uuid        NOT NULL REFERENCES franchisers,
    old_mobile    text        NOT NULL,
    mobile        text        NOT NULL, -- the new one
    state         text        NOT NULL CHECK (state IN ('waiting', 'stopped', 'applied', 'failed')),
    stopped_by    text        NOT NULL DEFAULT '' CHECK (stopped_by IN ('', 'link', 'staff')),
    created_at    timestamptz NOT NULL,
    due_at        timestamptz NOT NULL CHECK (due_at > created_at),
    ended_at      timestamptz,
    CHECK ((state = 'waiting') = (ended_at IS NULL)),
    CHECK ((state = 'stopped') = (stopped_by <> ''))
);
CREATE UNIQUE INDEX mobile_changes_one_waiting ON mobile_changes (franchiser_id) WHERE state = 'waiting';
CREATE INDEX mobile_changes_of_franchiser ON mobile_changes (franchiser_id, created_at DESC);
CALL isolate('mobile_changes');
CREATE POLICY lookup ON mobile_changes FOR SELECT TO franchise360_lookup USING (true);
CREATE TRIGGER transitions BEFORE UPDATE OF state ON mobile_changes FOR EACH ROW WHEN (OLD.state <> NEW.state)
    EXECUTE FUNCTION keep_to_transitions('waiting>stopped', 'waiting>applied', 'waiting>failed');
CREATE TRIGGER first_states AFTER INSERT ON mobile_changes FOR EACH ROW
    WHEN (current_user IN ('franchise360_api', 'franchise360_worker')) EXECUTE FUNCTION keep_to_first_states('waiting');
ALTER TABLE mobile_changes ENABLE ALWAYS TRIGGER first_states;
GRANT SELECT ON mobile_changes TO franchise360_api;
GRANT SELECT, INSERT, UPDATE, DELETE ON mobile_changes TO franchise360_worker;
GRANT UPDATE (state, stopped_by, ended_at) ON mobile_changes TO franchise360_api;
GRANT SELECT (id, franchiser_id) ON mobile_changes TO franchise360_lookup;

CREATE FUNCTION find_franchiser_by_mobile(m text) RETURNS TABLE (id uuid)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT f.id FROM public.franchisers f WHERE f.mobile = m AND f.erased_at IS NULL $$;

-- Returns the data for a sign-in in one round trip; it takes the same for an unknown mobile.
CREATE FUNCTION find_login(m text) RETURNS TABLE (id uuid, password_hash text)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT f.id, f.password_hash FROM public.franchisers f WHERE f.mobile = m AND f.erased_at IS NULL $$;

CREATE FUNCTION find_session_by_refresh(h bytea) RETURNS TABLE (id uuid, franchiser_id uuid)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT t.session_id, t.franchiser_id FROM public.refresh_tokens t WHERE t.token_hash = h $$;

CREATE FUNCTION find_franchiser_by_challenge(h bytea) RETURNS TABLE (id uuid)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT c.franchiser_id FROM public.totp_challenges c WHERE c.token_hash = h $$;

-- After a correct password, one round trip creates the session and refresh token, or the TOTP challenge, and returns the person.

-- begin_session runs with its caller's rights and sets the franchiser for the transaction, so that row-level security applies. It returns
-- no row if the password changed after the check. It locks the account's row, so no session of the old password can begin while a reset
-- ends all sessions.
CREATE FUNCTION begin_session(f uuid, checked_hash text, now_at timestamptz, remembered boolean, session_id uuid,
        session_access bytea, session_access_expires timestamptz, session_expires timestamptz, session_agent text, session_address text,
        session_refresh bytea, challenge bytea, challenge_expires timestamptz)
        RETURNS TABLE (id uuid, mobile text, email text, first_name text, last_name text, totp_enabled boolean, created_at timestamptz,
        erasure_requested_at timestamptz, store_name text, has_address boolean)
    LANGUAGE plpgsql
    AS $$
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
        coalesce((SELECT t.store_name FROM store_overview t WHERE t.franchiser_id = f AND t.closed_at IS NULL), ''),
        EXISTS (SELECT FROM address_overview b WHERE b.franchiser_id = f);
END $$;

-- customer_name returns the legal name, else the person's, else the store's, else an empty string.
CREATE FUNCTION customer_name(legal text, first text, last text, store text) RETURNS text
    LANGUAGE sql IMMUTABLE
    AS $$
    SELECT coalesce(nullif(btrim(legal), ''), nullif(btrim(concat_ws(' ', first, last)), ''), nullif(store, ''), '') $$;

-- Accounts that the sweep erases.

CREATE FUNCTION erasure_is_due(requested_at timestamptz, erased_at timestamptz, before timestamptz) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN requested_at <= before AND erased_at IS NULL;

-- Counts the rows that are due for a sweep, up to 10,001; reveals only the number.
CREATE FUNCTION count_due_erasures(at timestamptz) RETURNS bigint
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT count(*) FROM (SELECT FROM public.franchisers f
        WHERE public.erasure_is_due(f.erasure_requested_at, f.erased_at, at) LIMIT 10001) x $$;

-- person_of returns a franchiser's person. After erasure mobile is a placeholder.
CREATE FUNCTION person_of(franchiser uuid) RETURNS TABLE (first_name text, last_name text, mobile text, erased boolean)
    LANGUAGE sql STABLE
    AS $$ SELECT f.first_name, f.last_name, f.mobile, f.erased_at IS NOT NULL FROM public.franchisers f WHERE f.id = franchiser $$;

-- search_people finds accounts by a prefix of mobile, e-mail or name, or by the mobile's last digits. Each kind has a limit.
CREATE FUNCTION search_people(q text, d text) RETURNS TABLE (franchiser_id uuid, kind text, label text, exact boolean) LANGUAGE sql STABLE AS $$
    (SELECT f.id, 'mobile', f.mobile, f.mobile = d FROM public.franchisers f
        WHERE d <> '' AND f.mobile COLLATE "C" >= d AND f.mobile COLLATE "C" <= d || chr(1114111) AND f.erased_at IS NULL
        ORDER BY f.mobile COLLATE "C" LIMIT (SELECT public.search_limit()))
    UNION ALL (SELECT f.id, 'mobile', f.mobile, false FROM public.franchisers f
        WHERE length(d) BETWEEN 4 AND 9 AND reverse(f.mobile) COLLATE "C" >= reverse(d)
            AND reverse(f.mobile) COLLATE "C" <= reverse(d) || chr(1114111) AND f.erased_at IS NULL
        ORDER BY reverse(f.mobile) COLLATE "C" LIMIT (SELECT public.search_limit()))
    UNION ALL (SELECT f.id, 'customer', f.id::text, true FROM public.franchisers f WHERE f.id = public.id_in(q))
    UNION ALL (SELECT f.id, 'email', f.email, f.email = q FROM public.franchisers f
        WHERE f.email COLLATE "C" >= q AND f.email COLLATE "C" <= q || chr(1114111) AND f.erased_at IS NULL
        ORDER BY f.email COLLATE "C" LIMIT (SELECT public.search_limit()))
    UNION ALL (SELECT f.id, 'name', btrim(f.first_name || ' ' || f.last_name), f.search_name = q FROM public.franchisers f
        WHERE f.search_name >= q AND f.search_name <= q || chr(1114111) AND f.search_name <> '' AND f.erased_at IS NULL
        ORDER BY f.search_name LIMIT (SELECT public.search_limit()))
    UNION ALL (SELECT f.id, 'name', btrim(f.first_name || ' ' || f.last_name), false FROM public.franchisers f
        WHERE f.search_rest >= q AND f.search_rest <= q || chr(1114111) AND f.search_rest <> '' AND f.erased_at IS NULL
        ORDER BY f.search_rest LIMIT (SELECT public.search_limit()))  $$;

-- search_sign_ups finds mobiles with unfinished sign-ups.
CREATE FUNCTION search_sign_ups(d text) RETURNS TABLE (franchiser_id uuid, kind text, label text, exact boolean)
    LANGUAGE sql STABLE
    AS $$
    SELECT NULL::uuid, 'sign_up', d, true WHERE length(d) = 10
        AND EXISTS (SELECT FROM public.one_time_codes o WHERE o.mobile = d)
        AND NOT EXISTS (SELECT FROM public.franchisers f WHERE f.mobile = d) $$;

-- find_session authenticates each private call in one round trip. It returns the account in which the session acts, and no row if the
-- person is no longer a member of it.
CREATE FUNCTION find_session(h bytea, at timestamptz)
    RETURNS TABLE (id uuid, person_id uuid, access_expires_at timestamptz, account_id uuid, member_id uuid, role text, seen_at timestamptz)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT s.id, s.franchiser_id, s.access_expires_at, s.account_id, s.member_id, m.role, m.seen_at
          FROM public.sessions s LEFT JOIN public.team_members m ON m.id = s.member_id AND m.state = 'active'
          WHERE s.access_hash = h AND s.ended_at IS NULL AND s.access_expires_at > at AND s.expires_at > at
            AND (s.member_id IS NULL OR m.id IS NOT NULL) $$;

CREATE FUNCTION find_renewed_session(h bytea)
    RETURNS TABLE (id uuid, person_id uuid, account_id uuid, member_id uuid, role text)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT t.session_id, t.franchiser_id, s.account_id, s.member_id, m.role FROM public.refresh_tokens t
          JOIN public.sessions s ON s.id = t.session_id LEFT JOIN public.team_members m ON m.id = s.member_id AND m.state = 'active'
          WHERE t.token_hash = h AND (s.member_id IS NULL OR m.id IS NOT NULL) $$;

-- own_memberships returns the franchiser's memberships in other accounts.
CREATE FUNCTION own_memberships() RETURNS TABLE (member_id uuid, account_id uuid, role text, name text)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT m.id, m.franchiser_id, m.role, c.name FROM public.team_members m
          CROSS JOIN LATERAL public.named_customer(m.franchiser_id) c
          WHERE m.person_id = public.current_franchiser() AND m.state = 'active' AND NOT c.erased ORDER BY lower(c.name), m.id $$;

-- find_team_invitation returns an invitation's account.
CREATE FUNCTION find_team_invitation(invitation uuid) RETURNS TABLE (franchiser_id uuid)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT i.franchiser_id FROM public.team_invitations i WHERE i.id = invitation $$;

-- account_name returns the account's name as shown to invited people and team members.
CREATE FUNCTION account_name() RETURNS text
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT c.name FROM public.named_customer(public.current_franchiser()) c $$;

-- end_sessions_of_member ends a member's sessions in the transaction's account, and no other sessions of that person.
CREATE FUNCTION end_sessions_of_member(member uuid, at timestamptz, why text) RETURNS SETOF bytea
    LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ UPDATE public.sessions s SET ended_at = at, end_reason = why, end_request_id = public.current_request()
          WHERE s.account_id = public.current_franchiser() AND s.member_id = member AND s.ended_at IS NULL RETURNING s.access_hash $$;

-- role_of_session returns the role of a live session in its account, NULL if the session or membership has ended.
CREATE FUNCTION role_of_session(session uuid, at timestamptz) RETURNS text
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT CASE WHEN s.member_id IS NULL THEN 'owner' ELSE m.role END
          FROM public.sessions s LEFT JOIN public.team_members m ON m.id = s.member_id AND m.state = 'active'
          WHERE s.id = session AND s.ended_at IS NULL AND s.expires_at > at AND (s.member_id IS NULL OR m.id IS NOT NULL) $$;

-- search_account_ids finds sessions and team members by their id or the person's account id.
CREATE FUNCTION search_account_ids(q text) RETURNS TABLE (franchiser_id uuid, kind text, label text, exact boolean)
    LANGUAGE sql STABLE AS $$
    SELECT s.franchiser_id, 'session', s.id::text, true FROM public.sessions s WHERE s.id = public.id_in(q)
    UNION ALL SELECT m.franchiser_id, 'team_member', m.name, true FROM public.team_members m WHERE m.id = public.id_in(q)
    UNION ALL (SELECT m.franchiser_id, 'team_member', m.name, true FROM public.team_members m WHERE m.person_id = public.id_in(q)
        ORDER BY m.id LIMIT 8) $$;

-- proved_email returns a verified address that accepts mail.
CREATE FUNCTION proved_email(customer uuid) RETURNS text LANGUAGE sql STABLE
    AS $$ SELECT f.email FROM public.franchisers f WHERE f.id = customer AND f.erased_at IS NULL AND f.email_proved_at IS NOT NULL
        AND f.email_refused_at IS NULL $$;

-- reached_by finds the customer by verified address, else by mobile, for staff.
CREATE FUNCTION reached_by(address text, number text) RETURNS TABLE (franchiser_id uuid, by_email boolean)
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ BEGIN PERFORM public.require_staff();
    RETURN QUERY SELECT min(f.id::text)::uuid, true FROM public.franchisers f WHERE f.email = address AND f.erased_at IS NULL
        AND f.email_proved_at IS NOT NULL HAVING count(*) = 1;
    IF NOT FOUND THEN
        RETURN QUERY SELECT f.id, false FROM public.franchisers f WHERE number <> '' AND f.mobile = number AND f.erased_at IS NULL;
    END IF; END $$;

-- find_mobile_change finds a change by its signed link.
CREATE FUNCTION find_mobile_change(change uuid) RETURNS TABLE (franchiser_id uuid)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT c.franchiser_id FROM public.mobile_changes c WHERE c.id = change $$;

-- search_sounding_people finds names that sound like q; with near, names that differ by one letter per word.
CREATE FUNCTION search_sounding_people(q text, near boolean) RETURNS TABLE (franchiser_id uuid, label text) LANGUAGE sql STABLE AS $$
    (SELECT f.id, btrim(f.first_name || ' ' || f.last_name) FROM public.sound_forms(q) AS keys
        JOIN public.franchisers f ON public.sounds_of(f.first_name || ' ' || f.last_name) @> keys
        WHERE NOT near AND f.erased_at IS NULL
        LIMIT (SELECT public.search_limit()))
    UNION ALL (SELECT f.id, btrim(f.first_name || ' ' || f.last_name) FROM public.franchisers f
        WHERE near AND public.sounds_of(f.first_name || ' ' || f.last_name) && public.sounds_near(q, 1)
            AND public.sounds_of(f.first_name || ' ' || f.last_name) && public.sounds_near(q, 2)
            AND public.sounds_of(f.first_name || ' ' || f.last_name) && public.sounds_near(q, 3) AND f.erased_at IS NULL
        LIMIT (SELECT public.search_limit())) $$;

-- search_names finds people by the words of their name, in any order.
CREATE FUNCTION search_names(q text) RETURNS TABLE (franchiser_id uuid, kind text, label text, exact boolean) LANGUAGE sql STABLE AS $$
    (SELECT f.id, 'name', btrim(f.first_name || ' ' || f.last_name), false FROM public.franchisers f
        WHERE to_tsvector('simple', f.first_name || ' ' || f.last_name) @@ public.words_of(q) AND f.erased_at IS NULL LIMIT (SELECT public.search_limit()))  $$;

-- Owner and callers of the functions above.
ALTER FUNCTION find_franchiser_by_mobile(text) OWNER TO franchise360_lookup;
ALTER FUNCTION find_login(text) OWNER TO franchise360_lookup;
ALTER FUNCTION find_session_by_refresh(bytea) OWNER TO franchise360_lookup;
ALTER FUNCTION find_franchiser_by_challenge(bytea) OWNER TO franchise360_lookup;
ALTER FUNCTION count_due_erasures(timestamptz) OWNER TO franchise360_lookup;
ALTER FUNCTION find_session(bytea, timestamptz) OWNER TO franchise360_lookup;
ALTER FUNCTION find_renewed_session(bytea) OWNER TO franchise360_lookup;
ALTER FUNCTION own_memberships() OWNER TO franchise360_lookup;
ALTER FUNCTION find_team_invitation(uuid) OWNER TO franchise360_lookup;
ALTER FUNCTION account_name() OWNER TO franchise360_lookup;
ALTER FUNCTION end_sessions_of_member(uuid, timestamptz, text) OWNER TO franchise360_lookup;
ALTER FUNCTION role_of_session(uuid, timestamptz) OWNER TO franchise360_lookup;
ALTER FUNCTION reached_by(text, text) OWNER TO franchise360_lookup;
ALTER FUNCTION find_mobile_change(uuid) OWNER TO franchise360_lookup;
REVOKE ALL ON FUNCTION find_franchiser_by_mobile(text), find_login(text), find_session_by_refresh(bytea),
    find_franchiser_by_challenge(bytea),
    begin_session(uuid, text, timestamptz, boolean, uuid, bytea, timestamptz, timestamptz, text, text, bytea, bytea, timestamptz),
    customer_name(text, text, text, text), count_due_erasures(timestamptz), person_of(uuid), search_people(text, text),
    search_sign_ups(text), find_session(bytea, timestamptz), find_renewed_session(bytea), own_memberships(), find_team_invitation(uuid),
    account_name(), end_sessions_of_member(uuid, timestamptz, text), role_of_session(uuid, timestamptz), search_account_ids(text),
    proved_email(uuid), reached_by(text, text), find_mobile_change(uuid), search_names(text), search_sounding_people(text, boolean) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION find_franchiser_by_mobile(text), find_login(text), find_session_by_refresh(bytea),
    find_franchiser_by_challenge(bytea), account_name(), end_sessions_of_member(uuid, timestamptz, text),
    proved_email(uuid) TO franchise360_api, franchise360_worker;
GRANT EXECUTE ON FUNCTION proved_email(uuid) TO franchise360_lookup;
GRANT EXECUTE ON FUNCTION
    begin_session(uuid, text, timestamptz, boolean, uuid, bytea, timestamptz, timestamptz, text, text, bytea, bytea, timestamptz),
    count_due_erasures(timestamptz), find_session(bytea, timestamptz), find_renewed_session(bytea), own_memberships(),
    find_team_invitation(uuid), find_mobile_change(uuid) TO franchise360_api;
GRANT EXECUTE ON FUNCTION customer_name(text, text, text, text), person_of(uuid), search_people(text, text), search_sign_ups(text),
    search_account_ids(text), search_names(text), search_sounding_people(text, boolean) TO franchise360_lookup;

CREATE VIEW person_overview WITH (security_invoker = true) AS
    SELECT id AS franchiser_id, first_name, last_name, email, mobile, erasure_requested_at, erased_at FROM franchisers;
COMMENT ON VIEW person_overview IS 'account: names and contacts';
GRANT SELECT ON person_overview TO franchise360_api, franchise360_worker;

CREATE VIEW sign_up_overview WITH (security_invoker = true) AS
SELECT id AS franchiser_id, created_at FROM franchisers WHERE erased_at IS NULL;
COMMENT ON VIEW sign_up_overview IS 'account: when each customer signed up; erased customers are not in it';
GRANT SELECT ON sign_up_overview TO franchise360_lookup;

CREATE VIEW code_overview WITH (security_invoker = true) AS
SELECT id, purpose, created_at, sent_at, send_error, used_at FROM one_time_codes WHERE message = 'code';
COMMENT ON VIEW code_overview IS 'account: one-time codes without their mobiles';
GRANT SELECT ON code_overview TO franchise360_worker;

CREATE VIEW language_overview WITH (security_invoker = true) AS
SELECT id AS franchiser_id, language, document_language FROM franchisers;
COMMENT ON VIEW language_overview IS 'account: language of the site, and second language of documents';
GRANT SELECT ON language_overview TO franchise360_api, franchise360_worker;
-- +goose StatementEnd
