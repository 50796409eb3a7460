-- Staff read of an erased customer that it was erased; what stands in place of its mobile is no mobile, and is shown nowhere.

-- +goose Up
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION named_payments(ids uuid[])
    RETURNS TABLE (payment_id uuid, name text, mobile text, transaction_id text, gateway text, paid_paise bigint, bought text)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
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
        OR (SELECT public.acting_staff()) IS NOT NULL) $$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION support_find_any(q text, d text)
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
-- +goose StatementEnd
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION named_subjects(targets text[]) RETURNS TABLE (subject text, name text)
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

-- +goose Down
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION named_payments(ids uuid[])
    RETURNS TABLE (payment_id uuid, name text, mobile text, transaction_id text, gateway text, paid_paise bigint, bought text)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$
    SELECT p.id, public.customer_name(a.legal_name, f.first_name, f.last_name, t.store_name),
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
CREATE OR REPLACE FUNCTION support_find_any(q text, d text)
    RETURNS TABLE (franchiser_id uuid, kind text, label text, exact boolean, name text, mobile text)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$
    SELECT h.franchiser_id, h.kind, h.label, h.exact, public.customer_name(a.legal_name, f.first_name, f.last_name, t.store_name), coalesce(f.mobile, '')
    FROM public.support_search(q, d) WITH ORDINALITY AS h (franchiser_id, kind, label, exact, place)
        LEFT JOIN public.franchisers f ON f.id = h.franchiser_id AND f.erased_at IS NULL
        LEFT JOIN public.business_addresses a ON a.franchiser_id = f.id
        LEFT JOIN public.tenants t ON t.franchiser_id = f.id AND t.closed_at IS NULL
    ORDER BY h.place $$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION named_subjects(targets text[]) RETURNS TABLE (subject text, name text)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$
    WITH wanted AS (
        SELECT split_part(t, ':', 1) AS kind, CASE WHEN t ~ '^(customer|payment|invoice):[0-9a-f-]{36}$' THEN split_part(t, ':', 2)::uuid END AS id
        FROM (SELECT DISTINCT t FROM unnest(targets) AS t) AS each
        WHERE (SELECT public.acting_staff()) IS NOT NULL
    )
    SELECT 'customer:' || f.id, coalesce(nullif(btrim(a.legal_name), ''), nullif(btrim(concat_ws(' ', f.first_name, f.last_name)), ''),
        nullif(t.store_name, ''), left(f.mobile, 2) || '••••' || right(f.mobile, 4), '')
    FROM wanted w JOIN public.franchisers f ON f.id = w.id
        LEFT JOIN public.business_addresses a ON a.franchiser_id = f.id
        LEFT JOIN public.tenants t ON t.franchiser_id = f.id AND t.closed_at IS NULL
    WHERE w.kind = 'customer'
    UNION ALL
    SELECT 'payment:' || p.id, p.transaction_id FROM wanted w JOIN public.payments p ON p.id = w.id WHERE w.kind = 'payment'
    UNION ALL
    SELECT 'invoice:' || i.id, i.number FROM wanted w JOIN public.invoices i ON i.id = w.id WHERE w.kind = 'invoice' $$;
-- +goose StatementEnd
