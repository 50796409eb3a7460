package payment

import (
	"context"
	"errors"
	"log/slog"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/postgres"
)

// ErrGatewayMissing says that a payment belongs to a gateway that is not configured: nothing can be asked of it for now.
var ErrGatewayMissing = errors.New("the payment's gateway is not configured")

// CheckGateways logs an error for each gateway that is not configured although money of its payments is under way:
// nobody would ask it again. Their jobs wait until it is configured once more. For the worker, which sees all rows.
func (s *Service) CheckGateways(ctx context.Context) error {
	configured := make([]string, 0, len(s.gateways))
	for _, g := range s.gateways {
		configured = append(configured, g.Name())
	}
	var missing []underWay
	err := postgres.InTx(ctx, s.db, func(tx *sqlx.Tx) error {
		var err error
		missing, err = s.store.underWayElsewhere(ctx, tx, configured)
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
