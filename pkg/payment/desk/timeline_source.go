package desk

import (
	"strings"

	"github.com/lib/pq"

	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/subscription"
	"github.com/franchise360/franchise360/pkg/timeline"
)

// TimelineSources returns payments, the gateway's reports, and refunds. bankReferences are the names under which gateways report the
// bank's number of a payment, the better ones first.
func TimelineSources(bankReferences ...string) []timeline.Source {
	details := paymentDetails(bankReferences)
	return []timeline.Source{
		{Name: "payment", Kind: timeline.KindPayment, SQL: `
			SELECT created_at AS at, id::text AS id, 'Payment begun' AS title, state AS status, transaction_id AS reference,
				CASE WHEN by_mandate THEN 'system' ELSE 'customer' END AS actor, request_id::text AS request,
				` + details + ` || jsonb_build_object('order_id', order_id, 'gateway_reference', gateway_reference,
					'method', method, 'next_check_at', next_check_at,
					'decided_at', decided_at, 'gateway_events', (SELECT jsonb_agg(jsonb_build_object('received_at', e.received_at,
						'source', e.source, 'kind', e.kind, 'status', e.status, 'amount_paise', e.amount_paise,
						'external_id', nullif(e.external_id, ''), 'applied_at', e.applied_at, 'fields', e.fields) ORDER BY e.received_at, e.id)
						FROM payment_events e WHERE e.franchiser_id = p.franchiser_id AND e.payment_id = p.id)) AS details
			FROM payments p WHERE franchiser_id = $1`},
		{Name: "payment-end", Kind: timeline.KindPayment, SQL: `
			SELECT decided_at AS at, id::text AS id, 'Payment ' || state AS title, state AS status, transaction_id AS reference,
				CASE WHEN state IN ('expired', 'held') THEN 'system' ELSE 'gateway' END AS actor, NULL AS request,
				` + details + ` AS details
			FROM payments p WHERE franchiser_id = $1 AND decided_at IS NOT NULL`},
		{Name: "gateway", Kind: timeline.KindGateway, SQL: `
			SELECT e.received_at AS at, e.id::text AS id, CASE CASE WHEN NOT e.signed THEN 'hint' ELSE e.source END
				WHEN 'hint' THEN 'An unsigned notice, of which the gateway was asked: ' WHEN 'webhook' THEN 'The gateway told us: '
				WHEN 'callback' THEN 'The customer came back from the gateway: ' WHEN 'poll' THEN 'We asked the gateway: '
				ELSE 'Staff had the gateway asked: ' END || e.kind AS title, e.status AS status,
				p.transaction_id AS reference, CASE CASE WHEN NOT e.signed THEN 'hint' ELSE e.source END
					WHEN 'hint' THEN 'visitor' WHEN 'webhook' THEN 'gateway' WHEN 'callback' THEN 'customer' WHEN 'poll' THEN 'system'
					ELSE 'staff' END AS actor, e.request_id::text AS request, jsonb_build_object('payment_id', e.payment_id, 'amount_paise', e.amount_paise,
					'external_id', nullif(e.external_id, ''), 'applied_at', e.applied_at, 'fields', e.fields) AS details
			FROM payment_events e JOIN payments p ON p.id = e.payment_id AND p.franchiser_id = e.franchiser_id
			WHERE e.franchiser_id = $1`},
		{Name: "dispute", Kind: timeline.KindRefund, SQL: `
			SELECT opened_at AS at, id::text AS id, CASE WHEN confirmed THEN 'Dispute at the customer’s bank'
				ELSE 'Dispute, unconfirmed: check at the gateway' END AS title, state AS status, gateway_dispute_id AS reference,
				CASE WHEN confirmed THEN 'gateway' ELSE 'visitor' END AS actor, NULL AS request,
				jsonb_build_object('payment_id', payment_id, 'amount_paise', amount_paise, 'confirmed', confirmed, 'refund_id', refund_id,
					'decided_at', decided_at) AS details
			FROM disputes WHERE franchiser_id = $1`},
		{Name: "refund", Kind: timeline.KindRefund, SQL: `
			SELECT created_at AS at, id::text AS id, CASE reason WHEN 'staff' THEN 'Refund that staff asked for' WHEN 'surplus' THEN CASE WHEN EXISTS (SELECT FROM reversals v WHERE v.franchiser_ref = f.franchiser_id AND v.refund_id = f.id
					AND v.kind = 'release') THEN 'Refund of a wrong amount' ELSE 'Refund of a surplus' END
				WHEN 'dispute' THEN 'Refund of a lost dispute' ELSE 'Refund made at the gateway' END AS title, state AS status, coalesce(gateway_refund_id, '') AS reference,
				CASE reason WHEN 'staff' THEN coalesce((SELECT ` + staff.NameSQL("v.requested_by") + ` FROM reversals v
						WHERE v.franchiser_ref = f.franchiser_id AND v.refund_id = f.id LIMIT 1), 'staff')
					WHEN 'surplus' THEN 'system' ELSE 'gateway' END AS actor, NULL AS request,
				jsonb_build_object('amount_paise', amount_paise, 'payment_id', payment_id, 'note', note, 'failure', failure,
					'keep_plan', nullif(keep_plan, false), 'sent_at', sent_at, 'done_at', done_at) AS details
			FROM refunds f WHERE franchiser_id = $1`},
	}
}

