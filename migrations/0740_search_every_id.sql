-- Staff find a customer by every id and number that a screen shows: each owner tells what of its own a text may name, by an index, at
-- most eight rows of a kind.

-- +goose Up
CREATE INDEX refunds_search_gateway ON refunds (lower(gateway_refund_id) COLLATE "C") WHERE gateway_refund_id IS NOT NULL;
CREATE INDEX disputes_search_gateway ON disputes (lower(gateway_dispute_id) COLLATE "C");
CREATE INDEX mandates_search_provider ON mandates (lower(provider_mandate_id) COLLATE "C") WHERE provider_mandate_id <> '';
CREATE INDEX mandates_search_reference ON mandates (lower(reference) COLLATE "C") WHERE reference <> '';
CREATE INDEX proformas_search_number ON proformas (number COLLATE "C");
CREATE INDEX virtual_accounts_search_number ON virtual_accounts (upper(number) COLLATE "C");
CREATE INDEX bank_credit_uses_search_utr ON bank_credit_uses (utr) WHERE utr <> '';
CREATE INDEX invoices_search_irn ON invoices (irn) WHERE irn IS NOT NULL;
CREATE INDEX orders_search_request ON orders (request_id) WHERE request_id IS NOT NULL;
CREATE INDEX payments_search_request ON payments (request_id) WHERE request_id IS NOT NULL;

GRANT SELECT (gateway_refund_id) ON refunds TO franchise360_lookup;
GRANT SELECT (id, franchiser_ref) ON reversals TO franchise360_lookup;
CREATE POLICY lookup ON reversals FOR SELECT TO franchise360_lookup USING (true);
GRANT SELECT (reference) ON mandates TO franchise360_lookup;
GRANT SELECT (id, franchiser_id) ON mandate_debits TO franchise360_lookup;
GRANT SELECT (id, franchiser_id, number, told_utr) ON proformas TO franchise360_lookup;
CREATE POLICY lookup ON proformas FOR SELECT TO franchise360_lookup USING (true);
GRANT SELECT (id, franchiser_id, number) ON virtual_accounts TO franchise360_lookup;
CREATE POLICY lookup ON virtual_accounts FOR SELECT TO franchise360_lookup USING (true);
GRANT SELECT (id, franchiser_ref) ON bank_credits TO franchise360_lookup;
GRANT SELECT (franchiser_ref) ON bank_credit_uses TO franchise360_lookup;
GRANT SELECT (id, franchiser_ref) ON customer_messages, support_messages TO franchise360_lookup;
CREATE POLICY lookup ON customer_messages FOR SELECT TO franchise360_lookup USING (true);
CREATE POLICY lookup ON support_messages FOR SELECT TO franchise360_lookup USING (true);
GRANT SELECT (id, franchiser_id, name) ON franchises TO franchise360_lookup;
CREATE POLICY lookup ON franchises FOR SELECT TO franchise360_lookup USING (true);
GRANT SELECT (description) ON webhook_endpoints TO franchise360_lookup;
GRANT SELECT (request_id) ON orders, payments TO franchise360_lookup;
GRANT SELECT (id) ON contact_requests TO franchise360_lookup;
CREATE POLICY lookup ON contact_requests FOR SELECT TO franchise360_lookup USING (true);

-- +goose StatementBegin
-- search_account_ids finds sessions, and people of a team by their own id or that of their account.
CREATE FUNCTION search_account_ids(q text) RETURNS TABLE (franchiser_id uuid, kind text, label text, exact boolean)
    LANGUAGE sql STABLE AS $$
    SELECT s.franchiser_id, 'session', s.id::text, true FROM public.sessions s WHERE s.id = public.id_in(q)
    UNION ALL SELECT m.franchiser_id, 'team_member', m.name, true FROM public.team_members m WHERE m.id = public.id_in(q)
    UNION ALL (SELECT m.franchiser_id, 'team_member', m.name, true FROM public.team_members m WHERE m.person_id = public.id_in(q)
        ORDER BY m.id LIMIT 8) $$;

