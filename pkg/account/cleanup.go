package account

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/guard"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/ratelimit"
	"github.com/franchise360/franchise360/pkg/platform/redis"
	"github.com/franchise360/franchise360/pkg/platform/secret"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
	"github.com/franchise360/franchise360/pkg/textmessage"
)

const (
	// keepEnded is how long support can still see codes and sessions that ended.
	keepEnded = 30 * 24 * time.Hour
	// erasuresAtOnce bounds one run; the next one takes the rest.
	erasuresAtOnce = 500
)

// Cleanup deletes what ended long ago and erases the accounts that are due; it lives in the worker.
type Cleanup struct {
	db      *sqlx.DB
	cache   cache
	clock   clock.Clock
	records []PersonalData
	logger  *slog.Logger
}

// NewCleanup returns a janitor; records are the other domains' data that an erasure reaches.
func NewCleanup(db *sqlx.DB, r *redis.Client, keys secret.Keyring, clk clock.Clock, records []PersonalData, logger *slog.Logger) *Cleanup {
	return wiring.Complete(&Cleanup{
		db: db, cache: cache{redis: r, keys: keys}, clock: clk, records: records, logger: logger,
	})
}

// Purge deletes codes, sign-ups, verifications, challenges, sessions, failed sign-ins and counts that ended thirty days ago,
// and what is known of messages sent before then.
func (j *Cleanup) Purge(ctx context.Context) error {
	before := j.clock.Now().Add(-keepEnded)
	for _, query := range purges() {
		if _, err := j.db.ExecContext(ctx, query, before); err != nil {
			return postgres.Error(fmt.Errorf("purge: %w", err))
		}
	}
	day, _ := sendDay(before)
	if _, err := j.db.ExecContext(ctx, purgeSendsSQL, day); err != nil {
		return postgres.Error(fmt.Errorf("purge sends: %w", err))
	}
	if err := textmessage.Purge(ctx, j.db, before); err != nil {
		return err
	}
	if err := guard.Purge(ctx, j.db, j.clock.Now()); err != nil {
		return err
	}
	_, err := ratelimit.Purge(ctx, j.db, j.clock.Now())
	return err
}

// EraseDue erases every account whose seven days are over, each in a transaction of its own; run twice it changes nothing.
func (j *Cleanup) EraseDue(ctx context.Context) error {
	before := j.clock.Now().Add(-ErasureDelay)
	ids, err := dueErasures(ctx, j.db, before, erasuresAtOnce)
	if err != nil {
		return err
	}
	for _, franchiserID := range ids {
		if err := j.erase(ctx, franchiserID, before); err != nil {
			return err
		}
	}
	if len(ids) > 0 {
		j.logger.InfoContext(ctx, "accounts erased", slog.Int("count", len(ids)))
	}
	return nil
}

func (j *Cleanup) erase(ctx context.Context, franchiserID string, before time.Time) error {
	var dead [][]byte
	err := postgres.InTenantTx(ctx, j.db, franchiserID, func(tx *sqlx.Tx) error {
		var mobile string
		due, err := found(ctx, tx, &mobile, "lock erasure", lockErasureSQL, franchiserID, before)
		if err != nil || !due { // withdrawn, or erased by another worker
			return err
		}
		for _, r := range j.records {
			if err := r.EraseTx(ctx, tx, franchiserID); err != nil {
				return err
			}
		}
		now := j.clock.Now()
		if dead, err = endSessionsTx(ctx, tx, franchiserID, endErased, nil, nil, now); err != nil {
			return err
		}
		return eraseTx(ctx, tx, franchiserID, mobile, now)
	})
	if err != nil {
		return err
	}
	j.cache.end(ctx, dead)
	return nil
}
