-- Staff of the operator: accounts, sessions, passkeys and the audit trail. Staff belong to no franchiser. A row about a franchiser names it
-- in franchiser_ref, which gives no access. Times are UTC.
--
-- The api's database role alone has no staff rights. To act as a member of staff, a transaction sets a proof: the hash of the session's
-- token, which no process role can read. With the proof the role acts only as that member. Without it, the role reads no staff data.
--
-- The api's role does not write staff accounts directly. Each function requires the proof of an admin or of the account's owner, or the
-- secret of a single-use link. The api checks passkey signatures, which the database cannot verify. So a session also requires the
-- passkey's secret, stored sealed under the master key and as a hash.
--
-- A decision needs two people. An admin may be the same person as a member whom the admin invited, enabled, promoted or reset. So for a
-- limited time neither may decide the other's requests (require_second_person).

-- +goose Up
-- +goose StatementBegin
SET LOCAL check_function_bodies = off;

-- end_staff_passkeys deletes the passkeys of a disabled member, or one whose authenticator is reset.
CREATE FUNCTION end_staff_passkeys() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public AS $$
BEGIN
    DELETE FROM public.staff_passkeys WHERE staff_id = NEW.id;
    RETURN NULL;
END $$;

CREATE TABLE staff (
    id             uuid        PRIMARY KEY,
    email          text        NOT NULL UNIQUE CHECK (email = lower(email)),
    name           text        NOT NULL,
    role           text        NOT NULL CHECK (role IN ('support', 'finance', 'auditor', 'admin')),
    password_hash  text        NOT NULL,
    totp_secret    bytea, -- encrypted; NULL after a reset until the new enrolment, which blocks sign-in
    totp_last_step bigint      NOT NULL DEFAULT 0, -- the last used time step, to prevent reuse of a code
    created_at     timestamptz NOT NULL,
    disabled_at    timestamptz
);
CREATE TRIGGER end_passkeys AFTER UPDATE OF disabled_at, totp_secret ON staff
    FOR EACH ROW WHEN (NEW.disabled_at IS NOT NULL OR NEW.totp_secret IS NULL) EXECUTE FUNCTION end_staff_passkeys();
GRANT SELECT, INSERT ON staff TO franchise360_lookup;
-- The rest of a row is for the functions below alone.
GRANT SELECT (id, name, role, disabled_at) ON staff TO franchise360_api, franchise360_worker;
GRANT UPDATE (totp_last_step, role, disabled_at, password_hash, totp_secret) ON staff TO franchise360_lookup;

-- A session expires after inactivity; seen_at is exact to the minute. No process accesses the table directly.
CREATE TABLE staff_sessions (
    id         uuid        PRIMARY KEY,
    staff_id   uuid        NOT NULL REFERENCES staff,
    token_hash bytea       NOT NULL UNIQUE CHECK (octet_length(token_hash) = 32),
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    ended_at   timestamptz,
    seen_at    timestamptz NOT NULL DEFAULT now(),
    address    text        NOT NULL DEFAULT '' -- at sign-in
);
CREATE INDEX staff_sessions_of_staff ON staff_sessions (staff_id);
GRANT SELECT, INSERT, DELETE ON staff_sessions TO franchise360_lookup;
GRANT UPDATE (ended_at, seen_at, address) ON staff_sessions TO franchise360_lookup;

-- acting_staff returns the member whose live session the transaction proves, or NULL if the member does not have the rank. The default rank
-- 'support' includes every member. 'help' includes everyone who may act for a customer. Admins have every rank. The api checks the
-- session's expiry, because its clock can be moved.
CREATE FUNCTION acting_staff(rank text DEFAULT 'support') RETURNS uuid
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$
    SELECT m.id FROM public.staff_sessions s JOIN public.staff m ON m.id = s.staff_id
    WHERE s.token_hash = decode(nullif(current_setting('app.proof', true), ''), 'hex') AND s.ended_at IS NULL
        AND m.disabled_at IS NULL
        AND (rank = 'support' OR m.role = 'admin' OR m.role = rank OR rank = 'help' AND m.role = 'support') $$;

-- chain_staff_action appends a record to the hash chain. It runs as franchise360_lookup, because its caller sees only some records.
CREATE FUNCTION chain_staff_action() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public AS $$
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

-- The audit trail. Each row contains the previous row's hash, so a changed or deleted row is detected.
CREATE TABLE staff_actions (
    sequence       bigint      PRIMARY KEY,
    id             uuid        NOT NULL UNIQUE,
    staff_id       uuid        NOT NULL REFERENCES staff,
    action         text        NOT NULL CHECK (action ~ '^[a-z_]{3,40}$'),
    target         text        NOT NULL, -- for example job:8123
    franchiser_ref uuid,
    reason         text        NOT NULL CHECK (reason ~ '\S'),
    before         text        NOT NULL DEFAULT '',
    after          text        NOT NULL DEFAULT '',
    at             timestamptz NOT NULL,
    previous       bytea       NOT NULL,
    hash           bytea       NOT NULL,
    request_id     uuid        DEFAULT current_request()
);
CREATE INDEX staff_actions_of_franchiser ON staff_actions (franchiser_ref, at DESC) WHERE franchiser_ref IS NOT NULL;
CREATE INDEX staff_actions_of_staff ON staff_actions (staff_id);
CREATE INDEX staff_actions_of_target ON staff_actions (target);
CREATE INDEX staff_actions_of_kind ON staff_actions (staff_id, action, at);
CREATE INDEX staff_actions_at ON staff_actions (at DESC, sequence DESC);
-- At most ten failed sign-ins per member and hour are recorded. The chain never shrinks, so strangers must not be able to fill it.
CREATE INDEX staff_actions_failed ON staff_actions (staff_id, at) WHERE action = 'sign_in_failed';
CREATE INDEX staff_actions_search_request ON staff_actions (request_id) WHERE request_id IS NOT NULL AND franchiser_ref IS NOT NULL;
-- RLS is not forced on the operator's tables: their owner is neither process and needs no policy.
ALTER TABLE staff_actions ENABLE ROW LEVEL SECURITY;
CREATE POLICY staff_read ON staff_actions FOR SELECT TO franchise360_api
    USING ((SELECT acting_staff()) IS NOT NULL OR franchiser_ref = (SELECT current_franchiser()));
CREATE POLICY own_name ON staff_actions FOR INSERT TO franchise360_api WITH CHECK (staff_id = (SELECT acting_staff()));
CREATE POLICY every_row ON staff_actions TO franchise360_worker, franchise360_lookup USING (true) WITH CHECK (true);
CREATE TRIGGER chain BEFORE INSERT ON staff_actions FOR EACH ROW EXECUTE FUNCTION chain_staff_action();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON staff_actions
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
-- The worker records its actions for staff, such as a bulk change of jobs.
GRANT SELECT, INSERT ON staff_actions TO franchise360_api, franchise360_worker, franchise360_lookup;

-- Each check of the audit trail: the number of intact records and the last record's hash. The next check must find that hash, so it detects
-- a truncated end. broken_at is the first record out of place, 0 if all are intact.
CREATE TABLE staff_audit_checks (
    id         uuid        PRIMARY KEY DEFAULT uuidv7(),
    at         timestamptz NOT NULL,
    entries    bigint      NOT NULL,
    head       bytea       NOT NULL,
    broken_at  bigint      NOT NULL DEFAULT 0,
    problem    text        NOT NULL DEFAULT '',
    CHECK ((broken_at = 0) = (problem = ''))
);
CREATE INDEX staff_audit_checks_newest ON staff_audit_checks (at DESC);
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON staff_audit_checks
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
GRANT SELECT ON staff_audit_checks TO franchise360_api;
GRANT SELECT, INSERT ON staff_audit_checks TO franchise360_worker;

