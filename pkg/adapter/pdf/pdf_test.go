package pdf_test

import (
	"bytes"
	"crypto/sha256"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/franchise360/franchise360/pkg/adapter/pdf"
	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/platform/money"
)

// maxOrdinary is the size limit of an ordinary document.
const maxOrdinary = 20_000

func setup(tb testing.TB) *pdf.Renderer {
	tb.Helper()
	renderer, err := pdf.New(pdf.Options{})
	require.NoError(tb, err)
	return renderer
}

// pagesOf counts the page objects.
func pagesOf(body []byte) int { return bytes.Count(body, []byte("/Type /Page\n")) }

// The text of each kind of document matches its golden file, and the document stays small. UPDATE_GOLDEN=1 rewrites the files.
func TestRender_EachDocument_MatchesItsGoldenText(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		document invoice.Invoice
		pages    int
		ordinary bool
	}{
		"simple":     {simple(t), 1, true},
		"rich":       {rich(t), 1, true},
		"note":       {note(t), 1, true},
		"noted":      {noteTo(t, "27AAQCA8719H1Z6"), 1, true},
		"unused":     {unused(t), 1, true},
		"union":      {union(t), 1, true},
		"hostile":    {hostile(t), 2, false},
		"long":       {long(t), 4, false},
		"wide":       {wide(t), 1, false},
		"registered": {registered(t), 1, false}, // the code of its registration takes 2 KB
		"zone":       {zone(t), 1, true},
		"bare":       {bare(t), 1, true},
		"rates":      {rates(t), 1, true},
		"upgraded":   {upgraded(t), 2, false},
		"commercial": {commercial(t), 1, true},
		"received":   {received(t), 1, true},
		"returned":   {returned(t), 1, true},
	}
	renderer := setup(t)
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			body, err := renderer.Render(c.document)
			require.NoError(t, err)
			require.Equal(t, c.pages, pagesOf(body))
			if c.ordinary {
				require.LessOrEqual(t, len(body), maxOrdinary)
			}
			text := textOf(t, body)
			golden := filepath.Join("testdata", name+".txt")
			if os.Getenv("UPDATE_GOLDEN") != "" {
				require.NoError(t, os.WriteFile(golden, []byte(text), 0o600))
			}
			want, err := os.ReadFile(golden)
			require.NoError(t, err)
			require.Equal(t, string(want), text)
		})
	}
}

func TestRender_Invoice_HasTheFieldsOfRule46(t *testing.T) {
	t.Parallel()
	d := rich(t)
	body, err := setup(t).Render(d)
	require.NoError(t, err)
	text := textOf(t, body)
	for field, want := range map[string]string{
		"supplier's name": d.Supplier.Name, "supplier's address": d.Supplier.Address[0], "supplier's GSTIN": d.Supplier.GSTIN,
		"serial number": d.Number, "date": "2 Nov 2026", "recipient's name": d.Recipient.Name,
		"recipient's address": d.Recipient.Address[2], "recipient's GSTIN": d.Recipient.GSTIN,
		"recipient's State and code": "State: Karnataka (29)", "SAC": "997331", "second SAC": "998314",
		"description": "Users extension, 50,000 users each", "value before discount": "1,50,000.00", "discount": "15,000.00",
		"taxable value": "1,35,000.00", "rate": "18%", "tax": "24,300.00", "total": "₹7,75,260.00",
		"in words":        "Rupees Seven Lakh Seventy Five Thousand Two Hundred Sixty",
		"place of supply": "Karnataka (29)", "reverse charge": "Reverse charge",
		"no signature": "needs no signature (rule 46, CGST Rules; Notification 74/2018–Central Tax)",
	} {
		require.Contains(t, text, want, field)
	}
}

// The same document has identical bytes, whatever the renderer, goroutine and time.
func TestRender_SameDocument_HasIdenticalBytes(t *testing.T) {
	t.Parallel()
	shared := setup(t)
	for name, document := range map[string]invoice.Invoice{
		"simple": simple(t), "rich": rich(t), "note": note(t), "hostile": hostile(t), "indian": indian(t), "long": long(t),
	} {
		want, err := setup(t).Render(document)
		require.NoError(t, err, name)
		sums := make([][32]byte, 8)
		var wg sync.WaitGroup
		for i := range sums {
			wg.Go(func() {
				body, err := shared.Render(document)
				if err == nil {
					sums[i] = sha256.Sum256(body)
				}
			})
		}
		wg.Wait()
		for _, sum := range sums {
			require.Equal(t, sha256.Sum256(want), sum, name)
		}
	}
}

