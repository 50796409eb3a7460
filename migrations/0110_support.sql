-- What staff work with, and what visitors of the public site leave.
--
-- Jobs: outcomes that outlive River's retention, changes of many jobs at once, and who works and when. Jobs run on the machine's
-- time, so their times here are the machine's as well, in UTC. What staff do for a customer: repeated requests, messages, looking at
-- an account with consent. These rows are the operator's own: they name a customer as franchiser_ref, from which no access follows.
-- Visitors: newsletter sign-ups and contact requests, each with the consent given for it (Digital Personal Data Protection Act 2023,
-- sections 6 and 7).

-- +goose Up
-- What River deletes is kept here, by a trigger, so that none can be missed. franchiser_ref gives no access to anything.
CREATE TABLE job_outcomes (
    job_id         bigint      PRIMARY KEY,
    kind           text        NOT NULL,
    queue          text        NOT NULL,
    state          text        NOT NULL,
    attempt        int         NOT NULL,
    max_attempts   int         NOT NULL,
    args           jsonb       NOT NULL,
    errors         jsonb       NOT NULL, -- of each failed attempt: at, attempt, error
    franchiser_ref text,
    payment_ref    text,
    created_at     timestamptz NOT NULL,
    scheduled_at   timestamptz NOT NULL,
    attempted_at   timestamptz,
    finalized_at   timestamptz,
    request_ref    text
);
CREATE INDEX job_outcomes_of_franchiser ON job_outcomes (franchiser_ref, job_id DESC) WHERE franchiser_ref IS NOT NULL;
CREATE INDEX job_outcomes_of_kind ON job_outcomes (kind, created_at DESC);
CREATE INDEX job_outcomes_age ON job_outcomes (created_at);
GRANT SELECT ON job_outcomes TO franchise360_api;
GRANT SELECT, INSERT, DELETE ON job_outcomes TO franchise360_worker;

-- +goose StatementBegin
CREATE FUNCTION keep_job_outcomes() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO job_outcomes (job_id, kind, queue, state, attempt, max_attempts, args, errors, franchiser_ref, payment_ref, request_ref,
        created_at, scheduled_at, attempted_at, finalized_at)
    SELECT g.id, g.kind, g.queue, CASE WHEN g.metadata ? 'dismissed_at' THEN 'dismissed' ELSE g.state::text END, g.attempt, g.max_attempts, g.args,
        coalesce((SELECT jsonb_agg(e - 'trace' ORDER BY n) FROM unnest(g.errors) WITH ORDINALITY AS x (e, n)), '[]'),
        g.metadata ->> 'franchiser_id', g.metadata ->> 'payment_id', g.metadata ->> 'request_id',
        g.created_at, g.scheduled_at, g.attempted_at, g.finalized_at
    FROM gone g
    ON CONFLICT (job_id) DO NOTHING;
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER keep_outcomes AFTER DELETE ON river_job REFERENCING OLD TABLE AS gone
    FOR EACH STATEMENT EXECUTE FUNCTION keep_job_outcomes();

-- One change of one or many jobs by a member of staff; its key makes a repeated request the same change.
CREATE TABLE job_operations (
    id             uuid        PRIMARY KEY,
    staff_id       uuid        NOT NULL REFERENCES staff,
    action         text        NOT NULL CHECK (action IN ('rerun', 'cancel', 'dismiss', 'snooze')),
    reason         text        NOT NULL CHECK (reason ~ '\S'),
    snooze_seconds int         CHECK ((snooze_seconds IS NOT NULL) = (action = 'snooze')),
    key            text        NOT NULL CHECK (char_length(key) BETWEEN 8 AND 128),
    request        bytea       NOT NULL CHECK (octet_length(request) = 32), -- SHA-256 of what was asked for
    total          int         NOT NULL CHECK (total >= 0),
    created_at     timestamptz NOT NULL,
    finished_at    timestamptz,
    UNIQUE (staff_id, key)
);
CREATE INDEX job_operations_newest ON job_operations (created_at DESC);
GRANT SELECT, INSERT, UPDATE ON job_operations TO franchise360_worker;
GRANT SELECT, INSERT, UPDATE (total, finished_at) ON job_operations TO franchise360_api;
ALTER TABLE job_operations ENABLE ROW LEVEL SECURITY;
CREATE POLICY staff_see ON job_operations FOR SELECT TO franchise360_api USING (true);
CREATE POLICY progress ON job_operations FOR UPDATE TO franchise360_api USING (true);
CREATE POLICY own_name ON job_operations FOR INSERT TO franchise360_api WITH CHECK (staff_id = (SELECT acting_staff()));
CREATE POLICY every_row ON job_operations TO franchise360_worker USING (true) WITH CHECK (true);

