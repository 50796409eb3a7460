package pdf_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/money"
)

func at() time.Time { return time.Date(2026, time.November, 2, 10, 0, 0, 0, clock.IST).UTC() }

func supplier() invoice.Supplier {
	return invoice.Supplier{
		Name: "Franchise 360 Private Limited", Address: []string{"4th Floor, Maker Chambers IV, Nariman Point", "Mumbai 400021"},
		GSTIN: "27AAPFU0939F1ZV", StateCode: "27", Email: "accounts@franchise360.example", Phone: "+91 22 4000 0360",
		Bank:  []string{"Example Bank, Fort branch, Mumbai · Account 000012345678 · IFSC EXAM0000001"},
		Terms: []string{"Fees are for the period stated on each line. Questions about this invoice: accounts@franchise360.example."},
	}
}

func planLine() invoice.LineInput {
	return invoice.LineInput{
		Description: "Start up · Expansion, annual plan", Detail: "2 Nov 2026 – 1 Nov 2027", SAC: invoice.SACSoftware,
		RateBps: 1800, Quantity: 1, Amount: 1_50_000_00, Discount: 15_000_00,
	}
}

// document computes an invoice as the service would issue it, to a recipient in the State.
func document(tb testing.TB, state invoice.StateCode, inputs ...invoice.LineInput) invoice.Invoice {
	tb.Helper()
	regime := invoice.RegimeOf("27", state, false)
	lines, totals, err := invoice.Compute(regime, inputs)
	require.NoError(tb, err)
	return invoice.Invoice{
		ID: "019ae0c2-9f00-7a11-8f00-4b1d2c3e5144", Kind: invoice.KindInvoice, Number: "FP/26-27/000042", FinancialYear: "26-27",
		Series: "FP", Sequence: 42, IssuedAt: at(), Supplier: supplier(), PlaceOfSupply: state, Regime: regime, Lines: lines,
		Totals: totals, Recipient: invoice.Recipient{
			Name: "Asha Rao", Address: []string{"12/4, Shivaji Nagar", "Near City Market, Pune 411005"}, StateCode: state,
		},
		Receipt: invoice.Receipt{TransactionID: "F360a1b2c3d4e5f6", GatewayID: "403993715531", Method: "UPI", PaidAt: at()},
	}
}

// simple returns the example of the decision records: ₹1,50,000 less ₹15,000, with GST ₹1,59,300.
func simple(tb testing.TB) invoice.Invoice {
	tb.Helper()
	return document(tb, "27", planLine())
}

func addOn(name string, quantity int64, amount money.Paise) invoice.LineInput {
	return invoice.LineInput{
		Description: name, Detail: "2 Nov 2026 – 1 Nov 2027", SAC: invoice.SACSoftware, RateBps: 1800, Quantity: quantity, Amount: amount,
	}
}

// rich returns an invoice with several lines and two service codes, to a registered company in another State.
func rich(tb testing.TB) invoice.Invoice {
	tb.Helper()
	setUp := addOn("Distribution model setup", 1, 60_000_00)
	setUp.SAC = invoice.SACSetUp
	d := document(tb, "29", planLine(), addOn("Users app (Android and iOS)", 1, 90_000_00),
		addOn("Users extension, 50,000 users each", 2, 1_20_000_00), addOn("Franchise extension, 10 franchises each", 3, 2_52_000_00), setUp)
	d.Recipient = invoice.Recipient{
		Name: "Bengaluru Coffee Works Private Limited", StateCode: "29", GSTIN: "29AAGCB7383J1Z4",
		Address: []string{"No. 88, 100 Feet Road, Indiranagar", "Opposite the metro station", "Bengaluru 560038"},
	}
	return d
}

// note returns a partial credit note to simple.
func note(tb testing.TB) invoice.Invoice {
	tb.Helper()
	d := document(tb, "27", invoice.LineInput{
		Description: "Start up · Expansion, annual plan", Detail: "2 Nov 2026 – 1 Nov 2027", SAC: invoice.SACSoftware,
		RateBps: 1800, Quantity: 1, Amount: 50_254_24,
	})
	d.Kind, d.Number, d.Series = invoice.KindCreditNote, "CN/26-27/000007", "CN"
	d.OriginalNumber, d.OriginalDate, d.Reason = "FP/26-27/000042", at(), "Subscription cancelled within the first month, unused days refunded"
	d.IssuedAt = at().Add(72 * time.Hour)
	d.Receipt = invoice.Receipt{GatewayID: "R403993715531", PaidAt: d.IssuedAt}
	return d
}

// unused returns a note that credits the remaining days of simple's term: 361 of 365.
func unused(tb testing.TB) invoice.Invoice {
	tb.Helper()
	d := note(tb)
	lines, totals, err := invoice.Compute(d.Regime, []invoice.LineInput{{
		Description: "Start up · Expansion, annual plan", Detail: "6 Nov 2026 to 1 Nov 2027, 361 of 365 days", SAC: invoice.SACSoftware,
		RateBps: 1800, Quantity: 1, Amount: money.FromRupees(1_35_000).Prorate(361, 365),
	}})
	require.NoError(tb, err)
	d.Lines, d.Totals, d.Receipt = lines, totals, invoice.Receipt{}
	d.Reason = "Unused part of Start up · Expansion, set off against the upgrade to Enterprise · Apex"
	return d
}

