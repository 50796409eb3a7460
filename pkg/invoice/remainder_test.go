package invoice

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/franchise360/franchise360/pkg/platform/money"
)

// sold returns an invoice of a plan for ₹1,35,000 and a set-up for ₹60,000, with 18% tax on each: ₹1,59,300 and ₹70,800.
func sold(t require.TestingT, regime Regime) Invoice {
	lines, totals, err := Compute(regime, []LineInput{
		{Description: "Plan", SAC: SACSoftware, RateBps: 1800, Quantity: 1, Amount: 1_50_000_00, Discount: 15_000_00},
		{Description: "Set-up", SAC: SACSetUp, RateBps: 1800, Quantity: 1, Amount: 60_000_00},
	})
	require.NoError(t, err)
	return Invoice{ID: "i1", PaymentID: "p1", Regime: regime, Lines: lines, Totals: totals}
}

// noted returns a credit note of the parts, for a refund.
func noted(t require.TestingT, of Invoice, earlier []Invoice, refundID string, parts ...CreditedPart) Invoice {
	lines, totals, err := cut(left(of, earlier), parts)
	require.NoError(t, err)
	return Invoice{OriginalID: of.ID, PaymentID: of.PaymentID, RefundID: refundID, Lines: lines, Totals: totals}
}

func TestRemainder_NotesAndRefunds_ReduceIt(t *testing.T) {
	t.Parallel()
	i := sold(t, RegimeInterState)
	plan := CreditedPart{Position: 1, Taxable: 35_000_00, Tax: Tax{IGST: 6_300_00}}
	note := noted(t, i, nil, "r1", plan)
	others := noted(t, i, nil, "r2", plan)
	others.OriginalID = "another invoice"

	for name, tc := range map[string]struct {
		notes      []Invoice
		given      []GivenBack
		left, kept money.Paise
		taken      []money.Paise
	}{
		"nothing given back":        {nil, nil, 2_30_100_00, 2_30_100_00, []money.Paise{0, 0}},
		"another invoice's note":    {[]Invoice{others}, nil, 2_30_100_00, 2_30_100_00, []money.Paise{0, 0}},
		"a note":                    {[]Invoice{note}, nil, 1_88_800_00, 1_88_800_00, []money.Paise{0, 0}},
		"a refund under way":        {nil, []GivenBack{{ID: "r3", PaymentID: "p1", Amount: 30_100_00}}, 2_00_000_00, 2_00_000_00, []money.Paise{0, 0}},
		"another payment's refund":  {nil, []GivenBack{{ID: "r3", PaymentID: "p2", Amount: 30_100_00}}, 2_30_100_00, 2_30_100_00, []money.Paise{0, 0}},
		"more under way than worth": {nil, []GivenBack{{ID: "r3", PaymentID: "p1", Amount: 9_99_999_00}}, 0, 0, []money.Paise{0, 0}},
		"a bank took a part back, with its note": {
			[]Invoice{note},
			[]GivenBack{{ID: "r1", PaymentID: "p1", Amount: 41_300_00, Dispute: true}},
			1_88_800_00, 2_30_100_00,
			[]money.Paise{28_592_31, 12_707_69},
		},
		"a bank took everything back": {
			nil,
			[]GivenBack{{ID: "r1", PaymentID: "p1", Amount: 9_99_999_00, Dispute: true}},
			2_30_100_00, 2_30_100_00,
			[]money.Paise{1_59_300_00, 70_800_00},
		},
	} {
		r := remainder(i, tc.notes, tc.given)
		require.Equal(t, tc.left, totalOf(r.Left), name)
		require.Equal(t, tc.kept, totalOf(r.Kept), name)
		require.Equal(t, tc.taken, r.TakenBack, name)
		require.Equal(t, sold(t, RegimeInterState).Lines, i.Lines, "%s: the invoice itself stays as it is", name)
	}
}

// With any notes and refunds, the remainder is not negative in any head, and together they make up the invoice.
func TestRemainder_AnyNotesAndRefunds_MakeUpTheInvoice(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		i := sold(t, rapid.SampledFrom([]Regime{RegimeState, RegimeUnionTerritory, RegimeInterState}).Draw(t, "regime"))
		var notes []Invoice
		var credited money.Paise
		for range rapid.IntRange(0, 4).Draw(t, "notes") {
			rest := left(i, notes)
			at := rapid.IntRange(0, len(rest)-1).Draw(t, "line")
			if rest[at].Total() < 1 {
				continue
			}
			part := CreditedPart{Position: at + 1, Taxable: rest[at].Taxable, Tax: rest[at].Tax}.
				Scaled(money.Paise(rapid.Int64Range(1, int64(rest[at].Total())).Draw(t, "amount")))
			note := noted(t, i, notes, "r", part)
			credited += note.Totals.Total
			notes = append(notes, note)
		}
		under := money.Paise(rapid.Int64Range(0, int64(i.Totals.Total)).Draw(t, "under way"))
		r := remainder(i, notes, []GivenBack{{ID: "u", PaymentID: i.PaymentID, Amount: under}})
		require.Equal(t, max(i.Totals.Total-credited-under, 0), totalOf(r.Left))
		for _, l := range r.Left {
			for _, part := range []money.Paise{l.Taxable, l.CGST, l.SGST, l.UTGST, l.IGST} {
				require.GreaterOrEqual(t, part, money.Paise(0))
			}
		}
	})
}

