-- A credit note that was cancelled at the Invoice Registration Portal waits for staff as well, until the books of its month are locked.

-- +goose Up
GRANT SELECT ON book_locks TO franchise360_lookup;
-- +goose StatementBegin
-- books_are_locked tells whether the day of the moment in India is locked.
CREATE FUNCTION books_are_locked(moment timestamptz) RETURNS boolean
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT coalesce((SELECT l.locked_through FROM public.book_locks l ORDER BY l.sequence DESC LIMIT 1)
        >= (moment AT TIME ZONE 'Asia/Kolkata')::date, false) $$;
-- credit_note_of has the invoice that a credit note reduces, and when the note was issued; nothing of another document.
CREATE FUNCTION credit_note_of(document uuid) RETURNS TABLE (original uuid, issued timestamptz)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT i.original_id, i.issued_at FROM public.invoices i WHERE i.id = document AND i.kind = 'credit_note' $$;
-- einvoices_that_wait has the registrations that were refused, and those cancelled at the portal whose invoice still counts, or whose
-- credit note no return has while the books of its month are open; the oldest first: at most so many, and how many there are.
CREATE OR REPLACE FUNCTION einvoices_that_wait(most int)
    RETURNS TABLE (invoice_id uuid, franchiser_id uuid, state text, code text, message text, changed_at timestamptz, total bigint)
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ BEGIN
        PERFORM public.require_staff();
        RETURN QUERY SELECT r.invoice_id, r.franchiser_id, r.state, r.code, r.message, r.changed_at, count(*) OVER ()
            FROM public.einvoice_registrations r
            WHERE r.state = 'refused' OR r.state = 'cancelled' AND (public.invoice_counts(r.invoice_id)
                OR EXISTS (SELECT FROM public.credit_note_of(r.invoice_id) n WHERE NOT public.books_are_locked(n.issued)
                    AND NOT EXISTS (SELECT FROM public.einvoice_registrations o WHERE o.invoice_id = n.original AND o.state = 'cancelled')))
            ORDER BY r.changed_at, r.invoice_id LIMIT most;
    END $$;
-- +goose StatementEnd
ALTER FUNCTION books_are_locked(timestamptz) OWNER TO franchise360_lookup;
ALTER FUNCTION credit_note_of(uuid) OWNER TO franchise360_lookup;
REVOKE ALL ON FUNCTION books_are_locked(timestamptz), credit_note_of(uuid) FROM PUBLIC;

-- +goose Down
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION einvoices_that_wait(most int)
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
DROP FUNCTION books_are_locked(timestamptz), credit_note_of(uuid);
REVOKE SELECT ON book_locks FROM franchise360_lookup;
