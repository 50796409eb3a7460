-- +goose Up
-- Who has the mobile of an account is told by SMS when its erasure is asked for. The table holds some months and is checked in a moment.
-- A worker of before cancels the job of such a row, as it knows no text for it.
ALTER TABLE one_time_codes DROP CONSTRAINT one_time_codes_purpose_check;
ALTER TABLE one_time_codes ADD CONSTRAINT one_time_codes_purpose_check
    CHECK (purpose IN ('sign_up', 'password_reset', 'change_mobile', 'change_email', 'erasure'));
ALTER TABLE one_time_codes DROP CONSTRAINT one_time_codes_message_check;
ALTER TABLE one_time_codes ADD CONSTRAINT one_time_codes_message_check
    CHECK (message IN ('code', 'account_exists', 'mobile_changed', 'erasure_asked', 'none'));

-- +goose Down
DELETE FROM one_time_codes WHERE purpose = 'erasure' OR message = 'erasure_asked';
ALTER TABLE one_time_codes DROP CONSTRAINT one_time_codes_purpose_check;
ALTER TABLE one_time_codes ADD CONSTRAINT one_time_codes_purpose_check
    CHECK (purpose IN ('sign_up', 'password_reset', 'change_mobile', 'change_email'));
ALTER TABLE one_time_codes DROP CONSTRAINT one_time_codes_message_check;
ALTER TABLE one_time_codes ADD CONSTRAINT one_time_codes_message_check
    CHECK (message IN ('code', 'account_exists', 'mobile_changed', 'none'));
