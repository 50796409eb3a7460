package message

import "github.com/franchise360/franchise360/pkg/timeline"

// TimelineSources describe what staff and the product sent. numberSQL returns the expression for the number of a franchiser's document;
// the invoices' owner supplies it.
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
		{Name: "customer-message", Kind: timeline.KindMessage, SQL: `
			SELECT m.created_at AS at, m.id::text AS id, ` + titleSQL() + ` AS title,
				` + DeliveryStatus + ` AS status, '' AS reference, 'system' AS actor, m.request_id::text AS request,
				jsonb_build_object('sent_at', m.sent_at, 'expires_at', m.expires_at, 'error', m.send_error) || ` + DeliveryDetails + ` AS details
			FROM customer_messages m` + DeliveryJoin + ` WHERE m.franchiser_ref = $1`},
		{Name: "whatsapp-consent", Kind: timeline.KindMessage, SQL: `
			SELECT c.at, c.id::text AS id, CASE WHEN c.given THEN 'Messages by WhatsApp wanted' ELSE 'Messages by WhatsApp stopped' END AS title,
				CASE c.via WHEN 'reply' THEN 'by a reply' WHEN 'number' THEN 'by a new mobile number' ELSE 'in the account' END AS status, '' AS reference,
				CASE c.via WHEN 'number' THEN 'system' ELSE 'customer' END AS actor, c.request_id::text AS request,
				jsonb_build_object('text_version', c.version, 'language', c.language) AS details
			FROM whatsapp_consents c WHERE c.franchiser_ref = $1`},
	}
}
