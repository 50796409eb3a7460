-- Tax invoices and credit notes: immutable snapshots, and the location of their PDFs. Amounts are paise.
--
-- A credit note reverses an invoice to the wrong recipient in full; a new invoice replaces it. Documents never change, so an invoice does
-- not show its replacement.

-- +goose Up
-- +goose StatementBegin
SET LOCAL check_function_bodies = off;

CREATE FUNCTION refuse_held_numbers() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM public.invoice_number_holds) THEN
        RAISE EXCEPTION 'no document is numbered until `numbers resume` has been told which numbers were given'
            USING ERRCODE = 'object_not_in_prerequisite_state';
    END IF;
    RETURN NEW;
END $$;

-- One row per series and financial year, locked from numbering until the transaction ends. So a rollback releases the number and the series
-- has no gaps, unlike a sequence.
CREATE TABLE invoice_counters (
    series         text   NOT NULL CHECK (series ~ '^[A-Z]{1,4}$'),
    financial_year text   NOT NULL CHECK (financial_year ~ '^[0-9]{2}-[0-9]{2}$'),
    last           bigint NOT NULL CHECK (last > 0),
    last_issued_at timestamptz NOT NULL, -- a later number never has an earlier date
    lost           int8multirange NOT NULL DEFAULT '{}', -- numbers that a restore lost
    PRIMARY KEY (series, financial_year)
);
CREATE TRIGGER invoice_counters_are_not_held BEFORE INSERT OR UPDATE ON invoice_counters
    FOR EACH ROW EXECUTE FUNCTION refuse_held_numbers();
GRANT SELECT, INSERT, UPDATE ON invoice_counters TO franchise360_api, franchise360_worker;

-- keep_invoice rejects all changes except the e-invoice registration and the replaced flag, each once.
CREATE FUNCTION keep_invoice() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    IF (OLD.irn IS NOT NULL OR OLD.ack_no IS NOT NULL OR OLD.signed_qr IS NOT NULL OR OLD.ack_at IS NOT NULL)
            AND (OLD.irn, OLD.ack_no, OLD.signed_qr, OLD.ack_at) IS DISTINCT FROM (NEW.irn, NEW.ack_no, NEW.signed_qr, NEW.ack_at)
        OR OLD.replaced AND NOT NEW.replaced
        OR (to_jsonb(OLD) - '{irn,ack_no,signed_qr,ack_at,replaced}'::text[]) <> (to_jsonb(NEW) - '{irn,ack_no,signed_qr,ack_at,replaced}'::text[]) THEN
        RAISE EXCEPTION 'invoices are immutable' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;

CREATE FUNCTION tell_document() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.kind = 'invoice' THEN
        PERFORM public.tell_webhooks('invoice.issued', NEW.franchiser_id,
            jsonb_build_object('account_id', NEW.franchiser_id, 'invoice_id', NEW.id, 'state', 'issued'), NEW.issued_at);
    ELSE
        PERFORM public.tell_webhooks('credit_note.issued', NEW.franchiser_id,
            jsonb_build_object('account_id', NEW.franchiser_id, 'credit_note_id', NEW.id, 'invoice_id', NEW.original_id, 'state', 'issued'),
            NEW.issued_at);
    END IF;
    RETURN NULL;
END $$;

CREATE FUNCTION note_document_to_draw() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO public.documents_to_draw (invoice_id, franchiser_id, issued_at) VALUES (NEW.id, NEW.franchiser_id, NEW.issued_at);
    RETURN NULL;
END $$;

