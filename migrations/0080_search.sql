-- How staff find a customer: normalised columns in the order of bytes, so that what begins alike is one range of an
-- index. Ranges and equality are leakproof, so that row-level security leaves them their indexes; LIKE and trigrams are
-- not. A name is found by its first word and from its second on.

-- +goose Up
DROP FUNCTION support_search(text);
DROP INDEX custom_domains_search, tenants_search_name, franchisers_search_name, franchisers_search_mobile, franchisers_search_email;
DROP INDEX payments_search_gateway;

ALTER TABLE franchisers
    ADD COLUMN search_name text COLLATE "C" NOT NULL GENERATED ALWAYS AS (lower(btrim(first_name || ' ' || last_name))) STORED,
    ADD COLUMN search_rest text COLLATE "C" NOT NULL
        GENERATED ALWAYS AS (regexp_replace(lower(btrim(first_name || ' ' || last_name)), '^\S+\s*', '')) STORED;
CREATE INDEX franchisers_search_mobile ON franchisers (mobile COLLATE "C") WHERE erased_at IS NULL;
CREATE INDEX franchisers_search_email ON franchisers (email COLLATE "C") WHERE erased_at IS NULL;
CREATE INDEX franchisers_search_name ON franchisers (search_name) WHERE erased_at IS NULL AND search_name <> '';
CREATE INDEX franchisers_search_rest ON franchisers (search_rest) WHERE erased_at IS NULL AND search_rest <> '';

ALTER TABLE tenants
    ADD COLUMN search_name text COLLATE "C" NOT NULL GENERATED ALWAYS AS (lower(btrim(store_name))) STORED,
    ADD COLUMN search_rest text COLLATE "C" NOT NULL
        GENERATED ALWAYS AS (regexp_replace(lower(btrim(store_name)), '^\S+\s*', '')) STORED;
CREATE INDEX tenants_search_name ON tenants (search_name) WHERE closed_at IS NULL;
CREATE INDEX tenants_search_rest ON tenants (search_rest) WHERE closed_at IS NULL AND search_rest <> '';
CREATE INDEX tenants_search_slug ON tenants (slug COLLATE "C") WHERE closed_at IS NULL;
CREATE INDEX custom_domains_search ON custom_domains (domain COLLATE "C");

ALTER TABLE payments
    ADD COLUMN search_transaction text COLLATE "C" NOT NULL GENERATED ALWAYS AS (lower(transaction_id)) STORED,
    ADD COLUMN search_gateway text COLLATE "C" GENERATED ALWAYS AS (lower(gateway_payment_id)) STORED,
    ADD COLUMN search_reference text COLLATE "C" GENERATED ALWAYS AS (lower(gateway_reference)) STORED;
CREATE INDEX payments_search_transaction ON payments (search_transaction);
CREATE INDEX payments_search_gateway ON payments (search_gateway) WHERE search_gateway IS NOT NULL;
CREATE INDEX payments_search_reference ON payments (search_reference) WHERE search_reference IS NOT NULL;
CREATE INDEX invoices_search_number ON invoices (number COLLATE "C");

GRANT SELECT (store_name, search_name, search_rest) ON tenants TO franchise360_lookup;
GRANT SELECT (search_transaction, search_gateway, search_reference) ON payments TO franchise360_lookup;
GRANT SELECT (mobile, created_at) ON one_time_codes TO franchise360_lookup;
GRANT SELECT (id, metadata) ON river_job TO franchise360_lookup;

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
-- +goose StatementEnd
ALTER FUNCTION support_search(text, text) OWNER TO franchise360_lookup;
REVOKE ALL ON FUNCTION support_search(text, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION support_search(text, text) TO franchise360_api;

-- +goose Down
DROP FUNCTION support_search(text, text);
REVOKE SELECT (mobile, created_at) ON one_time_codes FROM franchise360_lookup;
DROP INDEX invoices_search_number, custom_domains_search, tenants_search_slug;
ALTER TABLE payments DROP COLUMN search_reference, DROP COLUMN search_gateway, DROP COLUMN search_transaction;
ALTER TABLE tenants DROP COLUMN search_rest, DROP COLUMN search_name;
DROP INDEX franchisers_search_email, franchisers_search_mobile;
ALTER TABLE franchisers DROP COLUMN search_rest, DROP COLUMN search_name;
CREATE INDEX franchisers_search_email ON franchisers (email text_pattern_ops);
CREATE INDEX franchisers_search_mobile ON franchisers (mobile text_pattern_ops);
CREATE INDEX franchisers_search_name ON franchisers (lower(first_name || ' ' || last_name) text_pattern_ops);
CREATE INDEX tenants_search_name ON tenants (lower(store_name) text_pattern_ops);
CREATE INDEX custom_domains_search ON custom_domains (domain text_pattern_ops);
CREATE INDEX payments_search_gateway ON payments (gateway_payment_id) WHERE gateway_payment_id IS NOT NULL;
-- +goose StatementBegin
CREATE FUNCTION support_search(q text) RETURNS TABLE (franchiser_id uuid, kind text, label text, exact boolean)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT f.id, 'mobile', f.mobile, true FROM public.franchisers f WHERE f.mobile = q AND f.erased_at IS NULL $$;
-- +goose StatementEnd
ALTER FUNCTION support_search(text) OWNER TO franchise360_lookup;
REVOKE ALL ON FUNCTION support_search(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION support_search(text) TO franchise360_api;
