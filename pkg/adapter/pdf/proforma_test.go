package pdf_test

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/transfer"
)

// proforma is for the plan of the example, ₹1,59,300, and a customer in another State.
func proforma(tb testing.TB) transfer.Proforma {
	tb.Helper()
	of := document(tb, "29", planLine())
	return transfer.Proforma{
		ID: "019ae0c2-9f00-7a11-8f00-4b1d2c3e5145", Number: "PF/26-27/000042", State: transfer.StateOpen, PONumber: "PO 4711/26",
		Amount: of.Totals.Total, Taxable: of.Totals.Taxable, Title: "Start up · Expansion",
		Document:   transfer.Document{Supplier: of.Supplier, Recipient: of.Recipient, Regime: of.Regime, Lines: of.Lines},
		Account:    transfer.Account{Number: "50200012345678", IFSC: "HDFC0000360", Beneficiary: "Franchise 360 Private Limited", Bank: "HDFC Bank"},
		ValidUntil: at().Add(15 * 24 * time.Hour), CreatedAt: at(),
	}
}

// A proforma states that it is no tax invoice. It has the account, the exact amount, the customer's order, the parts of the tax and the
// permitted deduction, on one page and in the same bytes each time, and no mark of a tax document. PROFORMA_PDF=file keeps the file for
// viewing.
func TestRenderProforma_NamesAmountAndAccountAndIsNoTaxInvoice(t *testing.T) {
	t.Parallel()
	p := proforma(t)
	body, err := setup(t).RenderProforma(p)
	require.NoError(t, err)
	again, err := setup(t).RenderProforma(p)
	require.NoError(t, err)
	require.Equal(t, body, again)
	require.Equal(t, 1, pagesOf(body))
	text := strings.Join(strings.Fields(textOf(t, body)), " ")
	for _, want := range []string{
		"Proforma invoice", "This is not a tax invoice", "PF/26-27/000042", "PO 4711/26", "50200012345678", "HDFC0000360", "Franchise 360 Private Limited",
		"1,59,300.00", "24,300.00", "17 Nov 2026", "10% is ₹13,500.00", "₹1,45,800.00", "AAPFU0939F", "no input tax credit",
	} {
		require.Contains(t, text, want)
	}
	for _, not := range []string{"Tax invoice", "Original for recipient", "Reverse charge", "EXAM0000001", "rule 46", "Digitally signed"} {
		require.NotContains(t, text, not)
	}
	if name := os.Getenv("PROFORMA_PDF"); name != "" {
		require.NoError(t, os.WriteFile(name, body, 0o600))
	}

	p.Document.Credited, p.Amount = money.FromRupees(10_000), p.Amount-money.FromRupees(10_000)
	body, err = setup(t).RenderProforma(p)
	require.NoError(t, err)
	text = strings.Join(strings.Fields(textOf(t, body)), " ")
	require.Contains(t, text, "₹1,49,300.00 (the total less ₹10,000.00 of credit)")
	require.NotContains(t, text, "Total to pay")
}