-- A credit note belongs to a refund, or to an upgrade whose payment it reduces. Receipt and refund vouchers are for held money
-- (rules 50 and 51).
CREATE TABLE invoices (
    id              uuid        PRIMARY KEY,
    franchiser_id   uuid        NOT NULL REFERENCES franchisers,
    kind            text        NOT NULL CHECK (kind IN ('invoice', 'credit_note', 'receipt_voucher', 'refund_voucher')),
    payment_id      uuid        NOT NULL,
    original_id     uuid,
    refund_id       uuid,
    reason          text        NOT NULL DEFAULT '',
    series          text        NOT NULL,
    financial_year  text        NOT NULL,
    sequence        bigint      NOT NULL CHECK (sequence > 0),
    number          text        NOT NULL UNIQUE CHECK (number ~ '^[A-Za-z0-9/-]{1,16}$'), -- rule 46(b) CGST Rules
    issued_at       timestamptz NOT NULL,
    supplier        jsonb       NOT NULL,
    recipient       jsonb       NOT NULL,
    receipt         jsonb       NOT NULL,
    place_of_supply text        NOT NULL CHECK (place_of_supply ~ '^[0-9]{2}$'),
    reverse_charge  boolean     NOT NULL DEFAULT false,
    regime          text        NOT NULL CHECK (regime IN ('cgst_sgst', 'cgst_utgst', 'igst')),
    amount_paise    bigint      NOT NULL CHECK (amount_paise >= 0),
    discount_paise  bigint      NOT NULL CHECK (discount_paise >= 0),
    taxable_paise   bigint      NOT NULL CHECK (taxable_paise >= 0),
    cgst_paise      bigint      NOT NULL CHECK (cgst_paise >= 0),
    sgst_paise      bigint      NOT NULL CHECK (sgst_paise >= 0),
    utgst_paise     bigint      NOT NULL CHECK (utgst_paise >= 0),
    igst_paise      bigint      NOT NULL CHECK (igst_paise >= 0),
    total_paise     bigint      NOT NULL CHECK (total_paise > 0),
    irn             text, -- e-invoice reference, set once by the portal's answer
    ack_no          text,
    signed_qr       text,
    applied_payment_id uuid, -- the upgrade whose payment a credit note reduces
    commercial      boolean     NOT NULL DEFAULT false, -- without GST, after the time limit of section 34(2)
    replaced        boolean     NOT NULL DEFAULT false, -- another invoice settles the payment
    corrects_id     uuid, -- the invoice that a credit note reverses or an invoice replaces
    ack_at          timestamptz,
    UNIQUE (franchiser_id, id),
    UNIQUE (series, financial_year, sequence),
    FOREIGN KEY (franchiser_id, payment_id) REFERENCES payments (franchiser_id, id),
    FOREIGN KEY (franchiser_id, original_id) REFERENCES invoices (franchiser_id, id),
    FOREIGN KEY (franchiser_id, refund_id) REFERENCES refunds (franchiser_id, id),
    CHECK (taxable_paise = amount_paise - discount_paise),
    CHECK (total_paise = taxable_paise + cgst_paise + sgst_paise + utgst_paise + igst_paise),
    CONSTRAINT invoices_applied_to FOREIGN KEY (franchiser_id, applied_payment_id) REFERENCES payments (franchiser_id, id),
    CONSTRAINT invoices_name_their_original CHECK ((kind IN ('credit_note', 'refund_voucher')) = (original_id IS NOT NULL)),
    CONSTRAINT invoices_commercial_without_tax CHECK (NOT commercial OR kind = 'credit_note'
        AND cgst_paise + sgst_paise + utgst_paise + igst_paise = 0),
    CONSTRAINT invoices_corrects FOREIGN KEY (franchiser_id, corrects_id) REFERENCES invoices (franchiser_id, id),
    CONSTRAINT invoices_replaced CHECK (NOT replaced OR kind = 'invoice'),
    CONSTRAINT invoices_correct_invoices CHECK (corrects_id IS NULL OR kind = 'invoice' AND corrects_id <> id
        OR kind = 'credit_note' AND corrects_id = original_id AND NOT commercial),
    CONSTRAINT invoices_name_their_cause CHECK (CASE kind
        WHEN 'credit_note' THEN num_nonnulls(refund_id, applied_payment_id, corrects_id) = 1
        WHEN 'refund_voucher' THEN refund_id IS NOT NULL AND applied_payment_id IS NULL
        ELSE refund_id IS NULL AND applied_payment_id IS NULL END)
);
CREATE UNIQUE INDEX invoices_once_per_refund ON invoices (refund_id) WHERE kind = 'credit_note';
CREATE UNIQUE INDEX invoices_once_per_upgrade ON invoices (original_id, applied_payment_id) WHERE applied_payment_id IS NOT NULL;
CREATE UNIQUE INDEX invoices_once_per_receipt ON invoices (payment_id) WHERE kind = 'receipt_voucher';
CREATE UNIQUE INDEX invoices_once_per_return ON invoices (refund_id) WHERE kind = 'refund_voucher';
CREATE INDEX invoices_of_payment ON invoices (payment_id); -- lists of payments and orders name every document of a payment
CREATE INDEX invoices_applied ON invoices (franchiser_id, applied_payment_id) WHERE applied_payment_id IS NOT NULL;
CREATE INDEX invoices_of_franchiser ON invoices (franchiser_id, issued_at DESC);
CREATE INDEX invoices_of_original ON invoices (franchiser_id, original_id) WHERE kind = 'credit_note';
CREATE INDEX invoices_reversing ON invoices (issued_at DESC, id DESC)
    WHERE kind = 'credit_note' AND NOT commercial AND total_paise > taxable_paise AND coalesce(recipient->>'gstin', '') <> '';
