// Package i18n has the server's texts for customers: English is in the source, every other language in one file, locales/<code>.po. The
// catalogue is that of golang.org/x/text/message, which falls back to English if a text is missing.
package i18n

import (
	"embed"
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/text/language"
	"golang.org/x/text/message"
	"golang.org/x/text/message/catalog"

	"github.com/franchise360/franchise360/pkg/platform/clock"
)

// Language is a language by its code (ISO 639-1). Any other value, including the empty one, reads as English.
type Language string

// English is the language of the source.
const English Language = "en"

//go:embed locales/*.po
var files embed.FS

// library has a printer for each language that has a file.
type library struct {
	languages []Language
	printers  map[Language]*message.Printer
	known     map[Language]map[string]bool
}

// words is read once: it is a part of the program, and a test reads every file.
var words = sync.OnceValue(load) //nolint:gochecknoglobals // never changed

func load() library {
	l := library{languages: []Language{English}, printers: map[Language]*message.Printer{}, known: map[Language]map[string]bool{}}
	list, err := files.ReadDir("locales")
	if err != nil {
		return l
	}
	for _, file := range list {
		code := Language(strings.TrimSuffix(file.Name(), ".po"))
		printer, known, err := read(code)
		if err != nil {
			continue // TestCatalogues_EachFile_IsRead says why
		}
		l.languages = append(l.languages, code)
		l.printers[code], l.known[code] = printer, known
	}
	return l
}

func read(code Language) (*message.Printer, map[string]bool, error) {
	text, err := files.ReadFile(path.Join("locales", string(code)+".po"))
	if err != nil {
		return nil, nil, fmt.Errorf("read words: %w", err)
	}
	named, entries, err := parsePO(string(text))
	if err != nil {
		return nil, nil, fmt.Errorf("read %s.po: %w", code, err)
	}
	tag, err := language.Parse(named)
	if err != nil || named != string(code) {
		return nil, nil, fmt.Errorf("%s.po says that its language is %q", code, named)
	}
	builder, known := catalog.NewBuilder(catalog.Fallback(language.English)), map[string]bool{}
	for _, e := range entries {
		key := keyOf(e.context, e.english)
		if known[key] {
			return nil, nil, fmt.Errorf("%s.po has %q twice", code, e.english)
		}
		known[key] = true
		if err := builder.SetString(tag, key, literal(e.translated)); err != nil {
			return nil, nil, fmt.Errorf("%s.po: %w", code, err)
		}
	}
	return message.NewPrinter(tag, message.Catalog(builder)), known, nil
}

// literal keeps the catalogue from reading a text as a format.
func literal(text string) string { return strings.ReplaceAll(text, "%", "%%") }

// keyOf is the key of a text as gettext makes it: the context goes before an EOT.
func keyOf(context, english string) string {
	if context == "" {
		return english
	}
	return context + "\x04" + english
}

// Languages returns English and the languages that have a file, in order of their codes.
func Languages() []Language { return slices.Clone(words().languages) }

// Known reports whether the language is one of Languages.
func (l Language) Known() bool { return slices.Contains(words().languages, l) }

// Or returns the language, or English if it is not one of Languages.
func (l Language) Or() Language {
	if l.Known() {
		return l
	}
	return English
}

// Has reports whether the language has the text; English has every text.
func (l Language) Has(context, english string) bool {
	return l.Or() == English || words().known[l][keyOf(context, english)]
}

// Raw returns the text in the language with its {1} and so on unchanged, in English if it has no translation.
func (l Language) Raw(context, english string) string { return l.look(context, english) }

// Text is a text of a catalogue.
type Text struct{ Context, English string }

// Texts returns the texts of the language's catalogue, which is empty for English.
func (l Language) Texts() []Text {
	var list []Text
	for _, key := range slices.Sorted(maps.Keys(words().known[l])) {
		context, english, ok := strings.Cut(key, "\x04")
		if !ok {
			context, english = "", key
		}
		list = append(list, Text{context, english})
	}
	return list
}

