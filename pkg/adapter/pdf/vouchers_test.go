package pdf_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/invoice"
)

// upgraded returns an invoice partly paid by two credit notes.
func upgraded(tb testing.TB) invoice.Invoice {
	tb.Helper()
	d := rich(tb)
	d.Credits = []invoice.Applied{
		{Number: "CN/26-27/000007", IssuedAt: at(), Total: 1_15_654_79}, {Number: "CN/26-27/000008", IssuedAt: at(), Total: 7_397_26},
	}
	return d
}

// commercial returns a credit note after the time limit of section 34(2), for money taken back by a bank.
func commercial(tb testing.TB) invoice.Invoice {
	tb.Helper()
	d := note(tb)
	d.Number, d.Commercial, d.Receipt.TakenBack = "CC/27-28/000001", true, true
	for i := range d.Lines {
		d.Lines[i].Taxable, d.Lines[i].RateBps, d.Lines[i].Tax = d.Lines[i].Total(), 0, invoice.Tax{}
		d.Lines[i].Amount = d.Lines[i].Taxable
	}
	d.Totals.Amount, d.Totals.Taxable, d.Totals.Tax = d.Totals.Total, d.Totals.Total, invoice.Tax{}
	d.Supplier.Signatory = []string{"Meera Iyer", "Head of finance"}
	return d
}

// received returns the receipt voucher of an advance.
func received(tb testing.TB) invoice.Invoice {
	tb.Helper()
	d := document(tb, "29", invoice.LineInput{
		Description: "Advance received: subscription, Start up · Expansion", SAC: invoice.SACSoftware, RateBps: 1800, Quantity: 1, Amount: 10_000_00,
	})
	d.Kind, d.Number, d.Series = invoice.KindReceiptVoucher, "RV/26-27/000001", "RV"
	d.Supplier.Signatory = []string{"Meera Iyer", "Head of finance"}
	return d
}

// returned returns the refund voucher of that advance.
func returned(tb testing.TB) invoice.Invoice {
	tb.Helper()
	d := received(tb)
	d.Kind, d.Number, d.Series = invoice.KindRefundVoucher, "FV/26-27/000001", "FV"
	d.OriginalNumber, d.OriginalDate = "RV/26-27/000001", at()
	d.IssuedAt = at().Add(48 * time.Hour)
	return d
}

// Documents other than invoices have space for a signature and do not claim to need none: Notification 74/2018 does not cover rules 50, 51
// and 53.
func TestRender_DocumentsOtherThanInvoices_HaveASignatureSpace(t *testing.T) {
	t.Parallel()
	renderer := setup(t)
	for name, d := range map[string]invoice.Invoice{"note": note(t), "commercial": commercial(t), "received": received(t), "returned": returned(t)} {
		body, err := renderer.Render(d)
		require.NoError(t, err, name)
		text := textOf(t, body)
		require.Contains(t, text, "Authorised signatory", name)
		require.NotContains(t, text, "needs no signature", name)
		require.NotContains(t, text, "74/2018", name)
		if len(d.Supplier.Signatory) > 0 {
			require.Contains(t, text, "Meera Iyer", name)
		}
	}
	body, err := renderer.Render(simple(t))
	require.NoError(t, err)
	require.NotContains(t, textOf(t, body), "Authorised signatory")
}

// noteTo returns note addressed to a recipient with a GSTIN.
func noteTo(tb testing.TB, gstin string) invoice.Invoice {
	tb.Helper()
	d := note(tb)
	d.Recipient.GSTIN = gstin
	return d
}

// A credit note mentions input tax credit only to a registered recipient: an unregistered one cannot have taken it.
func TestRender_CreditNote_MentionsInputTaxOnlyToRegisteredRecipients(t *testing.T) {
	t.Parallel()
	renderer := setup(t)
	late := commercial(t)
	late.Recipient.GSTIN = "27AAQCA8719H1Z6"
	for name, c := range map[string]struct {
		document invoice.Invoice
		credit   bool
	}{
		"registered": {noteTo(t, "27AAQCA8719H1Z6"), true}, "unregistered": {note(t), false},
		"registered, no GST": {late, true}, "unregistered, no GST": {commercial(t), false},
	} {
		body, err := renderer.Render(c.document)
		require.NoError(t, err, name)
		text := strings.Join(strings.Fields(textOf(t, body)), " ")
		require.Equal(t, c.credit, strings.Contains(text, "input tax credit"), name)
		require.Equal(t, name == "registered", strings.Contains(text, "reverse any input tax credit"), name)
	}
}
