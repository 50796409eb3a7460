package faults

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/scripts/customer"
)

// slowGateway lets one payment be asked about while the gateway's answer trickles, a byte at a time, and one while it does
// not answer at all. Each call ends at its own time-out, nothing is decided meanwhile, and the next attempt settles it.
func slowGateway(t *testing.T, s stack) {
	t.Helper()
	db := s.owner(t)
	require.Eventually(t, func() bool {
		var asking int
		require.NoError(t, db.GetContext(t.Context(), &asking, `SELECT count(*) FROM river_job
			WHERE kind = 'compare_settlements' AND state IN ('available', 'running', 'retryable')`))
		return asking == 0
	}, patience, 100*time.Millisecond, "nobody else asks the gateway")
	mobiles := map[string]string{"slow": "9200000018", "timeout": "9200000019"}
	people, sessions := map[string]*customer.Customer{}, map[string]customer.Session{}
	for mode, mobile := range mobiles {
		people[mode], sessions[mode] = s.buyer(t, mobile)
		back, err := people[mode].Decide(t.Context(), sessions[mode], `{"outcome":"success","webhook":"lost","return":"post"}`)
		require.NoError(t, err)
		s.mood(t, people[mode], `{"mode":"`+mode+`","calls":1}`)
		require.NoError(t, people[mode].Return(t.Context(), back))
		require.Eventually(t, func() bool { return s.currentMood(t, people[mode]) == "ok" }, patience, 20*time.Millisecond,
			"the worker asks the gateway")
	}
	for mode, mobile := range mobiles {
		require.Equal(t, "confirming", s.status(t, people[mode], sessions[mode]), mode)
		require.Zero(t, count(t, db, `SELECT count(*) FROM payments WHERE franchiser_id = $1 AND state = 'paid'`, mobile), mode)
	}
	for mode, mobile := range mobiles {
		paid(t, people[mode], sessions[mode])
		s.once(t, mobile)
		require.Equal(t, 1, count(t, db, `SELECT count(*) FROM river_job WHERE kind = 'verify_payment' AND args ? 'event'
			AND metadata ->> 'franchiser_id' = $1 AND attempt = 2 AND errors[1] ->> 'error' LIKE '%Client.Timeout%'`, mobile),
			"%s: the first call ended at its time-out, the second settled it", mode)
	}
}

// currentMood is how the gateway's API behaves at its next call.
func (s stack) currentMood(t *testing.T, c *customer.Customer) string {
	t.Helper()
	var answer struct {
		Mode string `json:"mode"`
	}
	require.NoError(t, c.Exchange(t.Context(), http.MethodGet, s.read(t).Gateway+"/sandbox/mode", "", &answer))
	return answer.Mode
}

// status is what the result page shows of a payment.
func (s stack) status(t *testing.T, c *customer.Customer, session customer.Session) string {
	t.Helper()
	var now struct {
		State string `json:"state"`
	}
	require.NoError(t, c.Call(t.Context(), http.MethodGet, "/subscription/payments/status/"+session.TransactionID, nil, &now))
	return now.State
}