CREATE INDEX invoices_search_number ON invoices (number COLLATE "C");
CREATE INDEX invoices_of_time ON invoices (issued_at);
CREATE INDEX invoices_search_irn ON invoices (irn) WHERE irn IS NOT NULL;
CREATE UNIQUE INDEX invoices_once_corrected ON invoices (corrects_id, kind) WHERE corrects_id IS NOT NULL;
CREATE UNIQUE INDEX invoices_once_per_payment ON invoices (payment_id) WHERE kind = 'invoice' AND NOT replaced;
CREATE INDEX invoices_number_ending ON invoices (ltrim(substring(number FROM '[0-9]+$'), '0'));
CALL isolate('invoices');
-- For staff search and lists.
CREATE POLICY lookup ON invoices FOR SELECT TO franchise360_lookup USING (true);
CREATE TRIGGER keep BEFORE UPDATE ON invoices FOR EACH ROW EXECUTE FUNCTION keep_invoice();
CREATE TRIGGER no_delete BEFORE DELETE OR TRUNCATE ON invoices FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER to_draw AFTER INSERT ON invoices FOR EACH ROW EXECUTE FUNCTION note_document_to_draw();
GRANT SELECT, INSERT ON invoices TO franchise360_api, franchise360_worker;
GRANT UPDATE (irn, ack_no, signed_qr, replaced, ack_at) ON invoices TO franchise360_worker;
GRANT SELECT (id, franchiser_id, kind, payment_id, number, issued_at, recipient, taxable_paise, total_paise, commercial, series, sequence,
    supplier, place_of_supply, regime, original_id, irn, ack_no, corrects_id, applied_payment_id) ON invoices TO franchise360_lookup;

CREATE TABLE invoice_lines (
    invoice_id     uuid   NOT NULL,
    franchiser_id  uuid   NOT NULL,
    position       int    NOT NULL CHECK (position > 0),
    description    text   NOT NULL,
    detail         text   NOT NULL DEFAULT '',
    sac            text   NOT NULL CHECK (sac ~ '^[0-9]{4,8}$'),
    rate_bps       int    NOT NULL CHECK (rate_bps BETWEEN 0 AND 10000),
    quantity       bigint NOT NULL CHECK (quantity > 0),
    amount_paise   bigint NOT NULL CHECK (amount_paise >= 0),
    discount_paise bigint NOT NULL CHECK (discount_paise >= 0),
    taxable_paise  bigint NOT NULL CHECK (taxable_paise >= 0),
    cgst_paise     bigint NOT NULL CHECK (cgst_paise >= 0),
    sgst_paise     bigint NOT NULL CHECK (sgst_paise >= 0),
    utgst_paise    bigint NOT NULL CHECK (utgst_paise >= 0),
    igst_paise     bigint NOT NULL CHECK (igst_paise >= 0),
    PRIMARY KEY (invoice_id, position),
    FOREIGN KEY (franchiser_id, invoice_id) REFERENCES invoices (franchiser_id, id),
    CHECK (taxable_paise = amount_paise - discount_paise)
);
CREATE INDEX invoice_lines_of_franchiser ON invoice_lines (franchiser_id);
CALL isolate('invoice_lines');
CREATE POLICY lookup ON invoice_lines FOR SELECT TO franchise360_lookup USING (true);
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON invoice_lines
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
GRANT SELECT, INSERT ON invoice_lines TO franchise360_api, franchise360_worker;
GRANT SELECT (invoice_id, sac, rate_bps, taxable_paise, cgst_paise, sgst_paise, utgst_paise,
    igst_paise) ON invoice_lines TO franchise360_lookup;

