package delivery

import (
	"context"
	"slices"
	"strconv"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// Recorder records staff actions in the transaction that performs them; staff.Service implements it.
type Recorder interface {
	RecordTx(ctx context.Context, tx *sqlx.Tx, p staff.Principal, a staff.Action) error
}

// Desk is where staff see to deliveries. It runs with the API's role.
type Desk struct {
	db       *sqlx.DB
	clock    clock.Clock
	recorder Recorder
	late     plan.LateCredit
	store    store
}

// NewDesk returns a desk over the API's pool. late is the operator's credit for late deliveries.
func NewDesk(db *sqlx.DB, clk clock.Clock, recorder Recorder, late plan.LateCredit) *Desk {
	return wiring.Complete(&Desk{db: db, clock: clk, recorder: recorder, late: late})
}

// The filters of the staff list that are not a state.
const (
	// FilterOpen selects undelivered items, FilterLate the late ones among them.
	FilterOpen = "open"
	FilterLate = "late"
	// FilterDue selects deliveries promised within three days.
	FilterDue = "due"
	// FilterUnanswered selects deliveries whose customer did not answer two reminders.
	FilterUnanswered = "unanswered"
	// FilterProvided selects deliveries on which staff did nothing since the customer sent what is needed. It omits late ones.
	FilterProvided = "provided"
)

// Filter selects deliveries for staff. Empty fields select everything.
type Filter struct {
	// State is a state or one of the filters above.
	State string
	// How is the way of delivery.
	How string
	// Owner is "me", "nobody", or empty.
	Owner string
	// CustomerID selects one customer.
	CustomerID string
	// Search is a part of the item's name.
	Search string
}

// Row is a delivery with its customer's name.
type Row struct {
	Delivery

	Customer string `db:"customer"`
	Total    int    `db:"total"`
}

// Today is the day by which deliveries are late.
func (d *Desk) Today() subscription.Day { return subscription.DayOf(d.clock.Now()) }

// List returns deliveries in the order of their promised days, and how many there are in all, up to 10,001.
func (d *Desk) List(ctx context.Context, p staff.Principal, f Filter, limit, offset int) (rows []Row, total int, err error) {
	err = postgres.InTx(ctx, d.db, func(tx *sqlx.Tx) error {
		rows, total, err = d.store.list(ctx, tx, p.StaffID, f, d.Today(), limit, offset)
		return err
	})
	return rows, total, err
}

// Event is one step of a delivery's history.
type Event struct {
	Kind  string    `db:"kind"`
	From  State     `db:"from_state"`
	To    State     `db:"to_state"`
	Note  string    `db:"note"`
	Actor string    `db:"actor"`
	Staff string    `db:"staff"`
	At    time.Time `db:"at"`
}

// Colleague is a member of staff who can be responsible.
type Colleague struct {
	ID   string `db:"id"`
	Name string `db:"name"`
}

// Opened is a delivery with its history, latest first, and the colleagues who can be responsible.
type Opened struct {
	Delivery

	Events     []Event
	Colleagues []Colleague
	// Credit is nil if the operator gives no credit.
	Credit *Credit
}

// Open returns one delivery of a customer, or errs.NotFound.
func (d *Desk) Open(ctx context.Context, franchiserID, deliveryID string) (o Opened, err error) {
	err = postgres.InTenantTx(ctx, d.db, franchiserID, func(tx *sqlx.Tx) error {
		if o.Delivery, err = d.store.one(ctx, tx, franchiserID, deliveryID); err != nil {
			return err
		}
		one := []Delivery{o.Delivery}
		if err := d.store.addFiles(ctx, tx, franchiserID, one); err != nil {
			return err
		}
		o.Delivery = one[0]
		if o.Credit, err = d.lateCreditTx(ctx, tx, o.Delivery); err != nil {
			return err
		}
		if o.Events, err = d.store.events(ctx, tx, franchiserID, deliveryID); err != nil {
			return err
		}
		o.Colleagues, err = d.store.colleagues(ctx, tx)
		return err
	})
	return o, err
}

// errMoved refuses a change of a delivery that another person changed.
func errMoved() error {
	return errs.New(errs.KindConflict, "conflict", "This delivery was changed meanwhile. Look at it again.")
}

// Change moves a delivery that staff saw in the revision, and records it. The reason is required, and only staff see it.
func (d *Desk) Change(ctx context.Context, p staff.Principal, franchiserID, deliveryID string, revision int, c Change) error {
	var err error
	if c.Reason, err = staff.CleanReason(c.Reason); err != nil {
		return err
	}
	return postgres.InTenantTx(ctx, d.db, franchiserID, func(tx *sqlx.Tx) error {
		before, err := d.store.lock(ctx, tx, franchiserID, deliveryID)
		if err != nil {
			return err
		}
		if before.Revision != revision {
			return errMoved()
		}
		c, err := c.clean(before)
		if err != nil {
			return err
		}
		after, err := d.store.with(ctx, tx, before, c, d.clock.Now())
		if err != nil {
			return err
		}
		e := event{id: id.New(), kind: eventNoted, from: before.State, note: c.Reason}
		if after.State != before.State {
			e.kind = eventMoved
		}
		return d.keepTx(ctx, tx, p, before, after, e, "change_delivery", c.Reason)
	})
}

// Assign makes a colleague responsible for a delivery that staff saw in the revision, and records it. A nil staffID removes the colleague.
func (d *Desk) Assign(ctx context.Context, p staff.Principal, franchiserID, deliveryID string, revision int, staffID *string) error {
	return postgres.InTenantTx(ctx, d.db, franchiserID, func(tx *sqlx.Tx) error {
		before, err := d.store.lock(ctx, tx, franchiserID, deliveryID)
		if err != nil {
			return err
		}
		if before.Revision != revision {
			return errMoved()
		}
		after := before
		after.StaffID, after.Staff = staffID, ""
		after.Revision++
		after.UpdatedAt = d.clock.Now()
		if staffID != nil {
			if after.Staff, err = d.colleague(ctx, tx, *staffID); err != nil {
				return err
			}
		}
		return d.keepTx(ctx, tx, p, before, after, event{id: id.New(), kind: eventAssigned, from: before.State, note: after.Staff}, "assign_delivery", "Chose who delivers it.")
	})
}

// Check records which steps of the checklist are done, of a delivery that staff saw in the revision.
func (d *Desk) Check(ctx context.Context, p staff.Principal, franchiserID, deliveryID string, revision int, done []string) error {
	return postgres.InTenantTx(ctx, d.db, franchiserID, func(tx *sqlx.Tx) error {
		before, err := d.store.lock(ctx, tx, franchiserID, deliveryID)
		if err != nil {
			return err
		}
		if before.Revision != revision || before.State == StateEnded {
			return errMoved()
		}
		after := before
		after.DoneSteps = pq.StringArray{}
		for _, step := range before.Steps() {
			if slices.Contains(done, step) {
				after.DoneSteps = append(after.DoneSteps, step)
			}
		}
		var v errs.Validation
		v.Check(len(after.DoneSteps) == len(done), "steps", "The checklist has no such step.")
		if err := v.Err(); err != nil {
			return err
		}
		after.Revision++
		after.UpdatedAt = d.clock.Now()
		note := strconv.Itoa(len(done)) + " of " + strconv.Itoa(len(before.Steps())) + " steps"
		return d.keepTx(ctx, tx, p, before, after, event{id: id.New(), kind: eventChecked, from: before.State, note: note}, "check_delivery", "Recorded the done steps.")
	})
}

func (d *Desk) colleague(ctx context.Context, tx *sqlx.Tx, staffID string) (string, error) {
	all, err := d.store.colleagues(ctx, tx)
	if err != nil {
		return "", err
	}
	i := slices.IndexFunc(all, func(c Colleague) bool { return c.ID == staffID })
	if i < 0 {
		return "", errs.Invalid("Please check the marked fields.").Field("staff_id", "Choose a colleague who works with customers.")
	}
	return all[i].Name, nil
}

// keepTx saves the delivery with its event and the record of the action.
func (d *Desk) keepTx(ctx context.Context, tx *sqlx.Tx, p staff.Principal, before, after Delivery, e event, action, reason string) error {
	if err := d.store.save(ctx, tx, after); err != nil {
		return err
	}
	e.actor, e.staffID = actorStaff, &p.StaffID
	if err := d.store.insertEvent(ctx, tx, after, e); err != nil {
		return err
	}
	return d.recorder.RecordTx(ctx, tx, p, staff.Action{
		Action: action, Target: "delivery:" + after.ID, FranchiserRef: &after.FranchiserID, Reason: reason,
		Before: before.text(), After: after.text(),
	})
}

func (d Delivery) text() string {
	return staff.JSON(map[string]any{
		"item": d.Item, "state": d.State, "promised_on": d.PromisedOn, "needs": d.Needs, "proof": d.Proof, "staff": d.Staff,
		"done_steps": d.DoneSteps,
	})
}
