package desk

import (
	"context"
	"fmt"
	"log/slog"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
)

// CheckGateways logs an error for each gateway that is not configured but still has payments, refunds or disputes under way,
// because they will not progress: their jobs wait until it is configured again. It needs the worker's role, which sees all rows.
func (s *Service) CheckGateways(ctx context.Context) error {
	configured := append(make([]string, 0, len(s.gateways)+1), payment.GatewayBank)
	for _, g := range s.gateways {
		configured = append(configured, g.Name())
	}
	var missing []underWay
	err := postgres.InTx(ctx, s.db, func(tx *sqlx.Tx) error {
		var err error
		missing, err = underWayElsewhereTx(ctx, tx, configured)
		return err
	})
	if err != nil {
		return err
	}
	for _, m := range missing {
		s.logger.ErrorContext(ctx, "a gateway with open payments is not configured; add it to GATEWAY",
			slog.String("gateway", m.Gateway), slog.Int("payments", m.Payments), slog.Int("refunds", m.Refunds),
			slog.Int("disputes", m.Disputes))
	}
	return nil
}

// underWay counts open payments, refunds and disputes at a gateway.
type underWay struct {
	Gateway  string `db:"gateway"`
	Payments int    `db:"payments"`
	Refunds  int    `db:"refunds"`
	Disputes int    `db:"disputes"`
}

// Each part reads a partial index of open rows, which stays small however many payments there are.
const underWaySQL = `
	SELECT gateway, count(*) FILTER (WHERE kind = 'payment') AS payments,
	       count(*) FILTER (WHERE kind = 'refund') AS refunds, count(*) FILTER (WHERE kind = 'dispute') AS disputes
	FROM (
		SELECT gateway, 'payment' AS kind FROM payments WHERE next_check_at IS NOT NULL
		UNION ALL
		SELECT p.gateway, 'refund' FROM refunds r JOIN payments p ON p.id = r.payment_id
		WHERE r.state IN ('requested', 'sent')
		UNION ALL
		SELECT p.gateway, 'dispute' FROM disputes d JOIN payments p ON p.id = d.payment_id WHERE d.state = 'open'
	) open
	WHERE gateway <> ALL ($1) GROUP BY gateway ORDER BY gateway`

// underWayElsewhereTx returns open work at gateways that are not configured.
func underWayElsewhereTx(ctx context.Context, tx *sqlx.Tx, configured []string) ([]underWay, error) {
	var rows []underWay
	if err := tx.SelectContext(ctx, &rows, underWaySQL, pq.StringArray(configured)); err != nil {
		return nil, fmt.Errorf("count what is open at other gateways: %w", err)
	}
	return rows, nil
}
