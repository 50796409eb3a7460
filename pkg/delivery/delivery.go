// Package delivery is the delivery ledger: each bought feature and add-on is a row with the responsible colleague or system, a promised
// day, a state and proof. The database begins and ends the rows with each purchase; see migrations/0129_delivery.sql.
package delivery

import (
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/lib/pq"

	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// Delivery is one feature or add-on that a customer bought.
type Delivery struct {
	ID           string `db:"id"`
	FranchiserID string `db:"franchiser_id"`
	OrderID      string `db:"order_id"`
	// Item is a feature's name or an add-on's key; the customer reads Name.
	Item  string   `db:"item"`
	Name  string   `db:"name"`
	AddOn bool     `db:"add_on"`
	How   plan.How `db:"how"`
	State State    `db:"state"`
	// PromisedOn moves while the delivery waits for the customer: the customer's wait uses up no working days.
	PromisedOn subscription.Day `db:"promised_on"`
	// Needs names the things that the customer has to provide. Proof is a link or a sentence.
	Needs        string            `db:"needs"`
	Proof        string            `db:"proof"`
	StaffID      *string           `db:"staff_id"`
	Staff        string            `db:"staff"`
	System       string            `db:"system"`
	Revision     int               `db:"revision"`
	WaitingSince *subscription.Day `db:"waiting_since"`
	UpdatedAt    time.Time         `db:"updated_at"`
	DeliveredAt  *time.Time        `db:"delivered_at"`
	EndedAt      *time.Time        `db:"ended_at"`
	EndReason    string            `db:"end_reason"`
	// ProofBy names the proof that the product looks for, as in plan.Delivery.
	ProofBy string `db:"proof_by"`
	// Files are those of the customer and of staff, oldest first.
	Files []File `db:"-"`
	// DoneSteps are those of Steps that staff did.
	DoneSteps pq.StringArray `db:"done_steps"`
	// ProvidedAt and ProvidedNote are the customer's last answer, as in Provided. Only the customer's own list has them.
	ProvidedAt   *time.Time `db:"provided_at"`
	ProvidedNote string     `db:"provided_note"`
}

// Provided is what the customer last sent, in words; Note is empty if the customer sent only files.
type Provided struct {
	Note string
	At   time.Time
}

// Provided returns the customer's last answer; zero if there is none.
func (d Delivery) Provided() Provided {
	if d.ProvidedAt == nil {
		return Provided{}
	}
	return Provided{Note: d.ProvidedNote, At: d.ProvidedAt.UTC()}
}

// Steps returns the checklist for staff.
func (d Delivery) Steps() []string { return plan.DeliveryOf(d.Item).Steps }

// Late reports whether the promised day has passed. A delivery that waits for the customer is not late.
func (d Delivery) Late(today subscription.Day) bool {
	return (d.State == StatePlanned || d.State == StateInProgress) && d.PromisedOn < today
}

// Responsible names the colleague or the connected system that delivers; empty before an assignment.
func (d Delivery) Responsible() string {
	if d.Staff != "" {
		return d.Staff
	}
	return d.System
}

// Act returns the customer's task in the product, as in ProofBy; empty if the delivery does not wait for it.
func (d Delivery) Act() string {
	if d.State != StateWaiting {
		return ""
	}
	return d.ProofBy
}

// Change is what staff or a connected system report about a delivery.
type Change struct {
	State State
	// Needs is required while the delivery waits for the customer, Proof if it is delivered.
	Needs, Proof string
	// Reason is for staff only.
	Reason string
}

const (
	maxNeeds = 300
	maxProof = 500
)

// clean trims the change and checks that it fits the delivery.
func (c Change) clean(d Delivery) (Change, error) {
	c.Needs, c.Proof = oneLine(c.Needs), oneLine(c.Proof)
	var v errs.Validation
	v.Check(c.State == d.State && d.State != StateEnded || d.allows(c.State), "state", "This delivery cannot change to that state.")
	v.Check(c.State != StateWaiting || c.Needs != "", "needs", "Please say what the customer has to provide.")
	v.Check(utf8.RuneCountInString(c.Needs) <= maxNeeds, "needs", "Up to 300 characters.")
	v.Check(c.State != StateDelivered || c.Proof != "", "proof", "Please give a link or a sentence that proves the delivery.")
	v.Check(utf8.RuneCountInString(c.Proof) <= maxProof, "proof", "Up to 500 characters.")
	v.Check(!strings.Contains(c.Proof, "://") || webLink(c.Proof), "proof", "A link starts with https://.")
	return c, v.Err()
}

func (d Delivery) allows(to State) bool {
	return slices.Contains(d.State.Next(), to)
}

// with returns the delivery after the change. resumed is its promised day if it waited for the customer and no longer does.
func (d Delivery) with(c Change, resumed subscription.Day, now time.Time) (Delivery, error) {
	today := subscription.DayOf(now)
	if d.WaitingSince != nil && c.State != StateWaiting {
		d.PromisedOn, d.WaitingSince = resumed, nil
	}
	if c.State == StateWaiting && d.State != StateWaiting {
		d.WaitingSince = &today
	}
	if c.State == StateDelivered && d.State != StateDelivered {
		d.DeliveredAt = &now
	}
	if err := states().Move(&d.State, c.State); err != nil {
		return d, err
	}
	switch c.State {
	case StateDelivered:
		d.Proof = c.Proof
	case StateWaiting:
		d.Needs = c.Needs
	default:
		if c.Needs != "" {
			d.Needs = c.Needs
		}
	}
	d.Revision++
	d.UpdatedAt = now
	return d, nil
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// webLink reports whether the text is one https link.
func webLink(s string) bool {
	u, err := url.Parse(s)
	return err == nil && u.Scheme == "https" && u.Host != "" && !strings.Contains(s, " ")
}
