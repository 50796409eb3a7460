-- A transfer's number is compared in one spelling everywhere; deducted tax, dismissals, money that is taken from a bill and money that
-- changes its customer wait for a second person.

-- +goose Up
-- +goose StatementBegin
-- clean_utr is a transfer's number as it is compared: capitals and digits, without the word before it (UTR, RRN, NEFT and the like) and
-- without the zeros with which banks fill up a number of digits. CleanUTR of pkg/transfer does the same.
CREATE FUNCTION clean_utr(said text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$ SELECT CASE WHEN bare ~ '^0+[1-9][0-9]{5,}$' THEN ltrim(bare, '0') ELSE bare END
        FROM (SELECT regexp_replace(regexp_replace(upper(said), '[^A-Z0-9]', '', 'g'),
            '^(?:UTR|RRN|REF|NEFT|RTGS|IMPS|UPI)(?:NUMBER|NO|CR|IN)?((?:[0-9]{12}|[A-Z][A-Z0-9]{15}|[A-Z][A-Z0-9]{21})$)', '\1') AS bare) c $$;

CREATE OR REPLACE FUNCTION refund_transfer_exists(number text) RETURNS boolean
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT EXISTS (SELECT FROM public.refunds r WHERE r.bank_reference <> '' AND public.clean_utr(r.bank_reference) = number) $$;

CREATE OR REPLACE FUNCTION refuse_known_refund() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF public.bank_credit_exists(public.clean_utr(NEW.bank_reference)) OR public.bank_return_exists(public.clean_utr(NEW.bank_reference)) THEN
        RAISE EXCEPTION 'this number is that of another transfer' USING ERRCODE = 'unique_violation', CONSTRAINT = 'refunds_transfer_once';
    END IF;
    RETURN NEW;
END $$;

CREATE OR REPLACE FUNCTION search_transfers(q text) RETURNS TABLE (franchiser_id uuid, kind text, label text, exact boolean)
    LANGUAGE sql STABLE AS $$
    SELECT p.franchiser_id, 'proforma', p.number, true FROM public.proformas p WHERE p.id = public.id_in(q)
    UNION ALL (SELECT p.franchiser_id, 'proforma', p.number, p.number = upper(q) FROM public.proformas p
        WHERE length(q) >= 5 AND p.number COLLATE "C" >= upper(q) AND p.number COLLATE "C" <= upper(q) || chr(1114111)
        ORDER BY p.number COLLATE "C" LIMIT 8)
    UNION ALL SELECT a.franchiser_id, 'virtual_account', a.number, true FROM public.virtual_accounts a WHERE a.id = public.id_in(q)
    UNION ALL (SELECT a.franchiser_id, 'virtual_account', a.number, upper(a.number) = upper(translate(q, ' -', '')) FROM public.virtual_accounts a
        WHERE length(q) >= 6 AND upper(a.number) COLLATE "C" >= upper(translate(q, ' -', ''))
            AND upper(a.number) COLLATE "C" <= upper(translate(q, ' -', '')) || chr(1114111)
        ORDER BY upper(a.number) COLLATE "C" LIMIT 8)
    UNION ALL SELECT c.franchiser_ref, 'bank_credit', c.utr, true FROM public.bank_credits c WHERE c.id = public.id_in(q)
    UNION ALL SELECT c.franchiser_ref, 'bank_credit', c.utr, true FROM public.bank_credits c
        WHERE length(q) >= 6 AND c.utr = public.clean_utr(q)
    UNION ALL (SELECT p.franchiser_id, 'told_utr', p.told_utr, true FROM public.proformas p
        WHERE length(q) >= 6 AND p.told_utr <> '' AND p.told_utr = public.clean_utr(q) LIMIT 8)
    UNION ALL (SELECT u.franchiser_ref, 'bank_return', u.utr, true FROM public.bank_credit_uses u
        WHERE length(q) >= 6 AND u.utr <> '' AND u.utr = public.clean_utr(q) LIMIT 8) $$;
-- +goose StatementEnd
CREATE INDEX refunds_by_utr ON refunds (clean_utr(bank_reference)) WHERE bank_reference <> '';
CREATE INDEX reversals_by_utr ON reversals (clean_utr(bank_reference)) WHERE bank_reference <> '';

-- The order number that a customer gave, as it is looked for in what the bank says of a transfer.
CREATE INDEX proformas_by_po ON proformas (regexp_replace(upper(po_number), '[^A-Z0-9]', '', 'g'))
    WHERE po_number <> '' AND state IN ('open', 'expired');

-- Numbers from before in the same spelling. Two that would become one stay as they are, for staff to compare.
UPDATE proformas SET told_utr = clean_utr(told_utr) WHERE told_utr <> clean_utr(told_utr);
UPDATE bank_credits c SET utr = clean_utr(c.utr) WHERE c.utr <> clean_utr(c.utr)
    AND NOT EXISTS (SELECT FROM bank_credits o WHERE o.id <> c.id AND clean_utr(o.utr) = clean_utr(c.utr));
UPDATE bank_credit_uses u SET utr = clean_utr(u.utr) WHERE u.utr <> clean_utr(u.utr)
    AND NOT EXISTS (SELECT FROM bank_credit_uses o WHERE o.id <> u.id AND clean_utr(o.utr) = clean_utr(u.utr));

-- A release takes back what of a credit paid part of bills that are not paid yet: it is free for another bill then, or to go back.
ALTER TABLE bank_credit_uses DROP CONSTRAINT bank_credit_uses_kind_check;
ALTER TABLE bank_credit_uses ADD CONSTRAINT bank_credit_uses_kind_check CHECK (kind IN ('order', 'return', 'dismissal', 'release')) NOT VALID;
ALTER TABLE bank_credit_uses VALIDATE CONSTRAINT bank_credit_uses_kind_check;

-- A second person decides over all but a bill that is paid without deducted tax, by a credit that somebody else entered and that is no
-- other customer's. Whoever entered a credit approves nothing of it.
ALTER POLICY own_name ON bank_credit_uses WITH CHECK (requested_by = (SELECT acting_staff('finance')) AND decided_by IS NULL
    AND state = CASE WHEN kind <> 'order' OR tds_paise + gst_tds_paise > 0 OR EXISTS (SELECT FROM bank_credits c
            WHERE c.id = credit_id AND (c.entered_by = requested_by OR c.franchiser_ref <> bank_credit_uses.franchiser_ref))
        THEN 'waiting' ELSE 'requested' END);
ALTER POLICY another_decides ON bank_credit_uses
    WITH CHECK (decided_by = CASE kind WHEN 'return' THEN (SELECT acting_staff('admin')) ELSE (SELECT acting_staff('finance')) END
        AND decided_by <> requested_by AND (state = 'declined' OR state = 'requested'
            AND NOT EXISTS (SELECT FROM bank_credits c WHERE c.id = credit_id AND c.entered_by = decided_by)));

-- +goose Down
ALTER POLICY another_decides ON bank_credit_uses
    WITH CHECK (decided_by = CASE kind WHEN 'return' THEN (SELECT acting_staff('admin')) ELSE (SELECT acting_staff('finance')) END
        AND decided_by <> requested_by AND state IN ('requested', 'declined'));
ALTER POLICY own_name ON bank_credit_uses WITH CHECK (requested_by = (SELECT acting_staff('finance')) AND decided_by IS NULL
    AND state = CASE WHEN kind = 'return' OR kind = 'order' AND EXISTS (SELECT FROM bank_credits c WHERE c.id = credit_id AND c.entered_by = requested_by)
        THEN 'waiting' ELSE 'requested' END);
ALTER TABLE bank_credit_uses DROP CONSTRAINT bank_credit_uses_kind_check;
ALTER TABLE bank_credit_uses ADD CONSTRAINT bank_credit_uses_kind_check CHECK (kind IN ('order', 'return', 'dismissal')) NOT VALID;
DROP INDEX proformas_by_po, reversals_by_utr, refunds_by_utr;
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION search_transfers(q text) RETURNS TABLE (franchiser_id uuid, kind text, label text, exact boolean)
    LANGUAGE sql STABLE AS $$
    SELECT p.franchiser_id, 'proforma', p.number, true FROM public.proformas p WHERE p.id = public.id_in(q)
    UNION ALL (SELECT p.franchiser_id, 'proforma', p.number, p.number = upper(q) FROM public.proformas p
        WHERE length(q) >= 5 AND p.number COLLATE "C" >= upper(q) AND p.number COLLATE "C" <= upper(q) || chr(1114111)
        ORDER BY p.number COLLATE "C" LIMIT 8)
    UNION ALL SELECT a.franchiser_id, 'virtual_account', a.number, true FROM public.virtual_accounts a WHERE a.id = public.id_in(q)
    UNION ALL (SELECT a.franchiser_id, 'virtual_account', a.number, upper(a.number) = upper(translate(q, ' -', '')) FROM public.virtual_accounts a
        WHERE length(q) >= 6 AND upper(a.number) COLLATE "C" >= upper(translate(q, ' -', ''))
            AND upper(a.number) COLLATE "C" <= upper(translate(q, ' -', '')) || chr(1114111)
        ORDER BY upper(a.number) COLLATE "C" LIMIT 8)
    UNION ALL SELECT c.franchiser_ref, 'bank_credit', c.utr, true FROM public.bank_credits c WHERE c.id = public.id_in(q)
    UNION ALL SELECT c.franchiser_ref, 'bank_credit', c.utr, true FROM public.bank_credits c
        WHERE length(q) >= 6 AND c.utr = upper(translate(q, ' -/', ''))
    UNION ALL (SELECT p.franchiser_id, 'told_utr', p.told_utr, true FROM public.proformas p
        WHERE length(q) >= 6 AND p.told_utr <> '' AND p.told_utr = upper(translate(q, ' -/', '')) LIMIT 8)
    UNION ALL (SELECT u.franchiser_ref, 'bank_return', u.utr, true FROM public.bank_credit_uses u
        WHERE length(q) >= 6 AND u.utr <> '' AND u.utr = upper(translate(q, ' -/', '')) LIMIT 8) $$;

CREATE OR REPLACE FUNCTION refuse_known_refund() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF public.bank_credit_exists(translate(NEW.bank_reference, '-/', '')) OR public.bank_return_exists(translate(NEW.bank_reference, '-/', '')) THEN
        RAISE EXCEPTION 'this number is that of another transfer' USING ERRCODE = 'unique_violation', CONSTRAINT = 'refunds_transfer_once';
    END IF;
    RETURN NEW;
END $$;

CREATE OR REPLACE FUNCTION refund_transfer_exists(number text) RETURNS boolean
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT EXISTS (SELECT FROM public.refunds r WHERE r.bank_reference <> '' AND translate(r.bank_reference, '-/', '') = number) $$;
-- +goose StatementEnd
DROP FUNCTION clean_utr(text);
