package message_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
)

// MSG91's help: a DLT variable has at most 40 characters. TRAI's direction of 18 November 2025: each variable is
// tagged.
func TestTemplates_FitTheRulesOfDLT(t *testing.T) {
	t.Parallel()
	site := message.Site{Host: "a-rather-long-name.franchise360.example", URL: "https://a-rather-long-name.franchise360.example"}
	seen := map[string]bool{}
	for _, template := range message.Templates() {
		require.False(t, seen[template.Name], template.Name)
		seen[template.Name] = true
		registered := site.Registered(template, i18n.English)
		require.NotContains(t, registered, "{#var#}", "a tag says what a variable holds")
		require.Len(t, template.Longest, len(template.Variables()), template.Name)
		require.NotContains(t, strings.NewReplacer("{#numeric#}", "", "{#alphanumeric#}", "").Replace(registered), "{", template.Name)
		for i, value := range template.Longest {
			require.LessOrEqual(t, utf8.RuneCountInString(value), 40, template.Name)
			require.NotContains(t, value, "://", template.Name)
			if template.Variables()[i] == "numeric" {
				require.Regexp(t, `^[0-9]+$`, value, template.Name)
			}
		}
		text := site.Compose(message.Message{Template: template.Name, Values: template.Longest}).Text
		require.NotContains(t, text, "{", template.Name)
		require.LessOrEqual(t, utf8.RuneCountInString(text), 320, "two parts of an SMS at most")
	}
}

// An SMS that is not in English is in UCS-2: 70 characters in one part, 67 in each of several.
func TestSMS_EachLanguage_FitsItsParts(t *testing.T) {
	t.Parallel()
	site := message.Site{Host: "franchise360.example", URL: "https://franchise360.example"}
	for _, template := range message.Templates() {
		for _, l := range i18n.Languages()[1:] {
			registered := site.Registered(template, l)
			tags := regexp.MustCompile(`\{#(numeric|alphanumeric)#\}`)
			require.Len(t, tags.FindAllString(registered, -1), len(template.Longest), template.Name)
			require.NotContains(t, tags.ReplaceAllString(registered, ""), "{", template.Name)
			m := site.Compose(message.Message{Template: template.Name, Language: l, Values: template.Longest})
			require.NotContains(t, m.Text, "{", template.Name)
			require.NotEqual(t, site.Registered(template, i18n.English), registered, template.Name)
			units := len(utf16.Encode([]rune(m.Text)))
			require.LessOrEqual(t, units, 4*67, "%s in %s: four parts of an SMS at most, with the longest values", template.Name, l)
			if len(template.Longest) == 0 || template.Name == message.TemplateCode {
				require.LessOrEqual(t, units, 3*67, template.Name)
			}
		}
	}
}

// WRITE_TEMPLATES=1 writes the page again.
func TestRegisteredTexts_Page_ListsEveryTemplateInEveryLanguage(t *testing.T) {
	t.Parallel()
	const file = "../adapter/sms/texts.gen.md"
	site := message.Site{Host: "franchise360.example", URL: "https://franchise360.example"}
	var want strings.Builder
	want.WriteString("# Texts to register\n\n`make generate` writes this page from `message.Templates` and the catalogues. " +
		"[README.md](README.md#registration) explains the registration.\n")
	for _, template := range message.Templates() {
		want.WriteString("\n## " + template.Name + "\n\n```\n" + site.Registered(template, i18n.English) + "\n```\n")
		for _, l := range i18n.Languages()[1:] {
			want.WriteString("\n" + string(l) + ":\n\n```\n" + site.Registered(template, l) + "\n```\n")
		}
	}
	if os.Getenv("WRITE_TEMPLATES") != "" {
		require.NoError(t, os.WriteFile(file, []byte(want.String()), 0o600))
	}
	have, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, want.String(), string(have), "WRITE_TEMPLATES=1 go test ./pkg/message -run Register")
}

// A text written by hand would differ from the registered one.
func TestSource_MessageTexts_ComeOnlyFromTemplates(t *testing.T) {
	t.Parallel()
	byHand := regexp.MustCompile(`message\.Message\{[^}]*\bText:|Template:\s*"|\bm\.Text\s*=|\bTemplate,.*=\s*"`)
	require.NoError(t, filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") ||
			strings.HasPrefix(path, "../message") || strings.HasPrefix(path, "../adapter") {
			return err
		}
		source, err := os.ReadFile(path)
		require.NoError(t, err)
		if strings.Contains(string(source), "pkg/message") {
			require.Empty(t, byHand.FindString(string(source)), "%s: add the text to message.Templates and use Site.Compose", path)
		}
		return nil
	}))
}

func TestEmails_EachTemplate_IsComplete(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, template := range message.EmailTemplates() {
		require.False(t, seen[template.Name] || !message.IsEmail(template.Name), template.Name)
		seen[template.Name] = true
		values := make([]string, template.Values)
		for i := range values {
			values[i] = "value-" + string(rune('a'+i)) + " <i>&{1}{url}"
		}
		m := site.Compose(message.Message{Template: template.Name, Values: values, Link: "https://franchise360.example/x?a=1&b=2"})
		for i := range values {
			require.Contains(t, m.Text+m.Subject, "value-"+string(rune('a'+i))+" <i>&{1}{url}", "%s: a value is filled in as it is", template.Name)
		}
		require.NotContains(t, m.HTML, "<i>", template.Name)
		require.NotContains(t, m.Subject, "\n", template.Name)
		require.Regexp(t, `<a class="button" href="https://franchise360\.example/`, m.HTML, template.Name)
		require.Regexp(t, `:\nhttps://franchise360\.example/`, m.Text, template.Name)
		require.NotContains(t, m.HTML, "<img", "nothing of it tells who reads it")
	}
	for _, template := range message.Templates() {
		require.False(t, message.IsEmail(template.Name), template.Name)
	}
}

func TestFit_LongName_IsCutToFortyCharacters(t *testing.T) {
	t.Parallel()
	require.Equal(t, "Growth", message.Fit("Growth"))
	require.Equal(t, strings.Repeat("ñ", 40), message.Fit(strings.Repeat("ñ", 41)))
}
