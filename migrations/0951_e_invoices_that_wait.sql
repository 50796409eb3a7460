-- What the Invoice Registration Portal refused, or had cancelled at its own site, waits for staff on the work list.

-- +goose Up
-- +goose StatementBegin
-- invoice_counts tells of a document whether it is an invoice of which credit notes have not taken back all.
CREATE FUNCTION invoice_counts(document uuid) RETURNS boolean
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT EXISTS (SELECT FROM public.invoices i WHERE i.id = document AND i.kind = 'invoice' AND i.total_paise > (
        SELECT coalesce(sum(n.total_paise), 0) FROM public.invoices n
        WHERE n.franchiser_id = i.franchiser_id AND n.original_id = i.id AND n.kind = 'credit_note')) $$;
-- einvoices_that_wait has the registrations that were refused, and those cancelled at the portal whose invoice still counts, the oldest
-- first: at most so many, and how many there are.
CREATE FUNCTION einvoices_that_wait(most int)
    RETURNS TABLE (invoice_id uuid, franchiser_id uuid, state text, code text, message text, changed_at timestamptz, total bigint)
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ BEGIN
        PERFORM public.require_staff();
        RETURN QUERY SELECT r.invoice_id, r.franchiser_id, r.state, r.code, r.message, r.changed_at, count(*) OVER ()
            FROM public.einvoice_registrations r
            WHERE r.state = 'refused' OR r.state = 'cancelled' AND public.invoice_counts(r.invoice_id)
            ORDER BY r.changed_at, r.invoice_id LIMIT most;
    END $$;
-- +goose StatementEnd
ALTER FUNCTION invoice_counts(uuid) OWNER TO franchise360_lookup;
ALTER FUNCTION einvoices_that_wait(int) OWNER TO franchise360_lookup;
REVOKE ALL ON FUNCTION invoice_counts(uuid), einvoices_that_wait(int) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION einvoices_that_wait(int) TO franchise360_api;

-- +goose Down
DROP FUNCTION einvoices_that_wait(int), invoice_counts(uuid);
