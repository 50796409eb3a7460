// Package lifecycle says which state of a thing may follow which: one table for each kind of thing, beside the domain that owns it.
package lifecycle

import (
	"fmt"
	"slices"

	"github.com/franchise360/franchise360/pkg/platform/errs"
)

// Table has the states that may follow each state of one kind of thing. The empty state is that of a thing that is not stored yet,
// so that what follows it are the states in which a thing may begin. A state that nothing follows is a last one.
type Table[S ~string] map[S][]S

// Allows says whether a thing may go from one state to another one.
func (t Table[S]) Allows(from, to S) bool { return slices.Contains(t[from], to) }

// Move sets the state. To stay as it is is no change; for a change that the table does not have it returns an internal error that
// names both states, and sets nothing.
func (t Table[S]) Move(state *S, to S) error {
	if *state != to && !t.Allows(*state, to) {
		return errs.Internal(fmt.Errorf("%T does not go from %q to %q", to, *state, to))
	}
	*state = to
	return nil
}

// States are all states of the table, sorted, without the empty one.
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
