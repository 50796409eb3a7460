-- Staff are invited, changed and reset from the console. The api's role still writes no account: each function asks for the proof of a
-- session of an admin's, or of the member whose account it is, or for the secret of a link that counts once.

-- +goose Up
ALTER TABLE staff ALTER COLUMN totp_secret DROP NOT NULL; -- none between a reset and the new enrolment: nobody signs in then
ALTER TABLE staff_sessions ADD COLUMN address text NOT NULL DEFAULT ''; -- that signed in
GRANT INSERT, UPDATE (role, disabled_at, password_hash, totp_secret) ON staff TO franchise360_lookup;

-- Links with which somebody becomes a member, or a member whose authenticator was reset enrols anew. The secret in the link follows from
-- the row's id and the master key; no process can read its hash.
CREATE TABLE staff_invitations (
    id           uuid        PRIMARY KEY,
    staff_id     uuid        NOT NULL, -- the account that there is, or will be
    email        text        NOT NULL CHECK (email = lower(email)),
    name         text        NOT NULL CHECK (name ~ '\S'),
    role         text        NOT NULL CHECK (role IN ('support', 'finance', 'auditor', 'admin')),
    enrols       boolean     NOT NULL DEFAULT false, -- the account is there, and enrols anew
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
GRANT SELECT (id, staff_id, email, name, role, enrols, invited_by, created_at, expires_at, sent_at, send_error, used_at, withdrawn_at)
    ON staff_invitations TO franchise360_api, franchise360_worker;
GRANT UPDATE (sent_at, send_error) ON staff_invitations TO franchise360_worker;
GRANT SELECT, INSERT, UPDATE (used_at, withdrawn_at) ON staff_invitations TO franchise360_lookup;

-- Requests to take a member's authenticator away: one admin asks, another decides.
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
GRANT SELECT, INSERT ON staff_resets TO franchise360_api;
GRANT SELECT, UPDATE (state, decided_by, decided_at) ON staff_resets TO franchise360_lookup;
CREATE TRIGGER transitions BEFORE UPDATE OF state ON staff_resets FOR EACH ROW WHEN (OLD.state <> NEW.state)
    EXECUTE FUNCTION keep_to_transitions('waiting>approved', 'waiting>declined');

-- +goose StatementBegin
-- staff_accounts are all accounts, for admins and auditors.
CREATE FUNCTION staff_accounts(used_since timestamptz, at timestamptz)
    RETURNS TABLE (id uuid, email text, name text, role text, created_at timestamptz, disabled_at timestamptz, enrolled boolean,
        last_sign_in timestamptz, sessions bigint)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT m.id, m.email, m.name, m.role, m.created_at, m.disabled_at, m.totp_secret IS NOT NULL, max(s.created_at),
            count(s.id) FILTER (WHERE s.ended_at IS NULL AND s.expires_at > at AND s.seen_at > used_since)
        FROM public.staff m LEFT JOIN public.staff_sessions s ON s.staff_id = m.id
        WHERE (SELECT public.acting_staff('auditor')) IS NOT NULL GROUP BY m.id ORDER BY m.name, m.id $$;

-- live_sessions_of are a member's live sessions, for the member, admins and auditors.
CREATE FUNCTION live_sessions_of(member uuid, used_since timestamptz, at timestamptz)
    RETURNS TABLE (id uuid, address text, created_at timestamptz, seen_at timestamptz, expires_at timestamptz)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT s.id, s.address, s.created_at, s.seen_at, s.expires_at FROM public.staff_sessions s
        WHERE s.staff_id = member AND s.ended_at IS NULL AND s.expires_at > at AND s.seen_at > used_since
            AND ((SELECT public.acting_staff()) = member OR (SELECT public.acting_staff('auditor')) IS NOT NULL)
        ORDER BY s.created_at DESC $$;

-- note_staff_address notes from where the session of the token was begun.
CREATE FUNCTION note_staff_address(token bytea, of text) RETURNS void
    LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ UPDATE public.staff_sessions SET address = of WHERE token_hash = token AND address = '' $$;

-- owner_of_staff_session is whose open session it is, for its owner and admins.
CREATE FUNCTION owner_of_staff_session(session uuid) RETURNS uuid
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT s.staff_id FROM public.staff_sessions s WHERE s.id = session AND s.ended_at IS NULL
        AND (s.staff_id = (SELECT public.acting_staff()) OR (SELECT public.acting_staff('admin')) IS NOT NULL) $$;

-- end_staff_session_of ends a session of one's own or, for admins, of anybody's; it returns whose it was.
CREATE FUNCTION end_staff_session_of(session uuid, at timestamptz) RETURNS uuid
    LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ UPDATE public.staff_sessions s SET ended_at = at
        WHERE s.id = session AND s.ended_at IS NULL
            AND (s.staff_id = (SELECT public.acting_staff()) OR (SELECT public.acting_staff('admin')) IS NOT NULL)
        RETURNING s.staff_id $$;

-- invite_staff notes an invitation by the acting admin, which replaces an open one to the same address; false where the address has an
-- account.
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

-- renew_staff_invitation replaces a link that nobody used; false where there is none.
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

-- change_staff_account gives another member's account a role and enables or disables it; its sessions end. It says 'self' for one's own,
-- 'last_admin' where no other admin would be left, 'missing', 'same', or 'done' with the role before.
CREATE FUNCTION change_staff_account(member uuid, r text, off boolean, moment timestamptz, OUT outcome text, OUT role_before text)
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
        outcome := 'done';
    END IF;
END $$;

-- decide_staff_reset approves or declines a request in the acting admin's name. An approved one takes the authenticator away, ends the
-- sessions and notes the link for the new enrolment. It says 'missing', 'self' or 'done', and whose account it is.
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

-- find_staff_invitation is the invitation that the link's secret opens, while it counts.
CREATE FUNCTION find_staff_invitation(token bytea, at timestamptz)
    RETURNS TABLE (id uuid, staff_id uuid, email text, name text, role text, enrols boolean, expires_at timestamptz)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT i.id, i.staff_id, i.email, i.name, i.role, i.enrols, i.expires_at FROM public.staff_invitations i
        WHERE i.token_hash = token AND i.used_at IS NULL AND i.withdrawn_at IS NULL AND i.expires_at > at $$;

-- accept_staff_invitation uses the link up: it makes the account, or enrols it anew, and records that in the trail.
CREATE FUNCTION accept_staff_invitation(token bytea, hash text, sealed bytea, step bigint, record uuid, why text, moment timestamptz)
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
    INSERT INTO public.staff_actions (id, staff_id, action, target, reason, after, at)
    VALUES (record, i.staff_id, CASE WHEN i.enrols THEN 'staff_enrolled' ELSE 'staff_joined' END, 'staff:' || i.staff_id, why,
        jsonb_build_object('role', i.role, 'invited_by', i.invited_by)::text, moment);
    RETURN true;
END $$;

-- change_staff_password gives the acting member another password, if the old one's hash is right; the other sessions end.
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

-- change_staff_authenticator replaces the acting member's authenticator, if the password's hash is right; the other sessions end.
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
-- +goose StatementEnd
GRANT UPDATE (address) ON staff_sessions TO franchise360_lookup;
-- +goose StatementBegin
DO $$
DECLARE
    f text;
BEGIN
    FOREACH f IN ARRAY ARRAY['staff_accounts(timestamptz, timestamptz)', 'live_sessions_of(uuid, timestamptz, timestamptz)',
        'note_staff_address(bytea, text)', 'owner_of_staff_session(uuid)', 'end_staff_session_of(uuid, timestamptz)',
        'invite_staff(uuid, uuid, text, text, text, bytea, timestamptz, timestamptz)',
        'renew_staff_invitation(uuid, uuid, bytea, timestamptz, timestamptz)', 'withdraw_staff_invitation(uuid, timestamptz)',
        'change_staff_account(uuid, text, boolean, timestamptz)',
        'decide_staff_reset(uuid, boolean, uuid, bytea, timestamptz, timestamptz)', 'find_staff_invitation(bytea, timestamptz)',
        'accept_staff_invitation(bytea, text, bytea, bigint, uuid, text, timestamptz)', 'change_staff_password(text, text, timestamptz)',
        'change_staff_authenticator(text, bytea, bigint, timestamptz)'] LOOP
        EXECUTE format('ALTER FUNCTION %s OWNER TO franchise360_lookup', f);
        EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', f);
        EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO franchise360_api', f);
    END LOOP;
END $$;
-- +goose StatementEnd

-- +goose Down
DROP FUNCTION staff_accounts(timestamptz, timestamptz), live_sessions_of(uuid, timestamptz, timestamptz), note_staff_address(bytea, text),
    owner_of_staff_session(uuid), end_staff_session_of(uuid, timestamptz), invite_staff(uuid, uuid, text, text, text, bytea, timestamptz, timestamptz),
    renew_staff_invitation(uuid, uuid, bytea, timestamptz, timestamptz), withdraw_staff_invitation(uuid, timestamptz),
    change_staff_account(uuid, text, boolean, timestamptz), decide_staff_reset(uuid, boolean, uuid, bytea, timestamptz, timestamptz),
    find_staff_invitation(bytea, timestamptz), accept_staff_invitation(bytea, text, bytea, bigint, uuid, text, timestamptz),
    change_staff_password(text, text, timestamptz), change_staff_authenticator(text, bytea, bigint, timestamptz);
DROP TABLE staff_resets, staff_invitations;
REVOKE INSERT, UPDATE (role, disabled_at, password_hash, totp_secret) ON staff FROM franchise360_lookup;
REVOKE UPDATE (address) ON staff_sessions FROM franchise360_lookup;
ALTER TABLE staff_sessions DROP COLUMN address;
-- Whoever has not enrolled anew is kept out; the trail keeps the account.
UPDATE staff SET totp_secret = '\x', disabled_at = coalesce(disabled_at, now()) WHERE totp_secret IS NULL;
ALTER TABLE staff ALTER COLUMN totp_secret SET NOT NULL;
