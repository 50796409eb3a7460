-- Payment by bank transfer: proformas, the accounts they are paid into, the credits of those accounts, the use of each credit, and tax
-- deducted at source (TDS).
--
-- UTRs are always compared in one spelling (clean_utr). TDS, dismissals and transfers between bills or customers need a second person.

-- +goose Up
-- +goose StatementBegin
SET LOCAL check_function_bodies = off;

-- A customer's virtual account at a provider that collects transfers.
CREATE TABLE virtual_accounts (
    id            uuid        PRIMARY KEY,
    franchiser_id uuid        NOT NULL REFERENCES franchisers,
    collector     text        NOT NULL CHECK (collector ~ '^[a-z_]{2,30}$'),
    external_id   text        NOT NULL CHECK (external_id <> ''), -- the collector's id of the account
    number        text        NOT NULL CHECK (number <> ''),
    ifsc          text        NOT NULL CHECK (ifsc <> ''),
    beneficiary   text        NOT NULL CHECK (beneficiary <> ''),
    read_until    timestamptz NOT NULL, -- credits before this moment are known
    checked_at    timestamptz NOT NULL, -- last seen open at the collector, which closes unused accounts
    created_at    timestamptz NOT NULL,
    closed_at     timestamptz, -- when the customer's data was erased; the collector then closes it
    UNIQUE (collector, external_id)
);
CREATE INDEX virtual_accounts_of_franchiser ON virtual_accounts (franchiser_id, collector, checked_at DESC);
CREATE INDEX virtual_accounts_search_number ON virtual_accounts (upper(number) COLLATE "C");
CALL isolate('virtual_accounts');
CREATE POLICY lookup ON virtual_accounts FOR SELECT TO franchise360_lookup USING (true);
GRANT SELECT, INSERT ON virtual_accounts TO franchise360_api;
GRANT SELECT ON virtual_accounts TO franchise360_worker;
GRANT UPDATE (checked_at) ON virtual_accounts TO franchise360_api;
GRANT UPDATE (read_until, closed_at, beneficiary) ON virtual_accounts TO franchise360_worker;
GRANT SELECT (id, franchiser_id, number) ON virtual_accounts TO franchise360_lookup;

-- Last proforma number by financial year.
CREATE TABLE proforma_counters (
    financial_year text   PRIMARY KEY,
    last           bigint NOT NULL CHECK (last > 0)
);
-- After a restore, numbers may already be used, as with documents.
CREATE TRIGGER proforma_counters_are_not_held BEFORE INSERT OR UPDATE ON proforma_counters
    FOR EACH ROW EXECUTE FUNCTION refuse_held_numbers();
GRANT SELECT, INSERT, UPDATE ON proforma_counters TO franchise360_api;

-- The api may only cancel a proforma, and only if no money was received or is being booked for it.
CREATE FUNCTION only_replace_proformas() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.state <> 'cancelled' OR EXISTS (SELECT FROM public.bank_credit_uses u
        WHERE u.proforma_id = NEW.id AND u.state IN ('waiting', 'requested', 'done')) THEN
        RAISE EXCEPTION 'this proforma is not ended by its customer' USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;

