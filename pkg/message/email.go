package message

import (
	"bytes"
	_ "embed"
	"fmt"
	htmltemplate "html/template"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/franchise360/franchise360/pkg/platform/i18n"
)

// The names of the e-mails' templates.
const (
	TemplateEmailProof        = "email_proof"
	TemplateEmailChanged      = "email_changed"
	TemplatePaymentEmail      = "payment_email"
	TemplateDocumentEmail     = "document_email"
	TemplateProformaEmail     = "proforma_email"
	TemplateTransferPartEmail = "transfer_part_email"

	TemplateInvoiceCorrectedEmail = "invoice_corrected_email"

	TemplateAuthenticatorRemovedEmail = "authenticator_removed_email"
	TemplateMobileChangedEmail        = "mobile_changed_email"
	TemplateMobileChangeAskedEmail    = "mobile_change_asked_email"
	TemplateGraceGivenEmail           = "grace_given_email"
	TemplatePlanSwitchedEmail         = "plan_switched_email"
	TemplatePlanChangeOfferedEmail    = "plan_change_offered_email"
	TemplatePriceChangeEmail          = "price_change_email"

	TemplateRenewalEmail = "renewal_email"
	TemplateGraceEmail   = "grace_email"
	TemplateExpiredEmail = "expired_email"
	TemplateTrialEmail   = "trial_email"

	TemplateTrialEndedEmail = "trial_ended_email"

	TemplateRetiredEmail = "retired_email"

	TemplateDeliveryNeededEmail = "delivery_needed_email"
	TemplateDeliveryDoneEmail   = "delivery_done_email"
	TemplateDeliveryLateEmail   = "delivery_late_email"

	TemplateRefundDecidedEmail = "refund_decided_email"
	TemplateRefundSentEmail    = "refund_sent_email"
	TemplateRefundDoneEmail    = "refund_done_email"
	TemplateRefundFailedEmail  = "refund_failed_email"

	TemplateDebitAnnouncedEmail = "debit_announced_email"
	TemplateDebitRetriedEmail   = "debit_retried_email"
	TemplateDebitFailedEmail    = "debit_failed_email"

	TemplateMandateActiveEmail  = "mandate_active_email"
	TemplateMandatePausedEmail  = "mandate_paused_email"
	TemplateMandateEndedEmail   = "mandate_ended_email"
	TemplateMandateRefusedEmail = "mandate_refused_email"

	TemplateStaffInvitation = "staff_invitation_email"
	TemplateStaffEnrolment  = "staff_enrolment_email"
	TemplateStaffAlert      = "staff_alert_email"

	TemplateStaffAdminMade      = "staff_admin_made_email"
	TemplateStaffPasskeyAdded   = "staff_passkey_added_email"
	TemplateStaffPasskeyRemoved = "staff_passkey_removed_email" //nolint:gosec // a name
	TemplateStaffPasskeyCopied  = "staff_passkey_copied_email"  //nolint:gosec // a name

	TemplateContactReply = "contact_reply_email"

	TemplateNewsletterConfirm = "newsletter_confirm_email"
	TemplateNewsletterLeave   = "newsletter_leave_email"
)

// MaxAttached is the largest size of all attachments of one e-mail, in bytes. Mail servers refuse larger e-mails.
const MaxAttached = 8 << 20

// Attachment is a file that goes with an e-mail.
type Attachment struct {
	Name, ContentType string
	Body              []byte
}

// EmailTemplate is one e-mail. {1}, {2} and so on are the values, {host} and {url} the site; Text has paragraphs separated by empty lines.
type EmailTemplate struct {
	Name, Subject, Text string
	// Facts are lines such as "Amount: {2}", shown as a table. A line with an empty value is omitted.
	Facts []string
	// Button is the label of the one link, which is Link, or the message's own if Link is empty.
	Button, Link string
	// Note is the text below the button, in small type.
	Note string
	// Values is how many values the template takes. The last Optional of them may be empty; these occur only in facts.
	Values, Optional int
	// Personal is set for texts written by a member of staff: Message.Body replaces Text.
	Personal bool
	// Staff is set for e-mails to staff: they are in English.
	Staff bool
}

