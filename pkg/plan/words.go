package plan

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/franchise360/franchise360/pkg/platform/i18n"
)

// WordContext is the context of the built-in catalogue's words in the translations.
const WordContext = "catalogue"

// Words returns the words of the built-in catalogue to translate: names of features and add-ons, and needs. Names of plans are equal in every
// language.
func Words() []string {
	var d Document
	if err := json.Unmarshal(defaultCatalogue, &d); err != nil {
		panic(fmt.Errorf("read catalogue: %w", err))
	}
	words := map[string]bool{}
	for _, p := range d.Plans {
		for _, f := range p.Features {
			words[f] = !strings.HasPrefix(f, includes)
		}
		for _, s := range p.Services {
			for _, a := range s.AddOns {
				words[a.Name] = true
			}
		}
	}
	for _, d := range deliveryCatalogue.Items {
		words[d.Needs] = d.Needs != ""
	}
	maps.DeleteFunc(words, func(_ string, translated bool) bool { return !translated })
	return slices.Sorted(maps.Keys(words))
}

// Say returns a word of the built-in catalogue in the language. Names and needs that staff wrote stay unchanged.
func Say(l i18n.Language, english string) string { return l.In(WordContext, english) }
