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
    request_id         uuid        DEFAULT current_request(),
    -- total_paise stays what the invoice will say; what is asked for is less by credit_paise
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
-- Payments are named after what was bought.
CREATE POLICY lookup ON orders FOR SELECT TO franchise360_lookup USING (true);
GRANT SELECT (id, franchiser_id, plan_name, service_name) ON orders TO franchise360_lookup;

-- The lines say what was invoiced: what was paid later than it was asked for covers fewer days and costs less.
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
    period_from    date   NOT NULL,            -- as quoted; set anew when the order is paid
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

-- What an order credits of a line of an earlier invoice, as it was priced: the unused part of what an upgrade replaces is given back
-- by a credit note to its own invoice, and taken off what is paid for the upgrade. The key to invoices stands with them.
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

-- Each reminder is sent once: days is how many before the end of what was paid it belongs to, and below 0 after it.
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

-- The sweep's due rows are counted for staff.
CREATE POLICY lookup_due ON subscriptions FOR SELECT TO franchise360_lookup USING (true);
CREATE POLICY lookup_due ON subscription_add_ons FOR SELECT TO franchise360_lookup USING (true);
GRANT SELECT (due_on, renew_on, paid_until, state) ON subscriptions TO franchise360_lookup;
GRANT SELECT (ended_on, next_billing_cycle_status, paid_until) ON subscription_add_ons TO franchise360_lookup;

-- +goose StatementBegin
-- read_dashboard is everything of a franchiser's dashboard in one round trip. It runs with its caller's rights and sets the
-- franchiser itself, so that row-level security holds inside it as anywhere.
CREATE FUNCTION read_dashboard(f uuid) RETURNS jsonb
    LANGUAGE plpgsql AS $$
DECLARE
    answer jsonb;
BEGIN
    PERFORM set_config('app.franchiser_id', f::text, true);
    SELECT jsonb_build_object(
        'Subscription', (SELECT jsonb_build_object('ID', s.id, 'FranchiserID', s.franchiser_id, 'State', s.state,
                'Revision', s.revision, 'CatalogueRevision', s.catalogue_revision, 'PlanID', s.plan_id,
                'ServiceID', s.service_id, 'Type', s.plan_type, 'AnchorDay', s.anchor_day, 'StartsOn', s.starts_on,
                'RenewOn', s.renew_on, 'PaidUntil', s.paid_until, 'Trial', s.trial, 'GraceExtra', s.grace_extra,
                'ExpiredOn', coalesce(s.expired_on::text, '-'), 'Revoked', s.revoked,
                'Next', CASE WHEN s.next_service_id IS NOT NULL THEN jsonb_build_object('ServiceID', s.next_service_id,
                    'Type', s.next_plan_type, 'AddOnIDs', s.next_add_on_ids, 'OrderID', s.next_order_id) END)
            FROM subscriptions s WHERE s.franchiser_id = f),
        'AddOns', (SELECT jsonb_agg(jsonb_build_object('ID', a.id, 'AddOnID', a.add_on_id, 'Key', a.key, 'Name', a.name,
                'Limit', a.unit_limit, 'Term', a.term_paise, 'StartsOn', a.starts_on, 'PaidUntil', a.paid_until,
                'Renews', a.next_billing_cycle_status = 1) ORDER BY a.created_at, a.id)
            FROM subscription_add_ons a WHERE a.franchiser_id = f AND a.ended_on IS NULL),
        'Store', (SELECT jsonb_build_object('ID', t.id, 'FranchiserID', t.franchiser_id, 'StoreName', t.store_name,
                'TypeID', t.store_type_id::text, 'Username', t.store_username, 'Slug', t.slug)
            FROM tenants t WHERE t.franchiser_id = f AND t.closed_at IS NULL),
        'Custom', (SELECT jsonb_build_object('Domain', d.domain, 'Display', d.display, 'State', d.state)
            FROM custom_domains d WHERE d.franchiser_id = f),
        'Held', (SELECT jsonb_agg(jsonb_build_object('TransactionID', p.transaction_id, 'Captured', p.captured_paise) ORDER BY p.created_at, p.id)
            FROM payments p WHERE p.franchiser_id = f AND p.state = 'held' AND NOT p.surplus),
        'Franchises', (SELECT count(*) FROM franchises o WHERE o.franchiser_id = f AND o.removed_at IS NULL)
    ) INTO answer;
    RETURN answer;
