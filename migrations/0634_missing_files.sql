-- Documents of all customers that have no PDF yet, for the work list of the staff.

-- +goose Up
GRANT SELECT (invoice_id) ON invoice_documents TO franchise360_lookup;
CREATE POLICY lookup ON invoice_documents FOR SELECT TO franchise360_lookup USING (true);
-- +goose StatementBegin
-- documents_without_file has what was issued before that time and has no PDF.
CREATE FUNCTION documents_without_file(before timestamptz)
    RETURNS TABLE (franchiser_id uuid, invoice_id uuid, number text, kind text, issued_at timestamptz)
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ BEGIN
        PERFORM public.require_staff();
        RETURN QUERY SELECT i.franchiser_id, i.id, i.number, i.kind, i.issued_at FROM public.invoices i
            WHERE i.issued_at < before AND NOT EXISTS (SELECT FROM public.invoice_documents d WHERE d.invoice_id = i.id);
    END $$;
-- +goose StatementEnd
ALTER FUNCTION documents_without_file(timestamptz) OWNER TO franchise360_lookup;
REVOKE ALL ON FUNCTION documents_without_file(timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION documents_without_file(timestamptz) TO franchise360_api;

-- +goose Down
DROP FUNCTION documents_without_file(timestamptz);
DROP POLICY lookup ON invoice_documents;
REVOKE SELECT (invoice_id) ON invoice_documents FROM franchise360_lookup;
