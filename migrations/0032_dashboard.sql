-- Everything of a franchiser's dashboard in one round trip. The function runs with its caller's rights and sets the
-- franchiser itself, so that row-level security holds inside it as anywhere.

-- +goose Up
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
                'RenewOn', s.renew_on, 'PaidUntil', s.paid_until, 'Trial', s.trial,
                'ExpiredOn', coalesce(s.expired_on::text, '-'),
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
        'Franchises', (SELECT count(*) FROM franchises o WHERE o.franchiser_id = f AND o.removed_at IS NULL)
    ) INTO answer;
    RETURN answer;
END $$;
-- +goose StatementEnd
REVOKE ALL ON FUNCTION read_dashboard(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION read_dashboard(uuid) TO franchise360_api;

-- +goose Down
DROP FUNCTION read_dashboard(uuid);