-- search_store_ids finds stores and their domains, as connected systems name them.
CREATE FUNCTION search_store_ids(q text) RETURNS TABLE (franchiser_id uuid, kind text, label text, exact boolean)
    LANGUAGE sql STABLE AS $$
    SELECT t.franchiser_id, 'store', t.store_name, true FROM public.tenants t WHERE t.id = public.id_in(q)
    UNION ALL SELECT c.franchiser_id, 'domain', c.domain, true FROM public.custom_domains c WHERE c.id = public.id_in(q) $$;

-- search_outlets finds an outlet by its id.
CREATE FUNCTION search_outlets(q text) RETURNS TABLE (franchiser_id uuid, kind text, label text, exact boolean)
    LANGUAGE sql STABLE AS $$ SELECT f.franchiser_id, 'outlet', f.name, true FROM public.franchises f WHERE f.id = public.id_in(q) $$;

CREATE OR REPLACE FUNCTION search_orders(q text) RETURNS TABLE (franchiser_id uuid, kind text, label text, exact boolean)
    LANGUAGE sql STABLE AS $$
    SELECT o.franchiser_id, 'order', o.id::text, true FROM public.orders o WHERE o.id = public.id_in(q)
    UNION ALL (SELECT o.franchiser_id, 'request', o.request_id::text, true FROM public.orders o WHERE o.request_id = public.id_in(q) LIMIT 8)
    UNION ALL SELECT s.franchiser_id, 'subscription', s.id::text, true FROM public.subscriptions s WHERE s.id = public.id_in(q) $$;

-- search_refunds finds money that went back, or was asked or disputed to: by our id, the gateway's, and that of the request.
CREATE FUNCTION search_refunds(q text) RETURNS TABLE (franchiser_id uuid, kind text, label text, exact boolean)
    LANGUAGE sql STABLE AS $$
    SELECT r.franchiser_id, 'refund', coalesce(r.gateway_refund_id, r.id::text), true FROM public.refunds r WHERE r.id = public.id_in(q)
    UNION ALL (SELECT r.franchiser_id, 'refund', r.gateway_refund_id, lower(r.gateway_refund_id) = q FROM public.refunds r
        WHERE length(q) >= 5 AND lower(r.gateway_refund_id) COLLATE "C" >= q AND lower(r.gateway_refund_id) COLLATE "C" <= q || chr(1114111)
        ORDER BY lower(r.gateway_refund_id) COLLATE "C" LIMIT 8)
    UNION ALL SELECT d.franchiser_id, 'dispute', d.gateway_dispute_id, true FROM public.disputes d WHERE d.id = public.id_in(q)
    UNION ALL (SELECT d.franchiser_id, 'dispute', d.gateway_dispute_id, lower(d.gateway_dispute_id) = q FROM public.disputes d
        WHERE length(q) >= 5 AND lower(d.gateway_dispute_id) COLLATE "C" >= q AND lower(d.gateway_dispute_id) COLLATE "C" <= q || chr(1114111)
        ORDER BY lower(d.gateway_dispute_id) COLLATE "C" LIMIT 8)
    UNION ALL SELECT v.franchiser_ref, 'refund_request', v.id::text, true FROM public.reversals v WHERE v.id = public.id_in(q)
    UNION ALL (SELECT p.franchiser_id, 'request', p.request_id::text, true FROM public.payments p WHERE p.request_id = public.id_in(q) LIMIT 8) $$;

