-- What the product knows of a paid plan's present or last term, in one round trip: $1 is the franchiser, $2 today. No row without such a
-- term; a figure is NULL if the product does not know it. The franchiser is set before anything is read, as in dashboard.sql. The
-- caller fills in the figures of connected systems, for the term t.
WITH me AS MATERIALIZED (SELECT set_config('app.franchiser_id', $1, true)::uuid AS id),
term AS MATERIALIZED (
    SELECT s.franchiser_id, s.starts_on, least(s.renew_on - 1, $2::date) AS until,
        s.starts_on::timestamp AT TIME ZONE 'Asia/Kolkata' AS begins,
        (least(s.renew_on - 1, $2::date) + 1)::timestamp AT TIME ZONE 'Asia/Kolkata' AS ends
    FROM me JOIN subscriptions s ON s.franchiser_id = me.id
    WHERE NOT s.trial AND NOT (s.revoked AND s.expired_on IS NOT NULL) AND s.starts_on <= $2::date),
store AS (SELECT o.franchiser_id FROM store_overview o JOIN term t ON t.franchiser_id = o.franchiser_id WHERE o.closed_at IS NULL),
checked AS (
    SELECT d.display, g.day::date AS day, bool_and(c.state = 'active') AS worked
    FROM term t
    JOIN domain_overview d ON d.franchiser_id = t.franchiser_id
    JOIN domain_check_overview c ON c.franchiser_id = d.franchiser_id AND c.domain = d.domain AND c.first_at < t.ends AND c.last_at >= t.begins
    CROSS JOIN LATERAL generate_series(greatest(day_in_india(c.first_at), t.starts_on)::timestamp,
        least(day_in_india(c.last_at), t.until)::timestamp, interval '1 day') AS g (day)
    GROUP BY d.display, g.day)
SELECT jsonb_build_object(
    'starts_on', t.starts_on,
    'until', t.until,
    'outlets_opened', CASE WHEN EXISTS (SELECT FROM store) THEN (
        SELECT count(DISTINCT e.outlet_id) FROM outlet_event_overview e
        WHERE e.franchiser_id = t.franchiser_id AND e.at >= t.begins AND e.at < t.ends AND e.opened) END,
    'partners_joined', CASE WHEN EXISTS (SELECT FROM store) THEN (
        SELECT count(*) FROM partner_overview p
        WHERE p.franchiser_id = t.franchiser_id AND p.accepted_at >= t.begins AND p.accepted_at < t.ends) END,
    'partner_sign_ins', CASE WHEN EXISTS (SELECT FROM partner_overview p WHERE p.franchiser_id = t.franchiser_id) THEN (
        SELECT count(*) FROM outlet_event_overview e
        WHERE e.franchiser_id = t.franchiser_id AND e.at >= t.begins AND e.at < t.ends AND e.signed_in) END,
    'domain', (
        SELECT jsonb_build_object('name', min(c.display), 'from', min(c.day), 'until', max(c.day), 'worked', count(*) FILTER (WHERE c.worked),
            'days', count(*))
        FROM checked c WHERE c.day >= (SELECT min(w.day) FROM checked w WHERE w.worked) HAVING count(*) > 0),
    'invoices', (
        SELECT count(*) FROM document_overview i
        WHERE i.franchiser_id = t.franchiser_id AND i.kind = 'invoice' AND i.issued_at >= t.begins AND i.issued_at < t.ends),
    'requests_answered', (
        SELECT count(*) FROM contact_answer_overview a
        WHERE a.franchiser_id = t.franchiser_id AND a.answered_at >= t.begins AND a.answered_at < t.ends),
    'reported', (%s))
FROM term t
