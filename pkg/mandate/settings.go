package mandate

import (
	"time"

	"github.com/franchise360/franchise360/pkg/platform/config"
)

// Settings are the limits of an account at a gateway, and the values that the rails' documents do not fix.
type Settings struct {
	// Methods are the methods that customers can set up, in screen order.
	Methods []Method
	// RequestLife is how long the bank may take to confirm a mandate, per method.
	RequestLife map[Method]time.Duration
	// SettleDays is how many days before the term's last day an eNACH debit is requested, because banks decide it days later.
	SettleDays int
	// RetryDays is the number of days between a failed eNACH debit and the next one.
	RetryDays int
	// OneACycle names the gateways that take one UPI debit per cycle, successful or not, and count the payment of the set-up.
	OneACycle map[string]bool
	// PerSecond is the rate limit of each gateway, in requests a second. A missing entry or 0 means no limit.
	PerSecond map[string]int
}

// DefaultSettings are the settings of a platform without its own, except the rates. Razorpay, Emandate FAQs: a bank confirms by the next
// working day, in some instances up to 5 days later, plus weekends and holidays. A debit takes up to T+2. A debit that failed for
// insufficient funds is retried after 3 days.
func DefaultSettings() Settings {
	const day = 24 * time.Hour
	return Settings{
		Methods:     []Method{MethodUPI, MethodCard, MethodENACH},
		RequestLife: map[Method]time.Duration{MethodUPI: 5 * day, MethodCard: 5 * day, MethodENACH: 10 * day},
		SettleDays:  3, RetryDays: 3,
	}
}

// SettingsFrom returns the settings of a configuration, or DefaultSettings if it names no method.
func SettingsFrom(c config.Renewals) Settings {
	if len(c.Methods) == 0 {
		return DefaultSettings()
	}
	s := DefaultSettings()
	s.Methods, s.PerSecond, s.OneACycle = nil, c.PerSecond, c.OneACycle
	for _, name := range c.Methods {
		s.Methods = append(s.Methods, Method(name))
	}
	return s
}
