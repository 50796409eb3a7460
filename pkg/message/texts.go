package message

import "strings"

// Texts returns every text of the templates that customers read, as the catalogues have them (i18n): SMS with {1} and so on for their
// variables, and each part of an e-mail or of a message by WhatsApp. What staff read is in English.
func Texts() []string {
	var all []string
	add := func(texts ...string) {
		for _, text := range texts {
			if text != "" {
				all = append(all, text)
			}
		}
	}
	for _, t := range Templates() {
		add(t.numbered())
		if t.WhatsApp != nil {
			add(t.WhatsApp.Text.Body, t.WhatsApp.Text.Button)
		}
	}
	for _, t := range EmailTemplates() {
		if t.Staff {
			continue
		}
		add(t.Subject, t.Text, t.Button, t.Note)
		for _, line := range t.Facts {
			name, _, _ := strings.Cut(line, ": ")
			add(name)
		}
	}
	return all
}
