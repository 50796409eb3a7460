package ledger

import (
	"time"

	"github.com/franchise360/franchise360/pkg/invoice"
)

// OwedTax is the tax of a credit note by head; Reference identifies the record of what happened to it.
type OwedTax struct {
	FranchiserID string
	PaymentID    string
	InvoiceID    string
	Number       string
	Tax          invoice.Tax
	Reference    string
	At           time.Time
}

// InputTaxRefused records that the recipient of a credit note did not reverse the input tax credit: its reduction of the output tax lapses
// (section 34(2) CGST Act), and the tax due again is our own expense.
func InputTaxRefused(o OwedTax) Entry {
	return o.entry(KindInputTaxRefused, "Tax of credit note "+o.Number+" owed again",
		Debit(AccountTaxNotRecovered, o.Tax.Total()),
		Credit(AccountOutputCGST, o.Tax.CGST), Credit(AccountOutputSGST, o.Tax.SGST),
		Credit(AccountOutputUTGST, o.Tax.UTGST), Credit(AccountOutputIGST, o.Tax.IGST))
}

// InputTaxRestored reverses InputTaxRefused line by line: the note reduces the output tax after all.
func InputTaxRestored(o OwedTax) Entry {
	return o.entry(KindInputTaxRestored, "Tax of credit note "+o.Number+" no longer owed",
		Debit(AccountOutputCGST, o.Tax.CGST), Debit(AccountOutputSGST, o.Tax.SGST),
		Debit(AccountOutputUTGST, o.Tax.UTGST), Debit(AccountOutputIGST, o.Tax.IGST),
		Credit(AccountTaxNotRecovered, o.Tax.Total()))
}

func (o OwedTax) entry(kind Kind, description string, lines ...Line) Entry {
	return Entry{
		FranchiserID: o.FranchiserID, Kind: kind, Reference: o.Reference, PaymentID: o.PaymentID, InvoiceID: o.InvoiceID,
		Description: description, PostedAt: o.At, Lines: nonZero(lines...),
	}
}

// taxChecks returns the checks of the tax owed again against the recipients' recorded states.
func taxChecks() []check {
	return []check{{"refused_tax_is_owed_again", `
		SELECT 'credit note ' || coalesce(n.number, j.invoice_id::text) AS subject,
			format('recorded as %s, tax %s, owed again %s', coalesce(n.state, 'unknown'), n.total_paise - n.taxable_paise, j.expense) AS detail
		FROM (SELECT i.*, s.state FROM invoices i CROSS JOIN LATERAL (SELECT state FROM input_tax_states
				WHERE invoice_id = i.id ORDER BY sequence DESC LIMIT 1) s) n
		FULL JOIN (SELECT j.invoice_id,
				sum(l.debit_paise - l.credit_paise) FILTER (WHERE l.account = 'tax_not_recovered') AS expense,
				coalesce(sum(l.credit_paise - l.debit_paise) FILTER (WHERE l.account = 'output_cgst'), 0) AS cgst,
				coalesce(sum(l.credit_paise - l.debit_paise) FILTER (WHERE l.account = 'output_sgst'), 0) AS sgst,
				coalesce(sum(l.credit_paise - l.debit_paise) FILTER (WHERE l.account = 'output_utgst'), 0) AS utgst,
				coalesce(sum(l.credit_paise - l.debit_paise) FILTER (WHERE l.account = 'output_igst'), 0) AS igst
			FROM ledger_journals j JOIN ledger_lines l ON l.journal_id = j.id
			WHERE j.kind IN ('input_tax_refused', 'input_tax_restored') GROUP BY j.invoice_id
		) j ON j.invoice_id = n.id
		WHERE CASE WHEN n.state = 'refused'
			THEN (j.expense, j.cgst, j.sgst, j.utgst, j.igst) IS DISTINCT FROM ((n.total_paise - n.taxable_paise)::numeric,
				n.cgst_paise::numeric, n.sgst_paise::numeric, n.utgst_paise::numeric, n.igst_paise::numeric)
			ELSE (coalesce(j.expense, 0), coalesce(j.cgst, 0), coalesce(j.sgst, 0), coalesce(j.utgst, 0), coalesce(j.igst, 0))
				<> (0::numeric, 0::numeric, 0::numeric, 0::numeric, 0::numeric) END`}}
}
