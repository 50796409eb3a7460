-- What a franchiser has bought: orders and their lines, the one subscription, its terms and add-ons, and its history.
-- Amounts are paise; dates are days in Asia/Kolkata, and a period ends before its second date.

-- +goose Up
-- The one subscription of a franchiser. due_on is the next day on which a sweep has something to do with it.
-- revision counts what changed its content: an order applies to exactly the revision that it was priced for, so that
-- a second capture of the same charge finds another revision and is given back.
CREATE TABLE subscriptions (
    id                 uuid        PRIMARY KEY,
    franchiser_id      uuid        NOT NULL UNIQUE REFERENCES franchisers,
    state              text        NOT NULL CHECK (state IN ('trialing', 'active', 'grace', 'expired', 'lapsed')),
    revision           int         NOT NULL CHECK (revision > 0),
    catalogue_revision int         NOT NULL REFERENCES catalogue_revisions,
    plan_id            uuid        NOT NULL REFERENCES plans,
    service_id         uuid        NOT NULL REFERENCES plan_services,
    plan_type          text        NOT NULL CHECK (plan_type IN ('monthly', 'yearly')),
    anchor_day         int         NOT NULL CHECK (anchor_day BETWEEN 1 AND 31),
    starts_on          date        NOT NULL,
    renew_on           date        NOT NULL CHECK (renew_on > starts_on),
    paid_until         date        NOT NULL CHECK (paid_until >= renew_on), -- later than renew_on once renewed early
    trial              boolean     NOT NULL DEFAULT false, -- the present or last term was the free trial
    expired_on         date        CHECK ((expired_on IS NOT NULL) = (state IN ('expired', 'lapsed'))),
    due_on             date,
    -- a change scheduled for the next renewal, and its order
    next_service_id    uuid        REFERENCES plan_services,
    next_plan_type     text        CHECK (next_plan_type IN ('monthly', 'yearly')),
    next_add_on_ids    uuid[],
    next_order_id      uuid,
    created_at         timestamptz NOT NULL,
    updated_at         timestamptz NOT NULL,
    -- Days that staff added to the seven of grace. At most 20: a month has 28, and a renewal in grace continues from the old end.
    grace_extra        int         NOT NULL DEFAULT 0 CHECK (grace_extra BETWEEN 0 AND 20),
    revoked            boolean     NOT NULL DEFAULT false, -- it ended because its payment went back, and has no next bill
    UNIQUE (franchiser_id, id),
    CHECK ((next_service_id IS NULL) = (next_plan_type IS NULL)),
    CHECK ((next_service_id IS NULL) = (next_add_on_ids IS NULL)),
    CHECK ((next_service_id IS NULL) = (next_order_id IS NULL))
);
CREATE INDEX subscriptions_due ON subscriptions (due_on) WHERE due_on IS NOT NULL;
CREATE INDEX subscriptions_renewals ON subscriptions (renew_on) WHERE state IN ('trialing', 'active', 'grace');
CREATE INDEX subscriptions_expired ON subscriptions (expired_on) WHERE state = 'expired';
CALL isolate('subscriptions');
GRANT SELECT, INSERT, UPDATE ON subscriptions TO franchise360_api, franchise360_worker;
-- Which state may follow which, here and below as in pkg/subscription/state.go, against which a test holds every pair of states.
CREATE TRIGGER transitions BEFORE UPDATE OF state ON subscriptions FOR EACH ROW WHEN (OLD.state <> NEW.state)
    EXECUTE FUNCTION keep_to_transitions(
        'trialing>active', 'trialing>expired', 'active>grace', 'active>expired', 'grace>active', 'grace>expired',
        'expired>active', 'expired>grace', 'expired>lapsed', 'lapsed>active');

