package message

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/jmoiron/sqlx"
)

// FailureText explains in words why a message was not sent, if the code is one of the sending code's own; any other code
// is returned unchanged.
func FailureText(code string) string {
	word, rest, _ := strings.Cut(code, " ")
	words, ok := map[string]string{
		"too_late":           "it expired before it could be sent",
		"night":              "it waits for the morning",
		"sms_refused":        "the SMS provider refuses this number",
		"sms_rejected":       "the SMS provider refuses this message",
		"sms_account_fault":  "the SMS provider refuses our account; it is tried again",
		"sms_provider_limit": "the SMS provider’s rate limit is reached; it is tried again",
		"sms_unavailable":    "the SMS provider did not take it; it is tried again",
		"sms_no_answer":      "the SMS provider did not answer; it is tried again once",
		"sms_unconfirmed":    "two tries had no answer; it may have arrived",
		"sms_undelivered":    "the SMS provider could not deliver it",
		"sms_template":       "it fits no registered template",

		codeNoAddress:          "there is no proved address to send it to",
		codeNotNeeded:          "it was not needed any more",
		codeNotWanted:          "the customer turned such messages off",
		"email_off":            "the product is set to send no e-mail",
		codeEmailRefused:       "the mail server refuses this address",
		"email_rejected":       "the mail server refuses this message",
		"email_account_fault":  "the mail server refuses our account; it is tried again",
		"email_provider_limit": "the mail server’s rate limit is reached; it is tried again",
		"email_unavailable":    "the mail server did not take it; it is tried again",
		"email_no_answer":      "the mail server did not answer; it is tried again once",
		"email_unconfirmed":    "two tries at the mail server had no answer; it may have arrived",
		"email_template":       "it fits no template of e-mails",
		"email_returned":       "the recipient’s mail server returned it",

		"whatsapp_off":            "the product is set to send nothing by WhatsApp",
		"whatsapp_refused":        "WhatsApp refuses this number",
		"whatsapp_rejected":       "WhatsApp refuses this message",
		"whatsapp_account_fault":  "WhatsApp refuses our account, number or template; it is tried again",
		"whatsapp_provider_limit": "the rate limit of WhatsApp is reached; it is tried again",
		"whatsapp_unavailable":    "WhatsApp did not take it; it is tried again",
		"whatsapp_no_answer":      "WhatsApp did not answer; it is tried again once",
		"whatsapp_unconfirmed":    "two tries at WhatsApp had no answer; it may have arrived",
		"whatsapp_template":       "it fits no template of WhatsApp",
		"whatsapp_undelivered":    "WhatsApp could not deliver it",
		"whatsapp_late":           "WhatsApp takes answers only within 24 hours of the person’s last message",
	}[word]
	if !ok {
		return code
	}
	return strings.TrimSpace(words + " " + rest)
}

// SQL fragments for other domains' statements, which add the fate of its message to their row m.
const (
	// DeliveryJoin joins the provider's report on the message with id m.id: the delivery if there is one, otherwise the last try. It yields
	// sms_provider, sms_state, sms_code, sms_tries and sms_receipt_at, all NULL if no provider was called.
	DeliveryJoin = ` LEFT JOIN LATERAL (
				SELECT d.provider AS sms_provider, d.state AS sms_state, d.code AS sms_code, d.tries AS sms_tries, d.receipt_at AS sms_receipt_at
				FROM sms_deliveries d WHERE d.message_ref = m.id
				ORDER BY d.state IN ('delivered', 'read') DESC, d.tried_at DESC LIMIT 1) sms ON true`
	// DeliveryStatus is the status of the message in a word or two; it needs DeliveryJoin, m.sent_at and
	// m.send_error.
	DeliveryStatus = `CASE WHEN sms_state IN ('delivered', 'read') THEN sms_state WHEN sms_state = 'undelivered' THEN 'not delivered'
					WHEN m.sent_at IS NOT NULL THEN 'sent' WHEN m.send_error IN ('sms_provider_limit', 'email_provider_limit', 'whatsapp_provider_limit', 'night') THEN 'waiting'
					WHEN m.send_error IN ('no_address', 'not_needed', 'not_wanted') THEN 'not sent' WHEN m.send_error IS NOT NULL THEN 'failed' ELSE 'waiting' END`
	// DeliveryDetails is what support may see, as jsonb; it needs DeliveryJoin.
	DeliveryDetails = `CASE WHEN sms_provider IS NULL THEN '{}'::jsonb ELSE jsonb_build_object('provider', sms_provider,
					'provider_says', replace(sms_state, '_', ' '), 'provider_error', nullif(sms_code, ''), 'tries', sms_tries, 'receipt_at', sms_receipt_at)
					|| ` + whatsAppReason + ` END`
	// whatsAppReason says in words what Meta's commonest codes mean (https://developers.facebook.com/documentation/business-messaging/whatsapp/support/error-codes).
	whatsAppReason = `CASE WHEN sms_provider <> 'whatsapp' OR sms_code = '' THEN '{}'::jsonb ELSE jsonb_build_object('provider_reason', CASE sms_code
					WHEN '131026' THEN 'the number is not on WhatsApp, or its app is too old' WHEN '131047' THEN 'the customer wrote more than 24 hours ago, and this was no template'
					WHEN '131049' THEN 'Meta chose not to deliver it, so that people get fewer messages' WHEN '131050' THEN 'the customer stopped such messages in WhatsApp'
					WHEN '131042' THEN 'our WhatsApp account has a payment that failed' WHEN '131031' THEN 'our WhatsApp account is locked' WHEN '368' THEN 'our WhatsApp account is blocked for a while'
					WHEN '190' THEN 'our access token has ended' WHEN '130429' THEN 'too many messages at once' WHEN '131048' THEN 'too many of our messages were reported'
					WHEN '131056' THEN 'too many messages to this number' WHEN '132001' THEN 'the template is not registered in this language' WHEN '132015' THEN 'Meta paused the template'
					WHEN '132016' THEN 'Meta disabled the template' WHEN '131000' THEN 'Meta does not say' ELSE 'see Meta''s table of error codes' END) END`
)

// Fault is a failing provider of SMS or e-mail: the kind of fault, its own code, how many failures in a row, and since when.
type Fault struct {
	Provider string    `db:"provider"`
	Fault    string    `db:"fault"`
	Code     string    `db:"code"`
	Failures int       `db:"failures"`
	Since    time.Time `db:"since"`
}

// An account fault is reported immediately, other faults once they persist. A provider not called for a day may no longer be in use.
const faultsSQL = `
SELECT provider, fault, code, failures, since FROM sms_providers
WHERE (failures >= 3 OR failures > 0 AND fault = 'account_fault') AND failed_at > clock_timestamp() - interval '1 day'
ORDER BY provider`

// FaultsTx lists the providers that need attention now.
func FaultsTx(ctx context.Context, tx *sqlx.Tx) ([]Fault, error) {
	var faults []Fault
	if err := tx.SelectContext(ctx, &faults, faultsSQL); err != nil {
		return nil, fmt.Errorf("read faults of SMS providers: %w", err)
	}
	return faults, nil
}
