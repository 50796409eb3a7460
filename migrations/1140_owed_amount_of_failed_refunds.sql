-- A failed refund waits with what of it is still owed, when a part came back in another way.

-- +goose Up
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION public.waiting_money_of_all()
 RETURNS TABLE(kind text, franchiser_id uuid, payment_id uuid, reference text, amount_paise bigint, due_paise bigint, since timestamp with time zone, answer_by text, failure text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public'
AS $function$
    SELECT 'held', p.franchiser_id, p.id, p.transaction_id, coalesce(p.captured_paise, 0), p.amount_paise,
        coalesce(p.decided_at, p.created_at), '', ''
    FROM public.payments p WHERE p.state = 'held' AND NOT p.surplus
    UNION ALL
    SELECT CASE WHEN d.confirmed THEN 'dispute' ELSE 'unconfirmed' END, d.franchiser_id, d.payment_id, d.gateway_dispute_id,
        d.amount_paise, 0, d.opened_at, public.answer_due(d.payment_id, d.gateway_dispute_id, d.confirmed), ''
    FROM public.disputes d WHERE d.state = 'open'
    UNION ALL
    SELECT 'refund', r.franchiser_id, r.payment_id, r.id::text, CASE r.reason WHEN 'surplus' THEN r.amount_paise ELSE least(r.amount_paise, o.owed) END,
        0, r.created_at, '', r.failure
    FROM public.refunds r CROSS JOIN LATERAL (SELECT CASE WHEN r.reason <> 'surplus' THEN public.owed_of_invoiced(r.payment_id)
        - (SELECT coalesce(sum(n.amount_paise), 0)::bigint FROM public.refunds n
            WHERE n.payment_id = r.payment_id AND n.state = 'failed' AND n.reason <> 'surplus' AND (n.created_at, n.id) > (r.created_at, r.id)) END AS owed) o
    WHERE r.state = 'failed'
        AND CASE r.reason WHEN 'surplus' THEN r.id IN (SELECT w.refund_id FROM public.owed_of_payment(r.payment_id) w) ELSE o.owed > 0 END
    $function$;
-- +goose StatementEnd

-- +goose Down
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION public.waiting_money_of_all()
 RETURNS TABLE(kind text, franchiser_id uuid, payment_id uuid, reference text, amount_paise bigint, due_paise bigint, since timestamp with time zone, answer_by text, failure text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public'
AS $function$
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
            ELSE public.owed_of_invoiced(r.payment_id) > (SELECT coalesce(sum(n.amount_paise), 0) FROM public.refunds n
                WHERE n.payment_id = r.payment_id AND n.state = 'failed' AND n.reason <> 'surplus' AND (n.created_at, n.id) > (r.created_at, r.id)) END
    $function$;
-- +goose StatementEnd