CREATE FUNCTION note_drawn_document() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM public.documents_to_draw WHERE invoice_id = NEW.invoice_id;
    RETURN NULL;
END $$;

-- The rendered PDF's location. The key contains the content hash, so a key's content never changes.
CREATE TABLE invoice_documents (
    invoice_id    uuid        PRIMARY KEY,
    franchiser_id uuid        NOT NULL,
    object_key    text        NOT NULL UNIQUE,
    sha256        text        NOT NULL CHECK (sha256 ~ '^[0-9a-f]{64}$'),
    size_bytes    bigint      NOT NULL CHECK (size_bytes > 0),
    rendered_at   timestamptz NOT NULL,
    FOREIGN KEY (franchiser_id, invoice_id) REFERENCES invoices (franchiser_id, id)
);
CREATE INDEX invoice_documents_of_franchiser ON invoice_documents (franchiser_id);
CALL isolate('invoice_documents');
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON invoice_documents
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER drawn AFTER INSERT ON invoice_documents FOR EACH ROW EXECUTE FUNCTION note_drawn_document();
GRANT SELECT ON invoice_documents TO franchise360_api;
GRANT SELECT, INSERT ON invoice_documents TO franchise360_worker;

-- A document that is missing in the object store according to the check. The row is deleted after recovery.
CREATE TABLE lost_documents (
    invoice_id uuid        PRIMARY KEY REFERENCES invoice_documents (invoice_id),
    found_at   timestamptz NOT NULL,
    tried_by   bigint, -- the job that last tried to restore it
    different  boolean     NOT NULL DEFAULT false -- this release renders it differently; only a backup restores it
);
GRANT SELECT ON lost_documents TO franchise360_api;
GRANT SELECT, INSERT, UPDATE, DELETE ON lost_documents TO franchise360_worker;

-- The check's position. It continues after the last document and restarts after the newest.
CREATE TABLE document_check (
    only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    after    uuid, -- NULL at a round's start
    ended_at timestamptz -- when it last reached the end
);
INSERT INTO document_check DEFAULT VALUES;
GRANT SELECT ON document_check TO franchise360_api;
GRANT SELECT, UPDATE ON document_check TO franchise360_worker;

-- A row blocks the numbering of documents. A restore writes it, because the numbers issued after the restored moment are unknown and would
-- be used twice. `numbers resume` deletes it after it gets the last numbers.
CREATE TABLE invoice_number_holds (
    single     boolean     PRIMARY KEY DEFAULT true CHECK (single),
    reason     text        NOT NULL CHECK (reason <> ''),
    held_since timestamptz NOT NULL
);
GRANT SELECT ON invoice_number_holds TO franchise360_api, franchise360_worker;

-- Documents without a PDF, for the staff work list.
CREATE TABLE documents_to_draw (
    invoice_id    uuid        PRIMARY KEY,
    franchiser_id uuid        NOT NULL,
    issued_at     timestamptz NOT NULL
);
CALL isolate('documents_to_draw');
CREATE POLICY lookup ON documents_to_draw FOR SELECT TO franchise360_lookup USING (true);
GRANT INSERT ON documents_to_draw TO franchise360_api;
GRANT SELECT, INSERT, DELETE ON documents_to_draw TO franchise360_worker;
GRANT SELECT ON documents_to_draw TO franchise360_lookup;

