-- Gateway settlements, compared with our payments, refunds and disputes. Amounts are paise.

-- +goose Up
-- +goose StatementBegin
SET LOCAL check_function_bodies = off;

-- A day's settlement compared with the books, its lines, and each difference. The rows belong to the operator, so no franchiser sees them.
-- Working days decide when a settlement is late.
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
    -- When the open lines were last matched. Reading a settlement and matching its lines are two transactions. A check of the books between
    -- them must not report unmatched lines as missing.
    judged_at      timestamptz,
    PRIMARY KEY (gateway, day)
);
GRANT SELECT ON settlement_days TO franchise360_api;
GRANT SELECT, INSERT, UPDATE, DELETE ON settlement_days TO franchise360_worker;

-- Lines of the gateway's settlements, which trace a payment to the bank. A line is stored once by the gateway's id and stays open until it
-- is booked.
CREATE TABLE settlement_lines (
    gateway            text        NOT NULL,
    line_id            text        NOT NULL CHECK (char_length(line_id) BETWEEN 1 AND 80),
    day                date        NOT NULL,
    position           int         NOT NULL CHECK (position > 0),
    kind               text        NOT NULL
        CHECK (kind IN ('capture', 'refund', 'refund_reversal', 'chargeback', 'chargeback_reversal', 'adjustment')),
    action             text        NOT NULL DEFAULT '', -- the gateway's word for the movement
    transaction_id     text        NOT NULL,
    gateway_payment_id text        NOT NULL DEFAULT '',
    refund_id          text        NOT NULL DEFAULT '',
    amount_paise       bigint      NOT NULL,
    fee_paise          bigint      NOT NULL,
    tax_paise          bigint      NOT NULL,
    net_paise          bigint      NOT NULL,
    settlement_id      text        NOT NULL DEFAULT '',
    utr                text        NOT NULL DEFAULT '', -- the transfer to the bank
    settled            boolean     NOT NULL DEFAULT true, -- false while only announced
    settled_at         timestamptz,
    listed             boolean     NOT NULL DEFAULT true, -- false if the gateway no longer lists it
    seen_at            timestamptz NOT NULL,
    booked_at          timestamptz,
    booked_net_paise   bigint,
    journal_id         uuid,
    blocked_by         text        NOT NULL DEFAULT '', -- why an open line is not booked
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
        -- A nested IF, because other roles may not run the function.
        IF NEW.acknowledged_by IS DISTINCT FROM public.acting_staff('finance') THEN
            RAISE EXCEPTION 'a difference is acknowledged in one''s own name' USING ERRCODE = 'insufficient_privilege';
        END IF;
    END IF;
    RETURN NEW;
END $$;

-- A difference exists while the comparison finds it. An admin acknowledges, with a reason, a difference that can never clear. It no longer
-- counts as open but stays visible. A new amount reopens it; the audit trail keeps the old acknowledgement. dispute_not_taken: a dispute is
-- booked as lost, but the gateway took no money.
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

-- Bank holidays in India, besides Saturdays and Sundays. `seed holidays FILE` adds more.
CREATE TABLE bank_holidays (
    day  date PRIMARY KEY,
    name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 100)
);
-- National holidays, the annual closing, and fixed or certain holidays of Maharashtra, where the gateways' banks are. Lunar holidays, which
-- the Reserve Bank announces each year, must be added.
INSERT INTO bank_holidays (day, name)
SELECT make_date(y, m, d), name FROM generate_series(2025, 2027) y, (VALUES
    (1, 26, 'Republic Day'), (4, 1, 'Annual closing of the banks'), (4, 14, 'Dr Ambedkar Jayanti'), (5, 1, 'Maharashtra Day'),
    (8, 15, 'Independence Day'), (10, 2, 'Gandhi Jayanti'), (12, 25, 'Christmas')) AS fixed (m, d, name);
INSERT INTO bank_holidays (day, name) VALUES
    ('2025-04-18', 'Good Friday'), ('2026-04-03', 'Good Friday'), ('2027-03-26', 'Good Friday'),
    ('2025-11-05', 'Guru Nanak Jayanti'), ('2026-11-24', 'Guru Nanak Jayanti');
GRANT SELECT ON bank_holidays TO franchise360_api, franchise360_worker;

-- working_day_after returns the day that is a number of working days later: neither Saturday nor Sunday, nor a bank holiday.
CREATE FUNCTION working_day_after(day date, days int) RETURNS date
    LANGUAGE sql STABLE AS $$
    SELECT CASE WHEN days < 1 THEN day ELSE (
        SELECT day + n FROM generate_series(1, days * 2 + 30) n
        WHERE extract(isodow FROM day + n) < 6 AND NOT EXISTS (SELECT FROM bank_holidays h WHERE h.day = working_day_after.day + n)
        ORDER BY n OFFSET days - 1 LIMIT 1) END $$;

-- working_days_until counts the working days after since, up to and including day.
CREATE FUNCTION working_days_until(since date, day date) RETURNS int
    LANGUAGE sql STABLE AS $$
    SELECT count(*)::int FROM generate_series(1, day - since) n
    WHERE extract(isodow FROM since + n) < 6 AND NOT EXISTS (SELECT FROM bank_holidays h WHERE h.day = since + n) $$;
-- +goose StatementEnd
