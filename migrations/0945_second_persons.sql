-- Four eyes are those of two people. Whoever an admin made, enabled, gave another role or whose sign-in the admin opened may be that admin
-- for a while: until then neither decides what the other asked for.

-- +goose Up
-- Who opened whose account or sign-in. Until counts_until the two may be one person. At the command line nobody opens anything: whoever
-- holds the database needs no second account.
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

-- +goose StatementBegin
-- staff_behind are the people who may be behind an account at the moment, each with the time until which: the account's own, for ever, and
-- whoever opened it, or opened the account of one of these. opening is the one that ends first on the way there.
CREATE FUNCTION staff_behind(member uuid, moment timestamptz) RETURNS TABLE (who uuid, until timestamptz, opening uuid)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public AS $$
    WITH RECURSIVE behind (who, until, opening) AS (
        SELECT member, 'infinity'::timestamptz, NULL::uuid
        UNION
        SELECT o.opened_by, least(b.until, o.counts_until), CASE WHEN o.counts_until < b.until THEN o.id ELSE b.opening END
        FROM behind b JOIN public.staff_openings o ON o.staff_id = b.who AND o.counts_until > moment)
    SELECT b.who, b.until, b.opening FROM behind b $$;

-- staff_tie is until when two accounts may be one person's, and the opening that says so; no row where they are two people's.
CREATE FUNCTION staff_tie(one uuid, other uuid, moment timestamptz) RETURNS TABLE (until timestamptz, opening uuid)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public AS $$
    SELECT least(a.until, b.until), CASE WHEN a.until < b.until THEN a.opening ELSE b.opening END
    FROM public.staff_behind(one, moment) a JOIN public.staff_behind(other, moment) b USING (who)
    ORDER BY 1 DESC, 2 LIMIT 1 $$;

-- ties_of_staff are the colleagues of the acting member whose requests the member cannot decide at the moment, with the opening that is
-- the reason.
CREATE FUNCTION ties_of_staff(moment timestamptz)
    RETURNS TABLE (staff_id uuid, until timestamptz, way text, opened_at timestamptz, opened_name text, opened_by_name text)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public AS $$
    SELECT m.id, t.until, o.way, o.opened_at, a.name, b.name
    FROM public.staff m CROSS JOIN LATERAL public.staff_tie(public.acting_staff(), m.id, moment) t
        JOIN public.staff_openings o ON o.id = t.opening JOIN public.staff a ON a.id = o.staff_id JOIN public.staff b ON b.id = o.opened_by
    WHERE m.id <> public.acting_staff() ORDER BY t.until DESC, m.id $$;

-- require_second_person refuses a decision of somebody who may be whoever asked for it; constraints refuse that of whoever asked. Its arguments name the columns of who asked, who
-- decides, and when. Every table of four eyes has it as a trigger.
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
-- +goose StatementEnd
ALTER FUNCTION staff_behind(uuid, timestamptz) OWNER TO franchise360_lookup;
ALTER FUNCTION staff_tie(uuid, uuid, timestamptz) OWNER TO franchise360_lookup;
ALTER FUNCTION ties_of_staff(timestamptz) OWNER TO franchise360_lookup;
ALTER FUNCTION require_second_person() OWNER TO franchise360_lookup;
REVOKE ALL ON FUNCTION staff_behind(uuid, timestamptz), staff_tie(uuid, uuid, timestamptz), ties_of_staff(timestamptz),
    require_second_person() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ties_of_staff(timestamptz) TO franchise360_api;

CREATE TRIGGER second_person BEFORE INSERT OR UPDATE OF decided_by ON reversals FOR EACH ROW
    WHEN (NEW.decided_by IS NOT NULL) EXECUTE FUNCTION require_second_person('requested_by', 'decided_by', 'decided_at');
CREATE TRIGGER second_person BEFORE INSERT OR UPDATE OF decided_by ON staff_acts FOR EACH ROW
    WHEN (NEW.decided_by IS NOT NULL) EXECUTE FUNCTION require_second_person('requested_by', 'decided_by', 'decided_at');
CREATE TRIGGER second_person BEFORE INSERT OR UPDATE OF decided_by ON bank_credit_uses FOR EACH ROW
    WHEN (NEW.decided_by IS NOT NULL) EXECUTE FUNCTION require_second_person('requested_by', 'decided_by', 'decided_at');
CREATE TRIGGER second_person BEFORE INSERT OR UPDATE OF approved_by ON catalogue_changes FOR EACH ROW
    WHEN (NEW.approved_by IS NOT NULL) EXECUTE FUNCTION require_second_person('proposed_by', 'approved_by', 'approved_at');
CREATE TRIGGER second_person_rejects BEFORE INSERT OR UPDATE OF ended_by ON catalogue_changes FOR EACH ROW
    WHEN (NEW.state = 'rejected') EXECUTE FUNCTION require_second_person('proposed_by', 'ended_by', 'ended_at');
CREATE TRIGGER second_person BEFORE INSERT OR UPDATE OF decided_by ON staff_resets FOR EACH ROW
    WHEN (NEW.state = 'approved') EXECUTE FUNCTION require_second_person('requested_by', 'decided_by', 'decided_at');

