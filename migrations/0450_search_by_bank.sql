-- +goose Up
-- What callers read out of their bank's message finds the payment: in lower case, letters and digits only.
ALTER TABLE payments ADD COLUMN bank_reference text COLLATE "C" NOT NULL DEFAULT '' CHECK (bank_reference ~ '^[0-9a-z]{0,50}$');
CREATE INDEX payments_search_bank ON payments (bank_reference) WHERE bank_reference <> '';
CREATE INDEX franchisers_search_mobile_end ON franchisers (reverse(mobile) COLLATE "C") WHERE erased_at IS NULL;
GRANT SELECT (bank_reference) ON payments, refunds TO franchise360_lookup;

-- +goose StatementBegin
-- id_in is the UUID that a text is, if it is one.
CREATE FUNCTION id_in(q text) RETURNS uuid LANGUAGE sql IMMUTABLE
    AS $$ SELECT CASE WHEN q ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN q::uuid END $$;

CREATE OR REPLACE FUNCTION search_people(q text, d text) RETURNS TABLE (franchiser_id uuid, kind text, label text, exact boolean)
    LANGUAGE sql STABLE AS $$
    (SELECT f.id, 'mobile', f.mobile, f.mobile = d FROM public.franchisers f
        WHERE d <> '' AND f.mobile COLLATE "C" >= d AND f.mobile COLLATE "C" <= d || chr(1114111) AND f.erased_at IS NULL
        ORDER BY f.mobile COLLATE "C" LIMIT 8)
    UNION ALL (SELECT f.id, 'mobile', f.mobile, false FROM public.franchisers f
        WHERE length(d) BETWEEN 4 AND 9 AND reverse(f.mobile) COLLATE "C" >= reverse(d)
            AND reverse(f.mobile) COLLATE "C" <= reverse(d) || chr(1114111) AND f.erased_at IS NULL
        ORDER BY reverse(f.mobile) COLLATE "C" LIMIT 8)
    UNION ALL (SELECT f.id, 'customer', f.id::text, true FROM public.franchisers f WHERE f.id = public.id_in(q))
    UNION ALL (SELECT f.id, 'email', f.email, f.email = q FROM public.franchisers f
        WHERE f.email COLLATE "C" >= q AND f.email COLLATE "C" <= q || chr(1114111) AND f.erased_at IS NULL
        ORDER BY f.email COLLATE "C" LIMIT 8)
    UNION ALL (SELECT f.id, 'name', btrim(f.first_name || ' ' || f.last_name), f.search_name = q FROM public.franchisers f
        WHERE f.search_name >= q AND f.search_name <= q || chr(1114111) AND f.search_name <> '' AND f.erased_at IS NULL
        ORDER BY f.search_name LIMIT 8)
    UNION ALL (SELECT f.id, 'name', btrim(f.first_name || ' ' || f.last_name), false FROM public.franchisers f
        WHERE f.search_rest >= q AND f.search_rest <= q || chr(1114111) AND f.search_rest <> '' AND f.erased_at IS NULL
        ORDER BY f.search_rest LIMIT 8) $$;

CREATE OR REPLACE FUNCTION search_payments(q text) RETURNS TABLE (franchiser_id uuid, kind text, label text, exact boolean)
    LANGUAGE sql STABLE AS $$
    (SELECT p.franchiser_id, 'transaction', p.transaction_id, p.search_transaction = q FROM public.payments p
        WHERE length(q) >= 6 AND p.search_transaction >= q AND p.search_transaction <= q || chr(1114111)
        ORDER BY p.search_transaction LIMIT 8)
    UNION ALL (SELECT p.franchiser_id, 'payment', p.transaction_id, true FROM public.payments p WHERE p.id = public.id_in(q))
    UNION ALL (SELECT p.franchiser_id, 'bank_reference', upper(p.bank_reference), true FROM public.payments p
        WHERE length(q) >= 6 AND p.bank_reference <> '' AND p.bank_reference = translate(q, ' -/', '') LIMIT 8)
    UNION ALL (SELECT r.franchiser_id, 'bank_reference', r.bank_reference, true FROM public.refunds r
        WHERE length(q) >= 6 AND r.bank_reference <> '' AND translate(r.bank_reference, '-/', '') = upper(translate(q, ' -/', '')) LIMIT 8)
    UNION ALL (SELECT p.franchiser_id, 'gateway_payment', p.gateway_payment_id, p.search_gateway = q FROM public.payments p
        WHERE length(q) >= 5 AND p.search_gateway >= q AND p.search_gateway <= q || chr(1114111)
        ORDER BY p.search_gateway LIMIT 8)
    UNION ALL (SELECT p.franchiser_id, 'gateway_payment', p.gateway_reference, p.search_reference = q FROM public.payments p
        WHERE length(q) >= 5 AND p.search_reference >= q AND p.search_reference <= q || chr(1114111)
        ORDER BY p.search_reference LIMIT 8) $$;

