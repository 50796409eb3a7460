-- Customers whose renewal is debited were told of a price that the debit did not have: its price is fixed days before the renewal.

-- +goose Up
-- How many days before a renewal the price of its debit is fixed, 0 until the mandate's next renewal was looked at.
ALTER TABLE mandates ADD COLUMN fixed_days int NOT NULL DEFAULT 0 CHECK (fixed_days >= 0);
ALTER TABLE debited_renewals ADD COLUMN fixed_days int NOT NULL DEFAULT 0; -- how many days before a renewal its debit's price is fixed
DROP TRIGGER tell_subscription ON mandates;

-- +goose StatementBegin
-- expect_debits notes whether a mandate debits a subscription's renewals, and how many days before them it fixes their price.
-- expect_debit notes of which renewal a debit is announced or under way.
CREATE FUNCTION expect_debits(franchiser uuid, subscription uuid, expected boolean, fixed int) RETURNS void
    LANGUAGE sql SET search_path = pg_catalog, public
    AS $$ INSERT INTO public.debited_renewals AS r (subscription_id, franchiser_id, by_mandate, fixed_days)
        VALUES (subscription, franchiser, expected, fixed)
        ON CONFLICT (subscription_id) DO UPDATE SET by_mandate = excluded.by_mandate, fixed_days = excluded.fixed_days
        WHERE (r.by_mandate, r.fixed_days) IS DISTINCT FROM (excluded.by_mandate, excluded.fixed_days) $$;

CREATE OR REPLACE FUNCTION tell_of_mandate() RETURNS trigger
    LANGUAGE plpgsql SET search_path = pg_catalog, public
    AS $$ BEGIN
        PERFORM public.expect_debits(NEW.franchiser_id, NEW.subscription_id, count(*) > 0, coalesce(max(m.fixed_days), 0))
            FROM public.mandates m
            WHERE m.subscription_id = NEW.subscription_id AND m.state = 'active' AND m.held_at IS NULL AND m.stop_asked_at IS NULL;
        RETURN NULL;
    END $$;

-- price_fixed_on is the day on which the price of a renewal is fixed: the renewal's own, or days before it where a mandate debits it. A
-- renewal whose debit failed or was called off is paid manually.
CREATE FUNCTION price_fixed_on(subscription uuid, renews_on date) RETURNS date
    LANGUAGE sql STABLE
    AS $$ SELECT renews_on - coalesce((SELECT r.fixed_days FROM public.debited_renewals r WHERE r.subscription_id = subscription
        AND (r.live_on = renews_on OR r.by_mandate AND r.tried_on IS DISTINCT FROM renews_on)), 0) $$;

-- due_price_notices has the renewals whose price is fixed on one of the days, at a second catalogue that has another price than their
-- customer pays or was last told; prices are as of renewals_priced. It looks at the next renewal of whoever runs under the revision, or,
-- with following, at the one after it of monthly plans whose next renewal has its price before the first of the days.
CREATE OR REPLACE FUNCTION due_price_notices(prices jsonb, revision int, following boolean, first date, last date)
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
    WHERE public.price_fixed_on(c.id, c.renew_on) BETWEEN due_price_notices.first AND due_price_notices.last
        AND c.after_paise <> coalesce(n.after_paise, c.before_paise) $$;
-- +goose StatementEnd
DROP FUNCTION expect_debits(uuid, uuid, boolean);
REVOKE ALL ON FUNCTION expect_debits(uuid, uuid, boolean, int), price_fixed_on(uuid, date) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION expect_debits(uuid, uuid, boolean, int) TO franchise360_api, franchise360_worker;
GRANT EXECUTE ON FUNCTION price_fixed_on(uuid, date) TO franchise360_worker;
CREATE TRIGGER tell_subscription AFTER INSERT OR UPDATE OF state, held_at, stop_asked_at, fixed_days ON mandates
    FOR EACH ROW EXECUTE FUNCTION tell_of_mandate();
UPDATE mandates SET plan_at = created_at WHERE plan_at IS NOT NULL; -- each is looked at once, which notes its days

-- +goose Down
DROP TRIGGER tell_subscription ON mandates;
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION due_price_notices(prices jsonb, revision int, following boolean, first date, last date)
    RETURNS TABLE (franchiser_id uuid, subscription_id uuid, renew_on date, number int, before_paise bigint, after_paise bigint)
    LANGUAGE sql STABLE AS $$
    WITH coming AS (
        SELECT r.franchiser_id, s.id, r.before_paise, r.after_paise, CASE WHEN NOT due_price_notices.following THEN r.renews_on ELSE
            (date_trunc('month', r.renews_on::timestamp) + interval '1 month')::date - 1
                + least(s.anchor_day, extract(day FROM date_trunc('month', r.renews_on::timestamp) + interval '2 months -1 day')::int) END AS renew_on
        FROM public.renewals_priced(due_price_notices.prices) r JOIN public.subscriptions s ON s.franchiser_id = r.franchiser_id
            LEFT JOIN public.terms t ON s.paid_until > s.renew_on AND t.franchiser_id = s.franchiser_id AND t.subscription_id = s.id
                AND t.status = 'scheduled'
        WHERE CASE WHEN due_price_notices.following THEN r.plan_type = 'monthly' AND r.renews_on < due_price_notices.first
            ELSE coalesce(t.catalogue_revision, s.catalogue_revision) = due_price_notices.revision END
    )
    SELECT c.franchiser_id, c.id, c.renew_on, coalesce(n.number, 0) + 1, coalesce(n.after_paise, c.before_paise), c.after_paise
    FROM coming c LEFT JOIN LATERAL (SELECT p.number, p.after_paise FROM public.price_notices p
        WHERE p.subscription_id = c.id AND p.renew_on = c.renew_on ORDER BY p.number DESC LIMIT 1) n ON true
    WHERE c.renew_on BETWEEN due_price_notices.first AND due_price_notices.last AND c.after_paise <> coalesce(n.after_paise, c.before_paise) $$;

CREATE FUNCTION expect_debits(franchiser uuid, subscription uuid, expected boolean) RETURNS void
    LANGUAGE sql SET search_path = pg_catalog, public
    AS $$ INSERT INTO public.debited_renewals AS r (subscription_id, franchiser_id, by_mandate) VALUES (subscription, franchiser, expected)
        ON CONFLICT (subscription_id) DO UPDATE SET by_mandate = excluded.by_mandate WHERE r.by_mandate <> excluded.by_mandate $$;

CREATE OR REPLACE FUNCTION tell_of_mandate() RETURNS trigger
    LANGUAGE plpgsql SET search_path = pg_catalog, public
    AS $$ BEGIN
        PERFORM public.expect_debits(NEW.franchiser_id, NEW.subscription_id, EXISTS (SELECT FROM public.mandates m
            WHERE m.subscription_id = NEW.subscription_id AND m.state = 'active' AND m.held_at IS NULL AND m.stop_asked_at IS NULL));
        RETURN NULL;
    END $$;
-- +goose StatementEnd
REVOKE ALL ON FUNCTION expect_debits(uuid, uuid, boolean) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION expect_debits(uuid, uuid, boolean) TO franchise360_api, franchise360_worker;
DROP FUNCTION price_fixed_on(uuid, date), expect_debits(uuid, uuid, boolean, int);
CREATE TRIGGER tell_subscription AFTER INSERT OR UPDATE OF state, held_at, stop_asked_at ON mandates
    FOR EACH ROW EXECUTE FUNCTION tell_of_mandate();
ALTER TABLE debited_renewals DROP COLUMN fixed_days;
ALTER TABLE mandates DROP COLUMN fixed_days;
