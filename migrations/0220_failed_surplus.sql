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
-- A held payment waits until it is released, a dispute until it is decided, and a refund that failed until another one of the
-- payment was asked for after it.
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
    FROM public.refunds r JOIN public.payments p ON p.id = r.payment_id WHERE r.state = 'failed'
        AND NOT EXISTS (SELECT FROM public.refunds l WHERE l.payment_id = r.payment_id AND l.state <> 'failed' AND l.created_at > r.created_at
            -- a surplus is made up for by a refund of the same money alone
            AND (r.reason <> 'surplus' OR l.gateway_payment_id = r.gateway_payment_id
                AND (l.reason = 'surplus' OR p.surplus OR l.gateway_payment_id <> p.gateway_payment_id)))
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
REVOKE SELECT (reason, gateway_payment_id) ON refunds FROM franchise360_lookup;
DROP INDEX refunds_surplus_once;
CREATE UNIQUE INDEX refunds_surplus_once ON refunds (payment_id, gateway_payment_id) WHERE reason = 'surplus';
ALTER TABLE reversals DROP CONSTRAINT reversals_bank_reference_check;
ALTER TABLE reversals ADD CONSTRAINT reversals_bank_reference_check CHECK ((kind = 'credit_note') = (bank_reference <> ''));
ALTER TABLE reversals DROP CONSTRAINT reversals_kind_check;
ALTER TABLE reversals ADD CONSTRAINT reversals_kind_check CHECK (kind IN ('refund', 'credit_note', 'release', 'chargeback'));
