-- One bank transfer pays one refund: its reference (UTR) is kept in capitals and booked once.

-- +goose Up
UPDATE reversals SET bank_reference = upper(bank_reference) WHERE bank_reference <> upper(bank_reference);
-- What was booked under one reference before stays booked: the second one is told apart by /2 behind it.
UPDATE refunds r SET bank_reference = n.reference || CASE WHEN n.place > 1 THEN '/' || n.place ELSE '' END
FROM (SELECT id, upper(bank_reference) AS reference, row_number() OVER (PARTITION BY upper(bank_reference) ORDER BY created_at, id) AS place
    FROM refunds WHERE bank_reference <> '') n
WHERE r.id = n.id;
UPDATE reversals v SET bank_reference = r.bank_reference FROM refunds r
WHERE r.id = v.refund_id AND v.bank_reference <> '' AND r.bank_reference <> v.bank_reference;
ALTER TABLE reversals ADD CONSTRAINT reversals_bank_reference_capitals CHECK (bank_reference = upper(bank_reference));
ALTER TABLE refunds ADD CONSTRAINT refunds_bank_reference_capitals CHECK (bank_reference = upper(bank_reference));
CREATE UNIQUE INDEX refunds_transfer_once ON refunds (bank_reference) WHERE bank_reference <> '';
CREATE INDEX reversals_of_transfer ON reversals (bank_reference) WHERE bank_reference <> '';

-- +goose Down
DROP INDEX reversals_of_transfer;
DROP INDEX refunds_transfer_once;
ALTER TABLE refunds DROP CONSTRAINT refunds_bank_reference_capitals;
ALTER TABLE reversals DROP CONSTRAINT reversals_bank_reference_capitals;
