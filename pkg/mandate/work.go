package mandate

import (
	"context"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/worklist"
)

// stopAfter is how long a gateway may take to end a mandate before staff see it.
const stopAfter = 24 * time.Hour

// unheardAfter is how long a gateway may not know a requested debit before staff see it.
const unheardAfter = 4 * time.Hour

// WorkSources returns the mandates and debits that need staff, for the work list.
func WorkSources() []worklist.Source {
	return []worklist.Source{{
		Kind: "mandate_stop", Title: "Stopped mandates that the gateway has not ended", Roles: []staff.Role{staff.RoleSupport}, Read: stopWork,
	}, {
		Kind: "unheard_debit", Title: "Debits that the gateway does not know", Roles: []staff.Role{staff.RoleSupport, staff.RoleFinance}, Read: unheardWork,
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
			Key: r.MandateID, Title: "Mandate " + r.ProviderID + " by " + r.Method.words(), Since: r.Since, CustomerID: r.FranchiserID,
			Wrong: "The customer stopped it, and " + r.Gateway + " has not confirmed its end. Nothing is debited, and it is asked for every hour.",
			ToDo:  "End it in the dashboard of " + r.Gateway + ", or ask the gateway's support.",
			Link:  "/support/customers/" + r.FranchiserID + "?entry=mandate." + r.MandateID,
		})
	}
	return items, total, nil
}

const unheardDebitsSQL = `
SELECT u.franchiser_id, u.mandate_id, u.debit_id, u.amount_paise, u.since, count(*) OVER () AS total
FROM unheard_debits($1) u ORDER BY u.since, u.debit_id LIMIT $2`

func unheardWork(ctx context.Context, tx *sqlx.Tx, now time.Time, limit int) ([]worklist.Item, int, error) {
	var rows []struct {
		FranchiserID string      `db:"franchiser_id"`
		MandateID    string      `db:"mandate_id"`
		DebitID      string      `db:"debit_id"`
		Amount       money.Paise `db:"amount_paise"`
		Since        time.Time   `db:"since"`
		Total        int         `db:"total"`
	}
	if err := tx.SelectContext(ctx, &rows, unheardDebitsSQL, now.Add(-unheardAfter), limit); err != nil {
		return nil, 0, fmt.Errorf("list debits that no gateway knows: %w", err)
	}
	items, total := make([]worklist.Item, 0, len(rows)), 0
	for _, r := range rows {
		total = r.Total
		items = append(items, worklist.Item{
			Key: r.DebitID, Title: "Debit of " + r.Amount.Display(), Since: r.Since, Amount: r.Amount, CustomerID: r.FranchiserID,
			Wrong: fmt.Sprintf("It was asked for, and the gateway knows nothing of it. The customer is warned before paying manually until it is given up, %d hours after it was asked for.", lostAfter/time.Hour),
			ToDo:  "Look whether the gateway has trouble. Nothing else needs to be done: a debit that is made after all is booked or goes back.",
			Link:  "/support/customers/" + r.FranchiserID + "?entry=mandate." + r.MandateID,
		})
	}
	return items, total, nil
}

// RefusedTx counts the debit requests that gateways rejected after since. Both processes may call it.
func RefusedTx(ctx context.Context, tx *sqlx.Tx, since time.Time) (n int64, err error) {
	if err = tx.GetContext(ctx, &n, `SELECT count_refused_debits($1)`, since); err != nil {
		return 0, fmt.Errorf("count refused debits: %w", err)
	}
	return n, nil
}
