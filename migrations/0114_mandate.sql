-- Automatic renewals: mandates, each debit from plan to end, and the history of both.
--
-- A gateway report may lower the cap and the last day that the customer agreed to, never raise them.

-- +goose Up
-- +goose StatementBegin
SET LOCAL check_function_bodies = off;

-- Updates the subscription when a mandate starts or stops debiting, and on each debit.
CREATE FUNCTION tell_of_mandate() RETURNS trigger
    LANGUAGE plpgsql SET search_path = pg_catalog, public
    AS $$ BEGIN
        PERFORM public.expect_debits(NEW.franchiser_id, NEW.subscription_id, count(*) > 0, coalesce(max(m.fixed_days), 0))
            FROM public.mandates m
            WHERE m.subscription_id = NEW.subscription_id AND m.state = 'active' AND m.held_at IS NULL AND m.stop_asked_at IS NULL;
        RETURN NULL;
    END $$;

-- A customer's mandate for renewals. Only the masked instrument is stored. consent_text is the agreement as shown to the customer.
CREATE TABLE mandates (
    id                   uuid        PRIMARY KEY,
    franchiser_id        uuid        NOT NULL,
    subscription_id      uuid        NOT NULL,
    gateway              text        NOT NULL,
    method               text        NOT NULL CHECK (method IN ('upi', 'card', 'enach')),
    state                text        NOT NULL CHECK (state IN ('requested', 'active', 'paused', 'revoked', 'expired', 'failed')),
    transaction_id       text        NOT NULL UNIQUE, -- the authorising payment
    reference            text        NOT NULL DEFAULT '', -- the gateway's id of that payment before capture
    provider_mandate_id  text        NOT NULL DEFAULT '',
    provider_customer_id text        NOT NULL DEFAULT '',
    masked               text        NOT NULL DEFAULT '' CHECK (length(masked) <= 60),
    cap_paise            bigint      NOT NULL CHECK (cap_paise > 0), -- the known limit of one debit
    yearly               boolean     NOT NULL,
    ends_on              date        NOT NULL,
    consent_version      text        NOT NULL CHECK (consent_version <> ''),
    consent_text         text        NOT NULL CHECK (consent_text <> ''),
    consented_at         timestamptz NOT NULL,
    held_at              timestamptz, -- paused by the customer since then; the bank may not know
    stop_asked_at        timestamptz, -- when the customer stopped it; no debits from then on
    reason               text        NOT NULL DEFAULT '',
    poll_at              timestamptz, -- next status check, NULL when ended
    plan_at              timestamptz, -- next renewal planning, NULL while it cannot debit
    created_at           timestamptz NOT NULL,
    active_at            timestamptz,
    ended_at             timestamptz,
    -- The cap that the customer agreed to. A bank report may lower cap_paise, never raise it above this.
    agreed_cap_paise     bigint      NOT NULL,
    skipped_on           date, -- newest renewal skipped by the customer
    -- A bank report may move ends_on earlier, never beyond this day. Mandates run for ten years.
    agreed_ends_on       date        NOT NULL,
    -- Days before a renewal that fix the price of its debit, 0 until the next renewal is planned.
    fixed_days           int         NOT NULL DEFAULT 0 CHECK (fixed_days >= 0),
    UNIQUE (franchiser_id, id),
    FOREIGN KEY (franchiser_id, subscription_id) REFERENCES subscriptions (franchiser_id, id),
    CHECK ((ended_at IS NOT NULL) = (state IN ('revoked', 'expired', 'failed'))),
    CHECK (state IN ('requested', 'failed') OR provider_mandate_id <> '')
);
CREATE INDEX mandates_of_franchiser ON mandates (franchiser_id, created_at DESC);
CREATE INDEX mandates_to_poll ON mandates (poll_at) WHERE poll_at IS NOT NULL;
CREATE INDEX mandates_to_plan ON mandates (plan_at) WHERE plan_at IS NOT NULL;
CREATE INDEX mandates_of_provider ON mandates (gateway, provider_mandate_id) WHERE provider_mandate_id <> '';
CREATE INDEX mandates_stopping ON mandates (stop_asked_at) WHERE stop_asked_at IS NOT NULL AND ended_at IS NULL;
CREATE INDEX mandates_search_provider ON mandates (lower(provider_mandate_id) COLLATE "C") WHERE provider_mandate_id <> '';
CREATE INDEX mandates_search_reference ON mandates (lower(reference) COLLATE "C") WHERE reference <> '';
CREATE UNIQUE INDEX mandates_one_live ON mandates (subscription_id) WHERE state IN ('active', 'paused') AND stop_asked_at IS NULL;
CREATE UNIQUE INDEX mandates_one_requested ON mandates (subscription_id) WHERE state = 'requested';
CALL isolate('mandates');
-- Staff see the number of due rows.
CREATE POLICY lookup ON mandates FOR SELECT TO franchise360_lookup USING (true);
CREATE TRIGGER transitions BEFORE UPDATE OF state ON mandates FOR EACH ROW WHEN (OLD.state <> NEW.state)
    EXECUTE FUNCTION keep_to_transitions('requested>active', 'requested>failed', 'requested>revoked', 'active>paused', 'active>revoked',
        'active>expired', 'active>failed', 'paused>active', 'paused>revoked', 'paused>expired', 'paused>failed');