-- search_mandates finds automatic renewals by our id and the gateway's names of them, and debits by theirs.
CREATE FUNCTION search_mandates(q text) RETURNS TABLE (franchiser_id uuid, kind text, label text, exact boolean)
    LANGUAGE sql STABLE AS $$
    SELECT m.franchiser_id, 'mandate', coalesce(nullif(m.provider_mandate_id, ''), m.id::text), true FROM public.mandates m
        WHERE m.id = public.id_in(q)
    UNION ALL (SELECT m.franchiser_id, 'mandate', m.provider_mandate_id, lower(m.provider_mandate_id) = q FROM public.mandates m
        WHERE length(q) >= 5 AND m.provider_mandate_id <> '' AND lower(m.provider_mandate_id) COLLATE "C" >= q
            AND lower(m.provider_mandate_id) COLLATE "C" <= q || chr(1114111)
        ORDER BY lower(m.provider_mandate_id) COLLATE "C" LIMIT 8)
    UNION ALL (SELECT m.franchiser_id, 'mandate', m.reference, true FROM public.mandates m
        WHERE length(q) >= 5 AND m.reference <> '' AND lower(m.reference) COLLATE "C" = q LIMIT 8)
    UNION ALL (SELECT m.franchiser_id, 'mandate', m.transaction_id, true FROM public.mandates m
        WHERE length(q) >= 6 AND m.transaction_id IN (q, upper(q)) LIMIT 8)
    UNION ALL SELECT d.franchiser_id, 'mandate_debit', d.id::text, true FROM public.mandate_debits d WHERE d.id = public.id_in(q) $$;

-- search_transfers finds bank transfers: the proforma, the account that it is paid to, and the number that bank or customer told. A
-- transfer that was not assigned yet is nobody's.
CREATE FUNCTION search_transfers(q text) RETURNS TABLE (franchiser_id uuid, kind text, label text, exact boolean)
    LANGUAGE sql STABLE AS $$
    SELECT p.franchiser_id, 'proforma', p.number, true FROM public.proformas p WHERE p.id = public.id_in(q)
    UNION ALL (SELECT p.franchiser_id, 'proforma', p.number, p.number = upper(q) FROM public.proformas p
        WHERE length(q) >= 5 AND p.number COLLATE "C" >= upper(q) AND p.number COLLATE "C" <= upper(q) || chr(1114111)
        ORDER BY p.number COLLATE "C" LIMIT 8)
    UNION ALL SELECT a.franchiser_id, 'virtual_account', a.number, true FROM public.virtual_accounts a WHERE a.id = public.id_in(q)
    UNION ALL (SELECT a.franchiser_id, 'virtual_account', a.number, upper(a.number) = upper(translate(q, ' -', '')) FROM public.virtual_accounts a
        WHERE length(q) >= 6 AND upper(a.number) COLLATE "C" >= upper(translate(q, ' -', ''))
            AND upper(a.number) COLLATE "C" <= upper(translate(q, ' -', '')) || chr(1114111)
        ORDER BY upper(a.number) COLLATE "C" LIMIT 8)
    UNION ALL SELECT c.franchiser_ref, 'bank_credit', c.utr, true FROM public.bank_credits c WHERE c.id = public.id_in(q)
    UNION ALL SELECT c.franchiser_ref, 'bank_credit', c.utr, true FROM public.bank_credits c
        WHERE length(q) >= 6 AND c.utr = upper(translate(q, ' -/', ''))
    UNION ALL (SELECT p.franchiser_id, 'told_utr', p.told_utr, true FROM public.proformas p
        WHERE length(q) >= 6 AND p.told_utr <> '' AND p.told_utr = upper(translate(q, ' -/', '')) LIMIT 8)
    UNION ALL (SELECT u.franchiser_ref, 'bank_return', u.utr, true FROM public.bank_credit_uses u
        WHERE length(q) >= 6 AND u.utr <> '' AND u.utr = upper(translate(q, ' -/', '')) LIMIT 8) $$;

-- search_messages finds what the product or staff sent a customer.
CREATE FUNCTION search_messages(q text) RETURNS TABLE (franchiser_id uuid, kind text, label text, exact boolean)
    LANGUAGE sql STABLE AS $$
    SELECT m.franchiser_ref, 'message', m.id::text, true FROM public.customer_messages m WHERE m.id = public.id_in(q)
    UNION ALL SELECT m.franchiser_ref, 'message', m.id::text, true FROM public.support_messages m WHERE m.id = public.id_in(q) $$;

