// Package message sends the product's SMS, e-mails and messages by WhatsApp and tracks them: the templates, those of SMS
// registered with the Indian operators and those of WhatsApp with Meta, the providers, the failover between them, and the
// delivery receipts.
package message

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
	"github.com/franchise360/franchise360/pkg/platform/text"
)

// Message is one SMS, one e-mail if it has an e-mail address, or one message by WhatsApp if its template says so. India's
// operators deliver only what matches a registered template (TRAI, TCCCPR 2018), and Meta sends nothing else unasked, hence the
// template's name and the values of its variables in addition to the text.
type Message struct {
	// ID is that of the row the message belongs to, the same whenever it is sent again: a UUID.
	ID string
	// Mobile has ten digits, without +91.
	Mobile string
	// Text is the result of Site.Compose for the template and values.
	Text string
	// Template names one of Templates; Values replace its variables, in order.
	Template string
	Values   []string
	// ExpiresAt is when the message becomes worthless; zero means after a few hours.
	ExpiresAt time.Time

	// Email is the address of an e-mail, Link where its button leads if its template does not say, Attachments the files that
	// go with it. Subject and HTML are results of Site.Compose.
	Email         string
	Link          string
	Subject, HTML string
	Attachments   []Attachment
	// Body is the text written by a member of staff, for the templates that allow it. Personal is a result of Site.Compose: a person wrote
	// it, and answers reach a person.
	Body     string
	Personal bool
	// ReplyTag is put behind a plus into the address for answers, so that an answer finds its conversation. References are the ids of the
	// e-mails to which this one answers.
	ReplyTag   string
	References []string
	// Unsubscribe is the signed token that stops such e-mails without a log-in, empty for those that law or the contract require.
	Unsubscribe string
	// StopURL is where a mailbox posts to stop such e-mails (RFC 8058), a result of Site.Compose.
	StopURL string

	// Language is that of the text and of the words among the values, English if it is empty. OnWhatsApp is a result of Site.Compose.
	Language   i18n.Language
	OnWhatsApp WhatsAppCall
}

// SMS sends text messages, e-mails, or messages by WhatsApp; implemented by Sender. It fails with KindInvalid if retrying is
// useless, with KindRateLimited and RetryAfter if the provider wants a pause, and with anything else if the same call may work later.
type SMS interface {
	Send(ctx context.Context, m Message) error
}

// The names of the templates.
const (
	TemplateCode          = "otp"
	TemplateAccountExists = "account_exists"
	TemplateMobileChanged = "mobile_changed"
	TemplateErasureAsked  = "erasure_asked"
	// TemplateStorePasswordChanged tells the owner that the store's sign-in has another password.
	TemplateStorePasswordChanged = "store_password_changed"
	// TemplateMobileChangeAsked tells of a change that waits, with the link that stops it.
	TemplateMobileChangeAsked = "mobile_change_asked"
	// What staff did after two of them decided.
	TemplateAuthenticatorRemoved = "authenticator_removed"
	TemplateGraceGiven           = "grace_given"
	TemplatePlanSwitched         = "plan_switched"
	TemplatePlanChangeOffered    = "plan_change_offered"
	// TemplatePriceChange tells of another price of the next renewal.
	TemplatePriceChange       = "price_change"
	TemplateRenewalReminder   = "renewal_reminder"
	TemplateTrialReminder     = "trial_reminder"
	TemplateTrialEnded        = "trial_ended"
	TemplateRenewalLink       = "renewal_link"
	TemplateGraceLink         = "grace_link"
	TemplateExpiredLink       = "expired_link"
	TemplateInvoiceLink       = "invoice_link"
	TemplateViewConsent       = "view_consent"
	TemplatePartnerInvitation = "partner_invitation"
	TemplateTeamInvitation    = "team_invitation"
	TemplatePaymentReceived   = "payment_received"
	TemplateRefundDecided     = "refund_decided"
	TemplateRefundSent        = "refund_sent"
	TemplateRefundDone        = "refund_done"
	TemplateRefundFailed      = "refund_failed"
	TemplateDebitAnnounced    = "debit_announced"
	TemplateDebitRetried      = "debit_retried"
	TemplateDebitFailed       = "debit_failed"
	TemplateDebitPaid         = "debit_paid"
	TemplateMandateActive     = "mandate_active"
	TemplateMandatePaused     = "mandate_paused"
	TemplateMandateEnded      = "mandate_ended"
	TemplateMandateRefused    = "mandate_refused"
	TemplateTransferPart      = "transfer_part"
	TemplateDeliveryNeeded    = "delivery_needed"
	TemplateDeliveryLate      = "delivery_late"
)

