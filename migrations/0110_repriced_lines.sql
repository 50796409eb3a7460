-- The lines of an order say what was invoiced: what was paid later than it was asked for covers fewer days and costs less.

-- +goose Up
GRANT UPDATE (label, rate_bps, amount_paise, discount_paise, credit_paise, tax_paise) ON order_lines
    TO franchise360_api, franchise360_worker;

-- +goose Down
REVOKE UPDATE (label, rate_bps, amount_paise, discount_paise, credit_paise, tax_paise) ON order_lines
    FROM franchise360_api, franchise360_worker;
