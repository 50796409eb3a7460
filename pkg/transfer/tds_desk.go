package transfer

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/staff"
)

// Deducted is tax that a customer deducted from a bill.
type Deducted struct {
	ID            string        `db:"id"`
	FranchiserID  string        `db:"franchiser_ref"`
	Proforma      string        `db:"proforma"`
	InvoiceNumber string        `db:"invoice_number"`
	Kind          string        `db:"kind"`
	Code          string        `db:"code"`
	Section       string        `db:"section"`
	TAN           string        `db:"tan"`
	PAN           string        `db:"deductor_pan"`
	Base          money.Paise   `db:"base_paise"`
	RateBps       int64         `db:"rate_bps"`
	Amount        money.Paise   `db:"amount_paise"`
	Reversed      money.Paise   `db:"reversed_paise"` // reversed by refunds
	TaxYear       string        `db:"tax_year"`
	Quarter       int           `db:"quarter"`
	State         TDSState      `db:"state"`
	Shown         sql.NullInt64 `db:"shown_paise"`
	Certificate   string        `db:"certificate"`
	ChangedAt     time.Time     `db:"changed_at"`
	CreatedAt     time.Time     `db:"created_at"`
	// Name is the customer's. Age is the number of days without a match. Difference is the deducted tax less the amount in Form 168.
	Name       string      `db:"-"`
	Age        int         `db:"-"`
	Difference money.Paise `db:"-"`
}

// TDSQuery selects deducted tax by state, tax year, quarter and kind. Late selects tax unmatched for longer than a quarter's return
// takes.
type TDSQuery struct {
	State   TDSState
	TaxYear string
	Quarter int
	Kind    string
	Late    bool
	Limit   int
	Offset  int
}

const (
	deductedSQL = `
		SELECT t.id, t.franchiser_ref, p.number AS proforma, t.invoice_number, t.kind, t.code, t.section, t.tan, t.deductor_pan, t.base_paise, t.rate_bps,
			t.amount_paise, t.reversed_paise, t.tax_year, t.quarter, t.state, t.shown_paise, t.certificate, t.changed_at, t.created_at
		FROM tds_records t JOIN proformas p ON p.id = t.proforma_id`
	deductedWhere = ` WHERE ($1 = '' OR t.state = $1) AND ($2 = '' OR t.tax_year = $2) AND ($3 = 0 OR t.quarter = $3) AND ($4 = '' OR t.kind = $4)
		AND ($5::timestamptz IS NULL OR t.state <> 'matched' AND t.reversed_paise < t.amount_paise AND t.created_at < $5)`
)

func (d *Desk) where(q TDSQuery) []any {
	late := sql.NullTime{}
	if q.Late {
		late = nullTime(d.clock.Now().Add(-tdsAge))
	}
	return []any{string(q.State), q.TaxYear, q.Quarter, q.Kind, late}
}

var taxYearForm = regexp.MustCompile(`^20[0-9]{2}-[0-9]{2}$`)

func (q TDSQuery) check() error {
	var v errs.Validation
	checkState(&v, TDSStates(), q.State)
	v.Check(q.TaxYear == "" || taxYearForm.MatchString(q.TaxYear), "tax_year", "Write a tax year such as 2026-27.")
	v.Check(q.Quarter >= 0 && q.Quarter <= 4, "quarter", "A quarter is 1, 2, 3 or 4.")
	v.Check(q.Kind == "" || q.Kind == TaxIncome || q.Kind == TaxGST, "kind", "There is no such tax.")
	return v.Err()
}