// Names in the scripts of India are drawn and can be selected as text, without losing a character.
func TestRender_ScriptsOfIndia_AreDrawnAndSelectable(t *testing.T) {
	t.Parallel()
	d := indian(t)
	body, err := setup(t).Render(d)
	require.NoError(t, err)
	text := textOf(t, body)
	require.Contains(t, text, d.Recipient.Name)
	for _, line := range d.Recipient.Address[:8] {
		require.Contains(t, text, line)
	}
	require.Contains(t, text, "חנות שלום")
	require.NotContains(t, text, "[U+", "every character has a glyph")
	require.NotContains(t, text, "\uFFFD")
}

func TestRender_HostileText_IsPrintedLiterally(t *testing.T) {
	t.Parallel()
	body, err := setup(t).Render(hostile(t))
	require.NoError(t, err)
	text := textOf(t, body)
	for _, want := range []string{
		`<img src="http://169.254.169.254/latest">`, `<script>alert(1)</script>`, "line[U+0000]one line two [U+001B][31mred",
		"evil[U+202E]gnp.exe[U+202C]", "Robert'); DROP TABLE invoices;--", `\ ) ( ET BT /F1 (unbalanced`,
		"[U+6F22][U+5B57] [U+1F600] zero[U+200B]width", "{n} %s %d {{.}}",
	} {
		require.Contains(t, text, want)
	}
	require.Equal(t, 300, strings.Count(strings.ReplaceAll(text, "WORDS", ""), "W"), "nothing of a long word is cut off")
	require.NotContains(t, string(body), "/URI", "no text becomes a link")
	require.NotContains(t, string(body), "/JavaScript")
}

func TestRender_AnyText_DoesNotFail(t *testing.T) {
	t.Parallel()
	renderer := setup(t)
	base := simple(t)
	rapid.Check(t, func(t *rapid.T) {
		anything := rapid.OneOf(rapid.String(), rapid.StringOfN(rapid.RuneFrom([]rune("a\u00E9\u20B9\u0915\u0940\u0BCD\u0936\u200B\u200D\u202E\U0001F600\u6F22 \x00\uFB01\u0301")), 0, 80, -1),
			rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) }))
		d := base
		d.Recipient.Name = anything.Draw(t, "name")
		d.Recipient.Address = rapid.SliceOfN(anything, 0, 4).Draw(t, "address")
		d.Supplier.Terms = rapid.SliceOfN(anything, 0, 3).Draw(t, "terms")
		d.Reason = anything.Draw(t, "reason")
		d.Receipt.Method = anything.Draw(t, "method")
		d.Lines = append([]invoice.Line(nil), base.Lines...)
		d.Lines[0].Description = anything.Draw(t, "description")
		body, err := renderer.Render(d)
		require.NoError(t, err)
		require.Positive(t, pagesOf(body))
	})
}

// More distinct letters than one font can encode, or joiners alone, are all drawn and selectable.
func TestRender_MoreLettersThanOneEncoding_AreAllDrawn(t *testing.T) {
	t.Parallel()
	var letters []rune
	for char := rune(0xC0); char < 0x180; char++ {
		if char != 0xD7 && char != 0xF7 && char != 0x149 { // not letters, or composed of two
			letters = append(letters, char)
		}
	}
	d := simple(t)
	d.Recipient.Name = strings.Join(strings.Split(string(letters), ""), " ")
	d.Recipient.Address = []string{"join\u200Ded"}
	body, err := setup(t).Render(d)
	require.NoError(t, err)
	text := textOf(t, body)
	for _, letter := range letters {
		require.Contains(t, text, string(letter))
	}
	require.Contains(t, strings.ReplaceAll(text, "\u200D", ""), "joined")
}

func TestRender_LargestAmounts_Fit(t *testing.T) {
	t.Parallel()
	line := planLine()
	line.Amount, line.Discount, line.Quantity = money.Max/4, 1, 999_999
	d := document(t, "27", line, line)
	body, err := setup(t).Render(d)
	require.NoError(t, err)
	require.Contains(t, textOf(t, body), "25,00,00,00,000.00")
}
