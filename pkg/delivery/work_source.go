package delivery

import (
	"context"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/subscription"
	"github.com/franchise360/franchise360/pkg/worklist"
)

// WorkSources returns the late deliveries for the work list.
func WorkSources() []worklist.Source {
	return []worklist.Source{{
		Kind: "late_delivery", Title: "Late deliveries", Link: "/support/deliveries?state=late", Roles: []staff.Role{staff.RoleSupport}, Read: lateWork,
	}}
}

func lateWork(ctx context.Context, tx *sqlx.Tx, now time.Time, limit int) ([]worklist.Item, int, error) {
	rows, total, err := store{}.list(ctx, tx, "", Filter{State: FilterLate}, subscription.DayOf(now), limit, 0)
	if err != nil {
		return nil, 0, err
	}
	items := make([]worklist.Item, 0, len(rows))
	for _, r := range rows {
		items = append(items, worklist.Item{
			Key: r.ID, Title: r.Name, Wrong: "It was promised for " + r.PromisedOn.Human() + ".",
			ToDo: "Deliver it and record the proof, or say what the customer has to provide.",
			Link: "/support/customers/" + r.FranchiserID + "/deliveries/" + r.ID, Since: (r.PromisedOn + 1).Start(), CustomerID: r.FranchiserID,
		})
	}
	return items, total, nil
}
