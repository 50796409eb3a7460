-- What one owner asks of another's rows goes through functions of that other one. They run with the rights of whoever calls them, are
-- called by functions that franchise360_lookup owns, and Postgres puts them into the query that calls them.

-- +goose Up
-- +goose StatementBegin
-- account

-- person_of is who a franchiser is. What stands in place of an erased one's mobile is no mobile.
CREATE FUNCTION person_of(franchiser uuid) RETURNS TABLE (first_name text, last_name text, mobile text, erased boolean)
    LANGUAGE sql STABLE
    AS $$ SELECT f.first_name, f.last_name, f.mobile, f.erased_at IS NOT NULL FROM public.franchisers f WHERE f.id = franchiser $$;

-- search_people finds accounts by what their mobile, e-mail, name or a later part of the name begins with. Each kind gives at most eight.
CREATE FUNCTION search_people(q text, d text) RETURNS TABLE (franchiser_id uuid, kind text, label text, exact boolean)
    LANGUAGE sql STABLE
    AS $$
    (SELECT f.id, 'mobile', f.mobile, f.mobile = d FROM public.franchisers f
        WHERE d <> '' AND f.mobile COLLATE "C" >= d AND f.mobile COLLATE "C" <= d || chr(1114111) AND f.erased_at IS NULL
        ORDER BY f.mobile COLLATE "C" LIMIT 8)
    UNION ALL (SELECT f.id, 'email', f.email, f.email = q FROM public.franchisers f
        WHERE f.email COLLATE "C" >= q AND f.email COLLATE "C" <= q || chr(1114111) AND f.erased_at IS NULL
        ORDER BY f.email COLLATE "C" LIMIT 8)
    UNION ALL (SELECT f.id, 'name', btrim(f.first_name || ' ' || f.last_name), f.search_name = q FROM public.franchisers f
        WHERE f.search_name >= q AND f.search_name <= q || chr(1114111) AND f.search_name <> '' AND f.erased_at IS NULL
        ORDER BY f.search_name LIMIT 8)
    UNION ALL (SELECT f.id, 'name', btrim(f.first_name || ' ' || f.last_name), false FROM public.franchisers f
        WHERE f.search_rest >= q AND f.search_rest <= q || chr(1114111) AND f.search_rest <> '' AND f.erased_at IS NULL
        ORDER BY f.search_rest LIMIT 8) $$;

-- search_sign_ups finds a sign-up that was never finished, which is nobody's.
CREATE FUNCTION search_sign_ups(d text) RETURNS TABLE (franchiser_id uuid, kind text, label text, exact boolean)
    LANGUAGE sql STABLE
    AS $$
    SELECT NULL::uuid, 'sign_up', d, true WHERE length(d) = 10
        AND EXISTS (SELECT FROM public.one_time_codes o WHERE o.mobile = d)
        AND NOT EXISTS (SELECT FROM public.franchisers f WHERE f.mobile = d) $$;

