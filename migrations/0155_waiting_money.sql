-- Money that waits for staff, of every customer: payments that are held, disputes that are open and refunds that failed. And
-- what staff call a payment where they are shown more than one customer's.

-- +goose Up
CREATE INDEX payments_waiting ON payments (decided_at) WHERE state = 'held';
CREATE INDEX refunds_failed ON refunds (created_at) WHERE state = 'failed';

CREATE POLICY lookup ON disputes FOR SELECT TO franchise360_lookup USING (true);
CREATE POLICY lookup ON refunds FOR SELECT TO franchise360_lookup USING (true);
CREATE POLICY lookup ON payment_events FOR SELECT TO franchise360_lookup USING (true);
CREATE POLICY lookup ON orders FOR SELECT TO franchise360_lookup USING (true);
CREATE POLICY lookup ON business_addresses FOR SELECT TO franchise360_lookup USING (true);
GRANT SELECT (state, surplus, amount_paise, captured_paise, created_at, decided_at, order_id) ON payments TO franchise360_lookup;
GRANT SELECT (id, franchiser_id, payment_id, gateway_dispute_id, state, confirmed, amount_paise, opened_at)
    ON disputes TO franchise360_lookup;
GRANT SELECT (id, franchiser_id, payment_id, state, amount_paise, failure, created_at) ON refunds TO franchise360_lookup;
GRANT SELECT (payment_id, kind, external_id, signed, fields, received_at) ON payment_events TO franchise360_lookup;
GRANT SELECT (id, franchiser_id, plan_name, service_name) ON orders TO franchise360_lookup;
GRANT SELECT (franchiser_id, legal_name) ON business_addresses TO franchise360_lookup;

-- +goose StatementBegin
-- The day by which the gateway wants an answer to a dispute, as it writes it; empty where it told none. What nobody signed
-- counts for a dispute that nobody confirmed alone.
CREATE FUNCTION answer_due(payment uuid, dispute text, sure boolean) RETURNS text
    LANGUAGE sql STABLE
    AS $$ SELECT coalesce((SELECT left(e.fields ->> 'due_date', 40) FROM payment_events e
        WHERE e.payment_id = payment AND e.kind = 'dispute' AND e.external_id = dispute AND (e.signed OR NOT sure)
            AND e.fields ->> 'due_date' <> ''
        ORDER BY e.received_at DESC LIMIT 1), '') $$;

-- A held payment waits until it is released, a dispute until it is decided, and a refund that failed until another one of the
-- payment was asked for after it.
CREATE FUNCTION waiting_money()
    RETURNS TABLE (kind text, franchiser_id uuid, payment_id uuid, reference text, amount_paise bigint, due_paise bigint,
        since timestamptz, answer_by text, failure text)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$
    SELECT 'held', p.franchiser_id, p.id, p.transaction_id, coalesce(p.captured_paise, 0), p.amount_paise,
        coalesce(p.decided_at, p.created_at), '', ''
    FROM public.payments p WHERE p.state = 'held' AND NOT p.surplus
    UNION ALL
    SELECT CASE WHEN d.confirmed THEN 'dispute' ELSE 'unconfirmed' END, d.franchiser_id, d.payment_id, d.gateway_dispute_id,
        d.amount_paise, 0, d.opened_at, public.answer_due(d.payment_id, d.gateway_dispute_id, d.confirmed), ''
    FROM public.disputes d WHERE d.state = 'open'
    UNION ALL
    SELECT 'refund', r.franchiser_id, r.payment_id, r.id::text, r.amount_paise, 0, r.created_at, '', r.failure
    FROM public.refunds r WHERE r.state = 'failed'
        AND NOT EXISTS (SELECT FROM public.refunds l WHERE l.payment_id = r.payment_id AND l.state <> 'failed' AND l.created_at > r.created_at)
    $$;

-- Whose payments these are and what they bought. A customer is called by its legal name, else its person's or its store's.
CREATE FUNCTION named_payments(ids uuid[])
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
    WHERE p.id = ANY (ids) $$;
-- +goose StatementEnd
ALTER FUNCTION waiting_money() OWNER TO franchise360_lookup;
ALTER FUNCTION named_payments(uuid[]) OWNER TO franchise360_lookup;
REVOKE ALL ON FUNCTION waiting_money(), named_payments(uuid[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION waiting_money() TO franchise360_api;
GRANT EXECUTE ON FUNCTION named_payments(uuid[]) TO franchise360_api, franchise360_worker;

-- +goose Down
DROP FUNCTION named_payments(uuid[]);
DROP FUNCTION waiting_money();
DROP FUNCTION answer_due(uuid, text, boolean);
REVOKE SELECT (franchiser_id, legal_name) ON business_addresses FROM franchise360_lookup;
REVOKE SELECT (id, franchiser_id, plan_name, service_name) ON orders FROM franchise360_lookup;
REVOKE SELECT (payment_id, kind, external_id, signed, fields, received_at) ON payment_events FROM franchise360_lookup;
REVOKE SELECT (id, franchiser_id, payment_id, state, amount_paise, failure, created_at) ON refunds FROM franchise360_lookup;
REVOKE SELECT (id, franchiser_id, payment_id, gateway_dispute_id, state, confirmed, amount_paise, opened_at)
    ON disputes FROM franchise360_lookup;
REVOKE SELECT (state, surplus, amount_paise, captured_paise, created_at, decided_at, order_id) ON payments FROM franchise360_lookup;
DROP POLICY lookup ON business_addresses;
DROP POLICY lookup ON orders;
DROP POLICY lookup ON payment_events;
DROP POLICY lookup ON refunds;
DROP POLICY lookup ON disputes;
DROP INDEX refunds_failed, payments_waiting;
