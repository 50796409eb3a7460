-- The lists of payments and orders name every document of a payment, not its invoice alone.

-- +goose Up
CREATE INDEX invoices_of_payment ON invoices (payment_id);

-- +goose Down
DROP INDEX invoices_of_payment;
