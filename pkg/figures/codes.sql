-- The codes that were asked for, by day, from day $1 to $2. What the provider says is its word if it delivered, otherwise the last.
CREATE TEMPORARY TABLE counted_codes ON COMMIT DROP AS
SELECT day_in_india(c.created_at) AS day, c.purpose, coalesce(d.provider, '') AS provider, count(*) AS asked, count(c.sent_at) AS sent,
    count(*) FILTER (WHERE d.state IN ('delivered', 'read')) AS delivered,
    count(*) FILTER (WHERE d.state IN ('undelivered', 'refused') OR c.sent_at IS NULL AND c.send_error IS NOT NULL
        AND coalesce(d.state, '') NOT IN ('delivered', 'read')) AS failed,
    count(c.used_at) AS used
FROM code_overview c LEFT JOIN LATERAL (SELECT provider, state FROM delivery_overview WHERE message_ref = c.id
    ORDER BY state IN ('delivered', 'read') DESC, tried_at DESC LIMIT 1) d ON true
WHERE day_in_india(c.created_at) BETWEEN $1::date AND $2::date GROUP BY 1, 2, 3