-- A proforma requests payment of one order by transfer. It is no tax document: the tax invoice is issued on payment.
CREATE TABLE proformas (
    id             uuid        PRIMARY KEY,
    franchiser_id  uuid        NOT NULL REFERENCES franchisers,
    order_id       uuid        NOT NULL,
    number         text        NOT NULL UNIQUE,
    state          text        NOT NULL CHECK (state IN ('open', 'paid', 'expired', 'cancelled')),
    po_number      text        NOT NULL DEFAULT '' CHECK (char_length(po_number) <= 40),
    amount_paise   bigint      NOT NULL CHECK (amount_paise > 0),
    taxable_paise  bigint      NOT NULL CHECK (taxable_paise > 0 AND taxable_paise <= amount_paise),
    title          text        NOT NULL, -- the plan
    document       jsonb       NOT NULL, -- supplier, recipient and lines as printed
    account        jsonb       NOT NULL, -- bank account as printed
    virtual_id     uuid        REFERENCES virtual_accounts, -- NULL if paid to the operator's own account
    told_utr       text        NOT NULL DEFAULT '' CHECK (told_utr ~ '^[A-Z0-9]{0,35}$'), -- the UTR that the customer reported
    told_at        timestamptz,
    valid_until    timestamptz NOT NULL,
    object_key     text        NOT NULL DEFAULT '', -- the printed PDF, empty before it is printed
    payment_id     uuid,
    paid_at        timestamptz,
    request_id     uuid        DEFAULT current_request(),
    created_at     timestamptz NOT NULL,
    told_count     int         NOT NULL DEFAULT 0 CHECK (told_count >= 0), -- UTRs that the customer reported
    cancelled_by   text        NOT NULL DEFAULT '', -- who cancelled it, if cancelled
    FOREIGN KEY (franchiser_id, order_id) REFERENCES orders (franchiser_id, id),
    FOREIGN KEY (franchiser_id, payment_id) REFERENCES payments (franchiser_id, id),
    UNIQUE (franchiser_id, id),
    CHECK (payment_id IS NULL OR state = 'paid'),
    CHECK ((state = 'paid') = (paid_at IS NOT NULL)),
    CHECK ((told_utr = '') = (told_at IS NULL)),
    CHECK (cancelled_by IN ('', 'customer', 'staff') AND (cancelled_by = '' OR state = 'cancelled'))
);
CREATE INDEX proformas_of_franchiser ON proformas (franchiser_id, created_at DESC);
CREATE UNIQUE INDEX proformas_one_open ON proformas (order_id) WHERE state = 'open';
CREATE INDEX proformas_open ON proformas (created_at) WHERE state IN ('open', 'expired');
CREATE INDEX proformas_told ON proformas (told_utr) WHERE told_utr <> '';
CREATE INDEX proformas_search_number ON proformas (number COLLATE "C");
CREATE INDEX proformas_due ON proformas (amount_paise) WHERE state IN ('open', 'expired');
CREATE INDEX proformas_of_account ON proformas (virtual_id) WHERE virtual_id IS NOT NULL;
-- Matches the customer's PO number in a credit's narration.
CREATE INDEX proformas_by_po ON proformas (regexp_replace(upper(po_number), '[^A-Z0-9]', '', 'g'))
    WHERE po_number <> '' AND state IN ('open', 'expired');
CREATE INDEX proformas_number_ending ON proformas (ltrim(substring(number FROM '[0-9]+$'), '0'));
CALL isolate('proformas');
CREATE POLICY staff_read ON proformas FOR SELECT TO franchise360_api USING ((SELECT acting_staff()) IS NOT NULL);
CREATE POLICY lookup ON proformas FOR SELECT TO franchise360_lookup USING (true);
CREATE POLICY staff_cancel ON proformas FOR UPDATE TO franchise360_api
    USING ((SELECT acting_staff('finance')) IS NOT NULL AND state IN ('open', 'expired'))
    WITH CHECK ((SELECT acting_staff('finance')) IS NOT NULL AND state = 'cancelled' AND cancelled_by = 'staff');
CREATE TRIGGER first_states AFTER INSERT ON proformas FOR EACH ROW
    WHEN (current_user IN ('franchise360_api', 'franchise360_worker')) EXECUTE FUNCTION keep_to_first_states('open');
CREATE TRIGGER transitions BEFORE UPDATE OF state ON proformas FOR EACH ROW WHEN (OLD.state <> NEW.state)
    EXECUTE FUNCTION keep_to_transitions('open>paid', 'open>expired', 'open>cancelled', 'expired>paid', 'expired>cancelled');
CREATE TRIGGER replacing BEFORE UPDATE OF state ON proformas FOR EACH ROW
    WHEN (OLD.state <> NEW.state AND current_user = 'franchise360_api') EXECUTE FUNCTION only_replace_proformas();
ALTER TABLE proformas ENABLE ALWAYS TRIGGER first_states;
-- On erasure of a customer's data the worker empties document, account, po_number and told_utr.
GRANT SELECT, INSERT ON proformas TO franchise360_api;
GRANT SELECT ON proformas TO franchise360_worker;
GRANT UPDATE (told_utr, told_at, told_count, state, cancelled_by) ON proformas TO franchise360_api;
GRANT UPDATE (state, object_key, payment_id, paid_at, document, account, po_number, told_utr, told_at) ON proformas TO franchise360_worker;
GRANT SELECT (id, franchiser_id, number, told_utr) ON proformas TO franchise360_lookup;

