-- Documents that the Invoice Registration Portal registered without our seeing the signed QR code, and those whose 30 days run out.

-- +goose Up
ALTER TABLE einvoice_registrations
    ADD COLUMN irn    text NOT NULL DEFAULT '', -- as the portal told it with its refusal of a duplicate
    ADD COLUMN ack_no text NOT NULL DEFAULT '';
ALTER TABLE einvoice_registrations
    DROP CONSTRAINT einvoice_registrations_state_check,
    DROP CONSTRAINT einvoice_registrations_check,
    ADD CONSTRAINT einvoice_registrations_state_check CHECK (state IN ('waiting', 'registered', 'refused', 'cancelled', 'unsigned')),
    -- A registration that is asked for again keeps what the portal told before.
    ADD CONSTRAINT einvoice_registrations_acknowledged CHECK (state NOT IN ('registered', 'cancelled') OR acknowledged_at IS NOT NULL),
    ADD CONSTRAINT einvoice_registrations_unsigned CHECK (state <> 'unsigned' OR irn <> '');
GRANT UPDATE (irn, ack_no) ON einvoice_registrations TO franchise360_worker;
GRANT SELECT (irn, ack_no) ON einvoice_registrations TO franchise360_lookup;

DROP TRIGGER transitions ON einvoice_registrations;
CREATE TRIGGER transitions BEFORE UPDATE OF state ON einvoice_registrations FOR EACH ROW WHEN (OLD.state <> NEW.state)
    EXECUTE FUNCTION keep_to_transitions('waiting>registered', 'waiting>refused', 'waiting>unsigned', 'refused>waiting', 'unsigned>waiting',
        'registered>cancelled');

DROP FUNCTION einvoices(text, uuid, int, int);
-- +goose StatementBegin
-- einvoices has the registrations for the list of staff, the latest change first.
CREATE FUNCTION einvoices(wanted text, document uuid, most int, passing int)
    RETURNS TABLE (invoice_id uuid, franchiser_id uuid, state text, tries int, code text, message text, irn text, ack_no text,
        acknowledged_at timestamptz, asked_at timestamptz, changed_at timestamptz, of_all bigint)
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ BEGIN
        PERFORM public.require_staff();
        RETURN QUERY SELECT r.invoice_id, r.franchiser_id, r.state, r.tries, r.code, r.message, r.irn, r.ack_no, r.acknowledged_at, r.asked_at,
            r.changed_at, count(*) OVER ()
        FROM public.einvoice_registrations r WHERE (wanted = '' OR r.state = wanted) AND (document IS NULL OR r.invoice_id = document)
        ORDER BY r.changed_at DESC, r.invoice_id DESC LIMIT most OFFSET passing;
    END $$;

-- einvoices_that_wait has the registrations that were refused or lack the signed QR code, and those cancelled at the portal whose invoice
-- still counts, or whose credit note no return has while the books of its month are open; the oldest first: at most so many, and how many
-- there are.
CREATE OR REPLACE FUNCTION einvoices_that_wait(most int)
    RETURNS TABLE (invoice_id uuid, franchiser_id uuid, state text, code text, message text, changed_at timestamptz, total bigint)
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ BEGIN
        PERFORM public.require_staff();
        RETURN QUERY SELECT r.invoice_id, r.franchiser_id, r.state, r.code, r.message, r.changed_at, count(*) OVER ()
            FROM public.einvoice_registrations r
            WHERE r.state IN ('refused', 'unsigned') OR r.state = 'cancelled' AND (public.invoice_counts(r.invoice_id)
                OR EXISTS (SELECT FROM public.credit_note_of(r.invoice_id) n WHERE NOT public.books_are_locked(n.issued)
                    AND NOT EXISTS (SELECT FROM public.einvoice_registrations o WHERE o.invoice_id = n.original AND o.state = 'cancelled')))
            ORDER BY r.changed_at, r.invoice_id LIMIT most;
    END $$;

-- invoice_issued_at returns the moment at which a document was issued.
CREATE FUNCTION invoice_issued_at(document uuid) RETURNS timestamptz
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT i.issued_at FROM public.invoices i WHERE i.id = document $$;

-- einvoices_running_out returns when the documents were issued that the portal has not registered, of those issued before that moment.
CREATE FUNCTION einvoices_running_out(before timestamptz) RETURNS TABLE (issued_at timestamptz)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$
    SELECT w.issued_at FROM (SELECT public.invoice_issued_at(r.invoice_id) AS issued_at FROM public.einvoice_registrations r
        WHERE r.state IN ('waiting', 'refused')) w WHERE w.issued_at < before $$;
-- +goose StatementEnd
ALTER FUNCTION einvoices(text, uuid, int, int) OWNER TO franchise360_lookup;
ALTER FUNCTION invoice_issued_at(uuid) OWNER TO franchise360_lookup;
ALTER FUNCTION einvoices_running_out(timestamptz) OWNER TO franchise360_lookup;
REVOKE ALL ON FUNCTION einvoices(text, uuid, int, int), invoice_issued_at(uuid), einvoices_running_out(timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION einvoices(text, uuid, int, int) TO franchise360_api;
GRANT EXECUTE ON FUNCTION einvoices_running_out(timestamptz) TO franchise360_worker;

-- +goose Down
DROP FUNCTION einvoices_running_out(timestamptz), invoice_issued_at(uuid), einvoices(text, uuid, int, int);
UPDATE einvoice_registrations SET state = 'waiting' WHERE state = 'unsigned';
UPDATE einvoice_registrations SET acknowledged_at = NULL WHERE state IN ('waiting', 'refused');
-- +goose StatementBegin
CREATE FUNCTION einvoices(wanted text, document uuid, most int, passing int)
    RETURNS TABLE (invoice_id uuid, franchiser_id uuid, state text, tries int, code text, message text, acknowledged_at timestamptz,
        asked_at timestamptz, changed_at timestamptz, of_all bigint)
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ BEGIN
        PERFORM public.require_staff();
        RETURN QUERY SELECT r.invoice_id, r.franchiser_id, r.state, r.tries, r.code, r.message, r.acknowledged_at, r.asked_at, r.changed_at,
            count(*) OVER ()
        FROM public.einvoice_registrations r WHERE (wanted = '' OR r.state = wanted) AND (document IS NULL OR r.invoice_id = document)
        ORDER BY r.changed_at DESC, r.invoice_id DESC LIMIT most OFFSET passing;
    END $$;
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
ALTER FUNCTION einvoices(text, uuid, int, int) OWNER TO franchise360_lookup;
REVOKE ALL ON FUNCTION einvoices(text, uuid, int, int) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION einvoices(text, uuid, int, int) TO franchise360_api;
DROP TRIGGER transitions ON einvoice_registrations;
CREATE TRIGGER transitions BEFORE UPDATE OF state ON einvoice_registrations FOR EACH ROW WHEN (OLD.state <> NEW.state)
    EXECUTE FUNCTION keep_to_transitions('waiting>registered', 'waiting>refused', 'refused>waiting', 'registered>cancelled');
ALTER TABLE einvoice_registrations DROP CONSTRAINT einvoice_registrations_state_check, DROP CONSTRAINT einvoice_registrations_acknowledged,
    DROP CONSTRAINT einvoice_registrations_unsigned, DROP COLUMN irn, DROP COLUMN ack_no,
    ADD CONSTRAINT einvoice_registrations_state_check CHECK (state IN ('waiting', 'registered', 'refused', 'cancelled')),
    ADD CONSTRAINT einvoice_registrations_check CHECK ((state IN ('registered', 'cancelled')) = (acknowledged_at IS NOT NULL));
