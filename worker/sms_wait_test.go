package main

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/riverqueue/river"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/account/otp"
	"github.com/franchise360/franchise360/pkg/app"
	"github.com/franchise360/franchise360/pkg/jobadmin"
	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/queue"
	"github.com/franchise360/franchise360/pkg/testkit"
	"github.com/franchise360/franchise360/pkg/timeline"
	"github.com/franchise360/franchise360/worker/job"
)

// busy is a provider whose rate limit is reached.
type busy struct{}

func (busy) Send(context.Context, message.Message) error {
	e := errs.New(errs.KindRateLimited, "sms_provider_limit", "The SMS provider's rate limit is reached.")
	e.RetryAfter = time.Minute
	return e.Because(errors.New("twilio: its rate limit is reached (20429)"))
}

// Given a provider that asks for a pause, when a code waits for it, then support sees the reason among the snoozed jobs, with the
// provider's own code, however often it waits. The customer's timeline does not present it as the customer's own limit.
func TestSnoozedJob_SMSProviderAsksForAPause_ShowsWhy(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	clk := testkit.NewClock()
	codeID := id.New()
	_, err := h.db.Owner.ExecContext(t.Context(), `INSERT INTO one_time_codes (id, mobile, purpose, message, created_at, expires_at)
		VALUES ($1, '9876543210', 'sign_up', 'code', $2, $3)`, codeID, clk.Now(), clk.Now().Add(10*time.Minute))
	require.NoError(t, err)
	h.start(t, func(workers *river.Workers) {
		sender := otp.NewSender(h.db.Worker, message.NewOutbox(message.OutboxOptions{
			SMS: busy{}, Site: message.Site{Host: "franchise360.example"}, Clock: clk, Logger: testkit.NewLogger(t),
		}), clk, testkit.NewKeyring(t))
		river.AddWorker(workers, job.NewSendOTP(sender, queue.NewWaits(h.db.Worker)))
	})
	waiting := h.insert(t, otp.SendOTPArgs{CodeID: codeID}, queue.Options{Queue: queue.QueueOTP, MaxAttempts: 5})
	h.await(t, waiting, "scheduled")
	h.later(t, waiting)
	require.Eventually(t, func() bool {
		var snoozes int
		require.NoError(t, h.db.Owner.Get(&snoozes, `SELECT coalesce((metadata ->> 'snoozes')::int, 0) FROM river_job WHERE id = $1`, waiting))
		return snoozes >= 2 && h.state(t, waiting) == "scheduled"
	}, waitLimit, 20*time.Millisecond)

	j, err := h.admin.Job(t.Context(), waiting)
	require.NoError(t, err)
	require.Len(t, j.Errors, 1, "the same reason is told once")
	require.Contains(t, j.LastError, "twilio: its rate limit is reached (20429)")
	require.Zero(t, j.Attempt, "waiting costs no attempt")
	page, err := h.admin.FailedJobs(t.Context(), jobadmin.JobFilter{State: "snoozed"}, jobadmin.JobCursor{}, 100)
	require.NoError(t, err)
	require.True(t, slices.ContainsFunc(page.Jobs, func(j jobadmin.FailedJob) bool { return j.ID == waiting }))

	history, err := app.NewTimeline(h.db.API).Read(t.Context(), timeline.Query{Mobile: "9876543210"})
	require.NoError(t, err)
	i := slices.IndexFunc(history.Entries, func(e timeline.Entry) bool { return e.Kind == "code" })
	require.GreaterOrEqual(t, i, 0)
	require.Equal(t, "waiting", history.Entries[i].Status)
	require.Contains(t, history.Entries[i].Details["error"], "provider’s rate limit")
}
