package jobadmin

import (
	"context"
	"fmt"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
)

// Vitals is the state of queues, workers and SMS providers, for metrics.
type Vitals struct {
	Queues  []Queue
	Workers int
	// Providers reports for every SMS provider that ever failed whether it is currently skipped.
	Providers map[string]bool
}

// ReadVitals reads the current state; it needs only the database.
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
		v.Providers, err = message.SkippedProvidersTx(ctx, tx)
		return err
	})
	return v, err
}
