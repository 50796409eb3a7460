package outlet

import (
	"github.com/franchise360/franchise360/pkg/platform/i18n"
	"github.com/franchise360/franchise360/pkg/platform/lifecycle"
)

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
		"":           {StatePlanned, StateOpen, StatePaused},
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
		return i18n.Mark("Planned")
	case StateOpen:
		return i18n.Mark("Open")
	case StatePaused:
		return i18n.Mark("Paused")
	case StateClosed:
		return i18n.Mark("Closed")
	}
	return string(s)
}

// Moving returns the label of the button that moves an outlet from the given state to s.
func (s State) Moving(from State) string {
	switch {
	case s == StatePaused:
		return i18n.Mark("Pause this outlet")
	case s == StateClosed:
		return i18n.Mark("Close this outlet")
	case from == StatePaused:
		return i18n.Mark("Resume this outlet")
	case from == StateClosed:
		return i18n.Mark("Reopen this outlet")
	}
	return i18n.Mark("Open this outlet")
}
