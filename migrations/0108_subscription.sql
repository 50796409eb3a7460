-- A franchiser's purchases: orders and lines, the subscription with its terms, add-ons, history and reminders. Amounts are paise. Dates are
-- days in Asia/Kolkata; a period ends before its second date.
--
-- Staff can switch a plan within its term, with an order that costs nothing. If money is refunded, credit notes reduce the invoices of the
-- term. switched_lines keeps the remaining value of their lines from the day of the switch.

-- +goose Up
-- +goose StatementBegin
SET LOCAL check_function_bodies = off;

-- The one subscription of a franchiser. due_on is the next day on which a sweep must process it. revision counts changes. An order applies
-- only to the revision it was priced for, so a second capture finds another revision and is refunded.
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
    paid_until         date        NOT NULL CHECK (paid_until >= renew_on), -- later than renew_on after early renewal
    trial              boolean     NOT NULL DEFAULT false, -- the current or last term is a free trial
    expired_on         date        CHECK ((expired_on IS NOT NULL) = (state IN ('expired', 'lapsed'))),
    due_on             date,
    -- a change scheduled for the next renewal, and its order
    next_service_id    uuid        REFERENCES plan_services,
    next_plan_type     text        CHECK (next_plan_type IN ('monthly', 'yearly')),
    next_add_on_ids    uuid[],
    next_order_id      uuid,
    created_at         timestamptz NOT NULL,
    updated_at         timestamptz NOT NULL,
    -- Days that staff added to the seven of grace. At most 20, because a renewal in grace continues from the old end.
    grace_extra        int         NOT NULL DEFAULT 0 CHECK (grace_extra BETWEEN 0 AND 20),
    revoked            boolean     NOT NULL DEFAULT false, -- its payment was refunded; it does not renew
    UNIQUE (franchiser_id, id),
    CHECK ((next_service_id IS NULL) = (next_plan_type IS NULL)),
    CHECK ((next_service_id IS NULL) = (next_add_on_ids IS NULL)),
    CHECK ((next_service_id IS NULL) = (next_order_id IS NULL))
);
CREATE INDEX subscriptions_due ON subscriptions (due_on) WHERE due_on IS NOT NULL;
CREATE INDEX subscriptions_renewals ON subscriptions (renew_on) WHERE state IN ('trialing', 'active', 'grace');
CREATE INDEX subscriptions_paid_until ON subscriptions (paid_until, franchiser_id);
CREATE INDEX subscriptions_expired ON subscriptions (expired_on) WHERE state = 'expired';
CREATE INDEX subscriptions_running_revision ON subscriptions (catalogue_revision) WHERE state IN ('active', 'grace') AND NOT trial;
CALL isolate('subscriptions');
-- Staff see the number of rows due for the sweeps.
CREATE POLICY lookup_due ON subscriptions FOR SELECT TO franchise360_lookup USING (true);
-- Allowed transitions, here and below as in pkg/subscription/state.go; a test compares every pair of states.
CREATE TRIGGER transitions BEFORE UPDATE OF state ON subscriptions FOR EACH ROW WHEN (OLD.state <> NEW.state)
    EXECUTE FUNCTION keep_to_transitions(
        'trialing>active', 'trialing>expired', 'active>grace', 'active>expired', 'grace>active', 'grace>expired',
        'expired>active', 'expired>grace', 'expired>lapsed', 'lapsed>active');
CREATE TRIGGER first_states AFTER INSERT ON subscriptions FOR EACH ROW
    WHEN (current_user IN ('franchise360_api', 'franchise360_worker')) EXECUTE FUNCTION keep_to_first_states('trialing', 'active');
ALTER TABLE subscriptions ENABLE ALWAYS TRIGGER first_states;
GRANT SELECT, INSERT, UPDATE ON subscriptions TO franchise360_api, franchise360_worker;
GRANT SELECT (id, franchiser_id, state, plan_type, renew_on, paid_until, trial, expired_on, due_on, grace_extra, revoked, plan_id,
    service_id, next_service_id, next_plan_type, next_add_on_ids, revision) ON subscriptions TO franchise360_lookup;

-- One purchase, priced line by line. open: to be paid; superseded: replaced by a newer order; scheduled: a change at the renewal; done: the
-- change took effect; cancelled: it did not.
CREATE TABLE orders (
    id                 uuid        PRIMARY KEY,
    franchiser_id      uuid        NOT NULL REFERENCES franchisers,
    kind               text        NOT NULL CHECK (kind IN ('new', 'upgrade', 'downgrade', 'renewal', 'add_on', 'trial', 'switch')),
    state              text        NOT NULL CHECK (state IN ('open', 'paid', 'superseded', 'scheduled', 'done', 'cancelled')),
    fingerprint        bytea       NOT NULL CHECK (octet_length(fingerprint) = 32), -- of its content and price
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
    recipient          jsonb, -- the recipient of the invoice, as of the order
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
    -- the invoice's total stays total_paise; credit_paise reduces the amount to pay
    credit_paise       bigint      NOT NULL DEFAULT 0 CHECK (credit_paise >= 0),
    by_staff           boolean     NOT NULL DEFAULT false, -- requested by staff
    UNIQUE (franchiser_id, id),
    FOREIGN KEY (franchiser_id, subscription_id) REFERENCES subscriptions (franchiser_id, id),
    CHECK (total_paise = taxable_paise + cgst_paise + sgst_paise + utgst_paise + igst_paise),
    CHECK ((paid_at IS NOT NULL) = (state = 'paid')),
    CHECK (state <> 'open' OR total_paise > 0 AND recipient IS NOT NULL),
    CONSTRAINT orders_credit_below_total CHECK (credit_paise = 0 OR credit_paise < total_paise)
);
CREATE UNIQUE INDEX orders_one_open ON orders (franchiser_id) WHERE state = 'open';
CREATE INDEX orders_list ON orders (franchiser_id, created_at DESC, id DESC);
-- Every checkout searches for paid, unused lines. Without this index it reads all of the franchiser's orders once per line.
CREATE INDEX orders_unused ON orders (franchiser_id, id) WHERE state = 'paid' AND NOT credited;
CREATE INDEX orders_search_request ON orders (request_id) WHERE request_id IS NOT NULL;
CALL isolate('orders');
-- Payments show their purchase.
CREATE POLICY lookup ON orders FOR SELECT TO franchise360_lookup USING (true);
CREATE TRIGGER transitions BEFORE UPDATE OF state ON orders FOR EACH ROW WHEN (OLD.state <> NEW.state)
    EXECUTE FUNCTION keep_to_transitions(
        'open>paid', 'open>superseded', 'open>cancelled', 'superseded>paid', 'superseded>cancelled',
        'scheduled>paid', 'scheduled>done', 'scheduled>cancelled');
