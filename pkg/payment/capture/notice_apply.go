package capture

import (
	"context"
	"errors"
	"fmt"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/payment/internal/store"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
)

// applyNotices handles the pending refund and dispute events of a payment once its money has been received. A refund event only
// triggers a query: the gateway's list is booked. Each refund is applied in a separate transaction, so that a failure affects neither
// the others nor earlier settlements.
func (s *Service) applyNotices(ctx context.Context, p payment.Payment, kind string) error {
	var waiting []store.WaitingEvent
	err := postgres.InTx(ctx, s.db, func(tx *sqlx.Tx) error {
		var err error
		if p, err = store.Find(ctx, tx, p.ID); err != nil || !p.State.Received() {
			return err // applied once it is settled
		}
		waiting, err = store.WaitingEvents(ctx, tx, p)
		return err
	})
	if err != nil || !p.State.Received() {
		return err
	}
	asks := kind == string(payment.NoticeRefund) || kind == payment.EventStaff
	var failures []error
	var refunds []string
	for _, e := range waiting {
		if e.Kind == payment.NoticeRefund {
			refunds, asks = append(refunds, e.ID), true
			continue
		}
		if err := s.disputes.ApplyNotice(ctx, p, e); err != nil {
			failures = append(failures, fmt.Errorf("apply dispute %s: %w", e.ID, err))
		}
	}
	if asks {
		if err := s.refunds.ApplyNotices(ctx, p, refunds); err != nil {
			failures = append(failures, fmt.Errorf("look at refunds: %w", err))
		}
	}
	return errors.Join(failures...)
}
