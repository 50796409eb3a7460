// Package desk shows staff the payments: those that wait for them, and everything about one.
package desk

import (
	"log/slog"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// Options are the parts of a Service. New panics if a part is nil.
type Options struct {
	DB    *sqlx.DB
	Clock clock.Clock
	// Gateways answer for their own payments.
	Gateways      payment.Gateways
	Subscriptions *subscription.Service
	// Withheld knows the tax that customers deducted.
	Withheld payment.Withheld
	Logger   *slog.Logger
}

// Service follows single payments.
type Service struct {
	db            *sqlx.DB
	clock         clock.Clock
	gateways      payment.Gateways
	subscriptions *subscription.Service
	withheld      payment.Withheld
	logger        *slog.Logger
}

// New returns a Service. It panics if a part is missing.
func New(o Options) *Service {
	return wiring.Complete(&Service{
		db: o.DB, clock: o.Clock, gateways: o.Gateways, subscriptions: o.Subscriptions, withheld: o.Withheld, logger: o.Logger,
	})
}