-- Links to join as a member, or to enrol again after an authenticator reset. The link's secret is derived from the row's id and the master
-- key; no process can read its hash.
CREATE TABLE staff_invitations (
    id           uuid        PRIMARY KEY,
    staff_id     uuid        NOT NULL, -- the existing or future account
    email        text        NOT NULL CHECK (email = lower(email)),
    name         text        NOT NULL CHECK (name ~ '\S'),
    role         text        NOT NULL CHECK (role IN ('support', 'finance', 'auditor', 'admin')),
    enrols       boolean     NOT NULL DEFAULT false, -- the existing account enrols again
    invited_by   uuid        NOT NULL REFERENCES staff,
    token_hash   bytea       NOT NULL UNIQUE CHECK (octet_length(token_hash) = 32),
    created_at   timestamptz NOT NULL,
    expires_at   timestamptz NOT NULL,
    sent_at      timestamptz,
    send_error   text        NOT NULL DEFAULT '',
    used_at      timestamptz,
    withdrawn_at timestamptz
);
CREATE UNIQUE INDEX staff_invitations_open ON staff_invitations (email) WHERE used_at IS NULL AND withdrawn_at IS NULL;
ALTER TABLE staff_invitations ENABLE ROW LEVEL SECURITY;
CREATE POLICY office_read ON staff_invitations FOR SELECT TO franchise360_api USING ((SELECT acting_staff('auditor')) IS NOT NULL);
CREATE POLICY every_row ON staff_invitations TO franchise360_worker, franchise360_lookup USING (true) WITH CHECK (true);
GRANT SELECT, INSERT ON staff_invitations TO franchise360_lookup;
GRANT SELECT (id, staff_id, email, name, role, enrols, invited_by, created_at, expires_at, sent_at, send_error, used_at,
    withdrawn_at) ON staff_invitations TO franchise360_api;
GRANT SELECT (id, staff_id, email, name, role, enrols, invited_by, created_at, expires_at, sent_at, send_error, used_at, withdrawn_at),
    UPDATE (sent_at, send_error) ON staff_invitations TO franchise360_worker;
GRANT UPDATE (used_at, withdrawn_at) ON staff_invitations TO franchise360_lookup;

-- require_second_person rejects a decision if the requester and the decider may be one person. Constraints reject equal accounts. The
-- arguments name the columns for requester, decider and time. Every four-eyes table has this trigger.
CREATE FUNCTION require_second_person() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public AS $$
DECLARE
    r jsonb := to_jsonb(NEW);
BEGIN
    IF r->>TG_ARGV[0] <> r->>TG_ARGV[1] AND EXISTS (SELECT FROM public.staff_tie((r->>TG_ARGV[0])::uuid, (r->>TG_ARGV[1])::uuid, (r->>TG_ARGV[2])::timestamptz)) THEN
        RAISE EXCEPTION 'who asks and who decides may be one person' USING ERRCODE = 'check_violation', CONSTRAINT = 'second_person', TABLE = TG_TABLE_NAME;
    END IF;
    RETURN NEW;
END $$;

-- Requests to reset a member's authenticator: one admin requests, another decides.
CREATE TABLE staff_resets (
    id              uuid        PRIMARY KEY,
    staff_id        uuid        NOT NULL REFERENCES staff,
    requested_by    uuid        NOT NULL REFERENCES staff,
    reason          text        NOT NULL CHECK (reason ~ '\S'),
    requested_at    timestamptz NOT NULL,
    state           text        NOT NULL DEFAULT 'waiting',
    decided_by      uuid        REFERENCES staff,
    decided_at      timestamptz,
    CONSTRAINT staff_resets_state_check CHECK (state IN ('waiting', 'approved', 'declined')),
    CONSTRAINT staff_resets_other_check CHECK (requested_by <> staff_id AND decided_by <> staff_id),
    CONSTRAINT staff_resets_four_eyes CHECK (state <> 'approved' OR decided_by <> requested_by),
    CONSTRAINT staff_resets_decided_check CHECK ((state = 'waiting') = (decided_by IS NULL) AND (decided_by IS NULL) = (decided_at IS NULL))
);
CREATE UNIQUE INDEX staff_resets_waiting ON staff_resets (staff_id) WHERE state = 'waiting';
ALTER TABLE staff_resets ENABLE ROW LEVEL SECURITY;
CREATE POLICY office_read ON staff_resets FOR SELECT TO franchise360_api USING ((SELECT acting_staff('auditor')) IS NOT NULL);
CREATE POLICY own_name ON staff_resets FOR INSERT TO franchise360_api
    WITH CHECK (requested_by = (SELECT acting_staff('admin')) AND state = 'waiting');
CREATE POLICY every_row ON staff_resets TO franchise360_lookup USING (true) WITH CHECK (true);
CREATE TRIGGER transitions BEFORE UPDATE OF state ON staff_resets FOR EACH ROW WHEN (OLD.state <> NEW.state)
    EXECUTE FUNCTION keep_to_transitions('waiting>approved', 'waiting>declined');
CREATE TRIGGER second_person BEFORE INSERT OR UPDATE OF decided_by ON staff_resets FOR EACH ROW
    WHEN (NEW.state = 'approved') EXECUTE FUNCTION require_second_person('requested_by', 'decided_by', 'decided_at');
GRANT SELECT, INSERT ON staff_resets TO franchise360_api;
GRANT SELECT ON staff_resets TO franchise360_lookup;
GRANT UPDATE (state, decided_by, decided_at) ON staff_resets TO franchise360_lookup;

-- No process accesses the table directly.
CREATE TABLE staff_passkeys (
    id            uuid        PRIMARY KEY,
    staff_id      uuid        NOT NULL REFERENCES staff,
    name          text        NOT NULL CHECK (name ~ '\S'), -- chosen by its owner
    credential_id bytea       NOT NULL UNIQUE CHECK (octet_length(credential_id) BETWEEN 1 AND 1023),
    public_key    bytea       NOT NULL,
    transports    text[]      NOT NULL,
    synced        boolean     NOT NULL, -- the passkey may sync to its owner's other devices
    use_count     bigint      NOT NULL, -- the passkey's own counter; 0 if unsupported
    sealed        bytea       NOT NULL, -- its secret, encrypted
    secret_hash   bytea       NOT NULL CHECK (octet_length(secret_hash) = 32),
    created_at    timestamptz NOT NULL,
    last_used_at  timestamptz
);
CREATE INDEX staff_passkeys_of_staff ON staff_passkeys (staff_id);
GRANT SELECT, INSERT, DELETE ON staff_passkeys TO franchise360_lookup;
GRANT UPDATE (name, use_count, last_used_at) ON staff_passkeys TO franchise360_lookup;

-- WebAuthn challenges for browsers; each is used once and expires in minutes.
CREATE TABLE staff_passkey_challenges (
    -- hash of the session's token (add) or of the browser's cookie (sign_in)
    holder     bytea       PRIMARY KEY CHECK (octet_length(holder) = 32),
    purpose    text        NOT NULL CHECK (purpose IN ('add', 'sign_in')),
    challenge  bytea       NOT NULL CHECK (octet_length(challenge) >= 16),
    expires_at timestamptz NOT NULL,
    used_at    timestamptz
);
CREATE INDEX staff_passkey_challenges_expire ON staff_passkey_challenges (expires_at);
GRANT DELETE ON staff_passkey_challenges TO franchise360_worker;
GRANT SELECT, INSERT, UPDATE, DELETE ON staff_passkey_challenges TO franchise360_lookup;
GRANT SELECT (holder, expires_at) ON staff_passkey_challenges TO franchise360_worker;

