package einvoice

import "github.com/franchise360/franchise360/pkg/platform/lifecycle"

// State is the state of a document's registration.
type State string

// The states. Waiting has no answer yet; refused needs staff; unsigned is registered at the portal, which no longer shows the signed QR
// code, so that staff have to act; cancelled was cancelled at the portal by hand.
const (
	StateWaiting    State = "waiting"
	StateRegistered State = "registered"
	StateRefused    State = "refused"
	StateCancelled  State = "cancelled"
	StateUnsigned   State = "unsigned"
)

// states returns the only allowed transitions of a registration.
func states() lifecycle.Table[State] {
	return lifecycle.Table[State]{
		"":              {StateWaiting},
		StateWaiting:    {StateRegistered, StateRefused, StateUnsigned},
		StateRefused:    {StateWaiting},
		StateUnsigned:   {StateWaiting},
		StateRegistered: {StateCancelled},
	}
}

// needsStaff reports whether nothing happens until staff act.
func (s State) needsStaff() bool { return s == StateRefused || s == StateUnsigned }