-- One thing that somebody asked to buy, priced line by line. open: to be paid; superseded: another was requested
-- instead; scheduled: a change that waits for the renewal; done: such a change took effect; cancelled: it did not.
CREATE TABLE orders (
    id                 uuid        PRIMARY KEY,
    franchiser_id      uuid        NOT NULL REFERENCES franchisers,
    kind               text        NOT NULL CHECK (kind IN ('new', 'upgrade', 'downgrade', 'renewal', 'add_on', 'trial')),
    state              text        NOT NULL CHECK (state IN ('open', 'paid', 'superseded', 'scheduled', 'done', 'cancelled')),
    fingerprint        bytea       NOT NULL CHECK (octet_length(fingerprint) = 32), -- of all that it contains and costs
    subscription_id    uuid,
    base_revision      int         NOT NULL CHECK (base_revision >= 0),
    catalogue_revision int         NOT NULL REFERENCES catalogue_revisions,
    plan_id            uuid        NOT NULL REFERENCES plans,
    service_id         uuid        NOT NULL REFERENCES plan_services,
    plan_name          text        NOT NULL,
    service_name       text        NOT NULL,
    plan_type          text        NOT NULL CHECK (plan_type IN ('monthly', 'yearly')),
    add_on_ids         uuid[]      NOT NULL,
    add_on_names       text[]      NOT NULL,
    effective_on       date        NOT NULL,
    renew_on           date        NOT NULL,
    recipient          jsonb,                  -- the recipient of the invoice, as of the order
    taxable_paise      bigint      NOT NULL CHECK (taxable_paise >= 0),
    cgst_paise         bigint      NOT NULL CHECK (cgst_paise >= 0),
    sgst_paise         bigint      NOT NULL CHECK (sgst_paise >= 0),
    utgst_paise        bigint      NOT NULL CHECK (utgst_paise >= 0),
    igst_paise         bigint      NOT NULL CHECK (igst_paise >= 0),
    total_paise        bigint      NOT NULL CHECK (total_paise >= 0),
    pg_charge_paise    bigint      NOT NULL CHECK (pg_charge_paise >= 0),
    credited           boolean     NOT NULL DEFAULT false, -- its unused part was credited to an upgrade
    search             text        COLLATE "C" NOT NULL,
    created_at         timestamptz NOT NULL,
    paid_at            timestamptz,
    request_id         uuid        DEFAULT current_request(),
    -- total_paise remains the total of the invoice; the amount to pay is less by credit_paise
    credit_paise       bigint      NOT NULL DEFAULT 0 CHECK (credit_paise >= 0),
    UNIQUE (franchiser_id, id),
    FOREIGN KEY (franchiser_id, subscription_id) REFERENCES subscriptions (franchiser_id, id),
    CHECK (total_paise = taxable_paise + cgst_paise + sgst_paise + utgst_paise + igst_paise),
    CHECK ((paid_at IS NOT NULL) = (state = 'paid')),
    CHECK (state <> 'open' OR total_paise > 0 AND recipient IS NOT NULL),
    CONSTRAINT orders_credit_below_total CHECK (credit_paise = 0 OR credit_paise < total_paise)
);
CREATE UNIQUE INDEX orders_one_open ON orders (franchiser_id) WHERE state = 'open';
CREATE INDEX orders_list ON orders (franchiser_id, created_at DESC, id DESC);
-- What is paid and not yet used is looked for at every checkout. Without this index each of the franchiser's orders is
-- read once for each of its lines.
CREATE INDEX orders_unused ON orders (franchiser_id, id) WHERE state = 'paid' AND NOT credited;
CALL isolate('orders');
GRANT SELECT, INSERT, UPDATE ON orders TO franchise360_api, franchise360_worker;
CREATE TRIGGER transitions BEFORE UPDATE OF state ON orders FOR EACH ROW WHEN (OLD.state <> NEW.state)
    EXECUTE FUNCTION keep_to_transitions(
        'open>paid', 'open>superseded', 'open>cancelled', 'superseded>paid', 'superseded>cancelled',
        'scheduled>paid', 'scheduled>done', 'scheduled>cancelled');
