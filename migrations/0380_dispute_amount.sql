-- +goose Up
-- A chargeback of another amount than was booked as lost is a kind of its own; it was told as a refund's.
ALTER TABLE settlement_differences DROP CONSTRAINT settlement_differences_kind_check;
ALTER TABLE settlement_differences ADD CONSTRAINT settlement_differences_kind_check CHECK (kind IN
    ('unknown_to_us', 'not_paid_here', 'not_settled', 'capture_amount', 'settled_twice', 'unknown_refund', 'refund_amount',
    'refund_returned', 'unknown_dispute', 'dispute_taken', 'dispute_amount', 'dispute_not_taken', 'dispute_returned', 'net_amount',
    'changed', 'withdrawn')) NOT VALID;
ALTER TABLE settlement_differences VALIDATE CONSTRAINT settlement_differences_kind_check;
UPDATE settlement_differences d SET kind = 'dispute_amount'
FROM settlement_lines l
WHERE d.kind = 'refund_amount' AND l.gateway = d.gateway AND l.line_id = d.line_id AND l.kind = 'chargeback';

-- +goose Down
UPDATE settlement_differences SET kind = 'refund_amount' WHERE kind = 'dispute_amount';
ALTER TABLE settlement_differences DROP CONSTRAINT settlement_differences_kind_check;
ALTER TABLE settlement_differences ADD CONSTRAINT settlement_differences_kind_check CHECK (kind IN
    ('unknown_to_us', 'not_paid_here', 'not_settled', 'capture_amount', 'settled_twice', 'unknown_refund', 'refund_amount',
    'refund_returned', 'unknown_dispute', 'dispute_taken', 'dispute_not_taken', 'dispute_returned', 'net_amount', 'changed',
    'withdrawn'));
