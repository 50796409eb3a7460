-- What was sent to a mobile before it had an account stays for support to see, after the sign-up that asked for it is done.

-- +goose Up
ALTER TABLE one_time_codes DROP CONSTRAINT one_time_codes_sign_up_id_fkey;
ALTER TABLE one_time_codes ADD FOREIGN KEY (sign_up_id) REFERENCES pending_sign_ups ON DELETE SET NULL;

-- +goose Down
ALTER TABLE one_time_codes DROP CONSTRAINT one_time_codes_sign_up_id_fkey;
ALTER TABLE one_time_codes ADD FOREIGN KEY (sign_up_id) REFERENCES pending_sign_ups ON DELETE CASCADE;
