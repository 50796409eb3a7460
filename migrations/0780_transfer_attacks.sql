-- Bank transfers after an attack on them: a customer's proformas and told numbers are limited, a credit whose number is that of another is
-- kept, a number that was mistyped can be entered again, and an account number is closed when its customer's data is erased.

-- +goose Up
ALTER TABLE proformas ADD COLUMN told_count int NOT NULL DEFAULT 0 CHECK (told_count >= 0); -- how many numbers the customer has told
GRANT UPDATE (told_count, state) ON proformas TO franchise360_api;
GRANT UPDATE (document, account, po_number, told_utr, told_at) ON proformas TO franchise360_worker; -- erasure
CREATE INDEX proformas_due ON proformas (amount_paise) WHERE state IN ('open', 'expired');
CREATE INDEX proformas_of_account ON proformas (virtual_id) WHERE virtual_id IS NOT NULL;

-- +goose StatementBegin
-- A customer ends a proforma by asking for another one, never one for which money was received.
CREATE FUNCTION only_replace_proformas() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.state <> 'cancelled' OR EXISTS (SELECT FROM public.bank_credit_uses u WHERE u.proforma_id = NEW.id AND u.state = 'done') THEN
        RAISE EXCEPTION 'this proforma is not ended by its customer' USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;
-- +goose StatementEnd
CREATE TRIGGER replacing BEFORE UPDATE OF state ON proformas FOR EACH ROW
    WHEN (OLD.state <> NEW.state AND current_user = 'franchise360_api') EXECUTE FUNCTION only_replace_proformas();

-- Banks give one number twice: a credit that a collector lists under a known number is kept, marked, and waits for staff.
ALTER TABLE bank_credits ADD COLUMN clash boolean NOT NULL DEFAULT false CHECK (NOT clash OR entered_by IS NULL);
ALTER TABLE bank_credits DROP CONSTRAINT bank_credits_utr;
CREATE UNIQUE INDEX bank_credits_utr ON bank_credits (utr) WHERE state <> 'dismissed' AND NOT clash;
CREATE INDEX bank_credits_by_utr ON bank_credits (utr);
CREATE INDEX bank_credits_of_account ON bank_credits (virtual_id) WHERE virtual_id IS NOT NULL;
GRANT UPDATE (payer_name, payer_account, narration) ON bank_credits TO franchise360_worker; -- erasure
GRANT SELECT (utr, state) ON bank_credits TO franchise360_lookup;
DROP TRIGGER known_transfer ON bank_credits;
CREATE TRIGGER known_transfer BEFORE INSERT ON bank_credits FOR EACH ROW WHEN (NOT NEW.clash) EXECUTE FUNCTION refuse_known_credit();

-- +goose StatementBegin
CREATE OR REPLACE FUNCTION bank_credit_exists(number text) RETURNS boolean
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT EXISTS (SELECT FROM public.bank_credits c WHERE c.utr = number AND c.state <> 'dismissed') $$;
-- +goose StatementEnd

ALTER TABLE virtual_accounts ADD COLUMN closed_at timestamptz; -- when its customer's data was erased; the collector closes it then
GRANT UPDATE (closed_at, beneficiary) ON virtual_accounts TO franchise360_worker;

-- +goose Down
REVOKE UPDATE (closed_at, beneficiary) ON virtual_accounts FROM franchise360_worker;
ALTER TABLE virtual_accounts DROP COLUMN closed_at;
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION bank_credit_exists(number text) RETURNS boolean
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT EXISTS (SELECT FROM public.bank_credits c WHERE c.utr = number) $$;
-- +goose StatementEnd
DROP TRIGGER known_transfer ON bank_credits;
CREATE TRIGGER known_transfer BEFORE INSERT ON bank_credits FOR EACH ROW EXECUTE FUNCTION refuse_known_credit();
REVOKE SELECT (state) ON bank_credits FROM franchise360_lookup;
REVOKE UPDATE (payer_name, payer_account, narration) ON bank_credits FROM franchise360_worker;
DROP INDEX bank_credits_of_account, bank_credits_by_utr, bank_credits_utr;
ALTER TABLE bank_credits DROP COLUMN clash;
ALTER TABLE bank_credits ADD CONSTRAINT bank_credits_utr UNIQUE (utr);
DROP TRIGGER replacing ON proformas;
DROP FUNCTION only_replace_proformas();
DROP INDEX proformas_of_account, proformas_due;
REVOKE UPDATE (document, account, po_number, told_utr, told_at) ON proformas FROM franchise360_worker;
REVOKE UPDATE (told_count, state) ON proformas FROM franchise360_api;
ALTER TABLE proformas DROP COLUMN told_count;