// Template is one message as registered with the operators. Text has the variables as tags, such as {#numeric#}, and
// {host} and {url} for the site, which are fixed text for a given site's operator. Longest are values at least as long
// as any that the product sends, in order.
type Template struct {
	Name    string
	Text    string
	Longest []string
	// WhatsApp is how it reads there; nil for what does not go by WhatsApp.
	WhatsApp *WhatsApp
}

// Templates returns the complete list of the product's SMS, with their variants for WhatsApp. A message that is not here is refused, so a
// new one starts with a line here; its registration and the check of DLT_TEMPLATES follow from it.
func Templates() []Template {
	return append([]Template{
		// The last line lets the browser fill in the code (WebOTP, origin-bound one-time codes: "@host #code").
		{Name: TemplateCode, Text: "{#numeric#} is your Franchise 360 code. It is valid for 10 minutes. Do not share it with anybody.\n\n" +
			"@{host} #{#numeric#}", Longest: []string{"123456", "123456"}},
		{Name: TemplateAccountExists, Text: "You already have a Franchise 360 account with this mobile number. " +
			"Log in at {host}, or choose Forgot password there. If this was not you, you need do nothing."},
		{Name: TemplateMobileChanged, Text: "The mobile number of your Franchise 360 account was changed. " +
			"If this was not you, contact us at once: {host}/helpcenter"},
		{Name: TemplateStorePasswordChanged, Text: "The password of your store at Franchise 360 was changed. " +
			"If this was not you, change it again and contact us at once: {host}/helpcenter"},
		{
			Name: TemplateErasureAsked, Text: "Your Franchise 360 account will be erased, on {#alphanumeric#} at the earliest. " +
				"If you did not ask for this, log in and keep your account: {url}/account/security", Longest: []string{"30 September 2026"},
		},
		{
			Name: TemplateRenewalReminder, Text: "Your Franchise 360 plan {#alphanumeric#} ends on {#alphanumeric#}. Renew it here: {url}/subscription_list", Longest: []string{strings.Repeat("P", MaxValue), "30 September 2026"}, WhatsApp: renewalOnWhatsApp(),
		},
		{
			Name: TemplateTrialReminder, Text: "Your Franchise 360 free trial ends on {#alphanumeric#}. Choose your plan here: {url}/pricing", Longest: []string{"30 September 2026"},
		},
		{
			Name: TemplateTrialEnded, Text: "Your Franchise 360 free trial ended on {#alphanumeric#}. Your data is kept. Choose your plan here: {url}/pricing", Longest: []string{"30 September 2026"},
		},
		// These three lead to the payment of this renewal without a log-in.
		{
			Name: TemplateRenewalLink, Text: "Your Franchise 360 plan {#alphanumeric#} ends on {#alphanumeric#}. " +
				"Pay {#alphanumeric#} to renew it: {url}/p/{#alphanumeric#}", Longest: []string{strings.Repeat("P", MaxValue), "30 September 2026", "Rs 9,99,99,999.99", strings.Repeat("c", 38)}, WhatsApp: renewalLinkOnWhatsApp(),
		},
		{
			Name: TemplateGraceLink, Text: "Franchise 360: {#alphanumeric#} ended on {#alphanumeric#}. " +
				"Pay {#alphanumeric#} by {#alphanumeric#} to keep it: {url}/p/{#alphanumeric#}", Longest: []string{strings.Repeat("P", MaxValue), "30 September 2026", "Rs 9,99,99,999.99", "30 September 2026", strings.Repeat("c", 38)}, WhatsApp: graceLinkOnWhatsApp(),
		},
		{
			Name: TemplateExpiredLink, Text: "Franchise 360: {#alphanumeric#} stopped after {#alphanumeric#}. " +
				"Pay {#alphanumeric#} to use it again: {url}/p/{#alphanumeric#}", Longest: []string{strings.Repeat("P", MaxValue), "30 September 2026", "Rs 9,99,99,999.99", strings.Repeat("c", 38)}, WhatsApp: expiredLinkOnWhatsApp(),
		},
		{
			Name: TemplateInvoiceLink, Text: "Your Franchise 360 document {#alphanumeric#} is ready. Download it here: {url}/subscription_list", Longest: []string{"FPCN/26-27/00001"},
		},
		{
			Name: TemplatePaymentReceived, Text: "Franchise 360 received your payment of {#alphanumeric#} for {#alphanumeric#}. " +
				"Your invoice: {url}/subscription_list", Longest: []string{strings.Repeat("9", MaxValue), strings.Repeat("P", MaxValue)}, WhatsApp: paymentOnWhatsApp(),
		},
		{
			Name: TemplateTransferPart, Text: "Franchise 360 received {#alphanumeric#} by bank transfer for proforma {#alphanumeric#}. " +
				"Still to be transferred: {#alphanumeric#}. Details: {url}/subscription_list", Longest: []string{"Rs 9,99,99,999.99", "FPPF/26-27/000001", "Rs 9,99,99,999.99"},
		},
		{Name: TemplateDeliveryNeeded, Text: "Franchise 360 needs something from you to deliver what you bought. See what it is: {url}/deliveries"},
		{Name: TemplateDeliveryLate, Text: "Franchise 360 delivers a part of what you bought later than promised. See which part: {url}/deliveries"},
		{Name: TemplateViewConsent, Text: "{#numeric#} lets Franchise 360 support look at your account for 30 minutes, without changing anything. " +
			"Tell it only to the person you are speaking with. If you did not ask for help, do not share it.", Longest: []string{"123456"}},
		{
			Name: TemplatePartnerInvitation, Text: "A franchiser with the mobile number ending in {#numeric#} invites you to run outlets as a partner. " +
				"Accept with this mobile number within 7 days: {url}/i/{#alphanumeric#}", Longest: []string{"1234", strings.Repeat("c", 38)},
		},
		{
			Name: TemplateTeamInvitation, Text: "A person with the mobile number ending in {#numeric#} invites you to a Franchise 360 account as {#alphanumeric#}. " +
				"Accept with this mobile number within 7 days: {url}/team/{#alphanumeric#}", Longest: []string{"1234", "accountant", strings.Repeat("c", 38)},
		},
	}, slices.Concat(actTemplates(), refundTemplates(), debitTemplates(), mandateTemplates())...)
}

