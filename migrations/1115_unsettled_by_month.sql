-- Profit and loss tells how much gateways had not settled when a month ended, and so whose fees the month lacks.

-- +goose Up
-- +goose StatementBegin
-- unsettled_by_month is, for each month with entries, what gateways had captured and not settled at its end, what they settled in it, and the
-- fees of that before tax.
CREATE FUNCTION unsettled_by_month(before timestamptz) RETURNS TABLE (month date, unsettled_paise bigint, settled_paise bigint, fees_paise bigint)
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ BEGIN
        PERFORM public.require_staff();
        RETURN QUERY SELECT m.month, sum(m.clearing) OVER (ORDER BY m.month)::bigint, m.settled::bigint, m.fees::bigint
        FROM (SELECT date_trunc('month', j.posted_at AT TIME ZONE 'Asia/Kolkata')::date AS month,
                coalesce(sum(l.debit_paise - l.credit_paise) FILTER (WHERE l.account = 'gateway_clearing'), 0) AS clearing,
                coalesce(sum(l.credit_paise) FILTER (WHERE l.account = 'gateway_clearing' AND j.kind = 'settlement'), 0) AS settled,
                coalesce(sum(l.debit_paise - l.credit_paise) FILTER (WHERE l.account = 'fees' AND j.kind = 'settlement'), 0) AS fees
            FROM public.ledger_journals j JOIN public.ledger_lines l ON l.journal_id = j.id
            WHERE j.posted_at < before AND l.account IN ('gateway_clearing', 'fees') GROUP BY 1) m ORDER BY 1;
    END $$;
-- +goose StatementEnd
ALTER FUNCTION unsettled_by_month(timestamptz) OWNER TO franchise360_lookup;
REVOKE ALL ON FUNCTION unsettled_by_month(timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION unsettled_by_month(timestamptz) TO franchise360_api;

-- +goose Down
DROP FUNCTION unsettled_by_month(timestamptz);
