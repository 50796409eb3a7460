// Package credential checks the password and the authenticator app of people who are signed in.
package credential

import (
	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/guard"
	"github.com/franchise360/franchise360/pkg/platform/password"
	"github.com/franchise360/franchise360/pkg/platform/ratelimit"
	"github.com/franchise360/franchise360/pkg/platform/secret"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
)

// Options are the parts of a Service. New panics if a part is nil.
type Options struct {
	DB        *sqlx.DB
	Clock     clock.Clock
	Keys      secret.Keyring
	Limiter   *ratelimit.Limiter
	Limits    guard.Limits
	Passwords *password.Hasher
}

// Service checks proofs, and manages authenticator apps.
type Service struct {
	db        *sqlx.DB
	clock     clock.Clock
	keys      secret.Keyring
	limiter   *ratelimit.Limiter
	limits    guard.Limits
	passwords *password.Hasher
}

// New returns a Service. It panics if a part is missing.
func New(o Options) *Service {
	return wiring.Complete(&Service{
		db: o.DB, clock: o.Clock, keys: o.Keys, limiter: o.Limiter, limits: o.Limits, passwords: o.Passwords,
	})
}
