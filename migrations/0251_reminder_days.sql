-- +goose Up
-- The days of the reminders are declared in Go (pkg/subscription/reminder_day.go), which hands them over. Nothing is released yet that still
-- asks by the day alone.
DROP FUNCTION count_due_reminders(timestamptz), due_reminders(date);

-- +goose StatementBegin
-- The reminders that are due today and were not noted yet. days are objects of plan_type, trial and days, which is how many days before
-- the last day of the term somebody is reminded, and below 0 in grace, whose first day is -1. One belongs to the nearest of its days that
-- has come, so that one that no sweep saw is not sent on top of the next. A paid plan is also reminded on the last day of its grace,
-- which lasts so many days and what staff added, most_extra at most, and once more when it expires. What expired the day before yesterday
-- or earlier, or by a refund, is left alone.
CREATE FUNCTION due_reminders(today date, days jsonb, grace int, most_extra int)
    RETURNS TABLE (subscription_id uuid, franchiser_id uuid, renew_on date, days_before int)
    LANGUAGE sql STABLE AS $$
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
        SELECT s.id, s.franchiser_id, s.renew_on, -grace - s.grace_extra - 1
        FROM public.subscriptions s
        WHERE s.state = 'expired' AND s.expired_on BETWEEN today - 1 AND today AND NOT s.trial
            AND s.paid_until = s.renew_on AND s.expired_on = s.renew_on + grace + s.grace_extra
    )
    SELECT soon.id, soon.franchiser_id, soon.renew_on, soon.days FROM soon
    WHERE NOT EXISTS (SELECT FROM public.renewal_reminders r
        WHERE r.subscription_id = soon.id AND r.renew_on = soon.renew_on AND r.days = soon.days) $$;

CREATE FUNCTION count_due_reminders(at timestamptz, days jsonb, grace int, most_extra int) RETURNS bigint
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT count(*) FROM (SELECT FROM public.due_reminders(public.day_in_india(at), days, grace, most_extra) LIMIT 10001) x $$;
-- +goose StatementEnd
ALTER FUNCTION count_due_reminders(timestamptz, jsonb, int, int) OWNER TO franchise360_lookup;
REVOKE ALL ON FUNCTION count_due_reminders(timestamptz, jsonb, int, int) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION count_due_reminders(timestamptz, jsonb, int, int) TO franchise360_api;

-- +goose Down
DROP FUNCTION count_due_reminders(timestamptz, jsonb, int, int), due_reminders(date, jsonb, int, int);
-- +goose StatementBegin
-- The reminders that are due today and were not noted yet. One belongs to the nearest of its days that has come, so that one that no
-- sweep saw is not sent on top of the next: yearly plans 30, 15, 7, 3 and 1 days before the last day and on it, monthly ones from 7
-- days on, trials 3 and 1. Below 0 a paid plan is in grace: it is reminded on the first day, the fourth and the last one, which staff
-- may have put off, and once more when it expires. What expired the day before yesterday or earlier, or by a refund, is left alone.
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

CREATE FUNCTION count_due_reminders(at timestamptz) RETURNS bigint
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT count(*) FROM (SELECT FROM public.due_reminders(public.day_in_india(at)) LIMIT 10001) x $$;
-- +goose StatementEnd
ALTER FUNCTION count_due_reminders(timestamptz) OWNER TO franchise360_lookup;
REVOKE ALL ON FUNCTION count_due_reminders(timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION count_due_reminders(timestamptz) TO franchise360_api;
