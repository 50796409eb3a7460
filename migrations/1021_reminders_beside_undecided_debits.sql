-- Customers get the messages of grace and expiry also while their bank has not decided a debit: until then they were sent nothing, and a
-- debit without an answer let the plan lapse in silence.

-- +goose Up
ALTER TABLE debited_renewals ADD COLUMN asked boolean NOT NULL DEFAULT false; -- the debit of live_on was asked for and is undecided
GRANT SELECT (asked) ON debited_renewals TO franchise360_lookup;
DROP FUNCTION expect_debit(uuid, uuid, date, date);

-- +goose StatementBegin
CREATE FUNCTION expect_debit(franchiser uuid, subscription uuid, live date, tried date, undecided boolean) RETURNS void
    LANGUAGE sql SET search_path = pg_catalog, public
    AS $$ INSERT INTO public.debited_renewals AS r (subscription_id, franchiser_id, live_on, tried_on, asked)
        VALUES (subscription, franchiser, live, tried, undecided)
        ON CONFLICT (subscription_id) DO UPDATE SET live_on = excluded.live_on, tried_on = excluded.tried_on, asked = excluded.asked
        WHERE (r.live_on, r.tried_on, r.asked) IS DISTINCT FROM (excluded.live_on, excluded.tried_on, excluded.asked) $$;

CREATE OR REPLACE FUNCTION tell_of_debit() RETURNS trigger
    LANGUAGE plpgsql SET search_path = pg_catalog, public
    AS $$ BEGIN
        PERFORM public.expect_debit(NEW.franchiser_id, NEW.subscription_id,
            max(d.renew_on) FILTER (WHERE d.state IN ('planned', 'noticed', 'asked')), max(d.renew_on),
            coalesce(max(d.renew_on) FILTER (WHERE d.state = 'asked') >= max(d.renew_on) FILTER (WHERE d.state IN ('planned', 'noticed', 'asked')), false))
            FROM public.mandate_debits d WHERE d.subscription_id = NEW.subscription_id;
        RETURN NULL;
    END $$;

-- renews_by_debit reports whether a subscription's term before renews_on is to be paid by a mandate. A debit is announced a week before
-- the last day of the term, so that one that is not announced five days before it is not waited for any longer. Once the term is over,
-- an undecided debit is not waited for either.
CREATE OR REPLACE FUNCTION renews_by_debit(subscription uuid, renews_on date, today date) RETURNS boolean
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT EXISTS (SELECT FROM public.debited_renewals r WHERE r.subscription_id = subscription
        AND (r.live_on = renews_on AND NOT (r.asked AND today >= renews_on)
            OR renews_on - 1 - today >= 5 AND r.by_mandate AND r.tried_on IS DISTINCT FROM renews_on)) $$;
-- +goose StatementEnd
REVOKE ALL ON FUNCTION expect_debit(uuid, uuid, date, date, boolean) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION expect_debit(uuid, uuid, date, date, boolean) TO franchise360_api, franchise360_worker;
UPDATE debited_renewals r SET asked = true WHERE EXISTS (SELECT FROM mandate_debits d
    WHERE d.subscription_id = r.subscription_id AND d.renew_on = r.live_on AND d.state = 'asked');

-- +goose StatementBegin
-- The reminders that are due today and were not noted yet. days are objects of plan_type, trial and days, which is how many days before
-- the last day of the term somebody is reminded, and below 0 in grace, whose first day is -1. One belongs to the nearest of its days that
-- has come, so that one that no sweep saw is not sent on top of the next. A paid plan is also reminded on the last day of its grace,
-- which lasts so many days and what staff added, most_extra at most, and once more when it expires; a trial, which has no grace, when it
-- expires. What expired the day before yesterday or earlier, or by a refund, is left alone. A term that a mandate is to debit is left
-- alone until it expires.
CREATE OR REPLACE FUNCTION due_reminders(today date, days jsonb, grace integer, most_extra integer)
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
-- +goose StatementEnd

