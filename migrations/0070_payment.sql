-- Money at the gateway: payments and what was reported of them, refunds, disputes, requests of staff, settlements, input tax of credit
-- notes, and the keys of repeated requests. Amounts are paise.

-- +goose Up
-- One attempt to pay an order. The gateway knows it by transaction_id, which is never used again.
CREATE TABLE payments (
    id                 uuid        PRIMARY KEY,
    franchiser_id      uuid        NOT NULL,
    order_id           uuid        NOT NULL,
    transaction_id     text        NOT NULL UNIQUE CHECK (transaction_id ~ '^[A-Za-z0-9]{1,25}$'),
    gateway            text        NOT NULL,
    gateway_reference  text,                     -- the gateway's id of the charge before it is paid, if it gives one
    gateway_payment_id text,                     -- the gateway's id of the capture
    state              text        NOT NULL
        CHECK (state IN ('created', 'pending', 'paid', 'failed', 'expired', 'held', 'refunded')),
    amount_paise       bigint      NOT NULL CHECK (amount_paise > 0),
    currency           text        NOT NULL CHECK (currency = 'INR'),
    method             text        NOT NULL DEFAULT '' CHECK (method IN ('', 'card', 'upi', 'netbanking')),
    slug               text        NOT NULL DEFAULT '', -- how it was paid, in the gateway's words
    reason             text        NOT NULL DEFAULT '', -- why it failed or is held, for the customer
    surplus            boolean     NOT NULL DEFAULT false, -- captured without anything to give for it: refunded
    captured_paise     bigint      CHECK (captured_paise > 0),
    checks             int         NOT NULL DEFAULT 0,
    next_check_at      timestamptz,              -- none once nothing more is expected
    search             text        COLLATE "C" NOT NULL,
    created_at         timestamptz NOT NULL,
    decided_at         timestamptz,
    search_transaction text        COLLATE "C" NOT NULL GENERATED ALWAYS AS (lower(transaction_id)) STORED,
    search_gateway     text        COLLATE "C" GENERATED ALWAYS AS (lower(gateway_payment_id)) STORED,
    search_reference   text        COLLATE "C" GENERATED ALWAYS AS (lower(gateway_reference)) STORED,
    request_id         uuid        DEFAULT current_request(),
    order_claimed_at   timestamptz,              -- since when a request is making the gateway's order, which another one waits for
    UNIQUE (franchiser_id, id),
    UNIQUE (gateway, gateway_reference),
    FOREIGN KEY (franchiser_id, order_id) REFERENCES orders (franchiser_id, id),
    CHECK (state NOT IN ('paid', 'refunded') OR captured_paise IS NOT NULL)
);
CREATE UNIQUE INDEX payments_one_open ON payments (order_id) WHERE state IN ('created', 'pending');
CREATE INDEX payments_list ON payments (franchiser_id, created_at DESC, id DESC);
CREATE INDEX payments_of_order ON payments (order_id);
CREATE INDEX payments_due ON payments (next_check_at) WHERE next_check_at IS NOT NULL;
CREATE INDEX payments_decided ON payments (decided_at) WHERE state IN ('paid', 'refunded');
CREATE INDEX payments_by_capture ON payments (gateway_payment_id) WHERE gateway_payment_id IS NOT NULL;
-- A refund or adjustment may name the gateway's payment alone.
CREATE INDEX payments_of_gateway ON payments (gateway, gateway_payment_id) WHERE gateway_payment_id IS NOT NULL;
-- Whether money of a franchiser is held is asked before each charge.
CREATE INDEX payments_held ON payments (franchiser_id) WHERE state = 'held';
CREATE INDEX payments_waiting ON payments (decided_at) WHERE state = 'held';
CREATE INDEX payments_search_transaction ON payments (search_transaction);
CREATE INDEX payments_search_gateway ON payments (search_gateway) WHERE search_gateway IS NOT NULL;
CREATE INDEX payments_search_reference ON payments (search_reference) WHERE search_reference IS NOT NULL;
CALL isolate('payments');
GRANT SELECT, INSERT, UPDATE ON payments TO franchise360_api, franchise360_worker;

-- Which state may follow which, here and below as in pkg/payment/state.go, against which a test holds every pair of states. Paid is
-- never left but for refunded, and what failed or expired can still turn out to have been paid.
CREATE TRIGGER transitions BEFORE UPDATE OF state ON payments FOR EACH ROW WHEN (OLD.state <> NEW.state)
    EXECUTE FUNCTION keep_to_transitions(
        'created>pending', 'created>paid', 'created>failed', 'created>expired', 'created>held',
        'pending>paid', 'pending>failed', 'pending>expired', 'pending>held',
        'failed>paid', 'failed>held', 'expired>paid', 'expired>held', 'held>refunded', 'paid>refunded');
