// Package notice stores what gateways and browsers report about payments, and has the worker ask the gateway.
package notice

import (
	"log/slog"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/queue"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
)

// Options are the parts of a Service. New panics if a part is nil.
type Options struct {
	DB    *sqlx.DB
	Jobs  *queue.Inserter
	Clock clock.Clock
	// Gateways answer for their own payments.
	Gateways payment.Gateways
	Logger   *slog.Logger
}

// Service receives notices, with the API's role.
type Service struct {
	db       *sqlx.DB
	jobs     *queue.Inserter
	clock    clock.Clock
	gateways payment.Gateways
	logger   *slog.Logger
}

// New returns a Service. It panics if a part is missing.
func New(o Options) *Service {
	return wiring.Complete(&Service{
		db: o.DB, jobs: o.Jobs, clock: o.Clock, gateways: o.Gateways, logger: o.Logger,
	})
}