// EmailTemplates returns the complete list of the product's e-mails.
func EmailTemplates() []EmailTemplate {
	return append([]EmailTemplate{
		{
			Name: TemplateEmailProof, Subject: "Confirm your e-mail address",
			Text:   "This address was entered for a Franchise 360 account. Confirm it, and receipts and invoices arrive here.",
			Button: "Confirm this address",
			Note: "The link works once, until {1}, and only for someone who is logged in to that account. " +
				"If you did not enter this address, you do not need to do anything: nothing else is sent to it.",
			Values: 1,
		},
		{
			Name: TemplateEmailChanged, Subject: "The e-mail address of your account was changed",
			Text: "The e-mail address of your Franchise 360 account was changed on {1}. Receipts and invoices no longer come here.\n\n" +
				"If this was not you, contact us at once.",
			Button: "Contact us", Link: "{url}/helpcenter", Values: 1,
		},
		{
			Name: TemplatePaymentEmail, Subject: "We received your payment of {2}",
			Text: "Thank you. Your payment has arrived, and your account is ready to use.\n\n" +
				"Parts that run in connected systems or that our staff set up begin later: we agree with you what we need and the dates.",
			Facts:  []string{"Bought: {1}", "Amount paid: {2}", "Deducted as TDS: {5}", "Bill: {6}", "Paid on: {3}", "Transaction: {4}"},
			Button: "See your invoice", Link: "{url}/subscription_list",
			Note: "The invoice follows as a PDF in a separate message.", Values: 6, Optional: 2,
		},
		{
			Name: TemplateDocumentEmail, Subject: "Your {1} {2}",
			Text:  "Your {1} is attached to this message as a PDF.",
			Facts: []string{"Number: {2}", "Date: {3}", "Total: {4}"}, Button: "Download the PDF",
			Note: "The link works until {5}. After that, log in: every document is at {host}/subscription_list.", Values: 5,
		},
		{
			Name: TemplateInvoiceCorrectedEmail, Subject: "Your invoice {1} was corrected",
			Text: "Invoice {1} named the wrong recipient. A credit note takes it back, and invoice {2} takes its place. There is nothing to pay or " +
				"refund: your payment settles the new invoice.",
			Facts:  []string{"Invoice no longer valid: {1}", "New invoice: {2}", "Issued to: {3}", "Total: {4}"},
			Button: "See your documents", Link: "{url}/subscription_list?tab=payments",
			Note: "Both documents follow as PDFs in separate messages. If you claimed input tax credit on invoice {1}, reverse it.", Values: 4,
		},
		{
			Name: TemplateRenewalEmail, Subject: "Your plan {1} ends on {2}",
			Text: "Renew it in time, and your store, outlets and add-ons continue as they are.",
			Facts: []string{
				"Plan: {1}", "Paid until: {2}", "Next term: {4}", "To pay, with GST: {3}", "Outlets opened in this term: {6}",
				"Partners who joined in this term: {7}", "Days on which your own domain worked: {8}",
			}, Button: "Renew now", Note: payLinkNote, Values: 8, Optional: 3,
		},
		{
			Name: TemplateGraceEmail, Subject: "Pay by {6} to keep your plan {1}",
			Text:  "Your plan was paid until {2}. It still works, and stops after {6} unless it is renewed.",
			Facts: []string{"Plan: {1}", "Paid until: {2}", "Next term: {4}", "To pay, with GST: {3}"}, Button: "Renew now", Note: payLinkNote, Values: 6,
		},
		{
			Name: TemplateExpiredEmail, Subject: "Your plan {1} stopped after {2}",
			Text:  "It was not renewed. Your data is kept: pay, and you can use it again at once.",
			Facts: []string{"Plan: {1}", "Next term: {4}", "To pay, with GST: {3}"}, Button: "Use it again", Note: payLinkNote, Values: 5,
		},
		{
			Name: TemplateTrialEmail, Subject: "Your free trial ends on {1}",
			Text:   "Choose a plan by then to keep what you have set up. Nothing is charged automatically.",
			Button: "Choose a plan", Link: "{url}/pricing", Values: 1,
		},
		{
			Name: TemplateTrialEndedEmail, Subject: "Your free trial ended on {1}",
			Text:   "Your data is kept. Choose a plan to use it again. Nothing was charged.",
			Button: "Choose a plan", Link: "{url}/pricing", Values: 1,
		},
		{
			Name: TemplateRetiredEmail, Subject: "Your plan {1} ends on {2}",
			Text:   "This plan is no longer sold. Choose another one by then to keep your store, outlets and add-ons.",
			Button: "Choose a plan", Link: "{url}/pricing", Values: 2,
		},
	}, slices.Concat(actEmails(), deliveryEmails(), debitEmails(), mandateEmails(), transferEmails(), refundEmails(), inEnglish(staffEmails()), contactEmails(), newsletterEmails())...)
}