CREATE TRIGGER first_states AFTER INSERT ON mandates FOR EACH ROW
    WHEN (current_user IN ('franchise360_api', 'franchise360_worker')) EXECUTE FUNCTION keep_to_first_states('requested');
CREATE TRIGGER tell_subscription AFTER INSERT OR UPDATE OF state, held_at, stop_asked_at, fixed_days ON mandates
    FOR EACH ROW EXECUTE FUNCTION tell_of_mandate();
GRANT SELECT, INSERT, UPDATE ON mandates TO franchise360_api, franchise360_worker;
GRANT SELECT (id, franchiser_id, gateway, provider_mandate_id, transaction_id, poll_at, plan_at, stop_asked_at, method, ended_at,
    reference) ON mandates TO franchise360_lookup;

CREATE FUNCTION tell_of_debit() RETURNS trigger
    LANGUAGE plpgsql SET search_path = pg_catalog, public
    AS $$ BEGIN
        PERFORM public.expect_debit(NEW.franchiser_id, NEW.subscription_id,
            max(d.renew_on) FILTER (WHERE d.state IN ('planned', 'noticed', 'asked')), max(d.renew_on))
            FROM public.mandate_debits d WHERE d.subscription_id = NEW.subscription_id;
        RETURN NULL;
    END $$;

-- A debit for the renewal on renew_on, with separate notice and transaction. Planned: announced to the customer; noticed: pre-debit notice
-- sent to the bank; asked: debit requested and pending until the gateway's final answer.
CREATE TABLE mandate_debits (
    id               uuid        PRIMARY KEY,
    franchiser_id    uuid        NOT NULL,
    mandate_id       uuid        NOT NULL,
    subscription_id  uuid        NOT NULL,
    renew_on         date        NOT NULL,
    number           int         NOT NULL CHECK (number BETWEEN 1 AND 4), -- one attempt and three retries
    state            text        NOT NULL CHECK (state IN ('planned', 'noticed', 'asked', 'paid', 'failed', 'called_off')),
    amount_paise     bigint      NOT NULL CHECK (amount_paise > 0), -- an estimate until the notice
    debit_at         timestamptz NOT NULL, -- earliest time
    next_at          timestamptz, -- time of the next step
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
    unheard          boolean     NOT NULL DEFAULT false, -- requested, but unknown to the gateway
    refused_at       timestamptz, -- when the gateway last rejected the request
    FOREIGN KEY (franchiser_id, mandate_id) REFERENCES mandates (franchiser_id, id),
    FOREIGN KEY (franchiser_id, order_id) REFERENCES orders (franchiser_id, id),
    FOREIGN KEY (franchiser_id, payment_id) REFERENCES payments (franchiser_id, id),
    CONSTRAINT mandate_debits_paid_or_asked CHECK (state NOT IN ('asked', 'paid') OR payment_id IS NOT NULL AND order_id IS NOT NULL),
    CONSTRAINT mandate_debits_after_notice
        CHECK (asked_at IS NULL OR noticed_at IS NOT NULL AND asked_at >= noticed_at + interval '24 hours'),
    CHECK ((decided_at IS NOT NULL) = (state IN ('paid', 'failed', 'called_off')))
);
-- One live or paid debit per renewal.
CREATE UNIQUE INDEX mandate_debits_one_a_cycle ON mandate_debits (subscription_id, renew_on)
    WHERE state IN ('planned', 'noticed', 'asked', 'paid');
