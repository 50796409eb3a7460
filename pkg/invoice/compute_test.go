package invoice_test

import (
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/platform/config"
	"github.com/franchise360/franchise360/pkg/platform/money"
)

// portal returns the GST portal's list: the code of each place, and whether UTGST is levied there (UTGST Act 2017, section 2(8):
// union territories without a legislature).
func portal() map[invoice.StateCode]bool {
	states := map[invoice.StateCode]bool{}
	for code := range strings.FieldsSeq("01 02 03 05 06 07 08 09 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 27 29 30 32 33 34 36 37 97") {
		states[invoice.StateCode(code)] = false
	}
	for code := range strings.FieldsSeq("04 26 31 35 38") {
		states[invoice.StateCode(code)] = true
	}
	return states
}

// A supply between any two places bears exactly the taxes of sections 7 and 8 of the IGST Act.
func TestComputeTax_EachPairOfPlaces_BearsItsTaxes(t *testing.T) {
	t.Parallel()
	states := portal()
	require.Len(t, invoice.States(), len(states))
	for supplier, union := range states {
		require.True(t, supplier.Valid(), supplier)
		for place := range states {
			got := invoice.ComputeTax(supplier, place, 1_35_000_00, 1800)
			want := invoice.Tax{IGST: 24_300_00}
			switch {
			case supplier == place && union:
				want = invoice.Tax{CGST: 12_150_00, UTGST: 12_150_00}
			case supplier == place:
				want = invoice.Tax{CGST: 12_150_00, SGST: 12_150_00}
			}
			require.Equal(t, want, got, "%s to %s", supplier, place)
			require.Equal(t, invoice.RegimeInterState, invoice.RegimeOf(supplier, place, true), "to a special economic zone")
		}
	}
	for _, unknown := range []invoice.StateCode{"", "0", "1", "00", "25", "28", "39", "96", "98", "99", "MH", " 27", "27 ", "०१"} {
		require.False(t, unknown.Valid(), unknown)
		require.Empty(t, unknown.Name())
	}
}

// halfUp returns amount × rate rounded half up to the paisa, using rational numbers.
func halfUp(amount money.Paise, numerator, denominator int64) money.Paise {
	exact := new(big.Rat).Mul(new(big.Rat).SetInt64(int64(amount)), big.NewRat(numerator, denominator))
	exact.Add(exact, big.NewRat(1, 2))
	return money.Paise(new(big.Int).Div(exact.Num(), exact.Denom()).Int64())
}

// Each head is rounded separately, half up to the paisa.
func TestComputeTax_AnyAmount_RoundsEachHead(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		amount := money.Paise(rapid.OneOf(rapid.Int64Range(0, 10_000), rapid.Int64Range(0, int64(money.Max))).Draw(t, "amount"))
		rate := rapid.SampledFrom([]int64{0, 10, 25, 100, 150, 300, 500, 600, 750, 1200, 1800, 2800, 4000}).Draw(t, "rate")
		half := halfUp(amount, rate, 20_000)
		require.Equal(t, invoice.Tax{CGST: half, SGST: half}, invoice.RegimeState.Tax(amount, rate))
		require.Equal(t, invoice.Tax{CGST: half, UTGST: half}, invoice.RegimeUnionTerritory.Tax(amount, rate))
		require.Equal(t, invoice.Tax{IGST: halfUp(amount, rate, 10_000)}, invoice.RegimeInterState.Tax(amount, rate))
	})
}

// Value and tax add up to an amount that includes tax (rule 50 with rule 35, CGST Rules: tax = amount × rate ÷ (100 + rate)).
func TestIncluded_AnyAmount_ValueAndTaxAddUp(t *testing.T) {
	t.Parallel()
	require.Equal(t, invoice.Tax{IGST: 24_300_00}, invoice.RegimeInterState.Included(1_59_300_00, 1800))
	require.Equal(t, invoice.Tax{CGST: 12_150_00, SGST: 12_150_00}, invoice.RegimeState.Included(1_59_300_00, 1800))
	require.Equal(t, invoice.Tax{CGST: 1525, UTGST: 1525}, invoice.RegimeUnionTerritory.Included(200_00, 1800))
	require.Equal(t, invoice.Tax{}, invoice.RegimeState.Included(100_00, 0))
	rapid.Check(t, func(t *rapid.T) {
		amount := money.Paise(rapid.Int64Range(1, 50_00_000_00).Draw(t, "amount"))
		rate := rapid.SampledFrom([]int64{0, 25, 500, 1200, 1800, 2800, 10_000}).Draw(t, "rate")
		for _, regime := range []invoice.Regime{invoice.RegimeState, invoice.RegimeUnionTerritory, invoice.RegimeInterState} {
			tax := regime.Included(amount, rate)
			value := amount - tax.Total()
			require.GreaterOrEqual(t, value, money.Paise(0))
			require.LessOrEqual(t, (regime.Tax(value, rate).Total() - tax.Total()).Abs(), money.Paise(2), "as if it had been added")
		}
		require.Equal(t, halfUp(amount, rate, 10_000+rate), invoice.RegimeInterState.Included(amount, rate).IGST)
	})
}

