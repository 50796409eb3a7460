package mandate

import "github.com/franchise360/franchise360/pkg/platform/lifecycle"

// State is the state of a mandate.
type State string

// The states of a mandate. Requested: the customer was sent to the gateway to authorise it; failed: not authorised, or refused by the
// bank.
const (
	StateRequested State = "requested"
	StateActive    State = "active"
	StatePaused    State = "paused"
	StateRevoked   State = "revoked"
	StateExpired   State = "expired"
	StateFailed    State = "failed"
)

// States returns the only allowed transitions of a mandate. An ended mandate never restarts: its replacement is a new row.
func States() lifecycle.Table[State] {
	return lifecycle.Table[State]{
		"":             {StateRequested},
		StateRequested: {StateActive, StateFailed, StateRevoked},
		StateActive:    {StatePaused, StateRevoked, StateExpired, StateFailed},
		StatePaused:    {StateActive, StateRevoked, StateExpired, StateFailed},
	}
}

// Ended reports whether the mandate can never be debited again.
func (s State) Ended() bool { return s == StateRevoked || s == StateExpired || s == StateFailed }

// DebitState is the state of one debit.
type DebitState string

// The states of a debit.
const (
	DebitPlanned   DebitState = "planned"
	DebitNoticed   DebitState = "noticed"
	DebitAsked     DebitState = "asked"
	DebitPaid      DebitState = "paid"
	DebitFailed    DebitState = "failed"
	DebitCalledOff DebitState = "called_off"
)

// DebitStates returns the only allowed transitions of a debit. A requested debit cannot be called off, unless the gateway rejected the
// request. A failed debit may still be paid.
func DebitStates() lifecycle.Table[DebitState] {
	return lifecycle.Table[DebitState]{
		"":           {DebitPlanned},
		DebitPlanned: {DebitNoticed, DebitFailed, DebitCalledOff},
		DebitNoticed: {DebitAsked, DebitFailed, DebitCalledOff},
		DebitAsked:   {DebitNoticed, DebitPaid, DebitFailed},
		DebitFailed:  {DebitPaid},
	}
}

// after returns the state that follows from the provider's report, unless the mandate has ended. A mandate that the customer paused here
// stays active: no debit is requested while HeldAt is set.
func (s State) after(word ProviderState) State {
	next := map[ProviderState]State{
		ProviderActive: StateActive, ProviderPaused: StatePaused, ProviderRevoked: StateRevoked, ProviderExpired: StateExpired,
		ProviderFailed: StateFailed,
	}[word]
	switch {
	case s == StateRequested && (next == StateExpired || next == StatePaused):
		return s // it was never active; the next report decides
	case next == "" || !States().Allows(s, next):
		return s
	default:
		return next
	}
}
