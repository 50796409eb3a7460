-- The cohorts of each month together are all customers of the month, and as many began as had their first paid term in it.
-- $1 the day up to which the running month counts, $2 the most findings.
WITH kept AS (
    SELECT month, sum(started) AS started, sum(customers) AS customers, sum(mrr_paise) AS paise FROM figure_cohorts GROUP BY month
), closed AS (
    SELECT month, sum(closing_customers) AS customers, sum(closing_paise) AS paise FROM figure_months GROUP BY month
), began AS (
    SELECT date_trunc('month', first_on::timestamp)::date AS month, count(*) AS started
    FROM (SELECT min(starts_on) AS first_on FROM recurring_overview WHERE kind = 'plan' GROUP BY franchiser_id) f WHERE first_on <= $1::date GROUP BY 1
), compared AS (
    SELECT month, coalesce(k.customers, 0) AS k_customers, coalesce(k.paise, 0) AS k_paise, coalesce(k.started, 0) AS k_started,
        coalesce(c.customers, 0) AS c_customers, coalesce(c.paise, 0) AS c_paise, coalesce(b.started, 0) AS b_started
    FROM kept k FULL JOIN closed c USING (month) FULL JOIN began b USING (month)
)
SELECT to_char(month, 'YYYY-MM') || ' cohorts' AS subject,
    format('%s began, and close with %s paise of %s customers; the rows say %s, and %s of %s', k_started, k_paise, k_customers, b_started, c_paise,
        c_customers) AS detail
FROM compared WHERE (k_started, k_customers, k_paise) IS DISTINCT FROM (b_started, c_customers, c_paise) ORDER BY month LIMIT $2
