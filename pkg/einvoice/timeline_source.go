package einvoice

import "github.com/franchise360/franchise360/pkg/timeline"

// TimelineSources returns the portal's answers about the customer's documents.
func TimelineSources() []timeline.Source {
	return []timeline.Source{
		{Name: "einvoice", Kind: timeline.KindDocument, SQL: `
			SELECT r.changed_at AS at, r.invoice_id::text AS id, 'E-invoice of ' || d.number AS title, r.state AS status, d.number AS reference,
				'system' AS actor, NULL AS request, jsonb_build_object('invoice_id', r.invoice_id, 'tries', r.tries, 'code', r.code,
					'message', r.message, 'acknowledged_at', r.acknowledged_at) AS details
			FROM einvoice_registrations r JOIN document_overview d ON d.franchiser_id = r.franchiser_id AND d.id = r.invoice_id
			WHERE r.franchiser_id = $1`},
	}
}
