package erasure

import (
	"context"
	"log/slog"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/account"
	"github.com/franchise360/franchise360/pkg/account/internal/store"
	"github.com/franchise360/franchise360/pkg/account/otp"
	"github.com/franchise360/franchise360/pkg/account/session"
	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/guard"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/ratelimit"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
	"github.com/franchise360/franchise360/pkg/staff"
)

const (
	// keepEnded is how long support can still see codes and sessions that ended.
	keepEnded = 30 * 24 * time.Hour
	// erasuresAtOnce bounds the erasures of one run; the next one takes the rest.
	erasuresAtOnce = 500
)

// Cleanup deletes what ended long ago and erases the accounts that are due; it lives in the worker.
type Cleanup struct {
	db      *sqlx.DB
	cache   *session.Cache
	clock   clock.Clock
	records []account.PersonalData
	debts   account.Debts
	logger  *slog.Logger
	more    []Purge
}

// Purge deletes what another domain no longer keeps at a moment, in bounded steps.
type Purge func(ctx context.Context, db *sqlx.DB, now time.Time) error

// CleanupOptions are the parts of a Cleanup. NewCleanup panics if a part is nil.
type CleanupOptions struct {
	DB    *sqlx.DB
	Cache *session.Cache
	Clock clock.Clock
	// Records are the other domains' data that an erasure reaches.
	Records []account.PersonalData
	Debts   account.Debts
	// Purges delete by age what other domains keep, in this order.
	Purges []Purge
	Logger *slog.Logger
}

// NewCleanup returns a clean-up.
func NewCleanup(o CleanupOptions) *Cleanup {
	return wiring.Complete(&Cleanup{
		db: o.DB, cache: o.Cache, clock: o.Clock, records: o.Records, debts: o.Debts, more: o.Purges, logger: o.Logger,
	})
}

// Purge deletes codes, sign-ups, verifications, challenges, sessions (of staff too), failed sign-ins, counts and message records that ended
// thirty days ago; then the expired rows of other domains.
func (j *Cleanup) Purge(ctx context.Context) error {
	before := j.clock.Now().Add(-keepEnded)
	for _, query := range purges() {
		if _, err := postgres.DeleteInBatches(ctx, j.db, query, before); err != nil {
			return err
		}
	}
	day, _ := otp.SendDay(before)
	if _, err := postgres.DeleteInBatches(ctx, j.db, purgeSendsSQL, day); err != nil {
		return err
	}
	if err := staff.Purge(ctx, j.db, before); err != nil {
		return err
	}
	if err := message.Purge(ctx, j.db, before); err != nil {
		return err
	}
	if err := guard.Purge(ctx, j.db, j.clock.Now()); err != nil {
		return err
	}
	if _, err := ratelimit.Purge(ctx, j.db, j.clock.Now()); err != nil {
		return err
	}
	for _, purge := range j.more {
		if err := purge(ctx, j.db, j.clock.Now()); err != nil {
			return err
		}
	}
	return nil
}

// EraseDue erases every account whose seven days are over and to which no money is owed, each in a separate transaction. Running it twice
// changes nothing. An account that is owed money waits for a later run, and does not delay the others.
func (j *Cleanup) EraseDue(ctx context.Context) error {
	before := j.clock.Now().Add(-account.ErasureDelay)
	var erased, waiting int
	for after := ""; erased < erasuresAtOnce; {
		ids, err := dueErasures(ctx, j.db, before, after, erasuresAtOnce-erased)
		if err != nil {
			return err
		}
		if len(ids) == 0 {
			break
		}
		for _, franchiserID := range ids {
			owed, err := j.erase(ctx, franchiserID, before)
			switch {
			case err != nil:
				return err
			case owed:
				waiting++
			default:
				erased++
			}
		}
		after = ids[len(ids)-1]
	}
	if erased+waiting > 0 {
		j.logger.InfoContext(ctx, "accounts erased", slog.Int("count", erased), slog.Int("owed_money", waiting))
	}
	return nil
}

// erase says whether the account stays because money is owed to it.
func (j *Cleanup) erase(ctx context.Context, franchiserID string, before time.Time) (waits bool, err error) {
	var dead [][]byte
	err = postgres.InTenantTx(ctx, j.db, franchiserID, func(tx *sqlx.Tx) error {
		owed, err := j.debts.LockOwedTx(ctx, tx, franchiserID)
		if err != nil {
			return err
		}
		if waits = owed > 0; waits {
			return nil
		}
		var mobile string
		due, err := store.Found(ctx, tx, &mobile, "lock erasure", lockErasureSQL, franchiserID, before)
		if err != nil || !due { // withdrawn, or erased by another worker
			return err
		}
		for _, r := range j.records {
			if err := r.EraseTx(ctx, tx, franchiserID); err != nil {
				return err
			}
		}
		now := j.clock.Now()
		if dead, err = session.EndSessionsTx(ctx, tx, franchiserID, session.EndErased, nil, nil, now); err != nil {
			return err
		}
		return eraseTx(ctx, tx, franchiserID, mobile, now)
	})
	if err != nil {
		return false, err
	}
	j.cache.End(ctx, dead)
	return waits, nil
}
