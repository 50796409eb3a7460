package pdf_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/platform/money"
)

// written returns the document's text with single spaces, regardless of line breaks.
func written(t *testing.T, d invoice.Invoice) string {
	t.Helper()
	body, err := setup(t).Render(d)
	require.NoError(t, err)
	return strings.Join(strings.Fields(textOf(t, body)), " ")
}

func TestRender_LongestNames_FitOnOnePage(t *testing.T) {
	t.Parallel()
	for name, word := range map[string]string{"Latin": "Wholesale", "Devanagari": "व्यापारी", "Tamil": "வணிகம்"} {
		fill := func(length int) string {
			chars := []rune(strings.Repeat(word+" ", length))[:length]
			return strings.TrimSpace(string(chars))
		}
		d := simple(t)
		d.Recipient.Name = fill(100)
		d.Recipient.Address = []string{fill(50) + ", " + fill(50), fill(50), fill(25) + ", Dadra and Nagar Haveli and Daman and Diu 396230"}
		d.Recipient.GSTIN = "27AAQCA8719H1Z6"
		body, err := setup(t).Render(d)
		require.NoError(t, err, name)
		require.Equal(t, 1, pagesOf(body), name)
		text := strings.Join(strings.Fields(textOf(t, body)), " ")
		require.Equal(t, strings.Count(d.Recipient.Name+strings.Join(d.Recipient.Address, " "), word), strings.Count(text, word), "%s: no word is lost", name)
		for _, rest := range []string{"₹1,59,300.00", "Rupees One Lakh Fifty Nine Thousand Three Hundred Only", "FP/26-27/000042", "27AAQCA8719H1Z6"} {
			require.Contains(t, text, rest, name)
		}
	}
}

// A name that fills pages is cut with an ellipsis; number, tax and total remain.
func TestRender_AbsurdlyLongName_IsCut(t *testing.T) {
	t.Parallel()
	d := simple(t)
	d.Recipient.Name = strings.Repeat("Endless ", 1_250)
	text := written(t, d)
	require.Contains(t, text, "…")
	for _, rest := range []string{"FP/26-27/000042", "12,150.00", "₹1,59,300.00", "Maharashtra (27)", "Start up · Expansion, annual plan"} {
		require.Contains(t, text, rest)
	}
}

// A document names its place of supply with the code, and exactly the tax heads levied there.
func TestRender_EachPlaceOfSupply_HasItsTaxes(t *testing.T) {
	t.Parallel()
	for _, s := range invoice.States() {
		text := written(t, document(t, s.Code, planLine()))
		require.Contains(t, text, fmt.Sprintf("%s (%s)", s.Name, s.Code))
		home := s.Code == "27"
		require.Equal(t, home, strings.Contains(text, "CGST"+" 9%"), s.Name)
		require.Equal(t, home, strings.Contains(text, "SGST 9%"), s.Name)
		require.Equal(t, !home, strings.Contains(text, "IGST 18%"), s.Name)
		require.NotContains(t, text, "UTGST", s.Name)
	}
	require.Contains(t, written(t, union(t)), "UTGST 9%")
}

// Totals around the thresholds of Indian grouping and wording agree in figures and words.
func TestRender_Totals_AgreeInFiguresAndWords(t *testing.T) {
	t.Parallel()
	for amount, want := range map[money.Paise][2]string{
		100_00:          {"₹118.00", "Rupees One Hundred Eighteen Only"},
		1_00:            {"₹1.18", "Rupees One and Eighteen Paise Only"},
		84_745_76:       {"₹1,00,000.00", "Rupees One Lakh Only"},
		84_74_576_27:    {"₹1,00,00,000.00", "Rupees One Crore Only"},
		8_47_45_762_71:  {"₹10,00,00,000.00", "Rupees Ten Crore Only"},
		10_59_32_203_39: {"₹12,50,00,000.00", "Rupees Twelve Crore Fifty Lakh Only"},
	} {
		text := written(t, document(t, "29", addOn("Add-on", 1, amount)))
		require.Contains(t, text, want[0])
		require.Contains(t, text, want[1])
	}
}
