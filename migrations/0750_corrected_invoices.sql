-- An invoice to the wrong recipient is taken back whole by a credit note, and another one takes its place. Documents never change; that one
-- was replaced is not part of it.

-- +goose Up
ALTER TABLE invoices
    ADD COLUMN replaced    boolean NOT NULL DEFAULT false, -- another invoice settles with the payment now
    ADD COLUMN corrects_id uuid,                           -- the invoice that a credit note takes back, or that an invoice replaces
    ADD CONSTRAINT invoices_corrects FOREIGN KEY (franchiser_id, corrects_id) REFERENCES invoices (franchiser_id, id),
    ADD CONSTRAINT invoices_replaced CHECK (NOT replaced OR kind = 'invoice'),
    ADD CONSTRAINT invoices_correct_invoices CHECK (corrects_id IS NULL OR kind = 'invoice' AND corrects_id <> id
        OR kind = 'credit_note' AND corrects_id = original_id AND NOT commercial),
    DROP CONSTRAINT invoices_name_their_cause,
    ADD CONSTRAINT invoices_name_their_cause CHECK (CASE kind
        WHEN 'credit_note' THEN num_nonnulls(refund_id, applied_payment_id, corrects_id) = 1
        WHEN 'refund_voucher' THEN refund_id IS NOT NULL AND applied_payment_id IS NULL
        ELSE refund_id IS NULL AND applied_payment_id IS NULL END);
CREATE UNIQUE INDEX invoices_once_corrected ON invoices (corrects_id, kind) WHERE corrects_id IS NOT NULL;
DROP INDEX invoices_once_per_payment;
CREATE UNIQUE INDEX invoices_once_per_payment ON invoices (payment_id) WHERE kind = 'invoice' AND NOT replaced;
GRANT UPDATE (replaced) ON invoices TO franchise360_worker;
GRANT SELECT (corrects_id) ON invoices TO franchise360_lookup;

-- +goose StatementBegin
-- keep_invoice lets nothing of a document change but its registration for e-invoicing and that it was replaced, each once.
CREATE OR REPLACE FUNCTION keep_invoice() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    IF (OLD.irn IS NOT NULL OR OLD.ack_no IS NOT NULL OR OLD.signed_qr IS NOT NULL)
            AND (OLD.irn, OLD.ack_no, OLD.signed_qr) IS DISTINCT FROM (NEW.irn, NEW.ack_no, NEW.signed_qr)
        OR OLD.replaced AND NOT NEW.replaced
        OR (to_jsonb(OLD) - '{irn,ack_no,signed_qr,replaced}'::text[]) <> (to_jsonb(NEW) - '{irn,ack_no,signed_qr,replaced}'::text[]) THEN
        RAISE EXCEPTION 'invoices are immutable' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
-- +goose StatementEnd

CREATE OR REPLACE VIEW document_overview WITH (security_invoker = true) AS
    SELECT id, franchiser_id, payment_id, applied_payment_id, refund_id, kind, number, issued_at, taxable_paise, cgst_paise,
        sgst_paise, utgst_paise, igst_paise, total_paise, reason,
        kind = 'credit_note' AND NOT commercial AND total_paise > taxable_paise AND coalesce(recipient->>'gstin', '') <> ''
            AS reverses_input_tax,
        coalesce(recipient->>'gstin', '') AS recipient_gstin, coalesce(recipient->>'name', '') AS recipient_name, place_of_supply,
        replaced, corrects_id
    FROM invoices;
CREATE OR REPLACE VIEW invoice_line_overview WITH (security_invoker = true) AS
    SELECT l.invoice_id, l.franchiser_id, l.position, i.kind, i.number, i.payment_id, i.original_id, i.commercial, i.issued_at,
        l.description, l.taxable_paise, l.taxable_paise + l.cgst_paise + l.sgst_paise + l.utgst_paise + l.igst_paise AS total_paise,
        i.corrects_id
    FROM invoice_lines l JOIN invoices i ON i.franchiser_id = l.franchiser_id AND i.id = l.invoice_id;

