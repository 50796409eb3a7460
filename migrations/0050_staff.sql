-- The operator's own people: their accounts, their sessions, and everything that they did. They belong to no franchiser; if a
-- row concerns one, it names it as franchiser_ref, which gives no access. Times are UTC.
--
-- The api's role alone has no rights of staff. To act as a member of staff a transaction shows a proof, the hash of a session's
-- token, which no process role can read; without one the role can access nothing of staff, and with one only as that member.

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
-- The rest of a row is for the functions below alone.
GRANT SELECT (id, name, role, disabled_at) ON staff TO franchise360_api, franchise360_worker;
GRANT SELECT, UPDATE (totp_last_step) ON staff TO franchise360_lookup;

-- A session ends after a while without use; seen_at is exact to the minute. No process accesses the table directly.
CREATE TABLE staff_sessions (
    id         uuid        PRIMARY KEY,
    staff_id   uuid        NOT NULL REFERENCES staff,
    token_hash bytea       NOT NULL UNIQUE CHECK (octet_length(token_hash) = 32),
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    ended_at   timestamptz,
    seen_at    timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX staff_sessions_of_staff ON staff_sessions (staff_id);
GRANT SELECT, INSERT, UPDATE (ended_at, seen_at) ON staff_sessions TO franchise360_lookup;

-- +goose StatementBegin
-- acting_staff is the member of staff whose live session the transaction proves, if the member has at least that role; otherwise
-- NULL. The api decides when a session expires, because its clock may be moved.
CREATE FUNCTION acting_staff(rank text DEFAULT 'support') RETURNS uuid
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$
    SELECT m.id FROM public.staff_sessions s JOIN public.staff m ON m.id = s.staff_id
    WHERE s.token_hash = decode(nullif(current_setting('app.proof', true), ''), 'hex') AND s.ended_at IS NULL
        AND m.disabled_at IS NULL AND (rank = 'support' OR m.role = rank) $$;

-- is_worker reports whether the job process is the caller. current_user would be the owner of the calling function.
CREATE FUNCTION is_worker() RETURNS boolean
    LANGUAGE sql STABLE
    RETURN coalesce(nullif(nullif(current_setting('role'), 'none'), ''), session_user::text) = 'franchise360_worker';

-- require_staff fails unless the transaction proves a session of staff. Functions that read across customers call it first.
CREATE FUNCTION require_staff() RETURNS void
    LANGUAGE plpgsql STABLE AS $$
BEGIN
    IF public.acting_staff() IS NULL THEN
        RAISE EXCEPTION 'this is for staff' USING ERRCODE = 'insufficient_privilege';
    END IF;
END $$;
-- +goose StatementEnd
ALTER FUNCTION acting_staff(text) OWNER TO franchise360_lookup;
REVOKE ALL ON FUNCTION acting_staff(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION acting_staff(text) TO franchise360_api;

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
    hash           bytea       NOT NULL,
    request_id     uuid        DEFAULT current_request()
);
CREATE INDEX staff_actions_of_franchiser ON staff_actions (franchiser_ref, at DESC) WHERE franchiser_ref IS NOT NULL;
CREATE INDEX staff_actions_of_staff ON staff_actions (staff_id);
CREATE INDEX staff_actions_of_target ON staff_actions (target);
CREATE INDEX staff_actions_of_kind ON staff_actions (staff_id, action, at);
CREATE INDEX staff_actions_at ON staff_actions (at DESC, sequence DESC);
-- A failed sign-in is recorded in the trail, at most ten per member and hour: the chain never shrinks, and strangers must not
-- be able to fill it.
CREATE INDEX staff_actions_failed ON staff_actions (staff_id, at) WHERE action = 'sign_in_failed';
-- The worker records what it does for staff, such as a change of many jobs.
GRANT SELECT, INSERT ON staff_actions TO franchise360_api, franchise360_worker, franchise360_lookup;

-- +goose StatementBegin
-- staff_action_hash is the hash of a record. It includes the request if the record names one.
CREATE FUNCTION staff_action_hash(a staff_actions) RETURNS bytea
    LANGUAGE sql IMMUTABLE
    AS $$ SELECT sha256(a.previous || convert_to((jsonb_build_array(a.sequence, a.id, a.staff_id, a.action, a.target,
        a.franchiser_ref, a.reason, a.before, a.after, (extract(epoch FROM a.at) * 1000000)::bigint)
        || CASE WHEN a.request_id IS NULL THEN '[]' ELSE jsonb_build_array(a.request_id) END)::text, 'UTF8')) $$;

-- chain_staff_action appends a record to the chain. It runs as franchise360_lookup, because its caller sees only some
-- of the records.
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
-- +goose StatementEnd
ALTER FUNCTION chain_staff_action() OWNER TO franchise360_lookup;
CREATE TRIGGER chain BEFORE INSERT ON staff_actions FOR EACH ROW EXECUTE FUNCTION chain_staff_action();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON staff_actions
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- The operator's own tables are not forced, so that their owner, which is neither process, needs no policy.
ALTER TABLE staff_actions ENABLE ROW LEVEL SECURITY;
CREATE POLICY staff_read ON staff_actions FOR SELECT TO franchise360_api
    USING ((SELECT acting_staff()) IS NOT NULL OR franchiser_ref = (SELECT current_franchiser()));
CREATE POLICY own_name ON staff_actions FOR INSERT TO franchise360_api WITH CHECK (staff_id = (SELECT acting_staff()));
CREATE POLICY every_row ON staff_actions TO franchise360_worker, franchise360_lookup USING (true) WITH CHECK (true);

-- Signing in. The api learns how the password is to be hashed, never the hash; with the right hash it gets the sealed key of
-- the second factor, and may open a session once it has judged the code.

-- +goose StatementBegin
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

-- find_staff_session is the live session of the token that was used since the given moment.
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

-- note_failed_staff_sign_in returns the member, NULL for an unknown e-mail.
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
-- +goose StatementEnd
ALTER FUNCTION staff_salt(text) OWNER TO franchise360_lookup;
REVOKE ALL ON FUNCTION staff_salt(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION staff_salt(text) TO franchise360_api;
ALTER FUNCTION staff_factor(text, text) OWNER TO franchise360_lookup;
REVOKE ALL ON FUNCTION staff_factor(text, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION staff_factor(text, text) TO franchise360_api;
ALTER FUNCTION begin_staff_session(text, text, uuid, bytea, bigint, timestamptz, timestamptz) OWNER TO franchise360_lookup;
REVOKE ALL ON FUNCTION begin_staff_session(text, text, uuid, bytea, bigint, timestamptz, timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION begin_staff_session(text, text, uuid, bytea, bigint, timestamptz, timestamptz) TO franchise360_api;
ALTER FUNCTION find_staff_session(bytea, timestamptz, timestamptz) OWNER TO franchise360_lookup;
REVOKE ALL ON FUNCTION find_staff_session(bytea, timestamptz, timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION find_staff_session(bytea, timestamptz, timestamptz) TO franchise360_api;
ALTER FUNCTION see_staff_session(bytea, timestamptz) OWNER TO franchise360_lookup;
REVOKE ALL ON FUNCTION see_staff_session(bytea, timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION see_staff_session(bytea, timestamptz) TO franchise360_api;
ALTER FUNCTION end_staff_session(bytea, timestamptz) OWNER TO franchise360_lookup;
REVOKE ALL ON FUNCTION end_staff_session(bytea, timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION end_staff_session(bytea, timestamptz) TO franchise360_api;
ALTER FUNCTION note_failed_staff_sign_in(text, uuid, text, timestamptz) OWNER TO franchise360_lookup;
REVOKE ALL ON FUNCTION note_failed_staff_sign_in(text, uuid, text, timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION note_failed_staff_sign_in(text, uuid, text, timestamptz) TO franchise360_api;

-- What staff look at is recorded, once in a while for the same thing, in one round trip.

-- +goose StatementBegin
-- note_staff_read records that the member read something of the kind, unless one of the kinds in seen was recorded of the same
-- target since; without a target, of any. It runs with its caller's rights under the proof, which lasts for the transaction.
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
-- +goose StatementEnd
REVOKE ALL ON FUNCTION note_staff_read(text, text, uuid, uuid, text, text[], text, uuid, text, text, timestamptz, timestamptz, boolean) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION note_staff_read(text, text, uuid, uuid, text, text[], text, uuid, text, text, timestamptz, timestamptz, boolean)
    TO franchise360_api;

-- Each check of the audit trail: how many records were intact, and the last record's hash, which the next check must find again,
-- so that removing the end is noticed too. broken_at is the first record out of place, 0 if there is none.
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
GRANT SELECT ON staff_audit_checks TO franchise360_api;
GRANT SELECT, INSERT ON staff_audit_checks TO franchise360_worker;
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON staff_audit_checks
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- What others may read of these tables.

CREATE VIEW staff_overview WITH (security_invoker = true) AS SELECT id, name FROM staff;
COMMENT ON VIEW staff_overview IS 'staff: what a member of staff is called';
GRANT SELECT ON staff_overview TO franchise360_api, franchise360_worker;

-- +goose Down
DROP VIEW staff_overview;
DROP TABLE staff_audit_checks;
DROP FUNCTION note_staff_read(text, text, uuid, uuid, text, text[], text, uuid, text, text, timestamptz, timestamptz, boolean),
    note_failed_staff_sign_in(text, uuid, text, timestamptz), end_staff_session(bytea, timestamptz),
    see_staff_session(bytea, timestamptz), find_staff_session(bytea, timestamptz, timestamptz),
    begin_staff_session(text, text, uuid, bytea, bigint, timestamptz, timestamptz), staff_factor(text, text), staff_salt(text);
DROP TABLE staff_actions CASCADE; -- with the function that hashes a row of it
DROP FUNCTION chain_staff_action(), require_staff(), is_worker(), acting_staff(text);
DROP TABLE staff_sessions, staff;
