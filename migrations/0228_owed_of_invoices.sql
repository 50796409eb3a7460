-- A refund of invoiced money that failed for good is owed as well, and so is what waits for a second admin: an erasure waits for both.

-- +goose Up
-- +goose StatementBegin
-- owed_to_franchiser is what is on its way back to a franchiser, or has to go back, in paise: held payments, refunds that the gateway
-- has not done or refused for good, and what staff asked for and is not done. It reads the rows that the caller may read. A bank
-- transfer or a release is part of what failed or is held. Of invoiced money, a failed refund counts until the payment has another
-- refund or a request for one; the same amount of the same payment is the same refund, tried again.
CREATE OR REPLACE FUNCTION owed_to_franchiser(f uuid) RETURNS bigint
    LANGUAGE sql STABLE
    AS $$
    SELECT (SELECT coalesce(sum(p.captured_paise), 0) FROM public.payments p
            WHERE p.franchiser_id = f AND p.state = 'held' AND NOT p.surplus)
        + (SELECT coalesce(sum(r.amount_paise), 0) FROM public.refunds r
            WHERE r.franchiser_id = f AND r.state IN ('requested', 'sent') AND r.reason <> 'dispute')
        + (SELECT coalesce(sum(o.owed_paise), 0) FROM (SELECT DISTINCT r.payment_id FROM public.refunds r
            WHERE r.franchiser_id = f AND r.state = 'failed' AND r.reason = 'surplus') s
            CROSS JOIN LATERAL public.owed_of_payment(s.payment_id) o)
        + (SELECT coalesce(sum(i.amount_paise), 0) FROM (SELECT DISTINCT r.payment_id, r.amount_paise FROM public.refunds r
            WHERE r.franchiser_id = f AND r.state = 'failed' AND r.reason = 'staff'
                AND NOT EXISTS (SELECT FROM public.refunds l
                    WHERE l.payment_id = r.payment_id AND l.state <> 'failed' AND l.created_at > r.created_at)
                AND NOT EXISTS (SELECT FROM public.reversals v WHERE v.payment_id = r.payment_id AND v.franchiser_ref = f
                    AND v.state IN ('waiting', 'approved') AND v.kind IN ('refund', 'credit_note'))) i)
        + (SELECT coalesce(sum(v.amount_paise), 0) FROM public.reversals v
            WHERE v.franchiser_ref = f AND v.state IN ('waiting', 'approved') AND v.kind IN ('refund', 'credit_note')) $$;
-- +goose StatementEnd

-- +goose Down
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION owed_to_franchiser(f uuid) RETURNS bigint
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