-- Incoming and outgoing transfers never share a UTR.
CREATE FUNCTION refuse_known_credit() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('transfer ' || NEW.utr, 0));
    IF public.refund_transfer_exists(NEW.utr) OR public.bank_return_exists(NEW.utr) THEN
        RAISE EXCEPTION 'a transfer of this number went out' USING ERRCODE = 'unique_violation', CONSTRAINT = 'bank_credits_utr';
    END IF;
    RETURN NEW;
END $$;

-- Bank credits, from the collector or entered by staff. The customer may be unknown: the row belongs to the operator.
CREATE TABLE bank_credits (
    id             uuid        PRIMARY KEY,
    source         text        NOT NULL CHECK (source ~ '^[a-z_]{2,30}$'), -- the collector, or 'statement'
    external_id    text        NOT NULL DEFAULT '',
    virtual_id     uuid        REFERENCES virtual_accounts,
    franchiser_ref uuid        REFERENCES franchisers, -- the account's customer, or the customer identified later
    utr            text        NOT NULL CHECK (utr ~ '^[A-Z0-9]{6,35}$'),
    amount_paise   bigint      NOT NULL CHECK (amount_paise > 0),
    used_paise     bigint      NOT NULL DEFAULT 0 CHECK (used_paise BETWEEN 0 AND amount_paise),
    paid_at        timestamptz NOT NULL,
    payer_name     text        NOT NULL DEFAULT '' CHECK (char_length(payer_name) <= 200),
    payer_account  text        NOT NULL DEFAULT '' CHECK (char_length(payer_account) <= 40), -- masked
    narration      text        NOT NULL DEFAULT '' CHECK (char_length(narration) <= 300),
    state          text        NOT NULL CHECK (state IN ('open', 'used', 'dismissed')),
    note           text        NOT NULL DEFAULT '', -- why it was not booked automatically
    entered_by     uuid        REFERENCES staff,
    created_at     timestamptz NOT NULL,
    -- Banks reuse UTRs: a collector's credit with a known UTR is stored, flagged, and waits for staff.
    clash          boolean     NOT NULL DEFAULT false,
    CHECK ((state = 'used') = (used_paise = amount_paise)),
    CHECK (state <> 'dismissed' OR used_paise = 0),
    CHECK (NOT clash OR entered_by IS NULL)
);
CREATE UNIQUE INDEX bank_credits_external ON bank_credits (source, external_id) WHERE external_id <> '';
CREATE INDEX bank_credits_open ON bank_credits (paid_at) WHERE state = 'open';
CREATE INDEX bank_credits_of_franchiser ON bank_credits (franchiser_ref) WHERE franchiser_ref IS NOT NULL;
CREATE INDEX bank_credits_list ON bank_credits (paid_at DESC, id DESC);
CREATE UNIQUE INDEX bank_credits_utr ON bank_credits (utr) WHERE state <> 'dismissed' AND NOT clash;
CREATE INDEX bank_credits_by_utr ON bank_credits (utr);
CREATE INDEX bank_credits_of_account ON bank_credits (virtual_id) WHERE virtual_id IS NOT NULL;
ALTER TABLE bank_credits ENABLE ROW LEVEL SECURITY;
CREATE POLICY staff_read ON bank_credits FOR SELECT TO franchise360_api
    USING ((SELECT acting_staff()) IS NOT NULL OR franchiser_ref = (SELECT current_franchiser()));
CREATE POLICY own_name ON bank_credits FOR INSERT TO franchise360_api
    WITH CHECK (entered_by = (SELECT acting_staff('finance')) AND source = 'statement' AND state = 'open' AND used_paise = 0
        AND virtual_id IS NULL AND franchiser_ref IS NULL);
CREATE POLICY every_row ON bank_credits TO franchise360_worker USING (true) WITH CHECK (true);
CREATE POLICY lookup ON bank_credits FOR SELECT TO franchise360_lookup USING (true);
CREATE TRIGGER first_states AFTER INSERT ON bank_credits FOR EACH ROW
    WHEN (current_user IN ('franchise360_api', 'franchise360_worker')) EXECUTE FUNCTION keep_to_first_states('open');
