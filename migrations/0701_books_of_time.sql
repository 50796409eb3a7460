-- What the books have at a moment and month by month, for the trial balance and the statement of profit and loss. For staff alone, who
-- prove it to the functions that the api may call.

-- +goose Up
GRANT SELECT (happened_at) ON ledger_journals TO franchise360_lookup;
GRANT SELECT (franchiser_id) ON ledger_lines TO franchise360_lookup;
GRANT SELECT ON ledger_accounts TO franchise360_lookup;

-- +goose StatementBegin
-- books_at sums every account over what is dated before a moment.
CREATE FUNCTION books_at(before timestamptz)
    RETURNS TABLE (account text, name text, type text, debit_paise bigint, credit_paise bigint)
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ BEGIN
        PERFORM public.require_staff();
        RETURN QUERY SELECT a.code, a.name, a.type, coalesce(s.debit, 0)::bigint, coalesce(s.credit, 0)::bigint
        FROM public.ledger_accounts a LEFT JOIN (SELECT l.account, sum(l.debit_paise) AS debit, sum(l.credit_paise) AS credit
            FROM public.ledger_lines l JOIN public.ledger_journals j ON j.id = l.journal_id
            WHERE j.posted_at < before GROUP BY l.account) s ON s.account = a.code
        ORDER BY a.position;
    END $$;

-- books_by_month sums income and expenses that are dated in a time, by months in India.
CREATE FUNCTION books_by_month(after timestamptz, before timestamptz)
    RETURNS TABLE (month date, account text, name text, type text, debit_paise bigint, credit_paise bigint)
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ BEGIN
        PERFORM public.require_staff();
        RETURN QUERY SELECT date_trunc('month', j.posted_at AT TIME ZONE 'Asia/Kolkata')::date, a.code, a.name, a.type,
            sum(l.debit_paise)::bigint, sum(l.credit_paise)::bigint
        FROM public.ledger_journals j JOIN public.ledger_lines l ON l.journal_id = j.id JOIN public.ledger_accounts a ON a.code = l.account
        WHERE j.posted_at >= after AND j.posted_at < before AND a.type IN ('income', 'expense')
        GROUP BY 1, a.code ORDER BY a.position, 1;
    END $$;

-- own_account_by_month is the balance of an account of the operator's own entries at the end of each month in India that has any, by when
-- they happened: what was booked later because the books were locked counts in its own month.
CREATE FUNCTION own_account_by_month(wanted text)
    RETURNS TABLE (month date, balance_paise bigint)
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ BEGIN
        PERFORM public.require_staff();
        RETURN QUERY SELECT m.month, sum(m.paise) OVER (ORDER BY m.month)::bigint
        FROM (SELECT date_trunc('month', coalesce(j.happened_at, j.posted_at) AT TIME ZONE 'Asia/Kolkata')::date AS month,
                sum(l.credit_paise - l.debit_paise) AS paise
            FROM public.ledger_lines l JOIN public.ledger_journals j ON j.id = l.journal_id
            WHERE l.franchiser_id IS NULL AND l.account = wanted GROUP BY 1) m ORDER BY 1;
    END $$;
-- +goose StatementEnd
ALTER FUNCTION books_at(timestamptz) OWNER TO franchise360_lookup;
ALTER FUNCTION books_by_month(timestamptz, timestamptz) OWNER TO franchise360_lookup;
ALTER FUNCTION own_account_by_month(text) OWNER TO franchise360_lookup;
REVOKE ALL ON FUNCTION books_at(timestamptz), books_by_month(timestamptz, timestamptz), own_account_by_month(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION books_at(timestamptz), books_by_month(timestamptz, timestamptz), own_account_by_month(text) TO franchise360_api;

-- +goose Down
DROP FUNCTION own_account_by_month(text), books_by_month(timestamptz, timestamptz), books_at(timestamptz);
REVOKE SELECT ON ledger_accounts FROM franchise360_lookup;
REVOKE SELECT (franchiser_id) ON ledger_lines FROM franchise360_lookup;
REVOKE SELECT (happened_at) ON ledger_journals FROM franchise360_lookup;
