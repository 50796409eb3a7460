// Package history lists a customer's orders and payments, with what was returned of them.
package history

import (
	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
)

// Options are the parts of a Service. New panics if a part is nil.
type Options struct {
	DB    *sqlx.DB
	Clock clock.Clock
	// Providers describe every gateway that payments may name, configured or not.
	Providers payment.Providers
}

// Service lists orders and payments.
type Service struct {
	db        *sqlx.DB
	clock     clock.Clock
	providers payment.Providers
}

// New returns a Service. It panics if a part is missing.
func New(o Options) *Service {
	return wiring.Complete(&Service{
		db: o.DB, clock: o.Clock, providers: o.Providers,
	})
}
