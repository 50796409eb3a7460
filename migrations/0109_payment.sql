-- Gateway money: payments, webhooks, refunds, disputes, staff requests, reversal of input tax credit, and idempotency keys. Amounts are
-- paise.

-- +goose Up
-- +goose StatementBegin
SET LOCAL check_function_bodies = off;

CREATE FUNCTION keep_charge() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    IF (NEW.franchiser_id, NEW.order_id, NEW.transaction_id, NEW.gateway, NEW.amount_paise, NEW.currency, NEW.created_at)
        <> (OLD.franchiser_id, OLD.order_id, OLD.transaction_id, OLD.gateway, OLD.amount_paise, OLD.currency, OLD.created_at) THEN
        RAISE EXCEPTION 'what a payment is for does not change' USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;

-- One attempt to pay an order. transaction_id identifies it at the gateway and is never reused.
CREATE TABLE payments (
    id                 uuid        PRIMARY KEY,
    franchiser_id      uuid        NOT NULL,
    order_id           uuid        NOT NULL,
    transaction_id     text        NOT NULL UNIQUE CHECK (transaction_id ~ '^[A-Za-z0-9]{1,25}$'),
    gateway            text        NOT NULL,
    gateway_reference  text, -- the gateway's id of the charge before it is paid, if it gives one
    gateway_payment_id text, -- the gateway's id of the capture
    state              text        NOT NULL
        CHECK (state IN ('created', 'pending', 'paid', 'failed', 'expired', 'held', 'refunded')),
    amount_paise       bigint      NOT NULL CHECK (amount_paise > 0),
    currency           text        NOT NULL CHECK (currency = 'INR'),
    method             text        NOT NULL DEFAULT '' CHECK (method IN ('', 'card', 'upi', 'netbanking')),
    slug               text        NOT NULL DEFAULT '', -- payment method, in the gateway's words
    reason             text        NOT NULL DEFAULT '', -- why it failed or is held, for the customer
    surplus            boolean     NOT NULL DEFAULT false, -- captured without an order to fulfil: refunded
    captured_paise     bigint      CHECK (captured_paise > 0),
    checks             int         NOT NULL DEFAULT 0,
    next_check_at      timestamptz, -- NULL when no change is expected
    search             text        COLLATE "C" NOT NULL,
    created_at         timestamptz NOT NULL,
    decided_at         timestamptz,
    search_transaction text        COLLATE "C" NOT NULL GENERATED ALWAYS AS (lower(transaction_id)) STORED,
    search_gateway     text        COLLATE "C" GENERATED ALWAYS AS (lower(gateway_payment_id)) STORED,
    search_reference   text        COLLATE "C" GENERATED ALWAYS AS (lower(gateway_reference)) STORED,
    request_id         uuid        DEFAULT current_request(),
    order_claimed_at   timestamptz, -- a request is creating the gateway's order since then; others wait
    -- Reference from the caller's bank message, for search: lower-case letters and digits only.
    bank_reference     text        COLLATE "C" NOT NULL DEFAULT '' CHECK (bank_reference ~ '^[0-9a-z]{0,50}$'),
    -- A mandate debit is a payment without a browser. No checkout resumes it, and the customer's open payment does not block it.
    by_mandate         boolean     NOT NULL DEFAULT false,
    -- When the customer or a pay-link user last resumed this payment. A mandate debit waits for them.
    gone_on_at         timestamptz,
    UNIQUE (franchiser_id, id),
    UNIQUE (gateway, gateway_reference),
    FOREIGN KEY (franchiser_id, order_id) REFERENCES orders (franchiser_id, id),
    CHECK (state NOT IN ('paid', 'refunded') OR captured_paise IS NOT NULL)
);
CREATE INDEX payments_list ON payments (franchiser_id, created_at DESC, id DESC);
CREATE INDEX payments_of_order ON payments (order_id);
CREATE INDEX payments_due ON payments (next_check_at) WHERE next_check_at IS NOT NULL;
CREATE INDEX payments_decided ON payments (decided_at) WHERE state IN ('paid', 'refunded');
CREATE INDEX payments_by_capture ON payments (gateway_payment_id) WHERE gateway_payment_id IS NOT NULL;
-- A refund or adjustment may name only the gateway's payment.
CREATE INDEX payments_of_gateway ON payments (gateway, gateway_payment_id) WHERE gateway_payment_id IS NOT NULL;
-- Each charge first checks for held money of the franchiser.
CREATE INDEX payments_held ON payments (franchiser_id) WHERE state = 'held';
CREATE INDEX payments_waiting ON payments (decided_at) WHERE state = 'held';
CREATE INDEX payments_search_transaction ON payments (search_transaction);
CREATE INDEX payments_search_transaction_end ON payments (right(search_transaction, 6));
CREATE INDEX payments_search_gateway ON payments (search_gateway) WHERE search_gateway IS NOT NULL;
CREATE INDEX payments_search_reference ON payments (search_reference) WHERE search_reference IS NOT NULL;
CREATE INDEX payments_search_bank ON payments (bank_reference) WHERE bank_reference <> '';
CREATE UNIQUE INDEX payments_one_open ON payments (order_id, by_mandate) WHERE state IN ('created', 'pending');
CREATE INDEX payments_debits_open ON payments (franchiser_id) WHERE by_mandate AND state IN ('created', 'pending');
CREATE INDEX payments_search_request ON payments (request_id) WHERE request_id IS NOT NULL;
CALL isolate('payments');
-- Callbacks and webhooks name no franchiser; staff search across customers.
CREATE POLICY lookup ON payments FOR SELECT TO franchise360_lookup USING (true);
CREATE TRIGGER keep_charge BEFORE UPDATE ON payments FOR EACH ROW EXECUTE FUNCTION keep_charge();
CREATE TRIGGER first_states AFTER INSERT ON payments FOR EACH ROW
    WHEN (current_user IN ('franchise360_api', 'franchise360_worker')) EXECUTE FUNCTION keep_to_first_states('created');
CREATE TRIGGER transitions BEFORE UPDATE OF state ON payments FOR EACH ROW WHEN (OLD.state <> NEW.state)
    EXECUTE FUNCTION keep_to_transitions(
        'created>pending', 'created>paid', 'created>failed', 'created>expired', 'created>held',
        'pending>paid', 'pending>failed', 'pending>expired', 'pending>held',
        'failed>paid', 'failed>held', 'expired>paid', 'expired>held', 'held>refunded', 'held>paid', 'paid>refunded');
ALTER TABLE payments ENABLE ALWAYS TRIGGER first_states;
GRANT SELECT, INSERT, UPDATE ON payments TO franchise360_api, franchise360_worker;
GRANT SELECT (id, franchiser_id, order_id, transaction_id, gateway, gateway_reference, gateway_payment_id, state, amount_paise, surplus,
    captured_paise, next_check_at, created_at, decided_at, search_transaction, search_gateway, search_reference, bank_reference,
    request_id, by_mandate) ON payments TO franchise360_lookup;

