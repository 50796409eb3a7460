-- Reminders leave out what a mandate debits, without reading the mandates: mandates tell the subscription.

-- +goose Up
-- What mandates have said of a subscription's renewals, for the sweep of reminders. Written by the triggers of mandates and debits only.
CREATE TABLE debited_renewals (
    subscription_id uuid    PRIMARY KEY,
    franchiser_id   uuid    NOT NULL,
    by_mandate      boolean NOT NULL DEFAULT false, -- a mandate debits what is not announced yet
    live_on         date, -- the renewal whose debit is announced or under way
    tried_on        date, -- the newest renewal of which a debit was announced, whatever became of it
    FOREIGN KEY (franchiser_id, subscription_id) REFERENCES subscriptions (franchiser_id, id)
);
CALL isolate('debited_renewals');
GRANT SELECT, INSERT, UPDATE ON debited_renewals TO franchise360_api, franchise360_worker;
CREATE POLICY lookup ON debited_renewals FOR SELECT TO franchise360_lookup USING (true);
GRANT SELECT (subscription_id, by_mandate, live_on, tried_on) ON debited_renewals TO franchise360_lookup;

-- +goose StatementBegin
-- expect_debits notes whether a mandate debits a subscription's renewals, expect_debit of which renewal a debit is announced or under way.
CREATE FUNCTION expect_debits(franchiser uuid, subscription uuid, expected boolean) RETURNS void
    LANGUAGE sql SET search_path = pg_catalog, public
    AS $$ INSERT INTO public.debited_renewals AS r (subscription_id, franchiser_id, by_mandate) VALUES (subscription, franchiser, expected)
        ON CONFLICT (subscription_id) DO UPDATE SET by_mandate = excluded.by_mandate WHERE r.by_mandate <> excluded.by_mandate $$;

CREATE FUNCTION expect_debit(franchiser uuid, subscription uuid, live date, tried date) RETURNS void
    LANGUAGE sql SET search_path = pg_catalog, public
    AS $$ INSERT INTO public.debited_renewals AS r (subscription_id, franchiser_id, live_on, tried_on) VALUES (subscription, franchiser, live, tried)
        ON CONFLICT (subscription_id) DO UPDATE SET live_on = excluded.live_on, tried_on = excluded.tried_on
        WHERE (r.live_on, r.tried_on) IS DISTINCT FROM (excluded.live_on, excluded.tried_on) $$;

-- renews_by_debit reports whether a subscription's term before renews_on is to be paid by a mandate. A debit is announced a week before
-- the last day of the term, so that one that is not announced five days before it is not waited for any longer.
CREATE OR REPLACE FUNCTION renews_by_debit(subscription uuid, renews_on date, today date) RETURNS boolean
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT EXISTS (SELECT FROM public.debited_renewals r WHERE r.subscription_id = subscription
        AND (r.live_on = renews_on OR renews_on - 1 - today >= 5 AND r.by_mandate AND r.tried_on IS DISTINCT FROM renews_on)) $$;

-- The subscription hears of each mandate that begins or ceases to debit, and of each debit.
CREATE FUNCTION tell_of_mandate() RETURNS trigger
    LANGUAGE plpgsql SET search_path = pg_catalog, public
    AS $$ BEGIN
        PERFORM public.expect_debits(NEW.franchiser_id, NEW.subscription_id, EXISTS (SELECT FROM public.mandates m
            WHERE m.subscription_id = NEW.subscription_id AND m.state = 'active' AND m.held_at IS NULL AND m.stop_asked_at IS NULL));
        RETURN NULL;
    END $$;

CREATE FUNCTION tell_of_debit() RETURNS trigger
    LANGUAGE plpgsql SET search_path = pg_catalog, public
    AS $$ BEGIN
        PERFORM public.expect_debit(NEW.franchiser_id, NEW.subscription_id,
            max(d.renew_on) FILTER (WHERE d.state IN ('planned', 'noticed', 'asked')), max(d.renew_on))
            FROM public.mandate_debits d WHERE d.subscription_id = NEW.subscription_id;
        RETURN NULL;
    END $$;
-- +goose StatementEnd
REVOKE ALL ON FUNCTION expect_debits(uuid, uuid, boolean), expect_debit(uuid, uuid, date, date) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION expect_debits(uuid, uuid, boolean), expect_debit(uuid, uuid, date, date) TO franchise360_api, franchise360_worker;
INSERT INTO debited_renewals (subscription_id, franchiser_id, by_mandate, live_on, tried_on)
    SELECT m.subscription_id, m.franchiser_id, bool_or(m.state = 'active' AND m.held_at IS NULL AND m.stop_asked_at IS NULL),
        (SELECT max(d.renew_on) FROM mandate_debits d WHERE d.subscription_id = m.subscription_id AND d.state IN ('planned', 'noticed', 'asked')),
        (SELECT max(d.renew_on) FROM mandate_debits d WHERE d.subscription_id = m.subscription_id)
    FROM mandates m GROUP BY m.subscription_id, m.franchiser_id;
CREATE TRIGGER tell_subscription AFTER INSERT OR UPDATE OF state, held_at, stop_asked_at ON mandates FOR EACH ROW
    EXECUTE FUNCTION tell_of_mandate();
CREATE TRIGGER tell_subscription AFTER INSERT OR UPDATE OF state ON mandate_debits FOR EACH ROW EXECUTE FUNCTION tell_of_debit();
REVOKE SELECT (subscription_id, state, held_at) ON mandates FROM franchise360_lookup;
REVOKE SELECT (subscription_id, renew_on, state) ON mandate_debits FROM franchise360_lookup;

-- +goose Down
GRANT SELECT (subscription_id, state, held_at) ON mandates TO franchise360_lookup;
GRANT SELECT (subscription_id, renew_on, state) ON mandate_debits TO franchise360_lookup;
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION renews_by_debit(subscription uuid, renews_on date, today date) RETURNS boolean
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT EXISTS (SELECT FROM public.mandate_debits d WHERE d.subscription_id = subscription AND d.renew_on = renews_on
            AND d.state IN ('planned', 'noticed', 'asked'))
        OR renews_on - 1 - today >= 5 AND EXISTS (SELECT FROM public.mandates m WHERE m.subscription_id = subscription
            AND m.state = 'active' AND m.held_at IS NULL AND m.stop_asked_at IS NULL)
            AND NOT EXISTS (SELECT FROM public.mandate_debits d WHERE d.subscription_id = subscription AND d.renew_on = renews_on) $$;
-- +goose StatementEnd
DROP TRIGGER tell_subscription ON mandate_debits;
DROP TRIGGER tell_subscription ON mandates;
DROP FUNCTION tell_of_debit(), tell_of_mandate();
DROP FUNCTION expect_debit(uuid, uuid, date, date), expect_debits(uuid, uuid, boolean);
DROP TABLE debited_renewals;
