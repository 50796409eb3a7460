package delivery

import (
	"context"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/subscription"
	"github.com/franchise360/franchise360/pkg/worklist"
)

// WorkSources returns the deliveries on the work list: the reader's next ones, late ones, and those whose customer just answered or did not answer.
func WorkSources() []worklist.Source {
	roles := []staff.Role{staff.RoleSupport}
	return []worklist.Source{
		{
			Kind: "own_delivery", Title: "Your deliveries of the next days", Link: "/support/deliveries?state=due&owner=me", Own: true, Roles: roles,
			Read: ownWork,
		},
		{
			Kind: "late_delivery", Title: "Late deliveries", Link: "/support/deliveries?state=late", Roles: roles,
			Read: work(Filter{State: FilterLate}, lateItem),
		},
		{
			Kind: "provided_delivery", Title: "Deliveries whose customer sent what is needed", Link: "/support/deliveries?state=provided", Roles: roles,
			Read: work(Filter{State: FilterProvided}, providedItem),
		},
		{
			Kind: "unanswered_delivery", Title: "Customers who did not answer two reminders", Link: "/support/deliveries?state=unanswered", Roles: roles,
			Read: work(Filter{State: FilterUnanswered}, unansweredItem),
		},
	}
}

type readWork = func(ctx context.Context, tx *sqlx.Tx, now time.Time, limit int) ([]worklist.Item, int, error)

// work reads the deliveries that the filter selects. describe fills in the fault, the next step and the time.
func work(f Filter, describe func(*worklist.Item, Delivery)) readWork {
	return func(ctx context.Context, tx *sqlx.Tx, now time.Time, limit int) ([]worklist.Item, int, error) {
		return readItems(ctx, tx, "", f, describe, now, limit)
	}
}

func readItems(
	ctx context.Context, tx *sqlx.Tx, me string, f Filter, describe func(*worklist.Item, Delivery), now time.Time, limit int,
) ([]worklist.Item, int, error) {
	rows, total, err := store{}.list(ctx, tx, me, f, subscription.DayOf(now), limit, 0)
	if err != nil {
		return nil, 0, err
	}
	items := make([]worklist.Item, 0, len(rows))
	for _, r := range rows {
		item := worklist.Item{
			Key: r.ID, Title: r.Name, Link: "/support/customers/" + r.FranchiserID + "/deliveries/" + r.ID, CustomerID: r.FranchiserID, Owner: r.Staff,
		}
		if r.StaffID != nil {
			item.OwnerID = *r.StaffID
		}
		describe(&item, r.Delivery)
		items = append(items, item)
	}
	return items, total, nil
}

// ownWork reads the deliveries for which the reader is responsible and which are promised within three days.
func ownWork(ctx context.Context, tx *sqlx.Tx, now time.Time, limit int) ([]worklist.Item, int, error) {
	var me string
	if err := tx.GetContext(ctx, &me, `SELECT acting_staff()::text`); err != nil {
		return nil, 0, fmt.Errorf("read who reads the work list: %w", err)
	}
	return readItems(ctx, tx, me, Filter{State: FilterDue, Owner: "me"}, dueItem, now, limit)
}

const toDeliver = "Deliver it and record the proof, or say what the customer has to provide."

func dueItem(item *worklist.Item, d Delivery) {
	item.Wrong, item.ToDo, item.Since = "It is promised for "+d.PromisedOn.Human()+".", toDeliver, d.UpdatedAt
}

func lateItem(item *worklist.Item, d Delivery) {
	item.Wrong, item.ToDo, item.Since = "It was promised for "+d.PromisedOn.Human()+".", toDeliver, (d.PromisedOn + 1).Start()
}

func providedItem(item *worklist.Item, d Delivery) {
	item.Wrong, item.ToDo, item.Since = "The customer sent what we need. It is promised for "+d.PromisedOn.Human()+".", "Look at the answer, and go on with the delivery.", d.UpdatedAt
}

func unansweredItem(item *worklist.Item, d Delivery) {
	item.Wrong, item.ToDo = "We need from the customer: "+d.Needs, "Call the customer, and note what they say."
	if d.WaitingSince != nil {
		item.Since = d.WaitingSince.Start()
	}
}
