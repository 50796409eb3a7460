package outlet

import "github.com/franchise360/franchise360/pkg/platform/lifecycle"

// State is the state of an outlet.
type State string

// The states of an outlet. All but closed take a place of the plan.
const (
	StatePlanned State = "planned"
	StateOpen    State = "open"
	StatePaused  State = "paused"
	StateClosed  State = "closed"
)

// states returns the only allowed transitions of an outlet; a closed one keeps its record and can be reopened.
func states() lifecycle.Table[State] {
	return lifecycle.Table[State]{
		"":           {StatePlanned, StateOpen},
		StatePlanned: {StateOpen, StateClosed},
		StateOpen:    {StatePaused, StateClosed},
		StatePaused:  {StateOpen, StateClosed},
		StateClosed:  {StateOpen},
	}
}

// States returns all states in the order in which an outlet goes through them.
func States() []State { return []State{StatePlanned, StateOpen, StatePaused, StateClosed} }

// Next returns the states that may follow.
func (s State) Next() []State { return states()[s] }

// Label returns the state for display.
func (s State) Label() string {
	switch s {
	case StatePlanned:
		return "Planned"
	case StateOpen:
		return "Open"
	case StatePaused:
		return "Paused"
	case StateClosed:
		return "Closed"
	}
	return string(s)
}

// Verb returns what a button says that leads to the state from the given one.
func (s State) Verb(from State) string {
	switch {
	case s == StatePaused:
		return "Pause"
	case s == StateClosed:
		return "Close"
	case from == StatePaused:
		return "Resume"
	case from == StateClosed:
		return "Reopen"
	}
	return "Open"
}
