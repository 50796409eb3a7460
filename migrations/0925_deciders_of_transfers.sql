-- +goose Up
-- Whoever entered a credit decides what a colleague asked of it: with the one who asked, two have seen it.
ALTER POLICY another_decides ON bank_credit_uses
    WITH CHECK (decided_by = CASE kind WHEN 'return' THEN (SELECT acting_staff('admin')) ELSE (SELECT acting_staff('finance')) END
        AND decided_by <> requested_by AND state IN ('requested', 'declined'));

-- +goose Down
ALTER POLICY another_decides ON bank_credit_uses
    WITH CHECK (decided_by = CASE kind WHEN 'return' THEN (SELECT acting_staff('admin')) ELSE (SELECT acting_staff('finance')) END
        AND decided_by <> requested_by AND (state = 'declined' OR state = 'requested'
            AND NOT EXISTS (SELECT FROM bank_credits c WHERE c.id = credit_id AND c.entered_by = decided_by)));
