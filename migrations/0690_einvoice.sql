-- Registration of tax documents at the Invoice Registration Portal (rule 48(4), CGST Rules).

-- +goose Up
-- The rest of a registration (IRN, acknowledgement, QR code) is part of the document.
CREATE TABLE einvoice_registrations (
    invoice_id     uuid        PRIMARY KEY,
    franchiser_id  uuid        NOT NULL,
    state          text        NOT NULL CHECK (state IN ('waiting', 'registered', 'refused', 'cancelled')),
    tries          int         NOT NULL DEFAULT 1 CHECK (tries > 0),
    code           text        NOT NULL DEFAULT '',  -- the portal's, of a refusal
    message        text        NOT NULL DEFAULT '' CHECK (length(message) <= 300),
    signed_invoice text        NOT NULL DEFAULT '' CHECK (length(signed_invoice) <= 65536), -- the portal's JSON Web Token
    acknowledged_at timestamptz,
    asked_at       timestamptz NOT NULL,
    changed_at     timestamptz NOT NULL,
    FOREIGN KEY (franchiser_id, invoice_id) REFERENCES invoices (franchiser_id, id),
    CHECK ((state IN ('registered', 'cancelled')) = (acknowledged_at IS NOT NULL))
);
CREATE INDEX einvoice_registrations_of_franchiser ON einvoice_registrations (franchiser_id);
CREATE INDEX einvoice_registrations_of_state ON einvoice_registrations (state, changed_at DESC, invoice_id DESC);
CALL isolate('einvoice_registrations');
GRANT SELECT ON einvoice_registrations TO franchise360_api;
GRANT SELECT, INSERT, UPDATE (state, tries, code, message, signed_invoice, acknowledged_at, asked_at, changed_at)
    ON einvoice_registrations TO franchise360_worker;

-- As in pkg/einvoice/state.go, against which a test holds every pair of states.
CREATE TRIGGER transitions BEFORE UPDATE OF state ON einvoice_registrations FOR EACH ROW WHEN (OLD.state <> NEW.state)
    EXECUTE FUNCTION keep_to_transitions('waiting>registered', 'waiting>refused', 'refused>waiting', 'registered>cancelled');
CREATE TRIGGER first_states AFTER INSERT ON einvoice_registrations FOR EACH ROW
    WHEN (current_user IN ('franchise360_api', 'franchise360_worker')) EXECUTE FUNCTION keep_to_first_states('waiting');
ALTER TABLE einvoice_registrations ENABLE ALWAYS TRIGGER first_states;

-- The list of staff.
CREATE POLICY lookup ON einvoice_registrations FOR SELECT TO franchise360_lookup USING (true);
GRANT SELECT (invoice_id, franchiser_id, state, tries, code, message, acknowledged_at, asked_at, changed_at)
    ON einvoice_registrations TO franchise360_lookup;

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

CREATE FUNCTION einvoice_counts()
    RETURNS TABLE (state text, documents bigint)
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ BEGIN
        PERFORM public.require_staff();
        RETURN QUERY SELECT r.state, count(*) FROM public.einvoice_registrations r WHERE r.state <> 'registered' GROUP BY r.state;
    END $$;
-- +goose StatementEnd
ALTER FUNCTION einvoices(text, uuid, int, int) OWNER TO franchise360_lookup;
ALTER FUNCTION einvoice_counts() OWNER TO franchise360_lookup;
REVOKE ALL ON FUNCTION einvoices(text, uuid, int, int), einvoice_counts() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION einvoices(text, uuid, int, int), einvoice_counts() TO franchise360_api;

-- +goose Down
DROP FUNCTION einvoice_counts(), einvoices(text, uuid, int, int);
DROP TABLE einvoice_registrations;
