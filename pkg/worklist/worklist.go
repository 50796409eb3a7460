// Package worklist shows staff everything that waits for one of them, and who of them sees to it. What waits, each domain tells.
package worklist

import (
	"context"
	"slices"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/staff"
)

// Source is one kind of work that a domain has for staff.
type Source struct {
	// Kind is a word of lower-case letters, Title the heading of its group, Link the page that lists all of it.
	Kind, Title, Link string
	// Own says that the items are assigned to the member of staff who looks.
	Own bool
	// Roles are the roles that can do something about it. Admins and auditors see every source.
	Roles []staff.Role
	// Read returns the oldest items, at most limit, and how many there are in all. It runs as the member of staff who looks.
	Read func(ctx context.Context, tx *sqlx.Tx, now time.Time, limit int) (items []Item, total int, err error)
}

// Item is one thing that waits for staff.
type Item struct {
	// Key names it within its kind for as long as it waits.
	Key string
	// Title names the item, Wrong its fault, ToDo the next step, Link its page.
	Title, Wrong, ToDo, Link string
	// ToDoOf replaces ToDo for roles that may not do it themselves.
	ToDoOf map[staff.Role]string
	Since  time.Time
	// Amount is the item's amount, or 0.
	Amount money.Paise
	// CustomerID is the item's customer, or empty if it concerns no single customer.
	CustomerID string
	// Owner and OwnerID are the member of staff to whom the item itself is assigned, or empty.
	Owner, OwnerID string
}

// seenBy reports whether the role sees the source.
func (s Source) seenBy(role staff.Role) bool {
	return role == staff.RoleAdmin || role == staff.RoleAuditor || slices.Contains(s.Roles, role)
}

// Row is an item with the name of its customer and who sees to it.
type Row struct {
	Item

	Customer    string
	ClaimedBy   string
	ClaimedByID string
	ClaimedAt   *time.Time
}

// Group is all work of one kind. Count includes what Rows does not show.
type Group struct {
	Source

	Count int
	Rows  []Row
}
