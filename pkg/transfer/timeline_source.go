package transfer

import (
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/timeline"
)

// TimelineSources returns proformas, credits and the uses of credits.
func TimelineSources() []timeline.Source {
	return []timeline.Source{
		{Name: "proforma", Kind: timeline.KindPayment, SQL: `
			SELECT created_at AS at, id::text AS id, 'Proforma for a bank transfer' AS title, state AS status, number AS reference,
				'customer' AS actor, request_id::text AS request,
				jsonb_build_object('amount_paise', amount_paise, 'bought', title, 'po_number', nullif(po_number, ''), 'told_utr', nullif(told_utr, ''),
					'told_at', told_at, 'valid_until', valid_until, 'paid_at', paid_at, 'payment_id', payment_id) AS details
			FROM proformas WHERE franchiser_id = $1`},
		{Name: "bank-credit", Kind: timeline.KindPayment, SQL: `
			SELECT c.created_at AS at, c.id::text AS id, 'Bank transfer received' AS title, c.state AS status, c.utr AS reference,
				CASE WHEN c.entered_by IS NULL THEN 'system' ELSE coalesce(` + staff.NameSQL("c.entered_by") + `, 'staff') END AS actor, NULL AS request,
				jsonb_build_object('amount_paise', c.amount_paise, 'used_paise', c.used_paise, 'paid_at', c.paid_at, 'payer', nullif(c.payer_name, ''),
					'narration', nullif(c.narration, ''), 'note', nullif(c.note, '')) AS details
			FROM bank_credits c WHERE c.franchiser_ref = $1`},
		{Name: "bank-use", Kind: timeline.KindPayment, SQL: `
			SELECT u.requested_at AS at, u.id::text AS id, CASE u.kind WHEN 'order' THEN 'Bank transfer used for a proforma'
				WHEN 'return' THEN 'Bank transfer given back' WHEN 'release' THEN 'Bank transfer taken from its bill' ELSE 'Bank transfer dismissed' END AS title, u.state AS status,
				coalesce((SELECT p.number FROM proformas p WHERE p.id = u.proforma_id), u.utr) AS reference,
				CASE WHEN u.requested_by IS NULL THEN 'system' ELSE coalesce(` + staff.NameSQL("u.requested_by") + `, 'staff') END AS actor, NULL AS request,
				jsonb_build_object('amount_paise', u.amount_paise, 'tds_paise', nullif(u.tds_paise, 0), 'gst_tds_paise', nullif(u.gst_tds_paise, 0),
					'reason', nullif(u.reason, ''), 'failure', nullif(u.failure, '')) AS details
			FROM bank_credit_uses u WHERE u.franchiser_ref = $1`},
	}
}
