-- When the open lines of a gateway were last judged. Reading a day's settlement and judging its lines are two transactions, and
-- whoever checks the books between them must not take a line that nobody looked at yet for one that was left out.

-- +goose Up
ALTER TABLE settlement_days ADD COLUMN judged_at timestamptz;
UPDATE settlement_days SET judged_at = compared_at;

-- +goose Down
ALTER TABLE settlement_days DROP COLUMN judged_at;
