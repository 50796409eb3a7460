-- The unused part of what an upgrade replaces: given back by a credit note to its own invoice, and taken off what is paid
-- for the upgrade. Credit notes without GST once the time limit of section 34(2) has passed; receipt and refund vouchers
-- for money that is held (rules 50 and 51). Amounts are paise.

-- +goose Up
-- total_paise stays what the invoice will say; what is asked for is less by credit_paise.
ALTER TABLE orders
    ADD COLUMN credit_paise bigint NOT NULL DEFAULT 0 CHECK (credit_paise >= 0),
    ADD CONSTRAINT orders_credit_below_total CHECK (credit_paise = 0 OR credit_paise < total_paise);

-- What an order credits of a line of an earlier invoice, as it was priced.
CREATE TABLE order_credits (
    order_id      uuid   NOT NULL,
    franchiser_id uuid   NOT NULL,
    invoice_id    uuid   NOT NULL,
    position      int    NOT NULL CHECK (position > 0), -- the line's on that invoice
    title         text   NOT NULL,                      -- the plan that it was paid for
    taxable_paise bigint NOT NULL CHECK (taxable_paise >= 0),
    cgst_paise    bigint NOT NULL CHECK (cgst_paise >= 0),
    sgst_paise    bigint NOT NULL CHECK (sgst_paise >= 0),
    utgst_paise   bigint NOT NULL CHECK (utgst_paise >= 0),
    igst_paise    bigint NOT NULL CHECK (igst_paise >= 0),
    PRIMARY KEY (order_id, invoice_id, position),
    FOREIGN KEY (franchiser_id, order_id) REFERENCES orders (franchiser_id, id),
    FOREIGN KEY (franchiser_id, invoice_id) REFERENCES invoices (franchiser_id, id)
);
CREATE INDEX order_credits_of_franchiser ON order_credits (franchiser_id, order_id);
CALL isolate('order_credits');
GRANT SELECT, INSERT, DELETE ON order_credits TO franchise360_api, franchise360_worker;

-- A credit note is of a refund, or of an upgrade whose payment it reduces.
ALTER TABLE invoices
    ADD COLUMN IF NOT EXISTS applied_payment_id uuid,
    ADD COLUMN IF NOT EXISTS commercial boolean NOT NULL DEFAULT false, -- without GST, after the time limit of section 34(2)
    DROP CONSTRAINT IF EXISTS invoices_applied_to,
    DROP CONSTRAINT invoices_kind_check,
    DROP CONSTRAINT IF EXISTS invoices_check2,
    DROP CONSTRAINT IF EXISTS invoices_check3,
    DROP CONSTRAINT IF EXISTS invoices_name_their_original,
    DROP CONSTRAINT IF EXISTS invoices_name_their_cause,
    DROP CONSTRAINT IF EXISTS invoices_commercial_without_tax,
    ADD CONSTRAINT invoices_applied_to FOREIGN KEY (franchiser_id, applied_payment_id) REFERENCES payments (franchiser_id, id),
    ADD CONSTRAINT invoices_kind_check CHECK (kind IN ('invoice', 'credit_note', 'receipt_voucher', 'refund_voucher')),
    ADD CONSTRAINT invoices_name_their_original CHECK ((kind IN ('credit_note', 'refund_voucher')) = (original_id IS NOT NULL)),
    ADD CONSTRAINT invoices_name_their_cause CHECK (CASE kind
        WHEN 'credit_note' THEN (refund_id IS NULL) <> (applied_payment_id IS NULL)
        WHEN 'refund_voucher' THEN refund_id IS NOT NULL AND applied_payment_id IS NULL
        ELSE refund_id IS NULL AND applied_payment_id IS NULL END),
    ADD CONSTRAINT invoices_commercial_without_tax CHECK (NOT commercial OR kind = 'credit_note'
        AND cgst_paise + sgst_paise + utgst_paise + igst_paise = 0);
CREATE UNIQUE INDEX IF NOT EXISTS invoices_once_per_upgrade ON invoices (original_id, applied_payment_id) WHERE applied_payment_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS invoices_applied ON invoices (franchiser_id, applied_payment_id) WHERE applied_payment_id IS NOT NULL;
CREATE UNIQUE INDEX IF NOT EXISTS invoices_once_per_receipt ON invoices (payment_id) WHERE kind = 'receipt_voucher';
CREATE UNIQUE INDEX IF NOT EXISTS invoices_once_per_return ON invoices (refund_id) WHERE kind = 'refund_voucher';

-- +goose StatementBegin
-- New events of the books: a credit note that pays for an upgrade, and money given back that nothing was left to credit for.
-- The kinds that are known so far stay.
DO $$
DECLARE
    known text;
BEGIN
    SELECT string_agg(quote_literal(k[1]), ', ') INTO known
    FROM pg_constraint c, regexp_matches(pg_get_constraintdef(c.oid), '''([a-z_]+)''', 'g') AS k
    WHERE c.conname = 'ledger_journals_kind_check';
    ALTER TABLE ledger_journals DROP CONSTRAINT ledger_journals_kind_check;
    EXECUTE format('ALTER TABLE ledger_journals ADD CONSTRAINT ledger_journals_kind_check CHECK (kind IN (%s, %L, %L))',
        known, 'credit_applied', 'refund_loss');
END $$;
-- +goose StatementEnd

-- +goose Down
-- The wider rules of the books and documents stay: documents are never taken back, and books are never shortened.
DROP TABLE order_credits;
ALTER TABLE orders DROP COLUMN credit_paise; -- its check goes with it
