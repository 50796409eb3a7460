-- The api's role is not the staff. Whoever acts as a member of staff shows a proof, the hash of a session's token, which no
-- role of a process can read; without one the role reads and writes nothing of staff, and with one only in that member's name.

-- +goose Up
GRANT SELECT, UPDATE (totp_last_step) ON staff TO franchise360_lookup;
GRANT SELECT, INSERT, UPDATE (ended_at) ON staff_sessions TO franchise360_lookup;
GRANT SELECT, INSERT ON staff_actions TO franchise360_lookup;
GRANT SELECT ON support_views TO franchise360_lookup;

REVOKE ALL ON staff FROM franchise360_api, franchise360_worker;
GRANT SELECT (id, name, role, disabled_at) ON staff TO franchise360_api, franchise360_worker;
REVOKE ALL ON staff_sessions FROM franchise360_api, franchise360_worker;

-- +goose StatementBegin
-- acting_staff is the member of staff whose live session the transaction proves, and who holds the role at least; NULL where
-- there is none. When a session expires is judged by the api, whose clock may be moved.
CREATE FUNCTION acting_staff(rank text DEFAULT 'support') RETURNS uuid
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$
    SELECT m.id FROM public.staff_sessions s JOIN public.staff m ON m.id = s.staff_id
    WHERE s.token_hash = decode(nullif(current_setting('app.proof', true), ''), 'hex') AND s.ended_at IS NULL
        AND m.disabled_at IS NULL AND (rank = 'support' OR m.role = rank) $$;
-- +goose StatementEnd

-- +goose StatementBegin
-- is_worker says whether the job process asks. current_user would be the owner of the function that asks.
CREATE FUNCTION is_worker() RETURNS boolean
    LANGUAGE sql STABLE
    RETURN coalesce(nullif(nullif(current_setting('role'), 'none'), ''), session_user::text) = 'franchise360_worker';
-- +goose StatementEnd

-- Signing in. The api learns how the password is to be hashed, never the hash; with the right hash it gets the sealed key of
-- the second factor, and may open a session once it has judged the code.
-- +goose StatementBegin
CREATE FUNCTION staff_salt(e text) RETURNS text
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT regexp_replace(m.password_hash, '[^$]*$', '') FROM public.staff m WHERE m.email = e AND m.disabled_at IS NULL $$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE FUNCTION staff_factor(e text, hash text)
    RETURNS TABLE (id uuid, email text, name text, role text, totp_secret bytea, totp_last_step bigint)
    LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT m.id, m.email, m.name, m.role, m.totp_secret, m.totp_last_step FROM public.staff m
        WHERE m.email = e AND m.password_hash = hash AND m.disabled_at IS NULL FOR UPDATE $$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE FUNCTION begin_staff_session(e text, hash text, session uuid, token bytea, step bigint, at timestamptz, until timestamptz)
    RETURNS uuid
    LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$
    WITH m AS (UPDATE public.staff m SET totp_last_step = step
        WHERE m.email = e AND m.password_hash = hash AND m.disabled_at IS NULL AND m.totp_last_step < step RETURNING m.id)
    INSERT INTO public.staff_sessions (id, staff_id, token_hash, created_at, expires_at)
    SELECT session, m.id, token, at, until FROM m RETURNING staff_id $$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE FUNCTION find_staff_session(token bytea, at timestamptz)
    RETURNS TABLE (session_id uuid, staff_id uuid, email text, name text, role text)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT s.id, m.id, m.email, m.name, m.role FROM public.staff_sessions s JOIN public.staff m ON m.id = s.staff_id
        WHERE s.token_hash = token AND s.ended_at IS NULL AND s.expires_at > at AND m.disabled_at IS NULL $$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE FUNCTION end_staff_session(token bytea, at timestamptz) RETURNS void
    LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ UPDATE public.staff_sessions SET ended_at = at WHERE token_hash = token AND ended_at IS NULL $$;
-- +goose StatementEnd
-- +goose StatementBegin
-- find_staff_view is the open view whose browser holds the token. It lives as long as the sign-in that it was begun with, and
-- the account of the member of staff.
CREATE FUNCTION find_staff_view(token bytea, at timestamptz)
    RETURNS TABLE (id uuid, franchiser_ref uuid, staff_id uuid, staff_name text, session_id uuid, reason text,
        requested_at timestamptz, code_expires_at timestamptz, begun_at timestamptz, ends_at timestamptz, ended_at timestamptz,
        ended_by text)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT v.id, v.franchiser_ref, v.staff_id, m.name, v.session_id, v.reason, v.requested_at, v.code_expires_at, v.begun_at,
            v.ends_at, v.ended_at, v.ended_by
        FROM public.support_views v JOIN public.staff m ON m.id = v.staff_id AND m.disabled_at IS NULL
            JOIN public.staff_sessions s ON s.id = v.session_id AND s.ended_at IS NULL AND s.expires_at > at
        WHERE v.token_hash = token AND v.ended_at IS NULL AND v.ends_at > at $$;