CREATE TRIGGER first_states AFTER INSERT ON orders FOR EACH ROW
    WHEN (current_user IN ('franchise360_api', 'franchise360_worker')) EXECUTE FUNCTION keep_to_first_states('open', 'scheduled');
ALTER TABLE orders ENABLE ALWAYS TRIGGER first_states;
GRANT SELECT, INSERT, UPDATE ON orders TO franchise360_api, franchise360_worker;
GRANT SELECT (id, franchiser_id, plan_name, service_name, request_id, state, base_revision) ON orders TO franchise360_lookup;

-- The lines as invoiced: a late payment covers fewer days and costs less.
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
    period_from    date   NOT NULL, -- as quoted; updated when the order is paid
    period_to      date   NOT NULL,
    -- A one-time line does not recur and gives no credit for unused days.
    once           boolean NOT NULL DEFAULT false,
    PRIMARY KEY (order_id, position),
    FOREIGN KEY (franchiser_id, order_id) REFERENCES orders (franchiser_id, id),
    CHECK (discount_paise <= amount_paise),
    CHECK ((kind = 'add_on') = (add_on_id IS NOT NULL)),
    CHECK (period_to >= period_from)
);
CREATE INDEX order_lines_of_franchiser ON order_lines (franchiser_id, period_to);
CALL isolate('order_lines');
GRANT SELECT, INSERT ON order_lines TO franchise360_api, franchise360_worker;
GRANT UPDATE (label, rate_bps, amount_paise, discount_paise, tax_paise, period_from,
    period_to) ON order_lines TO franchise360_api, franchise360_worker;

