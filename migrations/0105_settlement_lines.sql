-- A settlement line is stored once, by the gateway's own name for it, and stays open until it is booked. A difference is
-- kept from the comparison that finds it to the one that no longer does. Working days decide when a settlement is late.

-- +goose Up
ALTER TABLE settlement_lines
    DROP CONSTRAINT settlement_lines_pkey,
    DROP CONSTRAINT settlement_lines_gateway_day_fkey,
    ADD COLUMN line_id          text,
    ADD COLUMN kind             text,
    ADD COLUMN action           text        NOT NULL DEFAULT '',   -- the gateway's own word for the movement
    ADD COLUMN settlement_id    text        NOT NULL DEFAULT '',
    ADD COLUMN settled          boolean     NOT NULL DEFAULT true, -- false while it is only announced
    ADD COLUMN listed           boolean     NOT NULL DEFAULT true, -- false once the gateway no longer lists it
    ADD COLUMN seen_at          timestamptz,
    ADD COLUMN booked_at        timestamptz,
    ADD COLUMN booked_net_paise bigint,
    ADD COLUMN journal_id       uuid,
    ADD COLUMN blocked_by       text        NOT NULL DEFAULT '';   -- what an open line waits for

-- The names that the adapters give to the same lines now; of one that stood in two settlements the later stays.
UPDATE settlement_lines l SET
    kind = CASE WHEN refund THEN 'refund' ELSE 'capture' END,
    line_id = n.name || CASE WHEN n.nth > 1 THEN '#' || n.nth ELSE '' END,
    seen_at = d.compared_at
FROM settlement_days d, (
    SELECT gateway, day, position, name, row_number() OVER (PARTITION BY gateway, name ORDER BY day DESC, position) AS nth
    FROM (SELECT gateway, day, position, CASE WHEN gateway = 'razorpay' THEN '' WHEN refund THEN 'refund:' ELSE 'capture:' END
            || coalesce(nullif(refund_id, ''), nullif(gateway_payment_id, ''), transaction_id) AS name FROM settlement_lines) named
) n
WHERE d.gateway = l.gateway AND d.day = l.day AND n.gateway = l.gateway AND n.day = l.day AND n.position = l.position;

-- What was booked so far is named after its payment, its second capture or its refund.
UPDATE settlement_lines l SET booked_at = j.posted_at, booked_net_paise = l.net_paise, journal_id = j.id
FROM payments p, ledger_journals j
WHERE p.gateway = l.gateway AND p.transaction_id = l.transaction_id AND j.payment_id = p.id AND j.kind = 'settlement'
    AND l.line_id NOT LIKE '%#%'
    AND j.reference = CASE
        WHEN l.kind = 'refund' THEN (SELECT r.id::text FROM refunds r WHERE r.payment_id = p.id AND r.gateway_refund_id = l.refund_id)
        WHEN l.gateway_payment_id IN ('', coalesce(p.gateway_payment_id, '')) THEN p.id::text
        ELSE p.id || '/' || l.gateway_payment_id END;
DELETE FROM settlement_lines WHERE line_id LIKE '%#%';

ALTER TABLE settlement_lines
    ADD PRIMARY KEY (gateway, line_id),
    ADD FOREIGN KEY (gateway, day) REFERENCES settlement_days,
    ADD CHECK (char_length(line_id) BETWEEN 1 AND 80),
    ADD CHECK (kind IN ('capture', 'refund', 'refund_reversal', 'chargeback', 'chargeback_reversal', 'adjustment')),
    ADD CHECK ((booked_at IS NULL) = (booked_net_paise IS NULL)),
    ALTER COLUMN kind SET NOT NULL,
    ALTER COLUMN seen_at SET NOT NULL,
    DROP COLUMN refund;
CREATE INDEX settlement_lines_of_day ON settlement_lines (gateway, day, position);
CREATE INDEX settlement_lines_open ON settlement_lines (gateway, day)
    WHERE booked_at IS NULL OR booked_net_paise <> net_paise OR NOT listed;
GRANT UPDATE ON settlement_lines TO franchise360_worker;

ALTER TABLE settlement_days DROP COLUMN differences;

ALTER TABLE settlement_differences
    DROP CONSTRAINT settlement_differences_pkey,
    DROP CONSTRAINT settlement_differences_gateway_day_fkey,
    DROP CONSTRAINT settlement_differences_kind_check,
    ADD COLUMN id         uuid        PRIMARY KEY DEFAULT gen_random_uuid(),
    ADD COLUMN line_id    text        NOT NULL DEFAULT '',
    ADD COLUMN opened_at  timestamptz,
    ADD COLUMN cleared_at timestamptz,
    ADD CHECK (kind IN ('unknown_to_us', 'not_paid_here', 'not_settled', 'capture_amount', 'settled_twice', 'unknown_refund',
        'refund_amount', 'refund_returned', 'unknown_dispute', 'dispute_returned', 'net_amount', 'changed', 'withdrawn'));
UPDATE settlement_differences x SET opened_at = d.compared_at FROM settlement_days d WHERE d.gateway = x.gateway AND d.day = x.day;
-- The same one was found anew on each day; the first stays, and the next comparison says whether it still holds.
DELETE FROM settlement_differences x USING settlement_differences y
WHERE y.gateway = x.gateway AND y.transaction_id = x.transaction_id AND y.kind = x.kind AND (y.day, y.id) < (x.day, x.id);
ALTER TABLE settlement_differences ALTER COLUMN opened_at SET NOT NULL;
CREATE UNIQUE INDEX settlement_differences_open ON settlement_differences (gateway, transaction_id, line_id, kind)
    WHERE cleared_at IS NULL;
CREATE INDEX settlement_differences_of_day ON settlement_differences (day);

-- A refund or adjustment may name the gateway's payment alone.
CREATE INDEX payments_of_gateway ON payments (gateway, gateway_payment_id) WHERE gateway_payment_id IS NOT NULL;
CREATE INDEX disputes_of_gateway ON disputes (gateway_dispute_id);

-- Days on which Indian banks settle nothing, beside Saturdays and Sundays. `seed holidays FILE` adds more.
CREATE TABLE bank_holidays (
    day  date PRIMARY KEY,
    name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 100)
);
GRANT SELECT ON bank_holidays TO franchise360_api, franchise360_worker;
-- National holidays, the banks' annual closing, and those of Maharashtra, where the gateways' banks sit, whose dates are
-- fixed or certain. Holidays by the moon that the Reserve Bank announces each year are to be added.
INSERT INTO bank_holidays (day, name)
SELECT make_date(y, m, d), name FROM generate_series(2025, 2027) y, (VALUES
    (1, 26, 'Republic Day'), (4, 1, 'Annual closing of the banks'), (4, 14, 'Dr Ambedkar Jayanti'), (5, 1, 'Maharashtra Day'),
    (8, 15, 'Independence Day'), (10, 2, 'Gandhi Jayanti'), (12, 25, 'Christmas')) AS fixed (m, d, name);
INSERT INTO bank_holidays (day, name) VALUES
    ('2025-04-18', 'Good Friday'), ('2026-04-03', 'Good Friday'), ('2027-03-26', 'Good Friday'),
    ('2025-11-05', 'Guru Nanak Jayanti'), ('2026-11-24', 'Guru Nanak Jayanti');

-- +goose Down
-- The lines keep their shape: what is booked must not be forgotten.
DROP TABLE bank_holidays;
DROP INDEX payments_of_gateway, disputes_of_gateway;
