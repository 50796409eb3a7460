-- What a month's return of outward supplies (GSTR-1) is made of: the documents of all customers, and what the books say of them. For
-- staff alone, who prove it to the functions that the api may call.

-- +goose Up
CREATE INDEX invoices_of_time ON invoices (issued_at);

GRANT SELECT (series, sequence, supplier, place_of_supply, regime, original_id) ON invoices TO franchise360_lookup;
GRANT SELECT (invoice_id, sac, rate_bps, taxable_paise, cgst_paise, sgst_paise, utgst_paise, igst_paise) ON invoice_lines TO franchise360_lookup;
CREATE POLICY lookup ON invoice_lines FOR SELECT TO franchise360_lookup USING (true);
GRANT SELECT (id, kind, posted_at) ON ledger_journals TO franchise360_lookup;
CREATE POLICY lookup ON ledger_journals FOR SELECT TO franchise360_lookup USING (true);
GRANT SELECT (journal_id, account, debit_paise, credit_paise) ON ledger_lines TO franchise360_lookup;
CREATE POLICY lookup ON ledger_lines FOR SELECT TO franchise360_lookup USING (true);

-- +goose StatementBegin
-- taxed_documents_of_all has the documents that were issued in a time, one row for each service code and rate. A voucher has
-- when the invoice that followed it was issued, and when its money went back.
CREATE FUNCTION taxed_documents_of_all(after timestamptz, before timestamptz)
    RETURNS TABLE (id uuid, franchiser_id uuid, kind text, series text, sequence bigint, number text, issued_at timestamptz,
        name text, gstin text, sez boolean, supplier_gstin text, supplier_state text, place_of_supply text, regime text,
        commercial boolean, total_paise bigint, original_number text, original_total bigint, invoiced_at timestamptz,
        returned_at timestamptz, sac text, rate_bps int, taxable_paise bigint, cgst_paise bigint, sgst_paise bigint,
        utgst_paise bigint, igst_paise bigint)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$
    WITH wanted AS (
        SELECT i.id FROM public.invoices i WHERE i.issued_at >= after AND i.issued_at < before
        UNION -- an earlier voucher whose advance was used up in that time
        SELECT v.id FROM public.invoices i JOIN public.invoices v ON v.franchiser_id = i.franchiser_id
            AND (i.kind = 'invoice' AND v.payment_id = i.payment_id OR i.kind = 'refund_voucher' AND v.id = i.original_id)
        WHERE i.issued_at >= after AND i.issued_at < before AND v.kind = 'receipt_voucher'
    )
    SELECT i.id, i.franchiser_id, i.kind, i.series, i.sequence, i.number, i.issued_at, coalesce(i.recipient->>'name', ''),
        coalesce(i.recipient->>'gstin', ''), coalesce((i.recipient->>'sez')::boolean, false), coalesce(i.supplier->>'gstin', ''),
        coalesce(i.supplier->>'state_code', ''), i.place_of_supply, i.regime, i.commercial, i.total_paise,
        coalesce(o.number, ''), coalesce(o.total_paise, 0),
        CASE WHEN i.kind = 'receipt_voucher' THEN (SELECT n.issued_at FROM public.invoices n
            WHERE n.franchiser_id = i.franchiser_id AND n.payment_id = i.payment_id AND n.kind = 'invoice') END,
        CASE WHEN i.kind = 'receipt_voucher' THEN (SELECT min(n.issued_at) FROM public.invoices n
            WHERE n.franchiser_id = i.franchiser_id AND n.payment_id = i.payment_id AND n.kind = 'refund_voucher') END,
        l.sac, l.rate_bps, sum(l.taxable_paise)::bigint, sum(l.cgst_paise)::bigint, sum(l.sgst_paise)::bigint,
        sum(l.utgst_paise)::bigint, sum(l.igst_paise)::bigint
    FROM wanted w JOIN public.invoices i ON i.id = w.id
        LEFT JOIN public.invoices o ON o.franchiser_id = i.franchiser_id AND o.id = i.original_id
        JOIN public.invoice_lines l ON l.invoice_id = i.id
    GROUP BY i.id, o.id, l.sac, l.rate_bps
    ORDER BY i.issued_at, i.number, l.sac, l.rate_bps $$;

