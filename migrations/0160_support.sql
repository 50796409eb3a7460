-- What staff do for a customer: repeated requests, and the search for customers. These rows are the operator's own.

-- +goose Up
-- The key under which staff repeat a request, bound to the request's content; kept 24 hours. answer is NULL until it is done.
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

-- What crosses customers is for staff alone.

-- +goose StatementBegin
-- The customers that match q, which is trimmed and in lower case; d is up to ten digits, without the country code, if q may be
-- a mobile. It returns the franchiser (none for an unfinished sign-up, or a job that concerns nobody), what
-- matched and whether it matched exactly; everything else is read under that franchiser's row-level security.
-- Each kind returns at most eight.
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

-- support_find_any adds the customer to each result: customers of the same name are told apart by their numbers, and named
-- as payments are. An erased one has neither name nor number.
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
-- a name is identified by a masked mobile number; of an erased one staff see that it was erased.
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
DROP TABLE support_requests;
