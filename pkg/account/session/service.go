// Package session keeps the sessions of people who signed in, in their own account or in another.
package session

import (
	"log/slog"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/account"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/secret"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
)

// Options are the parts of a Service. New panics if a part is nil.
type Options struct {
	DB    *sqlx.DB
	Cache *Cache
	Clock clock.Clock
	Keys  secret.Keyring
	// Subscriptions is asked at every sign-in.
	Subscriptions account.Subscriptions
	Logger        *slog.Logger
}

// Service begins, renews and ends sessions.
type Service struct {
	db     *sqlx.DB
	cache  *Cache
	clock  clock.Clock
	keys   secret.Keyring
	subs   account.Subscriptions
	logger *slog.Logger
}

// New returns a Service. It panics if a part is missing.
func New(o Options) *Service {
	return wiring.Complete(&Service{
		db: o.DB, cache: o.Cache, clock: o.Clock, keys: o.Keys, subs: o.Subscriptions, logger: o.Logger,
	})
}