-- Payments are named after what they bought.
CREATE POLICY lookup ON orders FOR SELECT TO franchise360_lookup USING (true);
GRANT SELECT (id, franchiser_id, plan_name, service_name) ON orders TO franchise360_lookup;

-- The lines as invoiced: what is paid later than requested covers fewer days and costs less.
CREATE TABLE order_lines (
    order_id       uuid   NOT NULL,
    franchiser_id  uuid   NOT NULL,
    position       int    NOT NULL CHECK (position > 0),
    kind           text   NOT NULL CHECK (kind IN ('plan', 'add_on', 'fee')),
    add_on_id      uuid   REFERENCES plan_add_ons,
    label          text   NOT NULL,
    sac            text   NOT NULL CHECK (sac ~ '^[0-9]{4,8}$'),
    rate_bps       int    NOT NULL CHECK (rate_bps BETWEEN 0 AND 10000),
    quantity       int    NOT NULL CHECK (quantity > 0),
    amount_paise   bigint NOT NULL CHECK (amount_paise >= 0),
    discount_paise bigint NOT NULL CHECK (discount_paise >= 0),
    tax_paise      bigint NOT NULL CHECK (tax_paise >= 0),
    period_from    date   NOT NULL,            -- as quoted; updated when the order is paid
    period_to      date   NOT NULL,
    PRIMARY KEY (order_id, position),
    FOREIGN KEY (franchiser_id, order_id) REFERENCES orders (franchiser_id, id),
    CHECK (discount_paise <= amount_paise),
    CHECK ((kind = 'add_on') = (add_on_id IS NOT NULL)),
    CHECK (period_to >= period_from)
);
CREATE INDEX order_lines_of_franchiser ON order_lines (franchiser_id, period_to);
CALL isolate('order_lines');
GRANT SELECT, INSERT ON order_lines TO franchise360_api, franchise360_worker;
GRANT UPDATE (label, rate_bps, amount_paise, discount_paise, tax_paise, period_from, period_to) ON order_lines
    TO franchise360_api, franchise360_worker;

-- What an order credits of a line of an earlier invoice, as it was priced: the unused part of what an upgrade replaces is returned
-- by a credit note to its own invoice, and deducted from the price of the upgrade. The key to invoices is added with them.
CREATE TABLE order_credits (
    order_id      uuid   NOT NULL,
    franchiser_id uuid   NOT NULL,
    invoice_id    uuid   NOT NULL,
    position      int    NOT NULL CHECK (position > 0), -- the line's on that invoice
    title         text   NOT NULL,                      -- the plan that it was paid for
    taxable_paise bigint NOT NULL CHECK (taxable_paise >= 0),
    cgst_paise    bigint NOT NULL CHECK (cgst_paise >= 0),
    sgst_paise    bigint NOT NULL CHECK (sgst_paise >= 0),
    utgst_paise   bigint NOT NULL CHECK (utgst_paise >= 0),
    igst_paise    bigint NOT NULL CHECK (igst_paise >= 0),
    PRIMARY KEY (order_id, invoice_id, position),
    FOREIGN KEY (franchiser_id, order_id) REFERENCES orders (franchiser_id, id)
);
CREATE INDEX order_credits_of_franchiser ON order_credits (franchiser_id, order_id);
CALL isolate('order_credits');
GRANT SELECT, INSERT, DELETE ON order_credits TO franchise360_api, franchise360_worker;

