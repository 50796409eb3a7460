package i18n

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// entry is a text of a catalogue and its translation.
type entry struct{ context, english, translated string }

var errPlural = errors.New("plural forms are not read: write a sentence for each number")

// parsePO reads a catalogue in GNU gettext's PO format (https://www.gnu.org/software/gettext/manual/html_node/PO-Files.html): msgctxt,
// msgid and msgstr, each of one or more quoted lines. It skips entries without a translation or marked as fuzzy, and the header, whose
// Language it returns.
func parsePO(text string) (language string, entries []entry, err error) {
	var now entry
	var field *string
	fuzzy, begun := false, false
	end := func() {
		switch {
		case !begun || fuzzy:
		case now.english == "":
			language = headerOf(now.translated, "Language")
		case now.translated != "":
			entries = append(entries, now)
		}
		now, field, fuzzy, begun = entry{}, nil, false, false
	}
	for number, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		word, quoted, _ := strings.Cut(line, " ")
		switch {
		case line == "":
			end()
			continue
		case strings.HasPrefix(line, "#"):
			if begun {
				end()
			}
			fuzzy = fuzzy || strings.HasPrefix(line, "#,") && strings.Contains(line, "fuzzy")
			continue
		case strings.HasPrefix(line, `"`):
			quoted = line
		case word == "msgctxt", word == "msgid":
			if field == &now.translated { // the next entry, without an empty line before it
				end()
			}
			if field = &now.english; word == "msgctxt" {
				field = &now.context
			}
		case word == "msgstr":
			field = &now.translated
		default:
			return "", nil, fmt.Errorf("line %d: %w", number+1, errPlural)
		}
		part, err := strconv.Unquote(strings.TrimSpace(quoted))
		if err != nil || field == nil {
			return "", nil, fmt.Errorf("line %d is no quoted text of an entry", number+1)
		}
		begun = true
		*field += part
	}
	end()
	return language, entries, nil
}

func headerOf(header, name string) string {
	for line := range strings.SplitSeq(header, "\n") {
		if value, ok := strings.CutPrefix(line, name+": "); ok {
			return value
		}
	}
	return ""
}
