-- What the gateways paid out to us, compared with our own payments, refunds and disputes. Amounts are paise.

-- +goose Up
-- +goose StatementBegin
SET LOCAL check_function_bodies = off;

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
GRANT SELECT ON settlement_days TO franchise360_api;
GRANT SELECT, INSERT, UPDATE, DELETE ON settlement_days TO franchise360_worker;

-- Each line of the gateway's settlements, so that a payment can be followed to the bank. It is stored once, by the gateway's own name
-- for it, and stays open until it is booked.
CREATE TABLE settlement_lines (
    gateway            text        NOT NULL,
    line_id            text        NOT NULL CHECK (char_length(line_id) BETWEEN 1 AND 80),
    day                date        NOT NULL,
    position           int         NOT NULL CHECK (position > 0),
    kind               text        NOT NULL
        CHECK (kind IN ('capture', 'refund', 'refund_reversal', 'chargeback', 'chargeback_reversal', 'adjustment')),
    action             text        NOT NULL DEFAULT '', -- the gateway's own word for the movement
    transaction_id     text        NOT NULL,
    gateway_payment_id text        NOT NULL DEFAULT '',
    refund_id          text        NOT NULL DEFAULT '',
    amount_paise       bigint      NOT NULL,
    fee_paise          bigint      NOT NULL,
    tax_paise          bigint      NOT NULL,
    net_paise          bigint      NOT NULL,
    settlement_id      text        NOT NULL DEFAULT '',
    utr                text        NOT NULL DEFAULT '', -- names the transfer to the bank
    settled            boolean     NOT NULL DEFAULT true, -- false while it is only announced
    settled_at         timestamptz,
    listed             boolean     NOT NULL DEFAULT true, -- false once the gateway no longer lists it
    seen_at            timestamptz NOT NULL,
    booked_at          timestamptz,
    booked_net_paise   bigint,
    journal_id         uuid,
    blocked_by         text        NOT NULL DEFAULT '', -- what an open line waits for
    PRIMARY KEY (gateway, line_id),
    FOREIGN KEY (gateway, day) REFERENCES settlement_days,
    CHECK ((booked_at IS NULL) = (booked_net_paise IS NULL))
);
CREATE INDEX settlement_lines_of_transaction ON settlement_lines (transaction_id);
CREATE INDEX settlement_lines_of_day ON settlement_lines (gateway, day, position);
CREATE INDEX settlement_lines_open ON settlement_lines (gateway, day)
    WHERE booked_at IS NULL OR booked_net_paise <> net_paise OR NOT listed;
GRANT SELECT ON settlement_lines TO franchise360_api;
GRANT SELECT, INSERT, UPDATE, DELETE ON settlement_lines TO franchise360_worker;

CREATE FUNCTION require_own_acknowledgement() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    IF current_user = 'franchise360_api' AND NEW.acknowledged_by IS DISTINCT FROM OLD.acknowledged_by THEN
        -- A statement of its own, because other roles may not run the function.
        IF NEW.acknowledged_by IS DISTINCT FROM public.acting_staff('finance') THEN
            RAISE EXCEPTION 'a difference is acknowledged in one''s own name' USING ERRCODE = 'insufficient_privilege';
        END IF;
    END IF;
    RETURN NEW;
END $$;

-- A difference lasts from the comparison that finds it to the one that no longer does. One that can never be cleared is
-- acknowledged by an admin, with a reason. It no longer counts as open, and stays with its explanation. Another amount opens it
-- again; the audit trail keeps the earlier acknowledgement. dispute_not_taken: one is booked as lost, and the gateway took no money.
CREATE TABLE settlement_differences (
    id                uuid        PRIMARY KEY DEFAULT gen_random_uuid(),
    gateway           text        NOT NULL,
    day               date        NOT NULL,
    transaction_id    text        NOT NULL,
    line_id           text        NOT NULL DEFAULT '',
    kind              text        NOT NULL
        CHECK (kind IN
        ('unknown_to_us', 'not_paid_here', 'not_settled', 'capture_amount', 'settled_twice', 'unknown_refund', 'refund_amount',
            'refund_returned', 'unknown_dispute', 'dispute_taken', 'dispute_amount', 'dispute_not_taken', 'dispute_returned', 'net_amount',
            'changed', 'withdrawn', 'adjustment')),
    ours_paise        bigint,
    theirs_paise      bigint,
    opened_at         timestamptz NOT NULL,
    cleared_at        timestamptz,
    acknowledged_at   timestamptz,
    acknowledged_by   uuid        REFERENCES staff,
    acknowledged_name text,
    acknowledgement   text        CHECK (char_length(acknowledgement) BETWEEN 1 AND 500),
    CONSTRAINT settlement_differences_acknowledged
        CHECK (
        num_nulls(acknowledged_at, acknowledged_by, acknowledged_name, acknowledgement) IN (0, 4)
        AND (acknowledged_at IS NULL OR kind NOT IN ('not_paid_here', 'not_settled', 'unknown_refund', 'unknown_dispute', 'dispute_taken')))
);
CREATE UNIQUE INDEX settlement_differences_open ON settlement_differences (gateway, transaction_id, line_id, kind)
    WHERE cleared_at IS NULL;
CREATE INDEX settlement_differences_of_day ON settlement_differences (day);
CREATE INDEX settlement_differences_known ON settlement_differences (acknowledged_at) WHERE acknowledged_at IS NOT NULL;
CREATE TRIGGER own_name BEFORE UPDATE OF acknowledged_by ON settlement_differences
    FOR EACH ROW EXECUTE FUNCTION require_own_acknowledgement();
GRANT SELECT ON settlement_differences TO franchise360_api;
GRANT SELECT, INSERT, UPDATE, DELETE ON settlement_differences TO franchise360_worker;
GRANT UPDATE (acknowledged_at, acknowledged_by, acknowledged_name, acknowledgement) ON settlement_differences TO franchise360_api;

-- Days on which Indian banks settle nothing, beside Saturdays and Sundays. `seed holidays FILE` adds more.
CREATE TABLE bank_holidays (
    day  date PRIMARY KEY,
    name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 100)
);
-- National holidays, the banks' annual closing, and those of Maharashtra, where the gateways' banks are, whose dates are
-- fixed or certain. Holidays by the lunar calendar, which the Reserve Bank announces each year, have to be added.
INSERT INTO bank_holidays (day, name)
SELECT make_date(y, m, d), name FROM generate_series(2025, 2027) y, (VALUES
    (1, 26, 'Republic Day'), (4, 1, 'Annual closing of the banks'), (4, 14, 'Dr Ambedkar Jayanti'), (5, 1, 'Maharashtra Day'),
    (8, 15, 'Independence Day'), (10, 2, 'Gandhi Jayanti'), (12, 25, 'Christmas')) AS fixed (m, d, name);
INSERT INTO bank_holidays (day, name) VALUES
    ('2025-04-18', 'Good Friday'), ('2026-04-03', 'Good Friday'), ('2027-03-26', 'Good Friday'),
    ('2025-11-05', 'Guru Nanak Jayanti'), ('2026-11-24', 'Guru Nanak Jayanti');
GRANT SELECT ON bank_holidays TO franchise360_api, franchise360_worker;
-- +goose StatementEnd