-- begin_session runs with its caller's rights and sets the franchiser for the rest of the transaction, so that row-level
-- security holds inside it as anywhere. It answers no row where the password was changed since it was checked: the
-- account's row stays locked, so that a session of the old password can't begin while a reset ends all of them.
CREATE OR REPLACE FUNCTION begin_session(f uuid, checked_hash text, now_at timestamptz, remembered boolean, session_id uuid,
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
END $$;;

-- address

-- legal_name_of is the legal name in a franchiser's business address, if there is one.
CREATE FUNCTION legal_name_of(franchiser uuid) RETURNS TABLE (legal_name text)
    LANGUAGE sql STABLE
    AS $$ SELECT a.legal_name FROM public.business_addresses a WHERE a.franchiser_id = franchiser $$;

-- tenant

-- named_customer is a franchiser as staff read of it: by its name, which is empty where it has none, and its mobile. Of an erased one
-- they read that it was erased; what stands in place of its mobile is no mobile, and is shown nowhere.
CREATE FUNCTION named_customer(franchiser uuid) RETURNS TABLE (name text, mobile text, erased boolean)
    LANGUAGE sql STABLE
    AS $$
    SELECT CASE WHEN p.erased THEN 'Erased account' ELSE public.customer_name(a.legal_name, p.first_name, p.last_name, t.store_name) END,
        CASE WHEN p.erased THEN '' ELSE p.mobile END, p.erased
    FROM public.person_of(franchiser) p
        LEFT JOIN public.legal_name_of(franchiser) a ON true
        LEFT JOIN public.tenants t ON t.franchiser_id = franchiser AND t.closed_at IS NULL $$;

-- search_stores finds stores by what their name, a later part of it, or an address of theirs begins with.
CREATE FUNCTION search_stores(q text) RETURNS TABLE (franchiser_id uuid, kind text, label text, exact boolean)
    LANGUAGE sql STABLE
    AS $$
    (SELECT t.franchiser_id, 'store', t.store_name, t.search_name = q FROM public.tenants t
        WHERE t.search_name >= q AND t.search_name <= q || chr(1114111) AND t.closed_at IS NULL
        ORDER BY t.search_name LIMIT 8)
    UNION ALL (SELECT t.franchiser_id, 'store', t.store_name, false FROM public.tenants t
        WHERE t.search_rest >= q AND t.search_rest <= q || chr(1114111) AND t.search_rest <> '' AND t.closed_at IS NULL
        ORDER BY t.search_rest LIMIT 8)
    UNION ALL (SELECT t.franchiser_id, 'domain', t.slug, t.slug = q FROM public.tenants t
        WHERE t.slug COLLATE "C" >= q AND t.slug COLLATE "C" <= q || chr(1114111) AND t.closed_at IS NULL
        ORDER BY t.slug COLLATE "C" LIMIT 8)
    UNION ALL (SELECT t.franchiser_id, 'domain', t.slug, true FROM public.tenants t
        WHERE position('.' IN q) > 0 AND position('@' IN q) = 0 AND t.slug = split_part(q, '.', 1) AND t.closed_at IS NULL)
    UNION ALL (SELECT c.franchiser_id, 'domain', c.domain, c.domain = q FROM public.custom_domains c
        WHERE c.domain COLLATE "C" >= q AND c.domain COLLATE "C" <= q || chr(1114111)
        ORDER BY c.domain COLLATE "C" LIMIT 8) $$;

-- subscription

-- bought_by is what an order of the franchiser is for, by the names of plan and tier.
CREATE FUNCTION bought_by(franchiser uuid, wanted uuid) RETURNS TABLE (bought text)
    LANGUAGE sql STABLE
    AS $$ SELECT o.plan_name || ' · ' || o.service_name FROM public.orders o WHERE o.franchiser_id = franchiser AND o.id = wanted $$;

-- invoice

-- search_documents finds tax documents by what their number begins with.
CREATE FUNCTION search_documents(q text) RETURNS TABLE (franchiser_id uuid, kind text, label text, exact boolean)
    LANGUAGE sql STABLE
    AS $$
    SELECT i.franchiser_id, 'invoice', i.number, i.number = upper(q) FROM public.invoices i
        WHERE length(q) >= 5 AND i.number COLLATE "C" >= upper(q) AND i.number COLLATE "C" <= upper(q) || chr(1114111)
        ORDER BY i.number COLLATE "C" LIMIT 8 $$;

-- number_of_document is the number of a tax document.
CREATE FUNCTION number_of_document(document uuid) RETURNS TABLE (number text)
    LANGUAGE sql STABLE
    AS $$ SELECT i.number FROM public.invoices i WHERE i.id = document $$;

-- notes_to_reverse are the credit notes whose recipients have input tax credit to reverse.
CREATE FUNCTION notes_to_reverse() RETURNS TABLE (id uuid, franchiser_id uuid, payment_id uuid, number text, issued_at timestamptz, name
        text,
        gstin text, taxable_paise bigint, total_paise bigint)
    LANGUAGE sql STABLE
    AS $$
    SELECT i.id, i.franchiser_id, i.payment_id, i.number, i.issued_at, i.recipient->>'name', i.recipient->>'gstin', i.taxable_paise,
        i.total_paise
    FROM public.invoices i
    WHERE i.kind = 'credit_note' AND NOT i.commercial AND i.total_paise > i.taxable_paise AND coalesce(i.recipient->>'gstin', '') <> '' $$;

-- payment

-- search_payments finds payments by what their transaction or a name that the gateway gave them begins with.
CREATE FUNCTION search_payments(q text) RETURNS TABLE (franchiser_id uuid, kind text, label text, exact boolean)
    LANGUAGE sql STABLE
    AS $$
    (SELECT p.franchiser_id, 'transaction', p.transaction_id, p.search_transaction = q FROM public.payments p
        WHERE length(q) >= 6 AND p.search_transaction >= q AND p.search_transaction <= q || chr(1114111)
        ORDER BY p.search_transaction LIMIT 8)
    UNION ALL (SELECT p.franchiser_id, 'gateway_payment', p.gateway_payment_id, p.search_gateway = q FROM public.payments p
        WHERE length(q) >= 5 AND p.search_gateway >= q AND p.search_gateway <= q || chr(1114111)
        ORDER BY p.search_gateway LIMIT 8)
    UNION ALL (SELECT p.franchiser_id, 'gateway_payment', p.gateway_reference, p.search_reference = q FROM public.payments p
        WHERE length(q) >= 5 AND p.search_reference >= q AND p.search_reference <= q || chr(1114111)
        ORDER BY p.search_reference LIMIT 8) $$;

-- transaction_of is the transaction of a payment.
CREATE FUNCTION transaction_of(payment uuid) RETURNS TABLE (transaction_id text)
    LANGUAGE sql STABLE
    AS $$ SELECT p.transaction_id FROM public.payments p WHERE p.id = payment $$;

-- check_input_tax_state: only a credit note that reduced tax, to a recipient with a GSTIN, has anything to reverse.
CREATE OR REPLACE FUNCTION check_input_tax_state()
    RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM document_overview d WHERE d.franchiser_id = NEW.franchiser_id AND d.id = NEW.invoice_id
            AND d.reverses_input_tax) THEN
        RAISE EXCEPTION 'document % reverses no input tax credit', NEW.invoice_id
            USING ERRCODE = 'check_violation', CONSTRAINT = 'input_tax_states_note';
    END IF;
    RETURN NEW;
