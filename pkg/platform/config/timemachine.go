package config

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
	t := TimeMachine{URL: r.getenv("TIME_MACHINE_URL"), Key: r.getenv("TIME_MACHINE_KEY")}
	r.checkURL("TIME_MACHINE_URL", t.URL)
	if (t.URL != "" || t.Key != "") && len(t.Key) < minMachineKey {
		r.fail("TIME_MACHINE_KEY", "want 24 characters or more")
	}
	return t
}

// refuseTimeMachine keeps production from what would move copies of customers to another program.
func (r *reader) refuseTimeMachine(t TimeMachine) {
	if t.URL != "" {
		r.fail("TIME_MACHINE_URL", "the time machine exists in development and staging only")
	}
	if t.Key != "" {
		r.fail("TIME_MACHINE_KEY", "the time machine exists in development and staging only")
	}
}
