// Package message is what the product says by SMS and what becomes of it: the templates that Indian operators know,
// the providers that send, the one that takes over when another fails, and the receipts of delivery.
package message

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// Message is one SMS. India's operators deliver only what fits a registered template (TRAI, TCCCPR 2018), hence the
// template's name and the values of its variables beside the text.
type Message struct {
	// ID is that of the row the message belongs to, the same each time it is sent again: a UUID.
	ID string
	// Mobile has ten digits, without +91.
	Mobile string
	// Text is what Site.Compose made of template and values.
	Text string
	// Template names one of Templates; Values are what its variables are replaced by, in order.
	Template string
	Values   []string
	// ExpiresAt is when the message is worth nothing any more; zero for hours from now.
	ExpiresAt time.Time
}

// SMS sends text messages; Sender is the one that does. It fails with KindInvalid where trying again is of no use, with
// KindRateLimited and RetryAfter where the provider wants a pause, and with anything else where the same call may work later.
type SMS interface {
	Send(ctx context.Context, m Message) error
}

// The names of the templates.
const (
	TemplateCode            = "otp"
	TemplateAccountExists   = "account_exists"
	TemplateMobileChanged   = "mobile_changed"
	TemplateRenewalReminder = "renewal_reminder"
	TemplateTrialReminder   = "trial_reminder"
	TemplateGraceReminder   = "grace_reminder"
	TemplatePlanExpired     = "plan_expired"
	TemplateInvoiceLink     = "invoice_link"
	TemplateViewConsent     = "view_consent"
)

// Template is one message as it is registered with the operators. Text holds the variables as tags, such as {#numeric#},
// and {host} and {url} for the site, which are fixed text for the operator of one site. Longest are values at least as
// long as any that the product sends, in order.
type Template struct {
	Name    string
	Text    string
	Longest []string
}

// Templates is the one list of everything that the product can send. A message that is not here is refused, so a new one
// begins with a line here; its registration and the check of DLT_TEMPLATES follow from it.
func Templates() []Template {
	return []Template{
		// The last line lets the browser fill the code in (WebOTP, origin-bound one-time codes: "@host #code").
		{TemplateCode, "{#numeric#} is your Franchise 360 code. It is valid for 10 minutes. Do not share it with anybody.\n\n" +
			"@{host} #{#numeric#}", []string{"123456", "123456"}},
		{TemplateAccountExists, "You already have a Franchise 360 account with this mobile number. " +
			"Log in at {host}, or choose Forgot password there. If this was not you, you need do nothing.", nil},
		{TemplateMobileChanged, "The mobile number of your Franchise 360 account was changed. " +
			"If this was not you, contact us at once: {host}/helpcenter", nil},
		{
			TemplateRenewalReminder, "Your Franchise 360 plan {#alphanumeric#} ends on {#alphanumeric#}. Renew it here: {url}/subscription_list",
			[]string{strings.Repeat("P", MaxValue), "30 September 2026"},
		},
		{
			TemplateTrialReminder, "Your Franchise 360 free trial ends on {#alphanumeric#}. Choose your plan here: {url}/pricing",
			[]string{"30 September 2026"},
		},
		{
			TemplateGraceReminder, "Your Franchise 360 plan {#alphanumeric#} was paid until {#alphanumeric#}. " +
				"Pay {#alphanumeric#} by {#alphanumeric#} to keep it: {url}/subscription_list",
			[]string{strings.Repeat("P", MaxValue), "30 September 2026", "Rs 9,99,99,999.99", "30 September 2026"},
		},
		{
			TemplatePlanExpired, "Your Franchise 360 plan {#alphanumeric#} was not renewed and stopped after {#alphanumeric#}. " +
				"Pay {#alphanumeric#} to use it again: {url}/subscription_list",
			[]string{strings.Repeat("P", MaxValue), "30 September 2026", "Rs 9,99,99,999.99"},
		},
		{
			TemplateInvoiceLink, "Your Franchise 360 document {#alphanumeric#} is ready. Download it here: {url}/subscription_list",
			[]string{"FPCN/26-27/00001"},
		},
		{TemplateViewConsent, "{#numeric#} lets Franchise 360 support look at your account for 30 minutes, without changing anything. " +
			"Tell it only to the person you are speaking with. If you did not ask for help, do not share it.", []string{"123456"}},
	}
}

// MaxValue is how many characters one variable may have: MSG91's help gives 40 for a DLT variable.
const MaxValue = 40

// variable is a tag as TRAI's direction of 18 November 2025 wants each variable to be registered: its kind says what may
// stand in its place.
var variable = regexp.MustCompile(`\{#(numeric|alphanumeric)#\}`)

// Variables are the kinds of the template's variables, in order.
func (t Template) Variables() []string {
	var kinds []string
	for _, m := range variable.FindAllStringSubmatch(t.Text, -1) {
		kinds = append(kinds, m[1])
	}
	return kinds
}

// Site is where the product runs, as messages name it: the host alone, and the address without a slash at its end.
type Site struct{ Host, URL string }

// Registered is the template's text as the operator of the site registers it: the site filled in, the variables as tags.
func (s Site) Registered(t Template) string {
	return strings.NewReplacer("{host}", s.Host, "{url}", s.URL).Replace(t.Text)
}

// Compose returns the message with the text of its template. An unknown template has no text, which no Sender sends.
func (s Site) Compose(m Message) Message {
	m.Text = ""
	t, ok := template(m.Template)
	if !ok {
		return m
	}
	next := 0
	m.Text = variable.ReplaceAllStringFunc(s.Registered(t), func(string) string {
		if next >= len(m.Values) {
			return ""
		}
		next++
		return m.Values[next-1]
	})
	return m
}

func template(name string) (Template, bool) {
	for _, t := range Templates() {
		if t.Name == name {
			return t, true
		}
	}
	return Template{}, false
}

// Fit cuts a name to what a variable takes.
func Fit(name string) string {
	if runes := []rune(name); len(runes) > MaxValue {
		return string(runes[:MaxValue])
	}
	return name
}

// check refuses what operators would not deliver; the error names no value, which may be a code.
func (s Site) check(m Message) error {
	t, ok := template(m.Template)
	if !ok {
		return fmt.Errorf("no template is named %q", m.Template)
	}
	kinds := t.Variables()
	if len(kinds) != len(m.Values) {
		return fmt.Errorf("%s has %d variables, not %d", t.Name, len(kinds), len(m.Values))
	}
	for i, kind := range kinds {
		value := m.Values[i]
		switch n := utf8.RuneCountInString(value); {
		case n == 0 || n > MaxValue:
			return fmt.Errorf("variable %d of %s has %d characters; 1 to %d are delivered", i+1, t.Name, n, MaxValue)
		case kind == "numeric" && strings.ContainsFunc(value, func(r rune) bool { return r < '0' || r > '9' }):
			return fmt.Errorf("variable %d of %s is not of digits alone", i+1, t.Name)
		case strings.ContainsFunc(value, unicode.IsControl) || strings.Contains(value, "://"):
			return fmt.Errorf("variable %d of %s holds an address or a line break", i+1, t.Name)
		}
	}
	if m.Text != s.Compose(m).Text {
		return fmt.Errorf("the text is not that of template %s", t.Name)
	}
	return nil
}