-- search_documents finds tax documents by number, id or IRN.
CREATE FUNCTION search_documents(q text) RETURNS TABLE (franchiser_id uuid, kind text, label text, exact boolean) LANGUAGE sql STABLE AS $$
    (SELECT i.franchiser_id, CASE i.kind WHEN 'credit_note' THEN i.kind ELSE 'invoice' END, i.number, i.number = upper(q) FROM public.invoices i
        WHERE length(q) >= 5 AND i.number COLLATE "C" >= upper(q) AND i.number COLLATE "C" <= upper(q) || chr(1114111)
        ORDER BY i.number COLLATE "C" LIMIT (SELECT public.search_limit()))
    UNION ALL SELECT i.franchiser_id, CASE i.kind WHEN 'credit_note' THEN i.kind ELSE 'invoice' END, i.number, true FROM public.invoices i
        WHERE i.id = public.id_in(q)
    UNION ALL (SELECT i.franchiser_id, 'irn', i.number, true FROM public.invoices i WHERE length(q) = 64 AND i.irn = q LIMIT 8) 
    UNION ALL (SELECT i.franchiser_id, CASE i.kind WHEN 'credit_note' THEN i.kind ELSE 'invoice' END, i.number, n.year FROM public.number_in(q) n JOIN public.invoices i
            ON ltrim(substring(i.number FROM '[0-9]+$'), '0') = n.ending
        WHERE regexp_replace(upper(i.number), '[^A-Z0-9]', '', 'g') LIKE n.beginning ORDER BY i.kind <> 'invoice', i.id DESC LIMIT 8) $$;

CREATE FUNCTION number_of_document(document uuid) RETURNS TABLE (number text)
    LANGUAGE sql STABLE
    AS $$ SELECT i.number FROM public.invoices i WHERE i.id = document $$;

-- notes_to_reverse returns credit notes whose recipients must reverse input tax credit.
CREATE FUNCTION notes_to_reverse() RETURNS TABLE (id uuid, franchiser_id uuid, payment_id uuid, number text, issued_at timestamptz, name
        text,
        gstin text, taxable_paise bigint, total_paise bigint)
    LANGUAGE sql STABLE
    AS $$
    SELECT i.id, i.franchiser_id, i.payment_id, i.number, i.issued_at, i.recipient->>'name', i.recipient->>'gstin', i.taxable_paise,
        i.total_paise
    FROM public.invoices i
    WHERE i.kind = 'credit_note' AND NOT i.commercial AND i.total_paise > i.taxable_paise AND coalesce(i.recipient->>'gstin', '') <> '' $$;

-- taxed_documents_of_all returns a period's documents, one row per service code and rate. A voucher includes when its first invoice was
-- issued, and when its money was refunded.
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
        UNION -- an earlier voucher whose advance was used in the period
        SELECT v.id FROM public.invoices i JOIN public.invoices v ON v.franchiser_id = i.franchiser_id
            AND (i.kind = 'invoice' AND i.corrects_id IS NULL AND v.payment_id = i.payment_id OR i.kind = 'refund_voucher' AND v.id = i.original_id)
        WHERE i.issued_at >= after AND i.issued_at < before AND v.kind = 'receipt_voucher'
    )
    SELECT i.id, i.franchiser_id, i.kind, i.series, i.sequence, i.number, i.issued_at, coalesce(i.recipient->>'name', ''),
        coalesce(i.recipient->>'gstin', ''), coalesce((i.recipient->>'sez')::boolean, false), coalesce(i.supplier->>'gstin', ''),
        coalesce(i.supplier->>'state_code', ''), i.place_of_supply, i.regime, i.commercial, i.total_paise,
        coalesce(o.number, ''), coalesce(o.total_paise, 0),
        CASE WHEN i.kind = 'receipt_voucher' THEN (SELECT n.issued_at FROM public.invoices n
            WHERE n.franchiser_id = i.franchiser_id AND n.payment_id = i.payment_id AND n.kind = 'invoice' AND n.corrects_id IS NULL) END,
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