-- search_webhooks finds what connected systems are told, by delivery and by event, and the systems that are.
CREATE FUNCTION search_webhooks(q text) RETURNS TABLE (franchiser_id uuid, kind text, label text, exact boolean)
    LANGUAGE sql STABLE AS $$
    SELECT e.franchiser_ref, 'webhook_delivery', d.id::text, true FROM public.webhook_deliveries d JOIN public.webhook_events e ON e.id = d.event_id
        WHERE d.id = public.id_in(q)
    UNION ALL SELECT e.franchiser_ref, 'webhook_event', e.id::text, true FROM public.webhook_events e WHERE e.id = public.id_in(q)
    UNION ALL SELECT NULL, 'connected_system', w.description, true FROM public.webhook_endpoints w WHERE w.id = public.id_in(q) $$;

-- search_systems finds a system that signs customers in, by its client id, and a key by its id.
CREATE FUNCTION search_systems(q text) RETURNS TABLE (franchiser_id uuid, kind text, label text, exact boolean)
    LANGUAGE sql STABLE AS $$
    SELECT NULL::uuid, 'connected_system', s.label, true FROM public.sign_in_systems s WHERE s.id = public.id_in(q)
    UNION ALL SELECT NULL::uuid, 'connected_system', k.label, true FROM public.api_keys k WHERE k.id = public.id_in(q) $$;

-- search_contacts finds a contact request by the reference that its writer was shown.
CREATE FUNCTION search_contacts(q text) RETURNS TABLE (franchiser_id uuid, kind text, label text, exact boolean)
    LANGUAGE sql STABLE AS $$
    SELECT NULL::uuid, 'contact_request', c.id::text, true FROM public.contact_requests c WHERE c.id = public.id_in(q) $$;

CREATE OR REPLACE FUNCTION search_documents(q text) RETURNS TABLE (franchiser_id uuid, kind text, label text, exact boolean)
    LANGUAGE sql STABLE AS $$
    (SELECT i.franchiser_id, CASE i.kind WHEN 'credit_note' THEN i.kind ELSE 'invoice' END, i.number, i.number = upper(q) FROM public.invoices i
        WHERE length(q) >= 5 AND i.number COLLATE "C" >= upper(q) AND i.number COLLATE "C" <= upper(q) || chr(1114111)
        ORDER BY i.number COLLATE "C" LIMIT 8)
    UNION ALL SELECT i.franchiser_id, CASE i.kind WHEN 'credit_note' THEN i.kind ELSE 'invoice' END, i.number, true FROM public.invoices i
        WHERE i.id = public.id_in(q)
    UNION ALL (SELECT i.franchiser_id, 'irn', i.number, true FROM public.invoices i WHERE length(q) = 64 AND i.irn = q LIMIT 8) $$;

