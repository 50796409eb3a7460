package subscription

import (
	"fmt"
	"slices"
	"strings"

	"github.com/franchise360/franchise360/pkg/platform/lifecycle"
)

// State is the state of a subscription; there is no subscription before the first plan.
type State string

// The states of a subscription. Time leads to grace, expired and lapsed; a payment returns it to active.
const (
	StateTrialing State = "trialing"
	StateActive   State = "active"
	StateGrace    State = "grace"
	StateExpired  State = "expired"
	StateLapsed   State = "lapsed"
)

// states returns the only allowed transitions of a subscription. An active one expires immediately if its payment was
// refunded, and staff may put an expired one back into grace.
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

// afterTime returns the state that follows each state when it falls due and no next term is paid.
func afterTime() map[State]State {
	return map[State]State{
		StateTrialing: StateExpired, StateActive: StateGrace, StateGrace: StateExpired, StateExpired: StateLapsed,
	}
}

// afterTimeSQL returns afterTime as an SQL expression over the given column.
func afterTimeSQL(column string) string {
	var arms []string
	for from, to := range afterTime() {
		arms = append(arms, fmt.Sprintf("WHEN '%s' THEN '%s'", from, to))
	}
	slices.Sort(arms) // the same text each time, so that it is prepared only once
	return "CASE " + column + " " + strings.Join(arms, " ") + " END"
}

// Usable reports whether the store's paid functions are available.
func (s State) Usable() bool { return s == StateTrialing || s == StateActive || s == StateGrace }

// Ended reports whether the term and its grace are over.
func (s State) Ended() bool { return s == StateExpired || s == StateLapsed }

// OrderState is the state of an order.
type OrderState string

// The states of an order. Superseded: another order replaced it; scheduled: a change for the renewal; done: the change took effect.
const (
	OrderOpen       OrderState = "open"
	OrderPaid       OrderState = "paid"
	OrderSuperseded OrderState = "superseded"
	OrderScheduled  OrderState = "scheduled"
	OrderDone       OrderState = "done"
	OrderCancelled  OrderState = "cancelled"
)

// orderStates returns the only allowed transitions of an order. A superseded order can still be paid late. A trial is scheduled and then
// paid with zero.
func orderStates() lifecycle.Table[OrderState] {
	return lifecycle.Table[OrderState]{
		"":              {OrderOpen, OrderScheduled},
		OrderOpen:       {OrderPaid, OrderSuperseded, OrderCancelled},
		OrderSuperseded: {OrderPaid, OrderCancelled},
		OrderScheduled:  {OrderPaid, OrderDone, OrderCancelled},
	}
}
