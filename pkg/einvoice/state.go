package einvoice

import "github.com/franchise360/franchise360/pkg/platform/lifecycle"

// State is where a document's registration stands.
type State string

// The states. Waiting is asked for and not answered yet; refused needs somebody; cancelled was taken back at the portal by hand.
const (
	StateWaiting    State = "waiting"
	StateRegistered State = "registered"
	StateRefused    State = "refused"
	StateCancelled  State = "cancelled"
)

// states returns the only allowed transitions of a registration.
func states() lifecycle.Table[State] {
	return lifecycle.Table[State]{
		"":              {StateWaiting},
		StateWaiting:    {StateRegistered, StateRefused},
		StateRefused:    {StateWaiting},
		StateRegistered: {StateCancelled},
	}
}
