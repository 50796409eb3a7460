// Package profile keeps a person's name, languages, e-mail address and mobile number.
package profile

import (
	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/account"
	"github.com/franchise360/franchise360/pkg/account/credential"
	"github.com/franchise360/franchise360/pkg/account/otp"
	"github.com/franchise360/franchise360/pkg/account/session"
	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/guard"
	"github.com/franchise360/franchise360/pkg/platform/queue"
	"github.com/franchise360/franchise360/pkg/platform/secret"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
)

// Options are the parts of a Service. New panics if a part is nil.
type Options struct {
	DB          *sqlx.DB
	Jobs        *queue.Inserter
	Cache       *session.Cache
	Clock       clock.Clock
	Keys        secret.Keyring
	Limits      guard.Limits
	Messages    *message.Enqueuer
	Codes       *otp.Service
	Credentials *credential.Service
	// Records are the other domains' data that knows an account by its mobile.
	Records []account.PersonalData
}

// Service changes profiles.
type Service struct {
	db          *sqlx.DB
	jobs        *queue.Inserter
	cache       *session.Cache
	clock       clock.Clock
	keys        secret.Keyring
	limits      guard.Limits
	messages    *message.Enqueuer
	codes       *otp.Service
	credentials *credential.Service
	mover       *Mover
}

// New returns a Service. It panics if a part is missing.
func New(o Options) *Service {
	return wiring.Complete(&Service{
		db: o.DB, jobs: o.Jobs, cache: o.Cache, clock: o.Clock, keys: o.Keys, limits: o.Limits, messages: o.Messages, codes: o.Codes, credentials: o.Credentials, mover: NewMover(o.Jobs, o.Records),
	})
}
