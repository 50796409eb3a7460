-- Staff work on customers: idempotency keys, acts with approval, notes, tags, saved views, and search. The rows belong to the operator.
--
-- The search finds customers by every id and number on screens. Each owner has a function that finds its rows by an index.

-- +goose Up
-- +goose StatementBegin
SET LOCAL check_function_bodies = off;

-- Idempotency keys of staff requests, bound to the content; kept 24 hours. answer is NULL until completion.
CREATE TABLE support_requests (
    staff_id   uuid        NOT NULL REFERENCES staff,
    key        text        NOT NULL CHECK (char_length(key) BETWEEN 8 AND 128),
    request    bytea       NOT NULL CHECK (octet_length(request) = 32),
    answer     text,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (staff_id, key)
);
CREATE INDEX support_requests_age ON support_requests (created_at);
ALTER TABLE support_requests ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_requests ON support_requests TO franchise360_api
    USING (staff_id = (SELECT acting_staff())) WITH CHECK (staff_id = (SELECT acting_staff()));
CREATE POLICY old_ones ON support_requests FOR DELETE TO franchise360_api USING ((SELECT acting_staff()) IS NOT NULL);
GRANT SELECT, INSERT, UPDATE, DELETE ON support_requests TO franchise360_api;

-- Named filters of the console's lists, private or shared.
CREATE TABLE saved_views (
    id         uuid        PRIMARY KEY,
    staff_id   uuid        NOT NULL REFERENCES staff,
    list       text        NOT NULL CHECK (list IN ('jobs', 'contacts', 'audit')),
    name       text        NOT NULL CHECK (char_length(name) BETWEEN 1 AND 60),
    query      text        NOT NULL CHECK (char_length(query) <= 1000), -- URL query, without "?"
    shared     boolean     NOT NULL,
    created_at timestamptz NOT NULL
);
CREATE UNIQUE INDEX saved_views_once ON saved_views (staff_id, list, lower(name));
CREATE INDEX saved_views_shared ON saved_views (list) WHERE shared;
ALTER TABLE saved_views ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_and_shared ON saved_views FOR SELECT TO franchise360_api
    USING (staff_id = (SELECT acting_staff()) OR shared AND (SELECT acting_staff()) IS NOT NULL);
CREATE POLICY own_name ON saved_views FOR INSERT TO franchise360_api WITH CHECK (staff_id = (SELECT acting_staff()));
CREATE POLICY own_or_admin ON saved_views FOR UPDATE TO franchise360_api
    USING (staff_id = (SELECT acting_staff()) OR shared AND (SELECT acting_staff('admin')) IS NOT NULL);
CREATE POLICY own_or_admin_ends ON saved_views FOR DELETE TO franchise360_api
    USING (staff_id = (SELECT acting_staff()) OR shared AND (SELECT acting_staff('admin')) IS NOT NULL);
GRANT SELECT, INSERT, DELETE ON saved_views TO franchise360_api;
GRANT UPDATE (name, shared) ON saved_views TO franchise360_api;

CREATE FUNCTION keep_staff_act() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.erased_at IS NOT NULL AND OLD.erased_at IS NULL AND NEW.content = '{}' AND NEW.facts = '[]' AND NEW.state = OLD.state
        AND OLD.state NOT IN ('waiting', 'approved', 'scheduled') THEN
        OLD.content = NEW.content;
        OLD.facts = NEW.facts;
    END IF;
    IF (OLD.kind, OLD.subject, OLD.content, OLD.facts, OLD.amount_paise, OLD.requested_by, OLD.needs_approval)
            <> (NEW.kind, NEW.subject, NEW.content, NEW.facts, NEW.amount_paise, NEW.requested_by, NEW.needs_approval)
        OR OLD.franchiser_ref IS DISTINCT FROM NEW.franchiser_ref
        OR OLD.erased_at IS NOT NULL AND NEW.erased_at IS DISTINCT FROM OLD.erased_at
        OR OLD.decided_by IS NOT NULL AND NEW.decided_by IS DISTINCT FROM OLD.decided_by THEN
        RAISE EXCEPTION 'what was asked for or decided stays so' USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;

