-- The payments that failed, by the month of the first failure. Further failures within $2 days of the one before, with nothing paid
-- between, belong to it. It is recovered if the customer paid anything within $2 days, and undecided until then. $1 the day up to which is
-- counted.
CREATE TEMPORARY TABLE counted_failures ON COMMIT DROP AS
WITH attempts AS (
    SELECT franchiser_id, id, order_id, created_at AS at, true AS failed, amount_paise, by_mandate FROM attempt_overview WHERE state = 'failed'
    UNION ALL
    SELECT franchiser_id, id, order_id, coalesce(decided_at, created_at), false, amount_paise, by_mandate
    FROM attempt_overview WHERE state IN ('paid', 'refunded') AND NOT surplus
), told AS (
    SELECT *, lag(failed) OVER told AS after_failure, lag(at) OVER told AS last_at,
        min(at) FILTER (WHERE NOT failed) OVER (PARTITION BY franchiser_id ORDER BY at, failed DESC, id
            ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING) AS paid_at
    FROM attempts WINDOW told AS (PARTITION BY franchiser_id ORDER BY at, failed DESC, id)
), cases AS (
    SELECT t.*, paid_at < at + make_interval(days => $2::int) AS recovered, day_in_india(at) AS day
    FROM told t WHERE failed AND (after_failure IS NOT TRUE OR last_at < at - make_interval(days => $2::int))
)
SELECT date_trunc('month', c.day::timestamp)::date AS month, o.plan_id, o.plan_type, o.state_code, c.by_mandate, count(*) AS failed,
    count(*) FILTER (WHERE c.recovered) AS recovered,
    count(*) FILTER (WHERE c.recovered IS NOT TRUE AND c.day + $2::int >= $1::date) AS undecided,
    sum(c.amount_paise)::bigint AS failed_paise,
    coalesce(sum(c.amount_paise) FILTER (WHERE c.recovered), 0)::bigint AS recovered_paise,
    coalesce(sum(c.amount_paise) FILTER (WHERE c.recovered IS NOT TRUE AND c.day + $2::int >= $1::date), 0)::bigint AS undecided_paise
FROM cases c JOIN order_place_overview o ON o.franchiser_id = c.franchiser_id AND o.order_id = c.order_id
WHERE c.day <= $1::date GROUP BY 1, 2, 3, 4, 5