func inEnglish(list []EmailTemplate) []EmailTemplate {
	for i := range list {
		list[i].Staff = true
	}
	return list
}

// actEmails tell of what staff did to an account or a plan or its price.
func actEmails() []EmailTemplate {
	return []EmailTemplate{
		{
			Name: TemplateAuthenticatorRemovedEmail, Subject: "The authenticator app of your account was removed",
			Text: "On request, our support team removed the authenticator app: your password alone now signs in to your Franchise 360 account, " +
				"and every device was signed out. Set an authenticator app up again once you have signed in.\n\nIf this was not you, contact us at once.",
			Button: "Contact us", Link: "{url}/helpcenter",
		},
		{
			Name: TemplateMobileChangedEmail, Subject: "The mobile number of your account was changed",
			Text: "On request, our support team changed the mobile number of your Franchise 360 account. You now sign in with the new number, " +
				"and every device was signed out. Your password is the same.\n\nIf this was not you, contact us at once.",
			Button: "Contact us", Link: "{url}/helpcenter",
		},
		{
			Name: TemplateMobileChangeAskedEmail, Subject: "Request to change your mobile number",
			Text: "Our support was asked to move your Franchise 360 account to another mobile number, because yours was lost. The owner of the " +
				"new number can then set a new password.\n\nIf you did not ask for this, stop it now. The same link was sent to your current number.",
			Facts:  []string{"New number ends in: {1}", "Takes effect (Indian time): {2}"},
			Button: "Review and stop it", Note: "The link stops this change and does nothing else.", Values: 2,
		},
		{
			Name: TemplateGraceGivenEmail, Subject: "You can renew your plan until {1}",
			Text:   "An outage kept you from renewing in time, so we gave you more days. Everything keeps working until then.",
			Button: "Renew now", Link: "{url}/subscription_list", Values: 1,
		},
		{
			Name: TemplatePlanSwitchedEmail, Subject: "Your plan was changed to {1}",
			Text: "Our support changed your plan. If money is due back to you, a credit note and its refund follow in separate messages.\n\n" +
				"If you did not agree to this, contact us at once.",
			Facts:  []string{"Plan: {1}", "In force from: {2}", "Paid until: {3}"},
			Button: "See your plan", Link: "{url}/dashboard", Values: 3,
		},
		{
			Name: TemplatePlanChangeOfferedEmail, Subject: "Your change to {1} is ready to be paid",
			Text: "Our support prepared this change of your plan. Nothing changes and nothing is charged before you pay. The price is calculated " +
				"again on the day of payment, because less of your current term is left by then.",
			Facts: []string{"Plan: {1}", "To pay today, with GST: {2}"}, Button: "Review and pay", Values: 2,
		},
		{
			Name: TemplatePriceChangeEmail, Subject: "The price of your plan {1} changes",
			Text:   "What you have paid for stays as it is until this renewal. Until then you can choose another plan or other add-ons, or let your plan end.",
			Facts:  []string{"Renewal on: {2}", "New price of the term, before GST: {3}", "Price until now: {4}"},
			Button: "See your plan", Link: "{url}/subscription_list", Values: 4,
		},
	}
}

