-- The search finds what staff asked for by its id, and a customer by the id of a request of staff's, as screens and files show them.

-- +goose Up
GRANT SELECT (id, franchiser_ref, kind) ON staff_acts TO franchise360_lookup;
CREATE POLICY lookup ON staff_acts FOR SELECT TO franchise360_lookup USING (true);
GRANT SELECT (id) ON bank_credit_uses TO franchise360_lookup;
CREATE INDEX staff_actions_search_request ON staff_actions (request_id) WHERE request_id IS NOT NULL AND franchiser_ref IS NOT NULL;
-- +goose StatementBegin
-- search_acts finds an act of staff for a customer, which the change of a lost mobile shares its id with.
CREATE FUNCTION search_acts(q text) RETURNS TABLE (franchiser_id uuid, kind text, label text, exact boolean)
    LANGUAGE sql STABLE
    AS $$ SELECT a.franchiser_ref, 'act', replace(a.kind, '_', ' '), true FROM public.staff_acts a
        WHERE a.id = public.id_in(q) AND a.franchiser_ref IS NOT NULL $$;
-- search_staff_actions finds whom a request of staff's was about.
CREATE FUNCTION search_staff_actions(q text) RETURNS TABLE (franchiser_id uuid, kind text, label text, exact boolean)
    LANGUAGE sql STABLE
    AS $$ SELECT a.franchiser_ref, 'request', a.request_id::text, true FROM public.staff_actions a
        WHERE a.request_id = public.id_in(q) AND a.franchiser_ref IS NOT NULL LIMIT 8 $$;
-- search_transfer_uses finds a use of a transfer that came in by its id.
CREATE FUNCTION search_transfer_uses(q text) RETURNS TABLE (franchiser_id uuid, kind text, label text, exact boolean)
    LANGUAGE sql STABLE
    AS $$ SELECT u.franchiser_ref, 'bank_use', u.id::text, true FROM public.bank_credit_uses u
        WHERE u.id = public.id_in(q) AND u.franchiser_ref IS NOT NULL $$;
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
REVOKE ALL ON FUNCTION search_acts(text), search_staff_actions(text), search_transfer_uses(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION search_acts(text), search_staff_actions(text), search_transfer_uses(text) TO franchise360_lookup;

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
DROP FUNCTION search_acts(text), search_staff_actions(text), search_transfer_uses(text);
DROP INDEX staff_actions_search_request;
REVOKE SELECT (id) ON bank_credit_uses FROM franchise360_lookup;
DROP POLICY lookup ON staff_acts;
REVOKE SELECT (id, franchiser_ref, kind) ON staff_acts FROM franchise360_lookup;