-- The jobs of a change, fixed when it was asked for, and what became of each; done is NULL while it waits.
CREATE TABLE job_operation_items (
    operation_id uuid    NOT NULL REFERENCES job_operations,
    job_id       bigint  NOT NULL,
    done         boolean,
    message      text    NOT NULL DEFAULT '',
    PRIMARY KEY (operation_id, job_id)
);
CREATE INDEX job_operation_items_waiting ON job_operation_items (operation_id, job_id) WHERE done IS NULL;
GRANT SELECT, INSERT, UPDATE ON job_operation_items TO franchise360_api, franchise360_worker;

-- The worker processes that live, and what the schedule says; each process tells it again and again.
CREATE TABLE worker_processes (
    id         text        PRIMARY KEY,
    started_at timestamptz NOT NULL,
    seen_at    timestamptz NOT NULL,
    queues     jsonb       NOT NULL -- how many jobs at once, by queue
);
CREATE TABLE job_schedules (
    kind          text        PRIMARY KEY,
    queue         text        NOT NULL,
    every_seconds bigint      NOT NULL CHECK (every_seconds > 0),
    seen_at       timestamptz NOT NULL,
    next_run_at   timestamptz -- told by the worker that leads, because only its timers know
);
GRANT SELECT ON worker_processes, job_schedules TO franchise360_api;
GRANT SELECT, INSERT, UPDATE, DELETE ON worker_processes, job_schedules TO franchise360_worker;
GRANT UPDATE ON river_queue TO franchise360_api; -- admins pause and resume

-- +goose StatementBegin
-- How many rows a sweep would take at that moment, counted up to 10,001: a number and nothing else leaves the rows of others.
CREATE FUNCTION support_due(sweep text, at timestamptz) RETURNS bigint
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$
DECLARE
    today date := (at AT TIME ZONE 'Asia/Kolkata')::date;
    n     bigint;
BEGIN
    CASE sweep
    WHEN 'expire_subscriptions' THEN
        SELECT count(*) INTO n FROM (SELECT FROM public.subscriptions WHERE due_on <= today LIMIT 10001) x;
    WHEN 'apply_add_on_changes' THEN
        SELECT count(*) INTO n FROM (SELECT FROM public.subscription_add_ons
            WHERE ended_on IS NULL AND next_billing_cycle_status = 0 AND paid_until <= today LIMIT 10001) x;
    WHEN 'remind_renewals' THEN
        SELECT count(*) INTO n FROM (SELECT FROM public.subscriptions s WHERE s.renew_on BETWEEN today AND today + 30
            AND s.paid_until = s.renew_on AND s.state IN ('trialing', 'active', 'grace') LIMIT 10001) x;
    WHEN 'sweep_payments' THEN
        SELECT count(*) INTO n FROM (SELECT FROM public.payments WHERE next_check_at < at LIMIT 10001) x;
    WHEN 'sweep_domains' THEN
        SELECT count(*) INTO n FROM (SELECT FROM public.custom_domains WHERE next_check_at <= at LIMIT 10001) x;
    WHEN 'erase_accounts' THEN
        SELECT count(*) INTO n FROM (SELECT FROM public.franchisers
            WHERE erasure_requested_at <= at AND erased_at IS NULL LIMIT 10001) x;
    END CASE;
    RETURN n;
