-- Money that a gateway adds or takes by itself waits for staff once.

-- +goose Up
ALTER TABLE settlement_differences
    DROP CONSTRAINT settlement_differences_kind_check,
    ADD CONSTRAINT settlement_differences_kind_check CHECK (kind IN
        ('unknown_to_us', 'not_paid_here', 'not_settled', 'capture_amount', 'settled_twice', 'unknown_refund', 'refund_amount',
            'refund_returned', 'unknown_dispute', 'dispute_taken', 'dispute_amount', 'dispute_not_taken', 'dispute_returned', 'net_amount',
            'changed', 'withdrawn', 'adjustment'));

-- +goose Down
DELETE FROM settlement_differences WHERE kind = 'adjustment';
ALTER TABLE settlement_differences
    DROP CONSTRAINT settlement_differences_kind_check,
    ADD CONSTRAINT settlement_differences_kind_check CHECK (kind IN
        ('unknown_to_us', 'not_paid_here', 'not_settled', 'capture_amount', 'settled_twice', 'unknown_refund', 'refund_amount',
            'refund_returned', 'unknown_dispute', 'dispute_taken', 'dispute_amount', 'dispute_not_taken', 'dispute_returned', 'net_amount',
            'changed', 'withdrawn'));
