// Package delivery is the delivery ledger: each bought feature and add-on is a row with the responsible colleague or system, a promised
// day, a state and proof. The database begins and ends the rows with each purchase; see migrations/0129_delivery.sql.
package delivery

import (
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// Delivery is what a customer gets for one feature or add-on.
type Delivery struct {
	ID           string `db:"id"`
	FranchiserID string `db:"franchiser_id"`
	OrderID      string `db:"order_id"`
	// Item is a feature's name or an add-on's key; Name is what the customer reads.
	Item  string   `db:"item"`
	Name  string   `db:"name"`
	AddOn bool     `db:"add_on"`
	How   plan.How `db:"how"`
	State State    `db:"state"`
	// PromisedOn moves by the days for which the delivery waited for the customer.
	PromisedOn subscription.Day `db:"promised_on"`
	// Needs says what the customer has to provide, Proof is a link or a sentence.
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
}

// Late reports whether the promised day has passed. A delivery that waits for the customer is not late.
func (d Delivery) Late(today subscription.Day) bool {
	return (d.State == StatePlanned || d.State == StateInProgress) && d.PromisedOn < today
}

// Responsible names the colleague or the connected system that delivers; empty if nobody does yet.
func (d Delivery) Responsible() string {
	if d.Staff != "" {
		return d.Staff
	}
	return d.System
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

// with returns the delivery after the change. Time in which it waited for the customer moves the promised day.
func (d Delivery) with(c Change, now time.Time) (Delivery, error) {
	today := subscription.DayOf(now)
	if d.WaitingSince != nil && c.State != StateWaiting {
		d.PromisedOn += max(0, today-*d.WaitingSince)
		d.WaitingSince = nil
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
