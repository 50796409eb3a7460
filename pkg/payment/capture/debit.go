package capture

import (
	"context"
	"fmt"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/payment/internal/store"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
)

// DebitHeard records the gateway's answer to a request for a debit. A failure reported by the gateway is final. For any other answer
// the gateway is queried, and only that result is booked.
func (s *Service) DebitHeard(ctx context.Context, paymentID, reference string, status payment.Status, reason string) error {
	var p payment.Payment
	err := postgres.InTx(ctx, s.db, func(tx *sqlx.Tx) error {
		var err error
		if p, err = store.Find(ctx, tx, paymentID); err != nil {
			return err
		}
		if reference != "" && p.GatewayReference == "" {
			p.GatewayReference, err = store.SetReference(ctx, tx, p, reference)
		}
		return err
	})
	if err != nil {
		return err
	}
	if status == payment.StatusFailed {
		return s.applyOutcome(ctx, p, payment.Outcome{Status: payment.StatusFailed, Reason: reason}, 0, false)
	}
	return s.Verify(ctx, payment.VerifyArgs{PaymentID: paymentID})
}

// DebitNotMade ends the payment of a debit that the gateway never received. It releases the gateway's id of the pre-debit notice, so
// that another payment can request the debit.
func (s *Service) DebitNotMade(ctx context.Context, paymentID, why string) error {
	err := postgres.InTx(ctx, s.db, func(tx *sqlx.Tx) error { return releaseReferenceTx(ctx, tx, paymentID) })
	if err != nil {
		return err
	}
	return s.DebitHeard(ctx, paymentID, "", payment.StatusFailed, why)
}

const releaseReferenceSQL = `UPDATE payments SET gateway_reference = NULL WHERE id = $1 AND by_mandate AND state = 'created'`

func releaseReferenceTx(ctx context.Context, tx *sqlx.Tx, paymentID string) error {
	if _, err := tx.ExecContext(ctx, releaseReferenceSQL, paymentID); err != nil {
		return fmt.Errorf("release the gateway's reference of a debit: %w", err)
	}
	return nil
}

// DebitKnown reports whether the gateway knows the debit.
func (s *Service) DebitKnown(ctx context.Context, paymentID string) (bool, error) {
	p, err := s.find(ctx, paymentID)
	if err != nil {
		return false, err
	}
	g, err := s.gateways.Find(p.Gateway)
	if err != nil {
		return false, err
	}
	o, err := g.Verify(ctx, p.TransactionID, p.GatewayReference)
	return o.Status != payment.StatusUnknown, err
}

// AskAgain queries the gateway about a failed or open payment, and books a capture. It reports whether the gateway calls a failed
// payment undecided. It does nothing if the payment's gateway is no longer configured.
func (s *Service) AskAgain(ctx context.Context, paymentID string) (undecided bool, err error) {
	p, err := s.find(ctx, paymentID)
	if err != nil {
		return false, err
	}
	g, err := s.gateways.Find(p.Gateway)
	if err != nil {
		return false, nil //nolint:nilerr // the gateway is no longer configured
	}
	if !p.State.Open() {
		o, err := g.Verify(ctx, p.TransactionID, p.GatewayReference)
		if err != nil {
			return false, fmt.Errorf("ask about a payment: %w", err)
		}
		if o.Status != payment.StatusPaid {
			return o.Status == payment.StatusPending || o.Status == payment.StatusOpened && p.ByMandate, nil
		}
	}
	return false, s.Verify(ctx, payment.VerifyArgs{PaymentID: paymentID})
}

// AskAgainTx enqueues a gateway check of a payment for which a settlement shows something we were never notified of.
func (s *Service) AskAgainTx(ctx context.Context, tx *sqlx.Tx, franchiserID, paymentID string) error {
	return store.Ask(ctx, tx, s.jobs, payment.Payment{ID: paymentID, FranchiserID: franchiserID}, payment.NoticePayment, 0)
}
