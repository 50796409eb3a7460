-- Staff read one name of a customer everywhere: what the search finds is named as payments are.

-- +goose Up
-- +goose StatementBegin
-- customer_name is the legal name, else the person's, else the store's; empty where there is none.
CREATE FUNCTION customer_name(legal text, first text, last text, store text) RETURNS text
    LANGUAGE sql IMMUTABLE
    AS $$
    SELECT coalesce(nullif(btrim(legal), ''), nullif(btrim(concat_ws(' ', first, last)), ''), nullif(store, ''), '') $$;
-- +goose StatementEnd
REVOKE ALL ON FUNCTION customer_name(text, text, text, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION customer_name(text, text, text, text) TO franchise360_lookup;
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

-- +goose Down
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
    WHERE p.id = ANY (ids) AND (p.franchiser_id = (SELECT public.current_franchiser()) OR (SELECT public.is_worker())
        OR (SELECT public.acting_staff()) IS NOT NULL) $$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION support_find_any(q text, d text)
    RETURNS TABLE (franchiser_id uuid, kind text, label text, exact boolean, name text, mobile text)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$
    SELECT h.franchiser_id, h.kind, h.label, h.exact, coalesce(btrim(f.first_name || ' ' || f.last_name), ''), coalesce(f.mobile, '')
    FROM public.support_search(q, d) WITH ORDINALITY AS h (franchiser_id, kind, label, exact, place)
        LEFT JOIN public.franchisers f ON f.id = h.franchiser_id AND f.erased_at IS NULL
    ORDER BY h.place $$;
-- +goose StatementEnd
DROP FUNCTION customer_name(text, text, text, text);