CREATE TRIGGER transitions BEFORE UPDATE OF state ON bank_credits FOR EACH ROW WHEN (OLD.state <> NEW.state)
    EXECUTE FUNCTION keep_to_transitions('open>used', 'open>dismissed', 'used>open');
CREATE TRIGGER known_transfer BEFORE INSERT ON bank_credits FOR EACH ROW WHEN (NOT NEW.clash) EXECUTE FUNCTION refuse_known_credit();
ALTER TABLE bank_credits ENABLE ALWAYS TRIGGER first_states;
-- On erasure of a customer's data the worker empties payer_name, payer_account and narration.
GRANT SELECT, INSERT ON bank_credits TO franchise360_api, franchise360_worker;
GRANT UPDATE (franchiser_ref, used_paise, state, note, payer_name, payer_account, narration) ON bank_credits TO franchise360_worker;
GRANT SELECT (utr, id, franchiser_ref, state) ON bank_credits TO franchise360_lookup;

CREATE FUNCTION refuse_known_return() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('transfer ' || NEW.utr, 0));
    IF public.refund_transfer_exists(NEW.utr) OR public.bank_credit_exists(NEW.utr) THEN
        RAISE EXCEPTION 'this number is that of another transfer' USING ERRCODE = 'unique_violation', CONSTRAINT = 'bank_credit_uses_utr';
    END IF;
    RETURN NEW;
END $$;

-- The use of part of a credit: it pays a proforma, is returned to the customer, or the credit is dismissed. Staff request as themselves and
-- the worker executes. A return needs a second admin. Without requested_by the match was certain and automatic.
CREATE TABLE bank_credit_uses (
    id              uuid        PRIMARY KEY,
    credit_id       uuid        NOT NULL REFERENCES bank_credits,
    kind            text        NOT NULL CHECK (kind IN ('order', 'return', 'dismissal', 'release')),
    franchiser_ref  uuid        REFERENCES franchisers,
    proforma_id     uuid,
    amount_paise    bigint      NOT NULL CHECK (amount_paise > 0),
    tds_paise       bigint      NOT NULL DEFAULT 0 CHECK (tds_paise >= 0),
    tds_rate_bps    int         NOT NULL DEFAULT 0 CHECK (tds_rate_bps BETWEEN 0 AND 10000),
    gst_tds_paise   bigint      NOT NULL DEFAULT 0 CHECK (gst_tds_paise >= 0),
    utr             text        NOT NULL DEFAULT '' CHECK (utr ~ '^([A-Z0-9]{6,35})?$'), -- of a return
    state           text        NOT NULL CHECK (state IN ('waiting', 'requested', 'declined', 'done', 'failed', 'released')),
    reason          text        NOT NULL DEFAULT '',
    key             text        NOT NULL DEFAULT '',
    requested_by    uuid        REFERENCES staff,
    requested_at    timestamptz NOT NULL,
    decided_by      uuid        REFERENCES staff,
    decided_at      timestamptz,
    decision_reason text        NOT NULL DEFAULT '',
    failure         text        NOT NULL DEFAULT '',
    finished_at     timestamptz,
    FOREIGN KEY (franchiser_ref, proforma_id) REFERENCES proformas (franchiser_id, id),
    CHECK ((kind = 'order') = (proforma_id IS NOT NULL)),
    CHECK ((kind = 'return') = (utr <> '')),
    CHECK (decided_by <> requested_by),
    CHECK (kind <> 'return' OR state = 'waiting' OR decided_by IS NOT NULL)
);
CREATE UNIQUE INDEX bank_credit_uses_key ON bank_credit_uses (requested_by, key) WHERE key <> '';
CREATE UNIQUE INDEX bank_credit_uses_utr ON bank_credit_uses (utr) WHERE utr <> '' AND state NOT IN ('declined', 'failed');
CREATE INDEX bank_credit_uses_of_credit ON bank_credit_uses (credit_id);
CREATE INDEX bank_credit_uses_of_proforma ON bank_credit_uses (proforma_id) WHERE proforma_id IS NOT NULL;
CREATE INDEX bank_credit_uses_open ON bank_credit_uses (requested_at) WHERE state IN ('waiting', 'requested');
CREATE INDEX bank_credit_uses_search_utr ON bank_credit_uses (utr) WHERE utr <> '';
ALTER TABLE bank_credit_uses ENABLE ROW LEVEL SECURITY;
CREATE POLICY staff_read ON bank_credit_uses FOR SELECT TO franchise360_api
    USING ((SELECT acting_staff()) IS NOT NULL OR franchiser_ref = (SELECT current_franchiser()));