-- Each paid or free term. At most one is scheduled: the term that was paid for before the present one ended.
CREATE TABLE terms (
    id                 uuid NOT NULL PRIMARY KEY,
    franchiser_id      uuid NOT NULL,
    subscription_id    uuid NOT NULL,
    order_id           uuid NOT NULL UNIQUE,
    catalogue_revision int  NOT NULL REFERENCES catalogue_revisions,
    plan_id            uuid NOT NULL REFERENCES plans,
    service_id         uuid NOT NULL REFERENCES plan_services,
    plan_type          text NOT NULL CHECK (plan_type IN ('monthly', 'yearly')),
    starts_on          date NOT NULL,
    renew_on           date NOT NULL CHECK (renew_on > starts_on),
    status             text NOT NULL CHECK (status IN ('current', 'scheduled', 'ended', 'replaced')),
    FOREIGN KEY (franchiser_id, subscription_id) REFERENCES subscriptions (franchiser_id, id),
    FOREIGN KEY (franchiser_id, order_id) REFERENCES orders (franchiser_id, id)
);
CREATE UNIQUE INDEX terms_one_scheduled ON terms (subscription_id) WHERE status = 'scheduled';
CREATE INDEX terms_of_franchiser ON terms (franchiser_id, subscription_id);
CREATE INDEX terms_of_subscription ON terms (subscription_id, status);
CALL isolate('terms');
GRANT SELECT, INSERT, UPDATE ON terms TO franchise360_api, franchise360_worker;

-- One unit of an add-on. It lasts to paid_until; a renewal moves that on for those with status 1.
CREATE TABLE subscription_add_ons (
    id                        uuid        PRIMARY KEY,
    franchiser_id             uuid        NOT NULL,
    subscription_id           uuid        NOT NULL,
    order_id                  uuid        NOT NULL,
    add_on_id                 uuid        NOT NULL REFERENCES plan_add_ons,
    key                       text        NOT NULL,
    name                      text        NOT NULL,
    unit_limit                int         NOT NULL CHECK (unit_limit > 0),
    term_paise                bigint      NOT NULL CHECK (term_paise >= 0), -- its price for a whole term, before tax
    starts_on                 date        NOT NULL,
    paid_until                date        NOT NULL,
    next_billing_cycle_status smallint    NOT NULL CHECK (next_billing_cycle_status IN (0, 1)),
    ended_on                  date,
    created_at                timestamptz NOT NULL,
    UNIQUE (franchiser_id, id),
    FOREIGN KEY (franchiser_id, subscription_id) REFERENCES subscriptions (franchiser_id, id),
    FOREIGN KEY (franchiser_id, order_id) REFERENCES orders (franchiser_id, id)
);
CREATE INDEX subscription_add_ons_list ON subscription_add_ons (franchiser_id, subscription_id);
CREATE INDEX subscription_add_ons_due ON subscription_add_ons (paid_until)
    WHERE ended_on IS NULL AND next_billing_cycle_status = 0;
CALL isolate('subscription_add_ons');
GRANT SELECT, INSERT, UPDATE ON subscription_add_ons TO franchise360_api, franchise360_worker;

-- What happened to the subscription, in order; never changed.
CREATE TABLE subscription_events (
    id              uuid        PRIMARY KEY DEFAULT uuidv7(),
    franchiser_id   uuid        NOT NULL,
    subscription_id uuid        NOT NULL,
    at              timestamptz NOT NULL,
    kind            text        NOT NULL,
    from_state      text,
    to_state        text        NOT NULL,
    order_id        uuid,
    request_id      uuid        DEFAULT current_request(),
    FOREIGN KEY (franchiser_id, subscription_id) REFERENCES subscriptions (franchiser_id, id)
);
CREATE INDEX subscription_events_list ON subscription_events (franchiser_id, at DESC);
CALL isolate('subscription_events');
GRANT SELECT, INSERT ON subscription_events TO franchise360_api, franchise360_worker;