-- Reports about a payment, as received except for data that must not be stored. Identical reports are one row.
CREATE TABLE payment_events (
    id            uuid        PRIMARY KEY,
    franchiser_id uuid        NOT NULL,
    payment_id    uuid        NOT NULL,
    source        text        NOT NULL CHECK (source IN ('callback', 'webhook', 'poll', 'staff')),
    kind          text        NOT NULL CHECK (kind IN ('payment', 'refund', 'dispute')),
    status        text        NOT NULL,
    amount_paise  bigint,
    external_id   text        NOT NULL DEFAULT '', -- the refund's or dispute's id at the gateway
    digest        bytea       NOT NULL CHECK (octet_length(digest) = 32),
    fields        jsonb       NOT NULL,
    received_at   timestamptz NOT NULL,
    applied_at    timestamptz, -- refunds and disputes wait until the payment is paid
    request_id    uuid        DEFAULT current_request(),
    -- An unsigned report triggers a query to the gateway; only its answer is booked.
    signed        boolean     NOT NULL DEFAULT true,
    UNIQUE (payment_id, source, digest),
    FOREIGN KEY (franchiser_id, payment_id) REFERENCES payments (franchiser_id, id),
    CONSTRAINT payment_events_small CHECK (octet_length(fields::text) <= 16384)
);
CREATE INDEX payment_events_of_franchiser ON payment_events (franchiser_id, received_at DESC);
CREATE INDEX payment_events_waiting ON payment_events (payment_id) WHERE kind <> 'payment' AND applied_at IS NULL;
CALL isolate('payment_events');
CREATE POLICY forget_hints ON payment_events AS RESTRICTIVE FOR DELETE TO franchise360_api, franchise360_worker
    USING (NOT signed AND applied_at IS NOT NULL);
CREATE POLICY lookup ON payment_events FOR SELECT TO franchise360_lookup USING (true);
-- Unsigned reports may be deleted after they are applied, all others never.
GRANT SELECT, INSERT, DELETE ON payment_events TO franchise360_api, franchise360_worker;
GRANT UPDATE (applied_at) ON payment_events TO franchise360_worker;
GRANT SELECT (payment_id, kind, external_id, signed, fields, received_at, source) ON payment_events TO franchise360_lookup;

