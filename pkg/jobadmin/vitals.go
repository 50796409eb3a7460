package jobadmin

import (
	"context"
	"fmt"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
)

// Vitals is how queues, workers and SMS providers stand, for metrics.
type Vitals struct {
	Queues  []Queue
	Workers int
	// Providers says of every SMS provider that ever failed whether it is left out just now.
	Providers map[string]bool
}

// ReadVitals reads how everything stands; it needs nothing but the database.
func ReadVitals(ctx context.Context, db *sqlx.DB) (Vitals, error) {
	var v Vitals
	err := postgres.InTx(ctx, db, func(tx *sqlx.Tx) error {
		if err := tx.SelectContext(ctx, &v.Queues, queuesSQL); err != nil {
			return fmt.Errorf("read queues: %w", err)
		}
		var workers []WorkerProcess
		if err := tx.SelectContext(ctx, &workers, workersSQL); err != nil {
			return fmt.Errorf("read workers: %w", err)
		}
		v.Workers = len(workers)
		var err error
		v.Providers, err = message.LeftOutTx(ctx, tx)
		return err
	})
	return v, err
}
