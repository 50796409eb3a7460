package invoice

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/franchise360/franchise360/pkg/platform/money"
)

func TestShare_PartOfAnInvoice_IsExact(t *testing.T) {
	t.Parallel()
	lines, totals, err := Compute(RegimeState, []LineInput{
		{Description: "Plan", SAC: SACSoftware, RateBps: 1800, Quantity: 1, Amount: 1_50_000_00, Discount: 15_000_00},
		{Description: "Set-up", SAC: SACSetUp, RateBps: 1800, Quantity: 1, Amount: 60_000_00},
	})
	require.NoError(t, err)
	require.Equal(t, money.Paise(2_30_100_00), totals.Total)

	parts, got, err := share(lines, 2_30_100_00)
	require.NoError(t, err)
	require.Equal(t, totals.Tax, got.Tax)
	require.Equal(t, totals.Taxable, got.Taxable)
	require.Len(t, parts, 2)

	_, _, err = share(lines, 2_30_100_01)
	require.ErrorIs(t, err, ErrCreditTooLarge)
	_, _, err = share(lines, 0)
	require.ErrorIs(t, err, ErrCreditTooLarge)
}

// The parts of an invoice that is credited completely add up to it head by head. No part is negative, and central and local tax differ by
// at most one paisa.
func TestCredits_AnyParts_AddUpToTheInvoice(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		regime := rapid.SampledFrom([]Regime{RegimeState, RegimeUnionTerritory, RegimeInterState}).Draw(t, "regime")
		inputs := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) LineInput {
			amount := money.Paise(rapid.Int64Range(0, 5_00_000_00).Draw(t, "amount"))
			return LineInput{
				Description: "Line", SAC: SACSoftware, Quantity: 1, Amount: amount,
				RateBps:  rapid.SampledFrom([]int64{0, 25, 500, 1800, 2800}).Draw(t, "rate"),
				Discount: money.Paise(rapid.Int64Range(0, int64(amount)).Draw(t, "discount")),
			}
		}), 1, 6).Draw(t, "lines")
		lines, totals, err := Compute(regime, inputs)
		require.NoError(t, err)
		original := Invoice{Lines: lines, Totals: totals}

		var notes []Invoice
		var credited Totals
		for remaining := totals.Total; remaining > 0; remaining = totals.Total - credited.Total {
			amount := remaining
			if len(notes) < 8 {
				amount = money.Paise(rapid.Int64Range(1, int64(remaining)).Draw(t, "credit"))
			}
			parts, part, err := share(left(original, notes), amount)
			require.NoError(t, err)
			require.Equal(t, amount, part.Total)
			for _, line := range parts {
				require.GreaterOrEqual(t, line.Taxable, money.Paise(0))
				if regime != RegimeInterState {
					require.LessOrEqual(t, (line.CGST - line.SGST - line.UTGST).Abs(), money.Paise(1))
				}
			}
			for _, line := range left(original, append(notes, Invoice{Lines: parts})) {
				require.GreaterOrEqual(t, line.Taxable, money.Paise(0), "no more than what is left")
				require.GreaterOrEqual(t, line.CGST, money.Paise(0))
				require.GreaterOrEqual(t, line.IGST, money.Paise(0))
			}
			notes = append(notes, Invoice{Lines: parts})
			credited.Tax = credited.plus(part.Tax)
			credited.Taxable += part.Taxable
			credited.Total += part.Total
		}
		require.Equal(t, totals.Tax, credited.Tax)
		require.Equal(t, totals.Taxable, credited.Taxable)
	})
}