END $$;

-- named_payments tells whose payments these are and what they bought: to staff, to the worker, and to their own franchiser.
CREATE OR REPLACE FUNCTION named_payments(ids uuid[])
    RETURNS TABLE (payment_id uuid, name text, mobile text, transaction_id text, gateway text, paid_paise bigint, bought text)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path = pg_catalog, public
    AS $$
    SELECT p.id, c.name, c.mobile, p.transaction_id, p.gateway, coalesce(p.captured_paise, p.amount_paise), o.bought
    FROM public.payments p
        CROSS JOIN LATERAL public.named_customer(p.franchiser_id) c
        CROSS JOIN LATERAL public.bought_by(p.franchiser_id, p.order_id) o
    WHERE p.id = ANY (ids) AND (p.franchiser_id = (SELECT public.current_franchiser()) OR (SELECT public.is_worker())
        OR (SELECT public.acting_staff()) IS NOT NULL) $$;

-- The credit notes of all customers whose recipients have input tax credit to reverse, with what is known of it. For staff alone, who
-- prove it to reversing_notes.
CREATE OR REPLACE FUNCTION reversing_notes_of_all(wanted text, most integer, passing integer)
        RETURNS TABLE (id uuid, franchiser_id uuid, number text, issued_at timestamptz, name text, gstin text, taxable_paise bigint,
        tax_paise bigint, total_paise bigint, transaction_id text, state text, evidence text, recorded_by text, recorded_at timestamptz,
        of_all bigint)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path = pg_catalog, public
    AS $$
    SELECT n.id, n.franchiser_id, n.number, n.issued_at, n.name, n.gstin, n.taxable_paise, n.total_paise - n.taxable_paise, n.total_paise,
        coalesce(p.transaction_id, ''), coalesce(s.state, 'unknown'), coalesce(s.evidence, ''), coalesce(s.staff_name, ''), s.recorded_at,
        count(*) OVER ()
    FROM public.notes_to_reverse() n
        LEFT JOIN public.payments p ON p.franchiser_id = n.franchiser_id AND p.id = n.payment_id
        LEFT JOIN LATERAL (SELECT l.state, l.evidence, l.staff_name, l.recorded_at FROM public.input_tax_states l
            WHERE l.invoice_id = n.id ORDER BY l.sequence DESC LIMIT 1) s ON true
    WHERE wanted = '' OR coalesce(s.state, 'unknown') = wanted
    ORDER BY n.issued_at DESC, n.id DESC LIMIT most OFFSET passing $$;

