package pdf

import (
	"bytes"
	"image"
	"image/png"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/transfer"
)

func TestPercent_TrailingZeros_AreOmitted(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		bps, parts int64
		want       string
	}{
		{0, 1, "0%"},
		{0, 2, "0%"},
		{1800, 1, "18%"},
		{1800, 2, "9%"},
		{500, 2, "2.5%"},
		{25, 1, "0.25%"},
		{25, 2, "0.125%"},
		{1, 1, "0.01%"},
		{1, 2, "0.005%"},
		{1000, 1, "10%"},
		{1010, 1, "10.1%"},
		{1001, 1, "10.01%"},
		{10_000, 1, "100%"},
		{10_005, 2, "50.025%"},
		{2800, 2, "14%"},
	} {
		require.Equal(t, c.want, percent(c.bps, c.parts), "%d in %d", c.bps, c.parts)
	}
}

// The minus sign precedes the rupee sign and is as wide as a digit; an entry of zero is empty.
func TestAmounts_NegativeOrZero_HaveTheirForm(t *testing.T) {
	t.Parallel()
	for amount, want := range map[money.Paise][3]string{
		0:               {"₹0.00", "0.00", ""},
		1:               {"₹0.01", "0.01", "0.01"},
		-1:              {"−₹0.01", "−0.01", "-0.01"},
		1_59_300_00:     {"₹1,59,300.00", "1,59,300.00", "1,59,300.00"},
		-1_00_00_000_05: {"−₹1,00,00,000.05", "−1,00,00,000.05", "-1,00,00,000.05"},
	} {
		require.Equal(t, want, [3]string{rupees(amount), grouped(amount), some(amount)})
	}
	require.Empty(t, credited(0))
	require.Equal(t, " (the total less ₹500.00 of credit)", credited(500_00))
}

func TestPrefixedAndJoined_EmptyTexts_AreOmitted(t *testing.T) {
	t.Parallel()
	require.Empty(t, prefixed("GSTIN ", ""))
	require.Equal(t, "GSTIN 27AAPFU0939F1ZV", prefixed("GSTIN ", "27AAPFU0939F1ZV"))
	require.Empty(t, joined(" · "))
	require.Empty(t, joined(" · ", "", ""))
	require.Equal(t, "a", joined(", ", "", "a", ""))
	require.Equal(t, "a, b, c", joined(", ", "a", "", "b", "c"))
}

// The day of a document is that in India, whatever the zone in which its moment is kept.
func TestDay_IsInIndianTime(t *testing.T) {
	t.Parallel()
	midnight := time.Date(2027, time.April, 1, 0, 0, 0, 0, clock.IST)
	require.Equal(t, "1 Apr 2027", day(midnight.UTC()))
	require.Equal(t, "31 Mar 2027", day(midnight.Add(-time.Nanosecond).UTC()))
	require.Equal(t, "1 Apr 2027", day(midnight.In(time.FixedZone("west", -10*3600))))
}

// Every square of a code is one pixel, with four of white around, which a reader needs to find it.
func TestQRCode_HasAQuietZone(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"a", strings.Repeat("eyJhbGciOiJSUzI1NiJ9", 60), "श्री"} {
		body, ok := qrCode(text)
		require.True(t, ok)
		picture, err := png.Decode(bytes.NewReader(body))
		require.NoError(t, err)
		side := picture.Bounds().Dx()
		require.Equal(t, side, picture.Bounds().Dy())
		require.Equal(t, 1, (side-8)%4, "a code has 4n+1 squares a side")
		black := func(x, y int) bool { r, _, _, _ := picture.At(x, y).RGBA(); return r == 0 }
		for i := range side {
			for edge := range 4 {
				for _, at := range []image.Point{{i, edge}, {i, side - 1 - edge}, {edge, i}, {side - 1 - edge, i}} {
					require.False(t, black(at.X, at.Y), "%v", at)
				}
			}
		}
		for i := range 7 { // the upper side of the three squares by which a reader finds it
			require.True(t, black(4+i, 4))
			require.True(t, black(side-5-i, 4))
			require.True(t, black(4+i, side-5))
		}
		again, _ := qrCode(text)
		require.Equal(t, body, again, "a document is the same every time")
	}
	for _, none := range []string{"", strings.Repeat("x", 3000)} {
		_, ok := qrCode(none)
		require.False(t, ok, "%d characters", len(none))
	}
	_, ok := qrCode(strings.Repeat("x", 2953))
	require.True(t, ok, "the most that one holds")
}

