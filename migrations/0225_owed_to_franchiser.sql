-- What is owed to a franchiser: an erasure waits for it, because nobody could be asked for a bank account after it.

-- +goose Up
-- +goose StatementBegin
-- owed_to_franchiser is what is on its way back to a franchiser, or has to go back, in paise: held payments, refunds that the gateway
-- has not done, those of money never invoiced that failed, and what was approved and is not done. It reads the rows that the caller may
-- read. A bank transfer or a release that was approved is part of what failed or is held.
CREATE FUNCTION owed_to_franchiser(f uuid) RETURNS bigint
    LANGUAGE sql STABLE
    AS $$
    SELECT (SELECT coalesce(sum(p.captured_paise), 0) FROM public.payments p
            WHERE p.franchiser_id = f AND p.state = 'held' AND NOT p.surplus)
        + (SELECT coalesce(sum(r.amount_paise), 0) FROM public.refunds r
            WHERE r.franchiser_id = f AND r.state IN ('requested', 'sent') AND r.reason <> 'dispute')
        + (SELECT coalesce(sum(o.owed_paise), 0) FROM (SELECT DISTINCT r.payment_id FROM public.refunds r
            WHERE r.franchiser_id = f AND r.state = 'failed' AND r.reason = 'surplus') s
            CROSS JOIN LATERAL public.owed_of_payment(s.payment_id) o)
        + (SELECT coalesce(sum(v.amount_paise), 0) FROM public.reversals v
            WHERE v.franchiser_ref = f AND v.state = 'approved' AND v.kind IN ('refund', 'credit_note')) $$;
-- +goose StatementEnd

-- +goose Down
DROP FUNCTION owed_to_franchiser(uuid);
