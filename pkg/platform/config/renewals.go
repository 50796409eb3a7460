package config

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Renewals configures automatic renewal: the limits of the accounts at the gateways, and the choices that the rails' documents leave open.
type Renewals struct {
	// Methods are offered in this order: upi, card and enach.
	Methods []string
	// RequestDays is how many days a request of a method may take until the bank has confirmed it.
	RequestDays map[string]int
	// ENACHSettleDays is how many days before the end of a term an eNACH debit is requested, ENACHRetryDays how many days after a failed
	// one the next is.
	ENACHSettleDays, ENACHRetryDays int
	// OneACycle names the gateways at which a UPI mandate is debited once a calendar month, whatever becomes of it.
	OneACycle map[string]bool
	// PerSecond is the most requests a second to a gateway, of each process.
	PerSecond map[string]int
}

const (
	// requestDays and enachRequestDays are the defaults of AUTOMATIC_RENEWAL_REQUEST_DAYS; maxRequestDays is its most.
	requestDays, enachRequestDays, maxRequestDays = 5, 10, 30
	// maxSettleDays leaves an eNACH debit time between its notice, three days before it, and the first day of the renewal.
	maxSettleDays = 4
	// perSecond is the default of GATEWAY_REQUESTS_PER_SECOND: neither provider publishes a limit.
	perSecond, maxPerSecond = 50, 1000
)

func (r *reader) renewals() Renewals {
	return Renewals{
		Methods:         r.renewalMethods("AUTOMATIC_RENEWAL_METHODS"),
		RequestDays:     r.numbers("AUTOMATIC_RENEWAL_REQUEST_DAYS", map[string]int{"upi": requestDays, "card": requestDays, "enach": enachRequestDays}, maxRequestDays),
		ENACHSettleDays: r.between("ENACH_SETTLE_DAYS", 3, 0, maxSettleDays),
		ENACHRetryDays:  r.between("ENACH_RETRY_DAYS", 3, 1, 7),
		OneACycle:       r.oneACycle(),
		PerSecond:       r.numbers("GATEWAY_REQUESTS_PER_SECOND", r.eachGateway(perSecond), maxPerSecond),
	}
}

// renewalMethods reads the methods, each once; all of them if unset.
func (r *reader) renewalMethods(name string) []string {
	all, text := []string{"upi", "card", "enach"}, r.getenv(name)
	if text == "" {
		return all
	}
	named := split(text)
	for i, method := range named {
		if !slices.Contains(all, method) || slices.Contains(named[:i], method) {
			r.fail(name, "want upi, card and enach, each at most once, separated by commas")
		}
	}
	if len(named) == 0 {
		r.fail(name, "names no method")
	}
	return named
}

// numbers reads name=number pairs of the names that have a default, from 1 to most.
func (r *reader) numbers(name string, defaults map[string]int, most int) map[string]int {
	for key, value := range r.pairs(name) {
		n, err := strconv.Atoi(value)
		if _, known := defaults[key]; !known || err != nil || n < 1 || n > most || strings.HasPrefix(value, "+") {
			r.fail(name, fmt.Sprintf("want names from %d to %d, such as %s", 1, most, example(defaults)))
			continue
		}
		defaults[key] = n
	}
	return defaults
}

// example writes the defaults as a setting.
func example(defaults map[string]int) string {
	var parts []string
	for key, n := range defaults {
		parts = append(parts, key+"="+strconv.Itoa(n))
	}
	slices.Sort(parts)
	return strings.Join(parts, ",")
}
