package mandate

import (
	"context"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/worklist"
)

// stopAfter is how long a gateway may take to end a mandate until staff look.
const stopAfter = 24 * time.Hour

// WorkSources returns the mandates that wait for staff, for the work list.
func WorkSources() []worklist.Source {
	return []worklist.Source{{
		Kind: "mandate_stop", Title: "Stopped mandates that the gateway has not ended", Read: stopWork,
	}}
}

const unconfirmedStopsSQL = `
SELECT s.franchiser_id, s.mandate_id, s.gateway, s.method, s.provider_mandate_id, s.since, count(*) OVER () AS total
FROM unconfirmed_mandate_stops($1) s ORDER BY s.since, s.mandate_id LIMIT $2`

func stopWork(ctx context.Context, tx *sqlx.Tx, now time.Time, limit int) ([]worklist.Item, int, error) {
	var rows []struct {
		FranchiserID string    `db:"franchiser_id"`
		MandateID    string    `db:"mandate_id"`
		Gateway      string    `db:"gateway"`
		Method       Method    `db:"method"`
		ProviderID   string    `db:"provider_mandate_id"`
		Since        time.Time `db:"since"`
		Total        int       `db:"total"`
	}
	if err := tx.SelectContext(ctx, &rows, unconfirmedStopsSQL, now.Add(-stopAfter), limit); err != nil {
		return nil, 0, fmt.Errorf("list mandates that were stopped: %w", err)
	}
	items, total := make([]worklist.Item, 0, len(rows)), 0
	for _, r := range rows {
		total = r.Total
		items = append(items, worklist.Item{
			Key: r.MandateID, Title: "Mandate " + r.ProviderID + " by " + r.Method.words(), Since: r.Since,
			Wrong: "The customer stopped it, and " + r.Gateway + " has not confirmed its end. Nothing is debited, and it is asked for every hour.",
			ToDo:  "End it in the dashboard of " + r.Gateway + ", or ask the gateway's support.",
			Link:  "/support/customers/" + r.FranchiserID + "?entry=mandate." + r.MandateID,
		})
	}
	return items, total, nil
}
