package support

import (
	"context"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/worklist"
)

// WorkSources returns the acts of staff that wait for a second person, for the work list. Admins alone decide them.
func WorkSources() []worklist.Source {
	return []worklist.Source{{
		Kind: "act_approval", Title: "Other requests that wait for a second person", Link: "/support/approvals?state=waiting",
		Read: approvalWork,
	}}
}

const waitingActsSQL = `
SELECT a.id, a.kind, coalesce(a.franchiser_ref::text, '') AS franchiser_ref, a.amount_paise, a.requested_at, r.name AS requested_by, count(*) OVER () AS total
FROM staff_acts a JOIN staff_overview r ON r.id = a.requested_by WHERE a.state = 'waiting' ORDER BY a.requested_at, a.id LIMIT $1`

func approvalWork(ctx context.Context, tx *sqlx.Tx, _ time.Time, limit int) ([]worklist.Item, int, error) {
	var rows []struct {
		ID          string      `db:"id"`
		Kind        ActKind     `db:"kind"`
		Franchiser  string      `db:"franchiser_ref"`
		Amount      money.Paise `db:"amount_paise"`
		RequestedAt time.Time   `db:"requested_at"`
		RequestedBy string      `db:"requested_by"`
		Total       int         `db:"total"`
	}
	if err := tx.SelectContext(ctx, &rows, waitingActsSQL, limit); err != nil {
		return nil, 0, fmt.Errorf("list acts that wait: %w", err)
	}
	items, total := make([]worklist.Item, 0, len(rows)), 0
	for _, r := range rows {
		total = r.Total
		items = append(items, worklist.Item{
			Key: r.ID, Title: r.Kind.Title(), Since: r.RequestedAt, Amount: r.Amount, Wrong: r.RequestedBy + " asked for it; nobody has decided.",
			ToDo: "An admin other than " + r.RequestedBy + " approves or declines it.", Link: "/support/approvals?state=waiting",
			CustomerID: r.Franchiser,
		})
	}
	return items, total, nil
}

// Title is the name of the act in the work list.
func (k ActKind) Title() string {
	switch k {
	case ActShortPayment:
		return "Accept a short payment"
	case ActEndDebit:
		return "End an undecided debit"
	case ActCorrectRecipient:
		return "Correct the recipient of an invoice"
	case ActCancelPlan:
		return "Cancel a plan"
	case ActSwitchPlan:
		return "Switch a plan"
	case ActResetAuthenticator:
		return "Reset an authenticator"
	case ActChangeMobile:
		return "Change a lost mobile"
	case ActOutageGrace:
		return "More grace after an outage"
	case ActOpenBooks:
		return "Open locked books"
	default:
		return "Request of the kind " + string(k)
	}
}