CREATE UNIQUE INDEX mandate_debits_one_undecided ON mandate_debits (mandate_id) WHERE state = 'asked';
CREATE INDEX mandate_debits_due ON mandate_debits (next_at) WHERE next_at IS NOT NULL;
CREATE INDEX mandate_debits_of_renewal ON mandate_debits (subscription_id, renew_on);
CREATE INDEX mandate_debits_of_franchiser ON mandate_debits (franchiser_id, created_at DESC);
CREATE INDEX mandate_debits_refused ON mandate_debits (refused_at) WHERE refused_at IS NOT NULL;
CREATE UNIQUE INDEX mandate_debits_one_a_number ON mandate_debits (mandate_id, renew_on, number) WHERE state <> 'called_off';
-- Failed debits are checked for late money.
CREATE INDEX mandate_debits_failed ON mandate_debits (decided_at) WHERE state = 'failed' AND payment_id IS NOT NULL;
CALL isolate('mandate_debits');
CREATE POLICY lookup ON mandate_debits FOR SELECT TO franchise360_lookup USING (true);
CREATE TRIGGER first_states AFTER INSERT ON mandate_debits FOR EACH ROW
    WHEN (current_user IN ('franchise360_api', 'franchise360_worker')) EXECUTE FUNCTION keep_to_first_states('planned');
CREATE TRIGGER tell_subscription AFTER INSERT OR UPDATE OF state ON mandate_debits FOR EACH ROW EXECUTE FUNCTION tell_of_debit();
CREATE TRIGGER transitions BEFORE UPDATE OF state ON mandate_debits FOR EACH ROW WHEN (OLD.state <> NEW.state)
    EXECUTE FUNCTION keep_to_transitions('planned>noticed', 'planned>failed', 'planned>called_off', 'noticed>asked', 'noticed>failed',
        'noticed>called_off', 'asked>noticed', 'asked>paid', 'asked>failed', 'failed>paid');
GRANT SELECT, INSERT, UPDATE ON mandate_debits TO franchise360_api, franchise360_worker;
GRANT SELECT (next_at, id, franchiser_id, mandate_id, state, amount_paise, asked_at, unheard,
    refused_at) ON mandate_debits TO franchise360_lookup;

-- A mandate's append-only history. actor bank: the bank, or the customer in its app, as the gateway reports. state is the mandate's new
-- state.
CREATE TABLE mandate_events (
    id            uuid        PRIMARY KEY,
    franchiser_id uuid        NOT NULL,
    mandate_id    uuid        NOT NULL,
    at            timestamptz NOT NULL,
    kind          text        NOT NULL
        CHECK (kind IN ('requested', 'confirmed', 'limited', 'refused', 'paused', 'resumed', 'skipped', 'unskipped',
        'replaced', 'stopped', 'ended')),
    actor         text        NOT NULL CHECK (actor IN ('customer', 'bank', 'system')),
    state         text        NOT NULL,
    renew_on      date, -- the renewal
    amount_paise  bigint, -- the debit limit, or the rejected bill's amount
    cause         text        NOT NULL DEFAULT '',
    request_id    uuid        DEFAULT current_request(),
    FOREIGN KEY (franchiser_id, mandate_id) REFERENCES mandates (franchiser_id, id)
);
CREATE INDEX mandate_events_list ON mandate_events (franchiser_id, at DESC);
-- A bill above the mandate's limit is reported once.
CREATE UNIQUE INDEX mandate_events_one_refusal ON mandate_events (mandate_id, renew_on) WHERE kind = 'refused';
CALL isolate('mandate_events');
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON mandate_events FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
GRANT SELECT, INSERT ON mandate_events TO franchise360_api, franchise360_worker;

CREATE FUNCTION count_due_mandate_steps(at timestamptz) RETURNS bigint
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT count(*) FROM (SELECT FROM public.mandates m WHERE m.poll_at <= at OR m.plan_at <= at
        UNION ALL SELECT FROM public.mandate_debits d WHERE d.next_at <= at LIMIT 10001) x $$;

-- find_mandate finds the mandate of a gateway's webhook.
CREATE FUNCTION find_mandate(of_gateway text, mandate text, transaction text) RETURNS TABLE (id uuid, franchiser_id uuid)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT m.id, m.franchiser_id FROM public.mandates m WHERE m.gateway = of_gateway
        AND (mandate <> '' AND m.provider_mandate_id = mandate OR transaction <> '' AND m.transaction_id = transaction) LIMIT 1 $$;

