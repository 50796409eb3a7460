package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
)

// waitingChange is a change of the catalogue that the question tries, whatever its state, or nil.
type waitingChange struct {
	content []byte
	from    time.Time
	loaded  bool
}

// findChange returns the change, or nil without one and for an approved one, which is applied at its time in any case. It returns
// errs.NotFound for an unknown change. A change without a time applies from now on.
func findChange(ctx context.Context, db *sqlx.DB, changeID string, now time.Time) (*waitingChange, error) {
	if changeID == "" {
		return nil, nil //nolint:nilnil // none is no error
	}
	var row struct {
		State   string     `db:"state"`
		Content []byte     `db:"content"`
		From    *time.Time `db:"effective_from"`
	}
	err := db.GetContext(ctx, &row, `SELECT state, content, effective_from FROM catalogue_changes WHERE id = $1`, changeID)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return nil, errs.NotFound()
	case err != nil:
		return nil, fmt.Errorf("read the change of the catalogue: %w", err)
	case row.State == string(plan.ChangeApproved):
		return nil, nil //nolint:nilnil // as above
	}
	w := &waitingChange{content: row.Content, from: now}
	if row.From != nil && row.From.After(now) {
		w.from = *row.From
	}
	return w, nil
}

// load has it sold once its time has come.
func (w *waitingChange) load(ctx context.Context, db *sqlx.DB, clk clock.Clock) error {
	if w == nil || w.loaded || clk.Now().Before(w.from) {
		return nil
	}
	w.loaded = true
	_, err := plan.Load(ctx, db, clk, w.content)
	return err
}