-- +goose StatementBegin
CREATE FUNCTION keep_charge() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    IF (NEW.franchiser_id, NEW.order_id, NEW.transaction_id, NEW.gateway, NEW.amount_paise, NEW.currency, NEW.created_at)
        <> (OLD.franchiser_id, OLD.order_id, OLD.transaction_id, OLD.gateway, OLD.amount_paise, OLD.currency, OLD.created_at) THEN
        RAISE EXCEPTION 'what a payment is for does not change' USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;
-- +goose StatementEnd
CREATE TRIGGER keep_charge BEFORE UPDATE ON payments FOR EACH ROW EXECUTE FUNCTION keep_charge();

-- Everything reported about a payment, as received except for what must not be stored. Identical reports are one row.
CREATE TABLE payment_events (
    id            uuid        PRIMARY KEY,
    franchiser_id uuid        NOT NULL,
    payment_id    uuid        NOT NULL,
    source        text        NOT NULL CHECK (source IN ('callback', 'webhook', 'poll', 'staff')),
    kind          text        NOT NULL CHECK (kind IN ('payment', 'refund', 'dispute')),
    status        text        NOT NULL,
    amount_paise  bigint,
    external_id   text        NOT NULL DEFAULT '', -- the refund's or dispute's own name at the gateway
    digest        bytea       NOT NULL CHECK (octet_length(digest) = 32),
    fields        jsonb       NOT NULL,
    received_at   timestamptz NOT NULL,
    applied_at    timestamptz,                     -- refunds and disputes wait until their payment is known as paid
    request_id    uuid        DEFAULT current_request(),
    -- an unsigned report is a hint: the gateway is asked, and only its answer is booked
    signed        boolean     NOT NULL DEFAULT true,
    UNIQUE (payment_id, source, digest),
    FOREIGN KEY (franchiser_id, payment_id) REFERENCES payments (franchiser_id, id),
    CONSTRAINT payment_events_small CHECK (octet_length(fields::text) <= 16384)
);
CREATE INDEX payment_events_of_franchiser ON payment_events (franchiser_id, received_at DESC);
CREATE INDEX payment_events_waiting ON payment_events (payment_id) WHERE kind <> 'payment' AND applied_at IS NULL;
CALL isolate('payment_events');
GRANT SELECT, INSERT ON payment_events TO franchise360_api, franchise360_worker;
GRANT UPDATE (applied_at) ON payment_events TO franchise360_worker;
-- A hint that has been handled may be deleted; a signed report, or one not handled yet, never.
GRANT DELETE ON payment_events TO franchise360_api, franchise360_worker;
CREATE POLICY forget_hints ON payment_events AS RESTRICTIVE FOR DELETE TO franchise360_api, franchise360_worker
    USING (NOT signed AND applied_at IS NOT NULL);

-- Money being returned. token makes a repeated request at the gateway the same refund. A refund paid by bank is done once it is
-- booked and never goes to the gateway.
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
    UNIQUE (franchiser_id, id),
    FOREIGN KEY (franchiser_id, payment_id) REFERENCES payments (franchiser_id, id),
    CHECK ((done_at IS NOT NULL) = (state = 'done')),
    CHECK (failed_at IS NULL OR state = 'failed'),
    CHECK ((channel = 'bank') = (bank_reference <> '')),
    CHECK (NOT keep_plan OR reason = 'staff'),
    CONSTRAINT refunds_bank_reference_capitals CHECK (bank_reference = upper(bank_reference))
);
CREATE UNIQUE INDEX refunds_surplus_once ON refunds (payment_id, gateway_payment_id) WHERE reason = 'surplus' AND state <> 'failed';
CREATE INDEX refunds_of_franchiser ON refunds (franchiser_id, created_at DESC);
CREATE INDEX refunds_of_payment ON refunds (payment_id);
CREATE INDEX refunds_open ON refunds (created_at) WHERE state IN ('requested', 'sent');
CREATE INDEX refunds_failed ON refunds (created_at) WHERE state = 'failed';
-- One bank transfer pays one refund: its reference (UTR) is kept in capitals and booked once.
CREATE UNIQUE INDEX refunds_transfer_once ON refunds (translate(bank_reference, '-/', '')) WHERE bank_reference <> '';
CALL isolate('refunds');
GRANT SELECT ON refunds TO franchise360_api;
GRANT SELECT, INSERT, UPDATE ON refunds TO franchise360_worker;
CREATE TRIGGER transitions BEFORE UPDATE OF state ON refunds FOR EACH ROW WHEN (OLD.state <> NEW.state)
    EXECUTE FUNCTION keep_to_transitions('requested>sent', 'requested>done', 'requested>failed', 'sent>done', 'sent>failed');

