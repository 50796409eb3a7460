-- Money at the gateway: payments and what was heard of them, refunds, settlements, and the keys of repeated requests.
-- Amounts are paise.

-- +goose Up

-- One try to pay an order. The gateway knows it by transaction_id, which is never used again.
CREATE TABLE payments (
    id                 uuid        PRIMARY KEY,
    franchiser_id      uuid        NOT NULL,
    order_id           uuid        NOT NULL,
    transaction_id     text        NOT NULL UNIQUE CHECK (transaction_id ~ '^[A-Za-z0-9]{1,25}$'),
    gateway            text        NOT NULL,
    gateway_reference  text,                     -- the gateway's name for the charge before it is paid, where it gives one
    gateway_payment_id text,                     -- the gateway's name for what was captured
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
CALL isolate('payments');
GRANT SELECT, INSERT, UPDATE ON payments TO franchise360_api, franchise360_worker;

-- +goose StatementBegin
-- payments_go_forward lets a payment's state only move on: paid is never left but for refunded, and what failed or
-- expired can still turn out to have been paid.
CREATE FUNCTION payments_go_forward() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.state <> OLD.state AND NOT (CASE OLD.state
        WHEN 'created' THEN NEW.state IN ('pending', 'paid', 'failed', 'expired', 'held')
        WHEN 'pending' THEN NEW.state IN ('paid', 'failed', 'expired', 'held')
        WHEN 'failed'  THEN NEW.state IN ('paid', 'held')
        WHEN 'expired' THEN NEW.state IN ('paid', 'held')
        WHEN 'held'    THEN NEW.state IN ('paid', 'failed', 'refunded')
        WHEN 'paid'    THEN NEW.state = 'refunded'
        ELSE false END)
    THEN
        RAISE EXCEPTION 'a payment does not go from % to %', OLD.state, NEW.state
            USING ERRCODE = 'check_violation', CONSTRAINT = 'payments_go_forward';
    END IF;
    IF (NEW.franchiser_id, NEW.order_id, NEW.transaction_id, NEW.gateway, NEW.amount_paise, NEW.currency, NEW.created_at)
        <> (OLD.franchiser_id, OLD.order_id, OLD.transaction_id, OLD.gateway, OLD.amount_paise, OLD.currency, OLD.created_at) THEN
        RAISE EXCEPTION 'what a payment is for does not change' USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;
-- +goose StatementEnd
CREATE TRIGGER go_forward BEFORE UPDATE ON payments FOR EACH ROW EXECUTE FUNCTION payments_go_forward();

-- All that was heard of a payment, as it came but for what must not be kept. The same words twice are one row.
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
    UNIQUE (payment_id, source, digest),
    FOREIGN KEY (franchiser_id, payment_id) REFERENCES payments (franchiser_id, id)
);
CREATE INDEX payment_events_of_franchiser ON payment_events (franchiser_id, received_at DESC);
CREATE INDEX payment_events_waiting ON payment_events (payment_id) WHERE kind <> 'payment' AND applied_at IS NULL;
CALL isolate('payment_events');
GRANT SELECT, INSERT ON payment_events TO franchise360_api, franchise360_worker;
GRANT UPDATE (applied_at) ON payment_events TO franchise360_worker;

-- Money that goes back. token makes a repeated request at the gateway the same refund.
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
    UNIQUE (franchiser_id, id),
    FOREIGN KEY (franchiser_id, payment_id) REFERENCES payments (franchiser_id, id),
    CHECK ((done_at IS NOT NULL) = (state = 'done'))
);
CREATE UNIQUE INDEX refunds_surplus_once ON refunds (payment_id, gateway_payment_id) WHERE reason = 'surplus';
CREATE INDEX refunds_of_franchiser ON refunds (franchiser_id, created_at DESC);
CREATE INDEX refunds_of_payment ON refunds (payment_id);
CREATE INDEX refunds_open ON refunds (created_at) WHERE state IN ('requested', 'sent');
CALL isolate('refunds');
GRANT SELECT ON refunds TO franchise360_api;
GRANT SELECT, INSERT, UPDATE ON refunds TO franchise360_worker;

-- The key under which a client repeats a request, bound to what it asked for; kept 24 hours.
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

-- The comparison of a day's settlement with the books, and each difference that it found. The operator's own, so no
-- franchiser sees it.
CREATE TABLE settlement_days (
    gateway        text        NOT NULL,
    day            date        NOT NULL,
    lines          int         NOT NULL,
    captured_paise bigint      NOT NULL,
    refunded_paise bigint      NOT NULL,
    fee_paise      bigint      NOT NULL,
    tax_paise      bigint      NOT NULL,
    net_paise      bigint      NOT NULL,
    differences    int         NOT NULL,
    compared_at    timestamptz NOT NULL,
    PRIMARY KEY (gateway, day)
);
CREATE TABLE settlement_differences (
    gateway        text   NOT NULL,
    day            date   NOT NULL,
    transaction_id text   NOT NULL,
    kind           text   NOT NULL CHECK (kind IN
        ('unknown_to_us', 'not_paid_here', 'not_settled', 'capture_amount', 'unknown_refund', 'refund_amount', 'net_amount')),
    ours_paise     bigint,
    theirs_paise   bigint,
    PRIMARY KEY (gateway, day, transaction_id, kind),
    FOREIGN KEY (gateway, day) REFERENCES settlement_days ON DELETE CASCADE
);
GRANT SELECT, INSERT, UPDATE, DELETE ON settlement_days, settlement_differences TO franchise360_worker;
GRANT SELECT ON settlement_days, settlement_differences TO franchise360_api;

-- The callback and the webhook know a transaction and nobody's franchiser.
CREATE POLICY lookup ON payments FOR SELECT TO franchise360_lookup USING (true);
GRANT SELECT (id, franchiser_id, gateway, transaction_id, gateway_reference) ON payments TO franchise360_lookup;
-- +goose StatementBegin
CREATE FUNCTION find_payment(g text, t text, r text) RETURNS TABLE (id uuid, franchiser_id uuid)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT p.id, p.franchiser_id FROM public.payments p
          WHERE p.gateway = g AND (p.transaction_id = t OR t = '' AND r <> '' AND p.gateway_reference = r) $$;
-- +goose StatementEnd
ALTER FUNCTION find_payment(text, text, text) OWNER TO franchise360_lookup;
REVOKE ALL ON FUNCTION find_payment(text, text, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION find_payment(text, text, text) TO franchise360_api, franchise360_worker;

-- +goose Down
DROP FUNCTION find_payment(text, text, text);
DROP TABLE settlement_differences, settlement_days, idempotency_keys, refunds, payment_events, payments;
DROP FUNCTION payments_go_forward();
