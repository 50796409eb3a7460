-- The page of all results lists more of each kind than the search box.

-- +goose Up
-- +goose StatementBegin
-- search_limit is how many customers a search finds of a kind: 8, unless the transaction sets app.search_limit.
CREATE FUNCTION search_limit() RETURNS integer LANGUAGE sql STABLE PARALLEL SAFE
    AS $$ SELECT coalesce(nullif(current_setting('app.search_limit', true), ''), '8')::integer $$;
CREATE OR REPLACE FUNCTION search_people(q text, d text) RETURNS TABLE (franchiser_id uuid, kind text, label text, exact boolean) LANGUAGE sql STABLE AS $$
    (SELECT f.id, 'mobile', f.mobile, f.mobile = d FROM public.franchisers f
        WHERE d <> '' AND f.mobile COLLATE "C" >= d AND f.mobile COLLATE "C" <= d || chr(1114111) AND f.erased_at IS NULL
        ORDER BY f.mobile COLLATE "C" LIMIT (SELECT public.search_limit()))
    UNION ALL (SELECT f.id, 'mobile', f.mobile, false FROM public.franchisers f
        WHERE length(d) BETWEEN 4 AND 9 AND reverse(f.mobile) COLLATE "C" >= reverse(d)
            AND reverse(f.mobile) COLLATE "C" <= reverse(d) || chr(1114111) AND f.erased_at IS NULL
        ORDER BY reverse(f.mobile) COLLATE "C" LIMIT (SELECT public.search_limit()))
    UNION ALL (SELECT f.id, 'customer', f.id::text, true FROM public.franchisers f WHERE f.id = public.id_in(q))
    UNION ALL (SELECT f.id, 'email', f.email, f.email = q FROM public.franchisers f
        WHERE f.email COLLATE "C" >= q AND f.email COLLATE "C" <= q || chr(1114111) AND f.erased_at IS NULL
        ORDER BY f.email COLLATE "C" LIMIT (SELECT public.search_limit()))
    UNION ALL (SELECT f.id, 'name', btrim(f.first_name || ' ' || f.last_name), f.search_name = q FROM public.franchisers f
        WHERE f.search_name >= q AND f.search_name <= q || chr(1114111) AND f.search_name <> '' AND f.erased_at IS NULL
        ORDER BY f.search_name LIMIT (SELECT public.search_limit()))
    UNION ALL (SELECT f.id, 'name', btrim(f.first_name || ' ' || f.last_name), false FROM public.franchisers f
        WHERE f.search_rest >= q AND f.search_rest <= q || chr(1114111) AND f.search_rest <> '' AND f.erased_at IS NULL
        ORDER BY f.search_rest LIMIT (SELECT public.search_limit()))  $$;
CREATE OR REPLACE FUNCTION search_names(q text) RETURNS TABLE (franchiser_id uuid, kind text, label text, exact boolean) LANGUAGE sql STABLE AS $$
    (SELECT f.id, 'name', btrim(f.first_name || ' ' || f.last_name), false FROM public.franchisers f
        WHERE to_tsvector('simple', f.first_name || ' ' || f.last_name) @@ public.words_of(q) AND f.erased_at IS NULL LIMIT (SELECT public.search_limit()))  $$;
CREATE OR REPLACE FUNCTION search_stores(q text) RETURNS TABLE (franchiser_id uuid, kind text, label text, exact boolean) LANGUAGE sql STABLE AS $$
    (SELECT t.franchiser_id, 'store', t.store_name, t.search_name = q FROM public.tenants t
        WHERE t.search_name >= q AND t.search_name <= q || chr(1114111) AND t.closed_at IS NULL
        ORDER BY t.search_name LIMIT (SELECT public.search_limit()))
    UNION ALL (SELECT t.franchiser_id, 'store', t.store_name, false FROM public.tenants t
        WHERE t.search_rest >= q AND t.search_rest <= q || chr(1114111) AND t.search_rest <> '' AND t.closed_at IS NULL
        ORDER BY t.search_rest LIMIT (SELECT public.search_limit()))
    UNION ALL (SELECT t.franchiser_id, 'domain', t.slug, t.slug = q FROM public.tenants t
        WHERE t.slug COLLATE "C" >= q AND t.slug COLLATE "C" <= q || chr(1114111) AND t.closed_at IS NULL
        ORDER BY t.slug COLLATE "C" LIMIT (SELECT public.search_limit()))
    UNION ALL (SELECT t.franchiser_id, 'domain', t.slug, true FROM public.tenants t
        WHERE position('.' IN q) > 0 AND position('@' IN q) = 0 AND t.slug = split_part(q, '.', 1) AND t.closed_at IS NULL)
    UNION ALL (SELECT c.franchiser_id, 'domain', c.domain, c.domain = q FROM public.custom_domains c
        WHERE c.domain COLLATE "C" >= q AND c.domain COLLATE "C" <= q || chr(1114111)
        ORDER BY c.domain COLLATE "C" LIMIT (SELECT public.search_limit()))  $$;
