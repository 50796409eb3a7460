package outage

import (
	"bytes"
	"os"
	"regexp"
	"testing"
	"text/template"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/i18n"
)

// bodyIn is the text of a page in a language.
func bodyIn(t *testing.T, l i18n.Language, name, heading string) string {
	t.Helper()
	var body bytes.Buffer
	require.NoError(t, pagesIn(t, l, heading).ExecuteTemplate(&body, name, nil))
	return body.String()
}

func pagesIn(t *testing.T, l i18n.Language, heading string) *template.Template {
	t.Helper()
	pages, err := template.New("").Funcs(template.FuncMap{
		"say": func(english string) string { return l.Say(english) }, "heading": func() string { return heading },
	}).ParseFiles("pages.html")
	require.NoError(t, err)
	return pages
}

// The files of page follow from pages.html and the catalogues, in every language. The proxy shows them while nothing else runs.
// WRITE_TEMPLATES=1 writes them again.
func TestRegisteredPages_HaveEachLanguage(t *testing.T) {
	t.Parallel()
	type section struct {
		Language i18n.Language
		Text     string
	}
	heading := regexp.MustCompile(`<h1>(.*)</h1>`)
	for name, refresh := range map[string]string{
		"away": "10", "document": "10", "ended": "", "paid": "10; url=/subscription_list", "unread": "",
	} {
		english, others := bodyIn(t, i18n.English, name, "h1"), []section{}
		for _, l := range i18n.Languages()[1:] {
			others = append(others, section{l, bodyIn(t, l, name, "h2")})
		}
		var want bytes.Buffer
		require.NoError(t, pagesIn(t, i18n.English, "h1").ExecuteTemplate(&want, "page", map[string]any{
			"Refresh": refresh, "Title": heading.FindStringSubmatch(english)[1], "English": english, "Others": others,
		}))
		file := "page/" + name + ".html"
		if os.Getenv("WRITE_TEMPLATES") != "" {
			require.NoError(t, os.WriteFile(file, want.Bytes(), 0o600))
		}
		have, err := os.ReadFile(file)
		require.NoError(t, err)
		require.Equal(t, want.String(), string(have), "WRITE_TEMPLATES=1 go test ./api/outage -run Register")
	}
}
