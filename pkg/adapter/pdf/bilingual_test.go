package pdf_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/adapter/pdf"
	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
)

// bilingual returns the document for a recipient who chose Hindi beside English.
func bilingual(d invoice.Invoice) invoice.Invoice {
	d.Recipient.Also = "hi"
	return d
}

// A document in two languages has its whole English text and the same numbers, and its Hindi can be selected as text.
func TestRender_TwoLanguages_HaveTheSameContents(t *testing.T) {
	t.Parallel()
	renderer := setup(t)
	for name, c := range map[string]struct {
		document invoice.Invoice
		hindi    []string
	}{
		"invoice":  {rich(t), []string{"टैक्स इनवॉइस", "इनवॉइस नंबर", "आपूर्ति का स्थान", "टैक्स योग्य रकम", "कुल टैक्स", "सात लाख पचहत्तर हज़ार दो सौ साठ रुपये मात्र", "2 नवंबर 2026 को पूरा भुगतान हुआ", "हस्ताक्षर ज़रूरी नहीं"}},
		"note":     {note(t), []string{"क्रेडिट नोट नंबर", "मूल इनवॉइस", "कुल क्रेडिट", "धारा 34 के तहत जारी", "अधिकृत हस्ताक्षरकर्ता"}},
		"received": {received(t), []string{"रसीद वाउचर", "मिला अग्रिम"}},
		"returned": {returned(t), []string{"रिफ़ंड वाउचर", "अग्रिम के बदले कोई आपूर्ति नहीं हुई"}},
		"upgraded": {upgraded(t), []string{"घटाएँ: क्रेडिट नोट", "को बाकी रकम का भुगतान हुआ"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			english, err := renderer.Render(c.document)
			require.NoError(t, err)
			both, err := renderer.Render(bilingual(c.document))
			require.NoError(t, err)
			again, err := setup(t).Render(bilingual(c.document))
			require.NoError(t, err)
			require.Equal(t, both, again, "the same bytes again")
			text := textOf(t, both)
			for _, want := range c.hindi {
				require.Contains(t, text, want)
			}
			require.NotContains(t, textOf(t, english), "इनवॉइस", "and none where it was not wanted")
			require.Equal(t, amounts(textOf(t, english)), amounts(text))
			require.NotContains(t, text, "[U+", "every character has a glyph")
			number, ok := pdf.NumberIn(both)
			require.True(t, ok)
			require.Equal(t, c.document.Number, number)
			require.LessOrEqual(t, len(both), 250_000)
		})
	}
}

// amounts are the amounts of rupees with paise that a text names, in order of size.
func amounts(text string) []string {
	list := regexp.MustCompile(`[0-9,]+\.[0-9]{2}\b`).FindAllString(text, -1)
	slices.Sort(list)
	return list
}

// A proforma in two languages names the amount, the account and the permitted deduction in both.
func TestRenderProforma_TwoLanguages_NameAmountAccountAndDeduction(t *testing.T) {
	t.Parallel()
	p := proforma(t)
	english, err := setup(t).RenderProforma(p)
	require.NoError(t, err)
	p.Document.Recipient.Also = "hi"
	body, err := setup(t).RenderProforma(p)
	require.NoError(t, err)
	text := strings.Join(strings.Fields(textOf(t, body)), " ")
	for _, want := range []string{
		"प्रोफ़ॉर्मा इनवॉइस", "यह टैक्स इनवॉइस नहीं है", "खाता नंबर", "पाने वाले का नाम", "ठीक रकम", "10% पर ₹13,500.00 काटें", "If you deduct income tax",
		"एक लाख उनसठ हज़ार तीन सौ रुपये मात्र",
	} {
		require.Contains(t, text, want)
	}
	for _, amount := range amounts(textOf(t, english)) {
		require.Contains(t, text, amount)
	}
}

// Each kind of line is in both languages; names of plans stay unchanged, and days are in each language's words.
func TestRender_TwoLanguages_TranslateEachLine(t *testing.T) {
	t.Parallel()
	d := rich(t)
	d.Recipient.Also = "hi"
	for i, kept := range []struct{ description, detail string }{
		{"Software subscription: Growth · Apex, yearly", "2 Nov 2026 to 1 Nov 2027"},
		{"Software subscription: Franchise extension, 183 of 365 days", "2 May 2026 to 31 Oct 2026, 183 of 184 days"},
		{"Payment gateway charge", ""},
		{"Advance received: subscription, Start up · Expansion", ""},
	} {
		for len(d.Lines) <= i {
			d.Lines = append(d.Lines, d.Lines[0])
		}
		d.Lines[i].Description, d.Lines[i].Detail = kept.description, kept.detail
	}
	text := written(t, d)
	for _, want := range []string{
		"Software subscription: Growth · Apex, yearly", "2 Nov 2026 to 1 Nov 2027", "सॉफ़्टवेयर सब्सक्रिप्शन: Growth · Apex, सालाना",
		"2 नवंबर 2026 से 1 नवंबर 2027", "सॉफ़्टवेयर सब्सक्रिप्शन: फ्रैंचाइज़ एक्सटेंशन, 365 में से 183 दिन", "31 अक्टूबर 2026, 184 में से 183 दिन",
		"पेमेंट गेटवे शुल्क", "मिला अग्रिम: सब्सक्रिप्शन, Start up · Expansion",
	} {
		require.Contains(t, text, want)
	}
	d.Recipient.Also = ""
	require.NotContains(t, written(t, d), "सॉफ़्टवेयर")
}

// A document in an unknown second language is in English only.
func TestRender_UnknownSecondLanguage_IsOmitted(t *testing.T) {
	t.Parallel()
	d := simple(t)
	want, err := setup(t).Render(d)
	require.NoError(t, err)
	for _, l := range []string{"en", "xx"} {
		d.Recipient.Also = i18n.Language(l)
		got, err := setup(t).Render(d)
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
}
