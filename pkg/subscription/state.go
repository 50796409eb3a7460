package subscription

import (
	"fmt"
	"slices"
	"strings"

	"github.com/franchise360/franchise360/pkg/platform/lifecycle"
)

// State is where a subscription stands in time; before the first plan there is none.
type State string

// The states of a subscription. Time leads to grace, expired and lapsed, paying back to active.
const (
	StateTrialing State = "trialing"
	StateActive   State = "active"
	StateGrace    State = "grace"
	StateExpired  State = "expired"
	StateLapsed   State = "lapsed"
)

// states are the only ways of a subscription. An active one expires at once where its payment went back, and staff may let an expired
// one have more grace.
func states() lifecycle.Table[State] {
	return lifecycle.Table[State]{
		"":            {StateTrialing, StateActive},
		StateTrialing: {StateActive, StateExpired},
		StateActive:   {StateGrace, StateExpired},
		StateGrace:    {StateActive, StateExpired},
		StateExpired:  {StateActive, StateGrace, StateLapsed},
		StateLapsed:   {StateActive},
	}
}

// afterTime is what each state becomes on the day on which it is due, where no next term is paid.
func afterTime() map[State]State {
	return map[State]State{
		StateTrialing: StateExpired, StateActive: StateGrace, StateGrace: StateExpired, StateExpired: StateLapsed,
	}
}

// afterTimeSQL is afterTime as an expression in SQL over the column that it is given.
func afterTimeSQL(column string) string {
	var arms []string
	for from, to := range afterTime() {
		arms = append(arms, fmt.Sprintf("WHEN '%s' THEN '%s'", from, to))
	}
	slices.Sort(arms) // the same text each time, so that it is prepared once
	return "CASE " + column + " " + strings.Join(arms, " ") + " END"
}

// Usable says whether the store can be used as paid for.
func (s State) Usable() bool { return s == StateTrialing || s == StateActive || s == StateGrace }

// Ended says whether the term and its grace are over.
func (s State) Ended() bool { return s == StateExpired || s == StateLapsed }

// OrderState is how far an order got.
type OrderState string

// The states of an order. Superseded is one in whose place another was asked for; scheduled is a change that waits for the renewal,
// done one that came to pass.
const (
	OrderOpen       OrderState = "open"
	OrderPaid       OrderState = "paid"
	OrderSuperseded OrderState = "superseded"
	OrderScheduled  OrderState = "scheduled"
	OrderDone       OrderState = "done"
	OrderCancelled  OrderState = "cancelled"
)

// orderStates are the only ways of an order. A superseded one can still be paid, late; a trial is scheduled and paid with nothing.
func orderStates() lifecycle.Table[OrderState] {
	return lifecycle.Table[OrderState]{
		"":              {OrderOpen, OrderScheduled},
		OrderOpen:       {OrderPaid, OrderSuperseded, OrderCancelled},
		OrderSuperseded: {OrderPaid, OrderCancelled},
		OrderScheduled:  {OrderPaid, OrderDone, OrderCancelled},
	}
}