// A title may contain characters that end a PDF string; the number follows its last space.
func TestNumberOf_EscapedTitle_IsRead(t *testing.T) {
	t.Parallel()
	wide := func(text string) string {
		var b strings.Builder
		b.WriteString("\xfe\xff")
		for _, c := range []byte(text) {
			b.WriteByte(0)
			if strings.IndexByte(`()\`, c) >= 0 {
				b.WriteByte('\\')
			}
			b.WriteByte(c)
		}
		return b.String()
	}
	for title, want := range map[string]string{
		"Tax invoice FP/26-27/000042": "FP/26-27/000042", `Credit note C(N)\1`: `C(N)\1`, "A  1": "1", "Tax invoice ": "",
	} {
		number, ok := NumberIn([]byte("<< /Title (" + wide(title) + ") /Author (x 2)"))
		require.True(t, ok, title)
		require.Equal(t, want, number)
	}
	for what, body := range map[string]string{
		"one word": "/Title (" + wide("FP/26-27/000042") + ")", "an odd byte": "/Title (" + wide("A 1") + "\x00)", "no mark": "/Title (A 1)", "nothing": "/Title ()",
		"an escape that ends it": `/Title (\`,
	} {
		_, ok := NumberIn([]byte(body))
		require.False(t, ok, what)
	}
	require.Equal(t, "a\rb)c", string(unescaped([]byte(`a\rb\)c) rest`))))
}

func TestTextString_IsUTF16(t *testing.T) {
	t.Parallel()
	require.Equal(t, "<feff>", textString(""))
	require.Equal(t, "<feff00410029>", textString("A)"))
	require.Equal(t, "<feff0936d83cdf6c>", textString("श🍬"), "beyond the first plane in two units")
}

// A document's second language has to have a catalogue, and no text is printed in English twice.
func TestAlsoOf_UnknownLanguage_IsEmpty(t *testing.T) {
	t.Parallel()
	for given, want := range map[i18n.Language]i18n.Language{"": "", "en": "", "hi": "hi", "xx": "", "HI": ""} {
		require.Equal(t, want, alsoOf(given), given)
	}
	english := &sheet{}
	require.Empty(t, english.other("Tax invoice"))
	require.Equal(t, "Tax invoice", english.both("Tax invoice"))
	require.Zero(t, english.room(9))
	hindi := &sheet{also: "hi"}
	require.Equal(t, "Tax invoice / "+hindi.other("Tax invoice"), hindi.both("Tax invoice"))
	require.NotEmpty(t, hindi.other("Tax invoice"))
	require.Empty(t, hindi.other("What no catalogue has"))
	require.InDelta(t, 9, hindi.room(9), epsilon)
}

// The kind of a paper decides its name, its copy, and whether it needs a signature.
func TestTitle_EachKind_HasItsNameAndCopy(t *testing.T) {
	t.Parallel()
	for kind, want := range map[invoice.Kind][2]string{
		invoice.KindInvoice:        {"Tax invoice", "Original for recipient"},
		invoice.KindCreditNote:     {"Credit note", "Original for recipient"},
		invoice.KindReceiptVoucher: {"Receipt voucher", "Original for recipient"},
		invoice.KindRefundVoucher:  {"Refund voucher", "Original for recipient"},
		kindProforma:               {"Proforma invoice", "This is not a tax invoice"},
		kindStatement:              {"Statement of account", "What was charged and paid"},
	} {
		s := &sheet{doc: invoice.Invoice{Kind: kind}}
		require.Equal(t, want, [2]string{s.title(), s.copyOf()})
		require.Equal(t, kind == invoice.KindInvoice, s.unsigned(), kind)
		s.signedBy = "Meera Iyer"
		require.False(t, s.unsigned(), kind)
		s.proforma = &transfer.Proforma{}
		require.True(t, s.unsigned(), "a proforma is no tax document")
	}
}

// The settlement is printed once, by the first text that applies.
func TestSettled_EachCase_HasItsText(t *testing.T) {
	t.Parallel()
	credits := []invoice.Applied{{Number: "CN/26-27/000007"}}
	for want, d := range map[string]invoice.Invoice{
		"Paid in full on {1}":            {Kind: invoice.KindInvoice},
		"Difference paid on {1}":         {Kind: invoice.KindInvoice, Credits: credits},
		"Refunded on {1}":                {Kind: invoice.KindCreditNote, Credits: credits},
		"Received on {1}":                {Kind: invoice.KindReceiptVoucher},
		"Taken back by your bank on {1}": {Kind: invoice.KindReceiptVoucher, Receipt: invoice.Receipt{TakenBack: true}},
	} {
		s := &sheet{doc: d}
		require.Equal(t, want, s.settled())
	}
	require.Equal(t, "Refunded on {1}", (&sheet{doc: invoice.Invoice{Kind: invoice.KindRefundVoucher}}).settled())
}

// The totals show a tax's rate only if all lines have the same rate.
func TestCommonRate_LinesDiffer_IsEmpty(t *testing.T) {
	t.Parallel()
	lines := func(rates ...int64) []invoice.Line {
		var list []invoice.Line
		for _, rate := range rates {
			list = append(list, invoice.Line{RateBps: rate})
		}
		return list
	}
	for want, rates := range map[string][]int64{" 9%": {1800}, " 2.5%": {500, 500, 500}, "": {1800, 1800, 500}} {
		s := &sheet{doc: invoice.Invoice{Lines: lines(rates...)}}
		require.Equal(t, want, s.commonRate(head{parts: 2}))
	}
}

// A document has the taxes of its regime; a commercial credit note has no tax.
func TestTaxes_AreThoseOfTheRegime(t *testing.T) {
	t.Parallel()
	tax := invoice.Tax{CGST: 1, SGST: 2, UTGST: 3, IGST: 4}
	for regime, want := range map[invoice.Regime]map[string]money.Paise{
		invoice.RegimeState: {"CGST": 1, "SGST": 2}, invoice.RegimeUnionTerritory: {"CGST": 1, "UTGST": 3}, invoice.RegimeInterState: {"IGST": 4},
	} {
		got := map[string]money.Paise{}
		var parts int64
		for _, h := range (&sheet{doc: invoice.Invoice{Regime: regime}}).heads() {
			got[h.name] = h.of(tax)
			parts += 12 / h.parts
		}
		require.Equal(t, want, got)
		require.EqualValues(t, 12, parts, "the parts of a rate make it whole")
		require.Empty(t, (&sheet{doc: invoice.Invoice{Regime: regime, Commercial: true}}).heads())
	}
}
