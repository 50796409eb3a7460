-- Renewals that are debited by a mandate: the mandates, and each debit from its plan to its end.

-- +goose Up
-- A mandate that a customer gave for renewals. Only the masked instrument is kept. consent_text is what the customer agreed to, as it
-- was shown.
CREATE TABLE mandates (
    id                   uuid        PRIMARY KEY,
    franchiser_id        uuid        NOT NULL,
    subscription_id      uuid        NOT NULL,
    gateway              text        NOT NULL,
    method               text        NOT NULL CHECK (method IN ('upi', 'card', 'enach')),
    state                text        NOT NULL CHECK (state IN ('requested', 'active', 'paused', 'revoked', 'expired', 'failed')),
    transaction_id       text        NOT NULL UNIQUE, -- of the payment that authorises it
    reference            text        NOT NULL DEFAULT '', -- the gateway's id of that payment before it is paid
    provider_mandate_id  text        NOT NULL DEFAULT '',
    provider_customer_id text        NOT NULL DEFAULT '',
    masked               text        NOT NULL DEFAULT '' CHECK (length(masked) <= 60),
    cap_paise            bigint      NOT NULL CHECK (cap_paise > 0), -- the most that one debit may be, as far as it is known
    yearly               boolean     NOT NULL,
    ends_on              date        NOT NULL,
    consent_version      text        NOT NULL CHECK (consent_version <> ''),
    consent_text         text        NOT NULL CHECK (consent_text <> ''),
    consented_at         timestamptz NOT NULL,
    held_at              timestamptz, -- since when the customer has paused it here; the bank may know nothing of it
    stop_asked_at        timestamptz, -- when the customer stopped it; no debit is asked for from then on
    reason               text        NOT NULL DEFAULT '',
    poll_at              timestamptz, -- when to ask for its state, none once it has ended
    plan_at              timestamptz, -- when to look at its next renewal, none while it cannot be debited
    created_at           timestamptz NOT NULL,
    active_at            timestamptz,
    ended_at             timestamptz,
    UNIQUE (franchiser_id, id),
    FOREIGN KEY (franchiser_id, subscription_id) REFERENCES subscriptions (franchiser_id, id),
    CHECK ((ended_at IS NOT NULL) = (state IN ('revoked', 'expired', 'failed'))),
    CHECK (state IN ('requested', 'failed') OR provider_mandate_id <> '')
);
CREATE UNIQUE INDEX mandates_one_live ON mandates (subscription_id) WHERE state IN ('requested', 'active', 'paused');
CREATE INDEX mandates_of_franchiser ON mandates (franchiser_id, created_at DESC);
CREATE INDEX mandates_to_poll ON mandates (poll_at) WHERE poll_at IS NOT NULL;
CREATE INDEX mandates_to_plan ON mandates (plan_at) WHERE plan_at IS NOT NULL;
CREATE INDEX mandates_of_provider ON mandates (gateway, provider_mandate_id) WHERE provider_mandate_id <> '';
CALL isolate('mandates');
GRANT SELECT, INSERT, UPDATE ON mandates TO franchise360_api, franchise360_worker;
CREATE TRIGGER transitions BEFORE UPDATE OF state ON mandates FOR EACH ROW WHEN (OLD.state <> NEW.state)
    EXECUTE FUNCTION keep_to_transitions('requested>active', 'requested>failed', 'requested>revoked', 'active>paused', 'active>revoked',
        'active>expired', 'active>failed', 'paused>active', 'paused>revoked', 'paused>expired', 'paused>failed');
CREATE TRIGGER first_states AFTER INSERT ON mandates FOR EACH ROW
    WHEN (current_user IN ('franchise360_api', 'franchise360_worker')) EXECUTE FUNCTION keep_to_first_states('requested');