-- clean_utr normalises a UTR. It reduces a text around one number with a UTR's form to that number, without labels (UTR, RRN, NEFT etc.), the
-- payer's IFSC and the banks' padding zeros. Otherwise it returns the text's capitals and digits. Twelve-digit IMPS and UPI numbers keep their
-- zero: from 2030 they begin with 0, followed by the day of the year, 001 to 366. CleanUTR of pkg/transfer must match.
CREATE FUNCTION clean_utr(said text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE SET search_path = pg_catalog
    AS $$ SELECT CASE WHEN f.forms = 1 THEN f.form WHEN b.bare ~ '^0+[1-9][0-9]{5,}$' THEN ltrim(b.bare, '0') ELSE b.bare END
        FROM (SELECT translate(upper(normalize(said, NFKC)), '०१२३४५६७८९', '0123456789') AS capitals) u
        CROSS JOIN LATERAL (SELECT regexp_replace(u.capitals, '[^A-Z0-9]', '', 'g') AS bare) b
        CROSS JOIN LATERAL (SELECT count(DISTINCT m[1]) AS forms, min(m[1]) AS form
            FROM (SELECT b.bare AS word UNION ALL SELECT regexp_split_to_table(u.capitals, '[^A-Z0-9]+')) w
            CROSS JOIN LATERAL regexp_matches(w.word, '^(?:UTR|RRN|REF|NEFT|RTGS|IMPS|UPI|MMT|P2A|P2P|P2M|BY|INWARD|INW|IN|NUMBER|NO|CR)*(?:[A-Z]{4}0[0-9]{6})?0*([0-9]{12}|[A-Z][A-Z0-9]{15}|[A-Z][A-Z0-9]{21})$') m
            WHERE m[1] ~ '[0-9]{6}$' AND (m[1] !~ '^0' OR substr(m[1], 2, 3) BETWEEN '001' AND '366')) f $$;

-- Refunds. token is the idempotency key at the gateway. A refund by bank transfer is done when booked and is never sent to the gateway.
CREATE TABLE refunds (
    id                 uuid        PRIMARY KEY,
    franchiser_id      uuid        NOT NULL,
    payment_id         uuid        NOT NULL,
    gateway_payment_id text        NOT NULL,
    amount_paise       bigint      NOT NULL CHECK (amount_paise > 0),
    reason             text        NOT NULL CHECK (reason IN ('surplus', 'staff', 'gateway', 'dispute')),
    note               text        NOT NULL DEFAULT '',
    state              text        NOT NULL CHECK (state IN ('requested', 'sent', 'done', 'failed')),
    token              text        NOT NULL UNIQUE,
    gateway_refund_id  text        UNIQUE,
    failure            text        NOT NULL DEFAULT '',
    created_at         timestamptz NOT NULL,
    sent_at            timestamptz,
    done_at            timestamptz,
    failed_at          timestamptz,
    channel            text        NOT NULL DEFAULT 'gateway' CHECK (channel IN ('gateway', 'bank')),
    bank_reference     text        NOT NULL DEFAULT '', -- the UTR of the bank's transfer
    keep_plan          boolean     NOT NULL DEFAULT false, -- see reversals
    printed_reason     text        NOT NULL DEFAULT '' CHECK (char_length(printed_reason) <= 200),
    -- The parts of the invoice's lines that the credit note reduces, if they are not proportional.
    credit_parts       jsonb,
    withheld_paise     bigint      NOT NULL DEFAULT 0, -- part that was not money: TDS
    -- The upgrade whose invoice the credit note reduces, because a credit note of payment_id's invoice paid it. NULL if the credit note
    -- reduces the invoice of payment_id.
    credits_payment_id uuid,
    UNIQUE (franchiser_id, id),
    FOREIGN KEY (franchiser_id, payment_id) REFERENCES payments (franchiser_id, id),
    CONSTRAINT refunds_credits_payment FOREIGN KEY (franchiser_id, credits_payment_id) REFERENCES payments (franchiser_id, id),
    CONSTRAINT refunds_credits_another CHECK (credits_payment_id IS NULL OR credits_payment_id <> payment_id AND reason = 'staff'),
    CHECK ((done_at IS NOT NULL) = (state = 'done')),
    CHECK (failed_at IS NULL OR state = 'failed'),
    CHECK ((channel = 'bank') = (bank_reference <> '')),
    CHECK (NOT keep_plan OR reason = 'staff'),
    CONSTRAINT refunds_bank_reference_capitals CHECK (bank_reference = upper(bank_reference)),
    CHECK (withheld_paise BETWEEN 0 AND amount_paise)
);
CREATE UNIQUE INDEX refunds_surplus_once ON refunds (payment_id, gateway_payment_id) WHERE reason = 'surplus' AND state <> 'failed';
CREATE INDEX refunds_of_franchiser ON refunds (franchiser_id, created_at DESC);
CREATE INDEX refunds_of_payment ON refunds (payment_id);
CREATE INDEX refunds_open ON refunds (created_at) WHERE state IN ('requested', 'sent');
CREATE INDEX refunds_failed ON refunds (created_at) WHERE state = 'failed';
-- One bank transfer pays one refund: its UTR is upper case and booked once.
CREATE UNIQUE INDEX refunds_transfer_once ON refunds (translate(bank_reference, '-/', '')) WHERE bank_reference <> '';
CREATE INDEX refunds_search_gateway ON refunds (lower(gateway_refund_id) COLLATE "C") WHERE gateway_refund_id IS NOT NULL;
CREATE INDEX refunds_by_utr ON refunds (clean_utr(bank_reference)) WHERE bank_reference <> '';
CALL isolate('refunds');
CREATE POLICY lookup ON refunds FOR SELECT TO franchise360_lookup USING (true);
CREATE TRIGGER transitions BEFORE UPDATE OF state ON refunds FOR EACH ROW WHEN (OLD.state <> NEW.state)
    EXECUTE FUNCTION keep_to_transitions('requested>sent', 'requested>done', 'requested>failed', 'sent>done', 'sent>failed');
CREATE TRIGGER first_states AFTER INSERT ON refunds FOR EACH ROW
    WHEN (current_user IN ('franchise360_api', 'franchise360_worker')) EXECUTE FUNCTION keep_to_first_states('requested', 'sent');
ALTER TABLE refunds ENABLE ALWAYS TRIGGER first_states;
GRANT SELECT ON refunds TO franchise360_api;
GRANT SELECT, INSERT, UPDATE ON refunds TO franchise360_worker;
GRANT SELECT (id, franchiser_id, payment_id, gateway_payment_id, state, reason, amount_paise, failure, created_at, failed_at,
    bank_reference, gateway_refund_id, credits_payment_id, credit_parts) ON refunds TO franchise360_lookup;

-- Only the worker may close a dispute as lost, because that moves money.
CREATE FUNCTION check_closed_dispute() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF current_user = 'franchise360_api' AND (OLD.state <> 'open' OR NEW.state NOT IN ('won', 'dismissed')) THEN
        RAISE EXCEPTION 'the api closes open disputes as won or dismissed only' USING ERRCODE = 'insufficient_privilege';
    END IF;
    RETURN NEW;
END $$;

-- Chargebacks and their outcome. A dispute reported only by an unsigned webhook moves no money until staff confirm it at the gateway.
-- Dismissed: the gateway does not know the dispute.
CREATE TABLE disputes (
    id                 uuid        PRIMARY KEY,
    franchiser_id      uuid        NOT NULL,
    payment_id         uuid        NOT NULL,
    gateway_dispute_id text        NOT NULL,
    state              text        NOT NULL CHECK (state IN ('open', 'won', 'lost', 'dismissed')),
    amount_paise       bigint      NOT NULL CHECK (amount_paise >= 0), -- the amount charged back, when lost
    refund_id          uuid, -- the part not refunded before
    opened_at          timestamptz NOT NULL,
    decided_at         timestamptz,
    confirmed          boolean     NOT NULL DEFAULT true,
    UNIQUE (franchiser_id, id),
    UNIQUE (payment_id, gateway_dispute_id),
    FOREIGN KEY (franchiser_id, payment_id) REFERENCES payments (franchiser_id, id),
    FOREIGN KEY (franchiser_id, refund_id) REFERENCES refunds (franchiser_id, id),
    CHECK ((state = 'open') = (decided_at IS NULL)),
    CONSTRAINT disputes_confirmed CHECK (confirmed OR state IN ('open', 'dismissed'))
);
CREATE INDEX disputes_of_franchiser ON disputes (franchiser_id, opened_at DESC);
CREATE INDEX disputes_open ON disputes (opened_at) WHERE state = 'open';
CREATE INDEX disputes_by_name ON disputes (gateway_dispute_id);
CREATE INDEX disputes_search_gateway ON disputes (lower(gateway_dispute_id) COLLATE "C");
CALL isolate('disputes');
CREATE POLICY lookup ON disputes FOR SELECT TO franchise360_lookup USING (true);
CREATE TRIGGER transitions BEFORE UPDATE OF state ON disputes FOR EACH ROW WHEN (OLD.state <> NEW.state)
    EXECUTE FUNCTION keep_to_transitions(
        'open>won', 'open>lost', 'open>dismissed', 'won>open', 'won>lost', 'dismissed>open', 'dismissed>won', 'dismissed>lost');
CREATE TRIGGER disputes_closed BEFORE UPDATE ON disputes FOR EACH ROW EXECUTE FUNCTION check_closed_dispute();
CREATE TRIGGER first_states AFTER INSERT ON disputes FOR EACH ROW
    WHEN (current_user IN ('franchise360_api', 'franchise360_worker')) EXECUTE FUNCTION keep_to_first_states('open');
ALTER TABLE disputes ENABLE ALWAYS TRIGGER first_states;
GRANT SELECT ON disputes TO franchise360_api;
GRANT SELECT, INSERT, UPDATE ON disputes TO franchise360_worker;
GRANT UPDATE (state, confirmed, decided_at) ON disputes TO franchise360_api;
GRANT SELECT (id, franchiser_id, payment_id, gateway_dispute_id, state, confirmed, amount_paise,
    opened_at) ON disputes TO franchise360_lookup;

-- A decided reversal keeps its requester, decider, amount and payment.
CREATE FUNCTION keep_decided_reversal() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    IF OLD.decided_by IS NOT NULL AND (NEW.decided_by IS DISTINCT FROM OLD.decided_by OR NEW.state = 'waiting')
        OR NEW.requested_by <> OLD.requested_by OR NEW.amount_paise <> OLD.amount_paise OR NEW.payment_id <> OLD.payment_id THEN
        RAISE EXCEPTION 'a reversal that was decided stays so' USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;

-- A staff request about a payment. The row belongs to the operator: franchiser_ref gives no access, but the foreign key ensures that the
-- payment is that customer's. If needs_approval is set, a second person decides; then the worker executes the request once. keep_plan keeps
-- the plan running after a full refund, as goodwill. printed_reason is the reason on the credit note, apart from the staff note; may be
-- empty. A bank_transfer pays what a permanently failed refund of uninvoiced money still owes.
CREATE TABLE reversals (
    id              uuid        PRIMARY KEY,
    franchiser_ref  uuid        NOT NULL,
    payment_id      uuid        NOT NULL,
    kind            text        NOT NULL CHECK (kind IN ('refund', 'credit_note', 'bank_transfer', 'release', 'chargeback')),
    amount_paise    bigint      NOT NULL CHECK (amount_paise > 0),
    bank_reference  text        NOT NULL DEFAULT '', -- the UTR of a transfer outside the gateway
    dispute_id      text        NOT NULL DEFAULT '', -- the gateway's id of a lost dispute
    reason          text        NOT NULL CHECK (reason ~ '\S'),
    state           text        NOT NULL CHECK (state IN ('waiting', 'approved', 'declined', 'withdrawn', 'done', 'failed')),
    needs_approval  boolean     NOT NULL,
    key             text        NOT NULL CHECK (char_length(key) BETWEEN 8 AND 128),
    requested_by    uuid        NOT NULL REFERENCES staff,
    requested_at    timestamptz NOT NULL,
    decided_by      uuid        REFERENCES staff,
    decided_at      timestamptz,
    decision_reason text        NOT NULL DEFAULT '',
    refund_id       uuid,
    failure         text        NOT NULL DEFAULT '',
    finished_at     timestamptz,
    keep_plan       boolean     NOT NULL DEFAULT false,
    printed_reason  text        NOT NULL DEFAULT '' CHECK (char_length(printed_reason) <= 200),
    UNIQUE (requested_by, key),
    FOREIGN KEY (franchiser_ref, payment_id) REFERENCES payments (franchiser_id, id),
    FOREIGN KEY (franchiser_ref, refund_id) REFERENCES refunds (franchiser_id, id),
    CHECK (decided_by <> requested_by),
    CHECK ((decided_by IS NULL) = (decided_at IS NULL)),
    CONSTRAINT reversals_bank_reference_check CHECK ((kind IN ('credit_note', 'bank_transfer')) = (bank_reference <> '')),
    CONSTRAINT reversals_bank_reference_capitals CHECK (bank_reference = upper(bank_reference)),
    CONSTRAINT reversals_check3 CHECK ((kind = 'chargeback') = (dispute_id <> '')),
    CONSTRAINT reversals_check4 CHECK ((state IN ('done', 'failed')) = (finished_at IS NOT NULL)),
    CONSTRAINT reversals_check5 CHECK (NOT keep_plan OR kind IN ('refund', 'credit_note')),
    CONSTRAINT reversals_check6 CHECK (printed_reason = '' OR kind IN ('refund', 'credit_note')),
    CONSTRAINT reversals_decided_by_another CHECK (NOT needs_approval OR state IN ('waiting', 'withdrawn') OR decided_by IS NOT NULL)
);
CREATE INDEX reversals_open ON reversals (requested_at) WHERE state IN ('waiting', 'approved');
CREATE INDEX reversals_of_franchiser ON reversals (franchiser_ref, requested_at DESC);
CREATE INDEX reversals_of_payment ON reversals (payment_id);
CREATE INDEX reversals_of_transfer ON reversals (translate(bank_reference, '-/', '')) WHERE bank_reference <> '';
CREATE INDEX reversals_by_utr ON reversals (clean_utr(bank_reference)) WHERE bank_reference <> '';
-- Staff request as themselves; only another admin decides.
ALTER TABLE reversals ENABLE ROW LEVEL SECURITY;
CREATE POLICY staff_read ON reversals FOR SELECT TO franchise360_api
    USING ((SELECT acting_staff()) IS NOT NULL OR franchiser_ref = (SELECT current_franchiser()));
-- Finance may request refunds; approval still needs an admin.
CREATE POLICY own_name ON reversals FOR INSERT TO franchise360_api
    WITH CHECK (requested_by = (SELECT acting_staff('finance')) AND decided_by IS NULL
    AND state = CASE WHEN needs_approval THEN 'waiting' ELSE 'approved' END);
CREATE POLICY every_row ON reversals TO franchise360_worker USING (true) WITH CHECK (true);
CREATE POLICY another_decides ON reversals FOR UPDATE TO franchise360_api
    USING ((SELECT acting_staff()) IS NOT NULL)
    WITH CHECK (decided_by = (SELECT acting_staff('admin')) AND decided_by <> requested_by AND state IN ('approved', 'declined')
        OR requested_by = (SELECT acting_staff('admin')) AND decided_by IS NULL AND state = 'withdrawn');
CREATE POLICY lookup ON reversals FOR SELECT TO franchise360_lookup USING (true);
CREATE TRIGGER keep_decided BEFORE UPDATE ON reversals FOR EACH ROW EXECUTE FUNCTION keep_decided_reversal();
CREATE TRIGGER first_states AFTER INSERT ON reversals FOR EACH ROW
    WHEN (current_user IN ('franchise360_api', 'franchise360_worker')) EXECUTE FUNCTION keep_to_first_states('waiting', 'approved');
CREATE TRIGGER transitions BEFORE UPDATE OF state ON reversals FOR EACH ROW WHEN (OLD.state <> NEW.state)
    EXECUTE FUNCTION keep_to_transitions(
        'waiting>approved', 'waiting>declined', 'waiting>withdrawn', 'approved>done', 'approved>failed', 'approved>waiting');
CREATE TRIGGER second_person BEFORE INSERT OR UPDATE OF decided_by ON reversals FOR EACH ROW
    WHEN (NEW.decided_by IS NOT NULL) EXECUTE FUNCTION require_second_person('requested_by', 'decided_by', 'decided_at');
ALTER TABLE reversals ENABLE ALWAYS TRIGGER first_states;
GRANT SELECT, INSERT ON reversals TO franchise360_api;
GRANT SELECT, UPDATE ON reversals TO franchise360_worker;
GRANT UPDATE (state, decided_by, decided_at, decision_reason) ON reversals TO franchise360_api;
GRANT SELECT (id, franchiser_ref) ON reversals TO franchise360_lookup;

-- A client's idempotency key, bound to the request's content; kept 24 hours.
CREATE TABLE idempotency_keys (
    franchiser_id uuid        NOT NULL REFERENCES franchisers,
    key           text        NOT NULL CHECK (char_length(key) BETWEEN 8 AND 128),
    request       bytea       NOT NULL CHECK (octet_length(request) = 32), -- SHA-256 of the call and its body
    order_id      uuid        NOT NULL,
    payment_id    uuid,
    created_at    timestamptz NOT NULL,
    PRIMARY KEY (franchiser_id, key),
    FOREIGN KEY (franchiser_id, order_id) REFERENCES orders (franchiser_id, id),
    FOREIGN KEY (franchiser_id, payment_id) REFERENCES payments (franchiser_id, id)
);
CREATE INDEX idempotency_keys_age ON idempotency_keys (created_at);
CALL isolate('idempotency_keys');
GRANT SELECT, INSERT, DELETE ON idempotency_keys TO franchise360_api, franchise360_worker;

-- check_input_tax_state rejects a state for a document that reverses no input tax credit.
CREATE FUNCTION check_input_tax_state()
    RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM document_overview d WHERE d.franchiser_id = NEW.franchiser_id AND d.id = NEW.invoice_id
            AND d.reverses_input_tax) THEN
        RAISE EXCEPTION 'document % reverses no input tax credit', NEW.invoice_id
            USING ERRCODE = 'check_violation', CONSTRAINT = 'input_tax_states_note';
    END IF;
    RETURN NEW;
