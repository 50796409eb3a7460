-- Who a franchiser is and how it proves it: accounts, pending sign-ups, one-time codes, sessions, and the people of an account's team.
-- Mobiles are ten digits without +91. Times are UTC. No code, token or password is stored as it is. request_id, here and in other tables,
-- is the request that wrote the row (X-Request-Id), so that support can go from a timeline to the log and back. It is NULL for what workers
-- do by themselves; a job names the request that it came from.
--
-- A member of a team is a person with an account of their own (franchisers), who acts in another account. The session names that account,
-- and each request checks the membership.

-- +goose Up
-- +goose StatementBegin
SET LOCAL check_function_bodies = off;

-- The triggers of the domains whose rows are told of.
CREATE FUNCTION tell_account() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        PERFORM public.tell_webhooks('account.created', NEW.id, jsonb_build_object('account_id', NEW.id, 'state', 'open'), NEW.created_at);
    ELSIF NEW.erased_at IS NOT NULL THEN
        PERFORM public.tell_webhooks('account.closed', NEW.id, jsonb_build_object('account_id', NEW.id, 'state', 'closed'), NEW.erased_at);
    ELSE -- a change of a profile has no time of its own
        PERFORM public.tell_webhooks('account.updated', NEW.id, jsonb_build_object('account_id', NEW.id, 'state', 'open'), clock_timestamp());
    END IF;
    RETURN NULL;
END $$;

-- The accounts. A row is a person who signed up, also one who only acts in another's account.
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
    totp_last_step    bigint      NOT NULL DEFAULT 0, -- the last time step that was used, so that none is used twice
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
    totp_request_id   uuid, -- that turned the authenticator on
    erasure_request_id uuid, -- that requested the erasure
    email_proved_at   timestamptz, -- when a link sent to this very address was opened; NULL after a change
    email_refused_at  timestamptz, -- when a mail server said that this address takes no messages
    -- The language that somebody chose for the site; empty until then.
    language          text        NOT NULL DEFAULT '' CHECK (language ~ '^([a-z]{2,3})?$'),
    -- The language that new documents of a franchiser have beside English; empty for none.
    document_language text        NOT NULL DEFAULT '' CHECK (document_language ~ '^([a-z]{2,3})?$' AND document_language <> 'en')
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
CREATE INDEX franchisers_search_mobile_end ON franchisers (reverse(mobile) COLLATE "C") WHERE erased_at IS NULL;
CREATE INDEX franchisers_search_words ON franchisers USING gin (to_tsvector('simple', first_name || ' ' || last_name)) WHERE erased_at IS NULL;
CREATE INDEX franchisers_search_sounds ON franchisers USING gin (sounds_of(first_name || ' ' || last_name)) WHERE erased_at IS NULL;
CALL isolate('franchisers', 'id');
-- Narrow look-ups for callers that do not know their franchiser yet. They run as franchise360_lookup, which may read
-- these tables and nothing else.
CREATE POLICY lookup ON franchisers FOR SELECT TO franchise360_lookup USING (true);
CREATE TRIGGER tell_created AFTER INSERT ON franchisers FOR EACH ROW EXECUTE FUNCTION tell_account();
CREATE TRIGGER tell_changed AFTER UPDATE OF mobile, email, first_name, last_name, erased_at ON franchisers FOR EACH ROW
    WHEN ((OLD.mobile, OLD.email, OLD.first_name, OLD.last_name, OLD.erased_at)
        IS DISTINCT FROM (NEW.mobile, NEW.email, NEW.first_name, NEW.last_name, NEW.erased_at))
    EXECUTE FUNCTION tell_account();
GRANT SELECT, INSERT, UPDATE ON franchisers TO franchise360_api, franchise360_worker;
GRANT SELECT ON franchisers TO franchise360_lookup;

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
    purpose        text        NOT NULL CHECK (purpose IN ('sign_up', 'password_reset', 'change_mobile', 'change_email', 'erasure')),
    -- what is sent: the code; the notice that an account exists or has moved to another mobile; or nothing, with
    -- the same response (no enumeration)
    message        text        NOT NULL CHECK (message IN ('code', 'account_exists', 'mobile_changed', 'erasure_asked', 'none')),
    sign_up_id     uuid        REFERENCES pending_sign_ups ON DELETE SET NULL, -- whose sign-up the code confirms
    franchiser_ref uuid, -- the requester, if known; it gives no access
    bound_to       bytea, -- keyed hash of the new e-mail that the code confirms
    created_at     timestamptz NOT NULL,
    expires_at     timestamptz NOT NULL,
    sent_at        timestamptz, -- when the provider took it
    send_error     text,
    used_at        timestamptz,
    request_id     uuid        DEFAULT current_request(),
    -- SHA-256 of the secret of the browser that the code belongs to; NULL if a signed-in user requested it
    browser_hash   bytea,
    -- The language of the page on which a code was requested, in which its SMS is written; empty for what nobody requested on a page.
    language       text        NOT NULL DEFAULT '' CHECK (language ~ '^([a-z]{2,3})?$')
);
CREATE INDEX one_time_codes_mobile ON one_time_codes (mobile, purpose, created_at DESC);
CREATE INDEX one_time_codes_sign_up ON one_time_codes (sign_up_id) WHERE sign_up_id IS NOT NULL;
CREATE INDEX one_time_codes_created ON one_time_codes (created_at);
GRANT SELECT, INSERT, UPDATE, DELETE ON one_time_codes TO franchise360_api, franchise360_worker;
-- for the search of staff
GRANT SELECT (mobile, created_at) ON one_time_codes TO franchise360_lookup;

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

