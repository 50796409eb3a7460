package subscription

import (
	"github.com/franchise360/franchise360/pkg/timeline"
)

// TimelineSources returns the orders and the changes of the plan.
func TimelineSources() []timeline.Source {
	return []timeline.Source{
		{Name: "order", Kind: timeline.KindOrder, SQL: `
			SELECT created_at AS at, id::text AS id, 'Order, ' || replace(kind, '_', '-') || ': ' || plan_name || ' · ' || service_name AS title,
				state AS status, id::text AS reference, CASE WHEN by_staff THEN 'staff' ELSE 'customer' END AS actor, request_id::text AS request, jsonb_build_object('kind', kind, 'plan_type', plan_type, 'total_paise', total_paise,
					'add_ons', add_on_names, 'effective_on', effective_on, 'renew_on', renew_on, 'paid_at', paid_at) AS details
			FROM orders WHERE franchiser_id = $1`},
		{Name: "subscription", Kind: timeline.KindSubscription, SQL: `
			SELECT at, id::text AS id, 'Plan: ' || replace(kind, '_', ' ') AS title, to_state AS status,
				coalesce(order_id::text, '') AS reference, CASE WHEN (SELECT o.by_staff FROM orders o WHERE o.franchiser_id = e.franchiser_id AND o.id = e.order_id AND e.kind IN ('switch', 'change_scheduled')) THEN 'staff'
					WHEN kind IN ('trial', 'change_scheduled', 'change_called_off', 'add_on_cancelled', 'add_on_reactivated') THEN 'customer'
					WHEN kind = 'grace_extended' THEN 'staff' ELSE 'system' END AS actor, request_id::text AS request, jsonb_build_object('from', from_state, 'to', to_state) AS details
			FROM subscription_events e WHERE franchiser_id = $1`},
	}
}

// OrderTitleSQL is an expression for another domain's statement: the title of the franchiser's order, as shown to staff.
func OrderTitleSQL(franchiser, order string) string {
	return `(SELECT o.plan_name || ' · ' || o.service_name FROM orders o WHERE o.franchiser_id = ` + franchiser + ` AND o.id = ` + order + `)`
}