-- A debit of one renewal, that of the term before renew_on, with a notice and a transaction of its own. Planned: announced to the
-- customer; noticed: the bank was told the amount; asked: the debit was asked for and is undecided until the gateway's answer is final.
CREATE TABLE mandate_debits (
    id               uuid        PRIMARY KEY,
    franchiser_id    uuid        NOT NULL,
    mandate_id       uuid        NOT NULL,
    subscription_id  uuid        NOT NULL,
    renew_on         date        NOT NULL,
    number           int         NOT NULL CHECK (number BETWEEN 1 AND 4), -- an attempt and three retries
    state            text        NOT NULL CHECK (state IN ('planned', 'noticed', 'asked', 'paid', 'failed', 'called_off')),
    amount_paise     bigint      NOT NULL CHECK (amount_paise > 0), -- exact from the notice on, an estimate before
    debit_at         timestamptz NOT NULL, -- not before this moment
    next_at          timestamptz, -- when the next step is due
    order_id         uuid,
    notice_token     text        NOT NULL UNIQUE CHECK (notice_token ~ '^[A-Za-z0-9]{1,20}$'),
    notice_reference text        NOT NULL DEFAULT '',
    noticed_at       timestamptz,
    payment_id       uuid        UNIQUE,
    asked_at         timestamptz,
    cause            text        NOT NULL DEFAULT '',
    reason           text        NOT NULL DEFAULT '',
    created_at       timestamptz NOT NULL,
    decided_at       timestamptz,
    FOREIGN KEY (franchiser_id, mandate_id) REFERENCES mandates (franchiser_id, id),
    FOREIGN KEY (franchiser_id, order_id) REFERENCES orders (franchiser_id, id),
    FOREIGN KEY (franchiser_id, payment_id) REFERENCES payments (franchiser_id, id),
    CONSTRAINT mandate_debits_paid_or_asked CHECK (state NOT IN ('asked', 'paid') OR payment_id IS NOT NULL AND order_id IS NOT NULL),
    CONSTRAINT mandate_debits_after_notice CHECK (asked_at IS NULL OR noticed_at IS NOT NULL AND asked_at >= noticed_at + interval '24 hours'),
    CHECK ((decided_at IS NOT NULL) = (state IN ('paid', 'failed', 'called_off'))),
    UNIQUE (mandate_id, renew_on, number)
);
-- One debit a renewal: while one may still be made, or was, there is no other.
CREATE UNIQUE INDEX mandate_debits_one_a_cycle ON mandate_debits (subscription_id, renew_on)
    WHERE state IN ('planned', 'noticed', 'asked', 'paid');
CREATE UNIQUE INDEX mandate_debits_one_undecided ON mandate_debits (mandate_id) WHERE state = 'asked';
CREATE INDEX mandate_debits_due ON mandate_debits (next_at) WHERE next_at IS NOT NULL;
CREATE INDEX mandate_debits_of_renewal ON mandate_debits (subscription_id, renew_on);
CREATE INDEX mandate_debits_of_franchiser ON mandate_debits (franchiser_id, created_at DESC);
CALL isolate('mandate_debits');
GRANT SELECT, INSERT, UPDATE ON mandate_debits TO franchise360_api, franchise360_worker;
CREATE TRIGGER transitions BEFORE UPDATE OF state ON mandate_debits FOR EACH ROW WHEN (OLD.state <> NEW.state)
    EXECUTE FUNCTION keep_to_transitions('planned>noticed', 'planned>failed', 'planned>called_off', 'noticed>asked', 'noticed>failed',
        'noticed>called_off', 'asked>paid', 'asked>failed', 'failed>paid');
CREATE TRIGGER first_states AFTER INSERT ON mandate_debits FOR EACH ROW
    WHEN (current_user IN ('franchise360_api', 'franchise360_worker')) EXECUTE FUNCTION keep_to_first_states('planned');

-- What the sweep would take is counted for staff.
CREATE POLICY lookup ON mandates FOR SELECT TO franchise360_lookup USING (true);
CREATE POLICY lookup ON mandate_debits FOR SELECT TO franchise360_lookup USING (true);
GRANT SELECT (id, franchiser_id, gateway, provider_mandate_id, transaction_id, poll_at, plan_at) ON mandates TO franchise360_lookup;
GRANT SELECT (next_at) ON mandate_debits TO franchise360_lookup;

-- +goose StatementBegin
CREATE FUNCTION count_due_mandate_steps(at timestamptz) RETURNS bigint
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT count(*) FROM (SELECT FROM public.mandates m WHERE m.poll_at <= at OR m.plan_at <= at
        UNION ALL SELECT FROM public.mandate_debits d WHERE d.next_at <= at LIMIT 10001) x $$;

-- find_mandate finds the mandate that a gateway's notice names.
CREATE FUNCTION find_mandate(of_gateway text, mandate text, transaction text) RETURNS TABLE (id uuid, franchiser_id uuid)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT m.id, m.franchiser_id FROM public.mandates m WHERE m.gateway = of_gateway
        AND (mandate <> '' AND m.provider_mandate_id = mandate OR transaction <> '' AND m.transaction_id = transaction) LIMIT 1 $$;
-- +goose StatementEnd
ALTER FUNCTION count_due_mandate_steps(timestamptz) OWNER TO franchise360_lookup;
ALTER FUNCTION find_mandate(text, text, text) OWNER TO franchise360_lookup;
REVOKE ALL ON FUNCTION count_due_mandate_steps(timestamptz), find_mandate(text, text, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION count_due_mandate_steps(timestamptz), find_mandate(text, text, text) TO franchise360_api;

-- +goose Down
DROP FUNCTION find_mandate(text, text, text);
DROP FUNCTION count_due_mandate_steps(timestamptz);
DROP TABLE mandate_debits;
DROP TABLE mandates;
