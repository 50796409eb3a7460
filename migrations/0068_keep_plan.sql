-- What staff choose for the plan when all of a payment goes back: it ends, unless they leave it running as goodwill.

-- +goose Up
ALTER TABLE reversals
    ADD COLUMN keep_plan boolean NOT NULL DEFAULT false,
    ADD CHECK (NOT keep_plan OR kind IN ('refund', 'credit_note'));
ALTER TABLE refunds
    ADD COLUMN keep_plan boolean NOT NULL DEFAULT false,
    ADD CHECK (NOT keep_plan OR reason = 'staff');

-- +goose Down
ALTER TABLE refunds DROP COLUMN keep_plan;
ALTER TABLE reversals DROP COLUMN keep_plan;
