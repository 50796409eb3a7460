package dispute

import (
	"context"
	"log/slog"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/payment/internal/store"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// ApplyNotice records the dispute that a webhook event names, and marks the event as applied.
func (s *Service) ApplyNotice(ctx context.Context, p payment.Payment, e store.WaitingEvent) error {
	now := s.clock.Now()
	return subscription.InLockedTx(ctx, s.db, p.FranchiserID, func(tx *sqlx.Tx) error {
		p, err := store.Locked(ctx, tx, p.ID)
		if err != nil {
			return err
		}
		if e.ExternalID == "" {
			s.logger.WarnContext(ctx, "dispute without a name", slog.String("payment", p.ID), slog.String("event", e.ID))
		} else if err := s.disputedTx(ctx, tx, p, e, now); err != nil {
			return err
		}
		return store.MarkApplied(ctx, tx, e.ID, now)
	})
}