END $$;

-- Whether the registered recipient of a credit note reversed the input tax credit, as staff record it (section 34(2) CGST Act, as amended
-- from 1 October 2025). The history is append-only; the last entry counts. If the recipient refuses, the supplier owes the note's tax
-- again. The invoice migration adds the foreign key.
CREATE TABLE input_tax_states (
    id            uuid        PRIMARY KEY,
    franchiser_id uuid        NOT NULL,
    invoice_id    uuid        NOT NULL,
    sequence      int         NOT NULL CHECK (sequence > 0),
    state         text        NOT NULL CHECK (state IN ('unknown', 'reversed', 'not_taken', 'refused')),
    evidence      text        NOT NULL CHECK (char_length(evidence) BETWEEN 1 AND 500),
    staff_id      uuid        NOT NULL REFERENCES staff,
    staff_name    text        NOT NULL,
    recorded_at   timestamptz NOT NULL,
    UNIQUE (invoice_id, sequence)
);
CALL isolate('input_tax_states');
CREATE POLICY own_name ON input_tax_states AS RESTRICTIVE FOR INSERT TO franchise360_api
    WITH CHECK (staff_id = (SELECT acting_staff('finance')));
CREATE POLICY lookup ON input_tax_states FOR SELECT TO franchise360_lookup USING (true);
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON input_tax_states
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER of_a_note BEFORE INSERT ON input_tax_states FOR EACH ROW EXECUTE FUNCTION check_input_tax_state();
GRANT SELECT, INSERT ON input_tax_states TO franchise360_api;
GRANT SELECT ON input_tax_states TO franchise360_worker, franchise360_lookup;