-- Security e-mails to members about accounts and sign-in.
CREATE TABLE staff_notices (
    id         uuid        PRIMARY KEY,
    staff_id   uuid        NOT NULL REFERENCES staff,
    email      text        NOT NULL,
    kind       text        NOT NULL CHECK (kind IN ('passkey_added', 'passkey_removed', 'passkey_copied', 'admin_made')),
    about      text        NOT NULL, -- the passkey's name
    address    text        NOT NULL, -- IP address of the action
    created_at timestamptz NOT NULL,
    sent_at    timestamptz,
    send_error text        NOT NULL DEFAULT ''
);
CREATE INDEX staff_notices_created ON staff_notices (created_at);
ALTER TABLE staff_notices ENABLE ROW LEVEL SECURITY;
CREATE POLICY office_read ON staff_notices FOR SELECT TO franchise360_api USING ((SELECT acting_staff()) IS NOT NULL);
CREATE POLICY every_row ON staff_notices TO franchise360_worker, franchise360_lookup USING (true) WITH CHECK (true);
GRANT SELECT, DELETE ON staff_notices TO franchise360_worker;
GRANT INSERT ON staff_notices TO franchise360_lookup;
GRANT SELECT (id, email, kind, about, created_at, sent_at) ON staff_notices TO franchise360_api;
GRANT UPDATE (sent_at, send_error) ON staff_notices TO franchise360_worker;
GRANT SELECT (id, staff_id, kind, about, created_at) ON staff_notices TO franchise360_lookup;

-- Records that one member invited, enabled, promoted or reset another. Until counts_until both may be one person. The command line writes
-- no row: its user controls the database anyway.
CREATE TABLE staff_openings (
    id           uuid        PRIMARY KEY DEFAULT uuidv7(),
    staff_id     uuid        NOT NULL REFERENCES staff,
    opened_by    uuid        NOT NULL REFERENCES staff,
    way          text        NOT NULL CHECK (way IN ('invited', 'enabled', 'role', 'reset')),
    opened_at    timestamptz NOT NULL,
    counts_until timestamptz NOT NULL,
    CONSTRAINT staff_openings_another CHECK (opened_by <> staff_id),
    CONSTRAINT staff_openings_time CHECK (counts_until BETWEEN opened_at + interval '24 hours' AND opened_at + interval '2160 hours')
);
CREATE INDEX staff_openings_of_staff ON staff_openings (staff_id, counts_until);
ALTER TABLE staff_openings ENABLE ROW LEVEL SECURITY;
CREATE POLICY every_row ON staff_openings TO franchise360_lookup USING (true) WITH CHECK (true);
GRANT SELECT, INSERT ON staff_openings TO franchise360_lookup;

-- require_staff fails unless the transaction proves a staff session. Functions that read across customers call it first.
CREATE FUNCTION require_staff() RETURNS void
    LANGUAGE plpgsql STABLE AS $$
BEGIN
    IF public.acting_staff() IS NULL THEN
        RAISE EXCEPTION 'this is for staff' USING ERRCODE = 'insufficient_privilege';
    END IF;
END $$;

-- staff_action_hash returns a record's hash. It includes the request if the record has one.
CREATE FUNCTION staff_action_hash(a staff_actions) RETURNS bytea
    LANGUAGE sql IMMUTABLE
    AS $$ SELECT sha256(a.previous || convert_to((jsonb_build_array(a.sequence, a.id, a.staff_id, a.action, a.target,
        a.franchiser_ref, a.reason, a.before, a.after, (extract(epoch FROM a.at) * 1000000)::bigint)
        || CASE WHEN a.request_id IS NULL THEN '[]' ELSE jsonb_build_array(a.request_id) END)::text, 'UTF8')) $$;

-- Sign-in. The api gets the password's salt and parameters, never the hash. With the right hash it gets the sealed TOTP secret. It opens a
-- session after it checks the code.

CREATE FUNCTION staff_salt(e text) RETURNS text
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT regexp_replace(m.password_hash, '[^$]*$', '') FROM public.staff m WHERE m.email = e AND m.disabled_at IS NULL $$;

CREATE FUNCTION staff_factor(e text, hash text)
    RETURNS TABLE (id uuid, email text, name text, role text, totp_secret bytea, totp_last_step bigint)
    LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT m.id, m.email, m.name, m.role, m.totp_secret, m.totp_last_step FROM public.staff m
        WHERE m.email = e AND m.password_hash = hash AND m.disabled_at IS NULL FOR UPDATE $$;

CREATE FUNCTION begin_staff_session(e text, hash text, session uuid, token bytea, step bigint, at timestamptz, until timestamptz)
    RETURNS uuid
    LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$
    WITH m AS (UPDATE public.staff m SET totp_last_step = step
        WHERE m.email = e AND m.password_hash = hash AND m.disabled_at IS NULL AND m.totp_last_step < step RETURNING m.id)
    INSERT INTO public.staff_sessions (id, staff_id, token_hash, created_at, seen_at, expires_at)
    SELECT session, m.id, token, at, at, until FROM m RETURNING staff_id $$;

-- find_staff_session returns the token's live session if it was used after used_since.
CREATE FUNCTION find_staff_session(token bytea, at timestamptz, used_since timestamptz)
    RETURNS TABLE (session_id uuid, staff_id uuid, email text, name text, role text, seen_at timestamptz)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT s.id, m.id, m.email, m.name, m.role, s.seen_at FROM public.staff_sessions s JOIN public.staff m ON m.id = s.staff_id
        WHERE s.token_hash = token AND s.ended_at IS NULL AND s.expires_at > at AND s.seen_at > used_since AND m.disabled_at IS NULL $$;

CREATE FUNCTION see_staff_session(token bytea, at timestamptz) RETURNS void
    LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ UPDATE public.staff_sessions SET seen_at = at WHERE token_hash = token AND seen_at < at $$;

CREATE FUNCTION end_staff_session(token bytea, at timestamptz) RETURNS void
    LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ UPDATE public.staff_sessions SET ended_at = at WHERE token_hash = token AND ended_at IS NULL $$;

-- note_failed_staff_sign_in returns the member, or NULL for an unknown e-mail.
CREATE FUNCTION note_failed_staff_sign_in(e text, record uuid, why text, moment timestamptz) RETURNS uuid
    LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$
DECLARE
    member uuid;
    failures int;
BEGIN
    SELECT m.id INTO member FROM public.staff m WHERE m.email = e FOR UPDATE;
    SELECT count(*) INTO failures FROM public.staff_actions a
        WHERE a.staff_id = member AND a.action = 'sign_in_failed' AND a.at > moment - interval '1 hour';
    IF member IS NOT NULL AND failures < 10 THEN
        INSERT INTO public.staff_actions (id, staff_id, action, target, reason, at)
        VALUES (record, member, 'sign_in_failed', 'staff:' || member, why
            || CASE WHEN failures = 9 THEN '. Further ones of this hour are in the log only' ELSE '' END, moment);
    END IF;
    RETURN member;
END $$;

-- Staff reads are recorded in one round trip, at intervals per target.

-- note_staff_read records a read unless a kind in seen was recorded for the target since the time given. With anything set, a record for
-- any target counts. It runs with its caller's rights under the proof, which lasts for the transaction.
CREATE FUNCTION note_staff_read(proof text, request text, record uuid, member uuid, kind text, seen text[], of_target text,
        customer uuid, why text, outcome text, moment timestamptz, since timestamptz, anything boolean) RETURNS boolean
    LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    PERFORM set_config('app.proof', proof, true), set_config('app.request_id', request, true);
    IF EXISTS (SELECT FROM staff_actions a WHERE a.staff_id = member AND a.action = ANY (seen) AND a.at > since
            AND (anything OR a.target = of_target)) THEN
        RETURN false;
    END IF;
    INSERT INTO staff_actions (id, staff_id, action, target, franchiser_ref, reason, after, at)
    VALUES (record, member, kind, of_target, customer, why, outcome, moment);
    RETURN true;
END $$;

-- live_staff_session returns the owner of a live session, unless the owner is disabled.
CREATE FUNCTION live_staff_session(session uuid, at timestamptz) RETURNS TABLE (staff_id uuid, staff_name text)
    LANGUAGE sql STABLE
    AS $$ SELECT m.id, m.name FROM public.staff_sessions s JOIN public.staff m ON m.id = s.staff_id AND m.disabled_at IS NULL
        WHERE s.id = session AND s.ended_at IS NULL AND s.expires_at > at $$;

