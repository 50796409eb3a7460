-- Staff end a debit by mandate that its bank does not decide.

-- +goose Up
ALTER TABLE staff_acts DROP CONSTRAINT staff_acts_kind_check;
ALTER TABLE staff_acts ADD CONSTRAINT staff_acts_kind_check CHECK (kind IN ('short_payment', 'end_debit', 'correct_recipient', 'cancel_plan',
    'switch_plan', 'reset_authenticator', 'change_mobile', 'outage_grace')) NOT VALID;
ALTER TABLE staff_acts VALIDATE CONSTRAINT staff_acts_kind_check;

-- +goose Down
ALTER TABLE staff_acts DROP CONSTRAINT staff_acts_kind_check;
ALTER TABLE staff_acts ADD CONSTRAINT staff_acts_kind_check CHECK (kind IN ('short_payment', 'correct_recipient', 'cancel_plan',
    'switch_plan', 'reset_authenticator', 'change_mobile', 'outage_grace')) NOT VALID;