-- A staff act on customers. content is immutable after the request, so the approved act is the executed one. facts are the data shown to
-- staff. franchiser_ref names the customer and gives no access. The worker executes an approved act once.
CREATE TABLE staff_acts (
    id              uuid        PRIMARY KEY,
    kind            text        NOT NULL CHECK (kind IN ('short_payment', 'end_debit', 'correct_recipient', 'cancel_plan',
        'switch_plan', 'reset_authenticator', 'change_mobile', 'outage_grace', 'open_books')),
    franchiser_ref  uuid        REFERENCES franchisers, -- NULL for a bulk act
    subject         text        NOT NULL, -- lock key against concurrent acts
    content         jsonb       NOT NULL,
    facts           jsonb       NOT NULL,
    amount_paise    bigint      NOT NULL DEFAULT 0 CHECK (amount_paise >= 0),
    reason          text        NOT NULL CHECK (reason ~ '\S'),
    state           text        NOT NULL
        CHECK (state IN ('waiting', 'approved', 'scheduled', 'declined', 'withdrawn', 'done', 'failed', 'stopped')),
    needs_approval  boolean     NOT NULL,
    key             text        NOT NULL CHECK (char_length(key) BETWEEN 8 AND 128),
    requested_by    uuid        NOT NULL REFERENCES staff,
    requested_at    timestamptz NOT NULL,
    decided_by      uuid        REFERENCES staff,
    decided_at      timestamptz,
    decision_reason text        NOT NULL DEFAULT '',
    progress        text        NOT NULL DEFAULT '', -- progress of a bulk act: last customer
    handled         int         NOT NULL DEFAULT 0,
    outcome         text        NOT NULL DEFAULT '', -- result or failure
    finished_at     timestamptz,
    erased_at       timestamptz,
    UNIQUE (requested_by, key),
    CHECK (decided_by <> requested_by),
    CHECK ((decided_by IS NULL) = (decided_at IS NULL)),
    CHECK (NOT needs_approval OR state IN ('waiting', 'withdrawn') OR decided_by IS NOT NULL),
    CONSTRAINT staff_acts_finished CHECK ((state IN ('done', 'failed', 'stopped')) = (finished_at IS NOT NULL))
);
CREATE INDEX staff_acts_list ON staff_acts (requested_at DESC, id DESC);
CREATE INDEX staff_acts_of_franchiser ON staff_acts (franchiser_ref, requested_at DESC);
CREATE UNIQUE INDEX staff_acts_one_open ON staff_acts (subject) WHERE state IN ('waiting', 'approved', 'scheduled');
ALTER TABLE staff_acts ENABLE ROW LEVEL SECURITY;
CREATE POLICY staff_read ON staff_acts FOR SELECT TO franchise360_api USING ((SELECT acting_staff()) IS NOT NULL);
-- Members who are not admins need approval.
CREATE POLICY own_name ON staff_acts FOR INSERT TO franchise360_api
    WITH CHECK (requested_by = (SELECT acting_staff()) AND decided_by IS NULL
        AND state = CASE WHEN needs_approval THEN 'waiting' ELSE 'approved' END
        AND (needs_approval OR (SELECT acting_staff('admin')) IS NOT NULL));
CREATE POLICY another_decides ON staff_acts FOR UPDATE TO franchise360_api
    USING ((SELECT acting_staff()) IS NOT NULL)
    WITH CHECK (decided_by = (SELECT acting_staff('admin')) AND decided_by <> requested_by AND state IN ('approved', 'declined')
        OR requested_by = (SELECT acting_staff()) AND decided_by IS NULL AND state = 'withdrawn');
CREATE POLICY every_row ON staff_acts TO franchise360_worker USING (true) WITH CHECK (true);
CREATE POLICY staff_stop ON staff_acts FOR UPDATE TO franchise360_api
    USING (state = 'scheduled' AND (SELECT acting_staff()) IS NOT NULL)
    WITH CHECK (state = 'stopped' AND (SELECT acting_staff()) IS NOT NULL);
CREATE POLICY lookup ON staff_acts FOR SELECT TO franchise360_lookup USING (true);
CREATE TRIGGER first_states AFTER INSERT ON staff_acts FOR EACH ROW
    WHEN (current_user IN ('franchise360_api', 'franchise360_worker')) EXECUTE FUNCTION keep_to_first_states('waiting', 'approved');