-- purge_staff_sessions deletes at most most sessions that expired before a moment, and returns how many.
CREATE FUNCTION purge_staff_sessions(before timestamptz, most integer) RETURNS bigint
    LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$
    WITH gone AS (
        DELETE FROM public.staff_sessions WHERE id = ANY (ARRAY(
            SELECT s.id FROM public.staff_sessions s WHERE s.expires_at < before LIMIT most))
        RETURNING id)
    SELECT count(*) FROM gone $$;

-- staff_accounts returns all accounts, for admins and auditors.
CREATE FUNCTION staff_accounts(used_since timestamptz, at timestamptz)
    RETURNS TABLE (id uuid, email text, name text, role text, created_at timestamptz, disabled_at timestamptz, enrolled boolean,
        last_sign_in timestamptz, sessions bigint)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT m.id, m.email, m.name, m.role, m.created_at, m.disabled_at, m.totp_secret IS NOT NULL, max(s.created_at),
            count(s.id) FILTER (WHERE s.ended_at IS NULL AND s.expires_at > at AND s.seen_at > used_since)
        FROM public.staff m LEFT JOIN public.staff_sessions s ON s.staff_id = m.id
        WHERE (SELECT public.acting_staff('auditor')) IS NOT NULL GROUP BY m.id ORDER BY m.name, m.id $$;

-- live_sessions_of returns a member's live sessions, for the member, admins and auditors.
CREATE FUNCTION live_sessions_of(member uuid, used_since timestamptz, at timestamptz)
    RETURNS TABLE (id uuid, address text, created_at timestamptz, seen_at timestamptz, expires_at timestamptz)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT s.id, s.address, s.created_at, s.seen_at, s.expires_at FROM public.staff_sessions s
        WHERE s.staff_id = member AND s.ended_at IS NULL AND s.expires_at > at AND s.seen_at > used_since
            AND ((SELECT public.acting_staff()) = member OR (SELECT public.acting_staff('auditor')) IS NOT NULL)
        ORDER BY s.created_at DESC $$;

-- note_staff_address records the session's IP address once.
CREATE FUNCTION note_staff_address(token bytea, of text) RETURNS void
    LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ UPDATE public.staff_sessions SET address = of WHERE token_hash = token AND address = '' $$;

-- owner_of_staff_session returns an open session's owner, for the owner and admins.
CREATE FUNCTION owner_of_staff_session(session uuid) RETURNS uuid
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT s.staff_id FROM public.staff_sessions s WHERE s.id = session AND s.ended_at IS NULL
        AND (s.staff_id = (SELECT public.acting_staff()) OR (SELECT public.acting_staff('admin')) IS NOT NULL) $$;

-- end_staff_session_of ends the caller's session or, for admins, any session; it returns the owner.
CREATE FUNCTION end_staff_session_of(session uuid, at timestamptz) RETURNS uuid
    LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ UPDATE public.staff_sessions s SET ended_at = at
        WHERE s.id = session AND s.ended_at IS NULL
            AND (s.staff_id = (SELECT public.acting_staff()) OR (SELECT public.acting_staff('admin')) IS NOT NULL)
        RETURNING s.staff_id $$;

-- invite_staff stores an invitation by the acting admin and withdraws an open one to the same address. It returns false if the address has
-- an account.
CREATE FUNCTION invite_staff(invitation uuid, member uuid, e text, n text, r text, token bytea, moment timestamptz, until timestamptz)
    RETURNS boolean
    LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public AS $$
DECLARE
    actor uuid := public.acting_staff('admin');
BEGIN
    IF actor IS NULL THEN
        RAISE EXCEPTION 'this is for admins' USING ERRCODE = 'insufficient_privilege';
    END IF;
    PERFORM pg_advisory_xact_lock(hashtext('staff office'));
    IF EXISTS (SELECT FROM public.staff WHERE email = e) THEN
        RETURN false;
    END IF;
    UPDATE public.staff_invitations SET withdrawn_at = moment WHERE email = e AND used_at IS NULL AND withdrawn_at IS NULL;
    INSERT INTO public.staff_invitations (id, staff_id, email, name, role, invited_by, token_hash, created_at, expires_at)
    VALUES (invitation, member, e, n, r, actor, token, moment, until);
    RETURN true;
END $$;

-- renew_staff_invitation replaces an unused link; otherwise false.
CREATE FUNCTION renew_staff_invitation(old uuid, invitation uuid, token bytea, moment timestamptz, until timestamptz) RETURNS boolean
    LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public AS $$
DECLARE
    actor uuid := public.acting_staff('admin');
    i public.staff_invitations;
BEGIN
    IF actor IS NULL THEN
        RAISE EXCEPTION 'this is for admins' USING ERRCODE = 'insufficient_privilege';
    END IF;
    PERFORM pg_advisory_xact_lock(hashtext('staff office'));
    UPDATE public.staff_invitations SET withdrawn_at = moment WHERE id = old AND used_at IS NULL AND withdrawn_at IS NULL RETURNING * INTO i;
    IF i.id IS NULL OR i.staff_id = actor THEN
        RETURN false;
    END IF;
    INSERT INTO public.staff_invitations (id, staff_id, email, name, role, enrols, invited_by, token_hash, created_at, expires_at)
    VALUES (invitation, i.staff_id, i.email, i.name, i.role, i.enrols, actor, token, moment, until);
    RETURN true;
END $$;

CREATE FUNCTION withdraw_staff_invitation(invitation uuid, moment timestamptz) RETURNS boolean
    LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ WITH gone AS (UPDATE public.staff_invitations SET withdrawn_at = moment
            WHERE id = invitation AND used_at IS NULL AND withdrawn_at IS NULL AND (SELECT public.acting_staff('admin')) IS NOT NULL
            RETURNING id)
        SELECT EXISTS (SELECT FROM gone) $$;

-- decide_staff_reset approves or declines a request as the acting admin. Approval removes the authenticator, ends the sessions and creates
-- the enrolment link. It returns 'missing', 'self' or 'done', and the account.
CREATE FUNCTION decide_staff_reset(reset uuid, approve boolean, invitation uuid, token bytea, moment timestamptz, until timestamptz,
        OUT outcome text, OUT member uuid)
    LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public AS $$
DECLARE
    actor uuid;
    r public.staff_resets;
BEGIN
    PERFORM pg_advisory_xact_lock(hashtext('staff office'));
    actor := public.acting_staff('admin');
    IF actor IS NULL THEN
        RAISE EXCEPTION 'this is for admins' USING ERRCODE = 'insufficient_privilege';
    END IF;
    SELECT * INTO r FROM public.staff_resets WHERE id = reset AND state = 'waiting' FOR UPDATE;
    member := r.staff_id;
    IF r.id IS NULL THEN
        outcome := 'missing';
    ELSIF actor = r.staff_id OR approve AND actor = r.requested_by THEN
        outcome := 'self';
    ELSE
        UPDATE public.staff_resets SET state = CASE WHEN approve THEN 'approved' ELSE 'declined' END, decided_by = actor, decided_at = moment
        WHERE id = reset;
        IF approve THEN
            UPDATE public.staff SET totp_secret = NULL WHERE id = r.staff_id;
            UPDATE public.staff_sessions SET ended_at = moment WHERE staff_id = r.staff_id AND ended_at IS NULL;
            UPDATE public.staff_invitations i SET withdrawn_at = moment
            WHERE i.staff_id = r.staff_id AND i.used_at IS NULL AND i.withdrawn_at IS NULL;
            INSERT INTO public.staff_invitations (id, staff_id, email, name, role, enrols, invited_by, token_hash, created_at, expires_at)
            SELECT invitation, m.id, m.email, m.name, m.role, true, actor, token, moment, until FROM public.staff m WHERE m.id = r.staff_id;
        END IF;
        outcome := 'done';
    END IF;
