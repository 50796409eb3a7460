package invoice_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/money"
)

func TestStates_AreComplete(t *testing.T) {
	t.Parallel()
	states := invoice.States()
	require.Len(t, states, 37, "28 States, 8 union territories, other territory")
	seen := map[invoice.StateCode]bool{}
	for _, state := range states {
		require.Len(t, string(state.Code), 2)
		require.False(t, seen[state.Code], state.Code)
		require.True(t, state.Code.Valid())
		seen[state.Code] = true
	}
	require.False(t, seen["25"], "Daman and Diu merged into 26")
	require.False(t, seen["28"], "old Andhra Pradesh became 37")
	require.False(t, invoice.StateCode("99").Valid())
	require.False(t, invoice.StateCode("").Valid())
	require.Equal(t, "Maharashtra (27)", invoice.StateCode("27").Label())
}

func TestComputeTax_EachRegime_HasItsHeads(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name            string
		supplier, place invoice.StateCode
		taxable         money.Paise
		rate            int64
		want            invoice.Tax
	}{
		{"same State", "27", "27", 1_35_000_00, 1800, invoice.Tax{CGST: 12_150_00, SGST: 12_150_00}},
		{"another State", "27", "29", 1_35_000_00, 1800, invoice.Tax{IGST: 24_300_00}},
		{"same union territory", "04", "04", 1_00_000_00, 1800, invoice.Tax{CGST: 9_000_00, UTGST: 9_000_00}},
		{"Ladakh", "38", "38", 100_00, 1800, invoice.Tax{CGST: 9_00, UTGST: 9_00}},
		{"Delhi has a legislature", "07", "07", 100_00, 1800, invoice.Tax{CGST: 9_00, SGST: 9_00}},
		{"Puducherry has a legislature", "34", "34", 100_00, 1800, invoice.Tax{CGST: 9_00, SGST: 9_00}},
		{"from a State to a union territory", "27", "04", 100_00, 1800, invoice.Tax{IGST: 18_00}},
		{"other territory", "27", "97", 100_00, 1800, invoice.Tax{IGST: 18_00}},
		{"each head rounds by itself, half up", "27", "27", 50, 1800, invoice.Tax{CGST: 5, SGST: 5}},
		{"six and three quarters go up per head", "27", "27", 150, 900, invoice.Tax{CGST: 7, SGST: 7}},
		{"thirteen and a half go up as one head", "27", "29", 150, 900, invoice.Tax{IGST: 14}},
		{"a quarter per cent", "27", "27", 1_00_000, 25, invoice.Tax{CGST: 125, SGST: 125}},
		{"rate nought", "27", "27", 1_00_000, 0, invoice.Tax{}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.want, invoice.ComputeTax(c.supplier, c.place, c.taxable, c.rate))
		})
	}
	require.Equal(t, invoice.RegimeInterState, invoice.RegimeOf("27", "27", true), "SEZ bears IGST at home too")
}

func TestComputeTax_AnyPlaces_AddsUp(t *testing.T) {
	t.Parallel()
	states := invoice.States()
	rapid.Check(t, func(t *rapid.T) {
		supplier := rapid.SampledFrom(states).Draw(t, "supplier").Code
		place := rapid.SampledFrom(states).Draw(t, "place").Code
		taxable := money.Paise(rapid.Int64Range(0, int64(money.Max)).Draw(t, "taxable"))
		rate := rapid.SampledFrom([]int64{0, 25, 300, 500, 1200, 1800, 2800}).Draw(t, "rate")
		tax := invoice.ComputeTax(supplier, place, taxable, rate)
		if supplier == place {
			require.Zero(t, tax.IGST)
			require.Equal(t, tax.CGST, tax.SGST+tax.UTGST, "central and local halves are equal")
			require.True(t, tax.SGST == 0 || tax.UTGST == 0)
		} else {
			require.Equal(t, invoice.Tax{IGST: tax.IGST}, tax)
		}
		require.LessOrEqual(t, (tax.Total() - taxable.MulBps(rate)).Abs(), money.Paise(1))
		require.Equal(t, -tax.Total(), invoice.ComputeTax(supplier, place, -taxable, rate).Total())
	})
}

