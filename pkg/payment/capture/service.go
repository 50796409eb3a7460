// Package capture asks the gateway for the outcome of payments, and applies each capture once.
package capture

import (
	"log/slog"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/payment/dispute"
	"github.com/franchise360/franchise360/pkg/payment/receipt"
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
	Settlements   Settlements
	Documents     *receipt.Documents
	Refunds       *refund.Service
	Disputes      *dispute.Service
	// Counts receives business events; payment.Uncounted ignores them.
	Counts payment.Counts
	Logger *slog.Logger
}

// Service verifies payments and applies their outcome.
type Service struct {
	db            *sqlx.DB
	jobs          *queue.Inserter
	clock         clock.Clock
	gateways      payment.Gateways
	subscriptions *subscription.Service
	ledger        payment.Ledger
	settlements   Settlements
	documents     *receipt.Documents
	refunds       *refund.Service
	disputes      *dispute.Service
	counts        payment.Counts
	logger        *slog.Logger
}

// New returns a Service. It panics if a part is missing.
func New(o Options) *Service {
	return wiring.Complete(&Service{
		db: o.DB, jobs: o.Jobs, clock: o.Clock, gateways: o.Gateways, subscriptions: o.Subscriptions, ledger: o.Ledger,
		settlements: o.Settlements, documents: o.Documents, refunds: o.Refunds, disputes: o.Disputes, counts: o.Counts, logger: o.Logger,
	})
}