-- find_payment finds a payment by its transaction, else by the gateway's id of the charge, else of the capture.
CREATE FUNCTION find_payment(g text, t text, r text, c text) RETURNS TABLE (id uuid, franchiser_id uuid)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT p.id, p.franchiser_id FROM public.payments p WHERE p.gateway = g AND t <> '' AND p.transaction_id = t
          UNION ALL
          SELECT p.id, p.franchiser_id FROM public.payments p
          WHERE p.gateway = g AND t = '' AND r <> '' AND p.gateway_reference = r
          UNION ALL
          SELECT p.id, p.franchiser_id FROM public.payments p
          WHERE p.gateway = g AND t = '' AND r = '' AND c <> '' AND p.gateway_payment_id = c $$;

-- The gateway's deadline to answer a dispute, in its format; empty if none. An unsigned report counts only for an unconfirmed dispute.
CREATE FUNCTION answer_due(payment uuid, dispute text, sure boolean) RETURNS text
    LANGUAGE sql STABLE
    AS $$ SELECT coalesce((SELECT left(e.fields ->> 'due_date', 40) FROM payment_events e
        WHERE e.payment_id = payment AND e.kind = 'dispute' AND e.external_id = dispute AND (e.signed OR NOT sure)
            AND e.fields ->> 'due_date' <> ''
        ORDER BY e.received_at DESC LIMIT 1), '') $$;

-- Amounts still owed for failed refunds of uninvoiced money, oldest first: the whole capture less the money returned. A bank may have
-- charged back part before the refund. Bank transfers and refunds on the gateway's dashboard also count.
CREATE FUNCTION owed_of_payment(payment uuid) RETURNS TABLE (refund_id uuid, gateway_payment_id text, owed_paise bigint)
    LANGUAGE sql STABLE
    AS $$
    SELECT f.id, f.gateway_payment_id, f.came - f.back FROM (
        SELECT DISTINCT ON (r.gateway_payment_id) r.id, r.gateway_payment_id, r.created_at,
            CASE WHEN p.surplus AND r.gateway_payment_id = p.gateway_payment_id THEN p.captured_paise ELSE r.amount_paise END AS came,
            (SELECT coalesce(sum(b.amount_paise), 0)::bigint FROM public.refunds b
                WHERE b.payment_id = p.id AND b.gateway_payment_id = r.gateway_payment_id AND b.state <> 'failed'
                    AND (b.reason = 'surplus' OR p.surplus OR b.gateway_payment_id <> p.gateway_payment_id)) AS back
        FROM public.refunds r JOIN public.payments p ON p.id = r.payment_id
        WHERE p.id = payment AND r.reason = 'surplus' AND r.state = 'failed'
        ORDER BY r.gateway_payment_id, r.created_at) f
    WHERE f.came > f.back ORDER BY f.created_at, f.id $$;

-- kept_of_payment returns what was paid for the payment's invoice, in money or by credit notes, and was not returned. A chargeback of an
-- earlier payment reduces what its credit notes are worth.
CREATE FUNCTION kept_of_payment(payment uuid) RETURNS bigint LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN (SELECT coalesce(p.captured_paise, 0)
        + (SELECT coalesce(sum(least(n.total_paise, greatest(0, public.kept_of_payment(n.payment_id)))), 0)
            FROM public.paid_by_notes(p.franchiser_id, p.id) n)
        - (SELECT coalesce(sum(r.amount_paise), 0) FROM public.refunds r WHERE r.franchiser_id = p.franchiser_id AND r.state <> 'failed'
            AND (r.payment_id = p.id AND r.gateway_payment_id = p.gateway_payment_id AND r.credits_payment_id IS NULL
                OR r.credits_payment_id = p.id))
        FROM public.payments p WHERE p.id = payment)::bigint;
END $$;

-- owed_of_invoiced returns what failed refunds of a payment still owe of invoiced money, at most what was not returned. A failed refund
-- adds its amount. A later refund subtracts its amount, never below zero, because it returns the same money in another way. A refund of
-- certain parts of the invoice (credit_parts) subtracts nothing: it returns other money. Other captures of the transaction are separate
-- money.
CREATE FUNCTION owed_of_invoiced(payment uuid) RETURNS bigint
    LANGUAGE sql STABLE
    AS $$
    SELECT CASE WHEN o.owed > 0 THEN least(o.owed, greatest(0, public.kept_of_payment(payment))) ELSE 0 END FROM (
        SELECT coalesce((array_agg(w.sum ORDER BY w.at DESC, w.id DESC, w.step DESC))[1] - least(0, min(w.sum)), 0)::bigint AS owed FROM (
            SELECT e.at, e.id, e.step, sum(e.paise) OVER (ORDER BY e.at, e.id, e.step) AS sum FROM public.payments p
                JOIN public.refunds r ON r.payment_id = p.id AND r.gateway_payment_id = p.gateway_payment_id AND r.reason <> 'surplus'
                    AND r.credits_payment_id IS NULL
                CROSS JOIN LATERAL (VALUES (r.created_at, r.id, 1, CASE WHEN r.credit_parts IS NULL THEN -r.amount_paise ELSE 0 END),
                    (coalesce(r.failed_at, r.created_at), r.id, 2, r.amount_paise)) e (at, id, step, paise)
            WHERE p.id = payment AND (e.step = 1 OR r.state = 'failed')) w) o $$;