-- Disputes of customers' banks (chargebacks): what is disputed, and the outcome. One known only from an unsigned notice waits for
-- staff to look it up at the gateway, and moves no money before that. Dismissed: the gateway knows of no such dispute.
CREATE TABLE disputes (
    id                 uuid        PRIMARY KEY,
    franchiser_id      uuid        NOT NULL,
    payment_id         uuid        NOT NULL,
    gateway_dispute_id text        NOT NULL,
    state              text        NOT NULL CHECK (state IN ('open', 'won', 'lost', 'dismissed')),
    amount_paise       bigint      NOT NULL CHECK (amount_paise >= 0), -- the amount taken back, once it is lost
    refund_id          uuid,                                          -- the part that was still left of the payment
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
CALL isolate('disputes');
GRANT SELECT ON disputes TO franchise360_api;
GRANT UPDATE (state, confirmed, decided_at) ON disputes TO franchise360_api;
GRANT SELECT, INSERT, UPDATE ON disputes TO franchise360_worker;
CREATE TRIGGER transitions BEFORE UPDATE OF state ON disputes FOR EACH ROW WHEN (OLD.state <> NEW.state)
    EXECUTE FUNCTION keep_to_transitions(
        'open>won', 'open>lost', 'open>dismissed', 'won>open', 'won>lost', 'dismissed>open', 'dismissed>won', 'dismissed>lost');

-- +goose StatementBegin
-- The api may not close a dispute as lost: that moves money, and is the worker's.
CREATE FUNCTION check_closed_dispute() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF current_user = 'franchise360_api' AND (OLD.state <> 'open' OR NEW.state NOT IN ('won', 'dismissed')) THEN
        RAISE EXCEPTION 'the api closes open disputes as won or dismissed only' USING ERRCODE = 'insufficient_privilege';
    END IF;
    RETURN NEW;
END $$;
-- +goose StatementEnd
CREATE TRIGGER disputes_closed BEFORE UPDATE ON disputes FOR EACH ROW EXECUTE FUNCTION check_closed_dispute();

-- One request of staff. The row is the operator's own: it names its customer as franchiser_ref, which gives no
-- access, but the key to payments ensures that the payment is that customer's. If a second person must approve it, it waits for
-- one; the worker's job carries out what is approved, once. keep_plan: when the whole payment is returned the plan ends, unless staff
-- leave it running as goodwill. printed_reason is the customer-facing reason on the credit note, apart from staff's own note; empty
-- if there is none. A bank transfer pays what a permanently failed refund owes of money that was never invoiced.
CREATE TABLE reversals (
    id              uuid        PRIMARY KEY,
    franchiser_ref  uuid        NOT NULL,
    payment_id      uuid        NOT NULL,
    kind            text        NOT NULL CHECK (kind IN ('refund', 'credit_note', 'bank_transfer', 'release', 'chargeback')),
    amount_paise    bigint      NOT NULL CHECK (amount_paise > 0),
    bank_reference  text        NOT NULL DEFAULT '', -- the UTR of a transfer that was made outside the gateway
    dispute_id      text        NOT NULL DEFAULT '', -- the gateway's name for a lost dispute
    reason          text        NOT NULL CHECK (reason ~ '\S'),
    state           text        NOT NULL CHECK (state IN ('waiting', 'approved', 'declined', 'done', 'failed')),
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
    CHECK (NOT needs_approval OR state = 'waiting' OR decided_by IS NOT NULL),
    CONSTRAINT reversals_bank_reference_check CHECK ((kind IN ('credit_note', 'bank_transfer')) = (bank_reference <> '')),
    CONSTRAINT reversals_bank_reference_capitals CHECK (bank_reference = upper(bank_reference)),
    CHECK ((kind = 'chargeback') = (dispute_id <> '')),
    CHECK ((state IN ('done', 'failed')) = (finished_at IS NOT NULL)),
    CHECK (NOT keep_plan OR kind IN ('refund', 'credit_note')),
    CHECK (printed_reason = '' OR kind IN ('refund', 'credit_note'))
);
CREATE INDEX reversals_open ON reversals (requested_at) WHERE state IN ('waiting', 'approved');
CREATE INDEX reversals_of_franchiser ON reversals (franchiser_ref, requested_at DESC);
CREATE INDEX reversals_of_payment ON reversals (payment_id);
CREATE INDEX reversals_of_transfer ON reversals (translate(bank_reference, '-/', '')) WHERE bank_reference <> '';
GRANT SELECT, INSERT ON reversals TO franchise360_api;
GRANT UPDATE (state, decided_by, decided_at, decision_reason) ON reversals TO franchise360_api;
GRANT SELECT, UPDATE ON reversals TO franchise360_worker;

-- Staff ask in their own name, and only another admin decides.
ALTER TABLE reversals ENABLE ROW LEVEL SECURITY;
CREATE POLICY staff_read ON reversals FOR SELECT TO franchise360_api
    USING ((SELECT acting_staff()) IS NOT NULL OR franchiser_ref = (SELECT current_franchiser()));
CREATE POLICY own_name ON reversals FOR INSERT TO franchise360_api
    WITH CHECK (requested_by = (SELECT acting_staff('admin')) AND decided_by IS NULL
        AND state = CASE WHEN needs_approval THEN 'waiting' ELSE 'approved' END);
CREATE POLICY another_decides ON reversals FOR UPDATE TO franchise360_api
    USING ((SELECT acting_staff()) IS NOT NULL)
    WITH CHECK (decided_by = (SELECT acting_staff('admin')) AND decided_by <> requested_by AND state IN ('approved', 'declined'));
CREATE POLICY every_row ON reversals TO franchise360_worker USING (true) WITH CHECK (true);


CREATE TRIGGER transitions BEFORE UPDATE OF state ON reversals FOR EACH ROW WHEN (OLD.state <> NEW.state)
    EXECUTE FUNCTION keep_to_transitions(
        'waiting>approved', 'waiting>declined', 'approved>done', 'approved>failed', 'approved>waiting');
-- +goose StatementBegin
-- What was decided about a reversal stays so: who asked, who decided, and what about.
CREATE FUNCTION keep_decided_reversal() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    IF OLD.decided_by IS NOT NULL AND (NEW.decided_by IS DISTINCT FROM OLD.decided_by OR NEW.state = 'waiting')
        OR NEW.requested_by <> OLD.requested_by OR NEW.amount_paise <> OLD.amount_paise OR NEW.payment_id <> OLD.payment_id THEN
        RAISE EXCEPTION 'a reversal that was decided stays so' USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;
-- +goose StatementEnd
CREATE TRIGGER keep_decided BEFORE UPDATE ON reversals FOR EACH ROW EXECUTE FUNCTION keep_decided_reversal();

-- The key under which a client repeats a request, bound to the request's content; kept 24 hours.
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

-- The comparison of a day's settlement with the books, its lines, and each difference that was found. The operator's own, so no
-- franchiser sees it. Working days decide when a settlement is late.
CREATE TABLE settlement_days (
    gateway        text        NOT NULL,
    day            date        NOT NULL,
    lines          int         NOT NULL,
    captured_paise bigint      NOT NULL,
    refunded_paise bigint      NOT NULL,
    fee_paise      bigint      NOT NULL,
    tax_paise      bigint      NOT NULL,
    net_paise      bigint      NOT NULL,
    compared_at    timestamptz NOT NULL,
    -- When the open lines were last judged. Reading a day's settlement and judging its lines are two transactions, and a check of
    -- the books in between must not report a line that has not been judged yet as missing.
    judged_at      timestamptz,
    PRIMARY KEY (gateway, day)
);
GRANT SELECT, INSERT, UPDATE, DELETE ON settlement_days TO franchise360_worker;
GRANT SELECT ON settlement_days TO franchise360_api;

-- Each line of the gateway's settlements, so that a payment can be followed to the bank. It is stored once, by the gateway's own name
-- for it, and stays open until it is booked.
CREATE TABLE settlement_lines (
    gateway            text        NOT NULL,
    line_id            text        NOT NULL CHECK (char_length(line_id) BETWEEN 1 AND 80),
    day                date        NOT NULL,
    position           int         NOT NULL CHECK (position > 0),
    kind               text        NOT NULL
        CHECK (kind IN ('capture', 'refund', 'refund_reversal', 'chargeback', 'chargeback_reversal', 'adjustment')),
    action             text        NOT NULL DEFAULT '',   -- the gateway's own word for the movement
    transaction_id     text        NOT NULL,
    gateway_payment_id text        NOT NULL DEFAULT '',
    refund_id          text        NOT NULL DEFAULT '',
    amount_paise       bigint      NOT NULL,
    fee_paise          bigint      NOT NULL,
    tax_paise          bigint      NOT NULL,
    net_paise          bigint      NOT NULL,
    settlement_id      text        NOT NULL DEFAULT '',
    utr                text        NOT NULL DEFAULT '',   -- names the transfer to the bank
    settled            boolean     NOT NULL DEFAULT true, -- false while it is only announced
    settled_at         timestamptz,
    listed             boolean     NOT NULL DEFAULT true, -- false once the gateway no longer lists it
    seen_at            timestamptz NOT NULL,
    booked_at          timestamptz,
    booked_net_paise   bigint,
    journal_id         uuid,
    blocked_by         text        NOT NULL DEFAULT '',   -- what an open line waits for
    PRIMARY KEY (gateway, line_id),
    FOREIGN KEY (gateway, day) REFERENCES settlement_days,
    CHECK ((booked_at IS NULL) = (booked_net_paise IS NULL))
);
CREATE INDEX settlement_lines_of_transaction ON settlement_lines (transaction_id);
CREATE INDEX settlement_lines_of_day ON settlement_lines (gateway, day, position);
CREATE INDEX settlement_lines_open ON settlement_lines (gateway, day)
    WHERE booked_at IS NULL OR booked_net_paise <> net_paise OR NOT listed;
GRANT SELECT, INSERT, UPDATE, DELETE ON settlement_lines TO franchise360_worker;
GRANT SELECT ON settlement_lines TO franchise360_api;

-- A difference lasts from the comparison that finds it to the one that no longer does. One that can never be cleared is
-- acknowledged by an admin, with a reason. It no longer counts as open, and stays with its explanation. Another amount opens it
-- again; the audit trail keeps the earlier acknowledgement. dispute_not_taken: one is booked as lost, and the gateway took no money.
CREATE TABLE settlement_differences (
    id                uuid        PRIMARY KEY DEFAULT gen_random_uuid(),
    gateway           text        NOT NULL,
    day               date        NOT NULL,
    transaction_id    text        NOT NULL,
    line_id           text        NOT NULL DEFAULT '',
    kind              text        NOT NULL CHECK (kind IN
        ('unknown_to_us', 'not_paid_here', 'not_settled', 'capture_amount', 'settled_twice', 'unknown_refund', 'refund_amount',
        'refund_returned', 'unknown_dispute', 'dispute_taken', 'dispute_not_taken', 'dispute_returned', 'net_amount', 'changed',
        'withdrawn')),
    ours_paise        bigint,
    theirs_paise      bigint,
    opened_at         timestamptz NOT NULL,
    cleared_at        timestamptz,
    acknowledged_at   timestamptz,
    acknowledged_by   uuid        REFERENCES staff,
    acknowledged_name text,
    acknowledgement   text        CHECK (char_length(acknowledgement) BETWEEN 1 AND 500),
    CONSTRAINT settlement_differences_acknowledged CHECK (
        num_nulls(acknowledged_at, acknowledged_by, acknowledged_name, acknowledgement) IN (0, 4)
        AND (acknowledged_at IS NULL OR kind NOT IN ('not_paid_here', 'not_settled', 'unknown_refund', 'unknown_dispute', 'dispute_taken')))
);
CREATE UNIQUE INDEX settlement_differences_open ON settlement_differences (gateway, transaction_id, line_id, kind)
    WHERE cleared_at IS NULL;
CREATE INDEX settlement_differences_of_day ON settlement_differences (day);
CREATE INDEX settlement_differences_known ON settlement_differences (acknowledged_at) WHERE acknowledged_at IS NOT NULL;
GRANT SELECT, INSERT, UPDATE, DELETE ON settlement_differences TO franchise360_worker;
GRANT SELECT ON settlement_differences TO franchise360_api;
GRANT UPDATE (acknowledged_at, acknowledged_by, acknowledged_name, acknowledgement) ON settlement_differences TO franchise360_api;

-- +goose StatementBegin
CREATE FUNCTION require_own_acknowledgement() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    IF current_user = 'franchise360_api' AND NEW.acknowledged_by IS DISTINCT FROM OLD.acknowledged_by THEN
        -- A statement of its own, because other roles may not run the function.
        IF NEW.acknowledged_by IS DISTINCT FROM public.acting_staff('admin') THEN
            RAISE EXCEPTION 'a difference is acknowledged in one''s own name' USING ERRCODE = 'insufficient_privilege';
        END IF;
    END IF;
    RETURN NEW;
END $$;
-- +goose StatementEnd
CREATE TRIGGER own_name BEFORE UPDATE OF acknowledged_by ON settlement_differences
    FOR EACH ROW EXECUTE FUNCTION require_own_acknowledgement();

-- Days on which Indian banks settle nothing, beside Saturdays and Sundays. `seed holidays FILE` adds more.
CREATE TABLE bank_holidays (
    day  date PRIMARY KEY,
    name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 100)
);
GRANT SELECT ON bank_holidays TO franchise360_api, franchise360_worker;
-- National holidays, the banks' annual closing, and those of Maharashtra, where the gateways' banks are, whose dates are
-- fixed or certain. Holidays by the lunar calendar, which the Reserve Bank announces each year, have to be added.
INSERT INTO bank_holidays (day, name)
SELECT make_date(y, m, d), name FROM generate_series(2025, 2027) y, (VALUES
    (1, 26, 'Republic Day'), (4, 1, 'Annual closing of the banks'), (4, 14, 'Dr Ambedkar Jayanti'), (5, 1, 'Maharashtra Day'),
    (8, 15, 'Independence Day'), (10, 2, 'Gandhi Jayanti'), (12, 25, 'Christmas')) AS fixed (m, d, name);
