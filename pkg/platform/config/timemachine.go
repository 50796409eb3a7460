package config

import "net/url"

// TimeMachine is the program that shows what would follow for a customer (scripts/timemachine).
type TimeMachine struct {
	// URL is its address, or empty.
	URL string
	// Key authenticates the calls.
	Key string
}

// minMachineKey is the minimum length of the key that opens every customer's future.
const minMachineKey = 24

func (r *reader) timeMachine() TimeMachine {
	address := r.getenv("TIME_MACHINE_URL")
	if address == "" {
		return TimeMachine{}
	}
	r.checkURL("TIME_MACHINE_URL", address)
	u, err := url.Parse(address)
	if err != nil {
		return TimeMachine{}
	}
	key, _ := u.User.Password()
	if len(key) < minMachineKey {
		r.fail("TIME_MACHINE_URL", "want http://:key@host, with a key of 24 characters or more")
	}
	u.User = nil
	return TimeMachine{URL: u.String(), Key: key}
}

// refuseTimeMachine keeps production from what would move copies of customers to another program.
func (r *reader) refuseTimeMachine(t TimeMachine) {
	if t != (TimeMachine{}) {
		r.fail("TIME_MACHINE_URL", "the time machine exists in development and staging only")
	}
}
