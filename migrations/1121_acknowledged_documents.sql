-- The day on which the registration portal acknowledged a document is printed beside the acknowledgement's number. Documents that were
-- registered before stay as they were printed.

-- +goose Up
ALTER TABLE invoices ADD COLUMN ack_at timestamptz;
GRANT UPDATE (ack_at) ON invoices TO franchise360_worker;
-- +goose StatementBegin
-- keep_invoice lets nothing of a document change but its registration for e-invoicing and that it was replaced, each once.
CREATE OR REPLACE FUNCTION keep_invoice() RETURNS trigger
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
-- +goose StatementEnd

-- +goose Down
-- +goose StatementBegin
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
REVOKE UPDATE (ack_at) ON invoices FROM franchise360_worker;
ALTER TABLE invoices DROP COLUMN ack_at;
