package outlet

import "github.com/franchise360/franchise360/pkg/timeline"

// TimelineSources describe what happened to the customer's outlets.
func TimelineSources() []timeline.Source {
	return []timeline.Source{{Name: "outlet", Kind: timeline.KindAccount, SQL: `
		SELECT at, id::text AS id, 'Outlet ' || CASE kind WHEN 'moved' THEN 'status changed' ELSE replace(kind, '_', ' ') END AS title, coalesce(details ->> 'to', details ->> 'state', '') AS status,
			coalesce(outlet_id::text, '') AS reference, CASE actor WHEN 'owner' THEN 'customer' ELSE actor END AS actor,
			request_id::text AS request, details || jsonb_build_object('outlet_id', outlet_id) AS details
		FROM outlet_events WHERE franchiser_id = $1`}}
}