-- Each reminder is sent once: days is how many days before the end of the paid period it is due, and negative after it.
CREATE TABLE renewal_reminders (
    id              uuid        PRIMARY KEY DEFAULT uuidv7(),
    franchiser_id   uuid        NOT NULL,
    subscription_id uuid        NOT NULL,
    renew_on        date        NOT NULL,
    days            int         NOT NULL CHECK (days BETWEEN -60 AND 60),
    created_at      timestamptz NOT NULL,
    sent_at         timestamptz,
    UNIQUE (subscription_id, renew_on, days),
    FOREIGN KEY (franchiser_id, subscription_id) REFERENCES subscriptions (franchiser_id, id)
);
CREATE INDEX renewal_reminders_of_franchiser ON renewal_reminders (franchiser_id);
CALL isolate('renewal_reminders');
GRANT SELECT ON renewal_reminders TO franchise360_api;
GRANT SELECT, INSERT, UPDATE ON renewal_reminders TO franchise360_worker;

-- The rows due for the sweeps are counted for staff.
CREATE POLICY lookup_due ON subscriptions FOR SELECT TO franchise360_lookup USING (true);
CREATE POLICY lookup_due ON subscription_add_ons FOR SELECT TO franchise360_lookup USING (true);
CREATE POLICY lookup_due ON renewal_reminders FOR SELECT TO franchise360_lookup USING (true);
GRANT SELECT (id, franchiser_id, state, plan_type, renew_on, paid_until, trial, expired_on, due_on, grace_extra)
    ON subscriptions TO franchise360_lookup;
GRANT SELECT (ended_on, next_billing_cycle_status, paid_until) ON subscription_add_ons TO franchise360_lookup;
GRANT SELECT (subscription_id, renew_on, days) ON renewal_reminders TO franchise360_lookup;

CREATE FUNCTION subscription_is_due(due_on date, today date) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN due_on <= today;
CREATE FUNCTION add_on_is_over(ended_on date, next_billing_cycle_status smallint, paid_until date, today date) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN ended_on IS NULL AND next_billing_cycle_status = 0 AND paid_until <= today;

-- +goose StatementBegin
-- The reminders that are due today and not recorded yet. Each belongs to the latest of its days that has come, so that one that no
-- sweep saw is not sent together with the next: yearly plans 30, 15, 7, 3 and 1 days before the last day and on it, monthly ones from
-- 7 days on, trials 3 and 1. Below 0 a paid plan is in grace: reminders are due on its first day, the fourth and the last, which staff
-- may have postponed, and once more when it expires. A plan that expired before yesterday, or by a refund, gets none.
CREATE FUNCTION due_reminders(today date)
    RETURNS TABLE (subscription_id uuid, franchiser_id uuid, renew_on date, days int)
    LANGUAGE sql STABLE AS $$
    WITH soon AS (
        SELECT s.id, s.franchiser_id, s.renew_on, min(coalesce(d.days, -7 - s.grace_extra)) AS days
        FROM public.subscriptions s
        JOIN (VALUES (30, 'yearly', false), (15, 'yearly', false), (7, 'yearly', false), (3, 'yearly', false),
            (1, 'yearly', false), (0, 'yearly', false), (7, 'monthly', false), (3, 'monthly', false), (1, 'monthly', false),
            (0, 'monthly', false), (3, 'monthly', true), (1, 'monthly', true), (-1, 'yearly', false), (-1, 'monthly', false),
            (-4, 'yearly', false), (-4, 'monthly', false), (NULL, 'yearly', false), (NULL, 'monthly', false)) d (days, plan_type, trial)
            ON d.plan_type = s.plan_type AND d.trial = s.trial
                AND s.renew_on - 1 - today <= coalesce(d.days, -7 - s.grace_extra)
        WHERE s.renew_on BETWEEN today - 26 AND today + 31 AND s.paid_until = s.renew_on
            AND s.state IN ('trialing', 'active', 'grace')
            AND CASE WHEN s.trial THEN s.renew_on > today ELSE s.renew_on + 7 + s.grace_extra > today END
        GROUP BY s.id
        UNION ALL
        SELECT s.id, s.franchiser_id, s.renew_on, -8 - s.grace_extra
        FROM public.subscriptions s
        WHERE s.state = 'expired' AND s.expired_on BETWEEN today - 1 AND today AND NOT s.trial
            AND s.paid_until = s.renew_on AND s.expired_on = s.renew_on + 7 + s.grace_extra
    )
    SELECT soon.id, soon.franchiser_id, soon.renew_on, soon.days FROM soon
    WHERE NOT EXISTS (SELECT FROM public.renewal_reminders r
        WHERE r.subscription_id = soon.id AND r.renew_on = soon.renew_on AND r.days = soon.days) $$;

