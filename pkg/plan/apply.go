package plan

import (
	"context"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
)

// ApplyArgs applies the approved change that is due.
type ApplyArgs struct{}

// Kind returns the job's name.
func (ApplyArgs) Kind() string { return "apply_catalogue" }

// Applier puts approved changes of the catalogue on sale, at their time. It runs with the worker's role.
type Applier struct {
	db    *sqlx.DB
	clock clock.Clock
	store changeStore
}

// NewApplier returns an applier on the worker's pool.
func NewApplier(db *sqlx.DB, clk clock.Clock) *Applier {
	return wiring.Complete(&Applier{db: db, clock: clk})
}

// Apply makes the due change the newest revision, once even if several workers try, and returns how many changes it ended. A change
// fails, with the reason for staff, if its base is no longer sold.
func (a *Applier) Apply(ctx context.Context) (done int, err error) {
	for {
		more := false
		err := postgres.InTx(ctx, a.db, func(tx *sqlx.Tx) error {
			c, err := a.store.maybe(ctx, tx, dueChangeSQL, a.clock.Now())
			if err != nil || c == nil {
				return err
			}
			more = true
			return a.applyTx(ctx, tx, *c, a.clock.Now())
		})
		if err != nil || !more {
			return done, err
		}
		done++
	}
}

func (a *Applier) applyTx(ctx context.Context, tx *sqlx.Tx, c Change, now time.Time) error {
	if _, err := tx.ExecContext(ctx, lockCatalogueSQL); err != nil {
		return err
	}
	newest, err := store{}.newest(ctx, tx)
	if err != nil {
		return err
	}
	to := ChangeApplied
	problem := c.Content.validate()
	switch {
	case newest != c.BaseRevision:
		to, c.Outcome = ChangeFailed, "Another catalogue was loaded after this change was approved, so it was not applied. Start a new draft from it."
	case problem != nil:
		to, c.Outcome = ChangeFailed, "This catalogue could not be sold: "+problem.Error()
	default:
		revision, err := store{}.save(ctx, tx, c.Content.Document, c.Content.fingerprint(), now)
		if err != nil {
			return err
		}
		c.Revision = &revision
	}
	if err := changeStates().Move(&c.State, to); err != nil {
		return err
	}
	c.FinishedAt = &now
	return a.store.finish(ctx, tx, c)
}