-- owed_to_franchiser returns the paise due to a franchiser. Erasure waits for it, because the bank details would be lost. It adds held
-- payments, unfinished and failed refunds, and open staff requests. A bank transfer or release is already part of a failed refund or held
-- payment. A staff request counts only above the amount that failed refunds still owe. It reads the rows its caller may read.
CREATE FUNCTION owed_to_franchiser(f uuid) RETURNS bigint
    LANGUAGE sql STABLE
    AS $$
    SELECT (SELECT coalesce(sum(p.captured_paise), 0) FROM public.payments p
            WHERE p.franchiser_id = f AND p.state = 'held' AND NOT p.surplus)
        + (SELECT coalesce(sum(r.amount_paise), 0) FROM public.refunds r
            WHERE r.franchiser_id = f AND r.state IN ('requested', 'sent') AND r.reason <> 'dispute')
        + (SELECT coalesce(sum(o.owed_paise), 0) FROM (SELECT DISTINCT r.payment_id FROM public.refunds r
            WHERE r.franchiser_id = f AND r.state = 'failed' AND r.reason = 'surplus') s
            CROSS JOIN LATERAL public.owed_of_payment(s.payment_id) o)
        + (SELECT coalesce(sum(greatest(public.owed_of_invoiced(m.payment_id), m.asked)), 0) FROM (
            SELECT x.payment_id, sum(x.asked) AS asked FROM (
                SELECT r.payment_id, 0 AS asked FROM public.refunds r
                WHERE r.franchiser_id = f AND r.state = 'failed' AND r.reason <> 'surplus'
                UNION ALL SELECT v.payment_id, v.amount_paise FROM public.reversals v
                WHERE v.franchiser_ref = f AND v.state IN ('waiting', 'approved') AND v.kind IN ('refund', 'credit_note')) x
            GROUP BY x.payment_id) m) $$;

-- Functions that read across customers are for staff: each checks the proof, then calls its inner function.

-- Finds a payment by its transaction or id. Staff then read as that franchiser.
CREATE FUNCTION find_any_transaction(t text) RETURNS TABLE (id uuid, franchiser_id uuid)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT p.id, p.franchiser_id FROM public.payments p
          WHERE p.transaction_id = t
          OR p.id = CASE WHEN t ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN t::uuid END $$;

CREATE FUNCTION find_transaction(t text) RETURNS TABLE (id uuid, franchiser_id uuid)
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ BEGIN PERFORM public.require_staff(); RETURN QUERY SELECT * FROM public.find_any_transaction(t); END $$;

-- Held payments wait for release, open disputes for a decision, and failed refunds for another way to pay. Of a payment's failed refunds,
-- the newest represent the amount still owed.
CREATE FUNCTION waiting_money_of_all()
    RETURNS TABLE (kind text, franchiser_id uuid, payment_id uuid, reference text, amount_paise bigint, due_paise bigint, since timestamptz,
        answer_by text, failure text)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public AS $$
    SELECT 'held', p.franchiser_id, p.id, p.transaction_id, coalesce(p.captured_paise, 0), p.amount_paise,
        coalesce(p.decided_at, p.created_at), '', ''
    FROM public.payments p WHERE p.state = 'held' AND NOT p.surplus
    UNION ALL
    SELECT CASE WHEN d.confirmed THEN 'dispute' ELSE 'unconfirmed' END, d.franchiser_id, d.payment_id, d.gateway_dispute_id,
        d.amount_paise, 0, d.opened_at, public.answer_due(d.payment_id, d.gateway_dispute_id, d.confirmed), ''
    FROM public.disputes d WHERE d.state = 'open'
    UNION ALL
    SELECT 'refund', r.franchiser_id, r.payment_id, r.id::text, CASE r.reason WHEN 'surplus' THEN r.amount_paise ELSE least(r.amount_paise, o.owed) END,
        0, r.created_at, '', r.failure
    FROM public.refunds r CROSS JOIN LATERAL (SELECT CASE WHEN r.reason <> 'surplus' THEN public.owed_of_invoiced(r.payment_id)
        - (SELECT coalesce(sum(n.amount_paise), 0)::bigint FROM public.refunds n
            WHERE n.payment_id = r.payment_id AND n.state = 'failed' AND n.reason <> 'surplus' AND n.credits_payment_id IS NULL
                AND (n.created_at, n.id) > (r.created_at, r.id)) END AS owed) o
    -- A failed refund with credits_payment_id is owed on the upgrade.
    WHERE r.state = 'failed' AND r.credits_payment_id IS NULL
        AND CASE r.reason WHEN 'surplus' THEN r.id IN (SELECT w.refund_id FROM public.owed_of_payment(r.payment_id) w) ELSE o.owed > 0 END
    $$;

CREATE FUNCTION waiting_money()
    RETURNS TABLE (kind text, franchiser_id uuid, payment_id uuid, reference text, amount_paise bigint, due_paise bigint,
        since timestamptz, answer_by text, failure text)
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ BEGIN PERFORM public.require_staff(); RETURN QUERY SELECT * FROM public.waiting_money_of_all(); END $$;

-- named_payments returns the customer and purchase of payments, to staff, the worker and the owning franchiser.
CREATE FUNCTION named_payments(ids uuid[])
    RETURNS TABLE (payment_id uuid, name text, mobile text, transaction_id text, gateway text, paid_paise bigint, bought text)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path = pg_catalog, public
    AS $$
    SELECT p.id, c.name, c.mobile, p.transaction_id, p.gateway, coalesce(p.captured_paise, p.amount_paise), o.bought
    FROM public.payments p
        CROSS JOIN LATERAL public.named_customer(p.franchiser_id) c
        CROSS JOIN LATERAL public.bought_by(p.franchiser_id, p.order_id) o
    WHERE p.id = ANY (ids) AND (p.franchiser_id = (SELECT public.current_franchiser()) OR (SELECT public.is_worker())
        OR (SELECT public.acting_staff()) IS NOT NULL) $$;

-- Payments that the sweep checks at the gateway.

CREATE FUNCTION payment_check_is_late(next_check_at timestamptz, before timestamptz) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN next_check_at < before;

-- Counts the rows that are due for a sweep, up to 10,001; reveals only the number.
CREATE FUNCTION count_late_payment_checks(at timestamptz) RETURNS bigint
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT count(*) FROM (SELECT FROM public.payments p WHERE public.payment_check_is_late(p.next_check_at, at) LIMIT 10001) x $$;

