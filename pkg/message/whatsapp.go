package message

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/franchise360/franchise360/pkg/platform/i18n"
)

// WhatsAppProvider is the name of the provider of messages by WhatsApp.
const WhatsAppProvider = "whatsapp"

// WhatsApp is a message as a template of Meta's category utility, which is about a purchase and promotes nothing. Its values are those of
// the SMS.
type WhatsApp struct {
	// Text is in English. {1}, {2} and so on are the values that the body shows, in order in every language.
	Text WhatsAppText
	// Link is where the button leads: fixed, or ending in the tag of one value.
	Link string
	// Samples are values as Meta's reviewers see them, in order.
	Samples []string
}

// WhatsAppText is a body, and the label of the button below it.
type WhatsAppText struct{ Body, Button string }

// WhatsAppCall is what Meta is sent of a message: the name and language of the registered template, the values of its body and,
// if its link ends in one, the value of its button.
type WhatsAppCall struct {
	Name     string
	Language i18n.Language
	Body     []string
	Button   string
}

// onWhatsAppSuffix makes the name of a message by WhatsApp from that of the SMS that says the same.
const onWhatsAppSuffix = "_whatsapp"

// OnWhatsApp returns the name of the WhatsApp message that corresponds to the SMS; ok is false if there is none.
func OnWhatsApp(name string) (onWhatsApp string, ok bool) {
	t, found := template(name)
	if !found || t.WhatsApp == nil {
		return "", false
	}
	return name + onWhatsAppSuffix, true
}

// Names returns the names of all messages by SMS and by WhatsApp.
func Names() []string {
	var names []string
	for _, t := range Templates() {
		names = append(names, t.Name)
		if onWhatsApp, ok := OnWhatsApp(t.Name); ok {
			names = append(names, onWhatsApp)
		}
	}
	return names
}

func whatsAppTemplate(name string) (Template, bool) {
	base, cut := strings.CutSuffix(name, onWhatsAppSuffix)
	if !cut {
		return Template{}, false
	}
	t, ok := template(base)
	return t, ok && t.WhatsApp != nil
}

// TemplateContactWhatsApp is an answer that a person wrote. It needs no registered template, because Meta takes any text within 24 hours of
// the recipient's last message.
const TemplateContactWhatsApp = "contact_reply_text"

// WhatsAppWindowOver is Meta's code for a text later than 24 hours after the recipient's last message
// (https://developers.facebook.com/documentation/business-messaging/whatsapp/support/error-codes).
const WhatsAppWindowOver = "131047"

// IsWhatsApp reports whether the template is that of a message by WhatsApp.
func IsWhatsApp(name string) bool {
	_, ok := whatsAppTemplate(name)
	return ok || name == TemplateContactWhatsApp
}

// maxWhatsAppText is the longest text that WhatsApp takes, in characters.
const maxWhatsAppText = 4096

