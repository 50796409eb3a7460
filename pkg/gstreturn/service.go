package gstreturn

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/einvoice"
	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/ledger"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
	"github.com/franchise360/franchise360/pkg/staff"
)

// Errors that are safe to show.
var (
	// ErrNotReconciled reports a return that differs from the books, or that the portal would refuse.
	ErrNotReconciled = errs.New(errs.KindConflict, "return_not_reconciled",
		"The return differs from the books, or contains what the portal refuses. Nothing can be downloaded until that is settled.")
	// ErrMonthRuns reports a month that is not over, so that no file of it can be taken out.
	ErrMonthRuns = errs.New(errs.KindConflict, "month_runs", "This month is not over yet. Its files can be downloaded from the 1st of the next month.")
)

// Recorder records staff actions in the transaction that performs them; staff.Service implements it.
type Recorder interface {
	RecordTx(ctx context.Context, tx *sqlx.Tx, p staff.Principal, a staff.Action) error
}

// Service makes returns for staff. It runs with the API's role.
type Service struct {
	db       *sqlx.DB
	clock    clock.Clock
	recorder Recorder
	gstin    string
	register time.Time
}

// Options are the parts and settings of a Service. NewService panics if a part is nil.
type Options struct {
	DB       *sqlx.DB
	Clock    clock.Clock
	Recorder Recorder
	// GSTIN is the supplier's.
	GSTIN string
	// RegisterFrom is the first day whose documents are registered at the Invoice Registration Portal, zero for never.
	RegisterFrom time.Time
}

// NewService returns the returns of a supplier.
func NewService(o Options) *Service {
	return wiring.Complete(&Service{db: o.DB, clock: o.Clock, recorder: o.Recorder, gstin: o.GSTIN, register: o.RegisterFrom})
}

// Compared is a figure of the return and the figure that has to equal it.
type Compared struct {
	Name          string
	Return, Other money.Paise
}

// Differs reports whether the figures differ.
func (c Compared) Differs() bool { return c.Return != c.Other }

// Checked is a return with the comparisons that must hold before its download.
type Checked struct {
	Return
	// Books compares the supplies less credit notes with the ledger, Codes with table 12.
	Books, Codes []Compared
	// Over reports whether the month is over, so that nothing is added to it.
	Over bool
}

// Sound reports whether every figure equals its other one and the portal would refuse nothing.
func (c Checked) Sound() bool {
	for _, list := range [][]Compared{c.Books, c.Codes} {
		for _, one := range list {
			if one.Differs() {
				return false
			}
		}
	}
	return len(c.Problems) == 0
}

// Of computes the return of a month from its documents. Documents never change, so a finished month always has the same return.
func (s *Service) Of(ctx context.Context, m Month) (Checked, error) {
	return s.of(ctx, m, keepNone, Figure{})
}

// Documents returns at most limit documents behind a figure, beginning with the one at from, in order of time and number, and how many
// there are.
func (s *Service) Documents(ctx context.Context, m Month, f Figure, from, limit int) ([]Document, int, error) {
	c, err := s.of(ctx, m, keepWindow(f.Table, from, limit), f)
	return c.Documents[f.Table], c.behind(f), err
}

func (s *Service) of(ctx context.Context, m Month, k keep, behind Figure) (c Checked, err error) {
	// Documents and books are read in one snapshot: a sale between two reads would look like a difference.
	err = postgres.InSnapshot(ctx, s.db, func(tx *sqlx.Tx) error {
		c, err = s.ofTx(ctx, tx, m, k, behind)
		return err
	})
	return c, err
}