-- +goose Down
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION due_reminders(today date, days jsonb, grace integer, most_extra integer)
    RETURNS TABLE(subscription_id uuid, franchiser_id uuid, renew_on date, days_before integer)
    LANGUAGE sql STABLE
    AS $$
    WITH declared AS (
        SELECT d.plan_type, d.trial, d.days FROM jsonb_to_recordset(due_reminders.days) AS d (plan_type text, trial boolean, days int)
        UNION ALL
        SELECT p.plan_type, false, NULL FROM (VALUES ('yearly'), ('monthly')) p (plan_type) -- the last day of grace
    ), soon AS (
        SELECT s.id, s.franchiser_id, s.renew_on, min(coalesce(d.days, -grace - s.grace_extra)) AS days
        FROM public.subscriptions s JOIN declared d ON d.plan_type = s.plan_type AND d.trial = s.trial
            AND s.renew_on - 1 - today <= coalesce(d.days, -grace - s.grace_extra)
        WHERE s.renew_on BETWEEN today - grace - most_extra + 1 AND today + (SELECT max(m.days) FROM declared m) + 1
            AND s.paid_until = s.renew_on AND s.state IN ('trialing', 'active', 'grace')
            AND CASE WHEN s.trial THEN s.renew_on > today ELSE s.renew_on + grace + s.grace_extra > today END
        GROUP BY s.id
        UNION ALL
        SELECT s.id, s.franchiser_id, s.renew_on, CASE WHEN s.trial THEN 0 ELSE -grace - s.grace_extra END - 1
        FROM public.subscriptions s
        WHERE s.state = 'expired' AND s.expired_on BETWEEN today - 1 AND today
            AND s.paid_until = s.renew_on AND s.expired_on = s.renew_on + CASE WHEN s.trial THEN 0 ELSE grace + s.grace_extra END
    )
    SELECT soon.id, soon.franchiser_id, soon.renew_on, soon.days FROM soon
    WHERE NOT EXISTS (SELECT FROM public.renewal_reminders r
        WHERE r.subscription_id = soon.id AND r.renew_on = soon.renew_on AND r.days = soon.days)
        AND NOT public.renews_by_debit(soon.id, soon.renew_on, today) $$;

CREATE OR REPLACE FUNCTION renews_by_debit(subscription uuid, renews_on date, today date) RETURNS boolean
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT EXISTS (SELECT FROM public.debited_renewals r WHERE r.subscription_id = subscription
        AND (r.live_on = renews_on OR renews_on - 1 - today >= 5 AND r.by_mandate AND r.tried_on IS DISTINCT FROM renews_on)) $$;

CREATE FUNCTION expect_debit(franchiser uuid, subscription uuid, live date, tried date) RETURNS void
    LANGUAGE sql SET search_path = pg_catalog, public
    AS $$ INSERT INTO public.debited_renewals AS r (subscription_id, franchiser_id, live_on, tried_on) VALUES (subscription, franchiser, live, tried)
        ON CONFLICT (subscription_id) DO UPDATE SET live_on = excluded.live_on, tried_on = excluded.tried_on
        WHERE (r.live_on, r.tried_on) IS DISTINCT FROM (excluded.live_on, excluded.tried_on) $$;

CREATE OR REPLACE FUNCTION tell_of_debit() RETURNS trigger
    LANGUAGE plpgsql SET search_path = pg_catalog, public
    AS $$ BEGIN
        PERFORM public.expect_debit(NEW.franchiser_id, NEW.subscription_id,
            max(d.renew_on) FILTER (WHERE d.state IN ('planned', 'noticed', 'asked')), max(d.renew_on))
            FROM public.mandate_debits d WHERE d.subscription_id = NEW.subscription_id;
        RETURN NULL;
    END $$;
-- +goose StatementEnd
REVOKE ALL ON FUNCTION expect_debit(uuid, uuid, date, date) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION expect_debit(uuid, uuid, date, date) TO franchise360_api, franchise360_worker;
DROP FUNCTION expect_debit(uuid, uuid, date, date, boolean);
ALTER TABLE debited_renewals DROP COLUMN asked;
