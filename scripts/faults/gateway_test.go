package faults

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/scripts/customer"
)

// slowGateway queries one payment while the gateway's response trickles in byte by byte, and one while it does not respond. Each call times
// out separately, nothing is decided before, and the next attempt settles it.
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
	people, sessions, backs := map[string]*customer.Customer{}, map[string]customer.Session{}, map[string]customer.Back{}
	for mode, mobile := range mobiles {
		people[mode], sessions[mode] = s.buyer(t, mobile)
		back, err := people[mode].Decide(t.Context(), sessions[mode], `{"outcome":"success","webhook":"lost","return":"post"}`)
		require.NoError(t, err)
		backs[mode] = back
	}
	// One straight after the other: a job that tries again must not meet the mood that is meant for the other's.
	for mode, back := range backs {
		s.mood(t, people[mode], `{"mode":"`+mode+`","calls":1}`)
		require.NoError(t, people[mode].Return(t.Context(), back))
		require.Eventually(t, func() bool { return s.currentMood(t, people[mode]) == "ok" }, patience, 20*time.Millisecond,
			"the worker asks the gateway")
		require.Equal(t, "confirming", s.status(t, people[mode], sessions[mode]), mode)
	}
	for mode, mobile := range mobiles {
		paid(t, people[mode], sessions[mode])
		s.once(t, mobile)
		var job struct {
			Attempt int    `db:"attempt"`
			Errors  string `db:"errors"`
		}
		require.NoError(t, db.GetContext(t.Context(), &job, `SELECT attempt, coalesce(array_to_json(errors)::text, '') AS errors FROM river_job
			WHERE kind = 'verify_payment' AND args ? 'event' AND metadata ->> 'franchiser_id' = (SELECT id::text FROM franchisers WHERE mobile = $1)`, mobile))
		require.Regexp(t, `Client\.Timeout|deadline exceeded`, job.Errors, "%s: the first call ended at its time-out, a later one settled it", mode)
		require.Greater(t, job.Attempt, 1, mode)
	}
}

// currentMood returns how the gateway's API will behave at its next call.
func (s stack) currentMood(t *testing.T, c *customer.Customer) string {
	t.Helper()
	var answer struct {
		Mode string `json:"mode"`
	}
	require.NoError(t, c.Exchange(t.Context(), http.MethodGet, s.read(t).Gateway+"/sandbox/mode", "", &answer))
	return answer.Mode
}

// status returns the payment's status on the result page.
func (s stack) status(t *testing.T, c *customer.Customer, session customer.Session) string {
	t.Helper()
	var now struct {
		State string `json:"state"`
	}
	require.NoError(t, c.Call(t.Context(), http.MethodGet, "/subscription/payments/status/"+session.TransactionID, nil, &now))
	return now.State
}
