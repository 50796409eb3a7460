package history

import (
	"context"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// GoingBack is the amount refunded to a customer whose plan has ended, by gateway and by bank transfer, pending refunds included.
type GoingBack struct {
	ByGateway  money.Paise `db:"by_gateway"`
	ByTransfer money.Paise `db:"by_transfer"`
	// GatewayDone and TransferDone are when the last refund of that way was paid out; nil while one is pending.
	GatewayDone  *time.Time `db:"gateway_done"`
	TransferDone *time.Time `db:"transfer_done"`
}

// What staff have not transferred yet is owed on the payment whose refund failed.
const goingBackSQL = `
	WITH waits AS (SELECT coalesce(sum(owed_of_invoiced(f.payment_id)), 0) AS owed FROM (SELECT DISTINCT payment_id FROM refunds
		WHERE franchiser_id = $1 AND state = 'failed' AND reason <> 'surplus' AND created_at >= $2) f)
	SELECT coalesce(sum(r.amount_paise) FILTER (WHERE r.state <> 'failed' AND r.channel = 'gateway'), 0)::bigint AS by_gateway,
		(coalesce(sum(r.amount_paise - r.withheld_paise) FILTER (WHERE r.state = 'done' AND r.channel = 'bank'), 0)
			+ (SELECT owed FROM waits))::bigint AS by_transfer,
		CASE WHEN bool_and(r.state = 'done') FILTER (WHERE r.state <> 'failed' AND r.channel = 'gateway')
			THEN max(r.done_at) FILTER (WHERE r.channel = 'gateway') END AS gateway_done,
		CASE WHEN (SELECT owed FROM waits) = 0 THEN max(r.done_at) FILTER (WHERE r.state = 'done' AND r.channel = 'bank') END AS transfer_done
	FROM refunds r WHERE r.franchiser_id = $1 AND r.reason IN ('staff', 'gateway') AND (r.created_at >= $2 OR r.done_at >= $2)`

// GoingBack returns the completed and pending refunds of a customer whose plan was refunded and ended on the day. It counts refunds
// that began or ended since that day. It excludes mistaken payments and chargebacks.
func (s *Service) GoingBack(ctx context.Context, franchiserID string, ended subscription.Day) (GoingBack, error) {
	var g GoingBack
	err := postgres.InTenantTx(ctx, s.db, franchiserID, func(tx *sqlx.Tx) error {
		if err := tx.GetContext(ctx, &g, goingBackSQL, franchiserID, ended.Start()); err != nil {
			return fmt.Errorf("read what goes back: %w", err)
		}
		return nil
	})
	return g, err
}
