package history

import (
	"regexp"
	"strings"

	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
)

// The texts that customers read about a failed payment. They replace the words of bank and gateway.
const (
	failedFunds    = "There was not enough money in the account, or too little left on the card."
	failedDetails  = "Your bank does not accept the card, account or UPI ID that was used. Check it, or pay in another way."
	failedLimit    = "The amount is above a limit of your bank, card or UPI app. Raise the limit there, or pay in another way."
	failedIdentity = "Your bank could not confirm that it was you: the OTP or PIN was wrong, or came too late."
	failedLeft     = "The payment page was left, or its time was over, before you had paid."
	failedDown     = "Your bank or the payment provider could not be reached just then. Try again in a few minutes, or pay in another way."
	failedDeclined = "Your bank declined the payment. Ask your bank, or pay in another way."
)

// What a gateway's words for a failure speak of: those of PayU's "Error Codes" and of Razorpay's "List of Errors", both of which pass on what
// banks say.
var (
	saysFunds    = regexp.MustCompile(`\b(?:insufficient|not sufficient|inadequate|adequate funds|not enough|low balance)`)
	saysDetails  = regexp.MustCompile(`\b(?:expired card|card (?:has |is )?(?:expired|blocked|lost)|lost card|stolen|invalid (?:card|account|vpa|upi)|card number|cvv|expiry date|vpa (?:is )?(?:not|invalid)|account (?:is |has been )?(?:closed|blocked|invalid|frozen)|dormant)`)
	saysLimit    = regexp.MustCompile(`\b(?:limit|exceed|greater than)`)
	saysIdentity = regexp.MustCompile(`authenticat|\b(?:3d ?secure|otp|m?pin\b|afa\b|not approved)`)
	saysLeft     = regexp.MustCompile(`\b(?:cancel|dropped|bounced|abandon|no user (?:input|action)|(?:transaction|session|request) (?:has )?expired|not completed|back button)`)
	saysDown     = regexp.MustCompile(`\b(?:technical|time(?:d)?[ -]?out|not available|unavailable|down\b|downtime|unable to process|internal|network|temporar|no response|not respond)`)
	saysDeclined = regexp.MustCompile(`\b(?:declin|do not hono|not permitted|not allowed|restricted|risk|fraud|bank\b|issuer)`)
)

// Reasons on the result page for money that paid for nothing.
const (
	reasonSurplus = "This was paid already. The amount of this payment is being refunded."
	reasonChanged = "Your plan had changed by the time this payment arrived, so what it was for was no longer available. All of it is being refunded."
)

// plainFailure says in our own words why a payment failed. The gateway's are for staff, who read them on the console.
func plainFailure(told string) string {
	switch told {
	case "", payment.ReasonCancelled, payment.ReasonFailed, payment.ReasonBegunAnew:
		return told
	}
	told = strings.ToLower(told)
	for _, cause := range []struct {
		words *regexp.Regexp
		said  string
	}{ // the first that fits counts
		{saysFunds, i18n.Mark(failedFunds)},
		{saysDetails, i18n.Mark(failedDetails)},
		{saysLimit, i18n.Mark(failedLimit)},
		{saysIdentity, i18n.Mark(failedIdentity)},
		{saysLeft, i18n.Mark(failedLeft)},
		{saysDown, i18n.Mark(failedDown)},
		{saysDeclined, i18n.Mark(failedDeclined)},
	} {
		if cause.words.MatchString(told) {
			return cause.said
		}
	}
	return payment.ReasonFailed
}