-- staff

-- live_staff_session is the member whose session it is, while it lives and the member may sign in.
CREATE FUNCTION live_staff_session(session uuid, at timestamptz) RETURNS TABLE (staff_id uuid, staff_name text)
    LANGUAGE sql STABLE
    AS $$ SELECT m.id, m.name FROM public.staff_sessions s JOIN public.staff m ON m.id = s.staff_id AND m.disabled_at IS NULL
        WHERE s.id = session AND s.ended_at IS NULL AND s.expires_at > at $$;

-- consent

-- find_staff_view is the open view whose browser holds the token. It lives as long as the sign-in that it was begun with, and
-- the account of the member of staff.
CREATE OR REPLACE FUNCTION find_staff_view(token bytea, at timestamptz)
        RETURNS TABLE (id uuid, franchiser_ref uuid, staff_id uuid, staff_name text, session_id uuid, reason text, requested_at
        timestamptz, code_expires_at timestamptz, begun_at timestamptz, ends_at timestamptz, ended_at timestamptz, ended_by text)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path = pg_catalog, public
    AS $$ SELECT v.id, v.franchiser_ref, v.staff_id, s.staff_name, v.session_id, v.reason, v.requested_at, v.code_expires_at, v.begun_at,
            v.ends_at, v.ended_at, v.ended_by
        FROM public.support_views v JOIN LATERAL public.live_staff_session(v.session_id, at) s ON s.staff_id = v.staff_id
        WHERE v.token_hash = token AND v.ended_at IS NULL AND v.ends_at > at $$;

-- platform/queue

-- find_job is the job of that number, and whose it is.
CREATE FUNCTION find_job(q text) RETURNS TABLE (id bigint, franchiser_id uuid)
    LANGUAGE sql STABLE
    AS $$ SELECT j.id, nullif(j.metadata ->> 'franchiser_id', '')::uuid FROM public.river_job j
        WHERE j.id = CASE WHEN q ~ '^[0-9]{1,18}$' THEN q::bigint END $$;

-- support

-- Whom staff mean by q, which is trimmed and in lower case; d is the ten digits or fewer that it may hold instead of a
-- text, without the country's code. It tells the franchiser (none for a sign-up that was never finished, or a job of
-- nobody's), what matched and whether it matched whole; everything else is read under that franchiser's row-level security.
-- Each kind gives at most eight.
CREATE OR REPLACE FUNCTION support_search(q text, d text)
    RETURNS TABLE (franchiser_id uuid, kind text, label text, exact boolean)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path = pg_catalog, public
    AS $$
    SELECT s.franchiser_id, s.kind, s.label, s.exact FROM public.search_people(q, d) s
    UNION ALL SELECT s.franchiser_id, s.kind, s.label, s.exact FROM public.search_stores(q) s
    UNION ALL SELECT s.franchiser_id, s.kind, s.label, s.exact FROM public.search_payments(q) s
    UNION ALL SELECT s.franchiser_id, s.kind, s.label, s.exact FROM public.search_documents(q) s
    UNION ALL SELECT s.franchiser_id, s.kind, s.label, s.exact FROM public.search_sign_ups(d) s
    UNION ALL SELECT j.franchiser_id, 'job', j.id::text, true FROM public.find_job(q) j $$;

-- support_find_any is what the search finds, with whose it is: eight customers of one name are told apart by their numbers, and read
-- as payments are named. An erased one has neither name nor number.
CREATE OR REPLACE FUNCTION support_find_any(q text, d text)
    RETURNS TABLE (franchiser_id uuid, kind text, label text, exact boolean, name text, mobile text)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path = pg_catalog, public
    AS $$
    SELECT h.franchiser_id, h.kind, h.label, h.exact, coalesce(c.name, ''), coalesce(c.mobile, '')
    FROM public.support_search(q, d) WITH ORDINALITY AS h (franchiser_id, kind, label, exact, place)
        LEFT JOIN LATERAL public.named_customer(h.franchiser_id) c ON true
    ORDER BY h.place $$;