END $$;

-- find_staff_invitation returns the valid invitation for the link's secret.
CREATE FUNCTION find_staff_invitation(token bytea, at timestamptz)
    RETURNS TABLE (id uuid, staff_id uuid, email text, name text, role text, enrols boolean, expires_at timestamptz)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT i.id, i.staff_id, i.email, i.name, i.role, i.enrols, i.expires_at FROM public.staff_invitations i
        WHERE i.token_hash = token AND i.used_at IS NULL AND i.withdrawn_at IS NULL AND i.expires_at > at $$;

-- change_staff_password changes the acting member's password if the old hash matches; the other sessions end.
CREATE FUNCTION change_staff_password(old text, hash text, moment timestamptz) RETURNS boolean
    LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public AS $$
BEGIN
    UPDATE public.staff SET password_hash = hash WHERE id = public.acting_staff() AND password_hash = old;
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    UPDATE public.staff_sessions SET ended_at = moment WHERE staff_id = public.acting_staff() AND ended_at IS NULL
        AND token_hash <> decode(current_setting('app.proof', true), 'hex');
    RETURN true;
END $$;

-- change_staff_authenticator replaces the acting member's authenticator if the password hash matches; the other sessions end.
CREATE FUNCTION change_staff_authenticator(hash text, sealed bytea, step bigint, moment timestamptz) RETURNS boolean
    LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public AS $$
BEGIN
    UPDATE public.staff SET totp_secret = sealed, totp_last_step = step WHERE id = public.acting_staff() AND password_hash = hash;
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    UPDATE public.staff_sessions SET ended_at = moment WHERE staff_id = public.acting_staff() AND ended_at IS NULL
        AND token_hash <> decode(current_setting('app.proof', true), 'hex');
    RETURN true;
END $$;

-- passkeys_of_staff returns a member's passkeys, for the member, admins and auditors.
CREATE FUNCTION passkeys_of_staff(member uuid)
    RETURNS TABLE (id uuid, name text, credential_id bytea, transports text[], synced boolean, created_at timestamptz, last_used_at timestamptz)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT p.id, p.name, p.credential_id, p.transports, p.synced, p.created_at, p.last_used_at FROM public.staff_passkeys p
        WHERE p.staff_id = member
            AND ((SELECT public.acting_staff()) = member OR (SELECT public.acting_staff('auditor')) IS NOT NULL)
        ORDER BY p.created_at, p.id $$;

-- ask_new_staff_passkey stores a challenge for the acting session and replaces an earlier challenge. It returns 'password' if the hash is
-- wrong, 'many' if the member has reached the limit, or 'done'.
CREATE FUNCTION ask_new_staff_passkey(hash text, asked bytea, most int, until timestamptz) RETURNS text
    LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public AS $$
DECLARE
    member uuid;
BEGIN
    SELECT m.id INTO member FROM public.staff m WHERE m.id = public.acting_staff() AND m.password_hash = hash;
    IF member IS NULL THEN
        RETURN 'password';
    ELSIF (SELECT count(*) FROM public.staff_passkeys p WHERE p.staff_id = member) >= most THEN
        RETURN 'many';
    END IF;
    INSERT INTO public.staff_passkey_challenges (holder, purpose, challenge, expires_at)
    VALUES (decode(current_setting('app.proof', true), 'hex'), 'add', asked, until)
    ON CONFLICT (holder) DO UPDATE SET purpose = excluded.purpose, challenge = excluded.challenge, expires_at = excluded.expires_at, used_at = NULL;
    RETURN 'done';
END $$;

-- ask_staff_passkey stores a challenge for a browser that signs in.
CREATE FUNCTION ask_staff_passkey(cookie bytea, asked bytea, until timestamptz) RETURNS void
    LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ INSERT INTO public.staff_passkey_challenges (holder, purpose, challenge, expires_at) VALUES (cookie, 'sign_in', asked, until) $$;

-- use_staff_passkey_challenge consumes and returns the challenge; NULL if it was used, expired or has another purpose.
CREATE FUNCTION use_staff_passkey_challenge(of bytea, what text, moment timestamptz) RETURNS bytea
    LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ UPDATE public.staff_passkey_challenges SET used_at = moment
        WHERE holder = of AND purpose = what AND used_at IS NULL AND expires_at > moment RETURNING challenge $$;

-- add_staff_passkey adds a passkey for the acting member. The session must have just used its challenge, which required the password. It
-- returns 'expired', 'many', 'known' for an existing passkey, or 'done'. It notifies the member.
CREATE FUNCTION add_staff_passkey(passkey uuid, n text, credential bytea, key bytea, by_way text[], copies boolean, uses bigint,
        closed bytea, digest bytea, most int, notice uuid, from_address text, moment timestamptz)
    RETURNS text
    LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public AS $$
DECLARE
    m public.staff;
BEGIN
    SELECT * INTO m FROM public.staff WHERE id = public.acting_staff() FOR UPDATE;
    DELETE FROM public.staff_passkey_challenges WHERE holder = decode(nullif(current_setting('app.proof', true), ''), 'hex')
        AND purpose = 'add' AND used_at IS NOT NULL AND expires_at > moment;
    IF m.id IS NULL OR NOT FOUND THEN
        RETURN 'expired';
    ELSIF (SELECT count(*) FROM public.staff_passkeys p WHERE p.staff_id = m.id) >= most THEN
        RETURN 'many';
    END IF;
    INSERT INTO public.staff_passkeys (id, staff_id, name, credential_id, public_key, transports, synced, use_count, sealed, secret_hash, created_at)
    VALUES (passkey, m.id, n, credential, key, by_way, copies, uses, closed, digest, moment)
    ON CONFLICT (credential_id) DO NOTHING;
    IF NOT FOUND THEN
        RETURN 'known';
    END IF;
    IF notice IS NOT NULL THEN
        INSERT INTO public.staff_notices (id, staff_id, email, kind, about, address, created_at)
        VALUES (notice, m.id, m.email, 'passkey_added', n, from_address, moment);
    END IF;
    RETURN 'done';
END $$;

-- rename_staff_passkey renames the acting member's passkey; it returns the old name, NULL if not found.
CREATE FUNCTION rename_staff_passkey(passkey uuid, n text) RETURNS text
    LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public AS $$
DECLARE
    before text;
BEGIN
    SELECT p.name INTO before FROM public.staff_passkeys p WHERE p.id = passkey AND p.staff_id = public.acting_staff() FOR UPDATE;
    UPDATE public.staff_passkeys SET name = n WHERE id = passkey AND before IS NOT NULL;
    RETURN before;
END $$;

-- remove_staff_passkey removes the acting member's passkey if the password hash matches; the other sessions end. It returns 'password',
-- 'missing', or 'done' with the passkey's name.
CREATE FUNCTION remove_staff_passkey(hash text, passkey uuid, notice uuid, from_address text, moment timestamptz, OUT outcome text, OUT was text)
    LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public AS $$
DECLARE
    m public.staff;
BEGIN
    SELECT * INTO m FROM public.staff WHERE id = public.acting_staff() AND password_hash = hash FOR UPDATE;
    IF m.id IS NULL THEN
        outcome := 'password';
        RETURN;
    END IF;
    DELETE FROM public.staff_passkeys p WHERE p.id = passkey AND p.staff_id = m.id RETURNING p.name INTO was;
    IF was IS NULL THEN
        outcome := 'missing';
        RETURN;
    END IF;
    UPDATE public.staff_sessions SET ended_at = moment WHERE staff_id = m.id AND ended_at IS NULL
        AND token_hash <> decode(current_setting('app.proof', true), 'hex');
    IF notice IS NOT NULL THEN
        INSERT INTO public.staff_notices (id, staff_id, email, kind, about, address, created_at)
        VALUES (notice, m.id, m.email, 'passkey_removed', was, from_address, moment);
    END IF;
    outcome := 'done';
