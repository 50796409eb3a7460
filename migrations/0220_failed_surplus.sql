-- What a refund that failed for good owes, of money that was never invoiced: staff pay it by bank transfer, and book that.

-- +goose Up
ALTER TABLE reversals DROP CONSTRAINT reversals_kind_check;
ALTER TABLE reversals ADD CONSTRAINT reversals_kind_check
    CHECK (kind IN ('refund', 'credit_note', 'bank_transfer', 'release', 'chargeback'));
-- +goose StatementBegin
DO $$
DECLARE c text;
BEGIN
    SELECT conname INTO STRICT c FROM pg_constraint WHERE conrelid = 'reversals'::regclass AND contype = 'c'
        AND pg_get_constraintdef(oid) LIKE '%bank_reference%';
    EXECUTE format('ALTER TABLE reversals DROP CONSTRAINT %I', c);
END $$;
-- +goose StatementEnd
ALTER TABLE reversals ADD CONSTRAINT reversals_bank_reference_check
    CHECK ((kind IN ('credit_note', 'bank_transfer')) = (bank_reference <> ''));
DROP INDEX refunds_surplus_once;
CREATE UNIQUE INDEX refunds_surplus_once ON refunds (payment_id, gateway_payment_id) WHERE reason = 'surplus' AND state <> 'failed';

GRANT SELECT (reason, gateway_payment_id) ON refunds TO franchise360_lookup;
-- +goose StatementBegin
-- What failed refunds of a payment owe of money that was never invoiced, the oldest first. It can also have come back otherwise:
-- by bank transfer, at the gateway's own dashboard, or by a dispute.
CREATE FUNCTION owed_of_payment(payment uuid) RETURNS TABLE (refund_id uuid, gateway_payment_id text, owed_paise bigint)
    LANGUAGE sql STABLE
    AS $$
    SELECT f.id, f.gateway_payment_id, f.amount_paise - f.back FROM (
        SELECT DISTINCT ON (r.gateway_payment_id) r.id, r.gateway_payment_id, r.amount_paise, r.created_at,
            (SELECT coalesce(sum(b.amount_paise), 0)::bigint FROM public.refunds b
                WHERE b.payment_id = p.id AND b.gateway_payment_id = r.gateway_payment_id AND b.state <> 'failed'
                    AND (b.reason = 'surplus' OR p.surplus OR b.gateway_payment_id <> p.gateway_payment_id)) AS back
        FROM public.refunds r JOIN public.payments p ON p.id = r.payment_id
        WHERE p.id = payment AND r.reason = 'surplus' AND r.state = 'failed'
        ORDER BY r.gateway_payment_id, r.created_at) f
    WHERE f.amount_paise > f.back ORDER BY f.created_at, f.id $$;

-- A held payment waits until it is released, a dispute until it is decided, and a refund that failed until another one of the
-- payment was asked for after it; of money that was never invoiced, until that money is on its way back.
CREATE OR REPLACE FUNCTION waiting_money_of_all()
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
        AND CASE r.reason WHEN 'surplus' THEN r.id IN (SELECT o.refund_id FROM public.owed_of_payment(r.payment_id) o)
            ELSE NOT EXISTS (SELECT FROM public.refunds l WHERE l.payment_id = r.payment_id AND l.state <> 'failed' AND l.created_at > r.created_at) END
    $$;
-- +goose StatementEnd

-- +goose Down
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION waiting_money_of_all()
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
-- +goose StatementEnd
DROP FUNCTION owed_of_payment(uuid);
REVOKE SELECT (reason, gateway_payment_id) ON refunds FROM franchise360_lookup;
DROP INDEX refunds_surplus_once;
CREATE UNIQUE INDEX refunds_surplus_once ON refunds (payment_id, gateway_payment_id) WHERE reason = 'surplus';
ALTER TABLE reversals DROP CONSTRAINT reversals_bank_reference_check;
ALTER TABLE reversals ADD CONSTRAINT reversals_bank_reference_check CHECK ((kind = 'credit_note') = (bank_reference <> ''));
ALTER TABLE reversals DROP CONSTRAINT reversals_kind_check;
ALTER TABLE reversals ADD CONSTRAINT reversals_kind_check CHECK (kind IN ('refund', 'credit_note', 'release', 'chargeback'));
