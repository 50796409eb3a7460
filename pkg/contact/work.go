package contact

import (
	"context"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/worklist"
)

// WorkSources returns the requests that are past the promise of the site, for the work list.
func WorkSources() []worklist.Source {
	return []worklist.Source{{
		Kind: "late_request", Title: "Contact requests past their promise", Link: "/support/contacts?status=open", Ops: true, Read: lateWork,
	}}
}

// promisedBefore returns the time before which a request came that has waited for a working day now. Saturdays and Sundays are none.
func promisedBefore(now time.Time) time.Time {
	at := now.In(clock.IST).AddDate(0, 0, -1)
	switch now.In(clock.IST).Weekday() {
	case time.Monday:
		at = at.AddDate(0, 0, -2)
	case time.Sunday, time.Saturday:
		// Nobody works now: late is what was late when Friday ended.
		days := 1
		if now.In(clock.IST).Weekday() == time.Sunday {
			days = 2
		}
		y, m, d := now.In(clock.IST).AddDate(0, 0, -days).Date()
		at = time.Date(y, m, d, 0, 0, 0, 0, clock.IST)
	default:
	}
	return at
}

const (
	lateSQL = `SELECT id, topic, status, created_at, count(*) OVER () AS total FROM contact_requests
		WHERE status IN ('open', 'in_progress') AND created_at < $1 ORDER BY created_at, id LIMIT $2`
)

func lateWork(ctx context.Context, tx *sqlx.Tx, now time.Time, limit int) ([]worklist.Item, int, error) {
	var rows []struct {
		ID        string    `db:"id"`
		Topic     string    `db:"topic"`
		Status    Status    `db:"status"`
		CreatedAt time.Time `db:"created_at"`
		Total     int       `db:"total"`
	}
	if err := tx.SelectContext(ctx, &rows, lateSQL, promisedBefore(now), limit); err != nil {
		return nil, 0, fmt.Errorf("list late contact requests: %w", err)
	}
	items, total := make([]worklist.Item, 0, len(rows)), 0
	for _, r := range rows {
		total = r.Total
		title := "Contact request"
		if r.Topic != "" {
			title += ": " + r.Topic
		}
		items = append(items, worklist.Item{
			Key: r.ID, Title: title, Since: r.CreatedAt, Wrong: "An answer within one working day was promised.",
			ToDo: "Answer it, and note that on its page.", Link: "/support/contacts?status=" + string(r.Status),
		})
	}
	return items, total, nil
}
