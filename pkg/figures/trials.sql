-- The trials by the month in which they started. A trial is converted if its customer bought a plan within $2 days of its start, and
-- undecided until then. $1 the day up to which is counted.
CREATE TEMPORARY TABLE counted_trials ON COMMIT DROP AS
SELECT date_trunc('month', starts_on::timestamp)::date AS month, count(*) AS started,
    count(*) FILTER (WHERE bought_on < starts_on + $2::int) AS converted,
    count(*) FILTER (WHERE (bought_on < starts_on + $2::int) IS NOT TRUE AND starts_on + $2::int > $1::date) AS undecided
FROM trial_overview WHERE starts_on <= $1::date GROUP BY 1