// Deducted lists deducted tax, newest first, with the sum of the selection.
func (d *Desk) Deducted(ctx context.Context, q TDSQuery) (list []Deducted, total int, sum money.Paise, err error) {
	if err := q.check(); err != nil {
		return nil, 0, 0, err
	}
	args, now := d.where(q), d.clock.Now()
	err = postgres.InTx(ctx, d.db, func(tx *sqlx.Tx) error {
		row := tx.QueryRowxContext(ctx, `SELECT count(*), coalesce(sum(t.amount_paise - t.reversed_paise), 0)::bigint FROM tds_records t`+deductedWhere, args...)
		if err := row.Scan(&total, &sum); err != nil {
			return fmt.Errorf("count deducted tax: %w", err)
		}
		list = []Deducted{}
		if err := tx.SelectContext(ctx, &list, deductedSQL+deductedWhere+` ORDER BY t.created_at DESC, t.id DESC LIMIT $6 OFFSET $7`,
			append(args, q.Limit, q.Offset)...); err != nil {
			return fmt.Errorf("list deducted tax: %w", err)
		}
		ids := make([]string, 0, len(list))
		for _, t := range list {
			ids = append(ids, t.FranchiserID)
		}
		names, err := d.store.names(ctx, tx, ids)
		if err != nil {
			return err
		}
		for i := range list {
			list[i].Name = names[list[i].FranchiserID].Name
			list[i] = list[i].aged(now)
		}
		return nil
	})
	return list, total, sum, err
}

func (t Deducted) aged(now time.Time) Deducted {
	t.ChangedAt, t.CreatedAt = t.ChangedAt.UTC(), t.CreatedAt.UTC()
	if t.State != TDSMatched && t.Reversed < t.Amount {
		t.Age = int(now.Sub(t.CreatedAt).Hours() / 24)
	}
	if t.Shown.Valid {
		t.Difference = t.Amount - money.Paise(t.Shown.Int64)
	}
	return t
}

// TDSChange is a staff change of deducted tax. State is the next state, or the present one to correct other fields.
type TDSChange struct {
	State       TDSState
	TAN, PAN    string
	Code        string
	Shown       *money.Paise
	Certificate string
	Reason      string
}

var (
	tanForm = regexp.MustCompile(`^[A-Z]{4}[0-9]{5}[A-Z]$`)
	panForm = regexp.MustCompile(`^[A-Z]{5}[0-9]{4}[A-Z]$`)
)

func (c TDSChange) clean() (TDSChange, error) {
	c.TAN, c.PAN = strings.ToUpper(strings.TrimSpace(c.TAN)), strings.ToUpper(strings.TrimSpace(c.PAN))
	c.Certificate = strings.Join(strings.Fields(c.Certificate), " ")
	var v errs.Validation
	v.Check(c.TAN == "" || tanForm.MatchString(c.TAN), "tan", "A TAN is four letters, five digits and a letter.")
	v.Check(c.PAN == "" || panForm.MatchString(c.PAN), "pan", "A PAN is five letters, four digits and a letter.")
	v.Check(len(c.Certificate) <= 40, "certificate", "A certificate's number has at most 40 characters.")
	v.Check(c.Shown == nil || *c.Shown >= 0 && *c.Shown <= money.Max, "shown_paise", "The amount is not below zero.")
	v.Check(c.State == TDSClaimed || c.State == TDSInForm168 || c.State == TDSCertificate || c.State == TDSMatched, "state", "Choose one of the states.")
	v.Check(c.State != TDSInForm168 && c.State != TDSMatched || c.Shown != nil, "shown_paise", "Say what the tax account shows.")
	v.Check(c.State != TDSCertificate && c.State != TDSMatched || c.Certificate != "", "certificate", "Give the number of the certificate.")
	return c, v.Err()
}

// ErrNotMatched refuses to mark tax as matched if Form 168 shows another amount.
var ErrNotMatched = errs.New(errs.KindConflict, "tds_differs", "The tax account shows another amount than was deducted. It is not matched until both are the same.")

const changeTDSSQL = `
	UPDATE tds_records SET state = $2, tan = $3, deductor_pan = $4, code = $5, section = $6, shown_paise = $7, certificate = $8, changed_at = $9
	WHERE id = $1`