-- The members of an account's team, from their invitation on.
CREATE TABLE team_members (
    id            uuid        PRIMARY KEY,
    franchiser_id uuid        NOT NULL REFERENCES franchisers, -- whose account it is
    name          text        NOT NULL CHECK (char_length(name) BETWEEN 2 AND 50),
    mobile        text        NOT NULL CHECK (mobile ~ '^([6-9][0-9]{9})?$'), -- that was invited; empty once it is erased
    role          text        NOT NULL CHECK (role IN ('accountant', 'manager')),
    state         text        NOT NULL,
    person_id     uuid        REFERENCES franchisers, -- who accepted
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
-- As in pkg/account/team.go, against which a test holds every pair of states.
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
    -- In which account a session acts: NULL in the person's own.
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
CREATE POLICY lookup ON refresh_tokens FOR SELECT TO franchise360_lookup USING (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON refresh_tokens TO franchise360_api, franchise360_worker;
GRANT SELECT ON refresh_tokens TO franchise360_lookup;

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
CREATE POLICY lookup ON totp_challenges FOR SELECT TO franchise360_lookup USING (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON totp_challenges TO franchise360_api, franchise360_worker;
GRANT SELECT ON totp_challenges TO franchise360_lookup;

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

-- One row a link sent to prove an address. Its token is a keyed hash of the row, so it is nowhere. The link counts once, for the account
-- that asked, while the address is still the account's.
CREATE TABLE email_proofs (
    id            uuid        PRIMARY KEY,
    franchiser_id uuid        NOT NULL REFERENCES franchisers,
    email         text        NOT NULL,
    replaces      text        NOT NULL DEFAULT '', -- the proved address of before, which is told of the change
    created_at    timestamptz NOT NULL,
    expires_at    timestamptz NOT NULL,
    used_at       timestamptz,
    request_id    uuid        DEFAULT current_request(),
    use_request_id uuid -- that opened the link
);
CREATE INDEX email_proofs_franchiser ON email_proofs (franchiser_id, created_at DESC);
CREATE INDEX email_proofs_expiry ON email_proofs (expires_at);
CALL isolate('email_proofs');
GRANT SELECT, INSERT, UPDATE ON email_proofs TO franchise360_api;
GRANT SELECT, DELETE ON email_proofs TO franchise360_worker;

-- SMS with an invitation; its link follows from the row's id. Only the newest of a member counts.
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

-- What happened to the team, and what its members did: an act is written before it is done, and gets its outcome afterwards.
CREATE TABLE team_events (
    id            uuid        PRIMARY KEY,
    franchiser_id uuid        NOT NULL,
    member_id     uuid        NOT NULL,
    actor         text        NOT NULL CHECK (actor IN ('owner', 'member')),
    kind          text        NOT NULL
        CHECK (kind IN ('invited', 'resent', 'withdrawn', 'accepted', 'role_changed', 'removed', 'left', 'act')),
    role          text        NOT NULL DEFAULT '', -- that the member had, or got
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

-- A change of a lost mobile that two members of staff decided. It waits: the old number and the e-mail address are told, and can stop it
-- by a link.
CREATE TABLE mobile_changes (
    id            uuid        PRIMARY KEY, -- that of the act that two members of staff decided
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

-- One round trip fetches what a sign-in is checked against, and is the same for a mobile that has no account.
CREATE FUNCTION find_login(m text) RETURNS TABLE (id uuid, password_hash text)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT f.id, f.password_hash FROM public.franchisers f WHERE f.mobile = m AND f.erased_at IS NULL $$;

CREATE FUNCTION find_session_by_refresh(h bytea) RETURNS TABLE (id uuid, franchiser_id uuid)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT t.session_id, t.franchiser_id FROM public.refresh_tokens t WHERE t.token_hash = h $$;

CREATE FUNCTION find_franchiser_by_challenge(h bytea) RETURNS TABLE (id uuid)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT c.franchiser_id FROM public.totp_challenges c WHERE c.token_hash = h $$;

-- The result of a right password, in one round trip: the session with its first refresh token, or the challenge that precedes
-- it, and who signed in.

-- begin_session runs with its caller's rights and sets the franchiser for the rest of the transaction, so that row-level
-- security holds inside it as anywhere. It answers no row where the password was changed since it was checked: the
-- account's row stays locked, so that a session of the old password can't begin while a reset ends all of them.
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

-- customer_name is the legal name, otherwise the person's, otherwise the store's; empty if there is none.
CREATE FUNCTION customer_name(legal text, first text, last text, store text) RETURNS text
    LANGUAGE sql IMMUTABLE
    AS $$
    SELECT coalesce(nullif(btrim(legal), ''), nullif(btrim(concat_ws(' ', first, last)), ''), nullif(store, ''), '') $$;

-- The accounts that the sweep erases.

CREATE FUNCTION erasure_is_due(requested_at timestamptz, erased_at timestamptz, before timestamptz) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN requested_at <= before AND erased_at IS NULL;

-- How many rows a sweep would process at that moment, counted up to 10,001; nothing but the number is revealed.
CREATE FUNCTION count_due_erasures(at timestamptz) RETURNS bigint
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT count(*) FROM (SELECT FROM public.franchisers f
        WHERE public.erasure_is_due(f.erasure_requested_at, f.erased_at, at) LIMIT 10001) x $$;

-- person_of is who a franchiser is. What stands in place of an erased one's mobile is no mobile.
CREATE FUNCTION person_of(franchiser uuid) RETURNS TABLE (first_name text, last_name text, mobile text, erased boolean)
    LANGUAGE sql STABLE
    AS $$ SELECT f.first_name, f.last_name, f.mobile, f.erased_at IS NOT NULL FROM public.franchisers f WHERE f.id = franchiser $$;

-- search_people finds accounts by what their mobile, e-mail, name or a later part of the name begins with. Each kind gives at most eight.
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

-- search_sign_ups finds a sign-up that was never finished, which is nobody's.
CREATE FUNCTION search_sign_ups(d text) RETURNS TABLE (franchiser_id uuid, kind text, label text, exact boolean)
    LANGUAGE sql STABLE
    AS $$
    SELECT NULL::uuid, 'sign_up', d, true WHERE length(d) = 10
        AND EXISTS (SELECT FROM public.one_time_codes o WHERE o.mobile = d)
        AND NOT EXISTS (SELECT FROM public.franchisers f WHERE f.mobile = d) $$;

-- find_session answers the check that precedes every private call, in one round trip. It has the account in which the session acts. It
-- finds no session of a person who is no longer a member of that account.
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

-- own_memberships are those of the franchiser of the transaction, in other accounts.
CREATE FUNCTION own_memberships() RETURNS TABLE (member_id uuid, account_id uuid, role text, name text)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT m.id, m.franchiser_id, m.role, c.name FROM public.team_members m
          CROSS JOIN LATERAL public.named_customer(m.franchiser_id) c
          WHERE m.person_id = public.current_franchiser() AND m.state = 'active' AND NOT c.erased ORDER BY lower(c.name), m.id $$;

-- find_team_invitation is the account that sent an invitation.
CREATE FUNCTION find_team_invitation(invitation uuid) RETURNS TABLE (franchiser_id uuid)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT i.franchiser_id FROM public.team_invitations i WHERE i.id = invitation $$;

-- account_name is how the account of the transaction is named to people who are invited to it or act in it.
CREATE FUNCTION account_name() RETURNS text
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT c.name FROM public.named_customer(public.current_franchiser()) c $$;

-- end_sessions_of_member ends what a member of the transaction's account has open in it, and nothing else of that person.
CREATE FUNCTION end_sessions_of_member(member uuid, at timestamptz, why text) RETURNS SETOF bytea
    LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ UPDATE public.sessions s SET ended_at = at, end_reason = why, end_request_id = public.current_request()
          WHERE s.account_id = public.current_franchiser() AND s.member_id = member AND s.ended_at IS NULL RETURNING s.access_hash $$;

-- role_of_session is the role in which a live session acts in its account, and nothing once the session or the membership ended.
CREATE FUNCTION role_of_session(session uuid, at timestamptz) RETURNS text
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT CASE WHEN s.member_id IS NULL THEN 'owner' ELSE m.role END
          FROM public.sessions s LEFT JOIN public.team_members m ON m.id = s.member_id AND m.state = 'active'
          WHERE s.id = session AND s.ended_at IS NULL AND s.expires_at > at AND (s.member_id IS NULL OR m.id IS NOT NULL) $$;

-- search_account_ids finds sessions, and people of a team by their own id or that of their account.
CREATE FUNCTION search_account_ids(q text) RETURNS TABLE (franchiser_id uuid, kind text, label text, exact boolean)
    LANGUAGE sql STABLE AS $$
    SELECT s.franchiser_id, 'session', s.id::text, true FROM public.sessions s WHERE s.id = public.id_in(q)
    UNION ALL SELECT m.franchiser_id, 'team_member', m.name, true FROM public.team_members m WHERE m.id = public.id_in(q)
    UNION ALL (SELECT m.franchiser_id, 'team_member', m.name, true FROM public.team_members m WHERE m.person_id = public.id_in(q)
        ORDER BY m.id LIMIT 8) $$;

-- proved_email is the address that a customer proved and that takes messages.
CREATE FUNCTION proved_email(customer uuid) RETURNS text LANGUAGE sql STABLE
    AS $$ SELECT f.email FROM public.franchisers f WHERE f.id = customer AND f.erased_at IS NULL AND f.email_proved_at IS NOT NULL
        AND f.email_refused_at IS NULL $$;

-- reached_by is the one customer with that proved address, else the one with that mobile, told to staff.
CREATE FUNCTION reached_by(address text, number text) RETURNS TABLE (franchiser_id uuid, by_email boolean)
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ BEGIN PERFORM public.require_staff();
    RETURN QUERY SELECT min(f.id::text)::uuid, true FROM public.franchisers f WHERE f.email = address AND f.erased_at IS NULL
        AND f.email_proved_at IS NOT NULL HAVING count(*) = 1;
    IF NOT FOUND THEN
        RETURN QUERY SELECT f.id, false FROM public.franchisers f WHERE number <> '' AND f.mobile = number AND f.erased_at IS NULL;
    END IF; END $$;

-- find_mobile_change has whose change a link names, which is signed.
CREATE FUNCTION find_mobile_change(change uuid) RETURNS TABLE (franchiser_id uuid)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT c.franchiser_id FROM public.mobile_changes c WHERE c.id = change $$;

-- search_sounding_people finds people whose name sounds like q, or with near those whose name differs from it by a letter of each word.
CREATE FUNCTION search_sounding_people(q text, near boolean) RETURNS TABLE (franchiser_id uuid, label text) LANGUAGE sql STABLE AS $$
    (SELECT f.id, btrim(f.first_name || ' ' || f.last_name) FROM public.franchisers f
        WHERE NOT near AND public.sounds_of(f.first_name || ' ' || f.last_name) @> public.sounds_like(q) AND f.erased_at IS NULL
        LIMIT (SELECT public.search_limit()))
    UNION ALL (SELECT f.id, btrim(f.first_name || ' ' || f.last_name) FROM public.franchisers f
        WHERE near AND public.sounds_of(f.first_name || ' ' || f.last_name) && public.sounds_near(q, 1)
            AND public.sounds_of(f.first_name || ' ' || f.last_name) && public.sounds_near(q, 2)
            AND public.sounds_of(f.first_name || ' ' || f.last_name) && public.sounds_near(q, 3) AND f.erased_at IS NULL
        LIMIT (SELECT public.search_limit())) $$;

-- search_names finds people by the words of their name in any order.
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
GRANT EXECUTE ON FUNCTION
    begin_session(uuid, text, timestamptz, boolean, uuid, bytea, timestamptz, timestamptz, text, text, bytea, bytea, timestamptz),
    count_due_erasures(timestamptz), find_session(bytea, timestamptz), find_renewed_session(bytea), own_memberships(),
    find_team_invitation(uuid), find_mobile_change(uuid) TO franchise360_api;
GRANT EXECUTE ON FUNCTION customer_name(text, text, text, text), person_of(uuid), search_people(text, text), search_sign_ups(text),
    search_account_ids(text), search_names(text), search_sounding_people(text, boolean) TO franchise360_lookup;

CREATE VIEW person_overview WITH (security_invoker = true) AS
    SELECT id AS franchiser_id, first_name, last_name, email, mobile, erasure_requested_at, erased_at FROM franchisers;
COMMENT ON VIEW person_overview IS 'account: who a franchiser is';
GRANT SELECT ON person_overview TO franchise360_api, franchise360_worker;

CREATE VIEW code_overview WITH (security_invoker = true) AS
SELECT id, purpose, created_at, sent_at, send_error, used_at FROM one_time_codes WHERE message = 'code';
COMMENT ON VIEW code_overview IS 'account: one-time codes without their mobiles';
GRANT SELECT ON code_overview TO franchise360_worker;

CREATE VIEW language_overview WITH (security_invoker = true) AS
SELECT id AS franchiser_id, language, document_language FROM franchisers;
COMMENT ON VIEW language_overview IS 'account: what a franchiser reads, and the language that their documents have beside English';
GRANT SELECT ON language_overview TO franchise360_api, franchise360_worker;
-- +goose StatementEnd
