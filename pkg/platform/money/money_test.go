package money_test

import (
	"encoding/json"
	"math"
	"math/big"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/franchise360/franchise360/pkg/platform/money"
)

func TestDisplay_UsesIndianGrouping(t *testing.T) {
	t.Parallel()
	cases := []struct {
		amount  money.Paise
		display string
		grouped string
		decimal string
		rupees  string
	}{
		{0, "₹0", "0.00", "0.00", "0"},
		{5, "₹0.05", "0.05", "0.05", "0.05"},
		{50, "₹0.50", "0.50", "0.50", "0.5"},
		{99_900, "₹999", "999.00", "999.00", "999"},
		{1_00_000, "₹1,000", "1,000.00", "1000.00", "1000"},
		{99_999_00, "₹99,999", "99,999.00", "99999.00", "99999"},
		{1_50_000_00, "₹1,50,000", "1,50,000.00", "150000.00", "150000"},
		{1_50_000_50, "₹1,50,000.50", "1,50,000.50", "150000.50", "150000.5"},
		{-1_500_00, "-₹1,500", "-1,500.00", "-1500.00", "-1500"},
		{-1, "-₹0.01", "-0.01", "-0.01", "-0.01"},
		{1_00_00_000_00, "₹1,00,00,000", "1,00,00,000.00", "10000000.00", "10000000"},
		{12_34_56_789_01, "₹12,34,56,789.01", "12,34,56,789.01", "123456789.01", "123456789.01"},
		{math.MinInt64, "-₹92,23,37,20,36,85,47,758.08", "-92,23,37,20,36,85,47,758.08", "-92233720368547758.08", "-92233720368547758.08"},
	}
	for _, c := range cases {
		t.Run(c.display, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.display, c.amount.Display())
			require.Equal(t, c.display, c.amount.String())
			require.Equal(t, c.grouped, c.amount.Grouped())
			require.Equal(t, c.decimal, c.amount.Decimal())
			body, err := json.Marshal(map[string]any{"v": c.amount.Rupees()})
			require.NoError(t, err)
			require.Equal(t, `{"v":`+c.rupees+`}`, string(body))
		})
	}
}

func TestWords_SpellTheAmount(t *testing.T) {
	t.Parallel()
	cases := map[money.Paise]string{
		0:                     "Rupees Zero Only",
		1_00:                  "Rupees One Only",
		50:                    "Fifty Paise Only",
		1_01:                  "Rupees One and One Paise Only",
		19_00:                 "Rupees Nineteen Only",
		20_00:                 "Rupees Twenty Only",
		21_00:                 "Rupees Twenty One Only",
		100_00:                "Rupees One Hundred Only",
		110_00:                "Rupees One Hundred Ten Only",
		1_59_300_00:           "Rupees One Lakh Fifty Nine Thousand Three Hundred Only",
		1_59_300_50:           "Rupees One Lakh Fifty Nine Thousand Three Hundred and Fifty Paise Only",
		99_99_999_99:          "Rupees Ninety Nine Lakh Ninety Nine Thousand Nine Hundred Ninety Nine and Ninety Nine Paise Only",
		1_00_00_000_00:        "Rupees One Crore Only",
		12_00_00_001_00:       "Rupees Twelve Crore One Only",
		1_23_45_67_890_00:     "Rupees One Hundred Twenty Three Crore Forty Five Lakh Sixty Seven Thousand Eight Hundred Ninety Only",
		1_00_00_00_00_00_0000: "Rupees One Lakh Crore Only",
		-1_500_00:             "Minus Rupees One Thousand Five Hundred Only",
	}
	for amount, words := range cases {
		t.Run(words, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, words, amount.Words())
		})
	}
}

func TestMulBps_RoundsHalfAwayFromZero(t *testing.T) {
	t.Parallel()
	cases := []struct {
		amount money.Paise
		bps    int64
		want   money.Paise
	}{
		{1_35_000_00, 1800, 24_300_00},
		{1_35_000_00, 900, 12_150_00},
		{1, 5000, 1},
		{1, 4999, 0},
		{5, 900, 0},
		{6, 900, 1},
		{-1, 5000, -1},
		{-1, 4999, 0},
		{-6, 900, -1},
		{100, -1000, -10},
		{0, 1800, 0},
		{math.MaxInt64, 10_000, math.MaxInt64},
		{math.MaxInt64, 20_000, math.MaxInt64},
		{math.MinInt64, 20_000, math.MinInt64},
	}
	for _, c := range cases {
		require.Equal(t, c.want, c.amount.MulBps(c.bps), "%d × %d bps", int64(c.amount), c.bps)
	}
}