CREATE TRIGGER keep_act BEFORE UPDATE ON staff_acts FOR EACH ROW EXECUTE FUNCTION keep_staff_act();
CREATE TRIGGER transitions BEFORE UPDATE OF state ON staff_acts FOR EACH ROW WHEN (OLD.state <> NEW.state)
    EXECUTE FUNCTION keep_to_transitions('waiting>approved', 'waiting>declined', 'waiting>withdrawn', 'approved>done', 'approved>failed',
        'approved>scheduled', 'scheduled>done', 'scheduled>failed', 'scheduled>stopped');
CREATE TRIGGER second_person BEFORE INSERT OR UPDATE OF decided_by ON staff_acts FOR EACH ROW
    WHEN (NEW.decided_by IS NOT NULL) EXECUTE FUNCTION require_second_person('requested_by', 'decided_by', 'decided_at');
ALTER TABLE staff_acts ENABLE ALWAYS TRIGGER first_states;
GRANT SELECT, INSERT ON staff_acts TO franchise360_api;
GRANT SELECT, UPDATE ON staff_acts TO franchise360_worker;
GRANT UPDATE (state, decided_by, decided_at, decision_reason, outcome, finished_at) ON staff_acts TO franchise360_api;
GRANT SELECT (id, franchiser_ref, kind) ON staff_acts TO franchise360_lookup;

-- A note is immutable, except for pin and deletion; an erasure deletes the text.
CREATE TABLE customer_notes (
    id             uuid        PRIMARY KEY,
    franchiser_ref uuid        NOT NULL REFERENCES franchisers,
    text           text        NOT NULL CHECK (text ~ '\S' AND char_length(text) <= 2000),
    pinned         boolean     NOT NULL,
    written_by     uuid        NOT NULL REFERENCES staff,
    created_at     timestamptz NOT NULL
);
CREATE INDEX customer_notes_of ON customer_notes (franchiser_ref, created_at DESC, id DESC);
ALTER TABLE customer_notes ENABLE ROW LEVEL SECURITY;
-- Customers read them in the data export.
CREATE POLICY staff_read ON customer_notes FOR SELECT TO franchise360_api
    USING ((SELECT acting_staff()) IS NOT NULL OR franchiser_ref = (SELECT current_franchiser()));
CREATE POLICY own_name ON customer_notes FOR INSERT TO franchise360_api
    WITH CHECK (written_by IN ((SELECT acting_staff('help')), (SELECT acting_staff('finance'))));
CREATE POLICY staff_pin ON customer_notes FOR UPDATE TO franchise360_api
    USING (coalesce((SELECT acting_staff('help')), (SELECT acting_staff('finance'))) IS NOT NULL);
CREATE POLICY own_or_admin_ends ON customer_notes FOR DELETE TO franchise360_api
    USING (written_by IN ((SELECT acting_staff('help')), (SELECT acting_staff('finance'))) OR (SELECT acting_staff('admin')) IS NOT NULL);
CREATE POLICY every_row ON customer_notes TO franchise360_worker USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, DELETE ON customer_notes TO franchise360_api;
GRANT SELECT, DELETE ON customer_notes TO franchise360_worker;
GRANT UPDATE (pinned) ON customer_notes TO franchise360_api;

-- Customer tags for search.
CREATE TABLE customer_tags (
    franchiser_ref uuid        NOT NULL REFERENCES franchisers,
    tag            text        NOT NULL CHECK (tag ~ '^[a-z0-9]+(-[a-z0-9]+)*$' AND char_length(tag) <= 24),
    tagged_by      uuid        NOT NULL REFERENCES staff,
    tagged_at      timestamptz NOT NULL,
    PRIMARY KEY (franchiser_ref, tag)
);
CREATE INDEX customer_tags_tag ON customer_tags (tag COLLATE "C");
ALTER TABLE customer_tags ENABLE ROW LEVEL SECURITY;
CREATE POLICY staff_read ON customer_tags FOR SELECT TO franchise360_api
    USING ((SELECT acting_staff()) IS NOT NULL OR franchiser_ref = (SELECT current_franchiser()));
CREATE POLICY own_name ON customer_tags FOR INSERT TO franchise360_api
    WITH CHECK (tagged_by IN ((SELECT acting_staff('help')), (SELECT acting_staff('finance'))));
CREATE POLICY staff_untag ON customer_tags FOR DELETE TO franchise360_api
    USING (coalesce((SELECT acting_staff('help')), (SELECT acting_staff('finance'))) IS NOT NULL);
