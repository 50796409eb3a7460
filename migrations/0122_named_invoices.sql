-- No invoice is addressed to an e-mail any more. An unpaid order that would be is cancelled: who comes back is asked for a
-- name, and what is paid for it nevertheless is given back as for any cancelled order.

-- +goose Up
UPDATE orders SET state = 'cancelled' WHERE state = 'open' AND recipient->>'name' ~ '^\S+@\S+\.\S+$';

-- +goose Down
SELECT 1; -- what was cancelled stays so
