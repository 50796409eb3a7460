package whatsapp

import (
	"time"

	"github.com/franchise360/franchise360/pkg/message"
)

// verdict is the meaning of one of Meta's codes for a message; without a class the answer's status decides.
type verdict struct {
	class   message.Class
	message bool
	pause   time.Duration
}

const (
	// defaultPause is that for more messages at once than the number's throughput, pairPause that for more to one number, appPause
	// that for more calls in an hour, and spamPause that after reports of spam.
	defaultPause = 5 * time.Second
	pairPause    = 30 * time.Second
	appPause     = 5 * time.Minute
	spamPause    = time.Hour
	// objectMissing is the subcode of code 100 for an object that is not there or not ours: the number's id is wrong.
	objectMissing = 33
)

// ofCode judges by Meta's table (https://developers.facebook.com/documentation/business-messaging/whatsapp/support/error-codes).
// What is not in it, or says no more than that something went wrong (1, 2, 131000), is judged by its status.
func ofCode(code, subCode int) verdict {
	switch code {
	case 131021, // sender and recipient are the same
		131026, // not on WhatsApp, an old app, or terms that were not accepted
		131030, // not on the list of a test number
		131049, // Meta chose not to deliver it
		131050, // the recipient stopped such messages
		130472: // the recipient's number is part of an experiment
		return verdict{class: message.ClassRefused}
	case 100:
		if subCode == objectMissing {
			return verdict{class: message.ClassAccount}
		}
		return verdict{class: message.ClassRefused, message: true} // a parameter that it does not know
	case 131008, // a parameter is missing
		131009, // a parameter's value is not valid
		131047, // 24 hours have passed since the recipient wrote, and it was no template
		131051, // an unknown type of message
		132000, // another number of parameters than the template has
		132005, // the text is too long in this language
		132012, // a parameter's format
		132018: // a parameter's characters
		return verdict{class: message.ClassRefused, message: true}
	case 130429:
		return verdict{class: message.ClassLimited, pause: defaultPause}
	case 131056:
		return verdict{class: message.ClassLimited, pause: pairPause}
	case 4, 80007:
		return verdict{class: message.ClassLimited, pause: appPause}
	case 131048:
		return verdict{class: message.ClassLimited, pause: spamPause}
	case 131016, // the service is overloaded for the moment
		133004: // the server is away for the moment
		return verdict{class: message.ClassUnavailable}
	}
	if refusesAccount(code) {
		return verdict{class: message.ClassAccount}
	}
	return verdict{}
}

// refusesAccount reports whether staff must fix the account, its number or its templates; the message waits for that.
func refusesAccount(code int) bool {
	switch code {
	case 3, 10, 190, // token and permissions
		33,                          // the number was deleted
		368, 130497, 131031, 131005, // blocked, not in this country, locked, no access
		131037, 131042, 131045, 131057, // display name, payment, certificate, maintenance
		132001, 132007, 132015, 132016, 132068, // the template is not there, breaks a rule, is paused or disabled
		133010: // the number is not registered
		return true
	}
	return code >= 200 && code <= 299
}
