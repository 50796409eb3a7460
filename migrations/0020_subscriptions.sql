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
    -- a change that waits for the next renewal, and the order that asked for it
    next_service_id    uuid        REFERENCES plan_services,
    next_plan_type     text        CHECK (next_plan_type IN ('monthly', 'yearly')),
    next_add_on_ids    uuid[],
    next_order_id      uuid,
    created_at         timestamptz NOT NULL,
    updated_at         timestamptz NOT NULL,
    UNIQUE (franchiser_id, id),
    CHECK ((next_service_id IS NULL) = (next_plan_type IS NULL)),
    CHECK ((next_service_id IS NULL) = (next_add_on_ids IS NULL)),
    CHECK ((next_service_id IS NULL) = (next_order_id IS NULL))
);
CREATE INDEX subscriptions_due ON subscriptions (due_on) WHERE due_on IS NOT NULL;
CREATE INDEX subscriptions_renewals ON subscriptions (renew_on) WHERE state IN ('trialing', 'active', 'grace');
CALL isolate('subscriptions');
GRANT SELECT, INSERT, UPDATE ON subscriptions TO franchise360_api, franchise360_worker;

-- One thing that somebody asked to buy, priced line by line. open: to be paid; superseded: another was asked for
-- instead; scheduled: a change that waits for the renewal; done: such a change came to pass; cancelled: it did not.
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
    recipient          jsonb,                  -- whom the invoice will name, as of the order
    taxable_paise      bigint      NOT NULL CHECK (taxable_paise >= 0),
    cgst_paise         bigint      NOT NULL CHECK (cgst_paise >= 0),
    sgst_paise         bigint      NOT NULL CHECK (sgst_paise >= 0),
    utgst_paise        bigint      NOT NULL CHECK (utgst_paise >= 0),
    igst_paise         bigint      NOT NULL CHECK (igst_paise >= 0),
    total_paise        bigint      NOT NULL CHECK (total_paise >= 0),
    pg_charge_paise    bigint      NOT NULL CHECK (pg_charge_paise >= 0),
    credited           boolean     NOT NULL DEFAULT false, -- what was left of it went into an upgrade
    search             text        COLLATE "C" NOT NULL,
    created_at         timestamptz NOT NULL,
    paid_at            timestamptz,
    UNIQUE (franchiser_id, id),
    FOREIGN KEY (franchiser_id, subscription_id) REFERENCES subscriptions (franchiser_id, id),
    CHECK (total_paise = taxable_paise + cgst_paise + sgst_paise + utgst_paise + igst_paise),
    CHECK ((paid_at IS NOT NULL) = (state = 'paid')),
    CHECK (state <> 'open' OR total_paise > 0 AND recipient IS NOT NULL)
);
CREATE UNIQUE INDEX orders_one_open ON orders (franchiser_id) WHERE state = 'open';
CREATE INDEX orders_list ON orders (franchiser_id, created_at DESC, id DESC);
CALL isolate('orders');
GRANT SELECT, INSERT, UPDATE ON orders TO franchise360_api, franchise360_worker;

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
    credit_paise   bigint NOT NULL CHECK (credit_paise >= 0),
    tax_paise      bigint NOT NULL CHECK (tax_paise >= 0),
    period_from    date   NOT NULL,            -- as quoted; set anew when the order is paid
    period_to      date   NOT NULL,
    PRIMARY KEY (order_id, position),
    FOREIGN KEY (franchiser_id, order_id) REFERENCES orders (franchiser_id, id),
    CHECK (discount_paise + credit_paise <= amount_paise),
    CHECK ((kind = 'add_on') = (add_on_id IS NOT NULL)),
    CHECK (period_to >= period_from)
);
CREATE INDEX order_lines_of_franchiser ON order_lines (franchiser_id, period_to);
CALL isolate('order_lines');
GRANT SELECT, INSERT ON order_lines TO franchise360_api, franchise360_worker;
GRANT UPDATE (period_from, period_to) ON order_lines TO franchise360_api, franchise360_worker;

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
    FOREIGN KEY (franchiser_id, subscription_id) REFERENCES subscriptions (franchiser_id, id)
);
CREATE INDEX subscription_events_list ON subscription_events (franchiser_id, at DESC);
CALL isolate('subscription_events');
GRANT SELECT, INSERT ON subscription_events TO franchise360_api, franchise360_worker;

-- Each reminder is sent once: days is how many before the end it belongs to.
CREATE TABLE renewal_reminders (
    id              uuid        PRIMARY KEY DEFAULT uuidv7(),
    franchiser_id   uuid        NOT NULL,
    subscription_id uuid        NOT NULL,
    renew_on        date        NOT NULL,
    days            int         NOT NULL CHECK (days >= 0),
    created_at      timestamptz NOT NULL,
    sent_at         timestamptz,
    UNIQUE (subscription_id, renew_on, days),
    FOREIGN KEY (franchiser_id, subscription_id) REFERENCES subscriptions (franchiser_id, id)
);
CREATE INDEX renewal_reminders_of_franchiser ON renewal_reminders (franchiser_id);
CALL isolate('renewal_reminders');
GRANT SELECT ON renewal_reminders TO franchise360_api;
GRANT SELECT, INSERT, UPDATE ON renewal_reminders TO franchise360_worker;

-- +goose Down
DROP TABLE renewal_reminders, subscription_events, subscription_add_ons, terms, order_lines, orders, subscriptions;
