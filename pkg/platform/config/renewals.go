package config

import "slices"

// Renewals configures automatic renewal: the limits of the accounts at the gateways, and the choices that the rails' documents leave open.
type Renewals struct {
	// Methods are offered in this order: upi, card and enach.
	Methods []string
	// OneACycle names the gateways at which a UPI mandate is debited once a calendar month, whatever becomes of it.
	OneACycle map[string]bool
	// PerSecond is the most requests a second to a gateway, of each process.
	PerSecond map[string]int
}

// perSecond is a guess that bounds a burst: no provider publishes a limit.
const perSecond = 50

func (r *reader) renewals() Renewals {
	return Renewals{
		Methods:   r.renewalMethods("AUTOMATIC_RENEWAL"),
		OneACycle: r.oneACycle(split(r.getenv("GATEWAY_FEATURES"))),
		PerSecond: r.eachGateway(perSecond),
	}
}

// renewalMethods reads the methods, each once; without any nothing is renewed automatically.
func (r *reader) renewalMethods(name string) []string {
	all, text := []string{"upi", "card", "enach"}, r.getenv(name)
	named := split(text)
	for i, method := range named {
		if !slices.Contains(all, method) || slices.Contains(named[:i], method) {
			r.fail(name, "want upi, card and enach, each at most once, separated by commas")
		}
	}
	if text != "" && len(named) == 0 {
		r.fail(name, "names no method")
	}
	return named
}