// deliveryEmails tell of the delivery of bought features.
func deliveryEmails() []EmailTemplate {
	return []EmailTemplate{
		{
			Name: TemplateDeliveryNeededEmail, Subject: "We need something from you: {1}",
			Text:  "We continue with these parts of your plan when we have it. Their promised days count from then.",
			Facts: []string{"Parts of your plan: {1}", "We need from you: {2}"}, Button: "See what you get", Link: "{url}/deliveries", Values: 2,
		},
		{
			Name: TemplateDeliveryDoneEmail, Subject: "Delivered: {1}",
			Text:   "These parts of your plan are delivered. Your list shows the proof. If something is missing, contact us.",
			Button: "See what you get", Link: "{url}/deliveries", Values: 1,
		},
		{
			Name: TemplateDeliveryLateEmail, Subject: "Late: {1}",
			Text:  "We did not deliver these parts of your plan on the promised day. Our staff see it as late too. Contact us if you have questions.",
			Facts: []string{"Parts of your plan: {1}", "Promised for: {2}"}, Button: "See what you get", Link: "{url}/deliveries", Values: 2,
		},
	}
}

// debitEmails tell of renewals that a mandate debits.
func debitEmails() []EmailTemplate {
	return []EmailTemplate{
		{
			Name: TemplateDebitAnnouncedEmail, Subject: "Your plan renews automatically on {2}",
			Text: "You asked us to renew your plan automatically. You do not need to do anything.\n\n" +
				"You can skip this debit, stop automatic renewal, or pay manually before that day.",
			Facts:  []string{"Amount, GST included: {1}", "Debited on: {2}", "Debited from: {3}"},
			Button: "See automatic renewal", Link: "{url}/dashboard/automatic-renewal", Values: 3,
		},
		{
			Name: TemplateDebitRetriedEmail, Subject: "We could not debit {1}, and try again on {3}",
			Text:  "The automatic renewal of your plan did not go through: {2}.\n\n{4}\n\nYour plan keeps working meanwhile.",
			Facts: []string{"Amount, GST included: {1}", "Next try: {3}", "Pay by, to keep your plan: {5}"}, Button: "Pay now", Note: strings.Replace(payLinkNote, "{5}", "{6}", 1), Values: 6,
		},
		{
			Name: TemplateDebitFailedEmail, Subject: "We could not debit {1}: please pay by {3}",
			Text:  "The automatic renewal of your plan did not go through: {2}.\n\n{4}\n\nWe will not try again for this renewal.",
			Facts: []string{"Amount, GST included: {1}", "Pay by, to keep your plan: {3}"}, Button: "Pay now", Note: payLinkNote, Values: 5,
		},
	}
}

// mandateEmails tell of changes of a mandate.
func mandateEmails() []EmailTemplate {
	const button, link = "See automatic renewal", "{url}/dashboard/automatic-renewal"
	return []EmailTemplate{
		{
			Name: TemplateMandateActiveEmail, Subject: "Automatic renewal is on",
			Text: "Your bank has confirmed automatic renewal. We tell you a week before each debit, or at least two days if there is less time.\n\n" +
				"You can stop it at any time on its page, or at your bank.",
			Facts: []string{"At most per debit: {1}", "Debited from: {2}"}, Button: button, Link: link, Values: 2,
		},
		{
			Name: TemplateMandatePausedEmail, Subject: "Automatic renewal is paused at your bank",
			Text: "Your bank tells us that automatic renewal is paused. Nothing is debited until you resume it in your UPI app or at your bank; " +
				"you pay manually meanwhile.",
			Facts: []string{"Debited from: {1}"}, Button: button, Link: link, Values: 1,
		},
		{
			Name: TemplateMandateEndedEmail, Subject: "Automatic renewal was ended at your bank",
			Text:  "Your bank tells us that automatic renewal has ended. Nothing is debited any more. You pay manually, or set it up again.",
			Facts: []string{"Ended on: {1}", "Debited from: {2}"}, Button: button, Link: link, Values: 2,
		},
		{
			Name: TemplateMandateRefusedEmail, Subject: "Your next bill is not debited: {3}",
			Text:  "Automatic renewal does not allow your next bill as you set it up. Set it up again, or pay this bill manually.",
			Facts: []string{"Amount, GST included: {1}", "Due by: {2}", "Why: {3}"}, Button: button, Link: link, Values: 3,
		},
	}
}

