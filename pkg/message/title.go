package message

import (
	"fmt"
	"slices"
	"strings"
)

// titles are what messages are called for staff, by template, without the channel.
func titles() map[string]string {
	return map[string]string{ //nolint:gosec // names of messages
		TemplateCode: "Code", TemplateAccountExists: "Told that there is an account", TemplateMobileChanged: "Old mobile told of the change",
		TemplateStorePasswordChanged: "Told that the store’s password was changed",
		TemplateErasureAsked:         "Told of the erasure", TemplateMobileChangeAsked: "Told of a change of the mobile, with the link that stops it",
		TemplateAuthenticatorRemoved: "Told that the authenticator app was removed", TemplateGraceGiven: "Told of more days of grace",
		TemplatePlanSwitched: "Told of another plan", TemplatePlanChangeOffered: "Link to pay for another plan",
		TemplatePriceChange:     "Told of another price of the renewal",
		TemplateRenewalReminder: "Renewal reminder", TemplateTrialReminder: "Reminder of the trial’s end", TemplateTrialEnded: "Told that the trial ended", TemplateRenewalLink: "Renewal reminder with a link to pay",
		TemplateGraceLink: "Reminder in grace with a link to pay", TemplateExpiredLink: "Told that the plan stopped, with a link to pay",
		TemplateInvoiceLink: "Link to a document", TemplateViewConsent: "Code of consent", TemplatePartnerInvitation: "Invitation of a partner",
		TemplateTeamInvitation: "Invitation to the team", TemplatePaymentReceived: "Receipt",
		TemplateRefundDecided: "Refund decided", TemplateRefundSent: "Refund sent", TemplateRefundDone: "Refund done", TemplateRefundFailed: "Refund failed",
		TemplateDebitAnnounced: "Debit announced", TemplateDebitRetried: "Debit failed, tried again", TemplateDebitFailed: "Debit failed",
		TemplateDebitPaid: "Debit paid", TemplateMandateActive: "Automatic renewal is on", TemplateMandatePaused: "Automatic renewal is paused",
		TemplateMandateEnded: "Automatic renewal ended", TemplateMandateRefused: "Told that a bill is not debited",

		TemplateEmailProof: "Link to prove the address", TemplateEmailChanged: "Old address told of the change", TemplatePaymentEmail: "Receipt",
		TemplateDocumentEmail: "Document", TemplateProformaEmail: "Proforma", TemplateTransferPart: "Told that a part of a transfer is missing",
		TemplateInvoiceCorrectedEmail: "Told of a corrected invoice", TemplateMobileChangedEmail: "Told of the other mobile",
		TemplateRenewalEmail: "Renewal reminder", TemplateGraceEmail: "Reminder in grace", TemplateExpiredEmail: "Told that the plan stopped",
		TemplateTrialEmail: "Reminder of the trial’s end", TemplateRetiredEmail: "Told that the plan is no longer sold",
		TemplateDeliveryNeeded: "Told that a delivery needs something", TemplateDeliveryLate: "Told of a late delivery",
		TemplateDeliveryNeededEmail: "Told what a delivery needs", TemplateDeliveryDoneEmail: "Told of a delivery", TemplateDeliveryLateEmail: "Told of a late delivery",
		TemplateStaffInvitation: "Invitation of staff", TemplateStaffEnrolment: "Link to set an authenticator up", TemplateStaffAlert: "Alert",
		TemplateStaffAdminMade: "Admins told of another admin", TemplateStaffPasskeyAdded: "Staff told of a new passkey", TemplateStaffPasskeyRemoved: "Staff told of a removed passkey",
		TemplateStaffPasskeyCopied: "Staff told of a copied passkey", TemplateContactReply: "Reply to a contact request", TemplateContactWhatsApp: "Reply to a contact request by WhatsApp",
		TemplateNewsletterConfirm: "Link to confirm the newsletter", TemplateNewsletterLeave: "Link to leave the newsletter",
	}
}

// Title describes a message of that template and its channel for staff: "Renewal reminder by e-mail". For a template of another release it
// is the template's name.
func Title(template string) string {
	base, channel := template, "SMS"
	if cut, ok := strings.CutSuffix(template, onWhatsAppSuffix); ok {
		base, channel = cut, "WhatsApp"
	} else if strings.HasSuffix(template, emailSuffix) || slices.ContainsFunc(EmailTemplates(), func(t EmailTemplate) bool { return t.Name == template }) {
		channel = "e-mail"
	}
	all := titles()
	title, ok := all[base]
	if !ok {
		title, ok = all[strings.TrimSuffix(base, emailSuffix)]
	}
	if !ok {
		title = strings.ReplaceAll(strings.TrimSuffix(base, emailSuffix), "_", " ")
	}
	return title + " by " + channel
}

const emailSuffix = "_email"

// titleSQL is Title as an expression over m.template.
func titleSQL() string {
	var names []string
	for _, t := range Templates() {
		names = append(names, t.Name)
		if t.WhatsApp != nil {
			names = append(names, t.Name+onWhatsAppSuffix)
		}
	}
	for _, t := range EmailTemplates() {
		names = append(names, t.Name)
	}
	slices.Sort(names)
	var b strings.Builder
	b.WriteString("CASE m.template")
	for _, name := range names {
		fmt.Fprintf(&b, " WHEN '%s' THEN '%s'", name, Title(name))
	}
	b.WriteString(" ELSE replace(m.template, '_', ' ') END")
	return b.String()
}
