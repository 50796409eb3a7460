// Package erasure exports personal data, and erases accounts seven days after their owners requested it.
package erasure

import (
	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/account"
	"github.com/franchise360/franchise360/pkg/account/credential"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/queue"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
)

// Options are the parts of a Service. New panics if a part is nil.
type Options struct {
	DB          *sqlx.DB
	Jobs        *queue.Inserter
	Clock       clock.Clock
	Debts       account.Debts
	Credentials *credential.Service
	// Records are the other domains' data that an export and an erasure reach.
	Records []account.PersonalData
}

// Service exports and erases accounts for their owners.
type Service struct {
	db          *sqlx.DB
	jobs        *queue.Inserter
	clock       clock.Clock
	debts       account.Debts
	credentials *credential.Service
	records     []account.PersonalData
}

// New returns a Service. It panics if a part is missing.
func New(o Options) *Service {
	return wiring.Complete(&Service{
		db: o.DB, jobs: o.Jobs, clock: o.Clock, debts: o.Debts, credentials: o.Credentials, records: o.Records,
	})
}
