-- What of a refund never came as money, because the customer had deducted it as tax: it is taken from the tax that is to be received.

-- +goose Up
ALTER TABLE tds_records ADD COLUMN reversed_paise bigint NOT NULL DEFAULT 0 -- taken back with refunds of the bill
    CHECK (reversed_paise BETWEEN 0 AND amount_paise);
GRANT UPDATE (reversed_paise) ON tds_records TO franchise360_worker;
ALTER TABLE refunds ADD COLUMN withheld_paise bigint NOT NULL DEFAULT 0 -- what of it was no money: deducted tax
    CHECK (withheld_paise BETWEEN 0 AND amount_paise);

-- +goose Down
ALTER TABLE refunds DROP COLUMN withheld_paise;
REVOKE UPDATE (reversed_paise) ON tds_records FROM franchise360_worker;
ALTER TABLE tds_records DROP COLUMN reversed_paise;
