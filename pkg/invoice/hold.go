package invoice

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"github.com/franchise360/franchise360/pkg/platform/postgres"
)

// HoldNumbersSQL holds all numbers from $2 on, for the reason $1; an earlier hold keeps its reason.
const HoldNumbersSQL = `INSERT INTO invoice_number_holds (reason, held_since) VALUES ($1, $2) ON CONFLICT DO NOTHING`

// HoldNumbers has the database number no document until ResumeNumbers. Only the owner of the tables may.
func HoldNumbers(ctx context.Context, owner *sqlx.DB, reason string, at time.Time) error {
	if _, err := owner.ExecContext(ctx, HoldNumbersSQL, reason, at); err != nil {
		return fmt.Errorf("hold the numbers of documents: %w", err)
	}
	return nil
}

// NumberHold is since when and why no document is numbered.
type NumberHold struct {
	Reason string    `db:"reason"`
	Since  time.Time `db:"held_since"`
}

const readHoldSQL = `SELECT reason, held_since FROM invoice_number_holds`

// ReadNumberHold returns nil if documents are numbered.
func ReadNumberHold(ctx context.Context, db *sqlx.DB) (*NumberHold, error) {
	var h NumberHold
	err := db.GetContext(ctx, &h, readHoldSQL)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil //nolint:nilnil // nothing is held
	}
	if err != nil {
		return nil, fmt.Errorf("read whether the numbers of documents are held: %w", err)
	}
	return &h, nil
}

// RequireNumbers fails while numbers are held: a sale could not be invoiced then.
func RequireNumbers(ctx context.Context, db *sqlx.DB) error {
	h, err := ReadNumberHold(ctx, db)
	if err == nil && h != nil {
		err = fmt.Errorf("the numbers of documents are held (%s): give the last issued ones with `docker compose run --rm admin numbers resume …` "+
			"(rehearsal: `make admin-alone RUN=\"numbers resume …\"`); see \"After a restore\" in scripts/admin/backup/README.md", h.Reason)
	}
	return err
}

// Series is how far the documents of one kind are numbered in a financial year.
type Series struct {
	Name          string `db:"series"`
	FinancialYear string `db:"financial_year"`
	Last          int64  `db:"last"`
	// Lost are the ranges of numbers of documents that a restore lost, as Postgres writes them: {[4,8)}.
	Lost string `db:"lost"`
}

const seriesSQL = `SELECT series, financial_year, last, lost::text AS lost FROM invoice_counters ORDER BY financial_year, series`

// ReadSeries returns every series that has a number.
func ReadSeries(ctx context.Context, db *sqlx.DB) ([]Series, error) {
	var all []Series
	if err := db.SelectContext(ctx, &all, seriesSQL); err != nil {
		return nil, fmt.Errorf("read the number series: %w", err)
	}
	return all, nil
}

const unknownSQL = `SELECT id FROM unnest($1::uuid[]) AS of(id) WHERE NOT EXISTS (SELECT FROM invoices i WHERE i.id = of.id)`

// Unknown returns those of the ids that no document has.
func Unknown(ctx context.Context, db *sqlx.DB, ids []string) ([]string, error) {
	var unknown []string
	if err := db.SelectContext(ctx, &unknown, unknownSQL, pq.Array(ids)); err != nil {
		return nil, fmt.Errorf("look for documents: %w", err)
	}
	return unknown, nil
}

var numberPattern = regexp.MustCompile(`^([A-Z]{1,4})/([0-9]{2}-[0-9]{2})/([0-9]{6,})$`)

// ParseNumber parses the serial number of a document.
func ParseNumber(number string) (Series, error) {
	parts := numberPattern.FindStringSubmatch(number)
	if parts == nil || len(number) > MaxNumberLength || !slices.Contains(allSeries(), parts[1]) {
		return Series{}, fmt.Errorf("%q is not the number of a document, such as FP/26-27/000042", number)
	}
	last, err := strconv.ParseInt(parts[3], 10, 64)
	if err != nil || last < 1 {
		return Series{}, fmt.Errorf("%q is not the number of a document: it begins at 1", number)
	}
	return Series{Name: parts[1], FinancialYear: parts[2], Last: last}, nil
}

const skipSQL = `
	INSERT INTO invoice_counters AS c (series, financial_year, last, last_issued_at, lost)
	VALUES ($1, $2, $3, $4, int8multirange(int8range(1, $3, '[]')))
	ON CONFLICT (series, financial_year) DO UPDATE SET last = $3, last_issued_at = greatest(c.last_issued_at, $4),
		lost = c.lost + int8multirange(int8range(c.last + 1, $3, '[]'))
	WHERE c.last < $3`

// ResumeNumbers lets documents be numbered again, each given series from the number after its last; the numbers in between are
// recorded as lost. It fails if no numbers are held, so that two people do not resume after the same restore.
func ResumeNumbers(ctx context.Context, owner *sqlx.DB, given []Series, at time.Time) error {
	return postgres.InTx(ctx, owner, func(tx *sqlx.Tx) error {
		done, err := tx.ExecContext(ctx, `DELETE FROM invoice_number_holds`)
		if err != nil {
			return fmt.Errorf("resume the numbers of documents: %w", err)
		}
		if n, err := done.RowsAffected(); err != nil || n == 0 {
			return errors.Join(errors.New("the numbers of documents are not held"), err)
		}
		for _, s := range given {
			if _, err := tx.ExecContext(ctx, skipSQL, s.Name, s.FinancialYear, s.Last, at); err != nil {
				return fmt.Errorf("pass the numbers of %s/%s: %w", s.Name, s.FinancialYear, err)
			}
		}
		return nil
	})
}
