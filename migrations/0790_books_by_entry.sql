-- What the books have line by line, for the files of accounting software. For staff alone, who prove it to the functions.

-- +goose Up
GRANT SELECT (franchiser_id, payment_id, invoice_id, description) ON ledger_journals TO franchise360_lookup;
GRANT SELECT ("position") ON ledger_lines TO franchise360_lookup;

-- +goose StatementBegin
-- books_by_entry has the entries that are dated in a time, a row for each line.
CREATE FUNCTION books_by_entry(after timestamptz, before timestamptz)
    RETURNS TABLE (journal_id uuid, kind text, franchiser_id uuid, payment_id uuid, invoice_id uuid, description text, posted_at timestamptz,
        account text, debit_paise bigint, credit_paise bigint)
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ BEGIN
        PERFORM public.require_staff();
        RETURN QUERY SELECT j.id, j.kind, j.franchiser_id, j.payment_id, j.invoice_id, j.description, j.posted_at,
            l.account, l.debit_paise, l.credit_paise
        FROM public.ledger_journals j JOIN public.ledger_lines l ON l.journal_id = j.id
        WHERE j.posted_at >= after AND j.posted_at < before
        ORDER BY j.posted_at, j.id, l.position;
    END $$;

-- customers_in_books has the customers whose first entry is dated in a time.
CREATE FUNCTION customers_in_books(after timestamptz, before timestamptz)
    RETURNS TABLE (franchiser_id uuid)
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ BEGIN
        PERFORM public.require_staff();
        RETURN QUERY SELECT j.franchiser_id FROM public.ledger_journals j
        WHERE j.franchiser_id IS NOT NULL AND j.posted_at < before
        GROUP BY j.franchiser_id HAVING min(j.posted_at) >= after;
    END $$;
-- +goose StatementEnd
ALTER FUNCTION books_by_entry(timestamptz, timestamptz) OWNER TO franchise360_lookup;
ALTER FUNCTION customers_in_books(timestamptz, timestamptz) OWNER TO franchise360_lookup;
REVOKE ALL ON FUNCTION books_by_entry(timestamptz, timestamptz), customers_in_books(timestamptz, timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION books_by_entry(timestamptz, timestamptz), customers_in_books(timestamptz, timestamptz) TO franchise360_api;

-- +goose Down
DROP FUNCTION customers_in_books(timestamptz, timestamptz), books_by_entry(timestamptz, timestamptz);
REVOKE SELECT (franchiser_id, payment_id, invoice_id, description) ON ledger_journals FROM franchise360_lookup;
REVOKE SELECT ("position") ON ledger_lines FROM franchise360_lookup;