-- +goose StatementEnd

-- A failed sign-in is noted in the trail, at most ten a member and hour: the chain never shrinks, and strangers shall not
-- write into it as they like. It returns the member, NULL for an e-mail that is nobody's.
CREATE INDEX staff_actions_failed ON staff_actions (staff_id, at) WHERE action = 'sign_in_failed';
-- +goose StatementBegin
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

-- What crosses customers is for staff alone.
ALTER FUNCTION support_find(text, text) RENAME TO support_find_any;
ALTER FUNCTION waiting_money() RENAME TO waiting_money_of_all;
ALTER FUNCTION find_transaction(text) RENAME TO find_any_transaction;
REVOKE EXECUTE ON FUNCTION support_search(text, text), support_find_any(text, text), waiting_money_of_all(), find_any_transaction(text)
    FROM franchise360_api;
-- +goose StatementBegin
CREATE FUNCTION require_staff() RETURNS void
    LANGUAGE plpgsql STABLE AS $$
BEGIN
    IF public.acting_staff() IS NULL THEN
        RAISE EXCEPTION 'this is for staff' USING ERRCODE = 'insufficient_privilege';
    END IF;
END $$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE FUNCTION support_find(q text, d text)
    RETURNS TABLE (franchiser_id uuid, kind text, label text, exact boolean, name text, mobile text)
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ BEGIN PERFORM public.require_staff(); RETURN QUERY SELECT * FROM public.support_find_any(q, d); END $$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE FUNCTION waiting_money()
    RETURNS TABLE (kind text, franchiser_id uuid, payment_id uuid, reference text, amount_paise bigint, due_paise bigint,
        since timestamptz, answer_by text, failure text)
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ BEGIN PERFORM public.require_staff(); RETURN QUERY SELECT * FROM public.waiting_money_of_all(); END $$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE FUNCTION find_transaction(t text) RETURNS TABLE (id uuid, franchiser_id uuid)
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ BEGIN PERFORM public.require_staff(); RETURN QUERY SELECT * FROM public.find_any_transaction(t); END $$;
-- +goose StatementEnd
-- +goose StatementBegin
-- named_payments names payments to staff, to the worker, and to their own franchiser.
CREATE OR REPLACE FUNCTION named_payments(ids uuid[])
    RETURNS TABLE (payment_id uuid, name text, mobile text, transaction_id text, gateway text, paid_paise bigint, bought text)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$
    SELECT p.id, coalesce(nullif(btrim(a.legal_name), ''), nullif(btrim(f.first_name || ' ' || f.last_name), ''), nullif(t.store_name, ''), ''),
        f.mobile, p.transaction_id, p.gateway, coalesce(p.captured_paise, p.amount_paise), o.plan_name || ' · ' || o.service_name
    FROM public.payments p
        JOIN public.franchisers f ON f.id = p.franchiser_id
        JOIN public.orders o ON o.franchiser_id = p.franchiser_id AND o.id = p.order_id
        LEFT JOIN public.business_addresses a ON a.franchiser_id = p.franchiser_id
        LEFT JOIN public.tenants t ON t.franchiser_id = p.franchiser_id AND t.closed_at IS NULL
    WHERE p.id = ANY (ids) AND (p.franchiser_id = (SELECT public.current_franchiser()) OR (SELECT public.is_worker())
        OR (SELECT public.acting_staff()) IS NOT NULL) $$;
-- +goose StatementEnd

-- +goose StatementBegin
DO $$
DECLARE f text;
BEGIN
    FOREACH f IN ARRAY ARRAY['acting_staff(text)', 'staff_salt(text)', 'staff_factor(text, text)',
        'begin_staff_session(text, text, uuid, bytea, bigint, timestamptz, timestamptz)', 'find_staff_session(bytea, timestamptz)',
        'end_staff_session(bytea, timestamptz)', 'find_staff_view(bytea, timestamptz)',
        'note_failed_staff_sign_in(text, uuid, text, timestamptz)', 'support_find(text, text)', 'waiting_money()',
        'find_transaction(text)'] LOOP
        EXECUTE format('ALTER FUNCTION %s OWNER TO franchise360_lookup', f);
        EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', f);
        EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO franchise360_api', f);
    END LOOP;
END $$;
-- +goose StatementEnd
ALTER FUNCTION chain_staff_action() SECURITY DEFINER SET search_path = pg_catalog, public;
ALTER FUNCTION chain_staff_action() OWNER TO franchise360_lookup;