-- A credit pays a bill at once if two people saw it: the enterer and the requester.
CREATE POLICY own_name ON bank_credit_uses FOR INSERT TO franchise360_api
    WITH CHECK (requested_by = (SELECT acting_staff('finance')) AND decided_by IS NULL AND state = CASE
        WHEN kind <> 'order' OR tds_paise + gst_tds_paise > 0 OR EXISTS (SELECT FROM bank_credits c WHERE c.id = credit_id
            AND (c.entered_by = requested_by OR c.franchiser_ref <> bank_credit_uses.franchiser_ref
                OR c.entered_by IN (SELECT t.staff_id FROM ties_of_staff(requested_at) t))) THEN 'waiting'
        ELSE 'requested' END);
-- The member who entered a credit may decide a colleague's request: two people saw it.
CREATE POLICY another_decides ON bank_credit_uses FOR UPDATE TO franchise360_api
    USING ((SELECT acting_staff()) IS NOT NULL AND state = 'waiting')
    WITH CHECK (decided_by = CASE kind WHEN 'return' THEN (SELECT acting_staff('admin')) ELSE (SELECT acting_staff('finance')) END
        AND decided_by <> requested_by AND state IN ('requested', 'declined'));
CREATE POLICY every_row ON bank_credit_uses TO franchise360_worker USING (true) WITH CHECK (true);
CREATE POLICY lookup ON bank_credit_uses FOR SELECT TO franchise360_lookup USING (true);
CREATE TRIGGER first_states AFTER INSERT ON bank_credit_uses FOR EACH ROW
    WHEN (current_user IN ('franchise360_api', 'franchise360_worker')) EXECUTE FUNCTION keep_to_first_states('waiting', 'requested');
CREATE TRIGGER transitions BEFORE UPDATE OF state ON bank_credit_uses FOR EACH ROW WHEN (OLD.state <> NEW.state)
    EXECUTE FUNCTION keep_to_transitions('waiting>requested', 'waiting>declined', 'requested>done', 'requested>failed', 'done>released');
CREATE TRIGGER known_transfer BEFORE INSERT ON bank_credit_uses FOR EACH ROW WHEN (NEW.utr <> '') EXECUTE FUNCTION refuse_known_return();
CREATE TRIGGER second_person BEFORE INSERT OR UPDATE OF decided_by ON bank_credit_uses FOR EACH ROW
    WHEN (NEW.decided_by IS NOT NULL) EXECUTE FUNCTION require_second_person('requested_by', 'decided_by', 'decided_at');
ALTER TABLE bank_credit_uses ENABLE ALWAYS TRIGGER first_states;
GRANT SELECT, INSERT ON bank_credit_uses TO franchise360_api, franchise360_worker;
GRANT UPDATE (state, decided_by, decided_at, decision_reason) ON bank_credit_uses TO franchise360_api;
GRANT UPDATE (state, amount_paise, failure, finished_at) ON bank_credit_uses TO franchise360_worker;
GRANT SELECT (utr, state, franchiser_ref, id) ON bank_credit_uses TO franchise360_lookup;