END $$;

-- find_staff_passkey returns a passkey and its active owner.
CREATE FUNCTION find_staff_passkey(credential bytea)
    RETURNS TABLE (id uuid, name text, public_key bytea, synced boolean, use_count bigint, sealed bytea,
        staff_id uuid, email text, staff_name text, role text)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT p.id, p.name, p.public_key, p.synced, p.use_count, p.sealed, m.id, m.email, m.name, m.role
        FROM public.staff_passkeys p JOIN public.staff m ON m.id = p.staff_id
        WHERE p.credential_id = credential AND m.disabled_at IS NULL $$;

-- begin_staff_passkey_session opens a session if the passkey's secret matches, and stores the counter. It returns 'refused', 'copied' if
-- the counter did not grow, or 'open'.
CREATE FUNCTION begin_staff_passkey_session(passkey uuid, secret bytea, uses bigint, session uuid, token bytea, from_address text,
        moment timestamptz, until timestamptz)
    RETURNS text
    LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public AS $$
DECLARE
    member uuid;
    before bigint;
BEGIN
    -- Locks the account before its passkey, as disabling does.
    SELECT m.id INTO member FROM public.staff m
    WHERE m.id = (SELECT p.staff_id FROM public.staff_passkeys p WHERE p.id = passkey) AND m.disabled_at IS NULL FOR UPDATE;
    SELECT p.use_count INTO before FROM public.staff_passkeys p
    WHERE p.id = passkey AND p.staff_id = member AND p.secret_hash = sha256(secret) FOR UPDATE;
    IF before IS NULL THEN
        RETURN 'refused';
    ELSIF greatest(uses, before) > 0 AND uses <= before THEN
        RETURN 'copied';
    END IF;
    UPDATE public.staff_passkeys SET use_count = uses, last_used_at = moment WHERE id = passkey;
    INSERT INTO public.staff_sessions (id, staff_id, token_hash, created_at, seen_at, expires_at, address)
    VALUES (session, member, token, moment, moment, until, from_address);
    RETURN 'open';
END $$;

-- note_copied_staff_passkey records a counter that did not grow, at most ten times an hour. It returns whether it recorded.
CREATE FUNCTION note_copied_staff_passkey(passkey uuid, secret bytea, record uuid, notice uuid, why text, from_address text, moment timestamptz)
    RETURNS boolean
    LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public AS $$
DECLARE
    p public.staff_passkeys;
BEGIN
    SELECT * INTO p FROM public.staff_passkeys k WHERE k.id = passkey AND k.secret_hash = sha256(secret) FOR UPDATE;
    IF p.id IS NULL OR (SELECT count(*) FROM public.staff_actions a WHERE a.staff_id = p.staff_id AND a.action = 'passkey_copied'
            AND a.at > moment - interval '1 hour') >= 10 THEN
        RETURN false;
    END IF;
    INSERT INTO public.staff_actions (id, staff_id, action, target, reason, at)
    VALUES (record, p.staff_id, 'passkey_copied', 'staff:' || p.staff_id, why, moment);
    IF notice IS NOT NULL THEN
        INSERT INTO public.staff_notices (id, staff_id, email, kind, about, address, created_at)
        SELECT notice, m.id, m.email, 'passkey_copied', p.name, from_address, moment FROM public.staff m WHERE m.id = p.staff_id;
    END IF;
    RETURN true;
END $$;

-- tell_other_admins queues an e-mail to each other admin about a new admin, at most once a minute, and returns the ids. It needs no proof,
-- because a person who accepts an invitation has no session. It reports only true facts.
CREATE FUNCTION tell_other_admins(member uuid, moment timestamptz) RETURNS SETOF uuid
    LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public AS $$
    INSERT INTO public.staff_notices (id, staff_id, email, kind, about, address, created_at)
    SELECT uuidv7(), a.id, a.email, 'admin_made', m.name || ', ' || m.email, '', moment
    FROM public.staff m JOIN public.staff a ON a.id <> m.id AND a.role = 'admin' AND a.disabled_at IS NULL
    WHERE m.id = member AND m.role = 'admin' AND m.disabled_at IS NULL
        AND NOT EXISTS (SELECT FROM public.staff_notices n WHERE n.staff_id = a.id AND n.kind = 'admin_made'
            AND n.about = m.name || ', ' || m.email AND n.created_at > moment - interval '1 minute')
    RETURNING id $$;

-- staff_behind returns the accounts whose owner may also control this account, each with an end time. These are the account itself, without
-- end, and every account that opened it, directly or through others. opening is the row on the path that ends first. Per pair only the
-- opening that ends last counts: mutual openings would otherwise make the search take minutes.
CREATE FUNCTION staff_behind(member uuid, moment timestamptz) RETURNS TABLE (who uuid, until timestamptz, opening uuid)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public AS $$
    WITH RECURSIVE behind (who, until, opening) AS (
        SELECT member, 'infinity'::timestamptz, NULL::uuid
        UNION
        SELECT o.opened_by, least(b.until, o.counts_until), CASE WHEN o.counts_until < b.until THEN o.id ELSE b.opening END
        FROM behind b CROSS JOIN LATERAL (SELECT DISTINCT ON (n.opened_by) n.id, n.opened_by, n.counts_until FROM public.staff_openings n
            WHERE n.staff_id = b.who AND n.counts_until > moment ORDER BY n.opened_by, n.counts_until DESC, n.id) o)
    SELECT b.who, b.until, b.opening FROM behind b $$;

-- staff_tie returns until when two accounts may be one person's, and the opening that causes it; no row if independent.
CREATE FUNCTION staff_tie(one uuid, other uuid, moment timestamptz) RETURNS TABLE (until timestamptz, opening uuid)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public AS $$
    SELECT least(a.until, b.until), CASE WHEN a.until < b.until THEN a.opening ELSE b.opening END
    FROM public.staff_behind(one, moment) a JOIN public.staff_behind(other, moment) b USING (who)
    ORDER BY 1 DESC, 2 LIMIT 1 $$;

-- ties_of_staff returns the colleagues whose requests the acting member cannot decide now, with the opening that causes it.
CREATE FUNCTION ties_of_staff(moment timestamptz)
    RETURNS TABLE (staff_id uuid, until timestamptz, way text, opened_at timestamptz, opened_name text, opened_by_name text)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public AS $$
    SELECT m.id, t.until, o.way, o.opened_at, a.name, b.name
    FROM public.staff m CROSS JOIN LATERAL public.staff_tie(public.acting_staff(), m.id, moment) t
        JOIN public.staff_openings o ON o.id = t.opening JOIN public.staff a ON a.id = o.staff_id JOIN public.staff b ON b.id = o.opened_by
    WHERE m.id <> public.acting_staff() ORDER BY t.until DESC, m.id $$;

-- change_staff_account sets the role of another member's account, enables or disables it, and ends its sessions. It returns 'self' for the
-- caller's account, 'last_admin', 'missing', 'same', or 'done' with the old role. During apart, neither decides the other's requests after
-- enabling or a role change of a non-admin.
CREATE FUNCTION change_staff_account(member uuid, r text, off boolean, moment timestamptz, apart interval DEFAULT '168 hours',
        OUT outcome text, OUT role_before text)
    LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public AS $$
DECLARE
    actor uuid;
    m public.staff;
