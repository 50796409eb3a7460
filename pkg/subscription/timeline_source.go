package subscription

import (
	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/timeline"
)

// TimelineSources returns what was ordered, the changes of the plan, and the reminders sent.
func TimelineSources() []timeline.Source {
	return []timeline.Source{
		{Name: "reminder", Kind: timeline.KindMessage, SQL: `
			SELECT created_at AS at, id::text AS id, 'Renewal reminder by SMS' AS title,
				CASE sms_state WHEN 'delivered' THEN 'delivered' WHEN 'undelivered' THEN 'not delivered' WHEN 'refused' THEN 'failed'
					ELSE CASE WHEN sent_at IS NULL THEN 'waiting' ELSE 'sent' END END AS status, '' AS reference, 'system' AS actor, NULL AS request,
				jsonb_build_object('renew_on', renew_on, 'days_before', days, 'sent_at', sent_at) || ` + message.DeliveryDetails + ` AS details
			FROM renewal_reminders m` + message.DeliveryJoin + ` WHERE franchiser_id = $1 AND m.sent_at IS NOT NULL`}, // by an earlier release
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