CREATE OR REPLACE FUNCTION search_documents(q text) RETURNS TABLE (franchiser_id uuid, kind text, label text, exact boolean)
    LANGUAGE sql STABLE AS $$
    (SELECT i.franchiser_id, 'invoice', i.number, i.number = upper(q) FROM public.invoices i
        WHERE length(q) >= 5 AND i.number COLLATE "C" >= upper(q) AND i.number COLLATE "C" <= upper(q) || chr(1114111)
        ORDER BY i.number COLLATE "C" LIMIT 8)
    UNION ALL (SELECT i.franchiser_id, 'invoice', i.number, true FROM public.invoices i WHERE i.id = public.id_in(q)) $$;

-- search_orders finds an order by its id.
CREATE FUNCTION search_orders(q text) RETURNS TABLE (franchiser_id uuid, kind text, label text, exact boolean)
    LANGUAGE sql STABLE AS $$ SELECT o.franchiser_id, 'order', o.id::text, true FROM public.orders o WHERE o.id = public.id_in(q) $$;

CREATE OR REPLACE FUNCTION support_search(q text, d text) RETURNS TABLE (franchiser_id uuid, kind text, label text, exact boolean)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public AS $$
    SELECT s.franchiser_id, s.kind, s.label, s.exact FROM public.search_people(q, d) s
    UNION ALL SELECT s.franchiser_id, s.kind, s.label, s.exact FROM public.search_stores(q) s
    UNION ALL SELECT s.franchiser_id, s.kind, s.label, s.exact FROM public.search_payments(q) s
    UNION ALL SELECT s.franchiser_id, s.kind, s.label, s.exact FROM public.search_orders(q) s
    UNION ALL SELECT s.franchiser_id, s.kind, s.label, s.exact FROM public.search_documents(q) s
    UNION ALL SELECT s.franchiser_id, s.kind, s.label, s.exact FROM public.search_sign_ups(d) s
    UNION ALL SELECT j.franchiser_id, 'job', j.id::text, true FROM public.find_job(q) j $$;
-- +goose StatementEnd
REVOKE ALL ON FUNCTION search_orders(text), id_in(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION search_orders(text), id_in(text) TO franchise360_lookup;

-- +goose Down
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION support_search(q text, d text) RETURNS TABLE (franchiser_id uuid, kind text, label text, exact boolean)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public AS $$
    SELECT s.franchiser_id, s.kind, s.label, s.exact FROM public.search_people(q, d) s
    UNION ALL SELECT s.franchiser_id, s.kind, s.label, s.exact FROM public.search_stores(q) s
    UNION ALL SELECT s.franchiser_id, s.kind, s.label, s.exact FROM public.search_payments(q) s
    UNION ALL SELECT s.franchiser_id, s.kind, s.label, s.exact FROM public.search_documents(q) s
    UNION ALL SELECT s.franchiser_id, s.kind, s.label, s.exact FROM public.search_sign_ups(d) s
    UNION ALL SELECT j.franchiser_id, 'job', j.id::text, true FROM public.find_job(q) j $$;

CREATE OR REPLACE FUNCTION search_documents(q text) RETURNS TABLE (franchiser_id uuid, kind text, label text, exact boolean)
    LANGUAGE sql STABLE AS $$
    SELECT i.franchiser_id, 'invoice', i.number, i.number = upper(q) FROM public.invoices i
        WHERE length(q) >= 5 AND i.number COLLATE "C" >= upper(q) AND i.number COLLATE "C" <= upper(q) || chr(1114111)
        ORDER BY i.number COLLATE "C" LIMIT 8 $$;

CREATE OR REPLACE FUNCTION search_payments(q text) RETURNS TABLE (franchiser_id uuid, kind text, label text, exact boolean)
    LANGUAGE sql STABLE AS $$
    (SELECT p.franchiser_id, 'transaction', p.transaction_id, p.search_transaction = q FROM public.payments p
        WHERE length(q) >= 6 AND p.search_transaction >= q AND p.search_transaction <= q || chr(1114111)
        ORDER BY p.search_transaction LIMIT 8)
    UNION ALL (SELECT p.franchiser_id, 'gateway_payment', p.gateway_payment_id, p.search_gateway = q FROM public.payments p
        WHERE length(q) >= 5 AND p.search_gateway >= q AND p.search_gateway <= q || chr(1114111)
        ORDER BY p.search_gateway LIMIT 8)
    UNION ALL (SELECT p.franchiser_id, 'gateway_payment', p.gateway_reference, p.search_reference = q FROM public.payments p
        WHERE length(q) >= 5 AND p.search_reference >= q AND p.search_reference <= q || chr(1114111)
        ORDER BY p.search_reference LIMIT 8) $$;

CREATE OR REPLACE FUNCTION search_people(q text, d text) RETURNS TABLE (franchiser_id uuid, kind text, label text, exact boolean)
    LANGUAGE sql STABLE AS $$
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
-- +goose StatementEnd
DROP FUNCTION search_orders(text), id_in(text);
REVOKE SELECT (bank_reference) ON payments, refunds FROM franchise360_lookup;
DROP INDEX franchisers_search_mobile_end, payments_search_bank;
ALTER TABLE payments DROP COLUMN bank_reference;