-- documents_without_file returns older documents without a PDF.
CREATE FUNCTION documents_without_file(before timestamptz)
    RETURNS TABLE (franchiser_id uuid, invoice_id uuid, number text, kind text, issued_at timestamptz)
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ BEGIN
        PERFORM public.require_staff();
        RETURN QUERY SELECT i.franchiser_id, i.id, i.number, i.kind, i.issued_at
            FROM public.documents_to_draw w JOIN public.invoices i ON i.id = w.invoice_id WHERE w.issued_at < before;
    END $$;

-- registered_documents returns documents.
CREATE FUNCTION registered_documents(wanted uuid[])
    RETURNS TABLE (id uuid, kind text, number text, issued_at timestamptz, total_paise bigint, name text, gstin text, irn text, ack_no text)
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ BEGIN
        PERFORM public.require_staff();
        RETURN QUERY SELECT i.id, i.kind, i.number, i.issued_at, i.total_paise, i.recipient->>'name', coalesce(i.recipient->>'gstin', ''),
            coalesce(i.irn, ''), coalesce(i.ack_no, '')
        FROM public.invoices i WHERE i.id = ANY (wanted);
    END $$;

-- numbers_of_payments returns the number of each payment's newest invoice.
CREATE FUNCTION numbers_of_payments(wanted uuid[])
    RETURNS TABLE (payment_id uuid, number text)
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ BEGIN
        PERFORM public.require_staff();
        RETURN QUERY SELECT DISTINCT ON (i.payment_id) i.payment_id, i.number FROM public.invoices i
        WHERE i.payment_id = ANY (wanted) AND i.kind = 'invoice' ORDER BY i.payment_id, i.issued_at DESC, i.id DESC;
    END $$;

CREATE FUNCTION latest_recipients(wanted uuid[])
    RETURNS TABLE (franchiser_id uuid, name text, gstin text, state_code text, also text)
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ BEGIN
        PERFORM public.require_staff();
        RETURN QUERY SELECT DISTINCT ON (i.franchiser_id) i.franchiser_id, coalesce(i.recipient->>'name', ''),
            coalesce(i.recipient->>'gstin', ''), coalesce(i.recipient->>'state_code', ''), coalesce(i.recipient->>'also', '')
        FROM public.invoices i WHERE i.franchiser_id = ANY (wanted)
        ORDER BY i.franchiser_id, i.issued_at DESC, i.id DESC;
    END $$;

-- invoice_counts reports whether a document is an invoice that is not fully credited.
CREATE FUNCTION invoice_counts(document uuid) RETURNS boolean
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT EXISTS (SELECT FROM public.invoices i WHERE i.id = document AND i.kind = 'invoice' AND i.total_paise > (
        SELECT coalesce(sum(n.total_paise), 0) FROM public.invoices n
        WHERE n.franchiser_id = i.franchiser_id AND n.original_id = i.id AND n.kind = 'credit_note')) $$;

-- credit_note_of returns a credit note's invoice and issue time; no row for other documents.
CREATE FUNCTION credit_note_of(document uuid) RETURNS TABLE (original uuid, issued timestamptz)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT i.original_id, i.issued_at FROM public.invoices i WHERE i.id = document AND i.kind = 'credit_note' $$;

CREATE FUNCTION invoice_issued_at(document uuid) RETURNS timestamptz
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT i.issued_at FROM public.invoices i WHERE i.id = document $$;

-- paid_by_notes returns how much of an upgrade the credit notes of earlier payments paid, by payment.
CREATE FUNCTION paid_by_notes(customer uuid, upgrade uuid) RETURNS TABLE (payment_id uuid, total_paise bigint)
    LANGUAGE sql STABLE
    AS $$ SELECT i.payment_id, sum(i.total_paise)::bigint FROM public.invoices i
        WHERE i.franchiser_id = customer AND i.applied_payment_id = upgrade GROUP BY i.payment_id $$;