-- +goose StatementBegin
-- taxed_documents_of_all has the documents that were issued in a time, one row for each service code and rate. A voucher has
-- when the invoice that followed it was first issued, and when its money went back.
CREATE OR REPLACE FUNCTION taxed_documents_of_all(after timestamptz, before timestamptz)
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
-- +goose StatementEnd

-- +goose Down
-- +goose StatementBegin
-- taxed_documents_of_all has the documents that were issued in a time, one row for each service code and rate. A voucher has
-- when the invoice that followed it was issued, and when its money went back.
CREATE OR REPLACE FUNCTION taxed_documents_of_all(after timestamptz, before timestamptz)
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

-- keep_invoice lets nothing of a document change but its registration for e-invoicing, and that once.
CREATE OR REPLACE FUNCTION keep_invoice() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    IF OLD.irn IS NOT NULL OR OLD.ack_no IS NOT NULL OR OLD.signed_qr IS NOT NULL
        OR (to_jsonb(OLD) - '{irn,ack_no,signed_qr}'::text[]) <> (to_jsonb(NEW) - '{irn,ack_no,signed_qr}'::text[]) THEN
        RAISE EXCEPTION 'invoices are immutable' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
-- +goose StatementEnd
DROP VIEW invoice_line_overview;
CREATE VIEW invoice_line_overview WITH (security_invoker = true) AS
    SELECT l.invoice_id, l.franchiser_id, l.position, i.kind, i.number, i.payment_id, i.original_id, i.commercial, i.issued_at,
        l.description, l.taxable_paise, l.taxable_paise + l.cgst_paise + l.sgst_paise + l.utgst_paise + l.igst_paise AS total_paise
    FROM invoice_lines l JOIN invoices i ON i.franchiser_id = l.franchiser_id AND i.id = l.invoice_id;
COMMENT ON VIEW invoice_line_overview IS 'invoice: the lines of documents with the document they are on';
GRANT SELECT ON invoice_line_overview TO franchise360_api, franchise360_worker;
DROP VIEW document_overview;
CREATE VIEW document_overview WITH (security_invoker = true) AS
    SELECT id, franchiser_id, payment_id, applied_payment_id, refund_id, kind, number, issued_at, taxable_paise, cgst_paise,
        sgst_paise, utgst_paise, igst_paise, total_paise, reason,
        kind = 'credit_note' AND NOT commercial AND total_paise > taxable_paise AND coalesce(recipient->>'gstin', '') <> ''
            AS reverses_input_tax,
        coalesce(recipient->>'gstin', '') AS recipient_gstin, coalesce(recipient->>'name', '') AS recipient_name, place_of_supply
    FROM invoices;
COMMENT ON VIEW document_overview IS 'invoice: the tax documents of a payment, without their lines';
GRANT SELECT ON document_overview TO franchise360_api, franchise360_worker;
REVOKE UPDATE (replaced) ON invoices FROM franchise360_worker;
-- Documents are never shortened: while one was corrected, this fails.
DROP INDEX invoices_once_per_payment;
CREATE UNIQUE INDEX invoices_once_per_payment ON invoices (payment_id) WHERE kind = 'invoice';
ALTER TABLE invoices DROP CONSTRAINT invoices_name_their_cause,
    DROP CONSTRAINT invoices_replaced, DROP CONSTRAINT invoices_correct_invoices,
    ADD CONSTRAINT invoices_name_their_cause CHECK (CASE kind
        WHEN 'credit_note' THEN (refund_id IS NULL) <> (applied_payment_id IS NULL)
        WHEN 'refund_voucher' THEN refund_id IS NOT NULL AND applied_payment_id IS NULL
        ELSE refund_id IS NULL AND applied_payment_id IS NULL END);
ALTER TABLE invoices DROP COLUMN replaced, DROP COLUMN corrects_id;
