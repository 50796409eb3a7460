// Package lifecycle defines allowed state transitions: one table per kind of entity, next to the domain that owns it.
package lifecycle

import (
	"fmt"
	"slices"

	"github.com/franchise360/franchise360/pkg/platform/errs"
)

// Table maps each state to the states that may follow it. The empty state is that of an entity not stored yet, so its successors are the
// initial states. A state without successors is final.
type Table[S ~string] map[S][]S

// Allows reports whether the transition is allowed.
func (t Table[S]) Allows(from, to S) bool { return slices.Contains(t[from], to) }

// Move sets the state. Staying in the same state is a no-op; for a transition not in the table it returns an internal error
// naming both states and changes nothing.
func (t Table[S]) Move(state *S, to S) error {
	if *state != to && !t.Allows(*state, to) {
		return errs.Internal(fmt.Errorf("%T does not go from %q to %q", to, *state, to))
	}
	*state = to
	return nil
}

// States returns all states of the table, sorted, without the empty one.
func (t Table[S]) States() []S {
	var all []S
	for from, next := range t {
		all = append(all, from)
		all = append(all, next...)
	}
	slices.Sort(all)
	all = slices.Compact(all)
	return slices.DeleteFunc(all, func(s S) bool { return s == "" })
}