-- Owner and callers of the functions above.
ALTER FUNCTION taxed_documents_of_all(timestamptz, timestamptz) OWNER TO franchise360_lookup;
ALTER FUNCTION taxed_documents(timestamptz, timestamptz) OWNER TO franchise360_lookup;
ALTER FUNCTION documents_without_file(timestamptz) OWNER TO franchise360_lookup;
ALTER FUNCTION registered_documents(uuid[]) OWNER TO franchise360_lookup;
ALTER FUNCTION numbers_of_payments(uuid[]) OWNER TO franchise360_lookup;
ALTER FUNCTION latest_recipients(uuid[]) OWNER TO franchise360_lookup;
ALTER FUNCTION invoice_counts(uuid) OWNER TO franchise360_lookup;
ALTER FUNCTION credit_note_of(uuid) OWNER TO franchise360_lookup;
ALTER FUNCTION invoice_issued_at(uuid) OWNER TO franchise360_lookup;
REVOKE ALL ON FUNCTION search_documents(text), number_of_document(uuid), notes_to_reverse(),
    taxed_documents_of_all(timestamptz, timestamptz), taxed_documents(timestamptz, timestamptz), documents_without_file(timestamptz),
    registered_documents(uuid[]), numbers_of_payments(uuid[]), latest_recipients(uuid[]), invoice_counts(uuid), credit_note_of(uuid),
    invoice_issued_at(uuid), paid_by_notes(uuid, uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION search_documents(text), number_of_document(uuid), notes_to_reverse() TO franchise360_lookup;
GRANT EXECUTE ON FUNCTION paid_by_notes(uuid, uuid) TO franchise360_api, franchise360_worker, franchise360_lookup;
GRANT EXECUTE ON FUNCTION taxed_documents(timestamptz, timestamptz), documents_without_file(timestamptz), registered_documents(uuid[]),
    numbers_of_payments(uuid[]), latest_recipients(uuid[]) TO franchise360_api;

-- A recipient with a GSTIN reverses the input tax that a credit note returns (section 34(2), CGST Act 2017).
CREATE VIEW document_overview WITH (security_invoker = true) AS
    SELECT id, franchiser_id, payment_id, applied_payment_id, refund_id, kind, number, issued_at, taxable_paise, cgst_paise,
        sgst_paise, utgst_paise, igst_paise, total_paise, reason,
        kind = 'credit_note' AND NOT commercial AND total_paise > taxable_paise AND coalesce(recipient->>'gstin', '') <> ''
            AS reverses_input_tax,
        coalesce(recipient->>'gstin', '') AS recipient_gstin, coalesce(recipient->>'name', '') AS recipient_name, place_of_supply,
        replaced, corrects_id
    FROM invoices;
COMMENT ON VIEW document_overview IS 'invoice: the tax documents of a payment, without their lines';
GRANT SELECT ON document_overview TO franchise360_api, franchise360_worker;

-- Document lines for other domains. An order line has the position of its invoice line.
CREATE VIEW invoice_line_overview WITH (security_invoker = true) AS
    SELECT l.invoice_id, l.franchiser_id, l.position, i.kind, i.number, i.payment_id, i.original_id, i.commercial, i.issued_at,
        l.description, l.taxable_paise, l.taxable_paise + l.cgst_paise + l.sgst_paise + l.utgst_paise + l.igst_paise AS total_paise,
        i.corrects_id
    FROM invoice_lines l JOIN invoices i ON i.franchiser_id = l.franchiser_id AND i.id = l.invoice_id;
COMMENT ON VIEW invoice_line_overview IS 'invoice: the lines of documents with the document they are on';
GRANT SELECT ON invoice_line_overview TO franchise360_api, franchise360_worker;

-- Foreign keys of earlier files to documents.
ALTER TABLE order_credits ADD FOREIGN KEY (franchiser_id, invoice_id) REFERENCES invoices (franchiser_id, id);
ALTER TABLE input_tax_states ADD FOREIGN KEY (franchiser_id, invoice_id) REFERENCES invoices (franchiser_id, id);
-- +goose StatementEnd
