package invoice

import (
	"context"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/money"
)

// Taxed is a document of any customer as a return of outward supplies needs it.
type Taxed struct {
	ID            string    `db:"id"`
	FranchiserID  string    `db:"franchiser_id"`
	Kind          Kind      `db:"kind"`
	Series        string    `db:"series"`
	Sequence      int64     `db:"sequence"`
	Number        string    `db:"number"`
	IssuedAt      time.Time `db:"issued_at"`
	Name          string    `db:"name"`
	GSTIN         string    `db:"gstin"`
	SEZ           bool      `db:"sez"`
	SupplierGSTIN string    `db:"supplier_gstin"`
	SupplierState StateCode `db:"supplier_state"`
	PlaceOfSupply StateCode `db:"place_of_supply"`
	Regime        Regime    `db:"regime"`
	// Commercial marks a credit note without GST, which no return has.
	Commercial bool        `db:"commercial"`
	Total      money.Paise `db:"total_paise"`
	// OriginalNumber and OriginalTotal are of the document that a note or a refund voucher refers to.
	OriginalNumber string      `db:"original_number"`
	OriginalTotal  money.Paise `db:"original_total"`
	// InvoicedAt is the time of the invoice after a receipt voucher, ReturnedAt of its refund voucher; nil if there was neither.
	InvoicedAt *time.Time `db:"invoiced_at"`
	ReturnedAt *time.Time `db:"returned_at"`
	// Lines are summed by service code and rate.
	Lines []TaxedLine
}

// TaxedLine is the part of a document under a service code at a rate, in paise.
type TaxedLine struct {
	SAC     string      `db:"sac"`
	RateBps int64       `db:"rate_bps"`
	Taxable money.Paise `db:"taxable_paise"`
	Tax
}

const taxedSQL = `SELECT id, franchiser_id, kind, series, sequence, number, issued_at, name, gstin, sez, supplier_gstin, supplier_state,
		place_of_supply, regime, commercial, total_paise, original_number, original_total, invoiced_at, returned_at,
		sac, rate_bps, taxable_paise, cgst_paise, sgst_paise, utgst_paise, igst_paise
	FROM taxed_documents($1, $2)`

// TaxedTx hands over every document that was issued in [after, before), in order of time and number, and the receipt vouchers from before
// whose advance was used up in it. The transaction has to carry the proof of a member of staff.
func TaxedTx(ctx context.Context, tx *sqlx.Tx, after, before time.Time, take func(Taxed) error) error {
	rows, err := tx.QueryxContext(ctx, taxedSQL, after, before)
	if err != nil {
		return fmt.Errorf("read taxed documents: %w", err)
	}
	defer rows.Close()
	var last Taxed
	for rows.Next() {
		var row struct {
			Taxed
			TaxedLine
		}
		if err := rows.StructScan(&row); err != nil {
			return fmt.Errorf("read taxed document: %w", err)
		}
		if row.ID != last.ID {
			if last.ID != "" {
				if err := take(last); err != nil {
					return err
				}
			}
			last = row.Taxed
		}
		last.Lines = append(last.Lines, row.TaxedLine)
	}
	if err := rows.Err(); err != nil {
		return fmt.Errorf("read taxed documents: %w", err)
	}
	if last.ID != "" {
		return take(last)
	}
	return nil
}