-- The credit that an order takes from a line of an earlier invoice. A credit note returns the unused part that an upgrade replaces; the
-- upgrade's price is reduced by it. The invoice migration adds the foreign key.
CREATE TABLE order_credits (
    order_id      uuid   NOT NULL,
    franchiser_id uuid   NOT NULL,
    invoice_id    uuid   NOT NULL,
    position      int    NOT NULL CHECK (position > 0), -- of the invoice's line
    title         text   NOT NULL, -- the plan, or the add-ons, that it paid for
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

-- Each paid or free term. At most one is scheduled: a term prepaid before the current one ended.
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
CREATE POLICY lookup_next ON terms FOR SELECT TO franchise360_lookup USING (status = 'scheduled');
GRANT SELECT, INSERT, UPDATE ON terms TO franchise360_api, franchise360_worker;
GRANT SELECT (franchiser_id, subscription_id, service_id, plan_type, status) ON terms TO franchise360_lookup;

-- One unit of an add-on, paid until paid_until. A renewal extends the units with status 1.
CREATE TABLE subscription_add_ons (
    id                        uuid        PRIMARY KEY,
    franchiser_id             uuid        NOT NULL,
    subscription_id           uuid        NOT NULL,
    order_id                  uuid        NOT NULL,
    add_on_id                 uuid        NOT NULL REFERENCES plan_add_ons,
    key                       text        NOT NULL,
    name                      text        NOT NULL,
    unit_limit                int         NOT NULL CHECK (unit_limit > 0),
    term_paise                bigint      NOT NULL CHECK (term_paise >= 0), -- price of a full term, before tax
    starts_on                 date        NOT NULL,
    paid_until                date        NOT NULL,
    next_billing_cycle_status smallint    NOT NULL CHECK (next_billing_cycle_status IN (0, 1)),
    ended_on                  date,
    created_at                timestamptz NOT NULL,
    -- A one-time unit stays with the account and renews free of charge.
    once                      boolean     NOT NULL DEFAULT false,
    UNIQUE (franchiser_id, id),
    FOREIGN KEY (franchiser_id, subscription_id) REFERENCES subscriptions (franchiser_id, id),
    FOREIGN KEY (franchiser_id, order_id) REFERENCES orders (franchiser_id, id)
);
CREATE INDEX subscription_add_ons_list ON subscription_add_ons (franchiser_id, subscription_id);
CREATE INDEX subscription_add_ons_due ON subscription_add_ons (paid_until)
    WHERE ended_on IS NULL AND next_billing_cycle_status = 0;
CALL isolate('subscription_add_ons');
CREATE POLICY lookup_due ON subscription_add_ons FOR SELECT TO franchise360_lookup USING (true);
GRANT SELECT, INSERT, UPDATE ON subscription_add_ons TO franchise360_api, franchise360_worker;
GRANT SELECT (ended_on, next_billing_cycle_status, paid_until, franchiser_id, subscription_id, add_on_id,
    once) ON subscription_add_ons TO franchise360_lookup;

CREATE FUNCTION tell_subscriptions() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    PERFORM public.tell_webhooks(
        'subscription.' || CASE
            WHEN n.kind IN ('new', 'trial') THEN 'activated'
            WHEN n.kind = 'renewal' THEN 'renewed'
            WHEN n.kind = 'revoked' AND n.to_state = 'expired' THEN 'cancelled'
            WHEN n.kind = 'expired' THEN 'expired'
            ELSE 'changed' END,
        n.franchiser_id,
        jsonb_build_object('account_id', n.franchiser_id, 'subscription_id', n.subscription_id, 'state', n.to_state, 'cause', n.kind),
        n.at)
    FROM told n WHERE (SELECT public.webhooks_wanted());
    RETURN NULL;
END $$;

-- The subscription's append-only history.
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

-- Sent reminders, each sent once. days: days before the end of the paid period; negative after it.
CREATE TABLE renewal_reminders (
    id              uuid        PRIMARY KEY DEFAULT uuidv7(),
    franchiser_id   uuid        NOT NULL,
    subscription_id uuid        NOT NULL,
    renew_on        date        NOT NULL,
    days            int         NOT NULL CHECK (days BETWEEN -60 AND 60),
    created_at      timestamptz NOT NULL,
    UNIQUE (subscription_id, renew_on, days),
    FOREIGN KEY (franchiser_id, subscription_id) REFERENCES subscriptions (franchiser_id, id)
);
CREATE INDEX renewal_reminders_of_franchiser ON renewal_reminders (franchiser_id);
CALL isolate('renewal_reminders');
CREATE POLICY lookup_due ON renewal_reminders FOR SELECT TO franchise360_lookup USING (true);
GRANT SELECT ON renewal_reminders TO franchise360_api;
GRANT SELECT, INSERT ON renewal_reminders TO franchise360_worker;
-- A reminder's link opens its payment without sign-in, after a signature check.
GRANT SELECT (subscription_id, renew_on, days, id, franchiser_id) ON renewal_reminders TO franchise360_lookup;

-- Mandate debits of a subscription's renewals, for the reminder sweep. Only the triggers of mandates and debits write it.
CREATE TABLE debited_renewals (
    subscription_id uuid    PRIMARY KEY,
    franchiser_id   uuid    NOT NULL,
    by_mandate      boolean NOT NULL DEFAULT false, -- a mandate will debit further renewals
    live_on         date, -- renewal whose debit is announced or open
    tried_on        date, -- newest renewal with an announced debit, whatever its outcome
    fixed_days      int     NOT NULL DEFAULT 0, -- days before a renewal that fix its debit's price
    FOREIGN KEY (franchiser_id, subscription_id) REFERENCES subscriptions (franchiser_id, id)
);
CALL isolate('debited_renewals');
CREATE POLICY lookup ON debited_renewals FOR SELECT TO franchise360_lookup USING (true);
GRANT SELECT, INSERT, UPDATE ON debited_renewals TO franchise360_api, franchise360_worker;
GRANT SELECT (subscription_id, by_mandate, live_on, tried_on) ON debited_renewals TO franchise360_lookup;

-- The remaining value of an invoiced line after a plan switch.
CREATE TABLE switched_lines (
    order_id      uuid   NOT NULL,
    franchiser_id uuid   NOT NULL,
    position      int    NOT NULL,
    from_on       date   NOT NULL, -- first day of the new plan
    value_paise   bigint NOT NULL CHECK (value_paise >= 0), -- remaining value from that day, before tax
    kept_paise    bigint NOT NULL CHECK (kept_paise >= value_paise), -- remaining value of the line
    PRIMARY KEY (order_id, position),
    FOREIGN KEY (order_id, position) REFERENCES order_lines (order_id, position),
    FOREIGN KEY (franchiser_id, order_id) REFERENCES orders (franchiser_id, id)
);
CREATE INDEX switched_lines_of_franchiser ON switched_lines (franchiser_id, order_id);
CALL isolate('switched_lines');
GRANT SELECT ON switched_lines TO franchise360_api;
GRANT SELECT, INSERT, UPDATE ON switched_lines TO franchise360_worker;

-- A price notice: the term from renew_on costs after_paise instead of before_paise, both before tax. A renewal's first notice compares with
-- the running term, each later one with the previous notice.
CREATE TABLE price_notices (
    id              uuid        PRIMARY KEY DEFAULT uuidv7(),
    franchiser_id   uuid        NOT NULL REFERENCES franchisers,
    subscription_id uuid        NOT NULL,
    renew_on        date        NOT NULL,
    number          int         NOT NULL CHECK (number > 0), -- per renewal
    before_paise    bigint      NOT NULL CHECK (before_paise >= 0),
    after_paise     bigint      NOT NULL CHECK (after_paise >= 0),
    created_at      timestamptz NOT NULL,
    CHECK (before_paise <> after_paise),
    UNIQUE (subscription_id, renew_on, number),
    FOREIGN KEY (franchiser_id, subscription_id) REFERENCES subscriptions (franchiser_id, id)
);
CREATE INDEX price_notices_of_franchiser ON price_notices (franchiser_id);
CREATE INDEX price_notices_renewal ON price_notices (renew_on);
ALTER TABLE price_notices ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON price_notices TO franchise360_api USING (franchiser_id = (SELECT current_franchiser()))
    WITH CHECK (franchiser_id = (SELECT current_franchiser()));
CREATE POLICY every_row ON price_notices TO franchise360_worker USING (true) WITH CHECK (true);
GRANT SELECT ON price_notices TO franchise360_api;
GRANT SELECT, INSERT ON price_notices TO franchise360_worker;

CREATE FUNCTION subscription_is_due(due_on date, today date) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN due_on <= today;

CREATE FUNCTION add_on_is_over(ended_on date, next_billing_cycle_status smallint, paid_until date, today date) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN ended_on IS NULL AND next_billing_cycle_status = 0 AND paid_until <= today;

-- Counts the rows that are due for a sweep, up to 10,001; reveals only the number.
CREATE FUNCTION count_due_subscriptions(at timestamptz) RETURNS bigint
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT count(*) FROM (SELECT FROM public.subscriptions s
        WHERE public.subscription_is_due(s.due_on, public.day_in_india(at)) LIMIT 10001) x $$;

CREATE FUNCTION count_over_add_ons(at timestamptz) RETURNS bigint
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT count(*) FROM (SELECT FROM public.subscription_add_ons a
        WHERE public.add_on_is_over(a.ended_on, a.next_billing_cycle_status, a.paid_until, public.day_in_india(at)) LIMIT 10001) x $$;

-- The reminders due today and not yet stored. days is a list of plan_type, trial and days: days before the term's last day, negative in
-- grace, whose first day is -1. Only the latest due day counts, so a missed reminder is not sent together with the next. A paid plan also
-- gets a reminder on its last day of grace and one at expiry. Grace lasts grace days plus the days that staff added, at most most_extra. A
-- trial has no grace and gets a reminder at expiry. Expiries before yesterday and refunded subscriptions get none. A term that a mandate
-- will debit gets none until it has ended.
CREATE FUNCTION due_reminders(today date, days jsonb, grace integer, most_extra integer)
    RETURNS TABLE(subscription_id uuid, franchiser_id uuid, renew_on date, days_before integer)
    LANGUAGE sql STABLE
    AS $$
    WITH declared AS (
        SELECT d.plan_type, d.trial, d.days FROM jsonb_to_recordset(due_reminders.days) AS d (plan_type text, trial boolean, days int)
        UNION ALL
        SELECT p.plan_type, false, NULL FROM (VALUES ('yearly'), ('monthly')) p (plan_type) -- the last day of grace
    ), soon AS (
        SELECT s.id, s.franchiser_id, s.renew_on, min(coalesce(d.days, -grace - s.grace_extra)) AS days, false AS expired
        FROM public.subscriptions s JOIN declared d ON d.plan_type = s.plan_type AND d.trial = s.trial
            AND s.renew_on - 1 - today <= coalesce(d.days, -grace - s.grace_extra)
        WHERE s.renew_on BETWEEN today - grace - most_extra + 1 AND today + (SELECT max(m.days) FROM declared m) + 1
            AND s.paid_until = s.renew_on AND s.state IN ('trialing', 'active', 'grace')
            AND CASE WHEN s.trial THEN s.renew_on > today ELSE s.renew_on + grace + s.grace_extra > today END
        GROUP BY s.id
        UNION ALL
        SELECT s.id, s.franchiser_id, s.renew_on, CASE WHEN s.trial THEN 0 ELSE -grace - s.grace_extra END - 1, true
        FROM public.subscriptions s
        WHERE s.state = 'expired' AND s.expired_on BETWEEN today - 1 AND today
            AND s.paid_until = s.renew_on AND s.expired_on = s.renew_on + CASE WHEN s.trial THEN 0 ELSE grace + s.grace_extra END
    )
    SELECT soon.id, soon.franchiser_id, soon.renew_on, soon.days FROM soon
    WHERE NOT EXISTS (SELECT FROM public.renewal_reminders r
        WHERE r.subscription_id = soon.id AND r.renew_on = soon.renew_on AND r.days = soon.days)
        AND (soon.expired OR NOT public.renews_by_debit(soon.id, soon.renew_on, today)) $$;

CREATE FUNCTION count_due_reminders(at timestamptz, days jsonb, grace int, most_extra int) RETURNS bigint
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT count(*) FROM (SELECT FROM public.due_reminders(public.day_in_india(at), days, grace, most_extra) LIMIT 10001) x $$;

-- bought_by returns the names of an order's plan and tier.
CREATE FUNCTION bought_by(franchiser uuid, wanted uuid) RETURNS TABLE (bought text)
    LANGUAGE sql STABLE
    AS $$ SELECT o.plan_name || ' · ' || o.service_name FROM public.orders o WHERE o.franchiser_id = franchiser AND o.id = wanted $$;

CREATE FUNCTION find_reminder(reminder uuid) RETURNS TABLE (franchiser_id uuid)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT r.franchiser_id FROM public.renewal_reminders r WHERE r.id = reminder $$;

-- search_orders finds orders and subscriptions.
CREATE FUNCTION search_orders(q text) RETURNS TABLE (franchiser_id uuid, kind text, label text, exact boolean)
    LANGUAGE sql STABLE AS $$
    SELECT o.franchiser_id, 'order', o.id::text, true FROM public.orders o WHERE o.id = public.id_in(q)
    UNION ALL (SELECT o.franchiser_id, 'request', o.request_id::text, true FROM public.orders o WHERE o.request_id = public.id_in(q) LIMIT 8)
    UNION ALL SELECT s.franchiser_id, 'subscription', s.id::text, true FROM public.subscriptions s WHERE s.id = public.id_in(q) $$;

-- No reminder is due while a mandate will debit the renewal or a debit of it is open. If no debit is expected any more, reminders resume as
-- for other customers.

-- renews_by_debit reports whether a mandate pays the renewal on renews_on. A debit is announced a week before the term's last day. If it is
-- still not announced five days before, reminders start. After the term, customers always get the messages of grace and expiry.
CREATE FUNCTION renews_by_debit(subscription uuid, renews_on date, today date) RETURNS boolean
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT EXISTS (SELECT FROM public.debited_renewals r WHERE r.subscription_id = subscription
        AND (r.live_on = renews_on AND today < renews_on
            OR renews_on - 1 - today >= 5 AND r.by_mandate AND r.tried_on IS DISTINCT FROM renews_on)) $$;

-- grace_ended_of_all returns at most most customers, by id from after, whose last day of grace lies in first to last, and the total.
CREATE FUNCTION grace_ended_of_all(first date, last date, after uuid, most int)
    RETURNS TABLE (franchiser_id uuid, last_day date, total bigint)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$
    SELECT s.franchiser_id, s.renew_on + 6 + s.grace_extra, count(*) OVER ()
    FROM public.subscriptions s
    WHERE s.state IN ('grace', 'expired') AND NOT s.trial AND NOT s.revoked AND s.paid_until = s.renew_on
        AND s.renew_on BETWEEN first - 26 AND last - 6 AND s.renew_on + 6 + s.grace_extra BETWEEN first AND last
        AND s.franchiser_id > after
    ORDER BY s.franchiser_id LIMIT most $$;

CREATE FUNCTION grace_ended(first date, last date, most int) RETURNS TABLE (franchiser_id uuid, last_day date, total bigint)
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ BEGIN
        PERFORM public.require_staff();
        RETURN QUERY SELECT * FROM public.grace_ended_of_all(first, last, '00000000-0000-0000-0000-000000000000', most);
    END $$;

-- recurring_changed_from returns the first day whose recurring revenue may differ because of events since a moment. A renewal in grace and
-- an expiry take effect on the old end.
CREATE FUNCTION recurring_changed_from(since timestamptz) RETURNS date LANGUAGE sql STABLE
    AS $$ SELECT min(least(day_in_india(e.at),
            (SELECT max(t.renew_on) FROM terms t WHERE t.subscription_id = e.subscription_id AND t.renew_on <= day_in_india(e.at)),
            (SELECT t.starts_on FROM terms t WHERE t.order_id = e.order_id)))
        FROM subscription_events e WHERE e.at >= since $$;

-- renewals_priced returns the next renewal of each active paid plan at two catalogues, in paise before tax. prices has a row per tier and
-- add-on, monthly and yearly: {"id", "type", "before", "after"}, with null if not sold. The renewal is that of QuoteRenewal without
-- one-time add-ons: the scheduled change, else the prepaid term, else the running plan, with renewing add-ons that are sold. If the plan is
-- not sold, the price is null.
CREATE FUNCTION renewals_priced(prices jsonb)
    RETURNS TABLE (franchiser_id uuid, service_id uuid, plan_type text, renews_on date, before_paise bigint, after_paise bigint)
    LANGUAGE sql STABLE AS $$
    WITH p AS MATERIALIZED (
        SELECT x.id, x.type, x.before, x.after FROM jsonb_to_recordset(prices) AS x (id uuid, type text, before bigint, after bigint)
    ), coming AS (
        SELECT s.id, s.franchiser_id, s.paid_until AS renews_on, s.next_add_on_ids, s.paid_until > s.renew_on AS prepaid,
            coalesce(s.next_service_id, t.service_id, s.service_id) AS service_id,
            coalesce(s.next_plan_type, t.plan_type, s.plan_type) AS plan_type
        FROM public.subscriptions s LEFT JOIN public.terms t ON s.paid_until > s.renew_on AND t.franchiser_id = s.franchiser_id
            AND t.subscription_id = s.id AND t.status = 'scheduled'
        WHERE s.state IN ('active', 'grace') AND NOT s.trial AND NOT s.revoked
    ), chosen AS (
        SELECT c.id, u.add_on_id FROM coming c CROSS JOIN LATERAL unnest(c.next_add_on_ids) AS u (add_on_id)
        WHERE c.next_add_on_ids IS NOT NULL
        UNION ALL
        SELECT c.id, a.add_on_id FROM coming c JOIN public.subscription_add_ons a ON a.franchiser_id = c.franchiser_id
            AND a.subscription_id = c.id AND a.ended_on IS NULL AND a.next_billing_cycle_status = 1 AND NOT a.once
            AND (NOT c.prepaid OR a.paid_until = c.renews_on)
        WHERE c.next_add_on_ids IS NULL
    ), added AS (
        SELECT c.id, sum(p.before)::bigint AS before, sum(p.after)::bigint AS after
        FROM chosen a JOIN coming c ON c.id = a.id JOIN p ON p.id = a.add_on_id AND p.type = c.plan_type GROUP BY c.id
    )
    SELECT c.franchiser_id, c.service_id, c.plan_type, c.renews_on, p.before + coalesce(a.before, 0), p.after + coalesce(a.after, 0)
    FROM coming c LEFT JOIN p ON p.id = c.service_id AND p.type = c.plan_type LEFT JOIN added a ON a.id = c.id $$;

-- price_effect sums renewals_priced by tier and period, for staff.
CREATE FUNCTION price_effect(prices jsonb)
    RETURNS TABLE (service_id uuid, plan_type text, customers bigint, dearer bigint, cheaper bigint, ended bigint, before_paise bigint,
        after_paise bigint)
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ BEGIN PERFORM public.require_staff();
    RETURN QUERY SELECT r.service_id, r.plan_type, count(*), count(*) FILTER (WHERE r.after_paise > r.before_paise),
            count(*) FILTER (WHERE r.after_paise < r.before_paise),
            count(*) FILTER (WHERE r.after_paise IS NULL AND r.before_paise IS NOT NULL),
            coalesce(sum(r.before_paise), 0)::bigint, coalesce(sum(r.after_paise), 0)::bigint
        FROM public.renewals_priced(prices) r GROUP BY 1, 2; END $$;

-- price_effect_on returns the customers whose renewal price changes, or all of them, by renewal date.
CREATE FUNCTION price_effect_on(prices jsonb, everybody boolean, at_most int, beyond int)
    RETURNS TABLE (franchiser_id uuid, name text, service_id uuid, plan_type text, renews_on date, before_paise bigint, after_paise bigint)
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ BEGIN PERFORM public.require_staff();
    RETURN QUERY SELECT x.franchiser_id, c.name, x.service_id, x.plan_type, x.renews_on, x.before_paise, x.after_paise
        FROM (SELECT r.* FROM public.renewals_priced(prices) r WHERE everybody OR r.after_paise IS DISTINCT FROM r.before_paise
            ORDER BY r.renews_on, r.franchiser_id LIMIT at_most OFFSET beyond) x
        CROSS JOIN LATERAL public.named_customer(x.franchiser_id) c ORDER BY x.renews_on, x.franchiser_id; END $$;

-- due_price_notices returns renewals whose price is fixed from first to last, if the second catalogue's price differs from the running or
-- last announced price. prices are as of renewals_priced. It covers the next renewal of subscriptions under the revision. With following it
-- covers the renewal after that, for monthly plans whose next price was fixed before first. With sold, the revision of the second catalogue,
-- it also corrects what was announced of renewals whose price was fixed before first: a mandate set up late fixes it at once.
CREATE FUNCTION due_price_notices(prices jsonb, revision int, following boolean, first date, last date, sold int)
    RETURNS TABLE (franchiser_id uuid, subscription_id uuid, renew_on date, number int, before_paise bigint, after_paise bigint)
    LANGUAGE sql STABLE AS $$
    WITH coming AS (
        SELECT r.franchiser_id, s.id, r.before_paise, r.after_paise, CASE WHEN NOT due_price_notices.following THEN r.renews_on ELSE
            (date_trunc('month', r.renews_on::timestamp) + interval '1 month')::date - 1
                + least(s.anchor_day, extract(day FROM date_trunc('month', r.renews_on::timestamp) + interval '2 months -1 day')::int) END AS renew_on
        FROM public.renewals_priced(due_price_notices.prices) r JOIN public.subscriptions s ON s.franchiser_id = r.franchiser_id
            LEFT JOIN public.terms t ON s.paid_until > s.renew_on AND t.franchiser_id = s.franchiser_id AND t.subscription_id = s.id
                AND t.status = 'scheduled'
        WHERE CASE WHEN due_price_notices.following
            THEN r.plan_type = 'monthly' AND public.price_fixed_on(s.id, r.renews_on) < due_price_notices.first
            ELSE coalesce(t.catalogue_revision, s.catalogue_revision) = due_price_notices.revision END
    )
    SELECT c.franchiser_id, c.id, c.renew_on, coalesce(n.number, 0) + 1, coalesce(n.after_paise, c.before_paise), c.after_paise
    FROM coming c LEFT JOIN LATERAL (SELECT p.number, p.after_paise FROM public.price_notices p
        WHERE p.subscription_id = c.id AND p.renew_on = c.renew_on ORDER BY p.number DESC LIMIT 1) n ON true
    WHERE (public.price_fixed_on(c.id, c.renew_on) BETWEEN due_price_notices.first AND due_price_notices.last
            OR n.number IS NOT NULL AND due_price_notices.sold > 0 AND c.renew_on >= due_price_notices.first
                AND public.price_fixed_on(c.id, c.renew_on) < due_price_notices.first
                AND CASE WHEN EXISTS (SELECT FROM public.debited_renewals r WHERE r.subscription_id = c.id AND r.live_on = c.renew_on)
                    THEN (SELECT bool_and(o.catalogue_revision = due_price_notices.sold) FROM public.orders o
                        WHERE o.franchiser_id = c.franchiser_id AND o.subscription_id = c.id AND o.kind = 'renewal' AND o.effective_on = c.renew_on
                            AND o.state IN ('open', 'superseded'))
                    ELSE true END)
        AND c.after_paise <> coalesce(n.after_paise, c.before_paise) $$;

-- grace_helped returns at most most customers whose last day of grace lies in first to last and who could renew today with more days added,
-- within the limit of 20. It also returns the total.
CREATE FUNCTION grace_helped(first date, last date, more int, today date, most int) RETURNS TABLE (franchiser_id uuid, last_day date, total bigint)
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ BEGIN
        PERFORM public.require_staff();
        RETURN QUERY SELECT s.franchiser_id, s.renew_on + 6 + s.grace_extra, count(*) OVER ()
            FROM public.subscriptions s
            WHERE s.state IN ('grace', 'expired') AND NOT s.trial AND NOT s.revoked AND s.paid_until = s.renew_on
                AND s.renew_on BETWEEN first - 26 AND last - 6 AND s.renew_on + 6 + s.grace_extra BETWEEN first AND last
                AND s.grace_extra < 20 AND s.renew_on + 6 + least(s.grace_extra + more, 20) >= today
            ORDER BY s.franchiser_id LIMIT most;
    END $$;

CREATE FUNCTION expect_debit(franchiser uuid, subscription uuid, live date, tried date) RETURNS void
    LANGUAGE sql SET search_path = pg_catalog, public
    AS $$ INSERT INTO public.debited_renewals AS r (subscription_id, franchiser_id, live_on, tried_on)
        VALUES (subscription, franchiser, live, tried)
        ON CONFLICT (subscription_id) DO UPDATE SET live_on = excluded.live_on, tried_on = excluded.tried_on
        WHERE (r.live_on, r.tried_on) IS DISTINCT FROM (excluded.live_on, excluded.tried_on) $$;

-- expect_debits stores whether a mandate debits a subscription's renewals, and how many days before them it fixes the price. expect_debit
-- stores the renewal whose debit is announced or open.
CREATE FUNCTION expect_debits(franchiser uuid, subscription uuid, expected boolean, fixed int) RETURNS void
    LANGUAGE sql SET search_path = pg_catalog, public
    AS $$ INSERT INTO public.debited_renewals AS r (subscription_id, franchiser_id, by_mandate, fixed_days)
        VALUES (subscription, franchiser, expected, fixed)
        ON CONFLICT (subscription_id) DO UPDATE SET by_mandate = excluded.by_mandate, fixed_days = excluded.fixed_days
        WHERE (r.by_mandate, r.fixed_days) IS DISTINCT FROM (excluded.by_mandate, excluded.fixed_days) $$;

-- price_fixed_on returns the day on which a renewal's price is fixed: the renewal day, or earlier if a mandate debits it. If the debit
-- failed or was cancelled, the customer pays manually.
CREATE FUNCTION price_fixed_on(subscription uuid, renews_on date) RETURNS date
    LANGUAGE sql STABLE
    AS $$ SELECT renews_on - coalesce((SELECT r.fixed_days FROM public.debited_renewals r WHERE r.subscription_id = subscription
        AND (r.live_on = renews_on OR r.by_mandate AND r.tried_on IS DISTINCT FROM renews_on)), 0) $$;

-- order_has_ended reports whether an order has no further effect: it was paid or cancelled, or the subscription changed after it was
-- priced. Before that, a superseded order can still be paid.
CREATE FUNCTION order_has_ended(wanted uuid) RETURNS boolean
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path TO pg_catalog, public
    AS $$ SELECT o.state NOT IN ('open', 'superseded') OR o.base_revision <> coalesce(s.revision, 0)
    FROM public.orders o LEFT JOIN public.subscriptions s ON s.franchiser_id = o.franchiser_id WHERE o.id = wanted $$;

-- Owner and callers of the functions above.
ALTER FUNCTION count_due_subscriptions(timestamptz) OWNER TO franchise360_lookup;
ALTER FUNCTION count_over_add_ons(timestamptz) OWNER TO franchise360_lookup;
ALTER FUNCTION count_due_reminders(timestamptz, jsonb, int, int) OWNER TO franchise360_lookup;
ALTER FUNCTION find_reminder(uuid) OWNER TO franchise360_lookup;
ALTER FUNCTION renews_by_debit(uuid, date, date) OWNER TO franchise360_lookup;
ALTER FUNCTION grace_ended_of_all(date, date, uuid, int) OWNER TO franchise360_lookup;
ALTER FUNCTION grace_ended(date, date, int) OWNER TO franchise360_lookup;
ALTER FUNCTION price_effect(jsonb) OWNER TO franchise360_lookup;
ALTER FUNCTION price_effect_on(jsonb, boolean, int, int) OWNER TO franchise360_lookup;
ALTER FUNCTION grace_helped(date, date, int, date, int) OWNER TO franchise360_lookup;
ALTER FUNCTION order_has_ended(uuid) OWNER TO franchise360_lookup;
REVOKE ALL ON FUNCTION count_due_subscriptions(timestamptz), count_over_add_ons(timestamptz),
    count_due_reminders(timestamptz, jsonb, int, int), bought_by(uuid, uuid), find_reminder(uuid), search_orders(text),
    renews_by_debit(uuid, date, date), grace_ended_of_all(date, date, uuid, int), grace_ended(date, date, int), renewals_priced(jsonb),
    price_effect(jsonb), price_effect_on(jsonb, boolean, int, int), due_price_notices(jsonb, int, boolean, date, date, int),
    grace_helped(date, date, int, date, int), expect_debit(uuid, uuid, date, date), expect_debits(uuid, uuid, boolean, int),
    price_fixed_on(uuid, date), order_has_ended(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION count_due_subscriptions(timestamptz), count_over_add_ons(timestamptz),
    count_due_reminders(timestamptz, jsonb, int, int), find_reminder(uuid), grace_ended(date, date, int), price_effect(jsonb),
    price_effect_on(jsonb, boolean, int, int), grace_helped(date, date, int, date, int) TO franchise360_api;
GRANT EXECUTE ON FUNCTION bought_by(uuid, uuid), search_orders(text) TO franchise360_lookup;
GRANT EXECUTE ON FUNCTION renews_by_debit(uuid, date, date), expect_debit(uuid, uuid, date, date),
    expect_debits(uuid, uuid, boolean, int), order_has_ended(uuid) TO franchise360_api, franchise360_worker;
GRANT EXECUTE ON FUNCTION grace_ended_of_all(date, date, uuid, int), due_price_notices(jsonb, int, boolean, date, date, int),
    price_fixed_on(uuid, date) TO franchise360_worker;
GRANT EXECUTE ON FUNCTION renewals_priced(jsonb) TO franchise360_worker, franchise360_lookup;

-- An upgrade ends the orders it replaces, including add-on orders, which have no term.
CREATE VIEW order_overview WITH (security_invoker=true) AS
 SELECT o.id,
    o.franchiser_id,
    o.kind,
    o.state,
    o.plan_id,
    o.service_id,
    o.plan_name,
    o.service_name,
    o.plan_type,
    o.add_on_ids,
    o.add_on_names,
    o.subscription_id,
    (o.total_paise - o.credit_paise) AS payable_paise,
    o.pg_charge_paise,
    o.effective_on,
    o.renew_on,
    o.search,
    o.created_at,
    o.paid_at,
    t.status AS term,
    t.starts_on AS term_from,
    t.renew_on AS term_to,
        CASE
            WHEN (t.status = 'replaced'::text) THEN ( SELECT n.starts_on
               FROM terms n
              WHERE ((n.subscription_id = t.subscription_id) AND (n.id > t.id))
              ORDER BY n.id
             LIMIT 1)
            WHEN ((o.kind = 'add_on'::text) AND o.credited) THEN ( SELECT n.starts_on
               FROM (orders u
                 JOIN terms n ON ((n.order_id = u.id)))
              WHERE ((u.franchiser_id = o.franchiser_id) AND (u.kind = 'upgrade'::text) AND (u.paid_at >= o.paid_at))
              ORDER BY u.paid_at
             LIMIT 1)
            ELSE NULL::date
        END AS replaced_on,
        CASE
            WHEN o.credited THEN ( SELECT max(e.at) AS max
               FROM subscription_events e
              WHERE ((e.franchiser_id = o.franchiser_id) AND (e.order_id = o.id) AND (e.kind = 'revoked'::text)))
            ELSE NULL::timestamp with time zone
        END AS revoked_at,
    s.state AS subscription_state,
    -- The plan's list price if it has a discount.
    (SELECT l.amount_paise FROM order_lines l WHERE l.order_id = o.id AND l.kind = 'plan' AND l.discount_paise > 0
     ORDER BY l.position LIMIT 1) AS list_paise
   FROM ((orders o
     LEFT JOIN terms t ON ((t.order_id = o.id)))
     LEFT JOIN subscriptions s ON ((s.id = o.subscription_id)));
COMMENT ON VIEW order_overview IS 'subscription: orders with price and outcome';
GRANT SELECT ON order_overview TO franchise360_api, franchise360_worker;

CREATE VIEW subscription_overview WITH (security_invoker = true) AS
    SELECT franchiser_id, CASE WHEN state = 'expired' AND revoked THEN 'ended_by_refund' ELSE state END AS state, plan_id, plan_type, paid_until
    FROM subscriptions;
COMMENT ON VIEW subscription_overview IS 'subscription: the plan of a customer, its state, and the first day that is not paid';
GRANT SELECT ON subscription_overview TO franchise360_lookup;

CREATE VIEW order_line_overview WITH (security_invoker = true) AS
    SELECT order_id, franchiser_id, position, kind, period_from, period_to, label, amount_paise - discount_paise + tax_paise AS total_paise
    FROM order_lines;
COMMENT ON VIEW order_line_overview IS 'subscription: period and price, with tax, of each line of an order; the day period_to is the first after it';
GRANT SELECT ON order_line_overview TO franchise360_api, franchise360_worker;

-- The days of paid terms and add-ons with their monthly value: amount less discount, before tax and gateway charge; yearly prices divided
-- by twelve. Trials and one-time charges do not count. A term runs through its grace. An unrenewed term ended with its last day; a later
-- term of the subscription ends the earlier one. A switch continues the term that it replaces. Plan, billing period and State come from
-- the term's order.
CREATE VIEW recurring_overview WITH (security_invoker = true) AS
WITH ran AS (
    SELECT t.franchiser_id, t.order_id, t.plan_id, t.plan_type, t.starts_on, o.renew_on AS paid_to,
        CASE o.kind WHEN 'switch' THEN (SELECT min(b.starts_on) FROM terms b JOIN orders bo ON bo.id = b.order_id
            WHERE b.subscription_id = t.subscription_id AND bo.renew_on = o.renew_on) ELSE t.starts_on END AS begins_on,
        coalesce(o.recipient->>'state_code', '') AS state_code, CASE t.plan_type WHEN 'yearly' THEN 12 ELSE 1 END AS months,
        least(CASE WHEN t.status IN ('current', 'scheduled') AND s.state IN ('active', 'grace') AND s.paid_until = t.renew_on THEN 'infinity'::date
                ELSE t.renew_on END,
            (SELECT min(n.starts_on) FROM terms n WHERE n.subscription_id = t.subscription_id AND n.id > t.id),
            CASE WHEN t.status = 'replaced' THEN (SELECT min(day_in_india(e.at)) FROM subscription_events e
                WHERE e.franchiser_id = t.franchiser_id AND e.order_id = t.order_id AND e.kind = 'revoked') END) AS ends_on
    FROM terms t JOIN orders o ON o.franchiser_id = t.franchiser_id AND o.id = t.order_id
        JOIN subscriptions s ON s.franchiser_id = t.franchiser_id AND s.id = t.subscription_id
    WHERE o.kind <> 'trial'
), span AS (
    SELECT r.franchiser_id, l.kind, r.plan_id, r.plan_type, r.state_code, r.starts_on, r.ends_on,
        round((l.amount_paise - l.discount_paise)::numeric / r.months)::bigint AS monthly_paise
    FROM ran r JOIN order_lines l ON l.franchiser_id = r.franchiser_id AND l.order_id = r.order_id AND l.kind <> 'fee' AND NOT l.once
    UNION ALL
    -- An add-on bought mid-term counts with its full-term price.
    SELECT r.franchiser_id, l.kind, r.plan_id, r.plan_type, r.state_code, l.period_from,
        least(r.ends_on,
            CASE WHEN o.credited THEN (SELECT n.starts_on FROM orders u JOIN terms n ON n.order_id = u.id
                WHERE u.franchiser_id = o.franchiser_id AND u.kind = 'upgrade' AND u.paid_at >= o.paid_at ORDER BY u.paid_at LIMIT 1) END,
            CASE WHEN o.credited THEN (SELECT min(greatest(day_in_india(e.at), l.period_from)) FROM subscription_events e
                WHERE e.franchiser_id = o.franchiser_id AND e.order_id = o.id AND e.kind = 'revoked') END),
        round(CASE WHEN l.period_from = r.begins_on THEN l.amount_paise - l.discount_paise
            ELSE add_on_price(o.catalogue_revision, l.add_on_id, r.plan_type) * l.quantity
                - l.discount_paise::numeric * (r.paid_to - r.begins_on) / greatest(l.period_to - l.period_from, 1) END / r.months::numeric)::bigint
    FROM orders o JOIN order_lines l ON l.franchiser_id = o.franchiser_id AND l.order_id = o.id AND l.kind = 'add_on' AND NOT l.once
        JOIN ran r ON r.franchiser_id = o.franchiser_id AND l.period_from >= r.starts_on AND l.period_from < r.ends_on
    WHERE o.kind = 'add_on' AND o.state = 'paid'
)
SELECT franchiser_id, kind, plan_id, plan_type, state_code, starts_on, ends_on, monthly_paise FROM span WHERE ends_on > starts_on;
COMMENT ON VIEW recurring_overview IS 'subscription: recurring revenue and its days';
GRANT SELECT ON recurring_overview TO franchise360_worker;

CREATE VIEW trial_overview WITH (security_invoker = true) AS
SELECT o.franchiser_id, o.effective_on AS starts_on,
    (SELECT min(day_in_india(p.paid_at)) FROM orders p
        WHERE p.franchiser_id = o.franchiser_id AND p.state = 'paid' AND p.kind NOT IN ('trial', 'add_on')) AS bought_on
FROM orders o WHERE o.kind = 'trial' AND o.state = 'paid';
COMMENT ON VIEW trial_overview IS 'subscription: free trials, and when each customer first bought a plan';
GRANT SELECT ON trial_overview TO franchise360_worker;

CREATE VIEW order_place_overview WITH (security_invoker = true) AS
SELECT id AS order_id, franchiser_id, plan_id, plan_type, coalesce(recipient->>'state_code', '') AS state_code FROM orders;
COMMENT ON VIEW order_place_overview IS 'subscription: plan, billing period and State of an order';
GRANT SELECT ON order_place_overview TO franchise360_worker;

-- Everything that a customer has paid for and that is in force: the running and the next term, and add-ons. key is the add-on's, NULL for a
-- plan. at is the last change of the subscription.
CREATE VIEW held_overview WITH (security_invoker = true) AS
    SELECT s.franchiser_id, t.order_id, t.catalogue_revision, t.plan_id, NULL::text AS key, NULL::text AS name, t.starts_on AS since, s.updated_at AS at
    FROM subscriptions s JOIN terms t ON t.franchiser_id = s.franchiser_id AND t.subscription_id = s.id AND t.status IN ('current', 'scheduled')
    WHERE s.state IN ('active', 'grace') AND NOT s.trial
    UNION ALL
    SELECT s.franchiser_id, a.order_id, s.catalogue_revision, s.plan_id, a.key, a.name, a.starts_on, s.updated_at
    FROM subscriptions s JOIN subscription_add_ons a ON a.franchiser_id = s.franchiser_id AND a.subscription_id = s.id AND a.ended_on IS NULL
    WHERE s.state IN ('active', 'grace') AND NOT s.trial;
COMMENT ON VIEW held_overview IS 'subscription: what a customer has paid for and that is in force';
GRANT SELECT ON held_overview TO franchise360_api, franchise360_worker;

-- purchase_ended returns why and when something that a customer bought ended: the plan was refunded or expired, or changed.
CREATE FUNCTION purchase_ended(franchiser uuid) RETURNS TABLE (reason text, at timestamptz)
    LANGUAGE sql STABLE AS $$
    SELECT CASE WHEN s.revoked THEN 'refunded' WHEN s.state IN ('expired', 'lapsed') THEN 'expired' ELSE 'changed' END,
        CASE WHEN s.expired_on IS NOT NULL AND NOT s.revoked THEN s.expired_on::timestamp AT TIME ZONE 'Asia/Kolkata'
            ELSE greatest(s.updated_at, (SELECT max(a.ended_on)::timestamp AT TIME ZONE 'Asia/Kolkata' FROM subscription_add_ons a
                WHERE a.franchiser_id = s.franchiser_id AND a.subscription_id = s.id)) END
    FROM subscriptions s WHERE s.franchiser_id = franchiser $$;
-- +goose StatementEnd
