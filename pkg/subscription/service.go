package subscription

import (
	"context"
	"fmt"
	"log/slog"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/address"
	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/queue"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
)

// Addresses gives the business address that decides the tax; pkg/address fills it.
type Addresses interface {
	BillingTx(ctx context.Context, tx *sqlx.Tx, franchiserID string) (address.BillingAddress, error)
}

// Payments says what came of the payments of orders; pkg/payment fills it.
type Payments interface {
	// PaidOrdersTx names the payment by which each of the orders was paid, by order.
	PaidOrdersTx(ctx context.Context, tx *sqlx.Tx, franchiserID string, orderIDs []string) (map[string]string, error)
	// GivenBackTx are the refunds of the payments that are under way or were taken by a bank; the one with the id except counts as
	// not made.
	GivenBackTx(ctx context.Context, tx *sqlx.Tx, franchiserID string, paymentIDs []string, except string) ([]invoice.GivenBack, error)
}

// Config is what the operator decides.
type Config struct {
	// SupplierState is the GST code of the operator's State.
	SupplierState invoice.StateCode
	// PGChargeBps is the surcharge for the gateway on the charge before tax, in basis points.
	PGChargeBps int64
}

// Service is what can be done with subscriptions.
type Service struct {
	db        *sqlx.DB
	jobs      *queue.Inserter
	clock     clock.Clock
	plans     *plan.Service
	addresses Addresses
	payments  Payments
	config    Config
	logger    *slog.Logger
	store     store
}

// NewService returns a service over the pool.
func NewService(db *sqlx.DB, jobs *queue.Inserter, clk clock.Clock, plans *plan.Service, addresses Addresses, payments Payments,
	config Config, logger *slog.Logger,
) *Service {
	return wiring.Complete(&Service{
		db: db, jobs: jobs, clock: clk, plans: plans, addresses: addresses, payments: payments, config: config,
		logger: logger, store: store{db: db},
	})
}

// LockTx sets the franchiser of the transaction and makes all that moves its money take turns until the transaction
// ends: checkout, settlement and changes of a subscription never run twice at once for one franchiser.
func LockTx(ctx context.Context, tx *sqlx.Tx, franchiserID string) error {
	if _, err := tx.ExecContext(ctx, lockSQL, franchiserID); err != nil {
		return fmt.Errorf("lock franchiser: %w", err)
	}
	return nil
}

// StaysTx returns ErrErasureScheduled where the franchiser's account is to be erased: nothing is sold to it then.
func (s *Service) StaysTx(ctx context.Context, tx *sqlx.Tx, franchiserID string) error {
	return s.store.stays(ctx, tx, franchiserID)
}
