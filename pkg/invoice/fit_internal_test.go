package invoice

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/money"
)

// The discount reduces the lines to the received amount, or to a few paise more if tax by line cannot add up to it. No line costs more than
// before.
func TestFit_LessReceived_DiscountsTheLinesToTheAmount(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(7, 11))
	for range 2_000 {
		var inputs []LineInput
		for range 1 + r.IntN(3) {
			amount := money.Paise(1 + r.Int64N(50_000_00))
			inputs = append(inputs, LineInput{
				Description: "Plan", SAC: SACSoftware, RateBps: []int64{0, 1200, 1800}[r.IntN(3)], Quantity: 1, Amount: amount,
				Discount: money.Paise(r.Int64N(int64(amount))),
			})
		}
		regime := []Regime{RegimeInterState, RegimeState}[r.IntN(2)]
		lines, before, err := Compute(regime, inputs)
		require.NoError(t, err)
		want := money.Paise(1 + r.Int64N(int64(before.Total)))
		fitted, err := Fit(regime, inputs, want)
		require.NoError(t, err)
		after, totals, err := Compute(regime, fitted)
		require.NoError(t, err)
		require.GreaterOrEqual(t, totals.Total, want)
		require.LessOrEqual(t, totals.Total, want+2, "%v to %s", inputs, want)
		for i := range after {
			require.LessOrEqual(t, after[i].Taxable, lines[i].Taxable)
		}
	}
}

func TestFit_AmountCoversTheLines_GivesNoDiscount(t *testing.T) {
	t.Parallel()
	inputs := []LineInput{{Description: "Plan", SAC: SACSoftware, RateBps: 1800, Quantity: 1, Amount: 100_00}}
	fitted, err := Fit(RegimeInterState, inputs, 118_00)
	require.NoError(t, err)
	require.Equal(t, inputs, fitted)
	_, err = Fit(RegimeInterState, inputs, 0)
	require.ErrorIs(t, err, ErrBadInput)
}
