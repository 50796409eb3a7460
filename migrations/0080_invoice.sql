-- Tax invoices and credit notes: immutable snapshots, and where their PDFs are stored. Amounts are paise.

-- +goose Up
-- One row per series and financial year. It is locked from the moment a number is taken until the issuing transaction
-- ends, so that a rollback releases the number and the series has no gaps; a sequence would have some.
CREATE TABLE invoice_counters (
    series         text   NOT NULL CHECK (series ~ '^[A-Z]{1,4}$'),
    financial_year text   NOT NULL CHECK (financial_year ~ '^[0-9]{2}-[0-9]{2}$'),
    last           bigint NOT NULL CHECK (last > 0),
    last_issued_at timestamptz NOT NULL,           -- a later number never has an earlier date
    PRIMARY KEY (series, financial_year)
);
GRANT SELECT, INSERT, UPDATE ON invoice_counters TO franchise360_api, franchise360_worker;

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
    irn             text,                          -- e-invoicing, filled once by the registration portal's answer
    ack_no          text,
    signed_qr       text,
    applied_payment_id uuid,                       -- the upgrade whose payment a credit note reduces
    commercial      boolean     NOT NULL DEFAULT false, -- without GST, after the time limit of section 34(2)
    UNIQUE (franchiser_id, id),
    UNIQUE (series, financial_year, sequence),
    FOREIGN KEY (franchiser_id, payment_id) REFERENCES payments (franchiser_id, id),
    FOREIGN KEY (franchiser_id, original_id) REFERENCES invoices (franchiser_id, id),
    FOREIGN KEY (franchiser_id, refund_id) REFERENCES refunds (franchiser_id, id),
    CHECK (taxable_paise = amount_paise - discount_paise),
    CHECK (total_paise = taxable_paise + cgst_paise + sgst_paise + utgst_paise + igst_paise),
    CONSTRAINT invoices_applied_to FOREIGN KEY (franchiser_id, applied_payment_id) REFERENCES payments (franchiser_id, id),
    CONSTRAINT invoices_name_their_original CHECK ((kind IN ('credit_note', 'refund_voucher')) = (original_id IS NOT NULL)),
    CONSTRAINT invoices_name_their_cause CHECK (CASE kind
        WHEN 'credit_note' THEN (refund_id IS NULL) <> (applied_payment_id IS NULL)
        WHEN 'refund_voucher' THEN refund_id IS NOT NULL AND applied_payment_id IS NULL
        ELSE refund_id IS NULL AND applied_payment_id IS NULL END),
    CONSTRAINT invoices_commercial_without_tax CHECK (NOT commercial OR kind = 'credit_note'
        AND cgst_paise + sgst_paise + utgst_paise + igst_paise = 0)
);
CREATE UNIQUE INDEX invoices_once_per_payment ON invoices (payment_id) WHERE kind = 'invoice';
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
CALL isolate('invoices');
GRANT SELECT, INSERT ON invoices TO franchise360_api, franchise360_worker;
-- For the search and the lists of staff.
CREATE POLICY lookup ON invoices FOR SELECT TO franchise360_lookup USING (true);
GRANT SELECT (id, franchiser_id, kind, payment_id, number, issued_at, recipient, taxable_paise, total_paise, commercial)
    ON invoices TO franchise360_lookup;

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
GRANT SELECT, INSERT ON invoice_lines TO franchise360_api, franchise360_worker;

-- Where the rendered PDF is stored. The key contains the hash of the bytes, so that the content under a key never changes.
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
GRANT SELECT ON invoice_documents TO franchise360_api;
GRANT SELECT, INSERT ON invoice_documents TO franchise360_worker;

-- +goose StatementBegin
-- keep_invoice lets nothing of a document change but its registration for e-invoicing, and that once.
CREATE FUNCTION keep_invoice() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    IF OLD.irn IS NOT NULL OR OLD.ack_no IS NOT NULL OR OLD.signed_qr IS NOT NULL
        OR (to_jsonb(OLD) - '{irn,ack_no,signed_qr}'::text[]) <> (to_jsonb(NEW) - '{irn,ack_no,signed_qr}'::text[]) THEN
        RAISE EXCEPTION 'invoices are immutable' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