CREATE OR REPLACE FUNCTION search_addresses(q text) RETURNS TABLE (franchiser_id uuid, kind text, label text, exact boolean) LANGUAGE sql STABLE AS $$
    (SELECT a.franchiser_id, 'legal_name', a.legal_name, lower(btrim(a.legal_name)) = q FROM public.business_addresses a
        WHERE a.legal_name <> '' AND to_tsvector('simple', a.legal_name) @@ public.words_of(q) LIMIT (SELECT public.search_limit()))
    UNION ALL (SELECT a.franchiser_id, 'gstin', a.gstin, lower(a.gstin) = q FROM public.business_addresses a
        WHERE length(q) >= 5 AND a.gstin <> '' AND lower(a.gstin) COLLATE "C" >= q AND lower(a.gstin) COLLATE "C" <= q || chr(1114111) LIMIT (SELECT public.search_limit()))
    UNION ALL (SELECT a.franchiser_id, 'pan', substr(a.gstin, 3, 10), lower(substr(a.gstin, 3, 10)) = q FROM public.business_addresses a
        WHERE length(q) >= 5 AND a.gstin <> '' AND lower(substr(a.gstin, 3, 10)) COLLATE "C" >= q
            AND lower(substr(a.gstin, 3, 10)) COLLATE "C" <= q || chr(1114111) LIMIT (SELECT public.search_limit()))  $$;
-- +goose StatementEnd
REVOKE ALL ON FUNCTION search_limit() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION search_limit() TO franchise360_lookup;

-- +goose Down
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION search_people(q text, d text) RETURNS TABLE (franchiser_id uuid, kind text, label text, exact boolean) LANGUAGE sql STABLE AS $$
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
        ORDER BY f.search_rest LIMIT 8)  $$;
CREATE OR REPLACE FUNCTION search_names(q text) RETURNS TABLE (franchiser_id uuid, kind text, label text, exact boolean) LANGUAGE sql STABLE AS $$
    (SELECT f.id, 'name', btrim(f.first_name || ' ' || f.last_name), false FROM public.franchisers f
        WHERE to_tsvector('simple', f.first_name || ' ' || f.last_name) @@ public.words_of(q) AND f.erased_at IS NULL LIMIT 8)  $$;
CREATE OR REPLACE FUNCTION search_stores(q text) RETURNS TABLE (franchiser_id uuid, kind text, label text, exact boolean) LANGUAGE sql STABLE AS $$
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
        ORDER BY c.domain COLLATE "C" LIMIT 8)  $$;
CREATE OR REPLACE FUNCTION search_addresses(q text) RETURNS TABLE (franchiser_id uuid, kind text, label text, exact boolean) LANGUAGE sql STABLE AS $$
    (SELECT a.franchiser_id, 'legal_name', a.legal_name, lower(btrim(a.legal_name)) = q FROM public.business_addresses a
        WHERE a.legal_name <> '' AND to_tsvector('simple', a.legal_name) @@ public.words_of(q) LIMIT 8)
    UNION ALL (SELECT a.franchiser_id, 'gstin', a.gstin, lower(a.gstin) = q FROM public.business_addresses a
        WHERE length(q) >= 5 AND a.gstin <> '' AND lower(a.gstin) COLLATE "C" >= q AND lower(a.gstin) COLLATE "C" <= q || chr(1114111) LIMIT 8)
    UNION ALL (SELECT a.franchiser_id, 'pan', substr(a.gstin, 3, 10), lower(substr(a.gstin, 3, 10)) = q FROM public.business_addresses a
        WHERE length(q) >= 5 AND a.gstin <> '' AND lower(substr(a.gstin, 3, 10)) COLLATE "C" >= q
            AND lower(substr(a.gstin, 3, 10)) COLLATE "C" <= q || chr(1114111) LIMIT 8)  $$;
-- +goose StatementEnd
DROP FUNCTION search_limit();
