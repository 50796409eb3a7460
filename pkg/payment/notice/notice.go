package notice

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/payment/internal/store"
	"github.com/franchise360/franchise360/pkg/platform/card"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
)

// maxHints limits the stored events of a payment that anyone can write. Events beyond a limit still cause a query to the gateway, but at
// most once per laterAsk.
const (
	maxHints = 20
	laterAsk = 10 * time.Minute
)

// findTimeout limits asking the gateway which payment its notice is about; the gateway waits five seconds for our answer.
const findTimeout = 4 * time.Second

// Returned handles the data with which a gateway redirects the browser. It checks the signature, stores the data, requests a
// verification and returns the notice for the redirect. It changes nothing else. It returns ErrSignature, for hints too, and
// ErrUnknownTransaction, both as bad requests.
func (s *Service) Returned(ctx context.Context, p payment.Incoming) (payment.Notice, error) {
	for _, g := range s.gateways {
		n, err := g.Read(p)
		if errors.Is(err, payment.ErrSignature) || err == nil && !n.Signed {
			continue // from another gateway, or forged
		}
		if err != nil {
			return payment.Notice{}, err
		}
		return s.receiveNotice(ctx, g, "callback", p, n)
	}
	return payment.Notice{}, payment.ErrSignature
}

// Notified handles a gateway's webhook: the notice is stored and verified like the browser's. A notice that is, or may be, the
// gateway's but concerns nothing of ours is accepted without effect: a gateway repeats a refused notice and finally stops sending.
// An unknown gateway is errs.NotFound.
func (s *Service) Notified(ctx context.Context, gateway string, p payment.Incoming) error {
	for _, g := range s.gateways {
		if g.Name() != gateway {
			continue
		}
		n, err := g.Read(p)
		if err == nil {
			_, err = s.receiveNotice(ctx, g, "webhook", p, n)
		}
		if errors.Is(err, payment.ErrUnknownTransaction) {
			s.logger.InfoContext(ctx, "notice about nothing of ours", slog.String("gateway", gateway), slog.String("kind", string(n.Kind)))
			return nil
		}
		return err
	}
	return errs.NotFound()
}

func (s *Service) receiveNotice(ctx context.Context, g payment.Gateway, source string, p payment.Incoming, n payment.Notice) (payment.Notice, error) {
	if holdsCard(g, p.Form) || holdsCard(g, n.Fields) {
		return payment.Notice{}, errs.CardData()
	}
	if n.Kind == payment.NoticeOther {
		return n, payment.ErrUnknownTransaction
	}
	paymentID, franchiserID, err := s.locate(ctx, g, n)
	if err != nil {
		return n, err
	}
	err = postgres.InTenantTx(ctx, s.db, franchiserID, func(tx *sqlx.Tx) error {
		payment, err := store.Find(ctx, tx, paymentID)
		if err != nil {
			return err
		}
		if !n.Signed && payment.GatewayPaymentID != "" && n.GatewayPaymentID != payment.GatewayPaymentID {
			return nil // it names one payment by our id and another by the gateway's
		}
		n.TransactionID = payment.TransactionID
		return s.storeNoticeTx(ctx, tx, store.Event{
			Payment: payment, Source: source, Kind: n.Kind, Signed: n.Signed, Status: n.Status, Amount: n.Amount,
			ExternalID: n.ExternalID, Key: n.Key, Fields: n.Fields, At: s.clock.Now(),
		})
	})
	return n, err
}

// locate finds the payment that a notice is about, asking the gateway if the notice is signed but does not identify it.
func (s *Service) locate(ctx context.Context, g payment.Gateway, n payment.Notice) (paymentID, franchiserID string, err error) {
	paymentID, franchiserID, err = lookUp(ctx, s.db, g.Name(), n)
	finder, ok := g.(payment.TransactionFinder)
	if !errors.Is(err, payment.ErrUnknownTransaction) || !n.Signed || !ok || n.TransactionID != "" {
		return paymentID, franchiserID, err
	}
	ctx, cancel := context.WithTimeout(ctx, findTimeout)
	defer cancel()
	if n.GatewayPaymentID != "" {
		if paymentID, franchiserID, err = lookUp(ctx, s.db, g.Name(), payment.Notice{GatewayPaymentID: n.GatewayPaymentID}); err == nil {
			return paymentID, franchiserID, nil
		}
	}
	transaction, err := finder.Find(ctx, n)
	if err != nil {
		return "", "", err
	}
	if transaction == "" {
		return "", "", payment.ErrUnknownTransaction
	}
	return lookUp(ctx, s.db, g.Name(), payment.Notice{TransactionID: transaction})
}

// storeNoticeTx stores a notice and enqueues a gateway check, one job per payment and kind however many notices arrive
// while it waits. Duplicates change nothing.
func (s *Service) storeNoticeTx(ctx context.Context, tx *sqlx.Tx, e store.Event) error {
	limit := store.MaxSigned
	if !e.Signed {
		limit = maxHints
	}
	stored, full, err := store.InsertEvent(ctx, tx, e, limit)
	if err != nil || !stored && !full {
		return err // already being handled
	}
	delay := time.Duration(0)
	if full {
		delay = laterAsk
	}
	return store.Ask(ctx, tx, s.jobs, e.Payment, e.Kind, delay)
}

// holdsCard detects a card number in any field, and a CVV by its field name. Payment ids and bank references are
// skipped: one in ten of those with 16 digits looks like a card number.
func holdsCard(g payment.Gateway, fields map[string]string) bool {
	for name, value := range fields {
		if g.IsReference(name) {
			continue
		}
		if card.In(value) || value != "" && strings.Contains(strings.ToLower(name), "cvv") {
			return true
		}
	}
	return false
}

// The lookup runs before the franchiser is known, hence through a function with its own rights.
const lookUpSQL = `SELECT id, franchiser_id FROM find_payment($1, $2, $3, $4) LIMIT 1`

// lookUp finds the payment that a gateway refers to, or returns ErrUnknownTransaction.
func lookUp(ctx context.Context, db *sqlx.DB, gateway string, n payment.Notice) (paymentID, franchiserID string, err error) {
	err = db.QueryRowxContext(ctx, lookUpSQL, gateway, n.TransactionID, n.Reference, n.GatewayPaymentID).Scan(&paymentID, &franchiserID)
	if errors.Is(err, sql.ErrNoRows) {
		return "", "", payment.ErrUnknownTransaction
	}
	if err != nil {
		return "", "", fmt.Errorf("look up transaction: %w", err)
	}
	return paymentID, franchiserID, nil
}