func line(amount, discount money.Paise) invoice.LineInput {
	return invoice.LineInput{
		Description: "Start up · Expansion", SAC: invoice.SACSoftware, RateBps: 1800, Quantity: 1, Amount: amount, Discount: discount,
	}
}

func TestCompute_ImpossibleLine_IsRefused(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(l *invoice.LineInput){
		"no description": func(l *invoice.LineInput) { l.Description = " \t" }, "no code": func(l *invoice.LineInput) { l.SAC = "" },
		"short code": func(l *invoice.LineInput) { l.SAC = "997" }, "long code": func(l *invoice.LineInput) { l.SAC = "997331000" },
		"letters in the code": func(l *invoice.LineInput) { l.SAC = "99733A" }, "code in other digits": func(l *invoice.LineInput) { l.SAC = "९९७३" },
		"negative rate": func(l *invoice.LineInput) { l.RateBps = -1 }, "over 100%": func(l *invoice.LineInput) { l.RateBps = 10_001 },
		"quantity zero": func(l *invoice.LineInput) { l.Quantity = 0 }, "negative quantity": func(l *invoice.LineInput) { l.Quantity = -1 },
		"negative": func(l *invoice.LineInput) { l.Amount = -1 }, "too much": func(l *invoice.LineInput) { l.Amount = money.Max + 1 },
		"negative discount": func(l *invoice.LineInput) { l.Discount = -1 }, "discount above the amount": func(l *invoice.LineInput) { l.Discount = l.Amount + 1 },
	} {
		bad := line(100_00, 0)
		change(&bad)
		for _, lines := range [][]invoice.LineInput{{bad}, {line(1, 0), bad}, {bad, line(1, 0)}} {
			_, _, err := invoice.Compute(invoice.RegimeState, lines)
			require.ErrorIs(t, err, invoice.ErrBadInput, name)
		}
	}
	_, _, err := invoice.Compute(invoice.RegimeState, nil)
	require.ErrorIs(t, err, invoice.ErrBadInput, "a document of nothing")
	_, _, err = invoice.Compute(invoice.RegimeInterState, []invoice.LineInput{line(money.Max, 0)})
	require.ErrorIs(t, err, invoice.ErrBadInput, "its tax takes it beyond what can be counted")
	_, _, err = invoice.Compute(invoice.RegimeInterState, []invoice.LineInput{line(money.Max/2, 0), line(money.Max/2, 0)})
	require.ErrorIs(t, err, invoice.ErrBadInput)

	lines, totals, err := invoice.Compute(invoice.RegimeState, []invoice.LineInput{line(0, 0), line(100_00, 100_00)})
	require.NoError(t, err, "what is given away stands on the invoice too")
	require.Equal(t, invoice.Totals{Amount: 100_00, Discount: 100_00}, totals)
	require.Equal(t, []int{1, 2}, []int{lines[0].Position, lines[1].Position})
}

// The totals are the sums of the lines' own figures: no figure is computed from a total.
func TestCompute_AnyLines_TotalsAreTheirSums(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		inputs := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) invoice.LineInput {
			amount := rapid.Int64Range(0, 10_00_000_00).Draw(t, "amount")
			return line(money.Paise(amount), money.Paise(rapid.Int64Range(0, amount).Draw(t, "discount")))
		}), 1, 8).Draw(t, "lines")
		regime := rapid.SampledFrom([]invoice.Regime{invoice.RegimeState, invoice.RegimeUnionTerritory, invoice.RegimeInterState}).Draw(t, "regime")
		lines, totals, err := invoice.Compute(regime, inputs)
		require.NoError(t, err)
		var want invoice.Totals
		for i, l := range lines {
			require.Equal(t, inputs[i].Amount-inputs[i].Discount, l.Taxable)
			require.Equal(t, regime.Tax(l.Taxable, l.RateBps), l.Tax)
			want.Amount, want.Discount, want.Taxable = want.Amount+l.Amount, want.Discount+l.Discount, want.Taxable+l.Taxable
			want.CGST, want.SGST, want.UTGST, want.IGST = want.CGST+l.CGST, want.SGST+l.SGST, want.UTGST+l.UTGST, want.IGST+l.IGST
			want.Total += l.Total()
		}
		require.Equal(t, want, totals)
		require.Equal(t, totals.Total, totals.Taxable+totals.Tax.Total())
		require.Equal(t, totals.Taxable, totals.Amount-totals.Discount)

		var of invoice.Totals
		seen := map[string]bool{}
		for _, row := range (invoice.Invoice{Lines: lines}).Summary() {
			key := row.SAC + string(rune(row.RateBps))
			require.False(t, seen[key], "a row a code and rate")
			seen[key] = true
			of.Taxable, of.Total = of.Taxable+row.Taxable, of.Total+row.Taxable+row.Total()
		}
		require.Equal(t, []money.Paise{totals.Taxable, totals.Total}, []money.Paise{of.Taxable, of.Total})
	})
}