// transferEmails tell of bills that are paid by bank transfer.
func transferEmails() []EmailTemplate {
	return []EmailTemplate{
		{
			Name: TemplateProformaEmail, Subject: "Proforma {1}: pay {2} by bank transfer",
			Text: "Your proforma is attached to this message as a PDF. Your order is activated, and its tax invoice issued, " +
				"when the money arrives.",
			Facts:  []string{"Exact amount: {2}", "Account number: {3}", "IFSC: {4}", "Beneficiary: {5}", "Valid until: {6}"},
			Button: "Open the proforma",
			Note:   "If you deduct tax at source, the proforma says what to transfer. After the transfer, tell us its number (UTR) in your account.", Values: 6,
		},
		{
			Name: TemplateTransferPartEmail, Subject: "We received {2} for proforma {1}",
			Text:   "Thank you. Part of the amount has arrived. Your order is activated, and its tax invoice issued, when the rest arrives.",
			Facts:  []string{"Received now: {2}", "Still to be paid: {3}", "Account number: {4}", "IFSC: {5}", "Valid until: {6}"},
			Button: "See the details", Link: "{url}/subscription_list?tab=transfers",
			Note: "If the rest is tax that you deducted at source, tell us; once we have confirmed it, your order is complete.", Values: 6,
		},
	}
}

// refundEmails are about refunds.
func refundEmails() []EmailTemplate {
	return []EmailTemplate{
		{
			Name: TemplateRefundDecidedEmail, Subject: "We are paying {1} back to you",
			Text: "You do not need to do anything. We tell you when the money is on its way.", Facts: refundFacts(), Button: "See the payment", Link: "{url}/subscription_list", Values: 5,
		},
		{
			Name: TemplateRefundSentEmail, Subject: "Your refund of {1} is on its way",
			Text: "It goes back the way you paid. You do not need to do anything.", Facts: refundFacts(), Button: "See the payment", Link: "{url}/subscription_list", Values: 5,
		},
		{
			Name: TemplateRefundDoneEmail, Subject: "Your refund of {1} was paid out",
			Text:  "If it does not appear in that time, ask your bank and quote the transaction below.",
			Facts: refundFacts(), Button: "See the payment", Link: "{url}/subscription_list", Values: 5,
		},
		{
			Name: TemplateRefundFailedEmail, Subject: "Your refund of {1} did not go through",
			Text:  "The money is still yours. Our team will pay it another way and tell you; you do not need to do anything.",
			Facts: []string{"Amount: {1}", "Reason: {2}", "Payment: {3}", "Transaction: {4}"}, Button: "Contact us", Link: "{url}/helpcenter", Values: 4,
		},
	}
}

// staffEmails are those to staff.
func staffEmails() []EmailTemplate {
	return []EmailTemplate{
		{
			Name: TemplateStaffInvitation, Subject: "You are invited to the console of {host}",
			Text:   "{1} invites you to work in the console of {host} as {2}. Set a password and connect an authenticator app, and your account is made.",
			Button: "Accept the invitation", Note: "The link works once, until {3}. If you expected no invitation, you need do nothing.", Values: 3,
		},
		{
			Name: TemplateStaffEnrolment, Subject: "Set up your sign-in to the console of {host} again",
			Text:   "{1} reset the authenticator of your account ({2}). Set a new password and connect an authenticator app; until then nobody can sign in to the account.",
			Button: "Set up the sign-in", Note: "The link works once, until {3}. If you did not ask for this, tell an admin at once.", Values: 3,
		},
		{
			Name: TemplateStaffAdminMade, Subject: "Another account of an admin at {host}",
			Text: "Somebody can act as an admin of the console of {host} with this account, and approve what another admin asks for: refunds, other " +
				"people's sign-ins, prices. Only what whoever opened the account asks for, it cannot approve in its first days.",
			Facts: []string{"Account: {1}", "Since: {2}"}, Button: "See the staff", Link: "{url}/support/staff",
			Note: "If you know nothing of it, disable the account and tell the other admins.", Values: 2,
		},
		{
			Name: TemplateStaffPasskeyAdded, Subject: "A passkey was added to your account at {host}",
			Text:  "A person with this passkey can sign in to the console of {host} as you, without password and code.",
			Facts: []string{"Passkey: {1}", "Added: {2}", "From: {3}"}, Button: "See your passkeys", Link: "{url}/support/account",
			Note: "If you did not add it, tell an admin at once.", Values: 3,
		},
		{
			Name: TemplateStaffPasskeyRemoved, Subject: "A passkey was removed from your account at {host}",
			Text:  "This passkey signs in to the console of {host} no more. Your other sessions were ended; password and authenticator are as before.",
			Facts: []string{"Passkey: {1}", "Removed: {2}", "From: {3}"}, Button: "See your passkeys", Link: "{url}/support/account",
			Note: "If you did not remove it, tell an admin at once.", Values: 3,
		},
		{
			Name: TemplateStaffPasskeyCopied, Subject: "A passkey of yours may have been copied",
			Text:  "Somebody tried to sign in to the console of {host} with a passkey of yours whose count did not grow, as happens when a copy is used. Nobody was signed in. Remove the passkey and tell an admin.",
			Facts: []string{"Passkey: {1}", "Tried: {2}", "From: {3}"}, Button: "See your passkeys", Link: "{url}/support/account", Values: 3,
		},
		{
			Name: TemplateStaffAlert, Subject: "{1}", Text: "{2}", Facts: []string{"Since: {3}", "Resolved: {4}", "Runbook: {5}"},
			Button: "Open the console", Values: 5,
		},
	}
}

