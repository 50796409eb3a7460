// Package timemachine shows what would follow for one customer in the coming months: a program outside runs the product's own sweeps
// on a copy of the customer's rows, with a clock that moves by days.
package timemachine

import (
	"time"

	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/money"
)

// MostMonths is the longest way ahead: two yearly terms.
const MostMonths = 24

// Pays is the customer's behaviour at renewals.
type Pays string

// The choices. Without automatic renewal a customer who pays on time pays on the last day of the term, a late one on the third day of
// grace. With it the debits succeed; for a late one the first attempt fails, and for one who never pays all do.
const (
	PaysOnTime Pays = "on_time"
	PaysLate   Pays = "late"
	PaysNever  Pays = "never"
)

// Valid reports whether there is such a choice.
func (p Pays) Valid() bool { return p == PaysOnTime || p == PaysLate || p == PaysNever }

// Question is what to look ahead to.
type Question struct {
	FranchiserID string `json:"franchiser_id"`
	// Months is 1 to MostMonths.
	Months int  `json:"months"`
	Pays   Pays `json:"pays"`
	// ChangeID is a change of the catalogue that applies from its time on, or immediately if it has no time; or empty. An approved change
	// applies at its time in any case.
	ChangeID string `json:"change_id"`
}

// Validate returns KindInvalid with each wrong field, and errs.NotFound for an invalid customer id.
func (q Question) Validate() error {
	if !id.Valid(q.FranchiserID) {
		return errs.NotFound()
	}
	problem := errs.Invalid("Please check the marked fields.")
	if q.Months < 1 || q.Months > MostMonths {
		problem = problem.Field("months", "Choose 1 to 24 months.")
	}
	if !q.Pays.Valid() {
		problem = problem.Field("pays", "Choose what the customer does about renewals.")
	}
	if q.ChangeID != "" && !id.Valid(q.ChangeID) {
		problem = problem.Field("change_id", "There is no such change of the catalogue.")
	}
	if len(problem.Fields) > 0 {
		return problem
	}
	return nil
}

// State is how far a run has come.
type State string

// The states of a run.
const (
	StateWaiting State = "waiting" // for runs of others
	StateRunning State = "running"
	StateDone    State = "done"
)

// Kind is the subject of an entry.
type Kind string

// The kinds of entries.
const (
	KindState    Kind = "state"
	KindMessage  Kind = "message"
	KindOrder    Kind = "order"
	KindPayment  Kind = "payment"
	KindDebit    Kind = "debit"
	KindRefund   Kind = "refund"
	KindDocument Kind = "document"
	KindPrices   Kind = "prices"
)

// Kinds returns all kinds, in display order.
func Kinds() []Kind {
	return []Kind{KindState, KindMessage, KindOrder, KindPayment, KindDebit, KindRefund, KindDocument, KindPrices}
}

// Entry is one thing that would happen.
type Entry struct {
	// At is UTC.
	At    time.Time `json:"at"`
	Kind  Kind      `json:"kind"`
	Title string    `json:"title"`
	// Status is the state that follows, in the words of the row, or empty.
	Status string `json:"status"`
	// Text is a message's text, or a reason for a failure, or empty.
	Text string `json:"text"`
	// Channel is sms, email or whatsapp for a message, else empty.
	Channel string `json:"channel"`
	// Reference is the number of a document, or empty.
	Reference string `json:"reference"`
	// Amount includes tax; nil without an amount.
	Amount *money.Paise `json:"amount_paise"`
}

// Answer is what would follow, or how far the run has come.
type Answer struct {
	State State `json:"state"`
	// Days of all days were lived through.
	Days    int       `json:"days"`
	AllDays int       `json:"all_days"`
	From    time.Time `json:"from"`
	Until   time.Time `json:"until"`
	// Entries are in order of time, empty until the run is done.
	Entries []Entry `json:"entries"`
}

// Errors of the time machine.
var (
	ErrOff = errs.New(errs.KindNotFound, "time_machine_off", "The time machine is not set up here. It runs in development and staging only.")
	// ErrBusy means that too many runs wait already.
	ErrBusy = errs.New(errs.KindBusy, "time_machine_busy", "The time machine is busy with other customers. Try again in a minute.")
	// ErrFailed means that a run took too long, or could not go on.
	ErrFailed = errs.New(errs.KindUnavailable, "time_machine_failed", "The time machine could not get through these months. Try fewer months.")
)