CREATE OR REPLACE FUNCTION support_search(q text, d text) RETURNS TABLE (franchiser_id uuid, kind text, label text, exact boolean)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public AS $$
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
REVOKE ALL ON FUNCTION search_account_ids(text), search_store_ids(text), search_outlets(text), search_refunds(text), search_mandates(text),
    search_transfers(text), search_messages(text), search_webhooks(text), search_systems(text), search_contacts(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION search_account_ids(text), search_store_ids(text), search_outlets(text), search_refunds(text), search_mandates(text),
    search_transfers(text), search_messages(text), search_webhooks(text), search_systems(text), search_contacts(text) TO franchise360_lookup;

-- +goose Down
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION support_search(q text, d text) RETURNS TABLE (franchiser_id uuid, kind text, label text, exact boolean)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public AS $$
    SELECT s.franchiser_id, s.kind, s.label, s.exact FROM public.search_people(q, d) s
    UNION ALL SELECT s.franchiser_id, s.kind, s.label, s.exact FROM public.search_stores(q) s
    UNION ALL SELECT s.franchiser_id, s.kind, s.label, s.exact FROM public.search_payments(q) s
    UNION ALL SELECT s.franchiser_id, s.kind, s.label, s.exact FROM public.search_orders(q) s
    UNION ALL SELECT s.franchiser_id, s.kind, s.label, s.exact FROM public.search_documents(q) s
    UNION ALL SELECT s.franchiser_id, s.kind, s.label, s.exact FROM public.search_sign_ups(d) s
    UNION ALL SELECT j.franchiser_id, 'job', j.id::text, true FROM public.find_job(q) j $$;

CREATE OR REPLACE FUNCTION search_documents(q text) RETURNS TABLE (franchiser_id uuid, kind text, label text, exact boolean)
    LANGUAGE sql STABLE AS $$
    (SELECT i.franchiser_id, 'invoice', i.number, i.number = upper(q) FROM public.invoices i
        WHERE length(q) >= 5 AND i.number COLLATE "C" >= upper(q) AND i.number COLLATE "C" <= upper(q) || chr(1114111)
        ORDER BY i.number COLLATE "C" LIMIT 8)
    UNION ALL (SELECT i.franchiser_id, 'invoice', i.number, true FROM public.invoices i WHERE i.id = public.id_in(q)) $$;

CREATE OR REPLACE FUNCTION search_orders(q text) RETURNS TABLE (franchiser_id uuid, kind text, label text, exact boolean)
    LANGUAGE sql STABLE AS $$ SELECT o.franchiser_id, 'order', o.id::text, true FROM public.orders o WHERE o.id = public.id_in(q) $$;
-- +goose StatementEnd
DROP FUNCTION search_account_ids(text), search_store_ids(text), search_outlets(text), search_refunds(text), search_mandates(text),
    search_transfers(text), search_messages(text), search_webhooks(text), search_systems(text), search_contacts(text);
DROP POLICY lookup ON contact_requests;
DROP POLICY lookup ON franchises;
DROP POLICY lookup ON support_messages;
DROP POLICY lookup ON customer_messages;
DROP POLICY lookup ON virtual_accounts;
DROP POLICY lookup ON proformas;
DROP POLICY lookup ON reversals;
REVOKE SELECT (id) ON contact_requests FROM franchise360_lookup;
REVOKE SELECT (request_id) ON orders, payments FROM franchise360_lookup;
REVOKE SELECT (description) ON webhook_endpoints FROM franchise360_lookup;
REVOKE SELECT (id, franchiser_id, name) ON franchises FROM franchise360_lookup;
REVOKE SELECT (id, franchiser_ref) ON customer_messages, support_messages FROM franchise360_lookup;
REVOKE SELECT (franchiser_ref) ON bank_credit_uses FROM franchise360_lookup;
REVOKE SELECT (id, franchiser_ref) ON bank_credits FROM franchise360_lookup;
REVOKE SELECT (id, franchiser_id, number) ON virtual_accounts FROM franchise360_lookup;
REVOKE SELECT (id, franchiser_id, number, told_utr) ON proformas FROM franchise360_lookup;
REVOKE SELECT (id, franchiser_id) ON mandate_debits FROM franchise360_lookup;
REVOKE SELECT (reference) ON mandates FROM franchise360_lookup;
REVOKE SELECT (id, franchiser_ref) ON reversals FROM franchise360_lookup;
REVOKE SELECT (gateway_refund_id) ON refunds FROM franchise360_lookup;
DROP INDEX payments_search_request, orders_search_request, invoices_search_irn, bank_credit_uses_search_utr, virtual_accounts_search_number,
    proformas_search_number, mandates_search_reference, mandates_search_provider, disputes_search_gateway, refunds_search_gateway;
