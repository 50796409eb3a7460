-- What a refund that failed for good owes, of money that was never invoiced: staff pay it by bank transfer, and book that.

-- +goose Up
ALTER TABLE reversals DROP CONSTRAINT reversals_kind_check;
ALTER TABLE reversals ADD CONSTRAINT reversals_kind_check
    CHECK (kind IN ('refund', 'credit_note', 'bank_transfer', 'release', 'chargeback'));
-- +goose StatementBegin
DO $$
DECLARE c text;
BEGIN
    SELECT conname INTO STRICT c FROM pg_constraint WHERE conrelid = 'reversals'::regclass AND contype = 'c'
        AND pg_get_constraintdef(oid) LIKE '%bank_reference%';
    EXECUTE format('ALTER TABLE reversals DROP CONSTRAINT %I', c);
END $$;
-- +goose StatementEnd
ALTER TABLE reversals ADD CONSTRAINT reversals_bank_reference_check
    CHECK ((kind IN ('credit_note', 'bank_transfer')) = (bank_reference <> ''));
DROP INDEX refunds_surplus_once;
CREATE UNIQUE INDEX refunds_surplus_once ON refunds (payment_id, gateway_payment_id) WHERE reason = 'surplus' AND state <> 'failed';

-- +goose Down
DROP INDEX refunds_surplus_once;
CREATE UNIQUE INDEX refunds_surplus_once ON refunds (payment_id, gateway_payment_id) WHERE reason = 'surplus';
ALTER TABLE reversals DROP CONSTRAINT reversals_bank_reference_check;
ALTER TABLE reversals ADD CONSTRAINT reversals_bank_reference_check CHECK ((kind = 'credit_note') = (bank_reference <> ''));
ALTER TABLE reversals DROP CONSTRAINT reversals_kind_check;
ALTER TABLE reversals ADD CONSTRAINT reversals_kind_check CHECK (kind IN ('refund', 'credit_note', 'release', 'chargeback'));
