package contact

import (
	"context"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/worklist"
)

// WorkSources returns the requests whose time is up, for the work list.
func WorkSources() []worklist.Source {
	return []worklist.Source{{
		Kind: "late_request", Title: "Contact requests past their time", Link: "/support/contacts?overdue=true", Roles: []staff.Role{staff.RoleSupport, staff.RoleFinance}, Read: lateWork,
	}}
}

func lateWork(ctx context.Context, tx *sqlx.Tx, now time.Time, limit int) ([]worklist.Item, int, error) {
	var rows []struct {
		ID       string    `db:"id"`
		Topic    string    `db:"topic"`
		Customer string    `db:"customer_id"`
		Owner    string    `db:"owner"`
		Answered bool      `db:"answered"`
		Due      time.Time `db:"due"`
		Total    int       `db:"total"`
	}
	err := tx.SelectContext(ctx, &rows, `SELECT c.id, c.topic, coalesce(u.franchiser_id::text, '') AS customer_id, coalesce(`+staff.NameSQL("c.owner_id")+`, '') AS owner, c.answered_at IS NOT NULL AS answered,
			CASE WHEN c.answered_at IS NULL THEN c.answer_by ELSE c.settle_by END AS due, count(*) OVER () AS total
		FROM contact_requests c`+customerJoin+` WHERE `+visibleSQL+` AND `+lateSQL+` ORDER BY due, c.id LIMIT $2`, now, limit)
	if err != nil {
		return nil, 0, fmt.Errorf("list late contact requests: %w", err)
	}
	items, total := make([]worklist.Item, 0, len(rows)), 0
	for _, r := range rows {
		total = r.Total
		item := worklist.Item{
			Key: r.ID, Title: "Contact request: " + r.Topic, Since: r.Due, Wrong: "It has no answer yet, and its time is up.",
			ToDo: "Answer it, or ask what is missing.", Link: "/support/contacts/" + r.ID,
			CustomerID: r.Customer,
		}
		if r.Answered {
			item.Wrong, item.ToDo = "It is not settled, and its time is up.", "Settle it, and set it to answered."
		}
		if r.Owner != "" {
			item.Wrong += " " + r.Owner + " sees to it."
		}
		items = append(items, item)
	}
	return items, total, nil
}
