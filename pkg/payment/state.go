package payment

import "github.com/franchise360/franchise360/pkg/platform/lifecycle"

// State is how far a payment got.
type State string

// The states of a payment. Failed and expired may still turn out to have been paid; held waits for staff because something did not
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

// paymentStates are the only ways of a payment.
func paymentStates() lifecycle.Table[State] {
	return lifecycle.Table[State]{
		"":           {StateCreated},
		StateCreated: {StatePending, StatePaid, StateFailed, StateExpired, StateHeld},
		StatePending: {StatePaid, StateFailed, StateExpired, StateHeld},
		StateFailed:  {StatePaid, StateHeld},
		StateExpired: {StatePaid, StateHeld},
		StateHeld:    {StateRefunded},
		StatePaid:    {StateRefunded},
	}
}

// Open says that the customer may still be paying it.
func (s State) Open() bool { return s == StateCreated || s == StatePending }

// settled says that money came in.
func (s State) settled() bool { return s == StatePaid || s == StateRefunded || s == StateHeld }

// RefundState is how far a refund is.
type RefundState string

// The states of a refund. Done is money that is back; of one that failed the gateway gives nothing any more.
const (
	RefundRequested RefundState = "requested"
	RefundSent      RefundState = "sent"
	RefundDone      RefundState = "done"
	RefundFailed    RefundState = "failed"
)

// refundStates are the only ways of a refund. One that the gateway or a bank made by itself begins as sent.
func refundStates() lifecycle.Table[RefundState] {
	return lifecycle.Table[RefundState]{
		"":              {RefundRequested, RefundSent},
		RefundRequested: {RefundSent, RefundDone, RefundFailed},
		RefundSent:      {RefundDone, RefundFailed},
	}
}

// DisputeState is how far a dispute is.
type DisputeState string

// The states of a dispute. Won leaves everything as it is, and so does dismissed: staff found none of that name at the gateway.
const (
	DisputeOpen      DisputeState = "open"
	DisputeWon       DisputeState = "won"
	DisputeLost      DisputeState = "lost"
	DisputeDismissed DisputeState = "dismissed"
)

// disputeStates are the only ways of a dispute. A bank may open one again that was won, and the gateway may confirm one that was
// dismissed; what is lost stays so.
func disputeStates() lifecycle.Table[DisputeState] {
	return lifecycle.Table[DisputeState]{
		"":               {DisputeOpen},
		DisputeOpen:      {DisputeWon, DisputeLost, DisputeDismissed},
		DisputeWon:       {DisputeOpen, DisputeLost},
		DisputeDismissed: {DisputeOpen, DisputeWon, DisputeLost},
	}
}

// ReversalState is how far a reversal is.
type ReversalState string

// The states of a reversal: waiting is for a second person.
const (
	ReversalWaiting  ReversalState = "waiting"
	ReversalApproved ReversalState = "approved"
	ReversalDeclined ReversalState = "declined"
	ReversalDone     ReversalState = "done"
	ReversalFailed   ReversalState = "failed"
)

// reversalStates are the only ways of a reversal. One that nobody approved waits again where whoever pays finds that somebody should
// have.
func reversalStates() lifecycle.Table[ReversalState] {
	return lifecycle.Table[ReversalState]{
		"":               {ReversalWaiting, ReversalApproved},
		ReversalWaiting:  {ReversalApproved, ReversalDeclined},
		ReversalApproved: {ReversalDone, ReversalFailed, ReversalWaiting},
	}
}

// Valid says whether it is one of the states.
func (s ReversalState) Valid() bool {
	switch s {
	case ReversalWaiting, ReversalApproved, ReversalDeclined, ReversalDone, ReversalFailed:
		return true
	}
	return false
}
