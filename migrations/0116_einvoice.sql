-- Registration of tax documents at the Invoice Registration Portal (rule 48(4), CGST Rules).

-- +goose Up
-- +goose StatementBegin
SET LOCAL check_function_bodies = off;

-- The document stores the rest of a registration (IRN, QR code etc.).
CREATE TABLE einvoice_registrations (
    invoice_id     uuid        PRIMARY KEY,
    franchiser_id  uuid        NOT NULL,
    state          text        NOT NULL CHECK (state IN ('waiting', 'registered', 'refused', 'cancelled', 'unsigned')),
    tries          int         NOT NULL DEFAULT 1 CHECK (tries > 0),
    code           text        NOT NULL DEFAULT '', -- the portal's error code
    message        text        NOT NULL DEFAULT '' CHECK (length(message) <= 300),
    signed_invoice text        NOT NULL DEFAULT '' CHECK (length(signed_invoice) <= 65536), -- the portal's JSON Web Token
    acknowledged_at timestamptz,
    asked_at       timestamptz NOT NULL,
    changed_at     timestamptz NOT NULL,
    irn            text        NOT NULL DEFAULT '', -- as in the portal's duplicate error
    ack_no         text        NOT NULL DEFAULT '',
    FOREIGN KEY (franchiser_id, invoice_id) REFERENCES invoices (franchiser_id, id),
    -- A repeated registration keeps the portal's earlier data.
    CONSTRAINT einvoice_registrations_acknowledged CHECK (state NOT IN ('registered', 'cancelled') OR acknowledged_at IS NOT NULL),
    CONSTRAINT einvoice_registrations_unsigned CHECK (state <> 'unsigned' OR irn <> '')
);
CREATE INDEX einvoice_registrations_of_franchiser ON einvoice_registrations (franchiser_id);
CREATE INDEX einvoice_registrations_of_state ON einvoice_registrations (state, changed_at DESC, invoice_id DESC);
CALL isolate('einvoice_registrations');
-- Staff list.
CREATE POLICY lookup ON einvoice_registrations FOR SELECT TO franchise360_lookup USING (true);
CREATE TRIGGER first_states AFTER INSERT ON einvoice_registrations FOR EACH ROW
    WHEN (current_user IN ('franchise360_api', 'franchise360_worker')) EXECUTE FUNCTION keep_to_first_states('waiting');
CREATE TRIGGER transitions BEFORE UPDATE OF state ON einvoice_registrations FOR EACH ROW WHEN (OLD.state <> NEW.state)
    EXECUTE FUNCTION keep_to_transitions('waiting>registered', 'waiting>refused', 'waiting>unsigned', 'refused>waiting', 'unsigned>waiting',
        'registered>cancelled');
ALTER TABLE einvoice_registrations ENABLE ALWAYS TRIGGER first_states;
GRANT SELECT ON einvoice_registrations TO franchise360_api;
GRANT SELECT, INSERT ON einvoice_registrations TO franchise360_worker;
GRANT UPDATE (state, tries, code, message, signed_invoice, acknowledged_at, asked_at, changed_at, irn,
    ack_no) ON einvoice_registrations TO franchise360_worker;
GRANT SELECT (invoice_id, franchiser_id, state, tries, code, message, acknowledged_at, asked_at, changed_at, irn,
    ack_no) ON einvoice_registrations TO franchise360_lookup;

CREATE FUNCTION einvoice_counts()
    RETURNS TABLE (state text, documents bigint)
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ BEGIN
        PERFORM public.require_staff();
        RETURN QUERY SELECT r.state, count(*) FROM public.einvoice_registrations r WHERE r.state <> 'registered' GROUP BY r.state;
    END $$;

-- einvoices_that_wait returns refused registrations and those without the signed QR code. It also returns registrations cancelled at the
-- portal whose invoice still counts, or whose credit note is in no return while its month's books are open. Oldest first, at most most,
-- with the total.
CREATE FUNCTION einvoices_that_wait(most int)
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

-- einvoices returns the registrations for staff, latest change first.
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

-- einvoices_running_out returns the issue times of unregistered documents issued before a moment.
CREATE FUNCTION einvoices_running_out(before timestamptz) RETURNS TABLE (issued_at timestamptz)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$
    SELECT w.issued_at FROM (SELECT public.invoice_issued_at(r.invoice_id) AS issued_at FROM public.einvoice_registrations r
        WHERE r.state IN ('waiting', 'refused')) w WHERE w.issued_at < before $$;

-- Owner and callers of the functions above.
ALTER FUNCTION einvoice_counts() OWNER TO franchise360_lookup;
ALTER FUNCTION einvoices_that_wait(int) OWNER TO franchise360_lookup;
ALTER FUNCTION einvoices(text, uuid, int, int) OWNER TO franchise360_lookup;
ALTER FUNCTION einvoices_running_out(timestamptz) OWNER TO franchise360_lookup;
REVOKE ALL ON FUNCTION einvoice_counts(), einvoices_that_wait(int), einvoices(text, uuid, int, int),
    einvoices_running_out(timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION einvoice_counts(), einvoices_that_wait(int), einvoices(text, uuid, int, int) TO franchise360_api;
GRANT EXECUTE ON FUNCTION einvoices_running_out(timestamptz) TO franchise360_worker;
-- +goose StatementEnd
