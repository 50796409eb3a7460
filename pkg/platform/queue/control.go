package queue

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/riverqueue/river"

	"github.com/franchise360/franchise360/pkg/platform/errs"
)

// RescueByRiver keeps River's own rescuer idle, because it discards a stuck job of a kind that the leading worker does not know:
// https://github.com/riverqueue/river/issues/1105. Presence rescues stuck jobs instead.
const RescueByRiver = 100 * 365 * 24 * time.Hour

// RescueAfter hands a stuck job to another worker, judging by age alone, so it must be well above every job's timeout.
// Presence takes over the jobs of a dead worker within seconds, and those of a frozen worker that someone is waiting for.
const RescueAfter = 5 * time.Minute

// PauseTx stops the workers from fetching jobs of the queue once tx commits; KindNotFound if no worker knows it.
func (i *Inserter) PauseTx(ctx context.Context, tx *sqlx.Tx, name string) error {
	return controlled(i.client.QueuePauseTx(ctx, tx.Tx, name, nil), "pause queue")
}

// ResumeTx lets the workers fetch jobs of the queue again once tx commits; KindNotFound if no worker knows it.
func (i *Inserter) ResumeTx(ctx context.Context, tx *sqlx.Tx, name string) error {
	return controlled(i.client.QueueResumeTx(ctx, tx.Tx, name, nil), "resume queue")
}

func controlled(err error, what string) error {
	if errors.Is(err, river.ErrNotFound) {
		return errs.NotFound()
	}
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	return nil
}
