package transfer

import (
	"context"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/transfer/match"
)

// The kinds of deducted tax.
const (
	TaxIncome = "income_tax"
	TaxGST    = "gst"
)

// taxYear returns the tax year of a moment, such as 2026-27, and its quarter.
func taxYear(at time.Time) (string, int) {
	local := at.In(clock.IST)
	first, month := local.Year(), int(local.Month())
	if month < int(time.April) {
		first, month = first-1, month+12
	}
	return fmt.Sprintf("%d-%02d", first, (first+1)%100), (month-int(time.April))/3 + 1
}

const (
	codeSQL = `
		SELECT code, section FROM tds_codes
		WHERE kind = $1 AND rate_bps = $2 AND valid_from <= $3 AND (valid_to IS NULL OR valid_to > $3) ORDER BY position LIMIT 1`
	insertTDSSQL = `
		INSERT INTO tds_records (id, franchiser_ref, proforma_id, payment_id, invoice_number, kind, code, section, deductor_pan, base_paise, rate_bps,
			amount_paise, tax_year, quarter, state, changed_at, created_at)
		VALUES ($1, $2, $3, $4, coalesce((SELECT number FROM document_overview WHERE payment_id = $4 AND kind = 'invoice' AND NOT replaced), ''), $5, $6, $7, $8, $9,
			$10, $11, $12, $13, $14, $15, $15)`
)

// knowRateTx refuses a rate without a code in the law on that day, because the tax could not be recorded.
func (store) knowRateTx(ctx context.Context, tx *sqlx.Tx, rateBps int64, at time.Time) error {
	var known bool
	if err := tx.GetContext(ctx, &known, `SELECT EXISTS (`+codeSQL+`)`, TaxIncome, rateBps, at.In(clock.IST).Format(time.DateOnly)); err != nil {
		return fmt.Errorf("look for rate of tax: %w", err)
	}
	if !known {
		return errs.Invalid("Income tax is deducted at 1%, 2% or 10%.").Field("tds_rate_bps", "Income tax is deducted at 1%, 2% or 10%.")
	}
	return nil
}

// recordTDSTx records the tax deducted from a bill, with the law's code for its rate on the day of the payment. The deductor reports it
// in the quarter of the payment, whenever we book it.
func (b *Booker) recordTDSTx(ctx context.Context, tx *sqlx.Tx, p Proforma, u Use, paid, now time.Time) error {
	year, quarter := taxYear(paid)
	for _, of := range []struct {
		kind   string
		rate   int64
		amount money.Paise
	}{{TaxIncome, u.RateBps, u.TDS}, {TaxGST, match.GSTTDSRate, u.GSTTDS}} {
		if of.amount == 0 {
			continue
		}
		code := struct {
			Code    string `db:"code"`
			Section string `db:"section"`
		}{}
		if err := tx.GetContext(ctx, &code, codeSQL, of.kind, of.rate, paid.In(clock.IST).Format(time.DateOnly)); err != nil {
			return fmt.Errorf("find code of deducted tax: %w", err)
		}
		pan := ""
		if p.Document.Recipient.GSTIN != "" {
			pan = invoice.PANOf(p.Document.Recipient.GSTIN)
		}
		var state TDSState
		if err := TDSStates().Move(&state, TDSClaimed); err != nil {
			return err
		}
		if err := b.store.exec(ctx, tx, "record deducted tax", insertTDSSQL, id.New(), p.FranchiserID, p.ID, p.PaymentID, of.kind, code.Code,
			code.Section, pan, p.Taxable, of.rate, of.amount, year, quarter, string(state), now); err != nil {
			return err
		}
	}
	return nil
}
