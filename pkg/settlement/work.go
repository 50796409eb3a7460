package settlement

import (
	"context"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/worklist"
)

// WorkSources returns the settlement differences that need staff, for the work list.
func WorkSources() []worklist.Source {
	return []worklist.Source{{Kind: "settlement_difference", Title: "Settlement differences", Link: "/support/settlements", Roles: []staff.Role{staff.RoleFinance}, Read: differenceWork}}
}

func differenceWork(ctx context.Context, tx *sqlx.Tx, _ time.Time, limit int) ([]worklist.Item, int, error) {
	list, err := store{}.differences(ctx, tx, openDifferencesSQL, limit)
	if err != nil {
		return nil, 0, err
	}
	var total int
	if err := tx.GetContext(ctx, &total, countOpenSQL); err != nil {
		return nil, 0, fmt.Errorf("count open differences: %w", err)
	}
	items := make([]worklist.Item, 0, len(list))
	for _, d := range list {
		toDo := "Ask the gateway; an admin acknowledges what stays as it is."
		if d.Kind.Clears() {
			toDo = "It clears by itself once that is mended: see the settlement of the day."
		}
		title := d.TransactionID
		if title == "" {
			title = "Settlement of " + d.Day.Human()
		}
		items = append(items, worklist.Item{
			Key: d.ID, Title: title, Wrong: d.Kind.Meaning(), ToDo: toDo, Since: d.OpenedAt, Amount: max(d.Ours.Abs(), d.Theirs.Abs()),
			Link: "/support/settlements",
		})
	}
	return items, total, nil
}
