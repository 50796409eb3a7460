-- What customers have when each month closes, by the month of their first paid term and what that was. $1 the first month, $2 the day up
-- to which the running month counts.
-- A customer's first term stands beside each of its rows: joined to them it would be looked for among all customers for each row, because
-- Postgres takes the rows of the view for few.
WITH spans AS MATERIALIZED (
    SELECT franchiser_id, kind, starts_on, ends_on, monthly_paise,
        row_number() OVER first_on AS place,
        first_value(kind = 'plan' AND starts_on <= $2::date) OVER first_on AS began,
        first_value(plan_id) OVER first_on AS plan_id,
        first_value(state_code) OVER first_on AS state_code,
        date_trunc('month', (first_value(starts_on) OVER first_on)::timestamp)::date AS cohort
    FROM recurring_overview
    WINDOW first_on AS (PARTITION BY franchiser_id ORDER BY kind = 'plan' AND starts_on <= $2::date DESC, starts_on)
), months AS (
    SELECT m::date AS month, least((m + interval '1 month')::date - 1, $2::date) AS closes
    FROM generate_series($1::date::timestamp, date_trunc('month', $2::date::timestamp), interval '1 month') m
), held AS (
    SELECT s.cohort, m.month, s.plan_id, s.state_code, 0::bigint AS started,
        count(*) FILTER (WHERE s.kind = 'plan') AS customers, sum(s.monthly_paise) AS paise
    FROM months m JOIN spans s ON s.starts_on <= m.closes AND s.ends_on > m.closes
    WHERE s.began
    GROUP BY 1, 2, 3, 4
    UNION ALL
    SELECT cohort, cohort, plan_id, state_code, count(*), 0, 0 FROM spans WHERE began AND place = 1 AND cohort >= $1::date GROUP BY 1, 3, 4
)
INSERT INTO figure_cohorts (cohort, month, plan_id, state_code, started, customers, mrr_paise)
SELECT cohort, month, plan_id, state_code, sum(started), sum(customers), sum(paise) FROM held GROUP BY 1, 2, 3, 4
