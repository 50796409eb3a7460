-- Locked books are opened again by two people: a member of staff asks, another approves, and the worker opens them.

-- +goose Up
ALTER TABLE staff_acts DROP CONSTRAINT staff_acts_kind_check;
ALTER TABLE staff_acts ADD CONSTRAINT staff_acts_kind_check CHECK (kind IN ('short_payment', 'end_debit', 'correct_recipient', 'cancel_plan',
    'switch_plan', 'reset_authenticator', 'change_mobile', 'outage_grace', 'open_books')) NOT VALID;
ALTER TABLE staff_acts VALIDATE CONSTRAINT staff_acts_kind_check;
GRANT INSERT ON book_locks TO franchise360_worker;
-- An admin alone can only lock further.
DROP POLICY own_name ON book_locks;
CREATE POLICY own_name ON book_locks FOR INSERT TO franchise360_api
    WITH CHECK (staff_id = (SELECT acting_staff('admin')) AND (locked_through + 1)::timestamp AT TIME ZONE 'Asia/Kolkata' > books_open_from());

-- +goose Down
DROP POLICY own_name ON book_locks;
CREATE POLICY own_name ON book_locks FOR INSERT TO franchise360_api WITH CHECK (staff_id = (SELECT acting_staff('admin')));
REVOKE INSERT ON book_locks FROM franchise360_worker;
ALTER TABLE staff_acts DROP CONSTRAINT staff_acts_kind_check;
ALTER TABLE staff_acts ADD CONSTRAINT staff_acts_kind_check CHECK (kind IN ('short_payment', 'end_debit', 'correct_recipient', 'cancel_plan',
    'switch_plan', 'reset_authenticator', 'change_mobile', 'outage_grace')) NOT VALID;
