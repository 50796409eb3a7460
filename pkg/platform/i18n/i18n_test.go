package i18n

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/text/unicode/norm"
)

// A file that cannot be read would be left out of the program.
func TestCatalogues_EachFile_IsRead(t *testing.T) {
	t.Parallel()
	list, err := files.ReadDir("locales")
	require.NoError(t, err)
	require.NotEmpty(t, list)
	for _, file := range list {
		code := Language(file.Name()[:len(file.Name())-len(".po")])
		_, known, err := read(code)
		require.NoError(t, err)
		require.NotEmpty(t, known)
		require.True(t, code.Known())
		text, err := files.ReadFile("locales/" + file.Name())
		require.NoError(t, err)
		require.True(t, norm.NFC.IsNormal(text), "%s: letters are written in one way (NFC)", file.Name())
	}
	require.Len(t, Languages(), len(list)+1)
}

func TestSay_WithoutATranslation_IsEnglish(t *testing.T) {
	t.Parallel()
	for _, l := range []Language{"", English, "hi", "xx"} {
		require.Equal(t, "100% of {it}, nobody translates 7", l.Say("100% of {it}, nobody translates {1}", "7"))
	}
	require.Equal(t, English, Language("xx").Or())
	require.False(t, Language("hi").Has("", "nobody translates this"))
	require.True(t, English.Has("", "whatever"))
	require.Empty(t, Language("hi").Say(""), "nothing stays nothing")
}

func TestDay_EachLanguage_HasItsFormat(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 25, 20, 5, 0, 0, time.UTC) // the next day in India
	require.Equal(t, "26 Nov 2026", English.Day(at))
	require.Equal(t, "26 नवंबर 2026", Language("hi").Day(at))
	require.Equal(t, "26 Nov 2026, 01:35", Language("").Moment(at))
	require.Equal(t, "26 नवंबर 2026, 01:35", Language("hi").Moment(at))
}

func TestFill_PlaceholderInAValue_IsNotFilled(t *testing.T) {
	t.Parallel()
	require.Equal(t, "{2} and a", Fill("{1} and {2}", []string{"{2}", "a"}))
	require.Equal(t, "a ", Fill("{1} {2}", []string{"a"}))
	require.Equal(t, "{1}", Fill("{1}", nil))
}

// Resay translates a stored English sentence by the text from which it was made, and its values too. A sentence without a known text, and a
// value that contains a text's words, stay unchanged.
func TestResay_StoredEnglishSentence_IsTranslatedWithItsValues(t *testing.T) {
	t.Parallel()
	texts := []string{"Software subscription: {1}", "{1}, {2} of {3} days", "{1}, yearly", "{1} to {2}", "Invoice {1}"}
	for english, hindi := range map[string]string{
		"Software subscription: Growth · Apex, yearly": "सॉफ़्टवेयर सब्सक्रिप्शन: Growth · Apex, सालाना",
		"2 Nov 2026 to 1 Nov 2027, 183 of 365 days":    "2 नवंबर 2026 से 1 नवंबर 2027, 365 में से 183 दिन",
		"Invoice FP/26-27/000001":                      "इनवॉइस FP/26-27/000001",
		"Payment gateway charge":                       "पेमेंट गेटवे शुल्क",
		"Invoice ":                                     "Invoice ",
		"Invoices FP":                                  "Invoices FP",
		"Franchise extension":                          "फ्रैंचाइज़ एक्सटेंशन",
		"A {1} of nobody's":                            "A {1} of nobody's",
		"":                                             "",
	} {
		require.Equal(t, hindi, Language("hi").Resay(english, texts))
		require.Equal(t, english, English.Resay(english, texts))
		require.Equal(t, english, Language("").Resay(english, texts))
	}
}

func TestLanguage_BasePathAndDirection(t *testing.T) {
	t.Parallel()
	require.Empty(t, English.Base())
	require.Empty(t, Language("xx").Base())
	require.Equal(t, "/hi", Language("hi").Base())
	require.Equal(t, "en-IN", Language("").Tag())
	require.Equal(t, "hi", Language("hi").Tag())
	require.Equal(t, "ltr", Language("hi").Direction())
}

func TestParsePO_GettextCatalogue_IsRead(t *testing.T) {
	t.Parallel()
	language, entries, err := parsePO("# a comment\nmsgid \"\"\nmsgstr \"\"\n\"Language: hi\\n\"\n\n#: a.go\nmsgctxt \"month\"\nmsgid \"May\"\nmsgstr \"मई\"\n" +
		"msgid \"\"\n\"two \"\n\"lines\\n\"\nmsgstr \"\"\n\"दो \"\n\"\\\"पंक्ति\\\"\"\n\n#, fuzzy\nmsgid \"guessed\"\nmsgstr \"अंदाज़ा\"\n\nmsgid \"empty\"\nmsgstr \"\"\n\n#~ msgid \"old\"\n#~ msgstr \"पुराना\"\n")
	require.NoError(t, err)
	require.Equal(t, "hi", language)
	require.Equal(t, []entry{{"month", "May", "मई"}, {"", "two lines\n", "दो \"पंक्ति\""}}, entries)
	for _, bad := range []string{"msgid \"a\nmsgstr \"b\"", "msgid \"a\"\nmsgid_plural \"b\"\nmsgstr[0] \"c\"", "\"text\"", "nonsense"} {
		_, _, err := parsePO(bad)
		require.Error(t, err, bad)
	}
}
