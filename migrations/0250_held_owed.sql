-- What is owed of money that was never invoiced, where part of it went back before the rest was tried.

-- +goose Up
-- What failed refunds of a payment owe of money that was never invoiced, the oldest first: the whole capture less what came back of it,
-- because a bank may have taken its part before the refund of the rest was made. It can also have come back by bank transfer, or at
-- the gateway's own dashboard.
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION owed_of_payment(payment uuid) RETURNS TABLE (refund_id uuid, gateway_payment_id text, owed_paise bigint)
    LANGUAGE sql STABLE
    AS $$
    SELECT f.id, f.gateway_payment_id, f.came - f.back FROM (
        SELECT DISTINCT ON (r.gateway_payment_id) r.id, r.gateway_payment_id, r.created_at,
            CASE WHEN p.surplus AND r.gateway_payment_id = p.gateway_payment_id THEN p.captured_paise ELSE r.amount_paise END AS came,
            (SELECT coalesce(sum(b.amount_paise), 0)::bigint FROM public.refunds b
                WHERE b.payment_id = p.id AND b.gateway_payment_id = r.gateway_payment_id AND b.state <> 'failed'
                    AND (b.reason = 'surplus' OR p.surplus OR b.gateway_payment_id <> p.gateway_payment_id)) AS back
        FROM public.refunds r JOIN public.payments p ON p.id = r.payment_id
        WHERE p.id = payment AND r.reason = 'surplus' AND r.state = 'failed'
        ORDER BY r.gateway_payment_id, r.created_at) f
    WHERE f.came > f.back ORDER BY f.created_at, f.id $$;
-- +goose StatementEnd

-- +goose Down
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION owed_of_payment(payment uuid) RETURNS TABLE (refund_id uuid, gateway_payment_id text, owed_paise bigint)
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
-- +goose StatementEnd