INSERT INTO bank_holidays (day, name) VALUES
    ('2025-04-18', 'Good Friday'), ('2026-04-03', 'Good Friday'), ('2027-03-26', 'Good Friday'),
    ('2025-11-05', 'Guru Nanak Jayanti'), ('2026-11-24', 'Guru Nanak Jayanti');

-- Whether the registered recipient of a credit note took the input tax credit of its invoice and reversed it, as staff record it
-- (section 34(2) CGST Act, as amended from 1 October 2025): an append-only history, whose last entry counts. If the reversal
-- is refused, the tax of the note is owed again, at the supplier's own expense. The key to invoices is added with them.
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
GRANT SELECT, INSERT ON input_tax_states TO franchise360_api;
GRANT SELECT ON input_tax_states TO franchise360_worker;
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON input_tax_states
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- +goose StatementBegin
-- check_input_tax_state: only a credit note that reduced tax, to a recipient with a GSTIN, has input tax to reverse.
CREATE FUNCTION check_input_tax_state() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM invoices i WHERE i.franchiser_id = NEW.franchiser_id AND i.id = NEW.invoice_id AND i.kind = 'credit_note'
            AND NOT i.commercial AND i.total_paise > i.taxable_paise AND coalesce(i.recipient->>'gstin', '') <> '') THEN
        RAISE EXCEPTION 'document % reverses no input tax credit', NEW.invoice_id
            USING ERRCODE = 'check_violation', CONSTRAINT = 'input_tax_states_note';
    END IF;
    RETURN NEW;
