-- What a credit note says for the customer, apart from what staff note for themselves. Empty where nothing was said.

-- +goose Up
ALTER TABLE reversals
    ADD COLUMN printed_reason text NOT NULL DEFAULT '' CHECK (char_length(printed_reason) <= 200),
    ADD CHECK (printed_reason = '' OR kind IN ('refund', 'credit_note'));
ALTER TABLE refunds ADD COLUMN printed_reason text NOT NULL DEFAULT '' CHECK (char_length(printed_reason) <= 200);

-- +goose Down
ALTER TABLE refunds DROP COLUMN printed_reason;
ALTER TABLE reversals DROP COLUMN printed_reason;
