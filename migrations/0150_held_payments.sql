-- Whether money of a franchiser is held is asked before each charge.

-- +goose Up
CREATE INDEX payments_held ON payments (franchiser_id) WHERE state = 'held';

-- +goose Down
DROP INDEX payments_held;
