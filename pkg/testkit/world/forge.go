package world

import (
	"context"
	"fmt"

	"github.com/franchise360/franchise360/pkg/platform/money"
)

// Forged is the prefix of the ids of forged refunds and disputes; no refund and no confirmed dispute may ever have such an id.
const Forged = "forged-"

// forge lets a customer lie about their own payment: they add a refund or a dispute to the form that the gateway signed
// for them, or post the gateway's unsigned notices, with invented ids or ids of another customer's refund.
func (c *Customer) forge(ctx context.Context) error {
	r, ok := c.session()
	if !ok {
		return nil
	}
	name := c.name(Forged)
	var others []string
	if err := c.w.Owner.SelectContext(ctx, &others, `SELECT gateway_refund_id FROM refunds
		WHERE gateway_refund_id IS NOT NULL AND franchiser_id <> $1 ORDER BY id LIMIT 5`, c.ID); err != nil {
		return fmt.Errorf("look for others' refunds: %w", err)
	}
	if len(others) > 0 && c.choose.Int(2) == 1 {
		name = pick(c.choose, others)
	}
	amount := pick(c.choose, []money.Paise{1, 100, r.Amount, 2 * r.Amount}).Decimal()
	own := c.w.Gateway.Notice(r.TransactionID)
	capture := c.w.Gateway.Outcome(r.TransactionID).GatewayPaymentID
	var err error
	switch c.choose.Int(4) {
	case 0:
		own.Form["action"], own.Form["refund"] = "refund", name
		err = c.notify(ctx, own)
	case 1:
		own.Form["action"], own.Form["request_id"] = "chargeback", name
		err = c.w.API.Notices.Notified(ctx, GatewayName, own)
	case 2:
		err = c.w.API.Notices.Notified(ctx, GatewayName, Hint(map[string]string{
			"about": "refund", "txnid": r.TransactionID, "capture": capture, "refund": name, "amount": amount,
		}))
	default:
		err = c.w.API.Notices.Notified(ctx, GatewayName, Hint(map[string]string{
			"about": "dispute", "txnid": r.TransactionID, "capture": capture, "dispute": Forged + name, "amount": amount,
		}))
	}
	if err != nil {
		return err
	}
	return c.w.Work(ctx, c.ID)
}

// nobodyForges returns the rule that must hold whatever was posted.
func nobodyForges() rule {
	return rule{"nobody forges", `SELECT franchiser_id FROM refunds c WHERE {c} AND gateway_refund_id LIKE 'forged-%'
		UNION ALL SELECT franchiser_id FROM disputes c WHERE {c} AND confirmed AND gateway_dispute_id LIKE 'forged-%'
		UNION ALL SELECT franchiser_id FROM payment_events c WHERE {c} AND source <> 'poll' GROUP BY franchiser_id, payment_id HAVING count(*) > 70`}
}
