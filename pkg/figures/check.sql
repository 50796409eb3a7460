-- What is kept at the end of each month against what began less what ended up to then, and against what the next month opens with.
-- $1 the day up to which the running month counts, $2 the most findings.
WITH edges AS (
    SELECT plan_id, plan_type, state_code, starts_on AS day, monthly_paise AS paise, (kind = 'plan')::int AS customers FROM recurring_overview
    UNION ALL
    SELECT plan_id, plan_type, state_code, ends_on, -monthly_paise, -(kind = 'plan')::int FROM recurring_overview
), monthly AS (
    SELECT plan_id, plan_type, state_code, date_trunc('month', day::timestamp)::date AS month, sum(paise) AS paise, sum(customers) AS customers
    FROM edges WHERE day <= $1::date GROUP BY 1, 2, 3, 4
), months AS (
    SELECT m::date AS month FROM generate_series(
        (SELECT date_trunc('month', least((SELECT min(month) FROM monthly), (SELECT min(month) FROM figure_months), $1::date)::timestamp)),
        date_trunc('month', $1::date::timestamp), interval '1 month') m
), counted AS (
    SELECT k.plan_id, k.plan_type, k.state_code, m.month,
        sum(coalesce(d.paise, 0)) OVER w AS paise, sum(coalesce(d.customers, 0)) OVER w AS customers
    FROM (SELECT DISTINCT plan_id, plan_type, state_code FROM monthly) k CROSS JOIN months m
        LEFT JOIN monthly d ON (d.plan_id, d.plan_type, d.state_code, d.month) = (k.plan_id, k.plan_type, k.state_code, m.month)
    WINDOW w AS (PARTITION BY k.plan_id, k.plan_type, k.state_code ORDER BY m.month)
), compared AS (
    SELECT month, plan_id, plan_type, state_code, 'closes with' AS what, coalesce(f.closing_paise, 0) AS kept, coalesce(c.paise, 0) AS counted,
        coalesce(f.closing_customers, 0) AS kept_customers, coalesce(c.customers, 0) AS counted_customers
    FROM counted c FULL JOIN figure_months f USING (month, plan_id, plan_type, state_code)
    UNION ALL
    SELECT month, plan_id, plan_type, state_code, 'opens with', coalesce(f.opening_paise, 0), coalesce(p.paise, 0),
        coalesce(f.opening_customers, 0), coalesce(p.customers, 0)
    FROM (SELECT c.plan_id, c.plan_type, c.state_code, (c.month + interval '1 month')::date AS month, c.paise, c.customers FROM counted c
            WHERE c.month < date_trunc('month', $1::date::timestamp)) p
        FULL JOIN figure_months f USING (month, plan_id, plan_type, state_code)
)
SELECT format('%s %s %s %s', to_char(month, 'YYYY-MM'), plan_id, plan_type, state_code) AS subject,
    format('%s %s paise of %s customers, the rows say %s of %s', what, kept, kept_customers, counted, counted_customers) AS detail
FROM compared WHERE (kept, kept_customers) IS DISTINCT FROM (counted, counted_customers)
ORDER BY month, plan_id, plan_type, state_code, what LIMIT $2
