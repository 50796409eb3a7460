package contact

import (
	"context"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/worklist"
)

// WorkSources returns the open requests of the member of staff who looks, those whose time is up, and those of nobody, for the work list.
func WorkSources() []worklist.Source {
	roles := []staff.Role{staff.RoleSupport, staff.RoleFinance}
	return []worklist.Source{
		{
			Kind: "own_request", Title: "Contact requests assigned to you", Link: "/support/contacts?state=open&owner=me", Own: true, Roles: roles,
			Read: requestWork(ownSQL, "assigned"),
		},
		{
			Kind: "late_request", Title: "Contact requests past their time", Link: "/support/contacts?overdue=true", Roles: roles,
			Read: requestWork(lateSQL, "late"),
		},
		{
			Kind: "unassigned_request", Title: "Contact requests assigned to nobody", Link: "/support/contacts?state=open&owner=nobody", Roles: roles,
			Read: requestWork(unassignedSQL, "unassigned"),
		},
	}
}

// ownSQL narrows to the reader's requests that are not late: late ones are listed for everybody.
const ownSQL = `c.state = 'open' AND c.owner_id = (SELECT acting_staff()) AND NOT (` + lateSQL + `)`

// unassignedSQL narrows to the requests of nobody that are not late.
const unassignedSQL = `c.state = 'open' AND c.owner_id IS NULL AND NOT (` + lateSQL + `)`

func requestWork(which, kind string) func(ctx context.Context, tx *sqlx.Tx, now time.Time, limit int) ([]worklist.Item, int, error) {
	return func(ctx context.Context, tx *sqlx.Tx, now time.Time, limit int) ([]worklist.Item, int, error) {
		items, total, err := requestsTx(ctx, tx, which, now, limit)
		if err != nil {
			return nil, 0, fmt.Errorf("list %s contact requests: %w", kind, err)
		}
		return items, total, nil
	}
}

func requestsTx(ctx context.Context, tx *sqlx.Tx, which string, now time.Time, limit int) ([]worklist.Item, int, error) {
	var rows []struct {
		ID       string    `db:"id"`
		Topic    string    `db:"topic"`
		Customer string    `db:"customer_id"`
		Owner    string    `db:"owner"`
		OwnerID  string    `db:"owner_id"`
		Answered bool      `db:"answered"`
		Unsent   bool      `db:"unsent"`
		Due      time.Time `db:"due"`
		Updated  time.Time `db:"updated_at"`
		Total    int       `db:"total"`
	}
	err := tx.SelectContext(ctx, &rows, `SELECT c.id, c.topic, coalesce(u.franchiser_id::text, '') AS customer_id, coalesce(`+staff.NameSQL("c.owner_id")+`, '') AS owner, coalesce(c.owner_id::text, '') AS owner_id, c.answered_at IS NOT NULL AS answered, c.updated_at,
			coalesce((SELECT e.failed_at IS NOT NULL FROM contact_entries e WHERE e.contact_id = c.id AND e.kind = 'reply' ORDER BY e.created_at DESC, e.id DESC LIMIT 1), false) AS unsent,
			CASE WHEN c.answered_at IS NULL THEN c.answer_by ELSE c.settle_by END AS due, count(*) OVER () AS total
		FROM contact_requests c`+customerJoin+` WHERE `+visibleSQL+` AND `+which+` ORDER BY due, c.id LIMIT $2`, now, limit)
	if err != nil {
		return nil, 0, err
	}
	items, total := make([]worklist.Item, 0, len(rows)), 0
	for _, r := range rows {
		total = r.Total
		item := worklist.Item{
			Key: r.ID, Title: "Contact request: " + topicTitle(r.Topic), Since: r.Due, Wrong: "It has no answer yet",
			ToDo: "Answer it, or ask what is missing.", Link: "/support/contacts/" + r.ID,
			CustomerID: r.Customer, Owner: r.Owner, OwnerID: r.OwnerID,
		}
		if r.Answered {
			item.Wrong, item.ToDo = "It is not settled", "Settle it, and set it to answered."
		}
		if r.Unsent {
			item.Wrong, item.ToDo = "The last reply could not be sent", "See why, and answer another way."
		}
		if r.Due.Before(now) {
			item.Wrong += ", and its time is up."
			if r.Owner != "" {
				item.Wrong += " " + r.Owner + " sees to it."
			}
		} else {
			item.Since, item.Wrong = r.Updated, item.Wrong+"."
		}
		items = append(items, item)
	}
	return items, total, nil
}