// newsletterEmails have the links that start and end a subscription.
func newsletterEmails() []EmailTemplate {
	return []EmailTemplate{
		{
			Name: TemplateNewsletterConfirm, Subject: "Confirm the newsletter of Franchise 360",
			Text:   "This address was entered for our newsletter, which comes at most twice a month. It starts once you confirm it.",
			Button: "Confirm the newsletter",
			Note:   "The link works until {1}. If you did not enter this address, you do not need to do anything: no newsletter comes.", Values: 1,
		},
		{
			Name: TemplateNewsletterLeave, Subject: "Leave the newsletter of Franchise 360",
			Text:   "Somebody asked for this link, which takes this address off our newsletter.",
			Button: "Leave the newsletter", Note: "If you want to stay, you do not need to do anything.",
		},
	}
}

// payLinkNote explains the link of a reminder.
const payLinkNote = "The link opens this payment without a login, until {5}, and nothing else: you can pass it on to whoever pays."

func refundFacts() []string {
	return []string{"Amount: {1}", "Reason: {2}", "Payment: {3}", "Transaction: {4}", "Your bank shows it: {5}"}
}

// maxEmailValue is the maximum length of one value in an e-mail.
const maxEmailValue = 300

// maxEmailBody is the maximum length of a text written by a member of staff.
const maxEmailBody = 4000

func emailTemplate(name string) (EmailTemplate, bool) {
	for _, t := range EmailTemplates() {
		if t.Name == name {
			return t, true
		}
	}
	return EmailTemplate{}, false
}

// IsEmail reports whether the template is that of an e-mail.
func IsEmail(name string) bool {
	_, ok := emailTemplate(name)
	return ok
}

// linkTo is the address of a page of the site in the language.
func (s Site) linkTo(link string, l i18n.Language) string {
	if path, ours := strings.CutPrefix(link, "{url}"); ours {
		return s.URL + l.Base() + path
	}
	return link
}

var numbered = regexp.MustCompile(`\{([1-9])\}`)

// fill returns the text with site and values filled in; placeholders inside values are not filled in.
func (s Site) fill(text string, values []string) string {
	text = s.withSite(text)
	return numbered.ReplaceAllStringFunc(text, func(tag string) string {
		n, err := strconv.Atoi(tag[1 : len(tag)-1])
		if err != nil || n > len(values) {
			return ""
		}
		return values[n-1]
	})
}

type fact struct{ Name, Value string }

// letter is the data for an e-mail's page.
type letter struct {
	Subject      string
	Paragraphs   []string
	Facts        []fact
	Button, Link string
	Note         string
	// Stop is the page on which such e-mails are stopped, empty for those that are always sent.
	Stop, StopLabel string
	Help            string
	Site            Site
	// Home is the address of the site in the language.
	Home          string
	Language, Dir string
}

//go:embed email.html
var emailPage string