-- The operator's own tables. They are not forced, so that their owner, which is neither process, needs no policy.
ALTER TABLE staff_actions ENABLE ROW LEVEL SECURITY;
CREATE POLICY staff_read ON staff_actions FOR SELECT TO franchise360_api
    USING ((SELECT acting_staff()) IS NOT NULL OR franchiser_ref = (SELECT current_franchiser()));
CREATE POLICY own_name ON staff_actions FOR INSERT TO franchise360_api WITH CHECK (staff_id = (SELECT acting_staff()));
CREATE POLICY every_row ON staff_actions TO franchise360_worker, franchise360_lookup USING (true) WITH CHECK (true);

ALTER TABLE support_views ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_views ON support_views TO franchise360_api
    USING (staff_id = (SELECT acting_staff()) OR franchiser_ref = (SELECT current_franchiser()))
    WITH CHECK (staff_id = (SELECT acting_staff()) OR franchiser_ref = (SELECT current_franchiser()) AND ended_by = 'customer');
CREATE POLICY every_row ON support_views FOR SELECT TO franchise360_worker, franchise360_lookup USING (true);

ALTER TABLE support_requests ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_requests ON support_requests TO franchise360_api
    USING (staff_id = (SELECT acting_staff())) WITH CHECK (staff_id = (SELECT acting_staff()));
CREATE POLICY old_ones ON support_requests FOR DELETE TO franchise360_api USING ((SELECT acting_staff()) IS NOT NULL);

ALTER TABLE support_messages ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON support_messages TO franchise360_api
    USING (franchiser_ref = (SELECT current_franchiser())) WITH CHECK (franchiser_ref = (SELECT current_franchiser()));
CREATE POLICY every_row ON support_messages TO franchise360_worker USING (true) WITH CHECK (true);

ALTER TABLE job_operations ENABLE ROW LEVEL SECURITY;
CREATE POLICY staff_see ON job_operations FOR SELECT TO franchise360_api USING (true);
CREATE POLICY progress ON job_operations FOR UPDATE TO franchise360_api USING (true);
CREATE POLICY own_name ON job_operations FOR INSERT TO franchise360_api WITH CHECK (staff_id = (SELECT acting_staff()));
CREATE POLICY every_row ON job_operations TO franchise360_worker USING (true) WITH CHECK (true);
REVOKE UPDATE ON job_operations FROM franchise360_api;
GRANT UPDATE (total, finished_at) ON job_operations TO franchise360_api;

ALTER TABLE contact_requests ENABLE ROW LEVEL SECURITY;
CREATE POLICY anybody_writes ON contact_requests FOR INSERT TO franchise360_api WITH CHECK (status = 'open' AND handled_by IS NULL);
CREATE POLICY staff_read ON contact_requests FOR SELECT TO franchise360_api
    USING ((SELECT acting_staff()) IS NOT NULL
        OR mobile <> '' AND mobile = (SELECT f.mobile FROM franchisers f WHERE f.id = (SELECT current_franchiser())));
CREATE POLICY staff_move ON contact_requests FOR UPDATE TO franchise360_api
    USING ((SELECT acting_staff()) IS NOT NULL) WITH CHECK (handled_by = (SELECT acting_staff()));
CREATE POLICY every_row ON contact_requests TO franchise360_worker USING (true) WITH CHECK (true);

-- Staff ask in their own name, and only another admin decides.
ALTER TABLE reversals ENABLE ROW LEVEL SECURITY;
CREATE POLICY staff_read ON reversals FOR SELECT TO franchise360_api
    USING ((SELECT acting_staff()) IS NOT NULL OR franchiser_ref = (SELECT current_franchiser()));
CREATE POLICY own_name ON reversals FOR INSERT TO franchise360_api
    WITH CHECK (requested_by = (SELECT acting_staff('admin')) AND decided_by IS NULL
        AND state = CASE WHEN needs_approval THEN 'waiting' ELSE 'approved' END);
CREATE POLICY another_decides ON reversals FOR UPDATE TO franchise360_api
    USING ((SELECT acting_staff()) IS NOT NULL)
    WITH CHECK (decided_by = (SELECT acting_staff('admin')) AND decided_by <> requested_by AND state IN ('approved', 'declined'));
CREATE POLICY every_row ON reversals TO franchise360_worker USING (true) WITH CHECK (true);

-- +goose StatementBegin
CREATE FUNCTION refuse_backward_reversal() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    IF OLD.state IN ('declined', 'done', 'failed') AND NEW.state <> OLD.state
        OR OLD.decided_by IS NOT NULL AND NEW.decided_by IS DISTINCT FROM OLD.decided_by
        OR OLD.state = 'approved' AND NEW.state = 'waiting' AND OLD.decided_by IS NOT NULL
        OR NEW.requested_by <> OLD.requested_by OR NEW.amount_paise <> OLD.amount_paise OR NEW.payment_id <> OLD.payment_id THEN
        RAISE EXCEPTION 'a reversal that was decided stays so' USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;