func (s *Service) ofTx(ctx context.Context, tx *sqlx.Tx, m Month, k keep, behind Figure) (Checked, error) {
	from, to := m.Window()
	b := newBuilder(m, s.gstin, k)
	b.behind, b.register = behind, s.register
	var err error
	if b.gone, err = einvoice.CancelledTx(ctx, tx); err != nil {
		return Checked{}, err
	}
	err = invoice.TaxedTx(ctx, tx, from, to, func(d invoice.Taxed) error {
		b.add(d)
		return nil
	})
	if err != nil {
		return Checked{}, err
	}
	if err := s.checkRegistrationsTx(ctx, tx, b); err != nil {
		return Checked{}, err
	}
	books, err := ledger.SalesTx(ctx, tx, from, to)
	if err != nil {
		return Checked{}, err
	}
	r := b.done()
	out, code, gone, also := r.Outward(), r.ByCode(), r.Cancelled, ""
	if gone.Documents > 0 {
		also = ", and what was cancelled at the Invoice Registration Portal"
	}
	return Checked{
		Return: r, Over: !s.clock.Now().Before(to),
		Books: []Compared{
			{"Taxable value, with credit notes without GST" + also, out.Taxable - r.CommercialNotes + gone.Taxable, books.Value},
			{"CGST" + also, out.CGST + gone.CGST, books.CGST},
			{"SGST and UTGST" + also, out.SGST + out.UTGST + gone.SGST + gone.UTGST, books.SGST},
			{"IGST" + also, out.IGST + gone.IGST, books.IGST},
		},
		Codes: []Compared{
			{"Taxable value", out.Taxable, code.Taxable},
			{"CGST", out.CGST, code.CGST},
			{"SGST and UTGST", out.SGST + out.UTGST, code.SGST + code.UTGST},
			{"IGST", out.IGST, code.IGST},
		},
	}, nil
}

// Take returns the file of a month for the portal, and records who took it with the file's SHA-256, so that the filed one can be
// identified. It fails with ErrMonthRuns, and with ErrNotReconciled for a return that is not sound.
func (s *Service) Take(ctx context.Context, p staff.Principal, m Month) ([]byte, error) {
	c, err := s.ready(ctx, m)
	if err != nil {
		return nil, err
	}
	raw, err := c.JSON()
	if err != nil {
		return nil, errs.Internal(err)
	}
	sum := sha256.Sum256(raw)
	return raw, s.record(ctx, p, m.String(), m, map[string]any{"sha256": hex.EncodeToString(sum[:]), "bytes": len(raw)})
}

// TakeTable returns a table of a month as CSV, by the rules of Take.
func (s *Service) TakeTable(ctx context.Context, p staff.Principal, m Month, t Table) ([][]string, error) {
	c, err := s.ready(ctx, m)
	if err != nil {
		return nil, err
	}
	rows := c.CSV(t)
	return rows, s.record(ctx, p, m.String()+":"+string(t), m, map[string]any{"rows": len(rows) - 1})
}

// ready returns the return of a month with what its file lists, if it may be taken out.
func (s *Service) ready(ctx context.Context, m Month) (Checked, error) {
	c, err := s.of(ctx, m, keepListed, Figure{})
	switch {
	case err != nil:
		return c, err
	case !c.Over:
		return c, ErrMonthRuns
	case !c.Sound():
		return c, ErrNotReconciled
	}
	return c, nil
}

func (s *Service) record(ctx context.Context, p staff.Principal, target string, m Month, after map[string]any) error {
	return postgres.InTx(ctx, s.db, func(tx *sqlx.Tx) error {
		return s.recorder.RecordTx(ctx, tx, p, staff.Action{
			Action: "take_gst_return", Target: "gst_return:" + target, Reason: "GSTR-1 of " + m.String(), After: staff.JSON(after),
		})
	})
}

// months is how many months are offered: a return cannot be filed later than three years after it was due, on the 11th of the next month
// (section 37(5) CGST Act 2017).
const months = 38

// Months returns the months whose return can be looked at, newest first: the current one and those before.
func (s *Service) Months() []Month {
	list := make([]Month, 0, months)
	now := s.clock.Now().In(clock.IST)
	for back := range months {
		list = append(list, MonthOf(time.Date(now.Year(), now.Month()-time.Month(back), 1, 0, 0, 0, 0, clock.IST)))
	}
	return list
}

// Offered reports whether the month is one of Months.
func (s *Service) Offered(m Month) bool { return slices.Contains(s.Months(), m) }
