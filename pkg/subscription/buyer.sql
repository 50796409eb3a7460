-- Everything about a buyer on a day, and what is sold now, in one round trip: $1 is the franchiser, whom the caller has set, and $2 the
-- day. What is paid and not yet used is what an upgrade credits. Keys are the names of columns.
SELECT jsonb_build_object(
    'person', (
        SELECT jsonb_build_object('first_name', f.first_name, 'last_name', f.last_name, 'email', f.email, 'mobile', f.mobile,
            'store_name', coalesce(t.store_name, ''), 'document_language', l.document_language, 'language', l.language)
        FROM person_overview f JOIN language_overview l ON l.franchiser_id = f.franchiser_id LEFT JOIN store_overview t ON t.franchiser_id = f.franchiser_id
        WHERE f.franchiser_id = $1 AND f.erased_at IS NULL),
    'subscription', (SELECT to_jsonb(s) FROM subscriptions s WHERE s.franchiser_id = $1),
    'add_ons', (
        SELECT jsonb_agg(to_jsonb(a) ORDER BY a.created_at, a.id) FROM subscription_add_ons a
        WHERE a.franchiser_id = $1 AND a.ended_on IS NULL),
    'paid', (
        SELECT jsonb_agg(jsonb_build_object('amount_paise', l.amount_paise - l.discount_paise, 'period_from', l.period_from,
            'period_to', l.period_to))
        FROM order_lines l JOIN orders o ON o.franchiser_id = l.franchiser_id AND o.id = l.order_id
        WHERE l.franchiser_id = $1 AND l.period_to > $2::date AND l.kind <> 'fee' AND NOT l.once AND o.state = 'paid' AND NOT o.credited),
    'open_order', (
        SELECT jsonb_build_object('id', o.id, 'fingerprint', encode(o.fingerprint, 'hex'))
        FROM orders o WHERE o.franchiser_id = $1 AND o.state = 'open'),
    'catalogue_revision', (SELECT revision FROM catalogue_overview))
