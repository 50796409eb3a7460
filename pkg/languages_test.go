package pkg_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/text/language"
	"golang.org/x/text/language/display"

	"github.com/franchise360/franchise360/pkg/platform/i18n"
)

// A further language changes only the files that web/README.md names. The contract lists the languages that have a catalogue; the client's list has
// the contract's type.
func TestContract_SiteLanguage_ListsEachCatalogue(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../api/openapi.yaml")
	require.NoError(t, err)
	listed := regexp.MustCompile(`(?m)^    SiteLanguage:\n      type: string\n      enum: \[(.*)\]$`).FindSubmatch(text)
	require.NotNil(t, listed)
	var codes []string
	for _, l := range i18n.Languages() {
		codes = append(codes, string(l))
	}
	require.ElementsMatch(t, codes, strings.Split(string(listed[1]), ", "))
}

// No source may treat a language specially, or have a field or column for it: a further language would need the same.
func TestSources_NameNoLanguageButEnglish(t *testing.T) {
	t.Parallel()
	var codes, names []string
	for _, l := range i18n.Languages()[1:] {
		codes = append(codes, regexp.QuoteMeta(string(l)))
		names = append(names, display.English.Languages().Name(language.MustParse(string(l))))
	}
	code, name := strings.Join(codes, "|"), strings.Join(names, "|")
	named := regexp.MustCompile("[\"'`]/?(?:" + code + ")[\"'`/]|\\w_(?:" + code + ")\\b|(?i:_(?:" + name + ")\\b)|\\b[A-Za-z]*(?:" + name + ")\\s*[:=(][^/]")
	comment := regexp.MustCompile(`(?m)(?:^|\s)(?://|/?\*+|--|#) .*$`)
	seen, faults := 0, map[string][]string{}
	for _, folder := range []string{".", "../api", "../worker", "../migrations", "../web/src", "../web/vite", "../web/scripts"} {
		require.NoError(t, filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
			switch {
			case err != nil || d.IsDir() || !regexp.MustCompile(`\.(go|sql|tsx?|mjs)$`).MatchString(path):
				return err
			case regexp.MustCompile(`_test\.go$|\.test\.|\.fixture\.|\.gen\.|/schema\.sql$|/testkit/|/src/lib/languages\.ts$`).MatchString(path):
				return nil
			}
			text, err := os.ReadFile(path)
			require.NoError(t, err)
			seen++
			if found := named.FindAllString(comment.ReplaceAllString(string(text), ""), -1); found != nil {
				faults[path] = found
			}
			return nil
		}))
	}
	require.Greater(t, seen, 500)
	require.Empty(t, faults)
}
