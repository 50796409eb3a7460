package invoice

import (
	"github.com/franchise360/franchise360/pkg/timeline"
)

// TimelineSources returns which documents were issued, and whether they can be downloaded.
func TimelineSources() []timeline.Source {
	return []timeline.Source{
		{Name: "invoice", Kind: timeline.KindDocument, SQL: `
			SELECT i.issued_at AS at, i.id::text AS id, CASE i.kind WHEN 'invoice' THEN 'Invoice ' WHEN 'receipt_voucher' THEN 'Receipt voucher '
				WHEN 'refund_voucher' THEN 'Refund voucher ' ELSE 'Credit note ' END || i.number AS title,
				CASE WHEN i.replaced THEN 'replaced' WHEN d.invoice_id IS NULL THEN 'no PDF yet' ELSE 'ready' END AS status, i.number AS reference,
				'system' AS actor, NULL AS request, jsonb_build_object('invoice_id', i.id, 'document', i.kind, 'payment_id', i.payment_id, 'total_paise', i.total_paise,
					'reason', i.reason, 'rendered_at', d.rendered_at, 'size_bytes', d.size_bytes, 'sha256', d.sha256)
					|| CASE WHEN i.kind = 'invoice' THEN jsonb_build_object('billed_to', i.recipient->>'name',
						'billed_address', (SELECT string_agg(line, E'\n') FROM jsonb_array_elements_text(CASE jsonb_typeof(i.recipient->'address') WHEN 'array' THEN i.recipient->'address' ELSE '[]' END) line),
						'billed_state', i.place_of_supply, 'billed_gstin', coalesce(i.recipient->>'gstin', '')) ELSE '{}' END AS details
			FROM invoices i LEFT JOIN invoice_documents d ON d.invoice_id = i.id AND d.franchiser_id = i.franchiser_id
			WHERE i.franchiser_id = $1`},
	}
}