func TestProrate_SharesByDays(t *testing.T) {
	t.Parallel()
	require.Equal(t, money.Paise(7_397_26), money.Paise(90_000_00).Prorate(30, 365))
	require.Equal(t, money.Paise(90_000_00), money.Paise(90_000_00).Prorate(366, 366))
	require.Equal(t, money.Paise(0), money.Paise(90_000_00).Prorate(0, 365))
	require.Equal(t, money.Paise(-50), money.Paise(-100).Prorate(1, 2))
	require.Equal(t, money.Paise(2), money.Paise(3).Prorate(1, 2), "one and a half goes up")
	require.Equal(t, money.Paise(1), money.Paise(4).Prorate(1, 3), "four thirds go down")
	require.Equal(t, money.Paise(0), money.Paise(4).Prorate(1, 0))
}

func TestSum_OverflowIsAnError(t *testing.T) {
	t.Parallel()
	total, err := money.Sum(1_50_000_00, -15_000_00, 24_300_00)
	require.NoError(t, err)
	require.Equal(t, money.Paise(1_59_300_00), total)
	_, err = money.Sum(math.MaxInt64, 1)
	require.ErrorIs(t, err, money.ErrOverflow)
	_, err = money.Sum(math.MinInt64, -1)
	require.ErrorIs(t, err, money.ErrOverflow)
	total, err = money.Sum()
	require.NoError(t, err)
	require.Zero(t, total)
}

func TestParse_DecimalRupees(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]money.Paise{
		"10.00": 10_00, "10": 10_00, "10.5": 10_50, "0.01": 1, "-3.07": -3_07, "159300.00": 1_59_300_00,
	} {
		got, err := money.Parse(text)
		require.NoError(t, err, text)
		require.Equal(t, want, got, text)
	}
	for _, text := range []string{"", ".", "1.", ".5", "1.005", "1,000", "1e3", " 1", "+1", "--1", "NaN", "१"} {
		_, err := money.Parse(text)
		require.ErrorIs(t, err, money.ErrSyntax, text)
	}
	_, err := money.Parse("99999999999999999999")
	require.ErrorIs(t, err, money.ErrOverflow)
}

func TestFromRupees_OverflowIsCapped(t *testing.T) {
	t.Parallel()
	require.Equal(t, money.Paise(1_50_000_00), money.FromRupees(1_50_000))
	require.Equal(t, money.Paise(math.MaxInt64), money.FromRupees(math.MaxInt64))
	require.Equal(t, money.Paise(math.MaxInt64), money.Paise(math.MinInt64).Abs())
	require.Equal(t, money.Paise(7), money.Paise(-7).Abs())
}

func anyAmount(t *rapid.T) money.Paise {
	return money.Paise(rapid.Int64Range(-int64(money.Max), int64(money.Max)).Draw(t, "amount"))
}

func TestDecimal_AnyAmount_RoundTrips(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		amount := money.Paise(rapid.Int64().Draw(t, "amount"))
		if amount == math.MinInt64 {
			return
		}
		back, err := money.Parse(amount.Decimal())
		require.NoError(t, err)
		require.Equal(t, amount, back)
		back, err = money.Parse(strings.ReplaceAll(amount.Grouped(), ",", ""))
		require.NoError(t, err)
		require.Equal(t, amount, back)
		back, err = money.Parse(amount.Rupees().String())
		require.NoError(t, err)
		require.Equal(t, amount, back)
	})
}

func TestMulBps_AnyAmount_IsRoundedToThePaisa(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		amount := anyAmount(t)
		bps := rapid.Int64Range(0, 20_000).Draw(t, "bps")
		got := amount.MulBps(bps)
		require.Equal(t, -got, (-amount).MulBps(bps), "a credit's tax undoes the debit's")

		exact := new(big.Rat).SetFrac(new(big.Int).Mul(big.NewInt(int64(amount)), big.NewInt(bps)), big.NewInt(10_000))
		off := new(big.Rat).Sub(new(big.Rat).SetInt64(int64(got)), exact)
		require.LessOrEqual(t, off.Abs(off).Cmp(big.NewRat(1, 2)), 0, "never off by more than half a paisa")
	})
}

func TestProrate_AnyShare_StaysWithinTheAmount(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		amount := anyAmount(t)
		total := rapid.Int64Range(1, 366).Draw(t, "total")
		used := rapid.Int64Range(0, total).Draw(t, "used")
		left := amount.Prorate(total-used, total)
		both := left + amount.Prorate(used, total)
		require.LessOrEqual(t, (both - amount).Abs(), money.Paise(1), "both parts make the whole within a paisa")
		require.LessOrEqual(t, left.Abs(), amount.Abs())
	})
}

func TestDisplay_AnyAmount_KeepsItsDigits(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		shown := anyAmount(t).Display()
		digits := strings.TrimPrefix(strings.TrimPrefix(shown, "-"), "₹")
		whole, _, _ := strings.Cut(digits, ".")
		groups := strings.Split(whole, ",")
		for i, group := range groups {
			switch {
			case i == len(groups)-1 && len(groups) > 1:
				require.Len(t, group, 3, shown)
			case i > 0:
				require.Len(t, group, 2, shown)
			default:
				require.NotEmpty(t, group, shown)
			}
		}
	})
}
