-- +goose Up
-- A debit by mandate is a payment without a browser: no checkout resumes it, and an open one of the customer's does not stand in its way.
ALTER TABLE payments ADD COLUMN by_mandate boolean NOT NULL DEFAULT false;
DROP INDEX payments_one_open;
CREATE UNIQUE INDEX payments_one_open ON payments (order_id, by_mandate) WHERE state IN ('created', 'pending');
CREATE INDEX payments_debits_open ON payments (franchiser_id) WHERE by_mandate AND state IN ('created', 'pending');

-- +goose Down
DROP INDEX payments_debits_open;
DROP INDEX payments_one_open;
CREATE UNIQUE INDEX payments_one_open ON payments (order_id) WHERE state IN ('created', 'pending');
ALTER TABLE payments DROP COLUMN by_mandate;
