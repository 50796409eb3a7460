-- A proforma for which no money came is cancelled by its customer or by finance.

-- +goose Up
ALTER TABLE proformas ADD COLUMN cancelled_by text NOT NULL DEFAULT '' -- who cancelled it; empty where it ended otherwise
    CHECK (cancelled_by IN ('', 'customer', 'staff') AND (cancelled_by = '' OR state = 'cancelled'));
GRANT UPDATE (cancelled_by) ON proformas TO franchise360_api;
CREATE POLICY staff_cancel ON proformas FOR UPDATE TO franchise360_api
    USING ((SELECT acting_staff('finance')) IS NOT NULL AND state IN ('open', 'expired'))
    WITH CHECK ((SELECT acting_staff('finance')) IS NOT NULL AND state = 'cancelled' AND cancelled_by = 'staff');

-- +goose StatementBegin
-- A customer or finance ends a proforma, never one for which money was received or is being booked.
CREATE OR REPLACE FUNCTION only_replace_proformas() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.state <> 'cancelled' OR EXISTS (SELECT FROM public.bank_credit_uses u
        WHERE u.proforma_id = NEW.id AND u.state IN ('waiting', 'requested', 'done')) THEN
        RAISE EXCEPTION 'this proforma is not ended by its customer' USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;
-- +goose StatementEnd

-- +goose Down
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION only_replace_proformas() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.state <> 'cancelled' OR EXISTS (SELECT FROM public.bank_credit_uses u WHERE u.proforma_id = NEW.id AND u.state = 'done') THEN
        RAISE EXCEPTION 'this proforma is not ended by its customer' USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;
-- +goose StatementEnd
DROP POLICY staff_cancel ON proformas;
REVOKE UPDATE (cancelled_by) ON proformas FROM franchise360_api;
ALTER TABLE proformas DROP COLUMN cancelled_by;