// paymentDetails selects how staff identify payment p and its outcome. The reason of a held one is given in numbers, because
// its own is written for the customer.
func paymentDetails(bankReferences []string) string {
	values := []string{"NULL"}
	for i, name := range bankReferences {
		value := `e.fields ->> ` + pq.QuoteLiteral(name)
		if i < len(bankReferences)-1 {
			value = `nullif(` + value + `, '')`
		}
		values = append(values, value)
	}
	return `jsonb_build_object('payment_id', p.id, 'transaction_id', p.transaction_id,
	'bought', ` + subscription.OrderTitleSQL("p.franchiser_id", "p.order_id") + `,
	'invoice', ` + invoice.NumberOfPaymentSQL("p.franchiser_id", "p.id") + `,
	'gateway', p.gateway, 'gateway_payment_id', p.gateway_payment_id,
	'bank_reference', (SELECT coalesce(` + strings.Join(values, ", ") + `) FROM payment_events e
		WHERE e.franchiser_id = p.franchiser_id AND e.payment_id = p.id AND e.kind = 'payment' AND e.signed
			AND e.fields ?| ` + pq.QuoteLiteral("{"+strings.Join(bankReferences, ",")+"}") + ` ORDER BY e.received_at DESC LIMIT 1),
	'due_paise', p.amount_paise, 'captured_paise', p.captured_paise,
	'missing_paise', CASE WHEN p.state = 'held' AND p.captured_paise < p.amount_paise THEN p.amount_paise - p.captured_paise END,
	'too_much_paise', CASE WHEN p.state = 'held' AND p.captured_paise > p.amount_paise THEN p.captured_paise - p.amount_paise END,
	'reason', CASE WHEN p.state <> 'held' THEN p.reason WHEN EXISTS (SELECT FROM owed_of_payment(p.id) o WHERE o.gateway_payment_id = p.gateway_payment_id) THEN 'Staff released it, but its refund failed.'
		WHEN p.surplus THEN 'Staff released it. It is on its way back to the customer.'
		WHEN p.captured_paise = p.amount_paise THEN 'It came in another currency. It is held until an admin gives it back.'
		ELSE 'What came is not what was due. It is held until an admin gives it back.' END,
	'going_back', nullif(p.surplus, false),
	'by_mandate', nullif(p.by_mandate, false), 'refund_failed', nullif(EXISTS (SELECT FROM owed_of_payment(p.id))
		OR p.state = 'refunded' AND owed_of_invoiced(p.id) > 0, false), 'paid_with', p.slug)`
}