-- named_subjects names customers, payments and documents to staff, by targets of the trail such as payment:<id>. A customer without
-- any name is told by a masked mobile number; of an erased one staff read that it was erased.
CREATE OR REPLACE FUNCTION named_subjects(targets text[])
    RETURNS TABLE (subject text, name text)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path = pg_catalog, public
    AS $$
    WITH wanted AS (
        SELECT split_part(t, ':', 1) AS kind, CASE WHEN t ~ '^(customer|payment|invoice):[0-9a-f-]{36}$' THEN split_part(t, ':', 2)::uuid END AS id
        FROM (SELECT DISTINCT t FROM unnest(targets) AS t) AS each
        WHERE (SELECT public.acting_staff()) IS NOT NULL
    )
    SELECT 'customer:' || w.id, coalesce(nullif(c.name, ''), left(c.mobile, 2) || '••••' || right(c.mobile, 4), '')
    FROM wanted w CROSS JOIN LATERAL public.named_customer(w.id) c WHERE w.kind = 'customer'
    UNION ALL
    SELECT 'payment:' || w.id, p.transaction_id FROM wanted w CROSS JOIN LATERAL public.transaction_of(w.id) p WHERE w.kind = 'payment'
    UNION ALL
    SELECT 'invoice:' || w.id, i.number FROM wanted w CROSS JOIN LATERAL public.number_of_document(w.id) i WHERE w.kind = 'invoice' $$;
-- +goose StatementEnd
REVOKE ALL ON FUNCTION person_of(uuid), search_people(text, text), search_sign_ups(text), legal_name_of(uuid), named_customer(uuid),
    search_stores(text), bought_by(uuid, uuid), search_documents(text), number_of_document(uuid), notes_to_reverse(),
    search_payments(text), transaction_of(uuid), live_staff_session(uuid, timestamptz), find_job(text)
    FROM PUBLIC;
GRANT EXECUTE ON FUNCTION person_of(uuid), search_people(text, text), search_sign_ups(text), legal_name_of(uuid), named_customer(uuid),
    search_stores(text), bought_by(uuid, uuid), search_documents(text), number_of_document(uuid), notes_to_reverse(),
    search_payments(text), transaction_of(uuid), live_staff_session(uuid, timestamptz), find_job(text)
    TO franchise360_lookup;
ALTER POLICY staff_read ON contact_requests USING ((SELECT acting_staff()) IS NOT NULL
    OR mobile <> '' AND mobile = (SELECT p.mobile FROM person_overview p WHERE p.franchiser_id = (SELECT current_franchiser())));

-- +goose Down
ALTER POLICY staff_read ON contact_requests USING ((SELECT acting_staff()) IS NOT NULL
    OR mobile <> '' AND mobile = (SELECT f.mobile FROM franchisers f WHERE f.id = (SELECT current_franchiser())));
-- +goose StatementBegin
-- begin_session runs with its caller's rights and sets the franchiser for the rest of the transaction, so that row-level
-- security holds inside it as anywhere. It answers no row where the password was changed since it was checked: the
-- account's row stays locked, so that a session of the old password can't begin while a reset ends all of them.
CREATE OR REPLACE FUNCTION begin_session(f uuid, checked_hash text, now_at timestamptz, remembered boolean, session_id uuid,
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
        coalesce((SELECT t.store_name FROM tenants t WHERE t.franchiser_id = f AND t.closed_at IS NULL), ''),
        EXISTS (SELECT FROM business_addresses b WHERE b.franchiser_id = f);
END $$;;

-- check_input_tax_state: only a credit note that reduced tax, to a recipient with a GSTIN, has anything to reverse.
CREATE OR REPLACE FUNCTION check_input_tax_state()
    RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM invoices i WHERE i.franchiser_id = NEW.franchiser_id AND i.id = NEW.invoice_id AND i.kind = 'credit_note'
            AND NOT i.commercial AND i.total_paise > i.taxable_paise AND coalesce(i.recipient->>'gstin', '') <> '') THEN
        RAISE EXCEPTION 'document % reverses no input tax credit', NEW.invoice_id
            USING ERRCODE = 'check_violation', CONSTRAINT = 'input_tax_states_note';
    END IF;
    RETURN NEW;
END $$;;

