// Package dispute records chargebacks, asks the gateway about them, and books the lost ones.
package dispute

import (
	"log/slog"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/payment/refund"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/queue"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// Options are the parts of a Service. New panics if a part is nil.
type Options struct {
	DB    *sqlx.DB
	Jobs  *queue.Inserter
	Clock clock.Clock
	// Gateways answer for their own payments.
	Gateways      payment.Gateways
	Subscriptions *subscription.Service
	Ledger        payment.Ledger
	Refunds       *refund.Service
	Logger        *slog.Logger
}

// Service records and decides disputes, with the worker's role.
type Service struct {
	db            *sqlx.DB
	jobs          *queue.Inserter
	clock         clock.Clock
	gateways      payment.Gateways
	subscriptions *subscription.Service
	ledger        payment.Ledger
	refunds       *refund.Service
	logger        *slog.Logger
}

// New returns a Service. It panics if a part is missing.
func New(o Options) *Service {
	return wiring.Complete(&Service{
		db: o.DB, jobs: o.Jobs, clock: o.Clock, gateways: o.Gateways,
		subscriptions: o.Subscriptions, ledger: o.Ledger, refunds: o.Refunds, logger: o.Logger,
	})
}
