-- What customers have when each month closes, by the month of their first paid term and what that was. $1 the first month, $2 the day up
-- to which the running month counts.
WITH spans AS MATERIALIZED (
    SELECT franchiser_id, kind, plan_id, state_code, starts_on, ends_on, monthly_paise FROM recurring_overview
), firsts AS MATERIALIZED (
    SELECT DISTINCT ON (franchiser_id) franchiser_id, plan_id, state_code, date_trunc('month', starts_on::timestamp)::date AS cohort
    FROM spans WHERE kind = 'plan' AND starts_on <= $2::date ORDER BY franchiser_id, starts_on
), months AS (
    SELECT m::date AS month, least((m + interval '1 month')::date - 1, $2::date) AS closes
    FROM generate_series($1::date::timestamp, date_trunc('month', $2::date::timestamp), interval '1 month') m
), held AS (
    SELECT f.cohort, m.month, f.plan_id, f.state_code, 0::bigint AS started,
        count(*) FILTER (WHERE s.kind = 'plan') AS customers, sum(s.monthly_paise) AS paise
    FROM months m JOIN spans s ON s.starts_on <= m.closes AND s.ends_on > m.closes JOIN firsts f USING (franchiser_id)
    GROUP BY 1, 2, 3, 4
    UNION ALL
    SELECT cohort, cohort, plan_id, state_code, count(*), 0, 0 FROM firsts WHERE cohort >= $1::date GROUP BY 1, 3, 4
)
INSERT INTO figure_cohorts (cohort, month, plan_id, state_code, started, customers, mrr_paise)
SELECT cohort, month, plan_id, state_code, sum(started), sum(customers), sum(paise) FROM held GROUP BY 1, 2, 3, 4
