-- A dispute that is booked as lost, and for which the gateway took no money, is a difference of the settlements.

-- +goose Up
ALTER TABLE settlement_differences DROP CONSTRAINT settlement_differences_kind_check;
ALTER TABLE settlement_differences ADD CONSTRAINT settlement_differences_kind_check CHECK (kind IN
    ('unknown_to_us', 'not_paid_here', 'not_settled', 'capture_amount', 'settled_twice', 'unknown_refund', 'refund_amount',
        'refund_returned', 'unknown_dispute', 'dispute_taken', 'dispute_not_taken', 'dispute_returned', 'net_amount', 'changed', 'withdrawn'));

-- +goose Down
DELETE FROM settlement_differences WHERE kind = 'dispute_not_taken';
ALTER TABLE settlement_differences DROP CONSTRAINT settlement_differences_kind_check;
ALTER TABLE settlement_differences ADD CONSTRAINT settlement_differences_kind_check CHECK (kind IN
    ('unknown_to_us', 'not_paid_here', 'not_settled', 'capture_amount', 'settled_twice', 'unknown_refund',
        'refund_amount', 'refund_returned', 'unknown_dispute', 'dispute_taken', 'dispute_returned', 'net_amount', 'changed', 'withdrawn'));
