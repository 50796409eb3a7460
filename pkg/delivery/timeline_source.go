package delivery

import "github.com/franchise360/franchise360/pkg/timeline"

// TimelineSources describe the history of the customer's deliveries. They omit rows that an order began or ended, because the timeline shows the order.
func TimelineSources() []timeline.Source {
	return []timeline.Source{{Name: "delivery", Kind: timeline.KindSubscription, SQL: `
		SELECT e.at, e.id::text AS id, d.name || CASE e.kind WHEN 'begun' THEN ' is to be delivered' WHEN 'assigned' THEN ' has a responsible colleague'
				WHEN 'noted' THEN ' has a note' WHEN 'ended' THEN ' is no longer delivered' WHEN 'late' THEN ' is late' WHEN 'checked' THEN ': checklist changed'
				WHEN 'provided' THEN ' has what it needs' WHEN 'reminded' THEN ': customer reminded' ELSE ': delivery changed' END AS title,
			replace(e.to_state, '_', ' ') AS status, e.delivery_id::text AS reference,
			CASE e.actor WHEN 'product' THEN 'system' ELSE e.actor END AS actor, e.request_id::text AS request,
			jsonb_build_object('delivery_id', e.delivery_id, 'note', e.note) AS details
		FROM delivery_events e JOIN deliveries d ON d.franchiser_id = e.franchiser_id AND d.id = e.delivery_id WHERE e.franchiser_id = $1
			AND NOT (e.actor = 'product' AND e.kind IN ('begun', 'ended'))`}}
}