END $$;
-- +goose StatementEnd
ALTER FUNCTION support_due(text, timestamptz) OWNER TO franchise360_lookup;
REVOKE ALL ON FUNCTION support_due(text, timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION support_due(text, timestamptz) TO franchise360_api;

-- The key under which staff repeat a request, bound to what was asked for; kept 24 hours. answer is NULL until it is done.
CREATE TABLE support_requests (
    staff_id   uuid        NOT NULL REFERENCES staff,
    key        text        NOT NULL CHECK (char_length(key) BETWEEN 8 AND 128),
    request    bytea       NOT NULL CHECK (octet_length(request) = 32),
    answer     text,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (staff_id, key)
);
CREATE INDEX support_requests_age ON support_requests (created_at);
GRANT SELECT, INSERT, UPDATE, DELETE ON support_requests TO franchise360_api;
ALTER TABLE support_requests ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_requests ON support_requests TO franchise360_api
    USING (staff_id = (SELECT acting_staff())) WITH CHECK (staff_id = (SELECT acting_staff()));
CREATE POLICY old_ones ON support_requests FOR DELETE TO franchise360_api USING ((SELECT acting_staff()) IS NOT NULL);

-- Leave to look at an account for a while, changing nothing. The code of the consent is HMAC(key, id) cut to six digits,
-- so it is nowhere; the token of the browser is stored as SHA-256.
CREATE TABLE support_views (
    id              uuid        PRIMARY KEY,
    franchiser_ref  uuid        NOT NULL,
    staff_id        uuid        NOT NULL REFERENCES staff,
    session_id      uuid        NOT NULL REFERENCES staff_sessions, -- the view ends with the sign-in
    reason          text        NOT NULL CHECK (reason ~ '\S'),
    requested_at    timestamptz NOT NULL,
    code_expires_at timestamptz NOT NULL,
    tries           int         NOT NULL DEFAULT 0,
    token_hash      bytea       UNIQUE CHECK (octet_length(token_hash) = 32),
    begun_at        timestamptz,
    ends_at         timestamptz,
    ended_at        timestamptz,
    ended_by        text        CHECK (ended_by IN ('staff', 'customer', 'another')),
    CHECK ((begun_at IS NULL) = (token_hash IS NULL) AND (begun_at IS NULL) = (ends_at IS NULL)),
    CHECK ((ended_at IS NULL) = (ended_by IS NULL))
);
CREATE INDEX support_views_of_franchiser ON support_views (franchiser_ref, requested_at DESC);
CREATE INDEX support_views_of_staff ON support_views (staff_id);
CREATE INDEX support_views_of_session ON support_views (session_id);
GRANT SELECT, INSERT, UPDATE ON support_views TO franchise360_api;
GRANT SELECT ON support_views TO franchise360_worker, franchise360_lookup;
ALTER TABLE support_views ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_views ON support_views TO franchise360_api
    USING (staff_id = (SELECT acting_staff()) OR franchiser_ref = (SELECT current_franchiser()))
    WITH CHECK (staff_id = (SELECT acting_staff()) OR franchiser_ref = (SELECT current_franchiser()) AND ended_by = 'customer');
CREATE POLICY every_row ON support_views FOR SELECT TO franchise360_worker, franchise360_lookup USING (true);

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
ALTER FUNCTION find_staff_view(bytea, timestamptz) OWNER TO franchise360_lookup;
REVOKE ALL ON FUNCTION find_staff_view(bytea, timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION find_staff_view(bytea, timestamptz) TO franchise360_api;

-- One row an SMS that staff have sent to a customer.
CREATE TABLE support_messages (
    id             uuid        PRIMARY KEY,
    franchiser_ref uuid        NOT NULL,
    kind           text        NOT NULL CHECK (kind IN ('invoice_link', 'view_consent')),
    invoice_id     uuid,
    view_id        uuid        REFERENCES support_views,
    created_at     timestamptz NOT NULL,
    expires_at     timestamptz NOT NULL, -- never sent after
    sent_at        timestamptz,
    send_error     text,
    request_id     uuid        DEFAULT current_request(),
    FOREIGN KEY (franchiser_ref, invoice_id) REFERENCES invoices (franchiser_id, id),
    CHECK ((kind = 'invoice_link') = (invoice_id IS NOT NULL)),
    CHECK ((kind = 'view_consent') = (view_id IS NOT NULL))
);
CREATE INDEX support_messages_of_franchiser ON support_messages (franchiser_ref, created_at DESC);
CREATE INDEX support_messages_of_invoice ON support_messages (invoice_id) WHERE invoice_id IS NOT NULL;
CREATE INDEX support_messages_of_view ON support_messages (view_id) WHERE view_id IS NOT NULL;
GRANT SELECT, INSERT ON support_messages TO franchise360_api;
GRANT SELECT ON support_messages TO franchise360_worker;
GRANT UPDATE (sent_at, send_error) ON support_messages TO franchise360_worker;
ALTER TABLE support_messages ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON support_messages TO franchise360_api
    USING (franchiser_ref = (SELECT current_franchiser())) WITH CHECK (franchiser_ref = (SELECT current_franchiser()));
CREATE POLICY every_row ON support_messages TO franchise360_worker USING (true) WITH CHECK (true);

-- The newest decision about an address; every decision is a row of newsletter_consents. It belongs to the account that was signed
-- in, or to nobody: an e-mail is typed, not proved, so what anybody types neither tells of nor changes what an account decided.
CREATE TABLE newsletter_subscriptions (
    email          text        NOT NULL CHECK (email = lower(email) AND char_length(email) <= 254),
    subscribed     boolean     NOT NULL,
    updated_at     timestamptz NOT NULL,
    franchiser_ref uuid -- NULL: unconfirmed
);
CREATE UNIQUE INDEX newsletter_subscriptions_once ON newsletter_subscriptions (email, franchiser_ref) NULLS NOT DISTINCT;
CREATE INDEX newsletter_subscriptions_of ON newsletter_subscriptions (franchiser_ref) WHERE franchiser_ref IS NOT NULL;
GRANT SELECT ON newsletter_subscriptions TO franchise360_api;
GRANT SELECT, INSERT, UPDATE ON newsletter_subscriptions TO franchise360_lookup;
GRANT SELECT, INSERT, UPDATE, DELETE ON newsletter_subscriptions TO franchise360_worker;

-- Each decision about the newsletter, with the version of the text that it was given to; never changed.
CREATE TABLE newsletter_consents (
    id             uuid        PRIMARY KEY,
    email          text        NOT NULL,
    given          boolean     NOT NULL,                -- false: withdrawn
    text_version   text        NOT NULL DEFAULT '',     -- of the text beside the box; empty at a withdrawal
    decided_at     timestamptz NOT NULL,
    franchiser_ref uuid,
    CHECK (given = (text_version <> ''))
);
CREATE INDEX newsletter_consents_email ON newsletter_consents (email, decided_at);
CREATE INDEX newsletter_consents_of ON newsletter_consents (franchiser_ref) WHERE franchiser_ref IS NOT NULL;
GRANT SELECT ON newsletter_consents TO franchise360_api;
GRANT SELECT, INSERT, DELETE ON newsletter_consents TO franchise360_worker;
GRANT INSERT ON newsletter_consents TO franchise360_lookup;

ALTER TABLE newsletter_subscriptions ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON newsletter_subscriptions FOR SELECT TO franchise360_api USING (franchiser_ref = (SELECT current_franchiser()));
CREATE POLICY every_row ON newsletter_subscriptions TO franchise360_worker, franchise360_lookup USING (true) WITH CHECK (true);
ALTER TABLE newsletter_consents ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON newsletter_consents FOR SELECT TO franchise360_api USING (franchiser_ref = (SELECT current_franchiser()));
CREATE POLICY every_row ON newsletter_consents TO franchise360_worker, franchise360_lookup USING (true) WITH CHECK (true);

-- +goose StatementBegin
-- decide_newsletter keeps a decision for the franchiser of the transaction, or for nobody. A withdrawal of what was never given
-- writes nothing.
CREATE FUNCTION decide_newsletter(address text, yes boolean, consent uuid, version text, moment timestamptz) RETURNS void
    LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$
DECLARE
    owner uuid := public.current_franchiser();
BEGIN
    IF NOT yes AND NOT EXISTS (SELECT FROM public.newsletter_subscriptions s
            WHERE s.email = address AND s.franchiser_ref IS NOT DISTINCT FROM owner) THEN
        RETURN;
    END IF;
    INSERT INTO public.newsletter_subscriptions AS s (email, subscribed, updated_at, franchiser_ref) VALUES (address, yes, moment, owner)
    ON CONFLICT (email, franchiser_ref) DO UPDATE SET subscribed = excluded.subscribed, updated_at = excluded.updated_at;
    INSERT INTO public.newsletter_consents (id, email, given, text_version, decided_at, franchiser_ref)
    VALUES (consent, address, yes, version, moment, owner);
END $$;
-- +goose StatementEnd
ALTER FUNCTION decide_newsletter(text, boolean, uuid, text, timestamptz) OWNER TO franchise360_lookup;
REVOKE ALL ON FUNCTION decide_newsletter(text, boolean, uuid, text, timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION decide_newsletter(text, boolean, uuid, text, timestamptz) TO franchise360_api;

-- What visitors ask, and how far staff are with it. It belongs to no franchiser.
CREATE TABLE contact_requests (
    id              uuid        PRIMARY KEY,
    name            text        NOT NULL CHECK (char_length(name) BETWEEN 2 AND 40),
    email           text        NOT NULL,
    mobile          text        NOT NULL DEFAULT '' CHECK (mobile = '' OR mobile ~ '^[6-9][0-9]{9}$'),
    topic           text        NOT NULL CHECK (topic IN ('sales', 'support', 'billing', 'partnership', 'other')),
    message         text        NOT NULL CHECK (char_length(message) BETWEEN 10 AND 2000),
    consent_version text        NOT NULL CHECK (consent_version <> ''),
    consented_at    timestamptz NOT NULL,
    status          text        NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'in_progress', 'done')),
    created_at      timestamptz NOT NULL,
    updated_at      timestamptz NOT NULL,
    reply_note      text        NOT NULL DEFAULT '' CHECK (char_length(reply_note) <= 2000),
    handled_by      uuid        REFERENCES staff
);
CREATE INDEX contact_requests_list ON contact_requests (status, created_at DESC, id DESC);
CREATE INDEX contact_requests_newest ON contact_requests (created_at DESC, id DESC);
CREATE INDEX contact_requests_of_staff ON contact_requests (handled_by) WHERE handled_by IS NOT NULL;
-- Found again for the export and the erasure of a person's data, by the mobile or the e-mail that was typed.
CREATE INDEX contact_requests_mobile ON contact_requests (mobile) WHERE mobile <> '';
CREATE INDEX contact_requests_email ON contact_requests (email);
GRANT SELECT, INSERT, UPDATE ON contact_requests TO franchise360_api, franchise360_worker;
ALTER TABLE contact_requests ENABLE ROW LEVEL SECURITY;
CREATE POLICY anybody_writes ON contact_requests FOR INSERT TO franchise360_api WITH CHECK (status = 'open' AND handled_by IS NULL);
CREATE POLICY staff_read ON contact_requests FOR SELECT TO franchise360_api
    USING ((SELECT acting_staff()) IS NOT NULL
        OR mobile <> '' AND mobile = (SELECT f.mobile FROM franchisers f WHERE f.id = (SELECT current_franchiser())));
CREATE POLICY staff_move ON contact_requests FOR UPDATE TO franchise360_api
    USING ((SELECT acting_staff()) IS NOT NULL) WITH CHECK (handled_by = (SELECT acting_staff()));
CREATE POLICY every_row ON contact_requests TO franchise360_worker USING (true) WITH CHECK (true);

-- What crosses customers is for staff alone.

-- +goose StatementBegin
-- Whom staff mean by q, which is trimmed and in lower case; d is the ten digits or fewer that it may hold instead of a
-- text, without the country's code. It tells the franchiser (none for a sign-up that was never finished, or a job of
-- nobody's), what matched and whether it matched whole; everything else is read under that franchiser's row-level security.
-- Each kind gives at most eight.
CREATE FUNCTION support_search(q text, d text) RETURNS TABLE (franchiser_id uuid, kind text, label text, exact boolean)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
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
        WHERE j.id = CASE WHEN q ~ '^[0-9]{1,18}$' THEN q::bigint END) $$;