// Say returns the text in the language, in English if it has no translation. {1}, {2} and so on are replaced by the values, in the order of
// the language; placeholders inside a value are not replaced. The text has to be a literal or a result of Mark, from which the list of
// texts is made.
func (l Language) Say(english string, values ...string) string {
	return Fill(l.look("", english), values)
}

// In is Say for a text that has several meanings in English; the context says which is meant.
func (l Language) In(context, english string, values ...string) string {
	return Fill(l.look(context, english), values)
}

func (l Language) look(context, english string) string {
	printer, ok := words().printers[l]
	if !ok {
		return english
	}
	return printer.Sprintf(message.Key(keyOf(context, english), literal(english)))
}

// Mark returns the text unchanged. It marks a text that a variable passes to Say as a text to translate.
func Mark(english string) string { return english }

var numbered = regexp.MustCompile(`\{([1-9])\}`)

// Fill replaces {1}, {2} and so on by the values, and by nothing if a value is missing; without values the text stays unchanged.
func Fill(text string, values []string) string {
	if len(values) == 0 {
		return text
	}
	return numbered.ReplaceAllStringFunc(text, func(tag string) string {
		n, err := strconv.Atoi(tag[1 : len(tag)-1])
		if err != nil || n > len(values) {
			return ""
		}
		return values[n-1]
	})
}

// Resay translates a sentence stored in English: by the catalogue if that has it, else by the first of the texts from which it can have
// been made, whose values are translated in the same way. Days such as 2 Nov 2026 are written as in the language; a sentence without a
// known text stays unchanged.
func (l Language) Resay(english string, texts []string) string {
	if l.Or() == English {
		return english
	}
	if at, err := time.ParseInLocation("2 Jan 2006", english, clock.IST); err == nil {
		return l.Day(at)
	}
	if l.Has("", english) {
		return l.look("", english)
	}
	for _, text := range texts {
		values := valuesOf(text, english)
		if len(values) == 0 {
			continue
		}
		for i := range values {
			values[i] = l.Resay(values[i], texts)
		}
		return Fill(l.look("", text), values)
	}
	return english
}

// valuesOf returns the sentence's parts at the places of the text's {1}, {2} and so on, which the text has in this order; nil if the
// sentence was not made from the text.
func valuesOf(text, sentence string) []string {
	var values []string
	parts := numbered.Split(text, -1)
	rest, ok := strings.CutPrefix(sentence, parts[0])
	for i, part := range parts[1:] {
		at := len(rest)
		if part != "" || i < len(parts)-2 {
			at = strings.LastIndex(rest, part)
		}
		if !ok || at <= 0 {
			return nil
		}
		values, rest = append(values, rest[:at]), rest[at+len(part):]
	}
	if rest != "" {
		return nil
	}
	return values
}

// Day writes the day of a moment in India: "26 Nov 2026", in Hindi "26 नवंबर 2026".
func (l Language) Day(at time.Time) string {
	at = at.In(clock.IST)
	return l.In("a day: day, month, year", "{1} {2} {3}", strconv.Itoa(at.Day()), l.In("month", at.Format("Jan")), strconv.Itoa(at.Year()))
}

// Moment writes a day and the time of day in India: "26 Nov 2026, 15:04".
func (l Language) Moment(at time.Time) string {
	return l.Say("{1}, {2}", l.Day(at), at.In(clock.IST).Format("15:04"))
}

// Base is the prefix of the paths of the site's pages in the language: "", or "/hi".
func (l Language) Base() string {
	if l.Or() == English {
		return ""
	}
	return "/" + string(l)
}

// Direction is that of the language's script: "ltr" or "rtl".
func (l Language) Direction() string {
	tag, err := language.Parse(string(l.Or()))
	if err != nil {
		return "ltr"
	}
	switch script, _ := tag.Script(); script.String() {
	case "Arab", "Hebr":
		return "rtl"
	default:
		return "ltr"
	}
}

// Tag returns the language as HTML and PDF want it; English is that of India.
func (l Language) Tag() string {
	if l.Or() == English {
		return "en-IN"
	}
	return string(l)
}
