package refund

import (
	"context"
	"errors"
	"log/slog"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq/pqerror"

	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/payment/internal/store"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// ApplyNotices fetches the payment's refunds from the gateway, applies each, and then marks the notices as applied.
func (s *Service) ApplyNotices(ctx context.Context, p payment.Payment, events []string) error {
	g, err := s.gateways.Find(p.Gateway)
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
			if err := store.MarkApplied(ctx, tx, event, s.clock.Now()); err != nil {
				return err
			}
		}
		return nil
	})
}

// applyRefund applies one refund listed by the gateway: a refund that we requested advances, a refund made at the gateway is booked. It
// reports waits while a request of ours for the same amount has no id yet and the record does not identify its request. A refund above
// the remaining amount is ignored: the settlement comparison reports it to staff.
func (s *Service) applyRefund(ctx context.Context, p payment.Payment, record payment.RefundRecord) (waits bool, err error) {
	now := s.clock.Now()
	err = subscription.InLockedTx(ctx, s.db, p.FranchiserID, func(tx *sqlx.Tx) error {
		p, err := store.Locked(ctx, tx, p.ID)
		if err != nil {
			return err
		}
		known, err := refundHeardTx(ctx, tx, p, record)
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
		already, err := RefundedTx(ctx, tx, p)
		if err != nil {
			return err
		}
		if already+record.Amount > p.Captured {
			s.logger.WarnContext(ctx, "refund at the gateway of more than is left", slog.String("payment", p.ID))
			return nil
		}
		r := Refund{
			ID: id.New(), FranchiserID: p.FranchiserID, PaymentID: p.ID, GatewayPaymentID: p.GatewayPaymentID, Amount: record.Amount,
			Reason: payment.RefundGateway, State: payment.RefundSent, GatewayRefundID: record.RefundID, CreatedAt: now,
		}
		if err := insertRefundTx(ctx, tx, r); err != nil {
			return err
		}
		return s.applyRefundOutcomeTx(ctx, tx, p, r, record.RefundOutcome, now)
	})
	return waits, err
}

func (s *Service) knownMovedTx(ctx context.Context, tx *sqlx.Tx, p payment.Payment, refundID string, o payment.RefundOutcome) error {
	r, err := refundTx(ctx, tx, refundID, true)
	if err != nil || r.State == payment.RefundDone || r.State == payment.RefundFailed {
		return err
	}
	if r.State == payment.RefundSent && !o.Done && !o.Failed {
		return nil // on its way, as we know; its own job keeps asking
	}
	return s.applyRefundOutcomeTx(ctx, tx, p, r, o, s.clock.Now())
}