-- support_find_any is what the search finds, with whose it is: eight customers of one name are told apart by their numbers, and read
-- as payments are named. An erased one has neither name nor number.
CREATE FUNCTION support_find_any(q text, d text)
    RETURNS TABLE (franchiser_id uuid, kind text, label text, exact boolean, name text, mobile text)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$
    SELECT h.franchiser_id, h.kind, h.label, h.exact,
        CASE WHEN f.erased_at IS NULL THEN public.customer_name(a.legal_name, f.first_name, f.last_name, t.store_name) ELSE 'Erased account' END,
        CASE WHEN f.erased_at IS NULL THEN coalesce(f.mobile, '') ELSE '' END
    FROM public.support_search(q, d) WITH ORDINALITY AS h (franchiser_id, kind, label, exact, place)
        LEFT JOIN public.franchisers f ON f.id = h.franchiser_id
        LEFT JOIN public.business_addresses a ON a.franchiser_id = f.id
        LEFT JOIN public.tenants t ON t.franchiser_id = f.id AND t.closed_at IS NULL
    ORDER BY h.place $$;

CREATE FUNCTION support_find(q text, d text)
    RETURNS TABLE (franchiser_id uuid, kind text, label text, exact boolean, name text, mobile text)
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ BEGIN PERFORM public.require_staff(); RETURN QUERY SELECT * FROM public.support_find_any(q, d); END $$;

