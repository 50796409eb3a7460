-- +goose Up
-- When the customer, or whoever has a pay-link, was last given the session of a payment that was begun earlier: a debit waits for them.
ALTER TABLE payments ADD COLUMN gone_on_at timestamptz;

-- +goose Down
ALTER TABLE payments DROP COLUMN gone_on_at;
