package support

import (
	"context"
	"encoding/json"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/queue"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
	"github.com/franchise360/franchise360/pkg/staff"
)

// Recorder notes what staff do; staff.Service is the one that does.
type Recorder interface {
	RecordTx(ctx context.Context, tx *sqlx.Tx, p staff.Principal, a staff.Action) error
}

// Customers is what staff work at: it finds customers, shows why things are as they are, and mends jobs.
type Customers struct {
	db       *sqlx.DB
	jobs     *queue.Inserter
	clock    clock.Clock
	recorder Recorder
	inbox    *ContactRequests
}

// NewCustomers returns a desk over the pool; every change it makes is noted by the recorder in the same transaction.
func NewCustomers(db *sqlx.DB, jobs *queue.Inserter, clk clock.Clock, recorder Recorder, inbox *ContactRequests) *Customers {
	return wiring.Complete(&Customers{db: db, jobs: jobs, clock: clk, recorder: recorder, inbox: inbox})
}

// MoveContact is what staff decide about a contact request; Note is what was answered, and stays as it was where it is empty.
type MoveContact struct {
	Status ContactStatus
	Note   string
	Reason string
}

// MoveContact moves a contact request, keeps what was answered, and notes who did it and why.
func (d *Customers) MoveContact(ctx context.Context, p staff.Principal, contactID string, in MoveContact) error {
	if _, err := staff.CleanReason(in.Reason); err != nil {
		return err
	}
	return postgres.InTx(ctx, d.db, func(tx *sqlx.Tx) error {
		before, err := d.inbox.MoveContactTx(ctx, tx, contactID, in, p.StaffID)
		if err != nil {
			return err
		}
		return d.recorder.RecordTx(ctx, tx, p, staff.Action{
			Action: "move_contact", Target: "contact:" + contactID, Reason: in.Reason, Before: text(before), After: text(in.Status),
		})
	})
}

// text is the JSON of a value that always has one.
func text(v any) string {
	b, _ := json.Marshal(v)
	return string(b)
}
