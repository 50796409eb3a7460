-- What a registered document gets from the portal, and which documents of staff's lists they are.

-- +goose Up
GRANT UPDATE (irn, ack_no, signed_qr) ON invoices TO franchise360_worker;
GRANT SELECT (irn, ack_no) ON invoices TO franchise360_lookup;

-- +goose StatementBegin
-- registered_documents names documents for staff.
CREATE FUNCTION registered_documents(wanted uuid[])
    RETURNS TABLE (id uuid, kind text, number text, issued_at timestamptz, total_paise bigint, name text, gstin text, irn text, ack_no text)
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ BEGIN
        PERFORM public.require_staff();
        RETURN QUERY SELECT i.id, i.kind, i.number, i.issued_at, i.total_paise, i.recipient->>'name', coalesce(i.recipient->>'gstin', ''),
            coalesce(i.irn, ''), coalesce(i.ack_no, '')
        FROM public.invoices i WHERE i.id = ANY (wanted);
    END $$;
-- +goose StatementEnd
ALTER FUNCTION registered_documents(uuid[]) OWNER TO franchise360_lookup;
REVOKE ALL ON FUNCTION registered_documents(uuid[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION registered_documents(uuid[]) TO franchise360_api;

-- +goose Down
DROP FUNCTION registered_documents(uuid[]);
REVOKE SELECT (irn, ack_no) ON invoices FROM franchise360_lookup;
REVOKE UPDATE (irn, ack_no, signed_qr) ON invoices FROM franchise360_worker;