// ChangeTDS stores a staff change of deducted tax, audited.
func (d *Desk) ChangeTDS(ctx context.Context, p staff.Principal, recordID string, change TDSChange) (t Deducted, err error) {
	change, err = change.clean()
	if err != nil {
		return t, err
	}
	reason, err := staff.CleanReason(change.Reason)
	if err != nil {
		return t, err
	}
	if !id.Valid(recordID) {
		return t, errs.NotFound()
	}
	now := d.clock.Now()
	err = postgres.InTx(ctx, d.db, func(tx *sqlx.Tx) error {
		err := tx.GetContext(ctx, &t, deductedSQL+` WHERE t.id = $1 FOR UPDATE OF t`, recordID)
		if errors.Is(err, sql.ErrNoRows) {
			return errs.NotFound()
		}
		if err != nil {
			return fmt.Errorf("read deducted tax: %w", err)
		}
		before := t.facts()
		if change.Code != "" && change.Code != t.Code {
			t.Code = change.Code
			err := tx.GetContext(ctx, &t.Section, `SELECT section FROM tds_codes WHERE kind = $1 AND code = $2 AND valid_from <= $3
				AND (valid_to IS NULL OR valid_to > $3)`, t.Kind, t.Code, t.CreatedAt.In(clock.IST).Format(time.DateOnly))
			if errors.Is(err, sql.ErrNoRows) {
				return errs.Invalid("There is no such code.").Field("code", "Choose a payment code of the law.")
			}
			if err != nil {
				return fmt.Errorf("find code of deducted tax: %w", err)
			}
		}
		if t.State != change.State && !TDSStates().Allows(t.State, change.State) {
			return errs.New(errs.KindConflict, "tds_state", "It does not go from "+string(t.State)+" to "+string(change.State)+".")
		}
		if err := TDSStates().Move(&t.State, change.State); err != nil {
			return err
		}
		t.TAN, t.PAN, t.Certificate, t.ChangedAt = change.TAN, change.PAN, change.Certificate, now
		t.Shown = sql.NullInt64{}
		if change.Shown != nil {
			t.Shown = sql.NullInt64{Int64: int64(*change.Shown), Valid: true}
		}
		if t.State == TDSMatched && money.Paise(t.Shown.Int64) != t.Amount {
			return ErrNotMatched
		}
		if err := d.store.exec(ctx, tx, "change deducted tax", changeTDSSQL, t.ID, string(t.State), t.TAN, t.PAN, t.Code, t.Section, t.Shown,
			t.Certificate, now); err != nil {
			return err
		}
		return d.recorder.RecordTx(ctx, tx, p, staff.Action{
			Action: "change_tds", Target: "tds:" + t.ID, FranchiserRef: &t.FranchiserID, Reason: reason, Before: staff.JSON(before), After: staff.JSON(t.facts()),
		})
	})
	return t.aged(now), err
}

func (t Deducted) facts() map[string]any {
	shown := any(nil)
	if t.Shown.Valid {
		shown = t.Shown.Int64
	}
	return map[string]any{"state": t.State, "tan": t.TAN, "deductor_pan": t.PAN, "code": t.Code, "shown_paise": shown, "certificate": t.Certificate}
}

// Header and Row are the columns of the list as CSV.
func (Deducted) Header() []string {
	return []string{
		"Customer", "TAN", "PAN of deductor", "Proforma", "Invoice", "Tax", "Code", "Section", "Base", "Rate %", "Amount", "Tax year", "Quarter", "State",
		"Form 168 shows", "Certificate", "Days unmatched", "Reversed",
	}
}

// Row returns the record as a line of CSV.
func (t Deducted) Row() []string {
	shown := ""
	if t.Shown.Valid {
		shown = money.Paise(t.Shown.Int64).Decimal()
	}
	return []string{
		t.Name, t.TAN, t.PAN, t.Proforma, t.InvoiceNumber, t.Kind, t.Code, t.Section, t.Base.Decimal(), money.Paise(t.RateBps).Decimal(), t.Amount.Decimal(),
		t.TaxYear, "Q" + strconv.Itoa(t.Quarter), string(t.State), shown, t.Certificate, strconv.Itoa(t.Age), t.Reversed.Decimal(),
	}
}