CREATE POLICY every_row ON customer_tags TO franchise360_worker, franchise360_lookup USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, DELETE ON customer_tags TO franchise360_api;
GRANT SELECT, DELETE ON customer_tags TO franchise360_worker;
GRANT SELECT ON customer_tags TO franchise360_lookup;

-- Search results for q (trimmed, lower case) or d, its digits without country code, at most ten. It returns the franchiser (NULL for an
-- unfinished sign-up or a job without one), the match and whether it is exact. All other data is read under that franchiser's row-level
-- security. Each kind returns at most search_limit rows. A session plans each of the statements once: planning them takes ten times as
-- long as running them. The words of names are searched only after the indexes of whole names found fewer than the limit.
CREATE FUNCTION support_search(q text, d text) RETURNS TABLE (franchiser_id uuid, kind text, label text, exact boolean)
    LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 30 SET search_path TO pg_catalog, public SET plan_cache_mode TO force_generic_plan
    AS $$
DECLARE
    people uuid[] := '{}';
    companies uuid[] := '{}';
BEGIN
    FOR franchiser_id, kind, label, exact IN
        SELECT * FROM public.search_people(q, d) UNION ALL SELECT * FROM public.search_stores(q) UNION ALL SELECT * FROM public.search_addresses(q)
    LOOP
        IF kind = 'name' AND franchiser_id <> ALL (people) THEN
            people := people || franchiser_id;
        ELSIF kind = 'legal_name' THEN
            companies := companies || franchiser_id;
        END IF;
        RETURN NEXT;
    END LOOP;
    IF cardinality(companies) < public.search_limit() THEN
        RETURN QUERY SELECT * FROM public.search_legal_names(q) s WHERE s.franchiser_id <> ALL (companies);
    END IF;
    IF cardinality(people) < public.search_limit() THEN
        RETURN QUERY SELECT * FROM public.search_names(q) s WHERE s.franchiser_id <> ALL (people);
    END IF;
    RETURN QUERY SELECT * FROM public.search_payments(q)
        UNION ALL SELECT * FROM public.search_documents(q)
        UNION ALL SELECT * FROM public.search_refunds(q)
        UNION ALL SELECT * FROM public.search_mandates(q)
        UNION ALL SELECT * FROM public.search_transfers(q);
    IF public.id_in(q) IS NOT NULL THEN
        RETURN QUERY SELECT * FROM public.search_orders(q)
            UNION ALL SELECT * FROM public.search_transfer_uses(q)
            UNION ALL SELECT * FROM public.search_acts(q)
            UNION ALL SELECT * FROM public.search_staff_actions(q)
            UNION ALL SELECT * FROM public.search_account_ids(q)
            UNION ALL SELECT * FROM public.search_store_ids(q)
            UNION ALL SELECT * FROM public.search_outlets(q)
            UNION ALL SELECT * FROM public.search_messages(q)
            UNION ALL SELECT * FROM public.search_webhooks(q)
            UNION ALL SELECT * FROM public.search_systems(q)
            UNION ALL SELECT * FROM public.search_contacts(q);
    END IF;
    IF d <> '' THEN
        RETURN QUERY SELECT * FROM public.search_sign_ups(d) UNION ALL SELECT j.franchiser_id, 'job', j.id::text, true FROM public.find_job(q) j;
    END IF;
END $$;

-- support_find adds the customer's name and mobile to the search results, to distinguish equal names. Erased customers have neither.
CREATE FUNCTION support_find(q text, d text)
    RETURNS TABLE (franchiser_id uuid, kind text, label text, exact boolean, name text, mobile text)
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public SET plan_cache_mode TO force_generic_plan
    AS $$ BEGIN PERFORM public.require_staff();
    RETURN QUERY SELECT h.franchiser_id, h.kind, h.label, h.exact, coalesce(c.name, ''), coalesce(c.mobile, '')
        FROM public.support_search(q, d) WITH ORDINALITY AS h (franchiser_id, kind, label, exact, place)
            LEFT JOIN LATERAL public.named_customer(h.franchiser_id) c ON true
        ORDER BY h.place; END $$;