CREATE FUNCTION unconfirmed_mandate_stops(before timestamptz)
    RETURNS TABLE (franchiser_id uuid, mandate_id uuid, gateway text, method text, provider_mandate_id text, since timestamptz)
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ BEGIN
        PERFORM public.require_staff();
        RETURN QUERY SELECT m.franchiser_id, m.id, m.gateway, m.method, m.provider_mandate_id, m.stop_asked_at
            FROM public.mandates m WHERE m.stop_asked_at < before AND m.ended_at IS NULL;
    END $$;

-- search_mandates finds mandates and debits by our id or the gateway's ids.
CREATE FUNCTION search_mandates(q text) RETURNS TABLE (franchiser_id uuid, kind text, label text, exact boolean)
    LANGUAGE sql STABLE AS $$
    SELECT m.franchiser_id, 'mandate', coalesce(nullif(m.provider_mandate_id, ''), m.id::text), true FROM public.mandates m
        WHERE m.id = public.id_in(q)
    UNION ALL (SELECT m.franchiser_id, 'mandate', m.provider_mandate_id, lower(m.provider_mandate_id) = q FROM public.mandates m
        WHERE length(q) >= 5 AND m.provider_mandate_id <> '' AND lower(m.provider_mandate_id) COLLATE "C" >= q
            AND lower(m.provider_mandate_id) COLLATE "C" <= q || chr(1114111)
        ORDER BY lower(m.provider_mandate_id) COLLATE "C" LIMIT 8)
    UNION ALL (SELECT m.franchiser_id, 'mandate', m.reference, true FROM public.mandates m
        WHERE length(q) >= 5 AND m.reference <> '' AND lower(m.reference) COLLATE "C" = q LIMIT 8)
    UNION ALL (SELECT m.franchiser_id, 'mandate', m.transaction_id, true FROM public.mandates m
        WHERE length(q) >= 6 AND m.transaction_id IN (q, upper(q)) LIMIT 8)
    UNION ALL SELECT d.franchiser_id, 'mandate_debit', d.id::text, true FROM public.mandate_debits d WHERE d.id = public.id_in(q) $$;

-- unheard_debits returns debits requested before a time and unknown to the gateway, for the work list.
CREATE FUNCTION unheard_debits(before timestamptz)
    RETURNS TABLE (franchiser_id uuid, mandate_id uuid, debit_id uuid, amount_paise bigint, since timestamptz)
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ BEGIN
        PERFORM public.require_staff();
        RETURN QUERY SELECT d.franchiser_id, d.mandate_id, d.id, d.amount_paise, d.asked_at
            FROM public.mandate_debits d WHERE d.state = 'asked' AND d.unheard AND d.asked_at < before;
    END $$;

-- count_refused_debits counts the debits whose request the gateway rejected since then, for the alert.
CREATE FUNCTION count_refused_debits(after timestamptz) RETURNS bigint
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT count(*) FROM public.mandate_debits d WHERE d.refused_at >= after $$;

-- Owner and callers of the functions above.
ALTER FUNCTION count_due_mandate_steps(timestamptz) OWNER TO franchise360_lookup;
ALTER FUNCTION find_mandate(text, text, text) OWNER TO franchise360_lookup;
ALTER FUNCTION unconfirmed_mandate_stops(timestamptz) OWNER TO franchise360_lookup;
ALTER FUNCTION unheard_debits(timestamptz) OWNER TO franchise360_lookup;
ALTER FUNCTION count_refused_debits(timestamptz) OWNER TO franchise360_lookup;
REVOKE ALL ON FUNCTION count_due_mandate_steps(timestamptz), find_mandate(text, text, text), unconfirmed_mandate_stops(timestamptz),
    search_mandates(text), unheard_debits(timestamptz), count_refused_debits(timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION count_due_mandate_steps(timestamptz), find_mandate(text, text, text), unconfirmed_mandate_stops(timestamptz),
    unheard_debits(timestamptz) TO franchise360_api;
GRANT EXECUTE ON FUNCTION search_mandates(text) TO franchise360_lookup;
GRANT EXECUTE ON FUNCTION count_refused_debits(timestamptz) TO franchise360_api, franchise360_worker;
-- +goose StatementEnd
