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
			SELECT m.created_at AS at, m.id::text AS id, CASE m.template WHEN 'payment_received' THEN 'Receipt by SMS'
				WHEN 'payment_email' THEN 'Receipt by e-mail' WHEN 'document_email' THEN 'Document by e-mail'
				WHEN 'email_proof' THEN 'Link to prove the e-mail address' WHEN 'email_changed' THEN 'Old e-mail address told of the change'
				WHEN 'renewal_reminder' THEN 'Renewal reminder by SMS' WHEN 'renewal_email' THEN 'Renewal reminder by e-mail'
				WHEN 'payment_received_whatsapp' THEN 'Receipt by WhatsApp' WHEN 'renewal_reminder_whatsapp' THEN 'Renewal reminder by WhatsApp'
				ELSE CASE WHEN m.template LIKE 'refund\_%' THEN 'Refund: ' || replace(regexp_replace(m.template, '^refund_|_email$', '', 'g'), '_', ' ')
					ELSE upper(left(m.template, 1)) || replace(regexp_replace(substr(m.template, 2), '_(email|whatsapp)$', ''), '_', ' ') END
					|| CASE WHEN m.template LIKE '%\_email' THEN ', by e-mail' WHEN m.template LIKE '%\_whatsapp' THEN ', by WhatsApp'
						ELSE ', by SMS' END END AS title,
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
