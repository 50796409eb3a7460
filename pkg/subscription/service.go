package subscription

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/queue"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
)

// Payments returns the payments of orders and their refunds; implemented by pkg/payment.
type Payments interface {
	// PaidOrdersTx returns the payment that paid each order, keyed by order.
	PaidOrdersTx(ctx context.Context, tx *sqlx.Tx, franchiserID string, orderIDs []string) (map[string]string, error)
	// GivenBackTx returns the payments' pending refunds and chargebacks; the refund with the id except is ignored.
	GivenBackTx(ctx context.Context, tx *sqlx.Tx, franchiserID string, paymentIDs []string, except string) ([]invoice.GivenBack, error)
}

// Config is set by the operator.
type Config struct {
	// SupplierState is the GST code of the operator's State.
	SupplierState invoice.StateCode
	// PGChargeBps is the payment gateway surcharge on the charge before tax, in basis points.
	PGChargeBps int64
	// Email means that the product sends e-mails.
	Email bool
	// WhatsApp means that the product sends messages by WhatsApp.
	WhatsApp bool
}

// Service implements all actions on subscriptions.
type Service struct {
	db       *sqlx.DB
	jobs     *queue.Inserter
	clock    clock.Clock
	plans    *plan.Service
	payments Payments
	config   Config
	messages *message.Enqueuer
	logger   *slog.Logger
	store    store
}

// Options are the parts and settings of a Service. NewService panics if a part is nil.
type Options struct {
	DB       *sqlx.DB
	Jobs     *queue.Inserter
	Clock    clock.Clock
	Plans    *plan.Service
	Payments Payments
	Config   Config
	Logger   *slog.Logger
}

// NewService returns a service.
func NewService(o Options) *Service {
	return wiring.Complete(&Service{
		db: o.DB, jobs: o.Jobs, clock: o.Clock, plans: o.Plans, payments: o.Payments, config: o.Config,
		messages: message.NewEnqueuer(message.EnqueuerOptions{Jobs: o.Jobs, Email: o.Config.Email, WhatsApp: o.Config.WhatsApp}),
		logger:   o.Logger, store: store{db: o.DB},
	})
}

// LockTx sets the transaction's franchiser and serialises all changes of its money until the transaction ends. Checkout, settlement and
// subscription changes never run concurrently for one franchiser.
func LockTx(ctx context.Context, tx *sqlx.Tx, franchiserID string) error {
	if _, err := tx.ExecContext(ctx, lockSQL, franchiserID); err != nil {
		return fmt.Errorf("lock franchiser: %w", err)
	}
	return nil
}

// InLockedTx runs fn in a transaction that begins with LockTx, in one round trip.
func InLockedTx(ctx context.Context, db *sqlx.DB, franchiserID string, fn func(tx *sqlx.Tx) error) error {
	return postgres.InLockedTenantTx(ctx, db, franchiserID, lockNumber, fn)
}

// RequireNoErasureTx returns ErrErasureScheduled if the franchiser's account is scheduled for erasure, when nothing may be sold to it.
func (s *Service) RequireNoErasureTx(ctx context.Context, tx *sqlx.Tx, franchiserID string) error {
	return s.store.stays(ctx, tx, franchiserID)
}

// Now is the present business time, for example for file names.
func (s *Service) Now() time.Time { return s.clock.Now() }