CREATE FUNCTION taxed_documents(after timestamptz, before timestamptz)
    RETURNS TABLE (id uuid, franchiser_id uuid, kind text, series text, sequence bigint, number text, issued_at timestamptz,
        name text, gstin text, sez boolean, supplier_gstin text, supplier_state text, place_of_supply text, regime text,
        commercial boolean, total_paise bigint, original_number text, original_total bigint, invoiced_at timestamptz,
        returned_at timestamptz, sac text, rate_bps int, taxable_paise bigint, cgst_paise bigint, sgst_paise bigint,
        utgst_paise bigint, igst_paise bigint)
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ BEGIN PERFORM public.require_staff(); RETURN QUERY SELECT * FROM public.taxed_documents_of_all(after, before); END $$;

-- books_of_sales is what the journals of invoices and credit notes of a time put on the accounts of a return.
CREATE FUNCTION books_of_sales(after timestamptz, before timestamptz)
    RETURNS TABLE (journals bigint, value_paise bigint, cgst_paise bigint, sgst_paise bigint, igst_paise bigint)
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ BEGIN
        PERFORM public.require_staff();
        RETURN QUERY SELECT count(DISTINCT j.id),
            coalesce(sum(l.credit_paise - l.debit_paise) FILTER (WHERE l.account IN ('revenue', 'refunds')), 0)::bigint,
            coalesce(sum(l.credit_paise - l.debit_paise) FILTER (WHERE l.account = 'output_cgst'), 0)::bigint,
            coalesce(sum(l.credit_paise - l.debit_paise) FILTER (WHERE l.account IN ('output_sgst', 'output_utgst')), 0)::bigint,
            coalesce(sum(l.credit_paise - l.debit_paise) FILTER (WHERE l.account = 'output_igst'), 0)::bigint
        FROM public.ledger_journals j JOIN public.ledger_lines l ON l.journal_id = j.id
        WHERE j.posted_at >= after AND j.posted_at < before AND j.kind IN ('sale', 'credit_note');
    END $$;
-- +goose StatementEnd
ALTER FUNCTION taxed_documents_of_all(timestamptz, timestamptz) OWNER TO franchise360_lookup;
ALTER FUNCTION taxed_documents(timestamptz, timestamptz) OWNER TO franchise360_lookup;
ALTER FUNCTION books_of_sales(timestamptz, timestamptz) OWNER TO franchise360_lookup;
REVOKE ALL ON FUNCTION taxed_documents_of_all(timestamptz, timestamptz), taxed_documents(timestamptz, timestamptz),
    books_of_sales(timestamptz, timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION taxed_documents(timestamptz, timestamptz), books_of_sales(timestamptz, timestamptz) TO franchise360_api;

-- +goose Down
DROP FUNCTION books_of_sales(timestamptz, timestamptz), taxed_documents(timestamptz, timestamptz),
    taxed_documents_of_all(timestamptz, timestamptz);
DROP POLICY lookup ON ledger_lines;
DROP POLICY lookup ON ledger_journals;
DROP POLICY lookup ON invoice_lines;
REVOKE SELECT (journal_id, account, debit_paise, credit_paise) ON ledger_lines FROM franchise360_lookup;
REVOKE SELECT (id, kind, posted_at) ON ledger_journals FROM franchise360_lookup;
REVOKE SELECT (invoice_id, sac, rate_bps, taxable_paise, cgst_paise, sgst_paise, utgst_paise, igst_paise) ON invoice_lines FROM franchise360_lookup;
REVOKE SELECT (series, sequence, supplier, place_of_supply, regime, original_id) ON invoices FROM franchise360_lookup;
DROP INDEX invoices_of_time;
