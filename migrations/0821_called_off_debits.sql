-- A debit that was called off is no attempt: whoever pauses and resumes, or skips and takes that back, does not use the attempts up.

-- +goose Up
CREATE UNIQUE INDEX mandate_debits_one_a_number ON mandate_debits (mandate_id, renew_on, number) WHERE state <> 'called_off';
ALTER TABLE mandate_debits DROP CONSTRAINT mandate_debits_mandate_id_renew_on_number_key;

-- +goose Down
ALTER TABLE mandate_debits ADD CONSTRAINT mandate_debits_mandate_id_renew_on_number_key UNIQUE (mandate_id, renew_on, number);
DROP INDEX mandate_debits_one_a_number;