-- TDS rates with the codes and sections of the law, and their validity dates.
CREATE TABLE tds_codes (
    kind       text NOT NULL CHECK (kind IN ('income_tax', 'gst')),
    code       text NOT NULL CHECK (code <> ''),
    section    text NOT NULL,
    title      text NOT NULL,
    rate_bps   int  NOT NULL CHECK (rate_bps > 0),
    valid_from date NOT NULL,
    valid_to   date CHECK (valid_to > valid_from),
    position   int  NOT NULL UNIQUE, -- the first code of a rate is the proposal
    PRIMARY KEY (kind, code, valid_from)
);
INSERT INTO tds_codes (kind, code, section, title, rate_bps, valid_from, valid_to, position) VALUES
    ('income_tax', '1023', '393(1) Sl. 6(i)', 'Contract, individual or HUF', 100, '2026-04-01', NULL, 1),
    ('income_tax', '1026', '393(1) Sl. 6(iii)', 'Fees for technical services', 200, '2026-04-01', NULL, 2),
    ('income_tax', '1024', '393(1) Sl. 6(i)', 'Contract, others', 200, '2026-04-01', NULL, 3),
    ('income_tax', '1027', '393(1) Sl. 6(iii)', 'Fees for professional services, royalty', 1000, '2026-04-01', NULL, 4),
    ('gst', '51', 'Section 51 CGST Act', 'GST deducted by Government or a public body', 200, '2018-10-01', NULL, 5);
GRANT SELECT ON tds_codes TO franchise360_api, franchise360_worker;

-- Tax that a customer deducted (TDS), until our tax account shows it. The row belongs to the operator.
CREATE TABLE tds_records (
    id             uuid        PRIMARY KEY,
    franchiser_ref uuid        NOT NULL REFERENCES franchisers,
    proforma_id    uuid        NOT NULL,
    payment_id     uuid        NOT NULL,
    invoice_number text        NOT NULL DEFAULT '',
    kind           text        NOT NULL CHECK (kind IN ('income_tax', 'gst')),
    code           text        NOT NULL,
    section        text        NOT NULL,
    tan            text        NOT NULL DEFAULT '' CHECK (tan ~ '^([A-Z]{4}[0-9]{5}[A-Z])?$'),
    deductor_pan   text        NOT NULL DEFAULT '' CHECK (deductor_pan ~ '^([A-Z]{5}[0-9]{4}[A-Z])?$'),
    base_paise     bigint      NOT NULL CHECK (base_paise > 0),
    rate_bps       int         NOT NULL CHECK (rate_bps > 0),
    amount_paise   bigint      NOT NULL CHECK (amount_paise > 0),
    tax_year       text        NOT NULL CHECK (tax_year ~ '^[0-9]{4}-[0-9]{2}$'),
    quarter        int         NOT NULL CHECK (quarter BETWEEN 1 AND 4),
    state          text        NOT NULL CHECK (state IN ('claimed', 'in_form_168', 'certificate', 'matched')),
    shown_paise    bigint      CHECK (shown_paise >= 0), -- amount in Form 168
    certificate    text        NOT NULL DEFAULT '' CHECK (char_length(certificate) <= 40), -- number of Form 131, or of the GST certificate
    changed_at     timestamptz NOT NULL,
    created_at     timestamptz NOT NULL,
    reversed_paise bigint      NOT NULL DEFAULT 0, -- reversed by refunds of the bill
    UNIQUE (payment_id, kind),
    FOREIGN KEY (franchiser_ref, proforma_id) REFERENCES proformas (franchiser_id, id),
    FOREIGN KEY (franchiser_ref, payment_id) REFERENCES payments (franchiser_id, id),
    CHECK (state = 'claimed' OR state = 'certificate' OR shown_paise IS NOT NULL),
    CHECK (state NOT IN ('certificate', 'matched') OR certificate <> ''),
    CHECK (state <> 'matched' OR shown_paise = amount_paise),
    CHECK (reversed_paise BETWEEN 0 AND amount_paise)
);
CREATE INDEX tds_records_list ON tds_records (created_at DESC, id DESC);
CREATE INDEX tds_records_of_franchiser ON tds_records (franchiser_ref);
ALTER TABLE tds_records ENABLE ROW LEVEL SECURITY;
CREATE POLICY staff_read ON tds_records FOR SELECT TO franchise360_api
    USING ((SELECT acting_staff()) IS NOT NULL OR franchiser_ref = (SELECT current_franchiser()));
CREATE POLICY staff_change ON tds_records FOR UPDATE TO franchise360_api
    USING ((SELECT acting_staff('finance')) IS NOT NULL) WITH CHECK ((SELECT acting_staff('finance')) IS NOT NULL);
