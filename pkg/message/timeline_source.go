package message

import "github.com/franchise360/franchise360/pkg/timeline"

// TimelineSources tell what staff sent. The invoices' owner gives the expression for the number of a franchiser's document.
func TimelineSources(numberSQL func(franchiser, document string) string) []timeline.Source {
	number := numberSQL("m.franchiser_ref", "m.invoice_id")
	return []timeline.Source{
		{Name: "message", Kind: timeline.KindMessage, SQL: `
			SELECT m.created_at AS at, m.id::text AS id, CASE m.kind WHEN 'invoice_link' THEN 'Invoice by SMS: ' || ` + number + `
				ELSE 'Consent code by SMS' END AS title,
				` + DeliveryStatus + ` AS status,
				coalesce(` + number + `, '') AS reference, 'staff' AS actor, m.request_id::text AS request,
				jsonb_build_object('sent_at', m.sent_at, 'expires_at', m.expires_at, 'error', m.send_error) || ` + DeliveryDetails + ` AS details
			FROM support_messages m` + DeliveryJoin + ` WHERE m.franchiser_ref = $1`},
	}
}
