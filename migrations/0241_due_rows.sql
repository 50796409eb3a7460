-- What a sweep takes and what the preview of its job counts is one condition: a function of the domain that owns the rows, called by
-- the sweep and by the function that counts for the preview. Postgres puts the condition into the query, so that its index serves.

-- +goose Up
CREATE FUNCTION subscription_is_due(due_on date, today date) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN due_on <= today;
CREATE FUNCTION add_on_is_over(ended_on date, next_billing_cycle_status smallint, paid_until date, today date) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN ended_on IS NULL AND next_billing_cycle_status = 0 AND paid_until <= today;
CREATE FUNCTION payment_check_is_late(next_check_at timestamptz, before timestamptz) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN next_check_at < before;
CREATE FUNCTION domain_check_is_due(next_check_at timestamptz, at timestamptz) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN next_check_at <= at;
CREATE FUNCTION erasure_is_due(requested_at timestamptz, erased_at timestamptz, before timestamptz) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN requested_at <= before AND erased_at IS NULL;

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

CREATE FUNCTION day_in_india(at timestamptz) RETURNS date
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN (at AT TIME ZONE 'Asia/Kolkata')::date;

-- How many rows a sweep would take at that moment, counted up to 10,001: a number and nothing else leaves the rows of others.
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
CREATE FUNCTION count_late_payment_checks(at timestamptz) RETURNS bigint
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT count(*) FROM (SELECT FROM public.payments p WHERE public.payment_check_is_late(p.next_check_at, at) LIMIT 10001) x $$;
CREATE FUNCTION count_due_domain_checks(at timestamptz) RETURNS bigint
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT count(*) FROM (SELECT FROM public.custom_domains d WHERE public.domain_check_is_due(d.next_check_at, at) LIMIT 10001) x $$;
CREATE FUNCTION count_due_erasures(at timestamptz) RETURNS bigint
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT count(*) FROM (SELECT FROM public.franchisers f
        WHERE public.erasure_is_due(f.erasure_requested_at, f.erased_at, at) LIMIT 10001) x $$;

DO $$
DECLARE name text;
BEGIN
    FOREACH name IN ARRAY ARRAY['count_due_subscriptions', 'count_over_add_ons', 'count_due_reminders', 'count_late_payment_checks',
        'count_due_domain_checks', 'count_due_erasures'] LOOP
        EXECUTE format('ALTER FUNCTION %I(timestamptz) OWNER TO franchise360_lookup', name);
        EXECUTE format('REVOKE ALL ON FUNCTION %I(timestamptz) FROM PUBLIC', name);
        EXECUTE format('GRANT EXECUTE ON FUNCTION %I(timestamptz) TO franchise360_api', name);
    END LOOP;
END $$;
-- +goose StatementEnd
CREATE POLICY lookup_due ON renewal_reminders FOR SELECT TO franchise360_lookup USING (true);
GRANT SELECT (subscription_id, renew_on, days) ON renewal_reminders TO franchise360_lookup;
GRANT SELECT (id, franchiser_id, plan_type, trial, grace_extra, expired_on) ON subscriptions TO franchise360_lookup;
DROP FUNCTION support_due(text, timestamptz);

-- +goose Down
-- +goose StatementBegin
CREATE FUNCTION support_due(sweep text, at timestamptz) RETURNS bigint
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$
DECLARE
    today date := (at AT TIME ZONE 'Asia/Kolkata')::date;
    n     bigint;
BEGIN
    CASE sweep
    WHEN 'expire_subscriptions' THEN
        SELECT count(*) INTO n FROM (SELECT FROM public.subscriptions WHERE due_on <= today LIMIT 10001) x;
    WHEN 'apply_add_on_changes' THEN
        SELECT count(*) INTO n FROM (SELECT FROM public.subscription_add_ons
            WHERE ended_on IS NULL AND next_billing_cycle_status = 0 AND paid_until <= today LIMIT 10001) x;
    WHEN 'remind_renewals' THEN
        SELECT count(*) INTO n FROM (SELECT FROM public.subscriptions s WHERE s.renew_on BETWEEN today AND today + 30
            AND s.paid_until = s.renew_on AND s.state IN ('trialing', 'active', 'grace') LIMIT 10001) x;
    WHEN 'sweep_payments' THEN
        SELECT count(*) INTO n FROM (SELECT FROM public.payments WHERE next_check_at < at LIMIT 10001) x;
    WHEN 'sweep_domains' THEN
        SELECT count(*) INTO n FROM (SELECT FROM public.custom_domains WHERE next_check_at <= at LIMIT 10001) x;
    WHEN 'erase_accounts' THEN
        SELECT count(*) INTO n FROM (SELECT FROM public.franchisers
            WHERE erasure_requested_at <= at AND erased_at IS NULL LIMIT 10001) x;
    END CASE;
    RETURN n;
END $$;
-- +goose StatementEnd
ALTER FUNCTION support_due(text, timestamptz) OWNER TO franchise360_lookup;
REVOKE ALL ON FUNCTION support_due(text, timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION support_due(text, timestamptz) TO franchise360_api;
DROP FUNCTION count_due_subscriptions(timestamptz), count_over_add_ons(timestamptz), count_due_reminders(timestamptz),
    count_late_payment_checks(timestamptz), count_due_domain_checks(timestamptz), count_due_erasures(timestamptz);
DROP FUNCTION due_reminders(date);
DROP FUNCTION subscription_is_due(date, date), add_on_is_over(date, smallint, date, date),
    payment_check_is_late(timestamptz, timestamptz), domain_check_is_due(timestamptz, timestamptz),
    erasure_is_due(timestamptz, timestamptz, timestamptz), day_in_india(timestamptz);
REVOKE SELECT (id, franchiser_id, plan_type, trial, grace_extra, expired_on) ON subscriptions FROM franchise360_lookup;
REVOKE SELECT (subscription_id, renew_on, days) ON renewal_reminders FROM franchise360_lookup;
DROP POLICY lookup_due ON renewal_reminders;
