package transfer

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/sheet"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/transfer/match"
	"github.com/franchise360/franchise360/pkg/transfer/statement"
)

// Preview reads a statement and returns for each credit its problems and the bills that it may pay. It stores no credit. EnterAll remembers
// the columns that the person chose here for files with the same headings.
func (d *Desk) Preview(ctx context.Context, p staff.Principal, file []byte, asked *statement.Layout) (s statement.Statement, err error) {
	var layouts map[string]statement.Layout
	err = postgres.InTx(ctx, d.db, func(tx *sqlx.Tx) error {
		layouts, err = layoutsTx(ctx, tx)
		return err
	})
	if err != nil {
		return s, err
	}
	remembered := func(key string) (statement.Layout, bool) {
		layout, found := layouts[key]
		return layout, found
	}
	// Reading a large file takes seconds, longer than the API's idle limit for a transaction.
	if s, err = statement.Read(file, asked, remembered, d.clock.Now()); err != nil {
		return s, err
	}
	err = postgres.InTx(ctx, d.db, func(tx *sqlx.Tx) error {
		if asked != nil && s.Asks == statement.AsksNothing && !s.Contradicted {
			if s.Choice, err = d.keepChoiceTx(ctx, tx, p, s); err != nil {
				return err
			}
		}
		return d.compareTx(ctx, tx, s.Rows)
	})
	return s, err
}

// layoutsSQL reads the newest remembered layouts. Each unknown statement format has one.
const layoutsSQL = `SELECT headings, columns, day_order FROM statement_layouts WHERE confirmed_at IS NOT NULL ORDER BY confirmed_at DESC LIMIT 500`

// layoutsTx returns the remembered layouts by the key of their headings.
func layoutsTx(ctx context.Context, tx *sqlx.Tx) (map[string]statement.Layout, error) {
	var rows []struct {
		Headings string         `db:"headings"`
		Columns  pq.StringArray `db:"columns"`
		Order    sheet.DayOrder `db:"day_order"`
	}
	if err := tx.SelectContext(ctx, &rows, layoutsSQL); err != nil {
		return nil, fmt.Errorf("read remembered columns of statements: %w", err)
	}
	layouts := make(map[string]statement.Layout, len(rows))
	for _, row := range rows {
		layout := statement.Layout{Order: row.Order}
		for _, column := range row.Columns {
			layout.Columns = append(layout.Columns, statement.Column(column))
		}
		layouts[row.Headings] = layout
	}
	return layouts, nil
}

// choiceAge is how long a choice of columns waits for its import.
const choiceAge = 24 * time.Hour

// keepChoiceTx stores the columns until the import confirms them, and returns the choice's id. It keeps the order of days only if a person
// chose it: days that prove their order prove it for their own file. It removes old choices without an import.
func (d *Desk) keepChoiceTx(ctx context.Context, tx *sqlx.Tx, p staff.Principal, s statement.Statement) (string, error) {
	if !s.Chosen {
		s.Layout.Order = sheet.OrderUnknown
	}
	now := d.clock.Now()
	if err := d.store.exec(ctx, tx, "remove old choices of columns", `DELETE FROM statement_layouts WHERE confirmed_at IS NULL AND chosen_at < $1`, now.Add(-choiceAge)); err != nil {
		return "", err
	}
	choice := id.New()
	return choice, d.store.exec(ctx, tx, "store columns of a statement", `INSERT INTO statement_layouts (id, headings, columns, day_order, chosen_by, chosen_at)
		VALUES ($1, $2, $3, $4, $5, $6)`, choice, statement.HeadingsKey(s.Headings), pq.Array(s.Layout.Columns), s.Layout.Order, p.StaffID, now)
}

// rememberTx remembers the columns that the person chose for the imported file, for later files with the same headings. A choice of another
// person, an old choice and a confirmed choice change nothing.
func (d *Desk) rememberTx(ctx context.Context, tx *sqlx.Tx, p staff.Principal, choice string) error {
	if !id.Valid(choice) {
		return nil
	}
	var kept struct {
		Headings string         `db:"headings"`
		Columns  pq.StringArray `db:"columns"`
		Order    sheet.DayOrder `db:"day_order"`
	}
	err := tx.GetContext(ctx, &kept, `SELECT headings, columns, day_order FROM statement_layouts WHERE id = $1 AND chosen_by = $2 AND confirmed_at IS NULL FOR UPDATE`,
		choice, p.StaffID)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read chosen columns of a statement: %w", err)
	}
	if err := d.store.exec(ctx, tx, "lock columns of a statement", `SELECT pg_advisory_xact_lock(hashtextextended('statement ' || $1, 0))`, kept.Headings); err != nil {
		return err
	}
	if err := d.store.exec(ctx, tx, "forget earlier columns", `DELETE FROM statement_layouts WHERE headings = $1 AND confirmed_at IS NOT NULL`, kept.Headings); err != nil {
		return err
	}
	if err := d.store.exec(ctx, tx, "remember columns of a statement", `UPDATE statement_layouts SET confirmed_at = $2 WHERE id = $1`, choice, d.clock.Now()); err != nil {
		return err
	}
	return d.recorder.RecordTx(ctx, tx, p, staff.Action{
		Action: "choose_statement_columns", Target: "statement", Reason: "Read a bank statement",
		After: staff.JSON(map[string]any{"headings": strings.ReplaceAll(kept.Headings, "|", " | "), "columns": kept.Columns, "day_order": kept.Order}),
	})
}

// compareTx marks credits whose UTR is repeated in the file, booked or dismissed. It proposes bills for the others.
func (d *Desk) compareTx(ctx context.Context, tx *sqlx.Tx, rows []statement.Row) error {
	numbers, of := []string{}, []match.Seen{}
	seen := map[string]bool{}
	for i := range rows {
		if rows[i].UTR == "" {
			continue
		}
		numbers, of = append(numbers, rows[i].UTR), append(of, match.Seen{UTR: rows[i].UTR, Remark: rows[i].Narration, Amount: rows[i].Amount})
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
		if !r.Known && r.Problem == "" && r.ReturnedBy == 0 {
			all := match.Match(match.Seen{UTR: r.UTR, Remark: r.Narration, Amount: r.Amount}, open)
			r.Proposals = all[:min(len(all), match.MostProposals)]
		}
	}
	return nil
}