CREATE POLICY every_row ON tds_records TO franchise360_worker USING (true) WITH CHECK (true);
CREATE TRIGGER first_states AFTER INSERT ON tds_records FOR EACH ROW
    WHEN (current_user IN ('franchise360_api', 'franchise360_worker')) EXECUTE FUNCTION keep_to_first_states('claimed');
CREATE TRIGGER transitions BEFORE UPDATE OF state ON tds_records FOR EACH ROW WHEN (OLD.state <> NEW.state)
    EXECUTE FUNCTION keep_to_transitions('claimed>in_form_168', 'claimed>certificate', 'in_form_168>certificate', 'in_form_168>claimed',
        'certificate>matched', 'certificate>claimed', 'matched>claimed');
ALTER TABLE tds_records ENABLE ALWAYS TRIGGER first_states;
GRANT SELECT ON tds_records TO franchise360_api;
GRANT SELECT, INSERT ON tds_records TO franchise360_worker;
GRANT UPDATE (code, section, tan, deductor_pan, state, shown_paise, certificate, changed_at) ON tds_records TO franchise360_api;
GRANT UPDATE (reversed_paise) ON tds_records TO franchise360_worker;

-- The column mapping of a statement's header row, for later files with the same headings. It counts once the person's import confirmed it.
CREATE TABLE statement_layouts (
    id           uuid        PRIMARY KEY,
    headings     text        NOT NULL CHECK (headings <> '' AND char_length(headings) <= 4000), -- capitals and digits, separated by |
    columns      text[]      NOT NULL CHECK (cardinality(columns) BETWEEN 2 AND 100),
    day_order    text        NOT NULL CHECK (day_order IN ('', 'day_first', 'month_first')),
    chosen_by    uuid        NOT NULL REFERENCES staff,
    chosen_at    timestamptz NOT NULL,
    confirmed_at timestamptz
);
CREATE UNIQUE INDEX statement_layouts_once ON statement_layouts (md5(headings)) WHERE confirmed_at IS NOT NULL;
ALTER TABLE statement_layouts ENABLE ROW LEVEL SECURITY;
CREATE POLICY office_read ON statement_layouts FOR SELECT TO franchise360_api USING ((SELECT acting_staff()) IS NOT NULL);
CREATE POLICY own_name ON statement_layouts FOR INSERT TO franchise360_api
    WITH CHECK (chosen_by = (SELECT acting_staff('finance')) AND confirmed_at IS NULL);
CREATE POLICY own_import ON statement_layouts FOR UPDATE TO franchise360_api
    USING (chosen_by = (SELECT acting_staff('finance')) AND confirmed_at IS NULL) WITH CHECK (chosen_by = (SELECT acting_staff('finance')));
CREATE POLICY another_choice ON statement_layouts FOR DELETE TO franchise360_api USING ((SELECT acting_staff('finance')) IS NOT NULL);
GRANT SELECT, INSERT, DELETE ON statement_layouts TO franchise360_api;
GRANT UPDATE (confirmed_at) ON statement_layouts TO franchise360_api;

CREATE FUNCTION bank_credit_exists(number text) RETURNS boolean
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT EXISTS (SELECT FROM public.bank_credits c WHERE c.utr = number AND c.state <> 'dismissed') $$;

CREATE FUNCTION bank_return_exists(number text) RETURNS boolean
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT EXISTS (SELECT FROM public.bank_credit_uses u WHERE u.utr = number AND u.state NOT IN ('declined', 'failed')) $$;

CREATE FUNCTION refuse_known_refund() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF public.bank_credit_exists(public.clean_utr(NEW.bank_reference)) OR public.bank_return_exists(public.clean_utr(NEW.bank_reference)) THEN
        RAISE EXCEPTION 'this number is that of another transfer' USING ERRCODE = 'unique_violation', CONSTRAINT = 'refunds_transfer_once';
    END IF;
    RETURN NEW;
END $$;

-- named_transfers returns the customers' names and mobiles, to staff.
CREATE FUNCTION named_transfers(ids uuid[]) RETURNS TABLE (franchiser_id uuid, name text, mobile text)
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ BEGIN PERFORM public.require_staff();
    RETURN QUERY SELECT i.id, c.name, c.mobile FROM (SELECT DISTINCT unnest(ids)) i (id) CROSS JOIN LATERAL public.named_customer(i.id) c; END $$;