-- find_staff_view is the open view whose browser holds the token. It lives as long as the sign-in that it was begun with, and
-- the account of the member of staff.
CREATE OR REPLACE FUNCTION find_staff_view(token bytea, at timestamptz)
        RETURNS TABLE (id uuid, franchiser_ref uuid, staff_id uuid, staff_name text, session_id uuid, reason text, requested_at
        timestamptz, code_expires_at timestamptz, begun_at timestamptz, ends_at timestamptz, ended_at timestamptz, ended_by text)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path = pg_catalog, public
    AS $$ SELECT v.id, v.franchiser_ref, v.staff_id, m.name, v.session_id, v.reason, v.requested_at, v.code_expires_at, v.begun_at,
            v.ends_at, v.ended_at, v.ended_by
        FROM public.support_views v JOIN public.staff m ON m.id = v.staff_id AND m.disabled_at IS NULL
            JOIN public.staff_sessions s ON s.id = v.session_id AND s.ended_at IS NULL AND s.expires_at > at
        WHERE v.token_hash = token AND v.ended_at IS NULL AND v.ends_at > at $$;;

-- named_payments tells whose payments these are and what they bought: to staff, to the worker, and to their own franchiser. Staff read
-- of an erased customer that it was erased; what stands in place of its mobile is no mobile, and is shown nowhere.
CREATE OR REPLACE FUNCTION named_payments(ids uuid[])
    RETURNS TABLE (payment_id uuid, name text, mobile text, transaction_id text, gateway text, paid_paise bigint, bought text)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path = pg_catalog, public
    AS $$
    SELECT p.id,
        CASE WHEN f.erased_at IS NULL THEN public.customer_name(a.legal_name, f.first_name, f.last_name, t.store_name) ELSE 'Erased account' END,
        CASE WHEN f.erased_at IS NULL THEN f.mobile ELSE '' END,
        p.transaction_id, p.gateway, coalesce(p.captured_paise, p.amount_paise), o.plan_name || ' · ' || o.service_name
    FROM public.payments p
        JOIN public.franchisers f ON f.id = p.franchiser_id
        JOIN public.orders o ON o.franchiser_id = p.franchiser_id AND o.id = p.order_id
        LEFT JOIN public.business_addresses a ON a.franchiser_id = p.franchiser_id
        LEFT JOIN public.tenants t ON t.franchiser_id = p.franchiser_id AND t.closed_at IS NULL
    WHERE p.id = ANY (ids) AND (p.franchiser_id = (SELECT public.current_franchiser()) OR (SELECT public.is_worker())
        OR (SELECT public.acting_staff()) IS NOT NULL) $$;;

-- named_subjects names customers, payments and documents to staff, by targets of the trail such as payment:<id>. A customer without
-- any name is told by a masked mobile number; of an erased one staff read that it was erased.
CREATE OR REPLACE FUNCTION named_subjects(targets text[])
    RETURNS TABLE (subject text, name text)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path = pg_catalog, public
    AS $$
    WITH wanted AS (
        SELECT split_part(t, ':', 1) AS kind, CASE WHEN t ~ '^(customer|payment|invoice):[0-9a-f-]{36}$' THEN split_part(t, ':', 2)::uuid END AS id
        FROM (SELECT DISTINCT t FROM unnest(targets) AS t) AS each
        WHERE (SELECT public.acting_staff()) IS NOT NULL
    )
    SELECT 'customer:' || f.id, CASE WHEN f.erased_at IS NULL
        THEN coalesce(nullif(btrim(a.legal_name), ''), nullif(btrim(concat_ws(' ', f.first_name, f.last_name)), ''),
            nullif(t.store_name, ''), left(f.mobile, 2) || '••••' || right(f.mobile, 4), '')
        ELSE 'Erased account' END
    FROM wanted w JOIN public.franchisers f ON f.id = w.id
        LEFT JOIN public.business_addresses a ON a.franchiser_id = f.id
        LEFT JOIN public.tenants t ON t.franchiser_id = f.id AND t.closed_at IS NULL
    WHERE w.kind = 'customer'
    UNION ALL
    SELECT 'payment:' || p.id, p.transaction_id FROM wanted w JOIN public.payments p ON p.id = w.id WHERE w.kind = 'payment'
    UNION ALL
    SELECT 'invoice:' || i.id, i.number FROM wanted w JOIN public.invoices i ON i.id = w.id WHERE w.kind = 'invoice' $$;;

