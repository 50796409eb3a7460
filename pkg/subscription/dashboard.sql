-- Everything of a franchiser's dashboard in one round trip and a transaction of its own: $1 is the franchiser. Keys are the names of
-- columns. The franchiser is set before anything is read, because each part depends on the row that sets it: row-level security holds
-- here as anywhere, and if the order were another, nothing would be found.
WITH me AS MATERIALIZED (SELECT set_config('app.franchiser_id', $1, true)::uuid AS id)
SELECT jsonb_build_object(
    'subscription', (SELECT to_jsonb(s) FROM subscriptions s WHERE s.franchiser_id = me.id),
    'add_ons', (
        SELECT jsonb_agg(to_jsonb(a) ORDER BY a.created_at, a.id) FROM subscription_add_ons a
        WHERE a.franchiser_id = me.id AND a.ended_on IS NULL),
    'store', (SELECT to_jsonb(t) FROM store_overview t WHERE t.franchiser_id = me.id AND t.closed_at IS NULL),
    'custom_domain', (SELECT to_jsonb(d) FROM domain_overview d WHERE d.franchiser_id = me.id),
    'held_payments', (
        SELECT jsonb_agg(jsonb_build_object('transaction_id', p.transaction_id, 'captured_paise', p.captured_paise)
            ORDER BY p.created_at, p.id)
        FROM payment_overview p WHERE p.franchiser_id = me.id AND p.state = 'held' AND NOT p.surplus),
    'confirming_payments', (
        SELECT jsonb_agg(jsonb_build_object('transaction_id', p.transaction_id, 'amount_paise', p.amount_paise)
            ORDER BY p.created_at, p.id)
        FROM payment_overview p JOIN orders o ON o.franchiser_id = p.franchiser_id AND o.id = p.order_id
        WHERE p.franchiser_id = me.id AND p.state = 'pending' AND o.state = 'open'),
    'franchises', (SELECT count(*) FROM franchise_overview o WHERE o.franchiser_id = me.id))
FROM me