-- A bill is paid by a credit at once where two people saw the credit: who entered it and who asks.
ALTER POLICY own_name ON bank_credit_uses
    WITH CHECK (requested_by = (SELECT acting_staff('finance')) AND decided_by IS NULL AND state = CASE
        WHEN kind <> 'order' OR tds_paise + gst_tds_paise > 0 OR EXISTS (SELECT FROM bank_credits c WHERE c.id = credit_id
            AND (c.entered_by = requested_by OR c.franchiser_ref <> bank_credit_uses.franchiser_ref
                OR c.entered_by IN (SELECT t.staff_id FROM ties_of_staff(requested_at) t))) THEN 'waiting'
        ELSE 'requested' END);

DROP FUNCTION change_staff_account(uuid, text, boolean, timestamptz);
DROP FUNCTION accept_staff_invitation(bytea, text, bytea, bigint, uuid, text, timestamptz);
-- +goose StatementBegin
-- change_staff_account gives another member's account a role and enables or disables it; its sessions end. It says 'self' for one's own,
-- 'last_admin' where no other admin would be left, 'missing', 'same', or 'done' with the role before. For the time of apart the member
-- decides nothing of whoever enabled the account or gave a role that an admin's had not.
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

-- accept_staff_invitation uses the link up: it makes the account, or enrols it anew, and records that in the trail. For the time of apart
-- the member decides nothing of whoever invited, nor of those who asked for and approved the reset.
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
-- +goose StatementEnd
ALTER FUNCTION change_staff_account(uuid, text, boolean, timestamptz, interval) OWNER TO franchise360_lookup;
ALTER FUNCTION accept_staff_invitation(bytea, text, bytea, bigint, uuid, text, timestamptz, interval) OWNER TO franchise360_lookup;
REVOKE ALL ON FUNCTION change_staff_account(uuid, text, boolean, timestamptz, interval),
    accept_staff_invitation(bytea, text, bytea, bigint, uuid, text, timestamptz, interval) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION change_staff_account(uuid, text, boolean, timestamptz, interval),
    accept_staff_invitation(bytea, text, bytea, bigint, uuid, text, timestamptz, interval) TO franchise360_api;

-- What was opened in the week before counts from its own time.
INSERT INTO staff_openings (staff_id, opened_by, way, opened_at, counts_until)
SELECT o.staff_id, o.opened_by, o.way, o.at, o.at + interval '168 hours' FROM (
    SELECT i.staff_id, i.invited_by, CASE WHEN i.enrols THEN 'reset' ELSE 'invited' END, i.used_at FROM staff_invitations i
    UNION ALL SELECT r.staff_id, r.requested_by, 'reset', r.decided_at FROM staff_resets r WHERE r.state = 'approved'
    UNION ALL SELECT r.staff_id, r.decided_by, 'reset', r.decided_at FROM staff_resets r WHERE r.state = 'approved'
    UNION ALL SELECT m.id, a.staff_id, CASE a.action WHEN 'staff_enabled' THEN 'enabled' ELSE 'role' END, a.at
        FROM staff m JOIN staff_actions a ON a.target = 'staff:' || m.id
            AND (a.action = 'staff_enabled' OR a.action = 'staff_changed' AND a.before NOT LIKE '%admin%')
    ) o (staff_id, opened_by, way, at) JOIN staff m ON m.id = o.staff_id
WHERE o.at > now() - interval '168 hours' AND o.opened_by <> o.staff_id;

-- +goose Down
DROP FUNCTION change_staff_account(uuid, text, boolean, timestamptz, interval);
DROP FUNCTION accept_staff_invitation(bytea, text, bytea, bigint, uuid, text, timestamptz, interval);
-- +goose StatementBegin
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
-- +goose StatementEnd
ALTER FUNCTION change_staff_account(uuid, text, boolean, timestamptz) OWNER TO franchise360_lookup;
ALTER FUNCTION accept_staff_invitation(bytea, text, bytea, bigint, uuid, text, timestamptz) OWNER TO franchise360_lookup;
REVOKE ALL ON FUNCTION change_staff_account(uuid, text, boolean, timestamptz),
    accept_staff_invitation(bytea, text, bytea, bigint, uuid, text, timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION change_staff_account(uuid, text, boolean, timestamptz),
    accept_staff_invitation(bytea, text, bytea, bigint, uuid, text, timestamptz) TO franchise360_api;
ALTER POLICY own_name ON bank_credit_uses
    WITH CHECK (requested_by = (SELECT acting_staff('finance')) AND decided_by IS NULL AND state = CASE
        WHEN kind <> 'order' OR tds_paise + gst_tds_paise > 0 OR EXISTS (SELECT FROM bank_credits c WHERE c.id = credit_id
            AND (c.entered_by = requested_by OR c.franchiser_ref <> bank_credit_uses.franchiser_ref)) THEN 'waiting'
        ELSE 'requested' END);
DROP TRIGGER second_person ON reversals;
DROP TRIGGER second_person ON staff_acts;
DROP TRIGGER second_person ON bank_credit_uses;
DROP TRIGGER second_person ON catalogue_changes;
DROP TRIGGER second_person_rejects ON catalogue_changes;
DROP TRIGGER second_person ON staff_resets;
DROP FUNCTION require_second_person(), ties_of_staff(timestamptz), staff_tie(uuid, uuid, timestamptz), staff_behind(uuid, timestamptz);
DROP TABLE staff_openings;
