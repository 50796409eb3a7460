-- Who tried the product is told when the trial has ended.

-- +goose Up
-- +goose StatementBegin
-- The reminders that are due today and were not noted yet. days are objects of plan_type, trial and days, which is how many days before
-- the last day of the term somebody is reminded, and below 0 in grace, whose first day is -1. One belongs to the nearest of its days that
-- has come, so that one that no sweep saw is not sent on top of the next. A paid plan is also reminded on the last day of its grace,
-- which lasts so many days and what staff added, most_extra at most, and once more when it expires; a trial, which has no grace, when it
-- expires. What expired the day before yesterday
-- or earlier, or by a refund, is left alone, and so is what a mandate is to debit.
CREATE OR REPLACE FUNCTION due_reminders(today date, days jsonb, grace int, most_extra int)
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
        SELECT s.id, s.franchiser_id, s.renew_on, CASE WHEN s.trial THEN 0 ELSE -grace - s.grace_extra END - 1
        FROM public.subscriptions s
        WHERE s.state = 'expired' AND s.expired_on BETWEEN today - 1 AND today
            AND s.paid_until = s.renew_on AND s.expired_on = s.renew_on + CASE WHEN s.trial THEN 0 ELSE grace + s.grace_extra END
    )
    SELECT soon.id, soon.franchiser_id, soon.renew_on, soon.days FROM soon
    WHERE NOT EXISTS (SELECT FROM public.renewal_reminders r
        WHERE r.subscription_id = soon.id AND r.renew_on = soon.renew_on AND r.days = soon.days)
        AND NOT public.renews_by_debit(soon.id, soon.renew_on, today) $$;
-- +goose StatementEnd

-- +goose Down
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION due_reminders(today date, days jsonb, grace int, most_extra int)
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
        WHERE r.subscription_id = soon.id AND r.renew_on = soon.renew_on AND r.days = soon.days)
        AND NOT public.renews_by_debit(soon.id, soon.renew_on, today) $$;
-- +goose StatementEnd
