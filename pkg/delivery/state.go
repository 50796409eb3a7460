package delivery

import (
	"github.com/franchise360/franchise360/pkg/platform/lifecycle"
)

// State is the state of a delivery.
type State string

// The states of a delivery. Late is not a state: an open delivery is late after its promised day.
const (
	StatePlanned       State = "planned"
	StateWaiting       State = "waiting_for_customer"
	StateInProgress    State = "in_progress"
	StateDelivered     State = "delivered"
	StateNotApplicable State = "not_applicable"
	StateEnded         State = "ended"
)

// states returns the only allowed transitions. A purchase begins a row, and its end ends the row.
func states() lifecycle.Table[State] {
	return lifecycle.Table[State]{
		"":                 {StatePlanned, StateWaiting, StateDelivered},
		StatePlanned:       {StateWaiting, StateInProgress, StateDelivered, StateNotApplicable, StateEnded},
		StateWaiting:       {StateInProgress, StateDelivered, StateNotApplicable, StateEnded},
		StateInProgress:    {StateWaiting, StateDelivered, StateNotApplicable, StateEnded},
		StateDelivered:     {StateInProgress, StateEnded},
		StateNotApplicable: {StatePlanned, StateEnded},
		StateEnded:         {StatePlanned, StateWaiting, StateDelivered},
	}
}

// States returns all states in the order in which a delivery goes through them.
func States() []State {
	return []State{StatePlanned, StateWaiting, StateInProgress, StateDelivered, StateNotApplicable, StateEnded}
}

// Open reports whether something is still to be delivered.
func (s State) Open() bool { return s == StatePlanned || s == StateWaiting || s == StateInProgress }

// Next returns the states that staff and connected systems may choose; only the end of a purchase ends a delivery.
func (s State) Next() []State {
	if s == StateEnded {
		return []State{}
	}
	next := []State{}
	for _, to := range states()[s] {
		if to != StateEnded {
			next = append(next, to)
		}
	}
	return next
}