-- +goose StatementEnd
CREATE TRIGGER forward_only BEFORE UPDATE ON reversals FOR EACH ROW EXECUTE FUNCTION refuse_backward_reversal();

-- +goose Down
DROP TRIGGER forward_only ON reversals;
DROP FUNCTION refuse_backward_reversal();
DROP POLICY staff_read ON staff_actions;
DROP POLICY own_name ON staff_actions;
DROP POLICY every_row ON staff_actions;
DROP POLICY own_views ON support_views;
DROP POLICY every_row ON support_views;
DROP POLICY own_requests ON support_requests;
DROP POLICY old_ones ON support_requests;
DROP POLICY own_rows ON support_messages;
DROP POLICY every_row ON support_messages;
DROP POLICY staff_see ON job_operations;
DROP POLICY progress ON job_operations;
DROP POLICY own_name ON job_operations;
DROP POLICY every_row ON job_operations;
DROP POLICY anybody_writes ON contact_requests;
DROP POLICY staff_read ON contact_requests;
DROP POLICY staff_move ON contact_requests;
DROP POLICY every_row ON contact_requests;
DROP POLICY staff_read ON reversals;
DROP POLICY own_name ON reversals;
DROP POLICY another_decides ON reversals;
DROP POLICY every_row ON reversals;
ALTER TABLE staff_actions DISABLE ROW LEVEL SECURITY;
ALTER TABLE support_views DISABLE ROW LEVEL SECURITY;
ALTER TABLE support_requests DISABLE ROW LEVEL SECURITY;
ALTER TABLE support_messages DISABLE ROW LEVEL SECURITY;
ALTER TABLE job_operations DISABLE ROW LEVEL SECURITY;
ALTER TABLE contact_requests DISABLE ROW LEVEL SECURITY;
ALTER TABLE reversals DISABLE ROW LEVEL SECURITY;
GRANT UPDATE ON job_operations TO franchise360_api;
ALTER FUNCTION chain_staff_action() OWNER TO CURRENT_USER;
ALTER FUNCTION chain_staff_action() SECURITY INVOKER RESET search_path;
DROP FUNCTION find_transaction(text), waiting_money(), support_find(text, text), require_staff();
ALTER FUNCTION find_any_transaction(text) RENAME TO find_transaction;
ALTER FUNCTION waiting_money_of_all() RENAME TO waiting_money;
ALTER FUNCTION support_find_any(text, text) RENAME TO support_find;
GRANT EXECUTE ON FUNCTION find_transaction(text), waiting_money(), support_find(text, text), support_search(text, text) TO franchise360_api;
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION named_payments(ids uuid[])
    RETURNS TABLE (payment_id uuid, name text, mobile text, transaction_id text, gateway text, paid_paise bigint, bought text)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$
    SELECT p.id, coalesce(nullif(btrim(a.legal_name), ''), nullif(btrim(f.first_name || ' ' || f.last_name), ''), nullif(t.store_name, ''), ''),
        f.mobile, p.transaction_id, p.gateway, coalesce(p.captured_paise, p.amount_paise), o.plan_name || ' · ' || o.service_name
    FROM public.payments p
        JOIN public.franchisers f ON f.id = p.franchiser_id
        JOIN public.orders o ON o.franchiser_id = p.franchiser_id AND o.id = p.order_id
        LEFT JOIN public.business_addresses a ON a.franchiser_id = p.franchiser_id
        LEFT JOIN public.tenants t ON t.franchiser_id = p.franchiser_id AND t.closed_at IS NULL
    WHERE p.id = ANY (ids) $$;
-- +goose StatementEnd
DROP INDEX staff_actions_failed;
DROP FUNCTION note_failed_staff_sign_in(text, uuid, text, timestamptz), find_staff_view(bytea, timestamptz),
    end_staff_session(bytea, timestamptz), find_staff_session(bytea, timestamptz),
    begin_staff_session(text, text, uuid, bytea, bigint, timestamptz, timestamptz), staff_factor(text, text), staff_salt(text),
    is_worker(), acting_staff(text);
REVOKE SELECT ON support_views FROM franchise360_lookup;
REVOKE SELECT, INSERT ON staff_actions FROM franchise360_lookup;
REVOKE ALL ON staff_sessions FROM franchise360_lookup;
REVOKE ALL ON staff FROM franchise360_lookup;
GRANT SELECT, INSERT, UPDATE ON staff_sessions TO franchise360_api;
GRANT SELECT ON staff TO franchise360_api, franchise360_worker;
GRANT UPDATE (totp_last_step) ON staff TO franchise360_api;