// actTemplates tell of what staff did, or are about to do, to an account or a plan or its price.
func actTemplates() []Template {
	return []Template{
		{
			Name: TemplateMobileChangeAsked, Text: "Franchise 360 support was asked to move your account to the number ending in {#numeric#}, on {#alphanumeric#}. " +
				"Not you? Stop it: {url}/stop/{#alphanumeric#}", Longest: []string{"1234", "30 September 2026, 23:59", strings.Repeat("c", 38)},
		},
		{Name: TemplateAuthenticatorRemoved, Text: "The authenticator app of your Franchise 360 account was removed, as was asked of our support. " +
			"If this was not you, contact us at once: {host}/helpcenter"},
		{
			Name: TemplateGraceGiven, Text: "Franchise 360 gave you more days because of an outage: you can renew until {#alphanumeric#}. " +
				"Renew here: {url}/subscription_list", Longest: []string{"30 September 2026"},
		},
		{
			Name: TemplatePlanSwitched, Text: "Franchise 360 support changed your plan: {#alphanumeric#} from {#alphanumeric#}. See it here: {url}/dashboard", Longest: []string{strings.Repeat("P", MaxValue), "30 September 2026"},
		},
		{
			Name: TemplatePlanChangeOffered, Text: "Franchise 360 prepared your change to {#alphanumeric#}. Nothing changes before you pay {#alphanumeric#}: " +
				"{url}/dashboard/change-plan?plan={#alphanumeric#}&billing={#alphanumeric#}", Longest: []string{strings.Repeat("P", MaxValue), "Rs 9,99,99,999.99", strings.Repeat("c", 36), "monthly"},
		},
		{
			Name: TemplatePriceChange, Text: "The price of your Franchise 360 plan {#alphanumeric#} changes: its renewal on {#alphanumeric#} costs {#alphanumeric#} before GST, " +
				"instead of {#alphanumeric#}. See it: {url}/subscription_list", Longest: []string{strings.Repeat("P", MaxValue), "30 September 2026", "Rs 9,99,99,999.99", "Rs 9,99,99,999.99"},
		},
	}
}