-- How many rows a sweep would process at that moment, counted up to 10,001; nothing but the number is revealed.
CREATE FUNCTION count_due_subscriptions(at timestamptz) RETURNS bigint
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT count(*) FROM (SELECT FROM public.subscriptions s
        WHERE public.subscription_is_due(s.due_on, public.day_in_india(at)) LIMIT 10001) x $$;
CREATE FUNCTION count_over_add_ons(at timestamptz) RETURNS bigint
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT count(*) FROM (SELECT FROM public.subscription_add_ons a
        WHERE public.add_on_is_over(a.ended_on, a.next_billing_cycle_status, a.paid_until, public.day_in_india(at)) LIMIT 10001) x $$;
CREATE FUNCTION count_due_reminders(at timestamptz) RETURNS bigint
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT count(*) FROM (SELECT FROM public.due_reminders(public.day_in_india(at)) LIMIT 10001) x $$;
-- +goose StatementEnd
ALTER FUNCTION count_due_subscriptions(timestamptz) OWNER TO franchise360_lookup;
ALTER FUNCTION count_over_add_ons(timestamptz) OWNER TO franchise360_lookup;
ALTER FUNCTION count_due_reminders(timestamptz) OWNER TO franchise360_lookup;
REVOKE ALL ON FUNCTION count_due_subscriptions(timestamptz), count_over_add_ons(timestamptz),
    count_due_reminders(timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION count_due_subscriptions(timestamptz), count_over_add_ons(timestamptz),
    count_due_reminders(timestamptz) TO franchise360_api;

-- What others may read of these tables.

-- term_* are of the term that the order paid; replaced_on is the day on which another term took its place, and revoked_at when what it
-- bought ended because its money went back.
CREATE VIEW order_overview WITH (security_invoker = true) AS
    SELECT o.id, o.franchiser_id, o.kind, o.state, o.plan_id, o.service_id, o.plan_name, o.service_name, o.plan_type, o.add_on_ids,
        o.add_on_names, o.subscription_id, o.total_paise - o.credit_paise AS payable_paise, o.pg_charge_paise, o.effective_on,
        o.renew_on, o.search, o.created_at, o.paid_at, t.status AS term, t.starts_on AS term_from, t.renew_on AS term_to,
        CASE WHEN t.status = 'replaced' THEN (SELECT n.starts_on FROM terms n
            WHERE n.subscription_id = t.subscription_id AND n.id > t.id ORDER BY n.id LIMIT 1) END AS replaced_on,
        CASE WHEN o.credited THEN (SELECT max(e.at) FROM subscription_events e
            WHERE e.franchiser_id = o.franchiser_id AND e.order_id = o.id AND e.kind = 'revoked') END AS revoked_at,
        s.state AS subscription_state
    FROM orders o LEFT JOIN terms t ON t.order_id = o.id LEFT JOIN subscriptions s ON s.id = o.subscription_id;
COMMENT ON VIEW order_overview IS 'subscription: what was ordered, what it costs, and what became of it';
GRANT SELECT ON order_overview TO franchise360_api, franchise360_worker;

-- +goose Down
DROP VIEW order_overview;
DROP FUNCTION count_due_reminders(timestamptz), count_over_add_ons(timestamptz), count_due_subscriptions(timestamptz),
    due_reminders(date), add_on_is_over(date, smallint, date, date), subscription_is_due(date, date);
DROP TABLE renewal_reminders, subscription_events, subscription_add_ons, terms, order_credits, order_lines, orders, subscriptions;
