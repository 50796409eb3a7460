package settlement

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/staff"
)

// Acknowledgement errors, safe to show.
var (
	// ErrDifferenceClears reports that a later notice or settlement clears a difference of this kind automatically.
	ErrDifferenceClears = errs.New(errs.KindConflict, "difference_clears",
		"This difference clears automatically once the gateway or your decision settles it. It cannot be acknowledged.")
	// ErrDifferenceClosed reports that a difference is no longer open.
	ErrDifferenceClosed = errs.New(errs.KindConflict, "difference_closed", "This difference is not open any more.")
)

// Acknowledge records that a permanent difference is known, with a reason. It no longer counts as open unless a comparison finds it with
// other amounts. It returns errs.NotFound, ErrDifferenceClears, ErrDifferenceClosed, or a validation error for the reason.
func (s *Comparisons) Acknowledge(ctx context.Context, p staff.Principal, differenceID, reason string) (Difference, error) {
	reason, err := staff.CleanReason(reason)
	if err != nil {
		return Difference{}, err
	}
	if !id.Valid(differenceID) {
		return Difference{}, errs.NotFound()
	}
	var d Difference
	err = postgres.InTx(ctx, s.db, func(tx *sqlx.Tx) error {
		if d, err = s.store.difference(ctx, tx, differenceID); err != nil {
			return err
		}
		switch {
		case !d.Open():
			return ErrDifferenceClosed
		case d.Kind.Clears():
			return ErrDifferenceClears
		}
		now := s.clock.Now()
		d.Acknowledged = Acknowledgement{At: &now, By: p.Name, Reason: reason}
		if err := s.store.acknowledge(ctx, tx, d, p.StaffID); err != nil {
			return err
		}
		return s.recorder.RecordTx(ctx, tx, p, staff.Action{
			Action: "acknowledge_difference", Target: "settlements:" + d.Gateway + "/" + d.Day.String(), Reason: reason,
			Before: staff.JSON(map[string]any{
				"difference": d.ID, "kind": d.Kind, "transaction_id": d.TransactionID, "line": d.LineID, "ours_paise": d.Ours, "theirs_paise": d.Theirs,
			}),
			After: staff.JSON(map[string]any{"difference": d.ID, "acknowledged": true}),
		})
	})
	return d, err
}

const (
	// Serialised by the comparison's own lock, because the API's role may not lock rows of the table.
	differenceSQL  = `SELECT ` + differenceColumns + ` FROM settlement_differences WHERE id = $1`
	acknowledgeSQL = `
		UPDATE settlement_differences SET acknowledged_at = $2, acknowledged_by = $3, acknowledged_name = $4, acknowledgement = $5
		WHERE id = $1 AND cleared_at IS NULL AND acknowledged_at IS NULL`
)

// difference returns a difference and blocks comparisons of its gateway until tx ends, or returns errs.NotFound.
func (s store) difference(ctx context.Context, tx *sqlx.Tx, differenceID string) (Difference, error) {
	var d Difference
	err := tx.GetContext(ctx, &d, differenceSQL, differenceID)
	if err == nil {
		if err = s.lockSettlements(ctx, tx, d.Gateway); err != nil {
			return d, err
		}
		err = tx.GetContext(ctx, &d, differenceSQL, differenceID)
	}
	if errors.Is(err, sql.ErrNoRows) {
		return d, errs.NotFound()
	}
	if err != nil {
		return d, fmt.Errorf("read difference: %w", err)
	}
	return d, nil
}

func (store) acknowledge(ctx context.Context, tx *sqlx.Tx, d Difference, staffID string) error {
	_, err := tx.ExecContext(ctx, acknowledgeSQL, d.ID, d.Acknowledged.At, staffID, d.Acknowledged.By, d.Acknowledged.Reason)
	if err != nil {
		return fmt.Errorf("acknowledge difference: %w", err)
	}
	return nil
}