BEGIN
    PERFORM pg_advisory_xact_lock(hashtext('staff office'));
    actor := public.acting_staff('admin'); -- after the wait: two admins who disable each other do not both succeed
    IF actor IS NULL THEN
        RAISE EXCEPTION 'this is for admins' USING ERRCODE = 'insufficient_privilege';
    END IF;
    SELECT * INTO m FROM public.staff WHERE id = member FOR UPDATE;
    role_before := m.role;
    IF m.id IS NULL THEN
        outcome := 'missing';
    ELSIF m.id = actor THEN
        outcome := 'self';
    ELSIF m.role = r AND (m.disabled_at IS NOT NULL) = off THEN
        outcome := 'same';
    ELSIF m.role = 'admin' AND (off OR r <> 'admin') AND NOT EXISTS (SELECT FROM public.staff o
            WHERE o.id <> member AND o.role = 'admin' AND o.disabled_at IS NULL) THEN
        outcome := 'last_admin';
    ELSE
        UPDATE public.staff SET role = r, disabled_at = CASE WHEN off THEN coalesce(disabled_at, moment) END WHERE id = member;
        UPDATE public.staff_sessions SET ended_at = moment WHERE staff_id = member AND ended_at IS NULL;
        IF m.disabled_at IS NOT NULL AND NOT off OR m.role <> r AND m.role <> 'admin' THEN
            INSERT INTO public.staff_openings (staff_id, opened_by, way, opened_at, counts_until)
            VALUES (member, actor, CASE WHEN m.role <> r THEN 'role' ELSE 'enabled' END, moment, moment + apart);
        END IF;
        outcome := 'done';
    END IF;
END $$;

-- accept_staff_invitation consumes the link, creates or re-enrols the account, and records it in the trail. During apart the member cannot
-- decide requests of the inviter, nor of the reset's requester and approver.
CREATE FUNCTION accept_staff_invitation(token bytea, hash text, sealed bytea, step bigint, record uuid, why text, moment timestamptz,
        apart interval DEFAULT '168 hours')
    RETURNS boolean
    LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public AS $$
DECLARE
    i public.staff_invitations;
BEGIN
    PERFORM pg_advisory_xact_lock(hashtext('staff office'));
    UPDATE public.staff_invitations SET used_at = moment
    WHERE token_hash = token AND used_at IS NULL AND withdrawn_at IS NULL AND expires_at > moment RETURNING * INTO i;
    IF i.id IS NULL THEN
        RETURN false;
    END IF;
    IF i.enrols THEN
        UPDATE public.staff SET password_hash = hash, totp_secret = sealed, totp_last_step = step WHERE id = i.staff_id;
        UPDATE public.staff_sessions SET ended_at = moment WHERE staff_id = i.staff_id AND ended_at IS NULL;
    ELSE
        INSERT INTO public.staff (id, email, name, role, password_hash, totp_secret, totp_last_step, created_at)
        VALUES (i.staff_id, i.email, i.name, i.role, hash, sealed, step, moment);
    END IF;
    INSERT INTO public.staff_openings (staff_id, opened_by, way, opened_at, counts_until)
    SELECT i.staff_id, opener, CASE WHEN i.enrols THEN 'reset' ELSE 'invited' END, moment, moment + apart
    FROM (SELECT i.invited_by AS opener
        UNION SELECT unnest(ARRAY[r.requested_by, r.decided_by]) FROM (SELECT * FROM public.staff_resets
            WHERE i.enrols AND staff_id = i.staff_id AND state = 'approved' ORDER BY decided_at DESC, id DESC LIMIT 1) r) openers
    WHERE opener <> i.staff_id;
    INSERT INTO public.staff_actions (id, staff_id, action, target, reason, after, at)
    VALUES (record, i.staff_id, CASE WHEN i.enrols THEN 'staff_enrolled' ELSE 'staff_joined' END, 'staff:' || i.staff_id, why,
        jsonb_build_object('role', i.role, 'invited_by', i.invited_by)::text, moment);
    RETURN true;
END $$;

-- search_staff_actions finds the franchiser of a staff request.
CREATE FUNCTION search_staff_actions(q text) RETURNS TABLE (franchiser_id uuid, kind text, label text, exact boolean)
    LANGUAGE sql STABLE
    AS $$ SELECT a.franchiser_ref, 'request', a.request_id::text, true FROM public.staff_actions a
        WHERE a.request_id = public.id_in(q) AND a.franchiser_ref IS NOT NULL LIMIT 8 $$;

-- staff_of_one_person returns the accounts that may belong to the member's owner now or later, including the member's.
CREATE FUNCTION staff_of_one_person(member uuid, moment timestamptz) RETURNS SETOF uuid
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public AS $$
    SELECT member UNION SELECT m.id FROM public.staff m WHERE EXISTS (SELECT FROM public.staff_tie(member, m.id, moment)) $$;

-- spend_staff_code consumes a time step of the acting member's authenticator; false if it was used.
CREATE FUNCTION spend_staff_code(step bigint) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public AS $$
BEGIN
    UPDATE public.staff SET totp_last_step = step WHERE id = public.acting_staff() AND totp_last_step < step;
    RETURN FOUND;
END $$;

-- staff_who_answer returns the members who can own a contact request.
CREATE FUNCTION staff_who_answer() RETURNS TABLE (id uuid, name text, role text)
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ BEGIN PERFORM public.require_staff();
    RETURN QUERY SELECT m.id, m.name, m.role FROM public.staff m WHERE m.disabled_at IS NULL AND m.role IN ('support', 'finance', 'admin')
        ORDER BY m.name, m.id; END $$;