-- All customers' credit notes whose recipients must reverse input tax credit, with their state. reversing_notes checks the staff proof.
CREATE FUNCTION reversing_notes_of_all(wanted text, most integer, passing integer)
        RETURNS TABLE (id uuid, franchiser_id uuid, number text, issued_at timestamptz, name text, gstin text, taxable_paise bigint,
        tax_paise bigint, total_paise bigint, transaction_id text, state text, evidence text, recorded_by text, recorded_at timestamptz,
        of_all bigint)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path = pg_catalog, public
    AS $$
    SELECT n.id, n.franchiser_id, n.number, n.issued_at, n.name, n.gstin, n.taxable_paise, n.total_paise - n.taxable_paise, n.total_paise,
        coalesce(p.transaction_id, ''), coalesce(s.state, 'unknown'), coalesce(s.evidence, ''), coalesce(s.staff_name, ''), s.recorded_at,
        count(*) OVER ()
    FROM public.notes_to_reverse() n
        LEFT JOIN public.payments p ON p.franchiser_id = n.franchiser_id AND p.id = n.payment_id
        LEFT JOIN LATERAL (SELECT l.state, l.evidence, l.staff_name, l.recorded_at FROM public.input_tax_states l
            WHERE l.invoice_id = n.id ORDER BY l.sequence DESC LIMIT 1) s ON true
    WHERE wanted = '' OR coalesce(s.state, 'unknown') = wanted
    ORDER BY n.issued_at DESC, n.id DESC LIMIT most OFFSET passing $$;

CREATE FUNCTION reversing_notes(wanted text, most int, passing int)
    RETURNS TABLE (id uuid, franchiser_id uuid, number text, issued_at timestamptz, name text, gstin text, taxable_paise bigint,
        tax_paise bigint, total_paise bigint, transaction_id text, state text, evidence text, recorded_by text, recorded_at timestamptz, of_all bigint)
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ BEGIN PERFORM public.require_staff(); RETURN QUERY SELECT * FROM public.reversing_notes_of_all(wanted, most, passing); END $$;

-- search_payments finds payments by a prefix of the transaction or gateway id, or by the last six characters of the transaction id.
CREATE FUNCTION search_payments(q text) RETURNS TABLE (franchiser_id uuid, kind text, label text, exact boolean)
    LANGUAGE sql STABLE AS $$
    (SELECT p.franchiser_id, 'transaction', p.transaction_id, p.search_transaction = q FROM public.payments p
        WHERE length(q) >= 6 AND p.search_transaction >= q AND p.search_transaction <= q || chr(1114111)
        ORDER BY p.search_transaction LIMIT 8)
    UNION ALL (SELECT p.franchiser_id, 'transaction', p.transaction_id, false FROM public.payments p
        WHERE length(q) = 6 AND right(p.search_transaction, 6) = q LIMIT 8)
    UNION ALL (SELECT p.franchiser_id, 'payment', p.transaction_id, true FROM public.payments p WHERE p.id = public.id_in(q))
    UNION ALL (SELECT p.franchiser_id, 'bank_reference', upper(p.bank_reference), true FROM public.payments p
        WHERE length(q) >= 6 AND p.bank_reference <> '' AND p.bank_reference = translate(q, ' -/', '') LIMIT 8)
    UNION ALL (SELECT r.franchiser_id, 'bank_reference', r.bank_reference, true FROM public.refunds r
        WHERE length(q) >= 6 AND r.bank_reference <> '' AND translate(r.bank_reference, '-/', '') = upper(translate(q, ' -/', '')) LIMIT 8)
    UNION ALL (SELECT p.franchiser_id, 'gateway_payment', p.gateway_payment_id, p.search_gateway = q FROM public.payments p
        WHERE length(q) >= 5 AND p.search_gateway >= q AND p.search_gateway <= q || chr(1114111)
        ORDER BY p.search_gateway LIMIT 8)
    UNION ALL (SELECT p.franchiser_id, 'gateway_payment', p.gateway_reference, p.search_reference = q FROM public.payments p
        WHERE length(q) >= 5 AND p.search_reference >= q AND p.search_reference <= q || chr(1114111)
        ORDER BY p.search_reference LIMIT 8) $$;

CREATE FUNCTION transaction_of(payment uuid) RETURNS TABLE (transaction_id text)
    LANGUAGE sql STABLE
    AS $$ SELECT p.transaction_id FROM public.payments p WHERE p.id = payment $$;

-- A UTR identifies one movement of money, in or out.
CREATE FUNCTION refund_transfer_exists(number text) RETURNS boolean
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT EXISTS (SELECT FROM public.refunds r WHERE r.bank_reference <> '' AND public.clean_utr(r.bank_reference) = number) $$;

-- undecided_payments returns older payments without a decision: pending at the gateway, or not checked in time. Abandoned payments do not
-- count.
CREATE FUNCTION undecided_payments(before timestamptz, late timestamptz)
    RETURNS TABLE (franchiser_id uuid, payment_id uuid, transaction_id text, gateway text, amount_paise bigint, since timestamptz)
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ BEGIN
        PERFORM public.require_staff();
        RETURN QUERY SELECT p.franchiser_id, p.id, p.transaction_id, p.gateway, p.amount_paise, p.created_at
            FROM public.payments p WHERE p.created_at < before
                AND (p.state = 'pending' OR p.state = 'created' AND public.payment_check_is_late(p.next_check_at, late));
    END $$;

-- attempts_changed_from returns the first day with an attempt created or decided since a moment.
CREATE FUNCTION attempts_changed_from(since timestamptz) RETURNS date LANGUAGE sql STABLE
    AS $$ SELECT day_in_india(min(created_at)) FROM payments WHERE decided_at >= since OR created_at >= since $$;

-- search_refunds finds refunds, disputes and refund requests by our id, the gateway's or the request's.
CREATE FUNCTION search_refunds(q text) RETURNS TABLE (franchiser_id uuid, kind text, label text, exact boolean)
    LANGUAGE sql STABLE AS $$
    SELECT r.franchiser_id, 'refund', coalesce(r.gateway_refund_id, r.id::text), true FROM public.refunds r WHERE r.id = public.id_in(q)
    UNION ALL (SELECT r.franchiser_id, 'refund', r.gateway_refund_id, lower(r.gateway_refund_id) = q FROM public.refunds r
        WHERE length(q) >= 5 AND lower(r.gateway_refund_id) COLLATE "C" >= q AND lower(r.gateway_refund_id) COLLATE "C" <= q || chr(1114111)
        ORDER BY lower(r.gateway_refund_id) COLLATE "C" LIMIT 8)
    UNION ALL SELECT d.franchiser_id, 'dispute', d.gateway_dispute_id, true FROM public.disputes d WHERE d.id = public.id_in(q)
    UNION ALL (SELECT d.franchiser_id, 'dispute', d.gateway_dispute_id, lower(d.gateway_dispute_id) = q FROM public.disputes d
        WHERE length(q) >= 5 AND lower(d.gateway_dispute_id) COLLATE "C" >= q AND lower(d.gateway_dispute_id) COLLATE "C" <= q || chr(1114111)
        ORDER BY lower(d.gateway_dispute_id) COLLATE "C" LIMIT 8)
    UNION ALL SELECT v.franchiser_ref, 'refund_request', v.id::text, true FROM public.reversals v WHERE v.id = public.id_in(q)
    UNION ALL (SELECT p.franchiser_id, 'request', p.request_id::text, true FROM public.payments p WHERE p.request_id = public.id_in(q) LIMIT 8) $$;

