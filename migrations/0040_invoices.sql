-- Tax invoices and credit notes: snapshots that nothing changes, and where their PDFs lie. Amounts are paise.

-- +goose Up
-- +goose StatementBegin
-- refuse_change keeps a table append-only, for its owner too.
CREATE FUNCTION refuse_change() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END $$;
-- +goose StatementEnd

-- One row a series and financial year. It is locked from the moment a number is taken until the issuing transaction
-- ends, so that a rollback gives the number back and the series has no gaps; a sequence would leave some.
CREATE TABLE invoice_counters (
    series         text   NOT NULL CHECK (series ~ '^[A-Z]{1,4}$'),
    financial_year text   NOT NULL CHECK (financial_year ~ '^[0-9]{2}-[0-9]{2}$'),
    last           bigint NOT NULL CHECK (last > 0),
    last_issued_at timestamptz NOT NULL,           -- a later number never has an earlier date
    PRIMARY KEY (series, financial_year)
);
GRANT SELECT, INSERT, UPDATE ON invoice_counters TO franchise360_api, franchise360_worker;

CREATE TABLE invoices (
    id              uuid        PRIMARY KEY,
    franchiser_id   uuid        NOT NULL REFERENCES franchisers,
    kind            text        NOT NULL CHECK (kind IN ('invoice', 'credit_note')),
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
    UNIQUE (franchiser_id, id),
    UNIQUE (series, financial_year, sequence),
    FOREIGN KEY (franchiser_id, payment_id) REFERENCES payments (franchiser_id, id),
    FOREIGN KEY (franchiser_id, original_id) REFERENCES invoices (franchiser_id, id),
    FOREIGN KEY (franchiser_id, refund_id) REFERENCES refunds (franchiser_id, id),
    CHECK (taxable_paise = amount_paise - discount_paise),
    CHECK (total_paise = taxable_paise + cgst_paise + sgst_paise + utgst_paise + igst_paise),
    CHECK ((kind = 'credit_note') = (original_id IS NOT NULL)),
    CHECK ((kind = 'credit_note') = (refund_id IS NOT NULL))
);
CREATE UNIQUE INDEX invoices_once_per_payment ON invoices (payment_id) WHERE kind = 'invoice';
CREATE UNIQUE INDEX invoices_once_per_refund ON invoices (refund_id) WHERE kind = 'credit_note';
CREATE INDEX invoices_of_franchiser ON invoices (franchiser_id, issued_at DESC);
CREATE INDEX invoices_of_original ON invoices (franchiser_id, original_id) WHERE kind = 'credit_note';
CALL isolate('invoices');
GRANT SELECT, INSERT ON invoices TO franchise360_api, franchise360_worker;

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

-- Where the rendered PDF lies. The key holds the hash of the bytes, so that a key never changes its content.
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

-- +goose Down
DROP TABLE invoice_documents, invoice_lines, invoices, invoice_counters;
DROP FUNCTION keep_invoice();
DROP FUNCTION refuse_change();
