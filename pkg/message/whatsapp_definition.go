package message

import (
	"strings"
	"time"

	"github.com/franchise360/franchise360/pkg/platform/i18n"
)

// WhatsAppDefinition is a template in the form in which it is registered at Meta, by POST /{WABA}/message_templates
// (https://developers.facebook.com/documentation/business-messaging/whatsapp/templates/utility-templates/utility-templates).
type WhatsAppDefinition struct {
	Name       string              `json:"name"`
	Language   i18n.Language       `json:"language"`
	Category   string              `json:"category"`
	Components []WhatsAppComponent `json:"components"`
}

// WhatsAppComponent is a part of a definition: the body, the footer or the buttons.
type WhatsAppComponent struct {
	Type    string           `json:"type"`
	Text    string           `json:"text,omitempty"`
	Example *WhatsAppExample `json:"example,omitempty"`
	Buttons []WhatsAppButton `json:"buttons,omitempty"`
}

// WhatsAppExample holds one row of values of the body.
type WhatsAppExample struct {
	BodyText [][]string `json:"body_text"`
}

// WhatsAppButton leads to a page. Example is a whole address, given if URL ends in a variable.
type WhatsAppButton struct {
	Type    string   `json:"type"`
	Text    string   `json:"text"`
	URL     string   `json:"url"`
	Example []string `json:"example,omitempty"`
}

// WhatsAppDefinitions returns all that a site's operator registers at Meta.
func (s Site) WhatsAppDefinitions() []WhatsAppDefinition {
	var list []WhatsAppDefinition
	for _, t := range Templates() {
		if t.WhatsApp == nil {
			continue
		}
		for _, language := range i18n.Languages() {
			list = append(list, s.whatsAppDefinition(t, language))
		}
	}
	return list
}

func (s Site) whatsAppDefinition(t Template, language i18n.Language) WhatsAppDefinition {
	text, link := t.WhatsApp.text(language), s.linkTo(t.WhatsApp.Link, language)
	samples := make([]string, len(t.WhatsApp.Samples))
	for i, value := range t.WhatsApp.Samples {
		samples[i] = sampleIn(value, language)
	}
	button := WhatsAppButton{Type: "URL", Text: text.Button, URL: numbered.ReplaceAllString(link, "{{1}}")}
	if t.WhatsApp.buttonValue() > 0 {
		button.Example = []string{s.fill(link, t.WhatsApp.Samples)}
	}
	return WhatsAppDefinition{Name: t.Name, Language: language, Category: "UTILITY", Components: []WhatsAppComponent{
		{
			Type: "BODY", Text: s.withSite(numbered.ReplaceAllString(text.Body, "{{$1}}")),
			Example: &WhatsAppExample{BodyText: [][]string{samples[:text.shown()]}},
		},
		{Type: "FOOTER", Text: footer(language)},
		{Type: "BUTTONS", Buttons: []WhatsAppButton{button}},
	}}
}

// sampleIn writes a sample that is a day in the language, and any other as it is.
func sampleIn(value string, l i18n.Language) string {
	at, err := time.Parse("2 January 2006", value)
	if err != nil || l == i18n.English {
		return value
	}
	return l.Day(at)
}

func (s Site) withSite(text string) string {
	return strings.NewReplacer("{host}", s.Host, "{url}", s.URL).Replace(text)
}
