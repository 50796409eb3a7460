-- Staff find a customer by the company's name, GSTIN and PAN, as bank statements and documents name it, and by words in any order.

-- +goose Up
GRANT SELECT (gstin) ON business_addresses TO franchise360_lookup;
-- +goose StatementBegin
-- words_of is the query for names with a word that begins with each word of q. It is empty, and matches nothing, for a q without words.
CREATE FUNCTION words_of(q text) RETURNS tsquery LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$ SELECT regexp_replace(plainto_tsquery('simple', q)::text, '''( &|$)', ''':*\1', 'g')::tsquery $$;
-- search_addresses finds customers by what their invoices name them by.
CREATE FUNCTION search_addresses(q text) RETURNS TABLE (franchiser_id uuid, kind text, label text, exact boolean)
    LANGUAGE sql STABLE AS $$
    (SELECT a.franchiser_id, 'legal_name', a.legal_name, lower(btrim(a.legal_name)) = q FROM public.business_addresses a
        WHERE a.legal_name <> '' AND to_tsvector('simple', a.legal_name) @@ public.words_of(q) LIMIT 8)
    UNION ALL (SELECT a.franchiser_id, 'gstin', a.gstin, lower(a.gstin) = q FROM public.business_addresses a
        WHERE length(q) >= 5 AND a.gstin <> '' AND lower(a.gstin) COLLATE "C" >= q AND lower(a.gstin) COLLATE "C" <= q || chr(1114111) LIMIT 8)
    UNION ALL (SELECT a.franchiser_id, 'pan', substr(a.gstin, 3, 10), lower(substr(a.gstin, 3, 10)) = q FROM public.business_addresses a
        WHERE length(q) >= 5 AND a.gstin <> '' AND lower(substr(a.gstin, 3, 10)) COLLATE "C" >= q
            AND lower(substr(a.gstin, 3, 10)) COLLATE "C" <= q || chr(1114111) LIMIT 8) $$;
-- search_names finds people by the words of their name in any order.
CREATE FUNCTION search_names(q text) RETURNS TABLE (franchiser_id uuid, kind text, label text, exact boolean)
    LANGUAGE sql STABLE AS $$
    (SELECT f.id, 'name', btrim(f.first_name || ' ' || f.last_name), false FROM public.franchisers f
        WHERE to_tsvector('simple', f.first_name || ' ' || f.last_name) @@ public.words_of(q) AND f.erased_at IS NULL LIMIT 8) $$;
CREATE OR REPLACE FUNCTION support_search(q text, d text) RETURNS TABLE (franchiser_id uuid, kind text, label text, exact boolean)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path TO pg_catalog, public
    AS $$
    SELECT s.franchiser_id, s.kind, s.label, s.exact FROM public.search_people(q, d) s
    UNION ALL SELECT s.franchiser_id, s.kind, s.label, s.exact FROM public.search_stores(q) s
    UNION ALL SELECT s.franchiser_id, s.kind, s.label, s.exact FROM public.search_addresses(q) s
    UNION ALL SELECT s.franchiser_id, s.kind, s.label, s.exact FROM public.search_names(q) s
    UNION ALL SELECT s.franchiser_id, s.kind, s.label, s.exact FROM public.search_payments(q) s
    UNION ALL SELECT s.franchiser_id, s.kind, s.label, s.exact FROM public.search_orders(q) s
    UNION ALL SELECT s.franchiser_id, s.kind, s.label, s.exact FROM public.search_documents(q) s
    UNION ALL SELECT s.franchiser_id, s.kind, s.label, s.exact FROM public.search_refunds(q) s
    UNION ALL SELECT s.franchiser_id, s.kind, s.label, s.exact FROM public.search_mandates(q) s
    UNION ALL SELECT s.franchiser_id, s.kind, s.label, s.exact FROM public.search_transfers(q) s
    UNION ALL SELECT s.franchiser_id, s.kind, s.label, s.exact FROM public.search_transfer_uses(q) s
    UNION ALL SELECT s.franchiser_id, s.kind, s.label, s.exact FROM public.search_acts(q) s
    UNION ALL SELECT s.franchiser_id, s.kind, s.label, s.exact FROM public.search_staff_actions(q) s
    UNION ALL SELECT s.franchiser_id, s.kind, s.label, s.exact FROM public.search_account_ids(q) s
    UNION ALL SELECT s.franchiser_id, s.kind, s.label, s.exact FROM public.search_store_ids(q) s
    UNION ALL SELECT s.franchiser_id, s.kind, s.label, s.exact FROM public.search_outlets(q) s
    UNION ALL SELECT s.franchiser_id, s.kind, s.label, s.exact FROM public.search_messages(q) s
    UNION ALL SELECT s.franchiser_id, s.kind, s.label, s.exact FROM public.search_webhooks(q) s
    UNION ALL SELECT s.franchiser_id, s.kind, s.label, s.exact FROM public.search_systems(q) s
    UNION ALL SELECT s.franchiser_id, s.kind, s.label, s.exact FROM public.search_contacts(q) s
    UNION ALL SELECT s.franchiser_id, s.kind, s.label, s.exact FROM public.search_sign_ups(d) s
    UNION ALL SELECT j.franchiser_id, 'job', j.id::text, true FROM public.find_job(q) j $$;
-- +goose StatementEnd
REVOKE ALL ON FUNCTION words_of(text), search_addresses(text), search_names(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION words_of(text), search_addresses(text), search_names(text) TO franchise360_lookup;

-- +goose Down
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION support_search(q text, d text) RETURNS TABLE (franchiser_id uuid, kind text, label text, exact boolean)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path TO pg_catalog, public
    AS $$
    SELECT s.franchiser_id, s.kind, s.label, s.exact FROM public.search_people(q, d) s
    UNION ALL SELECT s.franchiser_id, s.kind, s.label, s.exact FROM public.search_stores(q) s
    UNION ALL SELECT s.franchiser_id, s.kind, s.label, s.exact FROM public.search_payments(q) s
    UNION ALL SELECT s.franchiser_id, s.kind, s.label, s.exact FROM public.search_orders(q) s
    UNION ALL SELECT s.franchiser_id, s.kind, s.label, s.exact FROM public.search_documents(q) s
    UNION ALL SELECT s.franchiser_id, s.kind, s.label, s.exact FROM public.search_refunds(q) s
    UNION ALL SELECT s.franchiser_id, s.kind, s.label, s.exact FROM public.search_mandates(q) s
    UNION ALL SELECT s.franchiser_id, s.kind, s.label, s.exact FROM public.search_transfers(q) s
    UNION ALL SELECT s.franchiser_id, s.kind, s.label, s.exact FROM public.search_transfer_uses(q) s
    UNION ALL SELECT s.franchiser_id, s.kind, s.label, s.exact FROM public.search_acts(q) s
    UNION ALL SELECT s.franchiser_id, s.kind, s.label, s.exact FROM public.search_staff_actions(q) s
    UNION ALL SELECT s.franchiser_id, s.kind, s.label, s.exact FROM public.search_account_ids(q) s
    UNION ALL SELECT s.franchiser_id, s.kind, s.label, s.exact FROM public.search_store_ids(q) s
    UNION ALL SELECT s.franchiser_id, s.kind, s.label, s.exact FROM public.search_outlets(q) s
    UNION ALL SELECT s.franchiser_id, s.kind, s.label, s.exact FROM public.search_messages(q) s
    UNION ALL SELECT s.franchiser_id, s.kind, s.label, s.exact FROM public.search_webhooks(q) s
    UNION ALL SELECT s.franchiser_id, s.kind, s.label, s.exact FROM public.search_systems(q) s
    UNION ALL SELECT s.franchiser_id, s.kind, s.label, s.exact FROM public.search_contacts(q) s
    UNION ALL SELECT s.franchiser_id, s.kind, s.label, s.exact FROM public.search_sign_ups(d) s
    UNION ALL SELECT j.franchiser_id, 'job', j.id::text, true FROM public.find_job(q) j $$;
-- +goose StatementEnd
DROP FUNCTION search_names(text), search_addresses(text), words_of(text);
REVOKE SELECT (gstin) ON business_addresses FROM franchise360_lookup;