END $$;
-- +goose StatementEnd
CREATE TRIGGER of_a_note BEFORE INSERT ON input_tax_states FOR EACH ROW EXECUTE FUNCTION check_input_tax_state();
CREATE POLICY own_name ON input_tax_states AS RESTRICTIVE FOR INSERT TO franchise360_api
    WITH CHECK (staff_id = (SELECT acting_staff('admin')));
CREATE POLICY lookup ON input_tax_states FOR SELECT TO franchise360_lookup USING (true);
GRANT SELECT ON input_tax_states TO franchise360_lookup;

-- The callback and the webhook know a transaction but no franchiser; staff find payments of all customers.
CREATE POLICY lookup ON payments FOR SELECT TO franchise360_lookup USING (true);
CREATE POLICY lookup ON disputes FOR SELECT TO franchise360_lookup USING (true);
CREATE POLICY lookup ON refunds FOR SELECT TO franchise360_lookup USING (true);
CREATE POLICY lookup ON payment_events FOR SELECT TO franchise360_lookup USING (true);
GRANT SELECT (id, franchiser_id, order_id, transaction_id, gateway, gateway_reference, gateway_payment_id, state, amount_paise,
    surplus, captured_paise, next_check_at, created_at, decided_at, search_transaction, search_gateway, search_reference)
    ON payments TO franchise360_lookup;
