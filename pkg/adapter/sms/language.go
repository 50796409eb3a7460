package sms

import (
	"fmt"
	"slices"
	"strings"

	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/platform/config"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
)

// nameIn is what DLT_TEMPLATES calls a text in a language: "otp", in Hindi "otp.hi".
func nameIn(template string, l i18n.Language) string {
	if l = l.Or(); l != i18n.English {
		return template + "." + string(l)
	}
	return template
}

// Registered reports which texts are registered in which language: those for which DLT_TEMPLATES has an id, with whatever provider. English
// is the providers' own matter, and an inbox of the development system takes every language.
func Registered(c config.SMS) func(template string, l i18n.Language) bool {
	return func(template string, l i18n.Language) bool {
		return l.Or() == i18n.English || c.Provider == "inbox" || c.DLTTemplates[nameIn(template, l)] != ""
	}
}

// checkNames refuses an id of a text in a language that does not exist: it would never be used.
func checkNames(ids map[string]string) error {
	var names []string
	for _, t := range message.Templates() {
		names = append(names, t.Name)
	}
	for name := range ids {
		template, language, ok := strings.Cut(name, ".")
		if !ok {
			continue
		}
		if l := i18n.Language(language); l == i18n.English || !l.Known() || !slices.Contains(names, template) {
			return fmt.Errorf("DLT_TEMPLATES names %q, which is no message in a language of the product; want a name such as otp.hi", name)
		}
	}
	return nil
}
