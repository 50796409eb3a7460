package mandate

import (
	"time"

	"github.com/franchise360/franchise360/pkg/platform/config"
)

// Settings are what an account at a gateway allows, and what the documents of the rails leave open.
type Settings struct {
	// Methods are those that customers can set up, in their order on the screen.
	Methods []Method
	// RequestLife is how long a request of a method may take until the bank has confirmed it.
	RequestLife map[Method]time.Duration
	// SettleDays is how many days an eNACH debit is asked for before the last day of the term, since banks decide it days later.
	SettleDays int
	// RetryDays is how many days after an eNACH debit that failed the next one is asked for.
	RetryDays int
	// OneACycle names the gateways that take one debit of UPI a cycle, whatever becomes of it, and count the payment of the set-up.
	OneACycle map[string]bool
	// PerSecond is the most requests a second to a gateway; one that is not named, or 0, is not held back.
	PerSecond map[string]int
}

// DefaultSettings are those of a platform that sets none, but for the rates. Razorpay, Emandate FAQs: a bank confirms by the next working
// day, in some instances up to 5 days later, and so do weekends and holidays; a debit takes up to T+2, and one that failed for want of
// money is repeated after 3 days.
func DefaultSettings() Settings {
	const day = 24 * time.Hour
	return Settings{
		Methods:     []Method{MethodUPI, MethodCard, MethodENACH},
		RequestLife: map[Method]time.Duration{MethodUPI: 5 * day, MethodCard: 5 * day, MethodENACH: 10 * day},
		SettleDays:  3, RetryDays: 3,
	}
}

// SettingsFrom returns the settings of a configuration, DefaultSettings where it names no method.
func SettingsFrom(c config.Renewals) Settings {
	if len(c.Methods) == 0 {
		return DefaultSettings()
	}
	s := Settings{
		RequestLife: map[Method]time.Duration{}, SettleDays: c.ENACHSettleDays, RetryDays: c.ENACHRetryDays, PerSecond: c.PerSecond,
		OneACycle: c.OneACycle,
	}
	for _, name := range c.Methods {
		s.Methods = append(s.Methods, Method(name))
	}
	for name, days := range c.RequestDays {
		s.RequestLife[Method(name)] = time.Duration(days) * 24 * time.Hour
	}
	return s
}