-- search_transfers finds proformas, virtual accounts and transfers by number or UTR. An unassigned transfer has no franchiser.
CREATE FUNCTION search_transfers(q text) RETURNS TABLE (franchiser_id uuid, kind text, label text, exact boolean) LANGUAGE sql STABLE AS $$
    SELECT p.franchiser_id, 'proforma', p.number, true FROM public.proformas p WHERE p.id = public.id_in(q)
    UNION ALL (SELECT p.franchiser_id, 'proforma', p.number, p.number = upper(q) FROM public.proformas p
        WHERE length(q) >= 5 AND p.number COLLATE "C" >= upper(q) AND p.number COLLATE "C" <= upper(q) || chr(1114111)
        ORDER BY p.number COLLATE "C" LIMIT (SELECT public.search_limit()))
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
        WHERE length(q) >= 6 AND u.utr <> '' AND u.utr = public.clean_utr(q) LIMIT 8) 
    UNION ALL (SELECT p.franchiser_id, 'proforma', p.number, n.year FROM public.number_in(q) n JOIN public.proformas p
            ON ltrim(substring(p.number FROM '[0-9]+$'), '0') = n.ending
        WHERE regexp_replace(upper(p.number), '[^A-Z0-9]', '', 'g') LIKE n.beginning ORDER BY p.id DESC LIMIT 8) $$;

-- paid_in_part reports whether an open bill has a transfer: reported, received or being booked.
CREATE FUNCTION paid_in_part(franchiser uuid) RETURNS boolean
    LANGUAGE sql STABLE SET search_path = pg_catalog, public
    AS $$ SELECT EXISTS (SELECT FROM public.proformas p WHERE p.franchiser_id = franchiser AND p.state IN ('open', 'expired') AND (
        p.state = 'open' AND p.told_utr <> ''
        OR EXISTS (SELECT FROM public.bank_credit_uses u WHERE u.proforma_id = p.id AND u.state IN ('waiting', 'requested', 'done'))
        OR EXISTS (SELECT FROM public.bank_credits c WHERE c.virtual_id = p.virtual_id AND c.state = 'open' AND c.used_paise = 0))) $$;

-- search_transfer_uses finds the use of a credit by id.
CREATE FUNCTION search_transfer_uses(q text) RETURNS TABLE (franchiser_id uuid, kind text, label text, exact boolean)
    LANGUAGE sql STABLE
    AS $$ SELECT u.franchiser_ref, 'bank_use', u.id::text, true FROM public.bank_credit_uses u
        WHERE u.id = public.id_in(q) AND u.franchiser_ref IS NOT NULL $$;

-- Owner and callers of the functions above.
ALTER FUNCTION bank_credit_exists(text) OWNER TO franchise360_lookup;
ALTER FUNCTION bank_return_exists(text) OWNER TO franchise360_lookup;
ALTER FUNCTION named_transfers(uuid[]) OWNER TO franchise360_lookup;
REVOKE ALL ON FUNCTION bank_credit_exists(text), bank_return_exists(text), named_transfers(uuid[]), search_transfers(text),
    paid_in_part(uuid), search_transfer_uses(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION bank_credit_exists(text), bank_return_exists(text) TO franchise360_api, franchise360_worker;
GRANT EXECUTE ON FUNCTION named_transfers(uuid[]) TO franchise360_api;
GRANT EXECUTE ON FUNCTION search_transfers(text), search_transfer_uses(text) TO franchise360_lookup;
GRANT EXECUTE ON FUNCTION paid_in_part(uuid) TO franchise360_worker;

-- Triggers on earlier files' tables that call functions of this file.
CREATE TRIGGER known_transfer BEFORE INSERT ON refunds FOR EACH ROW WHEN (NEW.bank_reference <> '') EXECUTE FUNCTION refuse_known_refund();
CREATE TRIGGER known_transfer BEFORE INSERT ON reversals FOR EACH ROW WHEN (NEW.bank_reference <> '') EXECUTE FUNCTION refuse_known_refund();
-- +goose StatementEnd
