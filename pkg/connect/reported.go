package connect

import (
	"context"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"github.com/franchise360/franchise360/pkg/account"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/subscription"
)

const (
	// figuresKept is how long a reported figure is kept, in days. It covers a yearly term with its grace.
	figuresKept = 400
	maxFigure   = 1_000_000_000_000_000
)

// Figures are a connected system's figures of a customer's day. A nil figure is unknown and stays as it was reported before.
type Figures struct {
	SalesPaise, Points, NewCustomers *int64
}

func (f Figures) named() (names []string, values []int64, err error) {
	var v errs.Validation
	for _, one := range []struct {
		name  string
		value *int64
	}{{"sales_paise", f.SalesPaise}, {"points", f.Points}, {"new_customers", f.NewCustomers}} {
		if one.value == nil {
			continue
		}
		v.Check(*one.value >= 0 && *one.value <= maxFigure, one.name, "Send a whole number from 0 to 10,00,00,00,00,00,00,000.")
		names, values = append(names, one.name), append(values, *one.value)
	}
	v.Check(len(names) > 0, "sales_paise", "Send at least one figure.")
	return names, values, v.Err()
}

// Report stores the figures of a day of the customer whose store, or whose account, has the id. A second report of the same key and day
// replaces the figures that it names.
func (s *Service) Report(ctx context.Context, k Key, of string, day subscription.Day, f Figures) error {
	names, values, err := f.named()
	if err != nil {
		return err
	}
	now := s.clock.Now()
	today := subscription.DayOf(now)
	if day > today || day <= today-figuresKept {
		return errs.Invalid("Send a day of the last 400 days, today included.").Field("day", "Send a day of the last 400 days, today included.")
	}
	accountID, err := s.ownerOf(ctx, of)
	if err != nil {
		return err
	}
	return postgres.InTenantTx(ctx, s.db, accountID, func(tx *sqlx.Tx) error {
		if _, err := account.ReachTx(ctx, tx, accountID); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, forgetFiguresSQL, accountID, today-figuresKept); err != nil {
			return fmt.Errorf("delete old figures: %w", err)
		}
		if _, err := tx.ExecContext(ctx, reportSQL, accountID, k.Label, day, pq.Array(names), pq.Array(values), now); err != nil {
			return fmt.Errorf("store figures: %w", err)
		}
		return nil
	})
}

// ReportedSQL sums the figures of the term t for subscription.TermValue.
const ReportedSQL = `SELECT jsonb_agg(to_jsonb(r) ORDER BY r.name, r.key_label) FROM (
	SELECT f.name, f.key_label, sum(f.value) AS value, min(f.day) AS "from", max(f.day) AS until, count(*) AS days
	FROM reported_figures f
	WHERE f.franchiser_id = t.franchiser_id AND f.day BETWEEN t.starts_on AND t.until GROUP BY f.name, f.key_label) r`

const (
	forgetFiguresSQL = `DELETE FROM reported_figures WHERE franchiser_id = $1 AND day <= $2`
	reportSQL        = `
	INSERT INTO reported_figures (franchiser_id, name, key_label, day, value, reported_at)
	SELECT $1, f.name, $2, $3, f.value, $6 FROM unnest($4::text[], $5::bigint[]) AS f (name, value)
	ON CONFLICT (franchiser_id, day, name, key_label) DO UPDATE SET value = excluded.value, reported_at = excluded.reported_at
	WHERE reported_figures.value <> excluded.value`
	exportFiguresSQL = `
	SELECT day, name, value, key_label, reported_at FROM reported_figures WHERE franchiser_id = $1 ORDER BY day, name, key_label`
	eraseFiguresSQL = `DELETE FROM reported_figures WHERE franchiser_id = $1`
)

type figureExport struct {
	Day        subscription.Day `json:"day" db:"day"`
	Name       string           `json:"name" db:"name"`
	Value      int64            `json:"value" db:"value"`
	ReportedBy string           `json:"reported_by" db:"key_label"`
	ReportedAt time.Time        `json:"reported_at" db:"reported_at"`
}

// PersonalData exports and erases the figures that connected systems reported.
type PersonalData struct{}

// ExportTx returns the reported figures, or nil if there are none.
func (PersonalData) ExportTx(ctx context.Context, tx *sqlx.Tx, franchiserID string) (section string, data any, err error) {
	const name = "reported_figures"
	var list []figureExport
	if err := tx.SelectContext(ctx, &list, exportFiguresSQL, franchiserID); err != nil {
		return name, nil, fmt.Errorf("export reported figures: %w", err)
	}
	if len(list) == 0 {
		return name, nil, nil
	}
	return name, list, nil
}

// EraseTx deletes the reported figures.
func (PersonalData) EraseTx(ctx context.Context, tx *sqlx.Tx, franchiserID string) error {
	if _, err := tx.ExecContext(ctx, eraseFiguresSQL, franchiserID); err != nil {
		return fmt.Errorf("erase reported figures: %w", err)
	}
	return nil
}

// MoveTx changes nothing: the figures contain no mobile number.
func (PersonalData) MoveTx(context.Context, *sqlx.Tx, string, string) error { return nil }
