-- +goose Up
-- Debits that failed are looked at for money that came all the same.
CREATE INDEX mandate_debits_failed ON mandate_debits (decided_at) WHERE state = 'failed' AND payment_id IS NOT NULL;

-- +goose Down
DROP INDEX mandate_debits_failed;
