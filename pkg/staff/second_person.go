package staff

import (
	"context"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
)

// Tie says why a member and a colleague may be one person, so that neither decides the other's requests: one of them, or a third person
// behind both, opened an account or its sign-in. Names are those of staff.
type Tie struct {
	StaffID      string    `db:"staff_id"` // the colleague
	Until        time.Time `db:"until"`
	Way          string    `db:"way"` // invited, enabled, role or reset
	OpenedAt     time.Time `db:"opened_at"`
	OpenedName   string    `db:"opened_name"`
	OpenedByName string    `db:"opened_by_name"`
}

// ErrOnePerson refuses a decision if the requester may be the same person. The returned error says until when.
var ErrOnePerson = errs.New(errs.KindForbidden, "one_person", "The requester may be the same person as you. Another colleague has to decide.")

// SecondPersonTx returns ErrOnePerson while the acting member of staff may be the requester. Every decision that takes two people must
// call it first; the database's trigger require_second_person refuses the row otherwise. It does not check for the member's own
// requests.
func SecondPersonTx(ctx context.Context, tx *sqlx.Tx, askedBy string, now time.Time) error {
	ties, err := tiesTx(ctx, tx, now)
	if err != nil {
		return err
	}
	for _, t := range ties {
		if t.StaffID == askedBy {
			return t.refusal()
		}
	}
	return nil
}

// refusal names no names, because errors are logged.
func (t Tie) refusal() error {
	const at = "2 January 2006, 15:04"
	e := *ErrOnePerson
	e.Message = "The requester may be the same person as you: one of you opened an account or its sign-in on " +
		t.OpenedAt.In(clock.IST).Format(at) + ". Another colleague has to decide, or you from " + t.from().In(clock.IST).Format(at) + " on."
	return &e
}

// from is the first whole minute at which the two may decide, because texts show no seconds.
func (t Tie) from() time.Time { return t.Until.Add(time.Minute - 1).Truncate(time.Minute) }

func tiesTx(ctx context.Context, tx *sqlx.Tx, now time.Time) (list []Tie, err error) {
	err = tx.SelectContext(ctx, &list, `SELECT staff_id, until, way, opened_at, opened_name, opened_by_name FROM ties_of_staff($1)`, now)
	if err != nil {
		return nil, fmt.Errorf("list whose requests a member of staff cannot decide: %w", err)
	}
	return list, nil
}

// Ties returns the colleagues whose requests the acting member cannot decide yet, the longest first.
func (a *Accounts) Ties(ctx context.Context) (list []Tie, err error) {
	err = postgres.InTx(ctx, a.db, func(tx *sqlx.Tx) error {
		list, err = tiesTx(ctx, tx, a.people.clock.Now())
		return err
	})
	return list, err
}

// Apart is how long an account and its opener cannot decide each other's requests.
func (a *Accounts) Apart() time.Duration { return a.apart }

// forgetOpeningsOf ends the ties of an account to its openers after the operator reset its password and key: only the owner has them
// now. Earlier openers may still control accounts that this account opened, so those accounts become tied to them directly.
func forgetOpeningsOf(ctx context.Context, tx *sqlx.Tx, staffID string, now time.Time) error {
	_, err := tx.ExecContext(ctx, `
		INSERT INTO staff_openings (staff_id, opened_by, way, opened_at, counts_until)
		SELECT o.staff_id, before.opened_by, o.way, o.opened_at, o.counts_until
		FROM staff_openings o JOIN staff_openings before ON before.staff_id = o.opened_by AND before.counts_until > $2
		WHERE o.opened_by = $1 AND o.counts_until > $2 AND before.opened_by <> o.staff_id`, staffID, now)
	if err != nil {
		return fmt.Errorf("keep who opened accounts by way of another: %w", err)
	}
	if _, err := tx.ExecContext(ctx, `DELETE FROM staff_openings WHERE staff_id = $1`, staffID); err != nil {
		return fmt.Errorf("forget who opened an account of staff: %w", err)
	}
	return nil
}
