// Package checkout prices purchases, requests their payment, and opens sessions at the gateway.
package checkout

import (
	"log/slog"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/payment"
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
	// Gateways answer for their own payments; new payments use the first. At least one is needed.
	Gateways payment.Gateways
	// Providers describe every gateway that payments may name, configured or not.
	Providers     payment.Providers
	Subscriptions *subscription.Service
	// PublicURL is the site's address without a trailing slash.
	PublicURL string
	Logger    *slog.Logger
}

// Service requests payments.
type Service struct {
	db            *sqlx.DB
	jobs          *queue.Inserter
	clock         clock.Clock
	gateways      payment.Gateways
	providers     payment.Providers
	subscriptions *subscription.Service
	publicURL     string
	logger        *slog.Logger
}

// New returns a Service. It panics if a part is missing or there is no gateway.
func New(o Options) *Service {
	if len(o.Gateways) == 0 {
		panic("checkout.Service has no gateway")
	}
	return wiring.Complete(&Service{
		db: o.DB, jobs: o.Jobs, clock: o.Clock, gateways: o.Gateways,
		providers: o.Providers, subscriptions: o.Subscriptions, publicURL: o.PublicURL, logger: o.Logger,
	})
}
