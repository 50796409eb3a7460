package transfer

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/transfer/match"
	"github.com/franchise360/franchise360/pkg/worklist"
)

// tdsAge is how long deducted tax may be missing in the tax account: a quarter's return, and a month to file it.
const tdsAge = 120 * 24 * time.Hour

const openTransfers = "/support/transfers?state=open"

// WorkSources returns the transfers and deducted tax that need staff, for the work list.
func WorkSources() []worklist.Source {
	finance := []staff.Role{staff.RoleFinance}
	return []worklist.Source{
		{Kind: "bank_credit", Title: "Bank transfers that pay no bill yet", Link: openTransfers, Roles: finance, Read: creditWork},
		{Kind: "bank_use", Title: "Uses of bank transfers that wait for a second person", Link: openTransfers, Roles: finance, Read: useWork},
		{Kind: "late_tds", Title: "Deducted tax that is missing after 120 days", Link: "/support/tds?late=true", Roles: finance, Read: tdsWork},
	}
}

// waiting is one row of the three lists, with the list's total.
type waiting struct {
	Key    string      `db:"key"`
	Title  string      `db:"title"`
	What   string      `db:"what"`
	Who    string      `db:"who"`
	Amount money.Paise `db:"amount_paise"`
	Since  time.Time   `db:"since"`
	// Franchiser is the customer whose bill or invoice it is, or empty.
	Franchiser string `db:"franchiser_ref"`
	// Remark and VirtualID are the credit's, to match it with bills.
	Remark    string `db:"remark"`
	VirtualID string `db:"virtual_id"`
	Total     int    `db:"total"`
}

// A credit with a use in progress is in the other list, or waits for a job. A part of an expired bill is listed too: it needs the rest of
// the money, or a return.
const creditWorkSQL = `
SELECT c.id AS key, c.utr AS title, c.note AS what, c.payer_name AS who, c.amount_paise - c.used_paise AS amount_paise, c.created_at AS since,
	c.narration AS remark, c.virtual_id, count(*) OVER () AS total
FROM (SELECT id, utr, note, payer_name, amount_paise, used_paise, created_at, narration, coalesce(virtual_id::text, '') AS virtual_id
		FROM bank_credits WHERE state = 'open'
	UNION ALL
	SELECT c.id, c.utr, 'It paid part of proforma ' || p.number || ', whose time is over.', c.payer_name, u.amount_paise, 0, c.created_at, '', ''
	FROM proformas p JOIN bank_credit_uses u ON u.proforma_id = p.id AND u.kind = 'order' AND u.state = 'done' JOIN bank_credits c ON c.id = u.credit_id
	WHERE p.state = 'expired' AND c.state = 'used') c
WHERE NOT EXISTS (SELECT FROM bank_credit_uses u WHERE u.credit_id = c.id AND u.state IN ('waiting', 'requested'))
ORDER BY c.created_at, c.id LIMIT $1`

func useWorkSQL() string {
	return `
SELECT u.id AS key, c.utr AS title, u.kind AS what, ` + staff.NameSQL("u.requested_by") + ` AS who, u.amount_paise, u.requested_at AS since,
	coalesce(u.franchiser_ref::text, '') AS franchiser_ref,
	count(*) OVER () AS total
FROM bank_credit_uses u JOIN bank_credits c ON c.id = u.credit_id
WHERE u.state = 'waiting' ORDER BY u.requested_at, u.id LIMIT $1`
}

const tdsWorkSQL = `
SELECT t.id AS key, t.franchiser_ref, t.invoice_number AS title, t.kind AS what, t.tan AS who, t.amount_paise, t.created_at AS since, count(*) OVER () AS total
FROM tds_records t WHERE t.state <> 'matched' AND t.reversed_paise < t.amount_paise AND t.created_at < $2 ORDER BY t.created_at, t.id LIMIT $1`

