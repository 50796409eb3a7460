package contact

import "github.com/franchise360/franchise360/pkg/platform/lifecycle"

// State is how far a contact request has come.
type State string

// The states of a contact request.
const (
	// StateOpen means that it is the staff's turn.
	StateOpen State = "open"
	// StateWaiting means that the staff wait for the person's answer: the clock is stopped.
	StateWaiting State = "waiting"
	// StateAnswered means that the staff answered, and nothing remains to do unless the person writes again.
	StateAnswered State = "answered"
	// StateClosed means that nothing remains to do.
	StateClosed State = "closed"
)

// states returns the only allowed transitions of a request.
func states() lifecycle.Table[State] {
	return lifecycle.Table[State]{
		"":            {StateOpen},
		StateOpen:     {StateWaiting, StateAnswered, StateClosed},
		StateWaiting:  {StateOpen, StateAnswered, StateClosed},
		StateAnswered: {StateOpen, StateWaiting, StateClosed},
		StateClosed:   {StateOpen},
	}
}

// Valid reports whether there is such a state.
func (s State) Valid() bool { return s != "" && len(states()[s]) > 0 }
