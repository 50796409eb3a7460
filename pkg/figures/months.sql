-- Each customer's recurring revenue on the last day of the month before and on the last of the month, or on day $2 in the running one,
-- and the movement between them. $1 the first month.
WITH spans AS MATERIALIZED (
    SELECT franchiser_id, kind, plan_id, plan_type, state_code, starts_on, ends_on, monthly_paise,
        min(starts_on) OVER (PARTITION BY franchiser_id) AS first_on
    FROM recurring_overview
), months AS (
    SELECT m::date AS month, m::date - 1 AS opens, least((m + interval '1 month')::date - 1, $2::date) AS closes
    FROM generate_series($1::date::timestamp, date_trunc('month', $2::date::timestamp), interval '1 month') m
), held AS (
    SELECT m.month, s.first_on <= m.opens AS known,
        coalesce(sum(s.monthly_paise) FILTER (WHERE s.starts_on <= m.opens), 0)::bigint AS before,
        coalesce(sum(s.monthly_paise) FILTER (WHERE s.ends_on > m.closes), 0)::bigint AS after,
        max(concat_ws('|', s.plan_id, s.plan_type, s.state_code)) FILTER (WHERE s.starts_on <= m.opens AND s.kind = 'plan') AS key_before,
        max(concat_ws('|', s.plan_id, s.plan_type, s.state_code)) FILTER (WHERE s.ends_on > m.closes AND s.kind = 'plan') AS key_after
    FROM months m JOIN spans s ON s.starts_on <= m.closes AND s.ends_on > m.opens
    WHERE s.starts_on <= m.opens OR s.ends_on > m.closes
    GROUP BY m.month, m.opens, s.franchiser_id, s.first_on
), parts AS (
    SELECT month, key_before AS key, before AS opening, 0::bigint AS new, 0::bigint AS more, 0::bigint AS again, 0::bigint AS moved_in,
        CASE WHEN key_after IS NULL THEN before ELSE 0 END AS lost,
        CASE WHEN key_after <> key_before THEN before ELSE 0 END AS moved_out,
        0::bigint AS less, 0::bigint AS closing,
        1 AS n_opening, 0 AS n_new, 0 AS n_again, 0 AS n_moved_in, (key_after IS NULL)::int AS n_lost,
        coalesce(key_after <> key_before, false)::int AS n_moved_out, 0 AS n_closing
    FROM held WHERE key_before IS NOT NULL
    UNION ALL
    SELECT month, key_after, 0,
        CASE WHEN key_before IS NULL AND NOT known THEN after ELSE 0 END,
        CASE WHEN key_before IS NOT NULL THEN greatest(after - before, 0) ELSE 0 END,
        CASE WHEN key_before IS NULL AND known THEN after ELSE 0 END,
        CASE WHEN key_before <> key_after THEN before ELSE 0 END,
        0, 0,
        CASE WHEN key_before IS NOT NULL THEN greatest(before - after, 0) ELSE 0 END,
        after,
        0, (key_before IS NULL AND NOT known)::int, (key_before IS NULL AND known)::int,
        coalesce(key_before <> key_after, false)::int, 0, 0, 1
    FROM held WHERE key_after IS NOT NULL
)
INSERT INTO figure_months (month, plan_id, plan_type, state_code, opening_paise, new_paise, expansion_paise, reactivation_paise, moved_in_paise,
    contraction_paise, churn_paise, moved_out_paise, closing_paise, opening_customers, new_customers, reactivated_customers,
    moved_in_customers, churned_customers, moved_out_customers, closing_customers)
SELECT month, split_part(key, '|', 1)::uuid, split_part(key, '|', 2), split_part(key, '|', 3), sum(opening), sum(new), sum(more), sum(again),
    sum(moved_in), sum(less), sum(lost), sum(moved_out), sum(closing), sum(n_opening), sum(n_new), sum(n_again), sum(n_moved_in), sum(n_lost),
    sum(n_moved_out), sum(n_closing)
FROM parts GROUP BY month, key
