package main

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/app"
	"github.com/franchise360/franchise360/pkg/ledger"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/process"
	"github.com/franchise360/franchise360/pkg/settlement"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/worker/job"
)

// lastChecks reports the stored findings of the latest daily and hourly checks to the metrics. A metric set only by the worker that ran the
// check would vanish when that process ends, together with its alert.
type lastChecks struct {
	db          *sqlx.DB
	settlements *settlement.Service
	auditor     *staff.Auditor
	meter       job.Checks
}

func newLastChecks(c *process.Connections, w *app.Worker) *lastChecks {
	return &lastChecks{db: c.DB, settlements: w.Settlements, auditor: w.Auditor, meter: c.Meter()}
}

// never is when a check ended that never did: an alert that it was not made for days is then about it, too. At a first start the checks are
// made at once.
func never() time.Time { return time.Unix(0, 0) }

// tell reads the last results.
func (l *lastChecks) tell(ctx context.Context) error {
	if err := l.tellBooks(ctx); err != nil {
		return err
	}
	open, at, err := l.settlements.LastCompared(ctx)
	if err != nil {
		return err
	}
	compared := never()
	if at != nil {
		compared = *at
	}
	l.meter.Checked("settlements", open, compared)
	trail, err := l.auditor.LastCheck(ctx)
	if err != nil || trail == nil {
		return err
	}
	l.meter.Checked("audit_trail", job.Broken(*trail), trail.At)
	return nil
}

func (l *lastChecks) tellBooks(ctx context.Context) error {
	return postgres.InTx(ctx, l.db, func(tx *sqlx.Tx) error {
		last, err := ledger.LastCheckTx(ctx, tx)
		if errors.Is(err, sql.ErrNoRows) {
			l.meter.Checked("books", 0, never())
			return nil
		}
		if err == nil {
			l.meter.Checked("books", last.Findings, last.At)
		}
		return err
	})
}