-- Owner and callers of the functions above.
ALTER FUNCTION end_staff_passkeys() OWNER TO franchise360_lookup;
ALTER FUNCTION acting_staff(text) OWNER TO franchise360_lookup;
ALTER FUNCTION chain_staff_action() OWNER TO franchise360_lookup;
ALTER FUNCTION require_second_person() OWNER TO franchise360_lookup;
ALTER FUNCTION staff_salt(text) OWNER TO franchise360_lookup;
ALTER FUNCTION staff_factor(text, text) OWNER TO franchise360_lookup;
ALTER FUNCTION begin_staff_session(text, text, uuid, bytea, bigint, timestamptz, timestamptz) OWNER TO franchise360_lookup;
ALTER FUNCTION find_staff_session(bytea, timestamptz, timestamptz) OWNER TO franchise360_lookup;
ALTER FUNCTION see_staff_session(bytea, timestamptz) OWNER TO franchise360_lookup;
ALTER FUNCTION end_staff_session(bytea, timestamptz) OWNER TO franchise360_lookup;
ALTER FUNCTION note_failed_staff_sign_in(text, uuid, text, timestamptz) OWNER TO franchise360_lookup;
ALTER FUNCTION purge_staff_sessions(timestamptz, int) OWNER TO franchise360_lookup;
ALTER FUNCTION staff_accounts(timestamptz, timestamptz) OWNER TO franchise360_lookup;
ALTER FUNCTION live_sessions_of(uuid, timestamptz, timestamptz) OWNER TO franchise360_lookup;
ALTER FUNCTION note_staff_address(bytea, text) OWNER TO franchise360_lookup;
ALTER FUNCTION owner_of_staff_session(uuid) OWNER TO franchise360_lookup;
ALTER FUNCTION end_staff_session_of(uuid, timestamptz) OWNER TO franchise360_lookup;
ALTER FUNCTION invite_staff(uuid, uuid, text, text, text, bytea, timestamptz, timestamptz) OWNER TO franchise360_lookup;
ALTER FUNCTION renew_staff_invitation(uuid, uuid, bytea, timestamptz, timestamptz) OWNER TO franchise360_lookup;
ALTER FUNCTION withdraw_staff_invitation(uuid, timestamptz) OWNER TO franchise360_lookup;
ALTER FUNCTION decide_staff_reset(uuid, boolean, uuid, bytea, timestamptz, timestamptz) OWNER TO franchise360_lookup;
ALTER FUNCTION find_staff_invitation(bytea, timestamptz) OWNER TO franchise360_lookup;
ALTER FUNCTION change_staff_password(text, text, timestamptz) OWNER TO franchise360_lookup;
ALTER FUNCTION change_staff_authenticator(text, bytea, bigint, timestamptz) OWNER TO franchise360_lookup;
ALTER FUNCTION passkeys_of_staff(uuid) OWNER TO franchise360_lookup;
ALTER FUNCTION ask_new_staff_passkey(text, bytea, int, timestamptz) OWNER TO franchise360_lookup;
ALTER FUNCTION ask_staff_passkey(bytea, bytea, timestamptz) OWNER TO franchise360_lookup;
ALTER FUNCTION use_staff_passkey_challenge(bytea, text, timestamptz) OWNER TO franchise360_lookup;
ALTER FUNCTION add_staff_passkey(uuid, text, bytea, bytea, text[], boolean, bigint, bytea, bytea, int, uuid, text, timestamptz) OWNER TO franchise360_lookup;
ALTER FUNCTION rename_staff_passkey(uuid, text) OWNER TO franchise360_lookup;
ALTER FUNCTION remove_staff_passkey(text, uuid, uuid, text, timestamptz) OWNER TO franchise360_lookup;
ALTER FUNCTION find_staff_passkey(bytea) OWNER TO franchise360_lookup;
ALTER FUNCTION begin_staff_passkey_session(uuid, bytea, bigint, uuid, bytea, text, timestamptz, timestamptz) OWNER TO franchise360_lookup;
ALTER FUNCTION note_copied_staff_passkey(uuid, bytea, uuid, uuid, text, text, timestamptz) OWNER TO franchise360_lookup;
ALTER FUNCTION tell_other_admins(uuid, timestamptz) OWNER TO franchise360_lookup;
ALTER FUNCTION staff_behind(uuid, timestamptz) OWNER TO franchise360_lookup;
ALTER FUNCTION staff_tie(uuid, uuid, timestamptz) OWNER TO franchise360_lookup;
ALTER FUNCTION ties_of_staff(timestamptz) OWNER TO franchise360_lookup;
ALTER FUNCTION change_staff_account(uuid, text, boolean, timestamptz, interval) OWNER TO franchise360_lookup;
ALTER FUNCTION accept_staff_invitation(bytea, text, bytea, bigint, uuid, text, timestamptz, interval) OWNER TO franchise360_lookup;
ALTER FUNCTION staff_of_one_person(uuid, timestamptz) OWNER TO franchise360_lookup;
ALTER FUNCTION spend_staff_code(bigint) OWNER TO franchise360_lookup;
ALTER FUNCTION staff_who_answer() OWNER TO franchise360_lookup;
REVOKE ALL ON FUNCTION end_staff_passkeys(), acting_staff(text), require_second_person(), staff_salt(text), staff_factor(text, text),
    begin_staff_session(text, text, uuid, bytea, bigint, timestamptz, timestamptz), find_staff_session(bytea, timestamptz, timestamptz),
    see_staff_session(bytea, timestamptz), end_staff_session(bytea, timestamptz), note_failed_staff_sign_in(text, uuid, text, timestamptz),
    note_staff_read(text, text, uuid, uuid, text, text[], text, uuid, text, text, timestamptz, timestamptz, boolean),
    live_staff_session(uuid, timestamptz), purge_staff_sessions(timestamptz, int), staff_accounts(timestamptz, timestamptz),
    live_sessions_of(uuid, timestamptz, timestamptz), note_staff_address(bytea, text), owner_of_staff_session(uuid),
    end_staff_session_of(uuid, timestamptz), invite_staff(uuid, uuid, text, text, text, bytea, timestamptz, timestamptz),
    renew_staff_invitation(uuid, uuid, bytea, timestamptz, timestamptz), withdraw_staff_invitation(uuid, timestamptz),
    decide_staff_reset(uuid, boolean, uuid, bytea, timestamptz, timestamptz), find_staff_invitation(bytea, timestamptz),
    change_staff_password(text, text, timestamptz), change_staff_authenticator(text, bytea, bigint, timestamptz), passkeys_of_staff(uuid),
    ask_new_staff_passkey(text, bytea, int, timestamptz), ask_staff_passkey(bytea, bytea, timestamptz),
    use_staff_passkey_challenge(bytea, text, timestamptz),
    add_staff_passkey(uuid, text, bytea, bytea, text[], boolean, bigint, bytea, bytea, int, uuid, text, timestamptz),
    rename_staff_passkey(uuid, text), remove_staff_passkey(text, uuid, uuid, text, timestamptz), find_staff_passkey(bytea),
    begin_staff_passkey_session(uuid, bytea, bigint, uuid, bytea, text, timestamptz, timestamptz),
    note_copied_staff_passkey(uuid, bytea, uuid, uuid, text, text, timestamptz), tell_other_admins(uuid, timestamptz),
    staff_behind(uuid, timestamptz), staff_tie(uuid, uuid, timestamptz), ties_of_staff(timestamptz),
    change_staff_account(uuid, text, boolean, timestamptz, interval),
    accept_staff_invitation(bytea, text, bytea, bigint, uuid, text, timestamptz, interval), search_staff_actions(text),
    staff_of_one_person(uuid, timestamptz), spend_staff_code(bigint), staff_who_answer() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION acting_staff(text), staff_salt(text), staff_factor(text, text),
    begin_staff_session(text, text, uuid, bytea, bigint, timestamptz, timestamptz), find_staff_session(bytea, timestamptz, timestamptz),
    see_staff_session(bytea, timestamptz), end_staff_session(bytea, timestamptz), note_failed_staff_sign_in(text, uuid, text, timestamptz),
    note_staff_read(text, text, uuid, uuid, text, text[], text, uuid, text, text, timestamptz, timestamptz, boolean),
    staff_accounts(timestamptz, timestamptz), live_sessions_of(uuid, timestamptz, timestamptz), note_staff_address(bytea, text),
    owner_of_staff_session(uuid), end_staff_session_of(uuid, timestamptz),
    invite_staff(uuid, uuid, text, text, text, bytea, timestamptz, timestamptz),
    renew_staff_invitation(uuid, uuid, bytea, timestamptz, timestamptz), withdraw_staff_invitation(uuid, timestamptz),
    decide_staff_reset(uuid, boolean, uuid, bytea, timestamptz, timestamptz), find_staff_invitation(bytea, timestamptz),
    change_staff_password(text, text, timestamptz), change_staff_authenticator(text, bytea, bigint, timestamptz), passkeys_of_staff(uuid),
    ask_new_staff_passkey(text, bytea, int, timestamptz), ask_staff_passkey(bytea, bytea, timestamptz),
    use_staff_passkey_challenge(bytea, text, timestamptz),
    add_staff_passkey(uuid, text, bytea, bytea, text[], boolean, bigint, bytea, bytea, int, uuid, text, timestamptz),
    rename_staff_passkey(uuid, text), remove_staff_passkey(text, uuid, uuid, text, timestamptz), find_staff_passkey(bytea),
    begin_staff_passkey_session(uuid, bytea, bigint, uuid, bytea, text, timestamptz, timestamptz),
    note_copied_staff_passkey(uuid, bytea, uuid, uuid, text, text, timestamptz), tell_other_admins(uuid, timestamptz),
    ties_of_staff(timestamptz), change_staff_account(uuid, text, boolean, timestamptz, interval),
    accept_staff_invitation(bytea, text, bytea, bigint, uuid, text, timestamptz, interval), spend_staff_code(bigint),
    staff_who_answer() TO franchise360_api;
GRANT EXECUTE ON FUNCTION live_staff_session(uuid, timestamptz), search_staff_actions(text) TO franchise360_lookup;
GRANT EXECUTE ON FUNCTION purge_staff_sessions(timestamptz, int) TO franchise360_worker;
GRANT EXECUTE ON FUNCTION staff_of_one_person(uuid, timestamptz) TO franchise360_api, franchise360_worker;

CREATE VIEW staff_overview WITH (security_invoker = true) AS SELECT id, name FROM staff;
COMMENT ON VIEW staff_overview IS 'staff: the name of a member of staff';
GRANT SELECT ON staff_overview TO franchise360_api, franchise360_worker;
-- +goose StatementEnd
