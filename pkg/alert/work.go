package alert

import (
	"context"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/worklist"
)

// WorkSources returns the dependencies that fail, for the work list.
func WorkSources() []worklist.Source {
	return []worklist.Source{{Kind: "failing_dependency", Title: "Failing dependencies", Link: "/support/alerts", Roles: []staff.Role{staff.RoleSupport}, Read: dependencyWork}}
}

func dependencyWork(ctx context.Context, tx *sqlx.Tx, _ time.Time, limit int) ([]worklist.Item, int, error) {
	rules := pq.Array([]string{"dependency_failing", "sms_provider"})
	var list []Alert
	if err := tx.SelectContext(ctx, &list, `SELECT `+columns+` FROM alerts a WHERE a.resolved_at IS NULL AND a.rule = ANY ($1)
		ORDER BY a.opened_at, a.id LIMIT $2`, rules, limit); err != nil {
		return nil, 0, fmt.Errorf("list failing dependencies: %w", err)
	}
	var total int
	if err := tx.GetContext(ctx, &total, `SELECT count(*) FROM alerts WHERE resolved_at IS NULL AND rule = ANY ($1)`, rules); err != nil {
		return nil, 0, fmt.Errorf("count failing dependencies: %w", err)
	}
	items := make([]worklist.Item, 0, len(list))
	for _, a := range list {
		items = append(items, worklist.Item{
			Key: a.ID, Title: a.Subject, Wrong: a.Message, Since: a.OpenedAt, Link: PageOf(a.Rule, a.Subject),
			ToDo: "See whether it answers; jobs run again by themselves once it does. Runbook: " + RunbookOf(a.Rule, a.Subject) + ".",
		})
	}
	return items, total, nil
}