-- support_find_sounding finds names that sound like q; with near, names that differ by one letter per word.
CREATE FUNCTION support_find_sounding(q text, near boolean)
    RETURNS TABLE (franchiser_id uuid, kind text, label text, exact boolean, name text, mobile text)
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path TO pg_catalog, public SET plan_cache_mode TO force_generic_plan
    AS $$ BEGIN PERFORM public.require_staff();
    RETURN QUERY SELECT s.franchiser_id, 'sounds_like', s.label, false, coalesce(c.name, ''), coalesce(c.mobile, '')
        FROM (SELECT * FROM public.search_sounding_people(q, near) UNION ALL SELECT * FROM public.search_sounding_stores(q, near)
            UNION ALL SELECT * FROM public.search_sounding_addresses(q, near)) s
            LEFT JOIN LATERAL public.named_customer(s.franchiser_id) c ON true; END $$;

-- named_subjects returns names for trail targets such as payment:<id>, to staff. A customer without a name gets a masked mobile, an erased
-- one 'Erased account'.
CREATE FUNCTION named_subjects(targets text[])
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

-- alone_in_acts sums the paise that a member, with tied accounts, had executed without approval in a period.
CREATE FUNCTION alone_in_acts(who uuid, after timestamptz, before timestamptz) RETURNS bigint
    LANGUAGE sql STABLE SET search_path = pg_catalog, public AS $$
    SELECT coalesce(sum(amount_paise), 0)::bigint FROM public.staff_acts
    WHERE requested_by IN (SELECT one FROM public.staff_of_one_person(who, after) one) AND NOT needs_approval AND state IN ('approved', 'done')
        AND requested_at >= after AND requested_at < before $$;

-- support_tagged finds customers by a tag prefix, filtered by q in the name or d in the mobile.
CREATE FUNCTION support_tagged(wanted text, q text, d text)
    RETURNS TABLE (franchiser_id uuid, kind text, label text, exact boolean, name text, mobile text)
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ BEGIN PERFORM public.require_staff();
    RETURN QUERY SELECT t.franchiser_ref, 'tag', t.tag, t.tag = wanted, c.name, c.mobile
        FROM public.customer_tags t CROSS JOIN LATERAL public.named_customer(t.franchiser_ref) c
        WHERE t.tag COLLATE "C" >= wanted AND t.tag COLLATE "C" <= wanted || chr(1114111) AND NOT c.erased
            AND (q = '' OR position(q IN lower(c.name)) > 0 OR d <> '' AND position(d IN c.mobile) > 0)
        ORDER BY t.tag <> wanted, lower(c.name), t.franchiser_ref LIMIT 50; END $$;

-- customers_matching returns the customers that the filters select; an empty or NULL filter selects everybody. owing selects customers in
-- grace and those whose held payment is short. The planner inlines it.
CREATE FUNCTION customers_matching(wanted text, of_plan text, renews_from date, renews_to date, owing boolean, since timestamptz, tagged text)
    RETURNS TABLE (franchiser_id uuid, created_at timestamptz, state text, plan_id uuid, plan_type text, paid_until date)
    LANGUAGE sql STABLE
    AS $$
    SELECT f.franchiser_id, f.created_at, s.state, s.plan_id, s.plan_type, s.paid_until
    FROM public.sign_up_overview f LEFT JOIN public.subscription_overview s ON s.franchiser_id = f.franchiser_id
    WHERE (CASE wanted WHEN '' THEN true WHEN 'no plan' THEN s.franchiser_id IS NULL ELSE s.state = wanted END)
        AND (of_plan = '' OR s.plan_id = (SELECT p.id FROM public.plan_overview p WHERE p.name = of_plan))
        AND (renews_to IS NULL OR s.paid_until >= renews_from AND s.paid_until <= renews_to AND s.state IN ('trialing', 'active', 'grace'))
        AND (NOT owing OR s.state = 'grace' OR f.franchiser_id IN (SELECT p.franchiser_id FROM public.payment_overview p
            WHERE p.state = 'held' AND NOT p.surplus AND p.captured_paise < p.amount_paise))
        AND (since IS NULL OR f.created_at >= since)
        AND (tagged = '' OR f.franchiser_id IN (SELECT t.franchiser_ref FROM public.customer_tags t WHERE t.tag = tagged)) $$;