func TestCreditedPart_LargerThanItsLine_IsNotWithin(t *testing.T) {
	t.Parallel()
	l := sold(t, RegimeState).Lines[0]
	whole := CreditedPart{Position: 1, Taxable: l.Taxable, Tax: l.Tax}
	require.True(t, whole.Within(l))
	require.Equal(t, whole, whole.Capped(l))
	require.Equal(t, whole, whole.Scaled(whole.Total()+1), "no more than it is")
	require.Equal(t, money.Paise(0), whole.Scaled(-5).Total())
	for _, amount := range []money.Paise{1, 2, 3, 99, 1_00, 79_650_00, whole.Total() - 1} {
		part := whole.Scaled(amount)
		require.Equal(t, amount, part.Total(), "tax included, to the paisa")
		require.True(t, part.Within(l))
	}
	require.Equal(t, Tax{CGST: 6_075_00, SGST: 6_075_00}, whole.Scaled(79_650_00).Tax, "half of it is half of each head")
	for name, change := range map[string]func(p *CreditedPart){
		"value": func(p *CreditedPart) { p.Taxable++ }, "CGST": func(p *CreditedPart) { p.CGST++ }, "SGST": func(p *CreditedPart) { p.SGST++ },
		"UTGST": func(p *CreditedPart) { p.UTGST++ }, "IGST": func(p *CreditedPart) { p.IGST++ },
	} {
		more := whole
		change(&more)
		require.False(t, more.Within(l), name)
		require.Equal(t, whole, more.Capped(l), name)
		_, _, err := cut([]Line{l}, []CreditedPart{more})
		require.ErrorIs(t, err, ErrCreditTooLarge, name)
	}
}

func TestCut_PartNotInTheInvoice_IsRefused(t *testing.T) {
	t.Parallel()
	i := sold(t, RegimeState)
	fine := CreditedPart{Position: 2, Taxable: 100, Tax: Tax{CGST: 9, SGST: 9}, Detail: "3 of 365 days"}
	for name, parts := range map[string][]CreditedPart{
		"nothing":          nil,
		"no line":          {{Position: 0, Taxable: 1}},
		"no such line":     {{Position: 3, Taxable: 1}},
		"an empty part":    {{Position: 1}},
		"a negative part":  {{Position: 1, Taxable: -1}},
		"one fine, one no": {fine, {Position: -1, Taxable: 1}},
	} {
		_, _, err := cut(i.Lines, parts)
		require.ErrorIs(t, err, ErrCreditTooLarge, name)
	}
	lines, totals, err := cut(i.Lines, []CreditedPart{fine})
	require.NoError(t, err)
	require.Equal(t, money.Paise(118), totals.Total)
	require.Equal(t, Line{
		Position: 2, Description: "Set-up", Detail: "3 of 365 days", SAC: SACSetUp, RateBps: 1800, Quantity: 1, Amount: 100, Taxable: 100,
		Tax: Tax{CGST: 9, SGST: 9},
	}, lines[0], "the value given back, without the discount that was given once")
}

// A credit note without GST returns the same money without tax, and reduces the invoice's remaining value and tax.
func TestCreditNoteWithoutGST_ReturnsTheSameMoneyAndNoTax(t *testing.T) {
	t.Parallel()
	i := sold(t, RegimeState)
	parts, before, err := share(i.Lines, 1_15_050_00)
	require.NoError(t, err)
	lines, totals, err := withoutTax(parts)
	require.NoError(t, err)
	require.Equal(t, before.Total, totals.Total)
	require.Equal(t, Tax{}, totals.Tax)
	for _, l := range lines {
		require.Zero(t, l.RateBps)
		require.Equal(t, l.Taxable, l.Amount)
	}
	rest := left(i, []Invoice{{Lines: lines, Commercial: true}})
	require.Equal(t, money.Paise(1_15_050_00), totalOf(rest), "half is left")
	require.Equal(t, Tax{CGST: 6_075_00, SGST: 6_075_00}, rest[0].Tax)
	require.Equal(t, money.Paise(67_500_00), rest[0].Taxable)
	require.Equal(t, i.Lines, left(i, []Invoice{{Lines: []Line{{Position: 0, Taxable: 1}, {Position: 9, Taxable: 1}}}}), "lines that it has not")
}

// The parts of any weights add up, exceed no weight, and are exact to the paisa.
func TestApportion_AnyWeights_PartsAddUpWithinTheirWeights(t *testing.T) {
	t.Parallel()
	require.Equal(t, []money.Paise{1, 0, 0}, apportion([]money.Paise{1, 1, 1}, 1, 3), "the earlier of equals first")
	rapid.Check(t, func(t *rapid.T) {
		var weights []money.Paise
		var total money.Paise
		for _, w := range rapid.SliceOfN(rapid.Int64Range(0, int64(money.Max)/8), 1, 6).Draw(t, "weights") {
			weights, total = append(weights, money.Paise(w)), total+money.Paise(w)
		}
		if total < 1 {
			return
		}
		amount := money.Paise(rapid.Int64Range(0, int64(total)).Draw(t, "amount"))
		var sum money.Paise
		for i, part := range apportion(weights, amount, total) {
			sum += part
			require.True(t, part >= 0 && part <= weights[i])
			require.LessOrEqual(t, (part - weights[i].Prorate(int64(amount), int64(total))).Abs(), money.Paise(1))
		}
		require.Equal(t, amount, sum)
	})
}