GRANT SELECT (id, franchiser_id, payment_id, gateway_dispute_id, state, confirmed, amount_paise, opened_at)
    ON disputes TO franchise360_lookup;
GRANT SELECT (id, franchiser_id, payment_id, gateway_payment_id, state, reason, amount_paise, failure, created_at, failed_at)
    ON refunds TO franchise360_lookup;
GRANT SELECT (payment_id, kind, external_id, signed, fields, received_at) ON payment_events TO franchise360_lookup;

-- +goose StatementBegin
-- find_payment is the payment by its transaction, else by the gateway's name for the charge, else by that of the capture.
CREATE FUNCTION find_payment(g text, t text, r text, c text) RETURNS TABLE (id uuid, franchiser_id uuid)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT p.id, p.franchiser_id FROM public.payments p WHERE p.gateway = g AND t <> '' AND p.transaction_id = t
          UNION ALL
          SELECT p.id, p.franchiser_id FROM public.payments p
          WHERE p.gateway = g AND t = '' AND r <> '' AND p.gateway_reference = r
          UNION ALL
          SELECT p.id, p.franchiser_id FROM public.payments p
          WHERE p.gateway = g AND t = '' AND r = '' AND c <> '' AND p.gateway_payment_id = c $$;
-- +goose StatementEnd
ALTER FUNCTION find_payment(text, text, text, text) OWNER TO franchise360_lookup;
REVOKE ALL ON FUNCTION find_payment(text, text, text, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION find_payment(text, text, text, text) TO franchise360_api, franchise360_worker;

-- +goose StatementBegin
-- The day by which the gateway wants an answer to a dispute, as the gateway writes it; empty if it gave none. An unsigned report
-- counts only for a dispute that is not confirmed.
CREATE FUNCTION answer_due(payment uuid, dispute text, sure boolean) RETURNS text
    LANGUAGE sql STABLE
    AS $$ SELECT coalesce((SELECT left(e.fields ->> 'due_date', 40) FROM payment_events e
        WHERE e.payment_id = payment AND e.kind = 'dispute' AND e.external_id = dispute AND (e.signed OR NOT sure)
            AND e.fields ->> 'due_date' <> ''
        ORDER BY e.received_at DESC LIMIT 1), '') $$;

-- What failed refunds of a payment owe of money that was never invoiced, the oldest first. It can also have come back otherwise:
-- by bank transfer, at the gateway's own dashboard, or by a dispute.
CREATE FUNCTION owed_of_payment(payment uuid) RETURNS TABLE (refund_id uuid, gateway_payment_id text, owed_paise bigint)
    LANGUAGE sql STABLE
    AS $$
    SELECT f.id, f.gateway_payment_id, f.amount_paise - f.back FROM (
        SELECT DISTINCT ON (r.gateway_payment_id) r.id, r.gateway_payment_id, r.amount_paise, r.created_at,
            (SELECT coalesce(sum(b.amount_paise), 0)::bigint FROM public.refunds b
                WHERE b.payment_id = p.id AND b.gateway_payment_id = r.gateway_payment_id AND b.state <> 'failed'
                    AND (b.reason = 'surplus' OR p.surplus OR b.gateway_payment_id <> p.gateway_payment_id)) AS back
        FROM public.refunds r JOIN public.payments p ON p.id = r.payment_id
        WHERE p.id = payment AND r.reason = 'surplus' AND r.state = 'failed'
        ORDER BY r.gateway_payment_id, r.created_at) f
    WHERE f.amount_paise > f.back ORDER BY f.created_at, f.id $$;

-- What failed refunds of a payment still owe of invoiced money. A failed refund adds its amount, and one requested or made
-- after that subtracts what it returns, never below zero: it is the same money, returned in another way. Other captures of the
-- transaction are separate money.
CREATE FUNCTION owed_of_invoiced(payment uuid) RETURNS bigint
    LANGUAGE sql STABLE
    AS $$
    SELECT coalesce((array_agg(w.sum ORDER BY w.at DESC, w.id DESC, w.step DESC))[1] - least(0, min(w.sum)), 0)::bigint FROM (
        SELECT e.at, e.id, e.step, sum(e.paise) OVER (ORDER BY e.at, e.id, e.step) AS sum FROM public.payments p
            JOIN public.refunds r ON r.payment_id = p.id AND r.gateway_payment_id = p.gateway_payment_id AND r.reason <> 'surplus'
            CROSS JOIN LATERAL (VALUES (r.created_at, r.id, 1, -r.amount_paise),
                (coalesce(r.failed_at, r.created_at), r.id, 2, r.amount_paise)) e (at, id, step, paise)
        WHERE p.id = payment AND (e.step = 1 OR r.state = 'failed')) w $$;

-- owed_to_franchiser is what is being returned to a franchiser, or has to be, in paise. An erasure waits for it, because afterwards
-- nobody could be asked for a bank account. It includes held payments, refunds that the gateway has not done or permanently refused,
-- and unfinished requests of staff. It reads the rows that the caller may read. A bank transfer or a release is part of what
-- failed or is held, and so is a request of staff as far as a failed refund is still owed.
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
-- +goose StatementEnd

-- What crosses customers is for staff alone: each of these asks for the proof and then the function behind it.

-- +goose StatementBegin
-- Whose payment staff mean by t, its transaction or its own id. Everything else is read as that franchiser.
CREATE FUNCTION find_any_transaction(t text) RETURNS TABLE (id uuid, franchiser_id uuid)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT p.id, p.franchiser_id FROM public.payments p
          WHERE p.transaction_id = t
          OR p.id = CASE WHEN t ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN t::uuid END $$;

CREATE FUNCTION find_transaction(t text) RETURNS TABLE (id uuid, franchiser_id uuid)
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ BEGIN PERFORM public.require_staff(); RETURN QUERY SELECT * FROM public.find_any_transaction(t); END $$;

-- A held payment waits until it is released, a dispute until it is decided, and a failed refund until its money is being returned
-- in another way: the newest of a payment's failed refunds represent what is still owed.
CREATE FUNCTION waiting_money_of_all()
    RETURNS TABLE (kind text, franchiser_id uuid, payment_id uuid, reference text, amount_paise bigint, due_paise bigint,
        since timestamptz, answer_by text, failure text)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$
    SELECT 'held', p.franchiser_id, p.id, p.transaction_id, coalesce(p.captured_paise, 0), p.amount_paise,
        coalesce(p.decided_at, p.created_at), '', ''
    FROM public.payments p WHERE p.state = 'held' AND NOT p.surplus
    UNION ALL
    SELECT CASE WHEN d.confirmed THEN 'dispute' ELSE 'unconfirmed' END, d.franchiser_id, d.payment_id, d.gateway_dispute_id,
        d.amount_paise, 0, d.opened_at, public.answer_due(d.payment_id, d.gateway_dispute_id, d.confirmed), ''
    FROM public.disputes d WHERE d.state = 'open'
    UNION ALL
    SELECT 'refund', r.franchiser_id, r.payment_id, r.id::text, r.amount_paise, 0, r.created_at, '', r.failure
    FROM public.refunds r WHERE r.state = 'failed'
        AND CASE r.reason WHEN 'surplus' THEN r.id IN (SELECT o.refund_id FROM public.owed_of_payment(r.payment_id) o)
            ELSE public.owed_of_invoiced(r.payment_id) > (SELECT coalesce(sum(n.amount_paise), 0) FROM public.refunds n
                WHERE n.payment_id = r.payment_id AND n.state = 'failed' AND n.reason <> 'surplus' AND (n.created_at, n.id) > (r.created_at, r.id)) END
    $$;

CREATE FUNCTION waiting_money()
    RETURNS TABLE (kind text, franchiser_id uuid, payment_id uuid, reference text, amount_paise bigint, due_paise bigint,
        since timestamptz, answer_by text, failure text)
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ BEGIN PERFORM public.require_staff(); RETURN QUERY SELECT * FROM public.waiting_money_of_all(); END $$;

-- named_payments returns whose payments these are and what they bought: to staff, to the worker, and to their own franchiser. Staff see
-- of an erased customer only that it was erased; the value that replaces its mobile is not a mobile, and is never shown.
CREATE FUNCTION named_payments(ids uuid[])
    RETURNS TABLE (payment_id uuid, name text, mobile text, transaction_id text, gateway text, paid_paise bigint, bought text)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$
    SELECT p.id,
        CASE WHEN f.erased_at IS NULL THEN public.customer_name(a.legal_name, f.first_name, f.last_name, t.store_name) ELSE 'Erased account' END,
        CASE WHEN f.erased_at IS NULL THEN f.mobile ELSE '' END,
        p.transaction_id, p.gateway, coalesce(p.captured_paise, p.amount_paise), o.plan_name || ' · ' || o.service_name
    FROM public.payments p
        JOIN public.franchisers f ON f.id = p.franchiser_id
        JOIN public.orders o ON o.franchiser_id = p.franchiser_id AND o.id = p.order_id
        LEFT JOIN public.business_addresses a ON a.franchiser_id = p.franchiser_id
        LEFT JOIN public.tenants t ON t.franchiser_id = p.franchiser_id AND t.closed_at IS NULL
    WHERE p.id = ANY (ids) AND (p.franchiser_id = (SELECT public.current_franchiser()) OR (SELECT public.is_worker())
        OR (SELECT public.acting_staff()) IS NOT NULL) $$;
-- +goose StatementEnd
ALTER FUNCTION find_any_transaction(text) OWNER TO franchise360_lookup;
ALTER FUNCTION waiting_money_of_all() OWNER TO franchise360_lookup;
REVOKE ALL ON FUNCTION find_any_transaction(text), waiting_money_of_all() FROM PUBLIC;
ALTER FUNCTION find_transaction(text) OWNER TO franchise360_lookup;
REVOKE ALL ON FUNCTION find_transaction(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION find_transaction(text) TO franchise360_api;
ALTER FUNCTION waiting_money() OWNER TO franchise360_lookup;
REVOKE ALL ON FUNCTION waiting_money() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION waiting_money() TO franchise360_api;
ALTER FUNCTION named_payments(uuid[]) OWNER TO franchise360_lookup;
REVOKE ALL ON FUNCTION named_payments(uuid[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION named_payments(uuid[]) TO franchise360_api, franchise360_worker;

-- The payments about which the sweep asks the gateway.

CREATE FUNCTION payment_check_is_late(next_check_at timestamptz, before timestamptz) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN next_check_at < before;

-- +goose StatementBegin
-- How many rows a sweep would process at that moment, counted up to 10,001; nothing but the number is revealed.
CREATE FUNCTION count_late_payment_checks(at timestamptz) RETURNS bigint
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT count(*) FROM (SELECT FROM public.payments p WHERE public.payment_check_is_late(p.next_check_at, at) LIMIT 10001) x $$;
-- +goose StatementEnd
ALTER FUNCTION count_late_payment_checks(timestamptz) OWNER TO franchise360_lookup;
REVOKE ALL ON FUNCTION count_late_payment_checks(timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION count_late_payment_checks(timestamptz) TO franchise360_api;

-- What others may read of these tables.

CREATE VIEW payment_overview WITH (security_invoker = true) AS
    SELECT id, franchiser_id, transaction_id, state, surplus, captured_paise, created_at FROM payments;
COMMENT ON VIEW payment_overview IS 'payment: what came of an attempt to pay an order';
GRANT SELECT ON payment_overview TO franchise360_api, franchise360_worker;

-- +goose Down
DROP VIEW payment_overview;
DROP FUNCTION count_late_payment_checks(timestamptz), payment_check_is_late(timestamptz, timestamptz);
DROP FUNCTION named_payments(uuid[]), waiting_money(), waiting_money_of_all(), find_transaction(text), find_any_transaction(text),
    owed_to_franchiser(uuid), owed_of_invoiced(uuid), owed_of_payment(uuid), answer_due(uuid, text, boolean), find_payment(text, text, text, text);
DROP TABLE input_tax_states, bank_holidays, settlement_differences, settlement_lines, settlement_days, idempotency_keys, reversals,
    disputes, refunds, payment_events, payments;
DROP FUNCTION check_input_tax_state(), require_own_acknowledgement(), keep_decided_reversal(), check_closed_dispute(), keep_charge();
