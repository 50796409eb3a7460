package invoice_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/platform/money"
)

// Values at a line's limits are accepted, values beyond them are refused: amount, document total, rate, service code, quantity, and
// discount.
func TestCompute_LineAtItsLimits_IsIssued(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		change func(l *invoice.LineInput)
		ok     bool
	}{
		"as much as there is":            {func(l *invoice.LineInput) { l.Amount, l.RateBps = money.Max, 0 }, true},
		"a paisa more":                   {func(l *invoice.LineInput) { l.Amount, l.RateBps = money.Max+1, 0 }, false},
		"a paisa more, nearly all off":   {func(l *invoice.LineInput) { l.Amount, l.Discount = money.Max+1, money.Max }, false},
		"as much, with a paisa of tax":   {func(l *invoice.LineInput) { l.Amount, l.RateBps = money.Max, 1 }, false},
		"nothing":                        {func(l *invoice.LineInput) { l.Amount = 0 }, true},
		"less than nothing":              {func(l *invoice.LineInput) { l.Amount = -1 }, false},
		"all of it off":                  {func(l *invoice.LineInput) { l.Discount = l.Amount }, true},
		"more than all of it":            {func(l *invoice.LineInput) { l.Discount = l.Amount + 1 }, false},
		"a discount below nothing":       {func(l *invoice.LineInput) { l.Discount = -1 }, false},
		"no tax":                         {func(l *invoice.LineInput) { l.RateBps = 0 }, true},
		"all of it as tax":               {func(l *invoice.LineInput) { l.RateBps = 10_000 }, true},
		"more than all":                  {func(l *invoice.LineInput) { l.RateBps = 10_001 }, false},
		"tax below nothing":              {func(l *invoice.LineInput) { l.RateBps = -1 }, false},
		"quantity zero":                  {func(l *invoice.LineInput) { l.Quantity = 0 }, false},
		"a code of four digits":          {func(l *invoice.LineInput) { l.SAC = "9900" }, true},
		"a code of eight digits":         {func(l *invoice.LineInput) { l.SAC = "99731100" }, true},
		"a code of three":                {func(l *invoice.LineInput) { l.SAC = "997" }, false},
		"a code of nine":                 {func(l *invoice.LineInput) { l.SAC = "997311000" }, false},
		"a code with a space":            {func(l *invoice.LineInput) { l.SAC = "9983 14" }, false},
		"a code with a stroke":           {func(l *invoice.LineInput) { l.SAC = "9983/4" }, false},
		"a code with a colon":            {func(l *invoice.LineInput) { l.SAC = "9983:4" }, false},
		"a code in digits of Hindi":      {func(l *invoice.LineInput) { l.SAC = "९९७३" }, false},
		"blank description":              {func(l *invoice.LineInput) { l.Description = " \t" }, false},
		"many units for their whole sum": {func(l *invoice.LineInput) { l.Quantity = 1_000 }, true},
	} {
		l := invoice.LineInput{Description: "Plan", SAC: invoice.SACSoftware, RateBps: 1800, Quantity: 1, Amount: 1_000_00}
		tc.change(&l)
		lines, totals, err := invoice.Compute(invoice.RegimeInterState, []invoice.LineInput{l})
		if !tc.ok {
			require.ErrorIs(t, err, invoice.ErrBadInput, name)
			continue
		}
		require.NoError(t, err, name)
		require.Equal(t, l.Amount-l.Discount, lines[0].Taxable, name)
		require.Equal(t, totals.Total, totals.Taxable+totals.IGST, name)
	}
	half := invoice.LineInput{Description: "Plan", SAC: invoice.SACSoftware, Quantity: 1, Amount: money.Max / 2}
	_, totals, err := invoice.Compute(invoice.RegimeState, []invoice.LineInput{half, half})
	require.NoError(t, err)
	require.Equal(t, money.Max, totals.Total, "the document as a whole, to the paisa")
	_, _, err = invoice.Compute(invoice.RegimeState, []invoice.LineInput{half, half, {Description: "Fee", SAC: invoice.SACSoftware, Quantity: 1, Amount: 1}})
	require.ErrorIs(t, err, invoice.ErrBadInput)
	for rate, ok := range map[int64]bool{-1: false, 0: true, 10_000: true, 10_001: false} {
		err := invoice.Rates{{From: "2017-07-01", RateBps: rate}}.Validate()
		require.Equal(t, ok, err == nil, rate)
	}
}

// Section 14 CGST Act in other words: a change of the rate applies to a supply if at least two of the three (the supply, its invoice, its payment)
// are on its day or after it. The rate is that of the last change that applies.
func TestRates_AnySupply_FollowSection14(t *testing.T) {
	t.Parallel()
	day := func(n int) invoice.Date {
		return invoice.Date(time.Date(2026, time.January, 1+n, 0, 0, 0, 0, time.UTC).Format(time.DateOnly))
	}
	rapid.Check(t, func(t *rapid.T) {
		rates := invoice.Rates{{From: "2017-07-01", RateBps: 1800}}
		changes := []int{rapid.IntRange(0, 9).Draw(t, "first"), rapid.IntRange(10, 19).Draw(t, "second"), rapid.IntRange(20, 29).Draw(t, "third")}
		for i, c := range changes {
			rates = append(rates, invoice.Rate{From: day(c), RateBps: int64(100 * (i + 1))})
		}
		require.NoError(t, rates.Validate())
		of := [3]int{rapid.IntRange(-1, 31).Draw(t, "supplied"), rapid.IntRange(-1, 31).Draw(t, "invoiced"), rapid.IntRange(-1, 31).Draw(t, "paid")}
		want := int64(1800)
		for i, c := range changes {
			after := 0
			for _, d := range of {
				if d >= c {
					after++
				}
			}
			if after >= 2 {
				want = int64(100 * (i + 1))
			}
		}
		require.Equal(t, want, rates.For(invoice.Supply{Supplied: day(of[0]), Invoiced: day(of[1]), Paid: day(of[2])}), fmt.Sprint(of, changes))
	})
}