// fitsPersonal refuses a text that WhatsApp does not take; the error does not contain it.
func (m Message) fitsPersonal() error {
	n := utf8.RuneCountInString(m.Body)
	if n == 0 || n > maxWhatsAppText || strings.ContainsFunc(m.Body, func(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' }) {
		return fmt.Errorf("%s has a body of %d characters, or one that holds a control character", m.Template, n)
	}
	return nil
}

// footer says how such messages are ended; Meta allows 60 characters of fixed text.
func footer(l i18n.Language) string { return l.Say("Reply STOP to end these messages by WhatsApp.") }

func (w WhatsApp) text(l i18n.Language) WhatsAppText {
	return WhatsAppText{Body: l.Say(w.Text.Body), Button: l.Say(w.Text.Button)}
}

// shown returns how many values the body shows: the first ones.
func (t WhatsAppText) shown() int { return len(numbered.FindAllString(t.Body, -1)) }

// buttonValue returns the number of the value at the link's end, or 0.
func (w WhatsApp) buttonValue() int {
	tag := numbered.FindStringSubmatch(w.Link)
	if tag == nil {
		return 0
	}
	n, err := strconv.Atoi(tag[1])
	if err != nil {
		return 0
	}
	return n
}

func (s Site) composeWhatsApp(m Message, t Template) Message {
	l := m.Language.Or()
	text, link := t.WhatsApp.text(l), s.linkTo(t.WhatsApp.Link, l)
	m.Text = s.fill(text.Body, m.Values) + "\n\n" + footer(l) + "\n\n" + text.Button + ": " + s.fill(link, m.Values)
	m.OnWhatsApp = WhatsAppCall{Name: t.Name, Language: l}
	if n := text.shown(); n <= len(m.Values) {
		m.OnWhatsApp.Body = m.Values[:n]
	}
	if n := t.WhatsApp.buttonValue(); n > 0 && n <= len(m.Values) {
		m.OnWhatsApp.Button = m.Values[n-1]
	}
	return m
}

// fitsWhatsApp refuses what Meta would not send; the error contains no values.
func (m Message) fitsWhatsApp(t Template) error {
	if len(m.Values) != len(t.Longest) {
		return fmt.Errorf("%s has %d variables, not %d", m.Template, len(t.Longest), len(m.Values))
	}
	for i, value := range m.Values {
		if n := utf8.RuneCountInString(value); n == 0 || n > MaxValue {
			return fmt.Errorf("variable %d of %s has %d characters; 1 to %d are sent", i+1, m.Template, n, MaxValue)
		}
		if strings.ContainsFunc(value, unicode.IsControl) || strings.Contains(value, "    ") || strings.Contains(value, "://") {
			return fmt.Errorf("variable %d of %s holds an address, a line break or many spaces", i+1, m.Template)
		}
	}
	return nil
}

// The texts of the messages by WhatsApp. Reminders to choose a plan are not here: Meta counts persuasion to buy as marketing.

func paymentOnWhatsApp() *WhatsApp {
	return &WhatsApp{
		Text: WhatsAppText{"Franchise 360 received your payment of {1} for {2}. Thank you. Your invoice is in your account.", "See your invoice"},
		Link: "{url}/subscription_list", Samples: []string{"Rs 11,800.00", "Growth - Gold"},
	}
}

func debitPaidOnWhatsApp() *WhatsApp {
	return &WhatsApp{
		Text: WhatsAppText{"Franchise 360 debited {1} and renewed {2}, as you agreed. Thank you. Your invoice is in your account.", "See your invoice"},
		Link: "{url}/subscription_list", Samples: []string{"Rs 11,800.00", "Growth - Gold"},
	}
}

func renewalOnWhatsApp() *WhatsApp {
	return &WhatsApp{
		Text: WhatsAppText{"Your Franchise 360 plan {1} ends on {2}. Your account shows how your store, outlets and add-ons go on.", "Open your account"},
		Link: "{url}/subscription_list", Samples: []string{"Growth - Gold", "30 September 2026"},
	}
}

func renewalLinkOnWhatsApp() *WhatsApp {
	return &WhatsApp{
		Text: WhatsAppText{
			"Your Franchise 360 plan {1} ends on {2}. Renewing it costs {3} with GST. The button leads to this payment without a log-in.",
			"Pay",
		},
		Link: "{url}/p/{4}", Samples: []string{"Growth - Gold", "30 September 2026", "Rs 11,800.00", sampleCode},
	}
}

func graceLinkOnWhatsApp() *WhatsApp {
	return &WhatsApp{
		Text: WhatsAppText{
			"Your Franchise 360 plan {1} ended on {2} and still works. To keep it, {3} with GST are due by {4}. " +
				"The button leads to this payment without a log-in.", "Pay",
		},
		Link: "{url}/p/{5}", Samples: []string{"Growth - Gold", "30 September 2026", "Rs 11,800.00", "15 October 2026", sampleCode},
	}
}

func expiredLinkOnWhatsApp() *WhatsApp {
	return &WhatsApp{
		Text: WhatsAppText{
			"Your Franchise 360 plan {1} stopped after {2}, because it was not renewed. Your data are kept. " +
				"Using it again costs {3} with GST. The button leads to this payment without a log-in.", "Pay",
		},
		Link: "{url}/p/{4}", Samples: []string{"Growth - Gold", "15 October 2026", "Rs 11,800.00", sampleCode},
	}
}

// sampleCode is a code as a reviewer sees it; it opens nothing.
const sampleCode = "AZrgwp8AehGPAEsdLD5RRAAAAAAAAAAAAAAAAA"