-- watched_payments returns payments held for staff, and older payments that are pending at the gateway or were not checked in time. Mandate
-- debits take days and have a separate watch.
CREATE FUNCTION watched_payments(before timestamptz, late timestamptz)
    RETURNS TABLE (kind text, transaction_id text, gateway text, amount_paise bigint, due_paise bigint, since timestamptz)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$
    SELECT 'held', p.transaction_id, p.gateway, coalesce(p.captured_paise, 0), p.amount_paise, coalesce(p.decided_at, p.created_at)
    FROM public.payments p WHERE p.state = 'held' AND NOT p.surplus
    UNION ALL
    SELECT 'undecided', p.transaction_id, p.gateway, p.amount_paise, p.amount_paise, p.created_at
    FROM public.payments p WHERE p.created_at < before AND NOT p.by_mandate
        AND (p.state = 'pending' OR p.state = 'created' AND public.payment_check_is_late(p.next_check_at, late)) $$;

-- captures_unheard_of counts each gateway's paid payments after the last one that a webhook reported.
CREATE FUNCTION captures_unheard_of(after timestamptz, before timestamptz) RETURNS TABLE (gateway text, payments bigint)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$
    WITH found AS (
        SELECT p.gateway, p.decided_at, EXISTS (SELECT FROM public.payment_events e
            WHERE e.payment_id = p.id AND e.source = 'webhook' AND e.kind = 'payment') AS told
        FROM public.payments p WHERE p.state IN ('paid', 'refunded') AND p.decided_at > after AND p.decided_at <= before
            AND EXISTS (SELECT FROM public.payment_events e WHERE e.payment_id = p.id AND e.source IN ('callback', 'webhook', 'poll')))
    SELECT f.gateway, count(*) FROM found f WHERE f.decided_at > coalesce(
        (SELECT max(t.decided_at) FROM found t WHERE t.gateway = f.gateway AND t.told), '-infinity') GROUP BY f.gateway $$;

-- has_paid returns whether the franchiser ever paid. It reads with its caller's rights.
CREATE FUNCTION has_paid(franchiser uuid) RETURNS boolean LANGUAGE sql STABLE SET search_path = pg_catalog, public
AS $$ SELECT EXISTS (SELECT FROM public.payments p WHERE p.franchiser_id = franchiser AND p.state IN ('paid', 'refunded')) $$;

-- Owner and callers of the functions above.
ALTER FUNCTION find_payment(text, text, text, text) OWNER TO franchise360_lookup;
ALTER FUNCTION find_any_transaction(text) OWNER TO franchise360_lookup;
ALTER FUNCTION find_transaction(text) OWNER TO franchise360_lookup;
ALTER FUNCTION waiting_money_of_all() OWNER TO franchise360_lookup;
ALTER FUNCTION waiting_money() OWNER TO franchise360_lookup;
ALTER FUNCTION named_payments(uuid[]) OWNER TO franchise360_lookup;
ALTER FUNCTION count_late_payment_checks(timestamptz) OWNER TO franchise360_lookup;
ALTER FUNCTION reversing_notes_of_all(text, int, int) OWNER TO franchise360_lookup;
ALTER FUNCTION reversing_notes(text, int, int) OWNER TO franchise360_lookup;
ALTER FUNCTION refund_transfer_exists(text) OWNER TO franchise360_lookup;
ALTER FUNCTION undecided_payments(timestamptz, timestamptz) OWNER TO franchise360_lookup;
ALTER FUNCTION watched_payments(timestamptz, timestamptz) OWNER TO franchise360_lookup;
ALTER FUNCTION captures_unheard_of(timestamptz, timestamptz) OWNER TO franchise360_lookup;
REVOKE ALL ON FUNCTION find_payment(text, text, text, text), find_any_transaction(text), find_transaction(text), waiting_money_of_all(),
    waiting_money(), named_payments(uuid[]), count_late_payment_checks(timestamptz), reversing_notes_of_all(text, int, int),
    reversing_notes(text, int, int), search_payments(text), transaction_of(uuid), refund_transfer_exists(text),
    undecided_payments(timestamptz, timestamptz), search_refunds(text), watched_payments(timestamptz, timestamptz),
    captures_unheard_of(timestamptz, timestamptz), has_paid(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION find_payment(text, text, text, text), named_payments(uuid[]), refund_transfer_exists(text),
    has_paid(uuid) TO franchise360_api, franchise360_worker;
GRANT EXECUTE ON FUNCTION find_transaction(text), waiting_money(), count_late_payment_checks(timestamptz), reversing_notes(text, int, int),
    undecided_payments(timestamptz, timestamptz) TO franchise360_api;
GRANT EXECUTE ON FUNCTION search_payments(text), transaction_of(uuid), search_refunds(text) TO franchise360_lookup;
GRANT EXECUTE ON FUNCTION watched_payments(timestamptz, timestamptz), captures_unheard_of(timestamptz, timestamptz) TO franchise360_worker;

-- For the confirmation page and for accountants' lists.
CREATE VIEW payment_overview WITH (security_invoker = true) AS
    SELECT id, franchiser_id, transaction_id, state, surplus, captured_paise, created_at, amount_paise, order_id FROM payments;
COMMENT ON VIEW payment_overview IS 'payment: outcome of an attempt to pay an order';
GRANT SELECT ON payment_overview TO franchise360_api, franchise360_worker, franchise360_lookup;

CREATE VIEW returning_overview WITH (security_invoker = true) AS
    SELECT franchiser_id, coalesce(credits_payment_id, payment_id) AS payment_id, printed_reason, amount_paise
    FROM refunds WHERE reason = 'staff' AND state IN ('requested', 'sent')
    UNION ALL SELECT franchiser_ref, payment_id, printed_reason, amount_paise
    FROM reversals WHERE kind IN ('refund', 'credit_note') AND state IN ('waiting', 'approved');
COMMENT ON VIEW returning_overview IS 'payment: refunds that staff requested or that are on their way, by the payment whose invoice they credit';
GRANT SELECT ON returning_overview TO franchise360_api;

CREATE VIEW attempt_overview WITH (security_invoker = true) AS
SELECT id, franchiser_id, order_id, state, surplus, amount_paise, by_mandate, created_at, decided_at FROM payments;
COMMENT ON VIEW attempt_overview IS 'payment: attempts to pay and their outcomes';
GRANT SELECT ON attempt_overview TO franchise360_worker;
-- +goose StatementEnd