-- customers_for_staff returns a page of the customers that the filters select, with their number, up to 10,001. The newest come first, or
-- with by_renewal those whose plan is paid for the shortest time. A page begins after a customer (after_id, and after_on with by_renewal), or
-- passes over the given number. Custom plans leave out the filters that are not set.
CREATE FUNCTION customers_for_staff(wanted text, of_plan text, renews_from date, renews_to date, owing boolean, since timestamptz, tagged text,
        by_renewal boolean, after_on date, after_id uuid, most int, passing int)
    RETURNS TABLE (franchiser_id uuid, name text, person text, mobile text, created_at timestamptz, state text, plan text, plan_type text, renew_on date,
        payment_state text, payment_paise bigint, payment_at timestamptz, payment_transaction text, total bigint)
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public SET plan_cache_mode TO force_custom_plan
    AS $$ BEGIN PERFORM public.require_staff();
    RETURN QUERY SELECT m.franchiser_id, c.name, btrim(w.first_name || ' ' || w.last_name), c.mobile, m.created_at, coalesce(m.state, 'no plan'),
            coalesce(p.name, ''), coalesce(m.plan_type, ''), m.paid_until, coalesce(a.state, ''), coalesce(a.amount_paise, 0), a.created_at,
            coalesce(a.transaction_id, ''),
            (SELECT count(*) FROM (SELECT FROM public.customers_matching(wanted, of_plan, renews_from, renews_to, owing, since, tagged) LIMIT 10001) x)
        FROM (SELECT x.* FROM public.customers_matching(wanted, of_plan, renews_from, renews_to, owing, since, tagged) x
            WHERE (NOT by_renewal OR x.paid_until IS NOT NULL)
                AND (after_id IS NULL OR CASE WHEN by_renewal THEN (x.paid_until, x.franchiser_id) > (after_on, after_id) ELSE x.franchiser_id < after_id END)
            ORDER BY CASE WHEN by_renewal THEN x.paid_until END, CASE WHEN by_renewal THEN x.franchiser_id END, x.franchiser_id DESC
            LIMIT most OFFSET passing) m
            CROSS JOIN LATERAL public.named_customer(m.franchiser_id) c
            CROSS JOIN LATERAL public.person_of(m.franchiser_id) w
            LEFT JOIN public.plan_overview p ON p.id = m.plan_id
            LEFT JOIN LATERAL (SELECT q.* FROM public.payment_overview q WHERE q.franchiser_id = m.franchiser_id
                ORDER BY q.created_at DESC, q.id DESC LIMIT 1) a ON true
        ORDER BY CASE WHEN by_renewal THEN m.paid_until END, CASE WHEN by_renewal THEN m.franchiser_id END, m.franchiser_id DESC; END $$;

-- search_acts finds a staff act by id; a change of a lost mobile has the same id.
CREATE FUNCTION search_acts(q text) RETURNS TABLE (franchiser_id uuid, kind text, label text, exact boolean)
    LANGUAGE sql STABLE
    AS $$ SELECT a.franchiser_ref, 'act', replace(a.kind, '_', ' '), true FROM public.staff_acts a
        WHERE a.id = public.id_in(q) AND a.franchiser_ref IS NOT NULL $$;

-- Owner and callers of the functions above.
ALTER FUNCTION support_search(text, text) OWNER TO franchise360_lookup;
ALTER FUNCTION support_find(text, text) OWNER TO franchise360_lookup;
ALTER FUNCTION support_find_sounding(text, boolean) OWNER TO franchise360_lookup;
ALTER FUNCTION named_subjects(text[]) OWNER TO franchise360_lookup;
ALTER FUNCTION support_tagged(text, text, text) OWNER TO franchise360_lookup;
ALTER FUNCTION customers_for_staff(text, text, date, date, boolean, timestamptz, text, boolean, date, uuid, int, int) OWNER TO franchise360_lookup;
REVOKE ALL ON FUNCTION support_search(text, text), support_find(text, text), named_subjects(text[]),
    support_find_sounding(text, boolean), support_tagged(text, text, text), search_acts(text),
    customers_matching(text, text, date, date, boolean, timestamptz, text), customers_for_staff(text, text, date, date, boolean, timestamptz, text, boolean, date, uuid, int, int) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION support_find(text, text), support_find_sounding(text, boolean), named_subjects(text[]), support_tagged(text, text, text),
    customers_for_staff(text, text, date, date, boolean, timestamptz, text, boolean, date, uuid, int, int) TO franchise360_api;
GRANT EXECUTE ON FUNCTION search_acts(text), customers_matching(text, text, date, date, boolean, timestamptz, text) TO franchise360_lookup;
-- +goose StatementEnd
