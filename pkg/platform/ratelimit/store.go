package ratelimit

import (
	"context"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/postgres"
)

type store struct{ db *sqlx.DB }

const addSQL = `
	INSERT INTO rate_limits (subject, window_start, hits, expires_at) VALUES ($1, $2, greatest($4::int, 0), $3)
	ON CONFLICT (subject, window_start) DO UPDATE SET hits = greatest(rate_limits.hits + $4::int, 0)
	RETURNING hits`

func (s store) add(ctx context.Context, subject string, start, end time.Time, n int64) (int64, error) {
	var hits int64
	if err := s.db.GetContext(ctx, &hits, addSQL, subject, start, end, n); err != nil {
		return 0, postgres.Error(fmt.Errorf("count hit: %w", err))
	}
	return hits, nil
}

const resetSQL = `DELETE FROM rate_limits WHERE subject = $1 AND window_start = $2`

func (s store) reset(ctx context.Context, subject string, start time.Time) error {
	if _, err := s.db.ExecContext(ctx, resetSQL, subject, start); err != nil {
		return postgres.Error(fmt.Errorf("reset hits: %w", err))
	}
	return nil
}

const purgeSQL = `DELETE FROM rate_limits WHERE expires_at < $1`

// Purge deletes the counts of windows that ended before the given time and returns how many there were.
func Purge(ctx context.Context, db *sqlx.DB, before time.Time) (int64, error) {
	return postgres.DeleteInBatches(ctx, db, purgeSQL, before)
}