func creditWork(ctx context.Context, tx *sqlx.Tx, now time.Time, limit int) ([]worklist.Item, int, error) {
	rows, err := waitingTx(ctx, tx, creditWorkSQL, limit)
	if err != nil {
		return nil, 0, err
	}
	of := make([]match.Seen, 0, len(rows))
	for _, r := range rows {
		of = append(of, r.seen())
	}
	open, err := store{}.candidates(ctx, tx, of, now)
	if err != nil {
		return nil, 0, err
	}
	items, total := itemsOf(rows, func(r waiting) worklist.Item {
		return worklist.Item{
			Title: strings.TrimSuffix("UTR "+r.Title+" · "+r.Who, " · "), Wrong: cmp.Or(r.What, fitsText(match.Match(r.seen(), open))), Link: openTransfers,
			ToDo: "Say which bill it pays, return it, or dismiss it if it is no customer's.",
		}
	})
	return items, total, nil
}

func (r waiting) seen() match.Seen {
	return match.Seen{VirtualID: r.VirtualID, UTR: r.Title, Remark: r.Remark, Amount: r.Amount}
}

// fitsText names the bills that a credit fits, as the console does for statement lines and credits.
func fitsText(list []match.Proposal) string {
	numbers := []string{}
	for _, p := range list[:min(len(list), match.MostProposals)] {
		numbers = append(numbers, p.Number)
	}
	named := strings.Join(numbers, ", ")
	switch {
	case len(list) == 0:
		return "No open bill fits."
	case len(list) == 1:
		return "One open bill fits: " + named + "."
	case len(list) >= match.MostProposals:
		return fmt.Sprintf("At least %d open bills fit: %s.", match.MostProposals, named)
	}
	return fmt.Sprintf("%d open bills fit: %s.", len(list), named)
}

func useWork(ctx context.Context, tx *sqlx.Tx, _ time.Time, limit int) ([]worklist.Item, int, error) {
	asked := map[UseKind]string{UseOrder: "to pay a bill with it", UseReturn: "to return it", UseDismissal: "to dismiss it", UseRelease: "to take it from its bill"}
	return workTx(ctx, tx, func(r waiting) worklist.Item {
		decides := "A colleague"
		if UseKind(r.What) == UseReturn {
			decides = "An admin"
		}
		return worklist.Item{
			Title: "UTR " + r.Title, Wrong: r.Who + " asked " + asked[UseKind(r.What)] + "; nobody has decided.",
			ToDo: decides + " other than " + r.Who + " approves or declines it.", Link: openTransfers,
		}
	}, useWorkSQL(), limit)
}

func tdsWork(ctx context.Context, tx *sqlx.Tx, now time.Time, limit int) ([]worklist.Item, int, error) {
	return workTx(ctx, tx, func(r waiting) worklist.Item {
		tax := "Income tax"
		if r.What == TaxGST {
			tax = "GST"
		}
		return worklist.Item{
			Title: "Invoice " + r.Title, Wrong: tax + " that the customer deducted is not in our tax account.", Link: "/support/tds?late=true",
			ToDo: "Ask the customer for the certificate and for the return in which it was filed.",
		}
	}, tdsWorkSQL, limit, now.Add(-tdsAge))
}

func workTx(ctx context.Context, tx *sqlx.Tx, item func(waiting) worklist.Item, query string, arguments ...any) ([]worklist.Item, int, error) {
	rows, err := waitingTx(ctx, tx, query, arguments...)
	if err != nil {
		return nil, 0, err
	}
	items, total := itemsOf(rows, item)
	return items, total, nil
}

func waitingTx(ctx context.Context, tx *sqlx.Tx, query string, arguments ...any) ([]waiting, error) {
	var rows []waiting
	if err := tx.SelectContext(ctx, &rows, query, arguments...); err != nil {
		return nil, fmt.Errorf("list transfers that wait: %w", err)
	}
	return rows, nil
}

func itemsOf(rows []waiting, item func(waiting) worklist.Item) (items []worklist.Item, total int) {
	items = make([]worklist.Item, 0, len(rows))
	for _, r := range rows {
		total = r.Total
		one := item(r)
		one.Key, one.Since, one.Amount, one.CustomerID = r.Key, r.Since, r.Amount, r.Franchiser
		items = append(items, one)
	}
	return items, total
}