// mandateTemplates tell of changes of a mandate, of which only the first is the customer's own doing here.
func mandateTemplates() []Template {
	amount, day, instrument := "Rs 9,99,99,999.99", "30 September 2026", strings.Repeat("m", MaxValue)
	return []Template{
		{
			Name: TemplateMandateActive, Text: "Automatic renewal of your Franchise 360 plan is on: at most {#alphanumeric#} per debit from {#alphanumeric#}. " +
				"Stop any time: {url}/dashboard/automatic-renewal", Longest: []string{amount, instrument},
		},
		{
			Name: TemplateMandatePaused, Text: "Automatic renewal of your Franchise 360 plan from {#alphanumeric#} is paused at your bank. Nothing is debited " +
				"until you resume it there. To pay manually: {url}/dashboard/automatic-renewal", Longest: []string{instrument},
		},
		{
			Name: TemplateMandateEnded, Text: "Automatic renewal of your Franchise 360 plan was ended at your bank on {#alphanumeric#} ({#alphanumeric#}). " +
				"Pay manually or set it up again: {url}/dashboard/automatic-renewal", Longest: []string{day, instrument},
		},
		{
			Name: TemplateMandateRefused, Text: "Your next Franchise 360 bill of {#alphanumeric#}, due by {#alphanumeric#}, is not debited: {#alphanumeric#}. " +
				"Set automatic renewal up again or pay manually: {url}/dashboard/automatic-renewal", Longest: []string{amount, day, strings.Repeat("c", MaxValue)},
		},
	}
}

func debitTemplates() []Template {
	amount, day, cause, code := "Rs 9,99,99,999.99", "30 September 2026", strings.Repeat("c", MaxValue), strings.Repeat("c", 38)
	return []Template{
		{
			Name: TemplateDebitAnnounced, Text: "Franchise 360 renews your plan automatically: {#alphanumeric#} is debited on {#alphanumeric#} from {#alphanumeric#}. " +
				"Skip, stop or pay now: {url}/dashboard/automatic-renewal", Longest: []string{amount, day, strings.Repeat("m", MaxValue)},
		},
		{
			Name: TemplateDebitRetried, Text: "Franchise 360 could not debit {#alphanumeric#}: {#alphanumeric#}. We try again on {#alphanumeric#}. " +
				"To pay now: {url}/p/{#alphanumeric#}", Longest: []string{amount, cause, day, code},
		},
		{
			Name: TemplateDebitFailed, Text: "Franchise 360 could not debit {#alphanumeric#}: {#alphanumeric#}. It is not tried again. " +
				"Pay by {#alphanumeric#} to keep your plan: {url}/p/{#alphanumeric#}", Longest: []string{amount, cause, day, code},
		},
		{
			Name: TemplateDebitPaid, Text: "Franchise 360 debited {#alphanumeric#} and renewed {#alphanumeric#}. Your invoice: {url}/subscription_list", Longest: []string{amount, strings.Repeat("P", MaxValue)}, WhatsApp: debitPaidOnWhatsApp(),
		},
	}
}

func refundTemplates() []Template {
	return []Template{
		{
			Name: TemplateRefundDecided, Text: "Franchise 360 pays {#alphanumeric#} back to you: {#alphanumeric#}. " +
				"Your bank shows it {#alphanumeric#}. Details: {url}/subscription_list", Longest: []string{"Rs 9,99,99,999.99", strings.Repeat("r", MaxValue), strings.Repeat("w", MaxValue)},
		},
		{
			Name: TemplateRefundSent, Text: "Your Franchise 360 refund of {#alphanumeric#} is on its way: {#alphanumeric#}. " +
				"Your bank shows it {#alphanumeric#}. Details: {url}/subscription_list", Longest: []string{"Rs 9,99,99,999.99", strings.Repeat("r", MaxValue), strings.Repeat("w", MaxValue)},
		},
		{
			Name: TemplateRefundDone, Text: "Your Franchise 360 refund of {#alphanumeric#} was paid out: {#alphanumeric#}. " +
				"Your bank shows it {#alphanumeric#}. Details: {url}/subscription_list", Longest: []string{"Rs 9,99,99,999.99", strings.Repeat("r", MaxValue), strings.Repeat("w", MaxValue)},
		},
		{
			Name: TemplateRefundFailed, Text: "Your Franchise 360 refund of {#alphanumeric#} did not go through: {#alphanumeric#}. " +
				"Our staff pay it another way and tell you. Details: {url}/subscription_list", Longest: []string{"Rs 9,99,99,999.99", strings.Repeat("r", MaxValue)},
		},
	}
}