-- The credit notes of all customers whose recipients have input tax credit to reverse, with what is known of it. For staff alone, who
-- prove it to reversing_notes.
CREATE OR REPLACE FUNCTION reversing_notes_of_all(wanted text, most integer, passing integer)
        RETURNS TABLE (id uuid, franchiser_id uuid, number text, issued_at timestamptz, name text, gstin text, taxable_paise bigint,
        tax_paise bigint, total_paise bigint, transaction_id text, state text, evidence text, recorded_by text, recorded_at timestamptz,
        of_all bigint)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path = pg_catalog, public
    AS $$
    SELECT i.id, i.franchiser_id, i.number, i.issued_at, i.recipient->>'name', i.recipient->>'gstin', i.taxable_paise,
        i.total_paise - i.taxable_paise, i.total_paise, coalesce(p.transaction_id, ''), coalesce(s.state, 'unknown'), coalesce(s.evidence, ''),
        coalesce(s.staff_name, ''), s.recorded_at, count(*) OVER ()
    FROM public.invoices i
        LEFT JOIN public.payments p ON p.franchiser_id = i.franchiser_id AND p.id = i.payment_id
        LEFT JOIN LATERAL (SELECT l.state, l.evidence, l.staff_name, l.recorded_at FROM public.input_tax_states l
            WHERE l.invoice_id = i.id ORDER BY l.sequence DESC LIMIT 1) s ON true
    WHERE i.kind = 'credit_note' AND NOT i.commercial AND i.total_paise > i.taxable_paise AND coalesce(i.recipient->>'gstin', '') <> ''
        AND (wanted = '' OR coalesce(s.state, 'unknown') = wanted)
    ORDER BY i.issued_at DESC, i.id DESC LIMIT most OFFSET passing $$;;

-- support_find_any is what the search finds, with whose it is: eight customers of one name are told apart by their numbers, and read
-- as payments are named. An erased one has neither name nor number.
CREATE OR REPLACE FUNCTION support_find_any(q text, d text)
    RETURNS TABLE (franchiser_id uuid, kind text, label text, exact boolean, name text, mobile text)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path = pg_catalog, public
    AS $$
    SELECT h.franchiser_id, h.kind, h.label, h.exact,
        CASE WHEN f.erased_at IS NULL THEN public.customer_name(a.legal_name, f.first_name, f.last_name, t.store_name) ELSE 'Erased account' END,
        CASE WHEN f.erased_at IS NULL THEN coalesce(f.mobile, '') ELSE '' END
    FROM public.support_search(q, d) WITH ORDINALITY AS h (franchiser_id, kind, label, exact, place)
        LEFT JOIN public.franchisers f ON f.id = h.franchiser_id
        LEFT JOIN public.business_addresses a ON a.franchiser_id = f.id
        LEFT JOIN public.tenants t ON t.franchiser_id = f.id AND t.closed_at IS NULL
    ORDER BY h.place $$;;