-- named_subjects names customers, payments and documents to staff, by targets of the trail such as payment:<id>. A customer without
-- any name is told by a masked mobile number; of an erased one staff read that it was erased.
CREATE FUNCTION named_subjects(targets text[]) RETURNS TABLE (subject text, name text)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
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
    SELECT 'invoice:' || i.id, i.number FROM wanted w JOIN public.invoices i ON i.id = w.id WHERE w.kind = 'invoice' $$;
-- +goose StatementEnd
GRANT SELECT (id, metadata) ON river_job TO franchise360_lookup; -- a job is found by its number
ALTER FUNCTION support_search(text, text) OWNER TO franchise360_lookup;
ALTER FUNCTION support_find_any(text, text) OWNER TO franchise360_lookup;
REVOKE ALL ON FUNCTION support_search(text, text), support_find_any(text, text) FROM PUBLIC;
ALTER FUNCTION support_find(text, text) OWNER TO franchise360_lookup;
REVOKE ALL ON FUNCTION support_find(text, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION support_find(text, text) TO franchise360_api;
ALTER FUNCTION named_subjects(text[]) OWNER TO franchise360_lookup;
REVOKE ALL ON FUNCTION named_subjects(text[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION named_subjects(text[]) TO franchise360_api;

-- +goose Down
DROP FUNCTION named_subjects(text[]), support_find(text, text), support_find_any(text, text), support_search(text, text);
REVOKE SELECT (id, metadata) ON river_job FROM franchise360_lookup;
DROP FUNCTION decide_newsletter(text, boolean, uuid, text, timestamptz), find_staff_view(bytea, timestamptz),
    support_due(text, timestamptz);
DROP TABLE contact_requests, newsletter_consents, newsletter_subscriptions, support_messages, support_views, support_requests;
REVOKE UPDATE ON river_queue FROM franchise360_api;
DROP TABLE job_schedules, worker_processes, job_operation_items, job_operations;
DROP TRIGGER keep_outcomes ON river_job;
DROP FUNCTION keep_job_outcomes();
DROP TABLE job_outcomes;
