package contact

import (
	"context"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/config"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/queue"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
	"github.com/franchise360/franchise360/pkg/staff"
)

// Request is a contact request: a conversation with one person over all channels.
type Request struct {
	ID     string `db:"id"`
	Name   string `db:"name"`
	Email  string `db:"email"`
	Mobile string `db:"mobile"`
	Topic  string `db:"topic"`
	// Message is the beginning of the person's last message.
	Message        string `db:"message"`
	ConsentVersion string `db:"consent_version"`
	State          State  `db:"state"`
	// OwnerID is the member of staff in charge, or nil.
	OwnerID   *string    `db:"owner_id"`
	Owner     string     `db:"owner"`
	CreatedAt time.Time  `db:"created_at"`
	UpdatedAt time.Time  `db:"updated_at"`
	AnswerBy  time.Time  `db:"answer_by"`
	Answered  *time.Time `db:"answered_at"`
	SettleBy  time.Time  `db:"settle_by"`
	Waiting   *time.Time `db:"waiting_since"`
	Settled   *time.Time `db:"settled_at"`
	// FranchiserID is the customer who is proved to have written, or nil.
	FranchiserID *string `db:"franchiser_ref"`
	// Channel is that of the person's last message, at WroteAt; WhatsAppAt is when they wrote last by WhatsApp.
	Channel    Channel    `db:"channel"`
	WroteAt    time.Time  `db:"wrote_at"`
	WhatsAppAt *time.Time `db:"whatsapp_at"`
	// Priority means that the customer's plan had priority support at WroteAt.
	Priority bool `db:"priority"`
	// Version rises with each message that the person sees.
	Version int `db:"version"`
	// CustomerID is the customer that proved the e-mail address (ByEmail), or whose mobile it is, or nil.
	CustomerID *string `db:"customer_id"`
	Customer   string  `db:"customer"`
	ByEmail    bool    `db:"by_email"`
}

// Due returns by when something is to be done for the request, nil while nothing is: its first answer, then that it is settled.
func (r Request) Due() *time.Time {
	switch {
	case r.State != StateOpen:
		return nil
	case r.Answered == nil:
		return &r.AnswerBy
	default:
		return &r.SettleBy
	}
}

// Recorder records what staff do, in the same transaction; implemented by staff.Service.
type Recorder interface {
	RecordTx(ctx context.Context, tx *sqlx.Tx, p staff.Principal, a staff.Action) error
}

// Desk is where staff see to contact requests.
type Desk struct {
	db       *sqlx.DB
	jobs     *queue.Inserter
	clock    clock.Clock
	recorder Recorder
	targets  Targets
	by       Channels
}

// NewDesk returns the desk; by says how the product sends replies.
func NewDesk(db *sqlx.DB, jobs *queue.Inserter, clk clock.Clock, recorder Recorder, targets config.Contact, by Channels) *Desk {
	return wiring.Complete(&Desk{db: db, jobs: jobs, clock: clk, recorder: recorder, targets: Targets{targets}, by: by})
}

// The values of the owner filter other than everybody.
const (
	OwnerMe     = "me"
	OwnerNobody = "nobody"
)

// Filter narrows the requests; empty members narrow nothing. Search is the beginning of a name, an e-mail or a mobile.
type Filter struct {
	State  State
	Topic  string
	Search string
	// Owner is OwnerMe or OwnerNobody.
	Owner string
	// Overdue are those whose time is up.
	Overdue bool
	// CustomerID narrows to the requests that are shown as this customer's.
	CustomerID string
}

func (f *Filter) validate() error {
	var v errs.Validation
	v.Check(f.State == "" || f.State.Valid(), "state", "Kindly choose one")
	v.Check(f.Topic == "" || slices.Contains(topics, f.Topic), "topic", "Kindly choose one")
	v.Check(f.CustomerID == "" || id.Valid(f.CustomerID), "customer", "Kindly choose one")
	v.Check(f.Owner == "" || f.Owner == OwnerMe || f.Owner == OwnerNobody, "owner", "Kindly choose one")
	f.Search = strings.ToLower(strings.TrimSpace(f.Search))
	return v.Err()
}

// List returns one page of requests in the order of the queue, and how many match.
func (d *Desk) List(ctx context.Context, p staff.Principal, f Filter, limit, offset int) (list []Request, total int, err error) {
	if err := f.validate(); err != nil {
		return nil, 0, err
	}
	err = postgres.InTenantRead(ctx, d.db, f.CustomerID, func(tx *sqlx.Tx) error {
		list, total, err = contactsTx(ctx, tx, p, f, d.clock.Now(), limit, offset)
		return err
	})
	return list, total, err
}

// Counts are the number of requests in each state, of late ones, and of open ones without an owner.
type Counts struct {
	Open     int `db:"open"`
	Waiting  int `db:"waiting"`
	Answered int `db:"answered"`
	Closed   int `db:"closed"`
	Overdue  int `db:"overdue"`
	Unowned  int `db:"unowned"`
}

// Counts returns how many requests there are.
func (d *Desk) Counts(ctx context.Context) (c Counts, err error) {
	return c, postgres.InRead(ctx, d.db, func(tx *sqlx.Tx) error {
		c, err = countsTx(ctx, tx, d.clock.Now())
		return err
	})
}

// Colleague is a member of staff to whom a request can be given.
type Colleague struct {
	ID   string     `db:"id" json:"id"`
	Name string     `db:"name" json:"name"`
	Role staff.Role `db:"role" json:"role"`
}

