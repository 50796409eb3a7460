package subscription

// CustomerSQL is for other domains' statements: the plan of franchiser $1, in one row. Its columns are state ("no plan" if there never
// was a plan, "ended_by_refund" for an expired plan that a refund ended), plan, plan_type, renew_on (a day in India, NULL without a plan) and add_ons, the names of those in force.
const CustomerSQL = `
SELECT CASE WHEN s.state = 'expired' AND s.revoked THEN 'ended_by_refund' ELSE coalesce(s.state, 'no plan') END AS state,
    coalesce(o.plan_name || ' · ' || o.service_name, '') AS plan,
    coalesce(s.plan_type, '') AS plan_type, to_char(s.paid_until, 'YYYY-MM-DD') AS renew_on,
    ARRAY(SELECT a.name FROM subscription_add_ons a WHERE a.franchiser_id = f.id AND a.ended_on IS NULL ORDER BY a.created_at, a.id) AS add_ons
FROM (VALUES ($1::uuid)) f (id)
LEFT JOIN subscriptions s ON s.franchiser_id = f.id
LEFT JOIN LATERAL (SELECT o.plan_name, o.service_name FROM orders o WHERE o.franchiser_id = f.id AND o.service_id = s.service_id
    ORDER BY o.created_at DESC LIMIT 1) o ON true`
