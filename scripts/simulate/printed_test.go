package main

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/gstreturn"
	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/platform/money"
)

func paper(t *testing.T, name string) printed {
	t.Helper()
	text, err := os.ReadFile("../../pkg/adapter/pdf/testdata/" + name + ".txt")
	require.NoError(t, err)
	p, err := readPrinted(string(text))
	require.NoError(t, err, name)
	return p
}

// Given the text of a document, then its number, day, place, recipient and tax summary are read from it.
func TestPrinted_DocumentText_IsParsed(t *testing.T) {
	t.Parallel()
	rich := paper(t, "rich")
	require.Equal(t, []string{"Tax invoice", "FP/26-27/000042", "29", "29AAGCB7383J1Z4", "2026-11-02"},
		[]string{rich.title, rich.number, rich.place, rich.gstin, rich.date.Format("2006-01-02")})
	require.Equal(t, money.Paise(7_75_260_00), rich.total)
	require.Equal(t, []summed{
		{sac: "997331", rateBps: 1800, taxable: 5_97_000_00, Tax: invoice.Tax{IGST: 1_07_460_00}},
		{sac: "998314", rateBps: 1800, taxable: 60_000_00, Tax: invoice.Tax{IGST: 10_800_00}},
	}, rich.lines)
	note := paper(t, "note")
	require.Equal(t, []string{"Credit note", "FP/26-27/000042", ""}, []string{note.title, note.original, note.gstin})
	require.Equal(t, []summed{{sac: "997331", rateBps: 1800, taxable: 50_254_24, within: true, Tax: invoice.Tax{CGST: 4_522_88, SGST: 4_522_88}}}, note.lines)
	require.Equal(t, invoice.Tax{CGST: 665_75, UTGST: 665_75}, paper(t, "union").lines[0].Tax)
	require.True(t, paper(t, "commercial").commercial)
	require.Equal(t, "RV/26-27/000001", paper(t, "returned").original)
}

// Each document is in its table: the credit note of a large invoice with the large ones, and an advance not invoiced in its month among the
// advances.
func TestOfPapers_EachDocument_IsInItsTable(t *testing.T) {
	t.Parallel()
	rich, small, received := paper(t, "rich"), paper(t, "union"), paper(t, "received")
	rich.gstin, small.number, received.transaction = "", "FP/26-27/000043", "none of them"
	note := paper(t, "note")
	papers := map[string]printed{rich.number: rich, small.number: small, note.number: note, received.number: received}
	november := monthOf(rich)
	of := ofPapers(papers, november)
	require.Equal(t, "1: ₹6,57,000 + ₹0 C + ₹0 S + ₹0 U + ₹1,18,260 I", of["b2cl"])
	require.Equal(t, "2: -₹42,856.98 + -₹3,857.13 C + -₹4,522.88 S + ₹665.75 U + ₹0 I", of["b2cs"])
	require.Equal(t, "1: ₹10,000 + ₹0 C + ₹0 S + ₹0 U + ₹1,800 I", of["at"])
	require.Equal(t, "42 to 43, 2 issued, 0 lost", of["series FP/26-27"])
	require.Empty(t, ofPapers(papers, gstreturn.Month{Year: 2026, Month: 12}))
}

// Documents within one State: a credit note of a single paisa, which bears no tax, is not inter-State, and a month's zero row is omitted.
func TestOfPapers_SmallNoteAndZeroRow(t *testing.T) {
	t.Parallel()
	large := paper(t, "note")
	large.title, large.number, large.original, large.total = "Tax invoice", "FP/26-27/000043", "", 2_00_000_00
	paisa := paper(t, "note")
	paisa.original = large.number
	paisa.lines = []summed{{sac: "997331", rateBps: 1800, taxable: 1, within: true}}
	of := ofPapers(map[string]printed{large.number: large, paisa.number: paisa}, monthOf(large))
	require.NotContains(t, of, "cdnur")
	require.Equal(t, "0: ₹50,254.23 + ₹4,522.88 C + ₹4,522.88 S + ₹0 U + ₹0 I", of["b2cs "+large.place+" at 1800"])
	paisa.lines = large.lines
	of = ofPapers(map[string]printed{large.number: large, paisa.number: paisa}, monthOf(large))
	require.Equal(t, "2: ₹0 + ₹0 C + ₹0 S + ₹0 U + ₹0 I", of["b2cs"])
	require.NotContains(t, of, "b2cs "+large.place+" at 1800")
}
