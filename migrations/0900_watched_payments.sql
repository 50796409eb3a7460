-- What the worker watches of all customers' payments, so that staff are told of it instead of having to look.

-- +goose Up
GRANT SELECT (source) ON payment_events TO franchise360_lookup;
GRANT SELECT (by_mandate) ON payments TO franchise360_lookup;
-- +goose StatementBegin
-- watched_payments has the payments that are held for staff, and those begun before that time that the gateway has not decided: what
-- it calls pending, and what it could not be asked about in time. Debits by mandate take days and have a watch of their own.
CREATE FUNCTION watched_payments(before timestamptz, late timestamptz)
    RETURNS TABLE (kind text, transaction_id text, gateway text, amount_paise bigint, due_paise bigint, since timestamptz)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$
    SELECT 'held', p.transaction_id, p.gateway, coalesce(p.captured_paise, 0), p.amount_paise, coalesce(p.decided_at, p.created_at)
    FROM public.payments p WHERE p.state = 'held' AND NOT p.surplus
    UNION ALL
    SELECT 'undecided', p.transaction_id, p.gateway, p.amount_paise, p.amount_paise, p.created_at
    FROM public.payments p WHERE p.created_at < before AND NOT p.by_mandate
        AND (p.state = 'pending' OR p.state = 'created' AND public.payment_check_is_late(p.next_check_at, late)) $$;

-- captures_unheard_of counts, of each gateway, the payments found paid in that time after the last one that a notice told of.
CREATE FUNCTION captures_unheard_of(after timestamptz, before timestamptz) RETURNS TABLE (gateway text, payments bigint)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$
    WITH found AS (
        SELECT p.gateway, p.decided_at, EXISTS (SELECT FROM public.payment_events e
            WHERE e.payment_id = p.id AND e.source = 'webhook' AND e.kind = 'payment') AS told
        FROM public.payments p WHERE p.state IN ('paid', 'refunded') AND p.decided_at > after AND p.decided_at <= before
            AND EXISTS (SELECT FROM public.payment_events e WHERE e.payment_id = p.id AND e.source IN ('callback', 'webhook', 'poll')))
    SELECT f.gateway, count(*) FROM found f WHERE f.decided_at > coalesce(
        (SELECT max(t.decided_at) FROM found t WHERE t.gateway = f.gateway AND t.told), '-infinity') GROUP BY f.gateway $$;
-- +goose StatementEnd
ALTER FUNCTION watched_payments(timestamptz, timestamptz) OWNER TO franchise360_lookup;
ALTER FUNCTION captures_unheard_of(timestamptz, timestamptz) OWNER TO franchise360_lookup;
REVOKE ALL ON FUNCTION watched_payments(timestamptz, timestamptz), captures_unheard_of(timestamptz, timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION watched_payments(timestamptz, timestamptz), captures_unheard_of(timestamptz, timestamptz) TO franchise360_worker;

-- +goose Down
DROP FUNCTION captures_unheard_of(timestamptz, timestamptz), watched_payments(timestamptz, timestamptz);
REVOKE SELECT (by_mandate) ON payments FROM franchise360_lookup;
REVOKE SELECT (source) ON payment_events FROM franchise360_lookup;
