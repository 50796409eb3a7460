-- The reads of a buyer and of the dashboard stand beside their store, keyed by the names of columns, so that a new name in Go needs no
-- migration.

-- +goose Up
DROP FUNCTION read_buyer(uuid, date);
DROP FUNCTION read_dashboard(uuid);

-- +goose Down
-- +goose StatementBegin
CREATE FUNCTION read_buyer(who uuid, today date) RETURNS jsonb
    LANGUAGE plpgsql STABLE SET plan_cache_mode = force_generic_plan AS $$
BEGIN
    RETURN jsonb_build_object(
        'Person', (SELECT jsonb_build_object('FirstName', f.first_name, 'LastName', f.last_name, 'Email', f.email, 'Mobile', f.mobile,
            'StoreName', coalesce(t.store_name, ''))
            FROM franchisers f LEFT JOIN tenants t ON t.franchiser_id = f.id WHERE f.id = who AND f.erased_at IS NULL),
        'Subscription', (SELECT jsonb_build_object('ID', s.id, 'FranchiserID', s.franchiser_id, 'State', s.state, 'Revision', s.revision,
            'CatalogueRevision', s.catalogue_revision, 'PlanID', s.plan_id, 'ServiceID', s.service_id, 'Type', s.plan_type,
            'AnchorDay', s.anchor_day, 'StartsOn', s.starts_on, 'RenewOn', s.renew_on, 'PaidUntil', s.paid_until,
            'Trial', s.trial, 'GraceExtra', s.grace_extra, 'ExpiredOn', coalesce(s.expired_on::text, '-'), 'Revoked', s.revoked,
            'Next', CASE WHEN s.next_service_id IS NOT NULL THEN jsonb_build_object('ServiceID', s.next_service_id,
            'Type', s.next_plan_type, 'AddOnIDs', s.next_add_on_ids, 'OrderID', s.next_order_id) END)
            FROM subscriptions s WHERE s.franchiser_id = who),
        'AddOns', (SELECT jsonb_agg(jsonb_build_object('ID', a.id, 'AddOnID', a.add_on_id, 'Key', a.key, 'Name', a.name,
            'Limit', a.unit_limit, 'Term', a.term_paise, 'StartsOn', a.starts_on, 'PaidUntil', a.paid_until,
            'Renews', a.next_billing_cycle_status = 1) ORDER BY a.created_at, a.id)
            FROM subscription_add_ons a WHERE a.franchiser_id = who AND a.ended_on IS NULL),
        'Paid', (SELECT jsonb_agg(jsonb_build_object('Value', l.amount_paise - l.discount_paise, 'From', l.period_from, 'To', l.period_to))
            FROM order_lines l JOIN orders o ON o.franchiser_id = l.franchiser_id AND o.id = l.order_id
            WHERE l.franchiser_id = who AND l.period_to > today AND l.kind <> 'fee' AND o.state = 'paid' AND NOT o.credited),
        'Open', (SELECT jsonb_build_object('id', o.id, 'fingerprint', encode(o.fingerprint, 'hex'))
            FROM orders o WHERE o.franchiser_id = who AND o.state = 'open'),
        'Catalogue', (SELECT coalesce(max(revision), 0) FROM catalogue_revisions)
    );
END $$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE FUNCTION read_dashboard(f uuid) RETURNS jsonb
    LANGUAGE plpgsql AS $$
DECLARE
    answer jsonb;
BEGIN
    PERFORM set_config('app.franchiser_id', f::text, true);
    SELECT jsonb_build_object(
        'Subscription', (SELECT jsonb_build_object('ID', s.id, 'FranchiserID', s.franchiser_id, 'State', s.state,
                'Revision', s.revision, 'CatalogueRevision', s.catalogue_revision, 'PlanID', s.plan_id,
                'ServiceID', s.service_id, 'Type', s.plan_type, 'AnchorDay', s.anchor_day, 'StartsOn', s.starts_on,
                'RenewOn', s.renew_on, 'PaidUntil', s.paid_until, 'Trial', s.trial, 'GraceExtra', s.grace_extra,
                'ExpiredOn', coalesce(s.expired_on::text, '-'), 'Revoked', s.revoked,
                'Next', CASE WHEN s.next_service_id IS NOT NULL THEN jsonb_build_object('ServiceID', s.next_service_id,
                    'Type', s.next_plan_type, 'AddOnIDs', s.next_add_on_ids, 'OrderID', s.next_order_id) END)
            FROM subscriptions s WHERE s.franchiser_id = f),
        'AddOns', (SELECT jsonb_agg(jsonb_build_object('ID', a.id, 'AddOnID', a.add_on_id, 'Key', a.key, 'Name', a.name,
                'Limit', a.unit_limit, 'Term', a.term_paise, 'StartsOn', a.starts_on, 'PaidUntil', a.paid_until,
                'Renews', a.next_billing_cycle_status = 1) ORDER BY a.created_at, a.id)
            FROM subscription_add_ons a WHERE a.franchiser_id = f AND a.ended_on IS NULL),
        'Store', (SELECT jsonb_build_object('ID', t.id, 'FranchiserID', t.franchiser_id, 'StoreName', t.store_name,
                'TypeID', t.store_type_id::text, 'Username', t.store_username, 'Slug', t.slug)
            FROM tenants t WHERE t.franchiser_id = f AND t.closed_at IS NULL),
        'Custom', (SELECT jsonb_build_object('Domain', d.domain, 'Display', d.display, 'State', d.state)
            FROM custom_domains d WHERE d.franchiser_id = f),
        'Held', (SELECT jsonb_agg(jsonb_build_object('TransactionID', p.transaction_id, 'Captured', p.captured_paise) ORDER BY p.created_at, p.id)
            FROM payments p WHERE p.franchiser_id = f AND p.state = 'held' AND NOT p.surplus),
        'Franchises', (SELECT count(*) FROM franchises o WHERE o.franchiser_id = f AND o.removed_at IS NULL)
    ) INTO answer;
    RETURN answer;
END $$;
-- +goose StatementEnd
REVOKE ALL ON FUNCTION read_buyer(uuid, date) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION read_buyer(uuid, date) TO franchise360_api, franchise360_worker;
REVOKE ALL ON FUNCTION read_dashboard(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION read_dashboard(uuid) TO franchise360_api;
