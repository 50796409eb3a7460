-- A settlement difference that nothing will ever clear is acknowledged by an admin, who says why. It counts as open no longer, and
-- stays with what explains its line. Another amount opens it again; the audit trail keeps what was acknowledged before.

-- +goose Up
ALTER TABLE settlement_differences
    ADD COLUMN acknowledged_at   timestamptz,
    ADD COLUMN acknowledged_by   uuid REFERENCES staff (id),
    ADD COLUMN acknowledged_name text,
    ADD COLUMN acknowledgement   text CHECK (char_length(acknowledgement) BETWEEN 1 AND 500),
    ADD CONSTRAINT settlement_differences_acknowledged CHECK (
        num_nulls(acknowledged_at, acknowledged_by, acknowledged_name, acknowledgement) IN (0, 4)
        AND (acknowledged_at IS NULL OR kind NOT IN ('not_paid_here', 'not_settled', 'unknown_refund', 'unknown_dispute', 'dispute_taken')));
GRANT UPDATE (acknowledged_at, acknowledged_by, acknowledged_name, acknowledgement) ON settlement_differences TO franchise360_api;
CREATE INDEX settlement_differences_known ON settlement_differences (acknowledged_at) WHERE acknowledged_at IS NOT NULL;

-- +goose Down
REVOKE UPDATE (acknowledged_at, acknowledged_by, acknowledged_name, acknowledgement) ON settlement_differences FROM franchise360_api;
DROP INDEX settlement_differences_known;
ALTER TABLE settlement_differences DROP CONSTRAINT settlement_differences_acknowledged, DROP COLUMN acknowledged_at,
    DROP COLUMN acknowledged_by, DROP COLUMN acknowledged_name, DROP COLUMN acknowledgement;
