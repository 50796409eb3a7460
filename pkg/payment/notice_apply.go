package payment

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq/pqerror"

	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// applyNotices handles the pending refund and dispute events of a payment once its money has been received. A refund event only
// triggers a query: the gateway's list is booked. Each refund is applied in a separate transaction, so that a failure affects neither
// the others nor earlier settlements.
func (s *Service) applyNotices(ctx context.Context, p Payment, kind string) error {
	var waiting []waitingEvent
	err := postgres.InTx(ctx, s.db, func(tx *sqlx.Tx) error {
		var err error
		if p, err = s.store.find(ctx, tx, p.ID); err != nil || !p.State.settled() {
			return err // applied once it is settled
		}
		waiting, err = s.store.waitingEvents(ctx, tx, p)
		return err
	})
	if err != nil || !p.State.settled() {
		return err
	}
	asks := kind == string(NoticeRefund) || kind == eventStaff
	var failures []error
	var refunds []string
	for _, e := range waiting {
		if e.Kind == NoticeRefund {
			refunds, asks = append(refunds, e.ID), true
			continue
		}
		if err := s.applyDisputeNotice(ctx, p, e); err != nil {
			failures = append(failures, fmt.Errorf("apply dispute %s: %w", e.ID, err))
		}
	}
	if asks {
		if err := s.applyRefundNotices(ctx, p, refunds); err != nil {
			failures = append(failures, fmt.Errorf("look at refunds: %w", err))
		}
	}
	return errors.Join(failures...)
}

// applyRefundNotices fetches the payment's refunds from the gateway, applies each, and then marks the notices as applied.
func (s *Service) applyRefundNotices(ctx context.Context, p Payment, events []string) error {
	g, err := s.gateway(p.Gateway)
	if err != nil {
		return err
	}
	records, err := g.Refunds(ctx, p.TransactionID, p.GatewayPaymentID)
	if err != nil {
		return err
	}
	var failures []error
	again := false
	for _, record := range records {
		waits, err := s.applyRefund(ctx, p, record)
		again = again || waits
		if postgres.Violates(err, pqerror.UniqueViolation, "refunds_gateway_refund_id_key") {
			s.logger.WarnContext(ctx, "a refund of another payment", slog.String("payment", p.ID))
			continue
		}
		failures = append(failures, err)
	}
	if err := errors.Join(failures...); err != nil || again {
		return err // a waiting event is checked again once the requested refund has its id
	}
	return postgres.InTx(ctx, s.db, func(tx *sqlx.Tx) error {
		for _, event := range events {
			if err := s.store.markApplied(ctx, tx, event, s.clock.Now()); err != nil {
				return err
			}
		}
		return nil
	})
}

// applyRefund applies one refund listed by the gateway: a refund that we requested advances, a refund made at the gateway is booked. It
// reports waits while a request of ours for the same amount has no id yet and the record does not identify its request. A refund above
// the remaining amount is ignored: the settlement comparison reports it to staff.
func (s *Service) applyRefund(ctx context.Context, p Payment, record RefundRecord) (waits bool, err error) {
	now := s.clock.Now()
	err = subscription.InLockedTx(ctx, s.db, p.FranchiserID, func(tx *sqlx.Tx) error {
		p, err := s.store.locked(ctx, tx, p.ID)
		if err != nil {
			return err
		}
		known, err := s.store.refundHeard(ctx, tx, p, record)
		switch {
		case err != nil:
			return err
		case known.ID != "":
			return s.knownMovedTx(ctx, tx, p, known.ID, record.RefundOutcome)
		case known.Foreign:
			s.logger.WarnContext(ctx, "a refund of another payment", slog.String("payment", p.ID))
			return nil
		case record.Failed || record.Waiting || record.Amount < 1:
			return nil
		case record.Token == "" && known.Unanswered:
			waits = true
			return nil
		}
		already, err := s.store.refunded(ctx, tx, p)
		if err != nil {
			return err
		}
		if already+record.Amount > p.Captured {
			s.logger.WarnContext(ctx, "refund at the gateway of more than is left", slog.String("payment", p.ID))
			return nil
		}
		r := Refund{
			ID: id.New(), FranchiserID: p.FranchiserID, PaymentID: p.ID, GatewayPaymentID: p.GatewayPaymentID, Amount: record.Amount,
			Reason: RefundGateway, State: RefundSent, GatewayRefundID: record.RefundID, CreatedAt: now,
		}
		if err := s.store.insertRefund(ctx, tx, r); err != nil {
			return err
		}
		return s.applyRefundOutcomeTx(ctx, tx, p, r, record.RefundOutcome, now)
	})
	return waits, err
}

func (s *Service) knownMovedTx(ctx context.Context, tx *sqlx.Tx, p Payment, refundID string, o RefundOutcome) error {
	r, err := s.store.refund(ctx, tx, refundID, true)
	if err != nil || r.State == RefundDone || r.State == RefundFailed {
		return err
	}
	if r.State == RefundSent && !o.Done && !o.Failed {
		return nil // on its way, as we know; its own job keeps asking
	}
	return s.applyRefundOutcomeTx(ctx, tx, p, r, o, s.clock.Now())
}

func (s *Service) applyDisputeNotice(ctx context.Context, p Payment, e waitingEvent) error {
	now := s.clock.Now()
	return subscription.InLockedTx(ctx, s.db, p.FranchiserID, func(tx *sqlx.Tx) error {
		p, err := s.store.locked(ctx, tx, p.ID)
		if err != nil {
			return err
		}
		if e.ExternalID == "" {
			s.logger.WarnContext(ctx, "dispute without a name", slog.String("payment", p.ID), slog.String("event", e.ID))
		} else if err := s.disputedTx(ctx, tx, p, e, now); err != nil {
			return err
		}
		return s.store.markApplied(ctx, tx, e.ID, now)
	})
}