// emailHTML is parsed once: it is a part of the program.
var emailHTML = htmltemplate.Must(htmltemplate.New("email").Parse(emailPage)) //nolint:gochecknoglobals // never changed

// composeEmail fills in subject, text and HTML.
func (s Site) composeEmail(m Message, t EmailTemplate) Message {
	in := m.Language
	if t.Staff {
		in = i18n.English
	}
	say := func(english string) string { return in.Say(english) }
	l := letter{
		Subject: s.fill(say(t.Subject), m.Values), Button: say(t.Button), Link: s.linkTo(t.Link, in), Note: s.fill(say(t.Note), m.Values), Site: s,
		Home: s.URL + in.Base(), Language: in.Tag(), Dir: in.Direction(), Help: in.Say("Help"), StopLabel: in.Say("No more reminders by e-mail"),
	}
	if l.Link == "" {
		l.Link = m.Link
	}
	if t.Personal {
		s.leadBack(&l, m)
	}
	if m.Unsubscribe != "" {
		l.Stop, m.StopURL = l.Home+StopPath+m.Unsubscribe, s.URL+StopCallPath+m.Unsubscribe
	}
	m.Personal = t.Personal
	for paragraph := range strings.SplitSeq(say(t.Text), "\n\n") {
		if !t.Personal {
			l.Paragraphs = append(l.Paragraphs, s.fill(paragraph, m.Values))
		}
	}
	if t.Personal { // what people write is never filled in
		l.Paragraphs = strings.Split(m.Body, "\n\n")
	}
	for _, line := range t.Facts {
		name, value, _ := strings.Cut(line, ": ")
		if value = s.fill(value, m.Values); value != "" {
			l.Facts = append(l.Facts, fact{Name: say(name), Value: value})
		}
	}
	m.Subject, m.Text = l.Subject, l.text()
	var page bytes.Buffer
	if err := emailHTML.Execute(&page, l); err == nil { // fails for no value: check would refuse an empty page
		m.HTML = page.String()
	}
	return m
}

// text returns the e-mail for readers that show no HTML.
func (l letter) text() string {
	parts := append([]string{}, l.Paragraphs...)
	if len(l.Facts) > 0 {
		lines := make([]string, 0, len(l.Facts))
		for _, f := range l.Facts {
			lines = append(lines, f.Name+": "+f.Value)
		}
		parts = append(parts, strings.Join(lines, "\n"))
	}
	if l.Link != "" {
		parts = append(parts, l.Button+":\n"+l.Link)
	}
	if l.Note != "" {
		parts = append(parts, l.Note)
	}
	if l.Stop != "" {
		parts = append(parts, l.StopLabel+":\n"+l.Stop)
	}
	return strings.Join(append(parts, "Franchise 360, "+l.Home), "\n\n") + "\n"
}

// fitsEmail refuses an e-mail that fits no template; the error contains no values.
func (m Message) fitsEmail() error {
	t, ok := emailTemplate(m.Template)
	if !ok {
		return fmt.Errorf("no e-mail is named %q", m.Template)
	}
	if len(m.Values) != t.Values {
		return fmt.Errorf("%s has %d values, not %d", t.Name, t.Values, len(m.Values))
	}
	for i, value := range m.Values {
		if n := utf8.RuneCountInString(value); n == 0 && i < t.Values-t.Optional || n > maxEmailValue {
			return fmt.Errorf("value %d of %s has %d characters; 1 to %d are sent", i+1, t.Name, n, maxEmailValue)
		}
		if strings.ContainsFunc(value, unicode.IsControl) {
			return fmt.Errorf("value %d of %s holds a control character", i+1, t.Name)
		}
	}
	if written := utf8.RuneCountInString(m.Body); t.Personal != (written > 0) || written > maxEmailBody {
		return fmt.Errorf("%s has a body of %d characters", t.Name, written)
	}
	if strings.ContainsFunc(m.Body, func(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' }) {
		return fmt.Errorf("the body of %s holds a control character", t.Name)
	}
	if t.Link == "" && !strings.HasPrefix(m.Link, "https://") && !strings.HasPrefix(m.Link, "http://") {
		return fmt.Errorf("%s has no link", t.Name)
	}
	return nil
}
