// Package signup creates accounts for people who prove their mobile number.
package signup

import (
	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/account"
	"github.com/franchise360/franchise360/pkg/account/otp"
	"github.com/franchise360/franchise360/pkg/account/profile"
	"github.com/franchise360/franchise360/pkg/account/session"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/password"
	"github.com/franchise360/franchise360/pkg/platform/secret"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
)

// Options are the parts of a Service. New panics if a part is nil.
type Options struct {
	DB        *sqlx.DB
	Clock     clock.Clock
	Keys      secret.Keyring
	Passwords *password.Hasher
	Trials    account.TrialStarter
	Codes     *otp.Service
	Sessions  *session.Service
	Profiles  *profile.Service
}

// Service signs people up.
type Service struct {
	db        *sqlx.DB
	clock     clock.Clock
	keys      secret.Keyring
	passwords *password.Hasher
	trials    account.TrialStarter
	codes     *otp.Service
	sessions  *session.Service
	profiles  *profile.Service
}

// New returns a Service. It panics if a part is missing.
func New(o Options) *Service {
	return wiring.Complete(&Service{
		db: o.DB, clock: o.Clock, keys: o.Keys, passwords: o.Passwords, trials: o.Trials, codes: o.Codes, sessions: o.Sessions, profiles: o.Profiles,
	})
}
