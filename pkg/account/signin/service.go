// Package signin signs people in by password and authenticator code, and resets passwords.
package signin

import (
	"log/slog"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/account/credential"
	"github.com/franchise360/franchise360/pkg/account/otp"
	"github.com/franchise360/franchise360/pkg/account/session"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/guard"
	"github.com/franchise360/franchise360/pkg/platform/password"
	"github.com/franchise360/franchise360/pkg/platform/secret"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
)

// Options are the parts of a Service. New panics if a part is nil.
type Options struct {
	DB          *sqlx.DB
	Cache       *session.Cache
	Clock       clock.Clock
	Keys        secret.Keyring
	Guard       *guard.Guard
	Limits      guard.Limits
	Passwords   *password.Hasher
	Codes       *otp.Service
	Sessions    *session.Service
	Credentials *credential.Service
	Logger      *slog.Logger
}

// Service signs people in.
type Service struct {
	db          *sqlx.DB
	cache       *session.Cache
	clock       clock.Clock
	keys        secret.Keyring
	guard       *guard.Guard
	limits      guard.Limits
	passwords   *password.Hasher
	codes       *otp.Service
	sessions    *session.Service
	credentials *credential.Service
	logger      *slog.Logger
	// failures wait to be kept.
	failures chan failedSignIn
}

// New returns a Service. It panics if a part is missing.
func New(o Options) *Service {
	return wiring.Complete(&Service{
		db: o.DB, cache: o.Cache, clock: o.Clock, keys: o.Keys, guard: o.Guard, limits: o.Limits, passwords: o.Passwords, codes: o.Codes, sessions: o.Sessions, credentials: o.Credentials, logger: o.Logger, failures: make(chan failedSignIn, failedWaiting),
	})
}
