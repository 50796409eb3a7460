package payment

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/card"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/queue"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// event is something that was heard of a payment.
type event struct {
	Payment    Payment
	Source     string
	Kind       NoticeKind
	Status     Status
	Amount     money.Paise
	ExternalID string
	Fields     map[string]string
	At         time.Time
}

// digest is the same for the same words.
func (e event) digest() []byte {
	text, _ := json.Marshal(e.Fields) // a map of strings marshals with sorted keys
	sum := sha256.Sum256(append(text, string(e.Kind)+string(e.Status)+e.ExternalID...))
	return sum[:]
}

// Returned takes what the browser brings back from a gateway: it checks the signature, stores what came, asks for the
// verification and says where the browser shall go. Nothing else changes. It returns ErrSignature and
// ErrUnknownTransaction, both as bad requests.
func (s *Service) Returned(ctx context.Context, p Posted) (Notice, error) {
	var err error
	for _, g := range s.Gateways {
		var n Notice
		if n, err = s.take(ctx, g, "callback", p); err == nil {
			return n, nil
		}
	}
	return Notice{}, err
}

// Notified takes what a gateway itself tells: stored and verified like the browser's. An unknown gateway is not found.
func (s *Service) Notified(ctx context.Context, gateway string, p Posted) error {
	for _, g := range s.Gateways {
		if g.Name() == gateway {
			_, err := s.take(ctx, g, "webhook", p)
			return err
		}
	}
	return errs.NotFound()
}

func (s *Service) take(ctx context.Context, g Gateway, source string, p Posted) (Notice, error) {
	n, err := g.Read(p)
	if err != nil {
		return Notice{}, err
	}
	if holdsCard(p.Form) || holdsCard(n.Fields) {
		return Notice{}, errs.CardData()
	}
	paymentID, franchiserID, err := s.store.lookUp(ctx, s.DB, g.Name(), n.TransactionID, n.Reference)
	if err != nil {
		return Notice{}, err
	}
	now := s.Clock.Now()
	err = postgres.InTenantTx(ctx, s.DB, franchiserID, func(tx *sqlx.Tx) error {
		payment, err := s.store.find(ctx, tx, paymentID)
		if err != nil {
			return err
		}
		n.TransactionID = payment.TransactionID
		eventID, err := s.store.insertEvent(ctx, tx, event{
			Payment: payment, Source: source, Kind: n.Kind, Status: n.Status, Amount: n.Amount, ExternalID: n.ExternalID,
			Fields: n.Fields, At: now,
		})
		if err != nil || eventID == "" {
			return err // the same words again: they are being seen to already
		}
		_, err = s.Jobs.InsertTx(ctx, tx, VerifyArgs{PaymentID: payment.ID, Event: eventID}, queue.Options{
			Queue: queue.QueuePayments, Subject: queue.Subject{FranchiserID: franchiserID, PaymentID: payment.ID},
		})
		return err
	})
	return n, err
}

// holdsCard finds a card's number among values of any name, and its CVV by the name; the gateway's own numbers are not judged.
func holdsCard(fields map[string]string) bool {
	for name, value := range fields {
		switch name {
		case "mihpayid", "txnid", "bank_ref_num", "request_id", "payuid", "razorpay_payment_id", "razorpay_order_id":
			continue
		}
		if card.In(value) || value != "" && strings.Contains(strings.ToLower(name), "cvv") {
			return true
		}
	}
	return false
}

// waitingTx applies the refunds and disputes that were heard of a payment, once it is known as paid. A refund that we
// did not ask for was made at the gateway: it is asked about before it is believed.
func (s *Service) waitingTx(ctx context.Context, tx *sqlx.Tx, p Payment, now time.Time) error {
	waiting, err := s.store.waitingEvents(ctx, tx, p)
	if err != nil {
		return err
	}
	for _, e := range waiting {
		if err := s.heardTx(ctx, tx, p, e, now); err != nil {
			return err
		}
	}
	return nil
}

func (s *Service) heardTx(ctx context.Context, tx *sqlx.Tx, p Payment, e waitingEvent, now time.Time) error {
	switch {
	case e.Kind == NoticeRefund && e.ExternalID != "" && e.Amount > 0:
		if waits, err := s.refundHeardTx(ctx, tx, p, e, now); err != nil || waits {
			return err
		}
	case e.Kind == NoticeDispute && e.ExternalID != "":
		if err := s.disputedTx(ctx, tx, p, e, now); err != nil {
			return err
		}
	default:
		s.Logger.WarnContext(ctx, "refund or dispute without a name", slog.String("payment", p.ID), slog.String("event", e.ID))
	}
	return s.store.markApplied(ctx, tx, e.ID, now)
}

// refundHeardTx has a refund that we asked for looked at again, and takes in one that was made at the gateway. It waits, and
// says so, while the gateway's answer to a request of ours is not stored: the notice may be of that one. More than is left
// of the payment is not believed: the comparison of the settlement tells staff of it.
func (s *Service) refundHeardTx(ctx context.Context, tx *sqlx.Tx, p Payment, e waitingEvent, now time.Time) (waits bool, err error) {
	heard, err := s.store.refundHeard(ctx, tx, p, e.ExternalID)
	if err != nil {
		return false, err
	}
	if heard.ID != "" {
		return false, s.enqueueRefundTx(ctx, tx, p, heard.ID, 0)
	}
	if heard.Unanswered {
		return true, nil
	}
	already, err := s.store.refunded(ctx, tx, p)
	if err != nil {
		return false, err
	}
	if already+e.Amount > p.Captured {
		s.Logger.WarnContext(ctx, "refund at the gateway of more than is left", slog.String("payment", p.ID), slog.String("event", e.ID))
		return false, nil
	}
	return false, s.refundTx(ctx, tx, Refund{
		ID: id.New(), FranchiserID: p.FranchiserID, PaymentID: p.ID, GatewayPaymentID: p.GatewayPaymentID, Amount: e.Amount,
		Reason: RefundGateway, State: RefundSent, GatewayRefundID: e.ExternalID, CreatedAt: now,
	})
}

// hear looks at what waits for a payment that is paid; called by the verification that a notice asked for.
func (s *Service) hear(ctx context.Context, p Payment) error {
	return postgres.InTx(ctx, s.DB, func(tx *sqlx.Tx) error {
		if err := subscription.LockTx(ctx, tx, p.FranchiserID); err != nil {
			return err
		}
		current, err := s.store.locked(ctx, tx, p.ID)
		if err != nil {
			return err
		}
		if current.State != StatePaid && current.State != StateRefunded {
			return nil // applied once it is
		}
		if err := s.waitingTx(ctx, tx, current, s.Clock.Now()); err != nil {
			return fmt.Errorf("apply what was heard: %w", err)
		}
		return nil
	})
}