END $$;
-- +goose StatementEnd
REVOKE ALL ON FUNCTION read_dashboard(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION read_dashboard(uuid) TO franchise360_api;

-- +goose StatementBegin
-- read_buyer is everything about a buyer, and what is sold now, in one round trip for every preview and charge. What is paid and not
-- yet used is what an upgrade credits. The caller has set the franchiser; the function runs with its caller's rights. Its statement
-- is planned once: it finds few rows by keys whatever the parameters, and planning takes longer than reading.
CREATE FUNCTION read_buyer(who uuid, today date) RETURNS jsonb
    LANGUAGE plpgsql STABLE SET plan_cache_mode = force_generic_plan AS $$
BEGIN
    RETURN jsonb_build_object(
        'Person', (SELECT jsonb_build_object('FirstName', f.first_name, 'LastName', f.last_name, 'Email', f.email, 'Mobile', f.mobile,
            'StoreName', coalesce(t.store_name, ''))
            FROM franchisers f LEFT JOIN tenants t ON t.franchiser_id = f.id WHERE f.id = who AND f.erased_at IS NULL),
        'Subscription', (SELECT jsonb_build_object('ID', s.id, 'FranchiserID', s.franchiser_id, 'State', s.state, 'Revision', s.revision,
            'CatalogueRevision', s.catalogue_revision, 'PlanID', s.plan_id, 'ServiceID', s.service_id, 'Type', s.plan_type,
            'AnchorDay', s.anchor_day, 'StartsOn', s.starts_on, 'RenewOn', s.renew_on, 'PaidUntil', s.paid_until,
            'Trial', s.trial, 'GraceExtra', s.grace_extra, 'ExpiredOn', coalesce(s.expired_on::text, '-'), 'Revoked', s.revoked,
            'Next', CASE WHEN s.next_service_id IS NOT NULL THEN jsonb_build_object('ServiceID', s.next_service_id,
            'Type', s.next_plan_type, 'AddOnIDs', s.next_add_on_ids, 'OrderID', s.next_order_id) END)
            FROM subscriptions s WHERE s.franchiser_id = who),
        'AddOns', (SELECT jsonb_agg(jsonb_build_object('ID', a.id, 'AddOnID', a.add_on_id, 'Key', a.key, 'Name', a.name,
            'Limit', a.unit_limit, 'Term', a.term_paise, 'StartsOn', a.starts_on, 'PaidUntil', a.paid_until,
            'Renews', a.next_billing_cycle_status = 1) ORDER BY a.created_at, a.id)
            FROM subscription_add_ons a WHERE a.franchiser_id = who AND a.ended_on IS NULL),
        'Paid', (SELECT jsonb_agg(jsonb_build_object('Value', l.amount_paise - l.discount_paise, 'From', l.period_from, 'To', l.period_to))
            FROM order_lines l JOIN orders o ON o.franchiser_id = l.franchiser_id AND o.id = l.order_id
            WHERE l.franchiser_id = who AND l.period_to > today AND l.kind <> 'fee' AND o.state = 'paid' AND NOT o.credited),
        'Open', (SELECT jsonb_build_object('id', o.id, 'fingerprint', encode(o.fingerprint, 'hex'))
            FROM orders o WHERE o.franchiser_id = who AND o.state = 'open'),
        'Catalogue', (SELECT coalesce(max(revision), 0) FROM catalogue_revisions)
    );
END $$;
-- +goose StatementEnd
REVOKE ALL ON FUNCTION read_buyer(uuid, date) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION read_buyer(uuid, date) TO franchise360_api, franchise360_worker;

-- +goose Down
DROP FUNCTION read_buyer(uuid, date);
DROP FUNCTION read_dashboard(uuid);
DROP TABLE renewal_reminders, subscription_events, subscription_add_ons, terms, order_credits, order_lines, orders, subscriptions;
