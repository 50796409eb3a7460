// Package team keeps the members of an account, their roles and their invitations.
package team

import (
	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/account"
	"github.com/franchise360/franchise360/pkg/account/credential"
	"github.com/franchise360/franchise360/pkg/account/otp"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/queue"
	"github.com/franchise360/franchise360/pkg/platform/secret"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
)

// Options are the parts of a Service. New panics if a part is nil.
type Options struct {
	DB          *sqlx.DB
	Jobs        *queue.Inserter
	Clock       clock.Clock
	Keys        secret.Keyring
	Debts       account.Debts
	Codes       *otp.Service
	Credentials *credential.Service
}

// Service manages teams.
type Service struct {
	db          *sqlx.DB
	jobs        *queue.Inserter
	clock       clock.Clock
	keys        secret.Keyring
	debts       account.Debts
	codes       *otp.Service
	credentials *credential.Service
}

// New returns a Service. It panics if a part is missing.
func New(o Options) *Service {
	return wiring.Complete(&Service{
		db: o.DB, jobs: o.Jobs, clock: o.Clock, keys: o.Keys, debts: o.Debts, codes: o.Codes, credentials: o.Credentials,
	})
}
