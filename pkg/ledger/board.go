package ledger

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
)

// keepChecks is how long the results of checks are kept.
const keepChecks = 400 * 24 * time.Hour

// Check is one check of the books.
type Check struct {
	ID        string      `db:"id"`
	At        time.Time   `db:"checked_at"`
	Journals  int64       `db:"journals"`
	Documents int64       `db:"documents"`
	Payments  int64       `db:"payments"`
	Debit     money.Paise `db:"debit_paise"`
	Credit    money.Paise `db:"credit_paise"`
	Findings  int         `db:"findings"`
}

// Invariant is one rule of the books with its last result. Trend has the number of findings of the last checks, oldest first, without
// checks before the rule existed.
type Invariant struct {
	Name     string
	Findings int
	Rows     []Finding
	Trend    []Point
}

// Point is the finding of one check of one rule.
type Point struct {
	At       time.Time `db:"checked_at"`
	Findings int       `db:"findings"`
}

// Board is the last check of the books, nil before the first, with every rule, broken rules first.
type Board struct {
	Last       *Check
	Invariants []Invariant
}

// Invariants returns the names of all rules of the books.
func Invariants() []string {
	all := checks()
	names := make([]string, 0, len(all))
	for _, c := range all {
		names = append(names, c.name)
	}
	return names
}

const (
	insertCheckSQL = `INSERT INTO book_checks (id, checked_at, journals, documents, payments, debit_paise, credit_paise, findings)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`
	insertResultSQL = `INSERT INTO book_check_results (check_id, invariant, findings, rows) VALUES ($1, $2, $3, $4)`
	pruneChecksSQL  = `DELETE FROM book_checks WHERE checked_at < $1`
	lastCheckSQL    = `SELECT id, checked_at, journals, documents, payments, debit_paise, credit_paise, findings FROM book_checks
		ORDER BY checked_at DESC, id DESC LIMIT 1`
	resultsSQL = `SELECT invariant, findings, rows FROM book_check_results WHERE check_id = $1`
	trendSQL   = `SELECT r.invariant, c.checked_at, r.findings FROM (SELECT id, checked_at FROM book_checks ORDER BY checked_at DESC, id DESC LIMIT 30) c
		JOIN book_check_results r ON r.check_id = c.id ORDER BY c.checked_at, c.id`
)

// maxKept is how many rows of a broken rule are kept.
const maxKept = 20

// Keep stores the result of a check, rule by rule, and deletes old ones. It needs the worker's role.
func (s *Service) Keep(ctx context.Context, r Report) error {
	byRule := map[string][]Finding{}
	for _, f := range r.Findings {
		byRule[f.Check] = append(byRule[f.Check], f)
	}
	now := s.clock.Now()
	return postgres.InTx(ctx, s.db, func(tx *sqlx.Tx) error {
		checkID := id.New()
		_, err := tx.ExecContext(ctx, insertCheckSQL, checkID, now, r.Journals, r.Invoices, r.Payments, int64(r.Debit), int64(r.Credit), len(r.Findings))
		if err != nil {
			return fmt.Errorf("keep check of the books: %w", err)
		}
		for _, name := range Invariants() {
			found := byRule[name]
			rows := make([]map[string]string, 0, maxKept)
			for _, f := range found[:min(len(found), maxKept)] {
				rows = append(rows, map[string]string{"subject": f.Subject, "detail": f.Detail})
			}
			body, err := json.Marshal(rows)
			if err != nil {
				return err
			}
			if _, err := tx.ExecContext(ctx, insertResultSQL, checkID, name, len(found), string(body)); err != nil {
				return fmt.Errorf("keep result of %s: %w", name, err)
			}
		}
		if _, err := tx.ExecContext(ctx, pruneChecksSQL, now.Add(-keepChecks)); err != nil {
			return fmt.Errorf("prune checks of the books: %w", err)
		}
		return nil
	})
}

// LastCheckTx returns the last check of the books; sql.ErrNoRows before the first.
func LastCheckTx(ctx context.Context, tx *sqlx.Tx) (Check, error) {
	var c Check
	if err := tx.GetContext(ctx, &c, lastCheckSQL); err != nil {
		return c, fmt.Errorf("read last check of the books: %w", err)
	}
	c.At = c.At.UTC()
	return c, nil
}
