package payment

import (
	"context"
	"fmt"

	"github.com/jmoiron/sqlx"
)

const keptLastSQL = `
	SELECT coalesce((SELECT keep_plan FROM refunds WHERE payment_id = $1 AND gateway_payment_id = $2 AND reason <> 'surplus' AND state = 'done'
		ORDER BY done_at DESC, id DESC LIMIT 1), false)`

// keptLast is what the last refund of the capture that was no surplus says about keeping the plan.
func (store) keptLast(ctx context.Context, tx *sqlx.Tx, r Refund) (bool, error) {
	var keep bool
	if err := tx.GetContext(ctx, &keep, keptLastSQL, r.PaymentID, r.GatewayPaymentID); err != nil {
		return false, fmt.Errorf("read earlier refund: %w", err)
	}
	return keep, nil
}

// keepsPlan says whether what was bought goes on although this refund makes it all of the payment. What was overpaid decides
// nothing about that: where it comes back last, the refund before it does.
func (s store) keepsPlan(ctx context.Context, tx *sqlx.Tx, r Refund) (bool, error) {
	if r.Reason != RefundSurplus {
		return r.KeepPlan, nil
	}
	return s.keptLast(ctx, tx, r)
}