// Opened is a request with all that its page shows. Macros are filled in for the request.
type Opened struct {
	Request

	Entries    []Entry
	Macros     []Filled
	Colleagues []Colleague
	// Way is how a reply reaches the person now.
	Way Way
}

// Open returns one request or KindNotFound.
func (d *Desk) Open(ctx context.Context, p staff.Principal, contactID string) (o Opened, err error) {
	return o, postgres.InTx(ctx, d.db, func(tx *sqlx.Tx) error {
		if o.Request, err = contactTx(ctx, tx, contactID); err != nil {
			return err
		}
		if o.Entries, err = entriesTx(ctx, tx, contactID); err != nil {
			return err
		}
		macros, err := macrosTx(ctx, tx)
		if err != nil {
			return err
		}
		if o.Way, err = d.wayTx(ctx, tx, o.Request); err != nil {
			return err
		}
		o.Macros = filled(macros, o.Request, p.Name)
		o.Colleagues, err = colleaguesTx(ctx, tx)
		return err
	})
}

// Move changes the state of a request and records who did it and why.
func (d *Desk) Move(ctx context.Context, p staff.Principal, contactID string, to State, reason string) error {
	reason, err := staff.CleanReason(reason)
	if err != nil {
		return err
	}
	if !to.Valid() {
		return errs.Invalid("Please check the marked fields.").Field("state", "Kindly choose one")
	}
	return postgres.InTx(ctx, d.db, func(tx *sqlx.Tx) error {
		r, err := lockContactTx(ctx, tx, contactID)
		if err != nil || r.State == to {
			return err
		}
		if !states().Allows(r.State, to) {
			return errs.New(errs.KindConflict, "contact_state", "This request is "+string(r.State)+" by now. Look at it again.")
		}
		before := r.State
		if err := d.moveTx(ctx, tx, p, &r, to); err != nil {
			return err
		}
		return d.recorder.RecordTx(ctx, tx, p, staff.Action{
			Action: "move_contact", Target: "contact:" + contactID, Reason: reason, Before: staff.JSON(before), After: staff.JSON(to),
		})
	})
}

func (d *Desk) moveTx(ctx context.Context, tx *sqlx.Tx, p staff.Principal, r *Request, to State) error {
	if err := d.targets.move(r, to, d.clock.Now()); err != nil {
		return err
	}
	return saveContactTx(ctx, tx, *r, &p.StaffID)
}

// move moves the request and its clock. The clock stops while the staff wait for the person; its remaining business hours continue when the
// staff have to act again.
func (t Targets) move(r *Request, to State, now time.Time) error {
	from := r.State
	if err := states().Move(&r.State, to); err != nil {
		return err
	}
	switch {
	case from == to:
	case from == StateWaiting:
		r.SettleBy = t.After(now, t.Between(*r.Waiting, r.SettleBy))
	case to == StateOpen: // the person wrote again after the answer
		r.SettleBy = t.After(now, t.SettleWithin)
	}
	if from != to {
		r.Waiting, r.Settled = nil, nil
		if to == StateWaiting {
			r.Waiting = &now
		} else if to != StateOpen {
			r.Settled = &now
		}
	}
	if r.Answered == nil && (to == StateWaiting || to == StateAnswered) { // on the phone
		r.Answered = &now
	}
	r.UpdatedAt = now
	return nil
}

// errOwned reports that a colleague owns the request.
func errOwned(by string) error {
	return errs.New(errs.KindConflict, "claimed", by+" sees to this already. Take it over to see to it yourself.")
}

// Give sets the owner of a request, or removes the owner if ownerID is nil. Taking it from a colleague needs takeOver.
func (d *Desk) Give(ctx context.Context, p staff.Principal, contactID string, ownerID *string, takeOver bool) error {
	return postgres.InTx(ctx, d.db, func(tx *sqlx.Tx) error {
		r, err := lockContactTx(ctx, tx, contactID)
		if err != nil {
			return err
		}
		if r.OwnerID == nil && ownerID == nil || r.OwnerID != nil && ownerID != nil && *r.OwnerID == *ownerID {
			return nil
		}
		if r.OwnerID != nil && *r.OwnerID != p.StaffID && !takeOver {
			return errOwned(r.Owner)
		}
		name := ""
		if ownerID != nil {
			if name, err = colleagueTx(ctx, tx, *ownerID); err != nil {
				return err
			}
		}
		now := d.clock.Now()
		r.OwnerID, r.UpdatedAt = ownerID, now
		if err := saveContactTx(ctx, tx, r, &p.StaffID); err != nil {
			return err
		}
		return d.recorder.RecordTx(ctx, tx, p, staff.Action{
			Action: "assign_contact", Target: "contact:" + contactID, Reason: "Chose who sees to it.",
			Before: staff.JSON(map[string]any{"owner": r.Owner}), After: staff.JSON(map[string]any{"owner": name}),
		})
	})
}

func colleagueTx(ctx context.Context, tx *sqlx.Tx, staffID string) (string, error) {
	all, err := colleaguesTx(ctx, tx)
	if err != nil {
		return "", err
	}
	i := slices.IndexFunc(all, func(c Colleague) bool { return c.ID == staffID })
	if i < 0 {
		return "", errs.Invalid("Please check the marked fields.").Field("owner_id", "Choose somebody who handles contact requests.")
	}
	return all[i].Name, nil
}

func cleanText(text string, most int) (string, bool) {
	text = strings.TrimSpace(strings.ReplaceAll(text, "\r\n", "\n"))
	n := utf8.RuneCountInString(text)
	return text, n > 0 && n <= most
}