-- Whom staff mean by q, which is trimmed and in lower case; d is the ten digits or fewer that it may hold instead of a
-- text, without the country's code. It tells the franchiser (none for a sign-up that was never finished, or a job of
-- nobody's), what matched and whether it matched whole; everything else is read under that franchiser's row-level security.
-- Each kind gives at most eight.
CREATE OR REPLACE FUNCTION support_search(q text, d text)
    RETURNS TABLE (franchiser_id uuid, kind text, label text, exact boolean)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path = pg_catalog, public
    AS $$
    (SELECT f.id, 'mobile', f.mobile, f.mobile = d FROM public.franchisers f
        WHERE d <> '' AND f.mobile COLLATE "C" >= d AND f.mobile COLLATE "C" <= d || chr(1114111) AND f.erased_at IS NULL
        ORDER BY f.mobile COLLATE "C" LIMIT 8)
    UNION ALL (SELECT f.id, 'email', f.email, f.email = q FROM public.franchisers f
        WHERE f.email COLLATE "C" >= q AND f.email COLLATE "C" <= q || chr(1114111) AND f.erased_at IS NULL
        ORDER BY f.email COLLATE "C" LIMIT 8)
    UNION ALL (SELECT f.id, 'name', btrim(f.first_name || ' ' || f.last_name), f.search_name = q FROM public.franchisers f
        WHERE f.search_name >= q AND f.search_name <= q || chr(1114111) AND f.search_name <> '' AND f.erased_at IS NULL
        ORDER BY f.search_name LIMIT 8)
    UNION ALL (SELECT f.id, 'name', btrim(f.first_name || ' ' || f.last_name), false FROM public.franchisers f
        WHERE f.search_rest >= q AND f.search_rest <= q || chr(1114111) AND f.search_rest <> '' AND f.erased_at IS NULL
        ORDER BY f.search_rest LIMIT 8)
    UNION ALL (SELECT t.franchiser_id, 'store', t.store_name, t.search_name = q FROM public.tenants t
        WHERE t.search_name >= q AND t.search_name <= q || chr(1114111) AND t.closed_at IS NULL
        ORDER BY t.search_name LIMIT 8)
    UNION ALL (SELECT t.franchiser_id, 'store', t.store_name, false FROM public.tenants t
        WHERE t.search_rest >= q AND t.search_rest <= q || chr(1114111) AND t.search_rest <> '' AND t.closed_at IS NULL
        ORDER BY t.search_rest LIMIT 8)
    UNION ALL (SELECT t.franchiser_id, 'domain', t.slug, t.slug = q FROM public.tenants t
        WHERE t.slug COLLATE "C" >= q AND t.slug COLLATE "C" <= q || chr(1114111) AND t.closed_at IS NULL
        ORDER BY t.slug COLLATE "C" LIMIT 8)
    UNION ALL (SELECT t.franchiser_id, 'domain', t.slug, true FROM public.tenants t
        WHERE position('.' IN q) > 0 AND position('@' IN q) = 0 AND t.slug = split_part(q, '.', 1) AND t.closed_at IS NULL)
    UNION ALL (SELECT c.franchiser_id, 'domain', c.domain, c.domain = q FROM public.custom_domains c
        WHERE c.domain COLLATE "C" >= q AND c.domain COLLATE "C" <= q || chr(1114111)
        ORDER BY c.domain COLLATE "C" LIMIT 8)
    UNION ALL (SELECT p.franchiser_id, 'transaction', p.transaction_id, p.search_transaction = q FROM public.payments p
        WHERE length(q) >= 6 AND p.search_transaction >= q AND p.search_transaction <= q || chr(1114111)
        ORDER BY p.search_transaction LIMIT 8)
    UNION ALL (SELECT p.franchiser_id, 'gateway_payment', p.gateway_payment_id, p.search_gateway = q FROM public.payments p
        WHERE length(q) >= 5 AND p.search_gateway >= q AND p.search_gateway <= q || chr(1114111)
        ORDER BY p.search_gateway LIMIT 8)
    UNION ALL (SELECT p.franchiser_id, 'gateway_payment', p.gateway_reference, p.search_reference = q FROM public.payments p
        WHERE length(q) >= 5 AND p.search_reference >= q AND p.search_reference <= q || chr(1114111)
        ORDER BY p.search_reference LIMIT 8)
    UNION ALL (SELECT i.franchiser_id, 'invoice', i.number, i.number = upper(q) FROM public.invoices i
        WHERE length(q) >= 5 AND i.number COLLATE "C" >= upper(q) AND i.number COLLATE "C" <= upper(q) || chr(1114111)
        ORDER BY i.number COLLATE "C" LIMIT 8)
    UNION ALL (SELECT NULL, 'sign_up', d, true WHERE length(d) = 10
        AND EXISTS (SELECT FROM public.one_time_codes o WHERE o.mobile = d)
        AND NOT EXISTS (SELECT FROM public.franchisers f WHERE f.mobile = d))
    UNION ALL (SELECT nullif(j.metadata ->> 'franchiser_id', '')::uuid, 'job', j.id::text, true FROM public.river_job j
        WHERE j.id = CASE WHEN q ~ '^[0-9]{1,18}$' THEN q::bigint END) $$;;
-- +goose StatementEnd
DROP FUNCTION person_of(uuid), search_people(text, text), search_sign_ups(text), legal_name_of(uuid), named_customer(uuid),
    search_stores(text), bought_by(uuid, uuid), search_documents(text), number_of_document(uuid), notes_to_reverse(),
    search_payments(text), transaction_of(uuid), live_staff_session(uuid, timestamptz), find_job(text);
