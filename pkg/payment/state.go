package payment

import (
	"github.com/franchise360/franchise360/pkg/platform/lifecycle"
	"github.com/franchise360/franchise360/pkg/staff/approval"
)

// State is the state of a payment.
type State string

// The states of a payment. Failed and expired ones may still turn out to be paid; a held one awaits staff because something did not
// match.
const (
	StateCreated  State = "created"
	StatePending  State = "pending"
	StatePaid     State = "paid"
	StateFailed   State = "failed"
	StateExpired  State = "expired"
	StateHeld     State = "held"
	StateRefunded State = "refunded"
)

// States returns the only allowed transitions of a payment.
func States() lifecycle.Table[State] {
	return lifecycle.Table[State]{
		"":           {StateCreated},
		StateCreated: {StatePending, StatePaid, StateFailed, StateExpired, StateHeld},
		StatePending: {StatePaid, StateFailed, StateExpired, StateHeld},
		StateFailed:  {StatePaid, StateHeld},
		StateExpired: {StatePaid, StateHeld},
		StateHeld:    {StateRefunded, StatePaid},
		StatePaid:    {StateRefunded},
	}
}

// Open reports whether the customer may still pay it.
func (s State) Open() bool { return s == StateCreated || s == StatePending }

// Received reports whether money was received.
func (s State) Received() bool { return s == StatePaid || s == StateRefunded || s == StateHeld }

// RefundState is the state of a refund.
type RefundState string

// The states of a refund. Done means the money is back; failed means the gateway will not return it.
const (
	RefundRequested RefundState = "requested"
	RefundSent      RefundState = "sent"
	RefundDone      RefundState = "done"
	RefundFailed    RefundState = "failed"
)

// RefundStates returns the only allowed transitions of a refund. One made by the gateway or a bank on its own begins as sent.
func RefundStates() lifecycle.Table[RefundState] {
	return lifecycle.Table[RefundState]{
		"":              {RefundRequested, RefundSent},
		RefundRequested: {RefundSent, RefundDone, RefundFailed},
		RefundSent:      {RefundDone, RefundFailed},
	}
}

// DisputeState is the state of a dispute.
type DisputeState string

// The states of a dispute. Won and dismissed change nothing; dismissed means that staff found no such dispute at the gateway.
const (
	DisputeOpen      DisputeState = "open"
	DisputeWon       DisputeState = "won"
	DisputeLost      DisputeState = "lost"
	DisputeDismissed DisputeState = "dismissed"
)

// DisputeStates returns the only allowed transitions of a dispute. A bank may reopen a won dispute, and the gateway may confirm a
// dismissed one; a loss is final.
func DisputeStates() lifecycle.Table[DisputeState] {
	return lifecycle.Table[DisputeState]{
		"":               {DisputeOpen},
		DisputeOpen:      {DisputeWon, DisputeLost, DisputeDismissed},
		DisputeWon:       {DisputeOpen, DisputeLost},
		DisputeDismissed: {DisputeOpen, DisputeWon, DisputeLost},
	}
}

// ReversalStates returns the only allowed transitions of a reversal. An approved one returns to waiting if the worker finds that a
// required approval is missing.
func ReversalStates() lifecycle.Table[approval.State] {
	return approval.States(lifecycle.Table[approval.State]{
		approval.Approved: {approval.Done, approval.Failed, approval.Waiting},
	})
}