-- +goose StatementEnd
CREATE TRIGGER keep BEFORE UPDATE ON invoices FOR EACH ROW EXECUTE FUNCTION keep_invoice();
CREATE TRIGGER no_delete BEFORE DELETE OR TRUNCATE ON invoices FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON invoice_lines
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON invoice_documents
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Tables of earlier files that refer to documents: credits of orders, and the states of input tax credit.
ALTER TABLE order_credits ADD FOREIGN KEY (franchiser_id, invoice_id) REFERENCES invoices (franchiser_id, id);
ALTER TABLE input_tax_states ADD FOREIGN KEY (franchiser_id, invoice_id) REFERENCES invoices (franchiser_id, id);

-- +goose StatementBegin
-- The credit notes of all customers whose recipients have input tax credit to reverse, with the recorded state. For staff only, who
-- prove it to reversing_notes.
CREATE FUNCTION reversing_notes_of_all(wanted text, most int, passing int)
    RETURNS TABLE (id uuid, franchiser_id uuid, number text, issued_at timestamptz, name text, gstin text, taxable_paise bigint,
        tax_paise bigint, total_paise bigint, transaction_id text, state text, evidence text, recorded_by text, recorded_at timestamptz, of_all bigint)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$
    SELECT i.id, i.franchiser_id, i.number, i.issued_at, i.recipient->>'name', i.recipient->>'gstin', i.taxable_paise,
        i.total_paise - i.taxable_paise, i.total_paise, coalesce(p.transaction_id, ''), coalesce(s.state, 'unknown'), coalesce(s.evidence, ''),
        coalesce(s.staff_name, ''), s.recorded_at, count(*) OVER ()
    FROM public.invoices i
        LEFT JOIN public.payments p ON p.franchiser_id = i.franchiser_id AND p.id = i.payment_id
        LEFT JOIN LATERAL (SELECT l.state, l.evidence, l.staff_name, l.recorded_at FROM public.input_tax_states l
            WHERE l.invoice_id = i.id ORDER BY l.sequence DESC LIMIT 1) s ON true
    WHERE i.kind = 'credit_note' AND NOT i.commercial AND i.total_paise > i.taxable_paise AND coalesce(i.recipient->>'gstin', '') <> ''
        AND (wanted = '' OR coalesce(s.state, 'unknown') = wanted)
    ORDER BY i.issued_at DESC, i.id DESC LIMIT most OFFSET passing $$;

CREATE FUNCTION reversing_notes(wanted text, most int, passing int)
    RETURNS TABLE (id uuid, franchiser_id uuid, number text, issued_at timestamptz, name text, gstin text, taxable_paise bigint,
        tax_paise bigint, total_paise bigint, transaction_id text, state text, evidence text, recorded_by text, recorded_at timestamptz, of_all bigint)
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ BEGIN PERFORM public.require_staff(); RETURN QUERY SELECT * FROM public.reversing_notes_of_all(wanted, most, passing); END $$;
-- +goose StatementEnd
ALTER FUNCTION reversing_notes_of_all(text, int, int) OWNER TO franchise360_lookup;
REVOKE ALL ON FUNCTION reversing_notes_of_all(text, int, int) FROM PUBLIC;
ALTER FUNCTION reversing_notes(text, int, int) OWNER TO franchise360_lookup;
REVOKE ALL ON FUNCTION reversing_notes(text, int, int) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION reversing_notes(text, int, int) TO franchise360_api;

-- What others may read of these tables.

-- A recipient with a GSTIN reverses the input tax that a credit note returns (section 34(2), CGST Act 2017).
CREATE VIEW document_overview WITH (security_invoker = true) AS
    SELECT id, franchiser_id, payment_id, applied_payment_id, refund_id, kind, number, issued_at, taxable_paise, cgst_paise,
        sgst_paise, utgst_paise, igst_paise, total_paise, reason,
        kind = 'credit_note' AND NOT commercial AND total_paise > taxable_paise AND coalesce(recipient->>'gstin', '') <> ''
            AS reverses_input_tax
    FROM invoices;
COMMENT ON VIEW document_overview IS 'invoice: the tax documents of a payment, without their lines';
GRANT SELECT ON document_overview TO franchise360_api, franchise360_worker;

-- +goose Down
DROP VIEW document_overview;
DROP FUNCTION reversing_notes(text, int, int), reversing_notes_of_all(text, int, int);
ALTER TABLE input_tax_states DROP CONSTRAINT input_tax_states_franchiser_id_invoice_id_fkey;
ALTER TABLE order_credits DROP CONSTRAINT order_credits_franchiser_id_invoice_id_fkey;
DROP TABLE invoice_documents, invoice_lines, invoices, invoice_counters;
DROP FUNCTION keep_invoice();