func TestParseGSTIN_ValidAndInvalidNumbers(t *testing.T) {
	t.Parallel()
	for _, valid := range []string{"27AAPFU0939F1ZV", "24AAQCA8719H1ZC", "27AAQCA8719H1Z6", " 27aapfu0939f1zv\n"} {
		got, err := invoice.ParseGSTIN(valid)
		require.NoError(t, err, valid)
		require.Equal(t, strings.ToUpper(strings.TrimSpace(valid)), got)
	}
	for name, invalid := range map[string]string{
		"wrong check":      "27AAPFU0939F1ZO",
		"empty":            "",
		"short":            "27AAPFU0939F1Z",
		"long":             "27AAPFU0939F1ZVV",
		"entity zero":      "27AAPFU0939F0ZV",
		"unknown State":    "25AAPFU0939F1ZV",
		"letters in State": "A7AAPFU0939F1ZV",
		"non-ASCII":        "27AAPFU0939F1Zé",
		"fourteenth C":     "27AAPFU0939F1CV",
		"fullwidth digit":  "２7AAPFU0939F1Z",
	} {
		_, err := invoice.ParseGSTIN(invalid)
		require.ErrorIs(t, err, invoice.ErrGSTIN, name)
	}
	_, err := invoice.ParseGSTINFor("27AAPFU0939F1ZV", "27")
	require.NoError(t, err)
	_, err = invoice.ParseGSTINFor("27AAPFU0939F1ZV", "29")
	require.ErrorIs(t, err, invoice.ErrGSTINState)
	require.Equal(t, "AAPFU0939F", invoice.PANOf("27AAPFU0939F1ZV"))
	require.Empty(t, invoice.PANOf("27"))
}

func TestParseGSTIN_OneWrongCharacter_IsRefused(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		at := rapid.IntRange(0, 14).Draw(t, "at")
		char := rapid.SampledFrom([]byte("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ")).Draw(t, "char")
		const valid = "27AAPFU0939F1ZV"
		changed := []byte(valid)
		changed[at] = char
		_, err := invoice.ParseGSTIN(string(changed))
		require.Equal(t, string(changed) == valid, err == nil, string(changed))
	})
}

func TestFinancialYear_StartsOn1AprilInIndia(t *testing.T) {
	t.Parallel()
	cases := map[string]string{
		"2026-11-21T08:00:00+05:30": "26-27",
		"2027-03-31T23:59:59+05:30": "26-27",
		"2027-04-01T00:00:00+05:30": "27-28",
		"2027-03-31T18:29:59Z":      "26-27",
		"2027-03-31T18:30:00Z":      "27-28",
		"2027-01-01T00:00:00Z":      "26-27",
		"2099-12-31T00:00:00Z":      "99-00",
	}
	for at, want := range cases {
		moment, err := time.Parse(time.RFC3339, at)
		require.NoError(t, err)
		require.Equal(t, want, invoice.FinancialYear(moment), at)
		require.Equal(t, want, invoice.FinancialYear(moment.In(clock.IST)), at)
	}
}

func TestFormatNumber_HasSeriesYearAndSixDigits(t *testing.T) {
	t.Parallel()
	number, err := invoice.FormatNumber(invoice.KindInvoice.Series(), "26-27", 1)
	require.NoError(t, err)
	require.Equal(t, "FP/26-27/000001", number)
	number, err = invoice.FormatNumber(invoice.KindCreditNote.Series(), "26-27", 42)
	require.NoError(t, err)
	require.Equal(t, "CN/26-27/000042", number)
	number, err = invoice.FormatNumber("FP", "26-27", 9_999_999)
	require.NoError(t, err)
	require.Len(t, number, invoice.MaxNumberLength)
	_, err = invoice.FormatNumber("FP", "26-27", 10_000_000)
	require.Error(t, err)
	_, err = invoice.FormatNumber("FP", "26-27", 0)
	require.Error(t, err)
}

func TestHasPIN_FindsAPINCodeInAnAddress(t *testing.T) {
	t.Parallel()
	require.True(t, invoice.HasPIN([]string{"Pune", "411001"}))
	require.True(t, invoice.HasPIN([]string{"Mumbai 400 051, Maharashtra"}))
	require.False(t, invoice.HasPIN([]string{"Pune 12345", "+91 98765 43210"}))
	require.False(t, invoice.HasPIN(nil))
}