// long returns an invoice with sixty lines, one with a description that fills much of a page.
func long(tb testing.TB) invoice.Invoice {
	tb.Helper()
	inputs := make([]invoice.LineInput, 0, 60)
	for i := range 60 {
		inputs = append(inputs, addOn(fmt.Sprintf("Franchise extension number %d", i+1), int64(i+1), money.Paise(1_00_000+i)))
	}
	inputs[20].Description = strings.TrimSpace(strings.Repeat("a very long description ", 60))
	return document(tb, "04", inputs...)
}

// hostile returns an invoice whose texts try to break the page.
func hostile(tb testing.TB) invoice.Invoice {
	tb.Helper()
	d := document(tb, "27", planLine())
	d.Recipient.Name = `<img src="http://169.254.169.254/latest"> <script>alert(1)</script>`
	d.Recipient.Address = []string{
		strings.Repeat("W", 300), "line\x00one\r\nline\ttwo \x1b[31mred", "evil\u202Egnp.exe\u202C", "Robert'); DROP TABLE invoices;--",
		"\\ ) ( ET BT /F1 (unbalanced", "漢字 😀 zero\u200Bwidth",
	}
	d.Lines[0].Description = "{n} %s %d {{.}} " + strings.Repeat("x", 1000)
	return d
}

// indian returns an invoice with names in the scripts of India and in extended Latin.
func indian(tb testing.TB) invoice.Invoice {
	tb.Helper()
	d := document(tb, "27", planLine())
	d.Recipient.Name = "श्री गणेश ट्रेडर्स Pvt Ltd — Müller & Łukasz Café"
	d.Recipient.Address = []string{
		"দুর্গা স্টোর্স, কলকাতা", "ਸ੍ਰੀ ਗੁਰੂ ਸਟੋਰ", "શ્રી ગુજરાત સ્ટોર", "ଓଡ଼ିଶା ଷ୍ଟୋର", "தமிழ்நாடு கடை", "శ్రీ తెలుగు స్టోర్", "ಶ್ರೀ ಕನ್ನಡ ಅಂಗಡಿ",
		"കേരള സ്റ്റോർ", "اردو بازار، دہلی", "חנות שלום",
	}
	return d
}

// union returns an invoice within a union territory, with odd paise.
func union(tb testing.TB) invoice.Invoice {
	tb.Helper()
	d := simple(tb)
	lines, totals, err := invoice.Compute(invoice.RegimeUnionTerritory, []invoice.LineInput{addOn("Users extension", 1, 7_397_26)})
	require.NoError(tb, err)
	d.Supplier.StateCode, d.Recipient.StateCode, d.PlaceOfSupply = "04", "04", "04"
	d.Regime, d.Lines, d.Totals = invoice.RegimeUnionTerritory, lines, totals
	return d
}

// wide returns an invoice with Latin letters beyond ASCII in its names.
func wide(tb testing.TB) invoice.Invoice {
	tb.Helper()
	d := simple(tb)
	d.Recipient.Name = "José Müller & Łukasz Café — São Tomé"
	return d
}

// registered returns an invoice with its e-invoicing numbers.
func registered(tb testing.TB) invoice.Invoice {
	tb.Helper()
	d := simple(tb)
	d.IRN, d.AckNo, d.AckAt = strings.Repeat("0123456789abcdef", 4), "112010036563310", d.IssuedAt
	d.SignedQR = "eyJhbGciOiJSUzI1NiJ9." + strings.Repeat("eyJkYXRhIjoie1wiU2VsbGVyR3N0aW5cIjpcIjI3QUFQRlUwOTM5RjFaVlwi", 9) + "." + strings.Repeat("c2lnbmF0dXJl", 28)
	return d
}

// zone returns an invoice to a special economic zone in the supplier's own State.
func zone(tb testing.TB) invoice.Invoice {
	tb.Helper()
	d := document(tb, "27", planLine())
	lines, totals, err := invoice.Compute(invoice.RegimeInterState, []invoice.LineInput{planLine()})
	require.NoError(tb, err)
	d.Regime, d.Lines, d.Totals = invoice.RegimeInterState, lines, totals
	d.Recipient.GSTIN, d.Recipient.SEZ = "27AAQCA8719H1Z6", true
	return d
}

// bare returns an invoice without any optional field.
func bare(tb testing.TB) invoice.Invoice {
	tb.Helper()
	d := simple(tb)
	d.Supplier = invoice.Supplier{Name: "Franchise 360", StateCode: "27"}
	d.Recipient = invoice.Recipient{Name: "asha@example.in", StateCode: "27"}
	d.Receipt = invoice.Receipt{}
	d.ReverseCharge = true
	return d
}

// rates returns an invoice with two rates and a total with paise.
func rates(tb testing.TB) invoice.Invoice {
	tb.Helper()
	reduced := addOn("Printed handbook", 3, 333_33)
	reduced.RateBps = 25
	return document(tb, "27", addOn("Users extension", 1, 7_397_26), reduced)
}
