// Package otp sends one-time codes and notices by SMS, within the limits of each day, and judges the codes that people enter.
package otp

import (
	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/account"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/guard"
	"github.com/franchise360/franchise360/pkg/platform/queue"
	"github.com/franchise360/franchise360/pkg/platform/ratelimit"
	"github.com/franchise360/franchise360/pkg/platform/secret"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
)

// Options are the parts of a Service. New panics if a part is nil.
type Options struct {
	DB      *sqlx.DB
	Jobs    *queue.Inserter
	Clock   clock.Clock
	Keys    secret.Keyring
	Limiter *ratelimit.Limiter
	Guard   *guard.Guard
	Limits  guard.Limits
	// Subscriptions is asked at every sign-in.
	Subscriptions account.Subscriptions
	Debts         account.Debts
}

// Service sends codes and judges them.
type Service struct {
	db      *sqlx.DB
	jobs    *queue.Inserter
	clock   clock.Clock
	keys    secret.Keyring
	limiter *ratelimit.Limiter
	guard   *guard.Guard
	limits  guard.Limits
	subs    account.Subscriptions
	debts   account.Debts
}

// New returns a Service. It panics if a part is missing.
func New(o Options) *Service {
	return wiring.Complete(&Service{
		db: o.DB, jobs: o.Jobs, clock: o.Clock, keys: o.Keys, limiter: o.Limiter, guard: o.Guard, limits: o.Limits, subs: o.Subscriptions, debts: o.Debts,
	})
}