func TestKinds_EachOne_HasItsSeriesAndName(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for kind, voucher := range map[invoice.Kind]bool{
		invoice.KindInvoice: false, invoice.KindCreditNote: false, invoice.KindReceiptVoucher: true, invoice.KindRefundVoucher: true,
	} {
		require.Equal(t, voucher, kind.Voucher(), kind)
		require.False(t, seen[kind.Series()], "each kind counts in a series of its own")
		seen[kind.Series()] = true
		number, err := invoice.FormatNumber(kind.Series(), "26-27", 1)
		require.NoError(t, err)
		require.Regexp(t, `^[A-Za-z0-9/-]{1,16}$`, number, "rule 46(b), and what the GST portal takes")
		require.Regexp(t, `^[A-Za-z]`, number, "the e-invoice portal takes none that begins with 0, / or -")
		require.Equal(t, strings.ReplaceAll(number, "/", "-")+".pdf", invoice.Invoice{Number: number}.Filename())
	}
	for _, sequence := range []int64{0, -1, 10_000_000, 1 << 62} {
		_, err := invoice.FormatNumber("FP", "26-27", sequence)
		require.Error(t, err, sequence)
	}
}

func TestTaxAdjustableBefore_Is1DecemberAfterTheFinancialYear(t *testing.T) {
	t.Parallel()
	for issued, before := range map[string]string{
		"2026-04-01T00:00:00+05:30": "2027-12-01T00:00:00+05:30", "2027-03-31T23:59:59+05:30": "2027-12-01T00:00:00+05:30",
		"2027-03-31T18:29:59Z": "2027-12-01T00:00:00+05:30", "2027-03-31T18:30:00Z": "2028-12-01T00:00:00+05:30",
		"2027-01-01T00:00:00Z": "2027-12-01T00:00:00+05:30", "2026-12-31T23:59:59Z": "2027-12-01T00:00:00+05:30",
		"2028-02-29T12:00:00+05:30": "2028-12-01T00:00:00+05:30",
	} {
		at, err := time.Parse(time.RFC3339, issued)
		require.NoError(t, err)
		require.Equal(t, before, invoice.TaxAdjustableBefore(at).Format(time.RFC3339), issued)
	}
}

func TestRecipientName_EmailOrBlank_IsNotAllowed(t *testing.T) {
	t.Parallel()
	for name, fine := range map[string]bool{
		"Asha Rao": true, "श्री गणेश ट्रेडर्स": true, "A@B Foods": true, "asha@work": true, "": false, " \t\n": false,
		"asha@example.in": false, " asha@example.in ": false, "a.b+c@shop.example.co.in": false,
	} {
		require.Equal(t, fine, invoice.ValidName(name), name)
	}
	for want, of := range map[string][3]string{
		"Asha LLP": {" Asha LLP ", "Asha", "Rao"}, "Asha Rao": {"", " Asha ", " Rao"}, "Meera Iyer": {"m@example.in", "Meera", "Iyer"}, "": {"", "Asha", " "},
	} {
		require.Equal(t, want, invoice.RecipientName(of[0], of[1], of[2]))
	}
	for _, nobody := range [][3]string{{"", "", "Rao"}, {"", "asha@example.in", "Rao"}, {" ", "Asha", "r@example.in"}, {"a@b.in", "", ""}} {
		require.Empty(t, invoice.RecipientName(nobody[0], nobody[1], nobody[2]), "%v", nobody)
	}
}

func TestSupplierFrom_Configuration_IsTrimmedAndSplit(t *testing.T) {
	t.Parallel()
	require.Equal(t, invoice.Supplier{StateCode: ""}, invoice.SupplierFrom(config.Supplier{}))
	got := invoice.SupplierFrom(config.Supplier{
		Name: "Franchise 360", Address: " 4th Floor | | Mumbai 400021 |", GSTIN: "27AAPFU0939F1ZV", StateCode: "27", Bank: "|", Terms: "one",
		Signatory: "Meera Iyer|Head of finance",
	})
	require.Equal(t, invoice.Supplier{
		Name: "Franchise 360", Address: []string{"4th Floor", "Mumbai 400021"}, GSTIN: "27AAPFU0939F1ZV", StateCode: "27", Terms: []string{"one"},
		Signatory: []string{"Meera Iyer", "Head of finance"},
	}, got)
}
