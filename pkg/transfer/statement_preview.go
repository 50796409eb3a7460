package transfer

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/staff"
)

// Preview reads a statement and returns for each credit its problems and the bills that it may pay. It stores no credit. It remembers the
// columns that the person chose for files with the same headings, if they could read this file.
func (d *Desk) Preview(ctx context.Context, p staff.Principal, file []byte, asked *Layout) (s Statement, err error) {
	var layouts map[string]Layout
	err = postgres.InTx(ctx, d.db, func(tx *sqlx.Tx) error {
		layouts, err = layoutsTx(ctx, tx)
		return err
	})
	if err != nil {
		return s, err
	}
	remembered := func(key string) (Layout, bool) {
		layout, found := layouts[key]
		return layout, found
	}
	// Reading a large file takes seconds, longer than the API's idle limit for a transaction.
	if s, err = ReadStatement(file, asked, remembered, d.clock.Now()); err != nil {
		return s, err
	}
	err = postgres.InTx(ctx, d.db, func(tx *sqlx.Tx) error {
		if asked != nil && s.Asks == AsksNothing {
			if err := d.rememberTx(ctx, tx, p, s); err != nil {
				return err
			}
		}
		return d.compareTx(ctx, tx, s.Rows)
	})
	return s, err
}

// layoutsSQL reads the newest remembered layouts. Each unknown statement format has one.
const layoutsSQL = `SELECT headings, columns, day_order FROM statement_layouts ORDER BY chosen_at DESC LIMIT 500`

// layoutsTx returns the remembered layouts by the key of their headings.
func layoutsTx(ctx context.Context, tx *sqlx.Tx) (map[string]Layout, error) {
	var rows []struct {
		Headings string         `db:"headings"`
		Columns  pq.StringArray `db:"columns"`
		Order    DayOrder       `db:"day_order"`
	}
	if err := tx.SelectContext(ctx, &rows, layoutsSQL); err != nil {
		return nil, fmt.Errorf("read remembered columns of statements: %w", err)
	}
	layouts := make(map[string]Layout, len(rows))
	for _, row := range rows {
		layout := Layout{Order: row.Order}
		for _, column := range row.Columns {
			layout.Columns = append(layout.Columns, Column(column))
		}
		layouts[row.Headings] = layout
	}
	return layouts, nil
}

// rememberTx remembers the columns. It remembers the order of days only if a person chose it: days that prove their order prove it for
// their own file.
func (d *Desk) rememberTx(ctx context.Context, tx *sqlx.Tx, p staff.Principal, s Statement) error {
	if !s.chosen {
		s.Layout.Order = OrderUnknown
	}
	if _, err := tx.ExecContext(ctx, `INSERT INTO statement_layouts (headings, columns, day_order, chosen_by, chosen_at) VALUES ($1, $2, $3, $4, $5)
		ON CONFLICT (headings) DO UPDATE SET columns = EXCLUDED.columns, day_order = EXCLUDED.day_order, chosen_by = EXCLUDED.chosen_by,
			chosen_at = EXCLUDED.chosen_at`,
		headingsKey(s.Headings), pq.Array(s.Layout.Columns), s.Layout.Order, p.StaffID, d.clock.Now()); err != nil {
		return fmt.Errorf("remember columns of a statement: %w", err)
	}
	return d.recorder.RecordTx(ctx, tx, p, staff.Action{
		Action: "choose_statement_columns", Target: "statement", Reason: "Read a bank statement",
		After: staff.JSON(map[string]any{"headings": strings.Join(s.Headings, " | "), "columns": s.Layout.Columns, "day_order": s.Layout.Order}),
	})
}

// compareTx marks credits whose UTR is repeated in the file, booked or dismissed. It proposes bills for the others.
func (d *Desk) compareTx(ctx context.Context, tx *sqlx.Tx, rows []StatementRow) error {
	numbers, of := []string{}, []Seen{}
	seen := map[string]bool{}
	for i := range rows {
		if rows[i].UTR == "" {
			continue
		}
		numbers, of = append(numbers, rows[i].UTR), append(of, Seen{UTR: rows[i].UTR, Remark: rows[i].Narration, Amount: rows[i].Amount})
		if seen[rows[i].UTR] && rows[i].Problem == "" {
			rows[i].Problem = "The same UTR stands in an earlier line."
		}
		seen[rows[i].UTR] = true
	}
	if len(numbers) == 0 {
		return nil
	}
	var known []string
	if err := tx.SelectContext(ctx, &known, `SELECT u FROM unnest($1::text[]) u
		WHERE bank_credit_exists(u) OR bank_return_exists(u) OR refund_transfer_exists(u)`, pq.Array(numbers)); err != nil {
		return fmt.Errorf("look for known numbers: %w", err)
	}
	var dismissed []string
	if err := tx.SelectContext(ctx, &dismissed, `SELECT DISTINCT utr FROM bank_credits WHERE utr = ANY ($1) AND state = 'dismissed'`, pq.Array(numbers)); err != nil {
		return fmt.Errorf("look for dismissed numbers: %w", err)
	}
	open, err := d.candidates(ctx, tx, of)
	if err != nil {
		return err
	}
	for i := range rows {
		r := &rows[i]
		r.Known, r.Dismissed = slices.Contains(known, r.UTR), slices.Contains(dismissed, r.UTR)
		if !r.Known && r.Problem == "" {
			all := Match(Seen{UTR: r.UTR, Remark: r.Narration, Amount: r.Amount}, open)
			r.Proposals = all[:min(len(all), mostProposals)]
		}
	}
	return nil
}