// MaxValue is the maximum length of one variable: MSG91's help gives 40 characters for a DLT variable.
const MaxValue = 40

// variable matches a tag, in the form in which TRAI's direction of 18 November 2025 requires variables to be
// registered: its kind says what may replace it.
var variable = regexp.MustCompile(`\{#(numeric|alphanumeric)#\}`)

// Variables returns the kinds of the template's variables, in order.
func (t Template) Variables() []string {
	var kinds []string
	for _, m := range variable.FindAllStringSubmatch(t.Text, -1) {
		kinds = append(kinds, m[1])
	}
	return kinds
}

// Site is where the product runs, as named in messages: the bare host, and the URL without a trailing slash.
type Site struct{ Host, URL string }

// Registered returns the template's text in a language as the site's operator registers it: the site filled in, the variables as
// tags.
func (s Site) Registered(t Template, l i18n.Language) string {
	tags := t.Variables()
	for i, kind := range tags {
		tags[i] = "{#" + kind + "#}"
	}
	return s.fill(l.Say(t.numbered()), tags)
}

// numbered is the text as translators have it: with {1}, {2} and so on for the variables, whose order differs between languages.
func (t Template) numbered() string {
	n := 0
	return variable.ReplaceAllStringFunc(t.Text, func(string) string {
		n++
		return "{" + strconv.Itoa(n) + "}"
	})
}

// Compose returns the message with its template's text. For an unknown template the text is empty, and no Sender sends
// it.
func (s Site) Compose(m Message) Message {
	m.Text, m.Subject, m.HTML, m.StopURL, m.OnWhatsApp = "", "", "", "", WhatsAppCall{}
	if t, ok := emailTemplate(m.Template); ok {
		return s.composeEmail(m, t)
	}
	if m.Template == TemplateContactWhatsApp {
		m.Text, m.Personal = m.Body, true
		return m
	}
	if t, ok := whatsAppTemplate(m.Template); ok {
		return s.composeWhatsApp(m, t)
	}
	t, ok := template(m.Template)
	if !ok {
		return m
	}
	m.Text = s.fill(m.Language.Say(t.numbered()), m.Values)
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

// StopPath is where a token stops e-mails by a click: after the site's URL for people, after StopCallPath for mailboxes.
const (
	StopPath     = "/stop-reminders/"
	StopCallPath = "/api/franchise/reminders/stop/"
)

// Rupees is an amount as an SMS in English shows it: ₹ would switch it to Unicode, which costs twice as much.
func Rupees(display string) string { return "Rs " + strings.TrimPrefix(display, "₹") }

// Fit truncates a name to the length of a variable.
func Fit(name string) string {
	return text.First(name, MaxValue)
}

// LastFour is how a message to a stranger names its sender: by the end of a mobile number that the sender proved. Names are the
// sender's own words, and a stranger would read them as the operator's.
func LastFour(mobile string) string { return mobile[max(0, len(mobile)-4):] }

// check refuses what operators would not deliver; the error contains no values, which may be codes.
func (s Site) check(m Message) error {
	if err := m.Fits(); err != nil {
		return err
	}
	composed := s.Compose(m)
	if m.Text == "" || m.Text != composed.Text || m.Subject != composed.Subject || m.HTML != composed.HTML {
		return fmt.Errorf("the text is not that of template %s", m.Template)
	}
	return nil
}

// Fits reports why the values and the link of a message are not those of its template, so that no provider would deliver it. The error
// contains no values, which may be codes.
func (m Message) Fits() error {
	if m.Email != "" {
		return m.fitsEmail()
	}
	if m.Template == TemplateContactWhatsApp {
		return m.fitsPersonal()
	}
	if t, ok := whatsAppTemplate(m.Template); ok {
		return m.fitsWhatsApp(t)
	}
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
	return nil
}

// errMisfit refuses a message for good that fits no template.
func errMisfit(cause error) error {
	return errs.New(errs.KindInvalid, "sms_template", "This message fits no registered template.").Because(cause)
}
