package job

import (
	"context"
	"testing"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/account/team"
	"github.com/franchise360/franchise360/pkg/contact"
	"github.com/franchise360/franchise360/pkg/einvoice"
	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/outlet"
	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/webhook"
)

// requirePause requires that a retry is set after the least and no later than the most, whatever time the call itself takes.
func requirePause(t *testing.T, least, most time.Duration, next func() time.Time, of string, attempt int) {
	t.Helper()
	began := time.Now() //nolint:forbidigo // River runs on the machine's time
	at := next()
	ended := time.Now() //nolint:forbidigo // see above
	require.False(t, at.Before(began.Add(least)), "%s: too soon after attempt %d", of, attempt)
	require.False(t, at.After(ended.Add(most)), "%s: too late after attempt %d", of, attempt)
}

func jobOf[A river.JobArgs](attempt int) *river.Job[A] {
	return &river.Job[A]{JobRow: &rivertype.JobRow{ID: 1, Attempt: attempt, MaxAttempts: 100}}
}

// A person waits for the first attempts with the phone in hand. Later attempts allow for a provider's outage.
func TestNextRetry_EachMessage_HasItsPauses(t *testing.T) {
	t.Parallel()
	const s, m, h = time.Second, time.Minute, time.Hour
	partner, member, invited := NewSendPartnerMessage(nil, nil), NewSendTeamInvitation(nil, nil), NewSendStaffInvitation(nil, nil)
	notice, reply, customer := NewSendStaffNotice(nil, nil), NewSendContactReply(nil, nil), NewSendCustomerMessage(nil, nil)
	newsletter := NewSendNewsletterLink(nil, nil)
	calm := []time.Duration{2 * s, 5 * s, 15 * s, m, 5 * m, 15 * m, h}
	for name, c := range map[string]struct {
		pauses []time.Duration
		next   func(attempt int) time.Time
	}{
		"a partner's code":       {[]time.Duration{s, 2 * s, 4 * s, 8 * s, 15 * s, m}, func(n int) time.Time { return partner.NextRetry(jobOf[outlet.SendPartnerMessageArgs](n)) }},
		"a team's invitation":    {calm, func(n int) time.Time { return member.NextRetry(jobOf[team.SendArgs](n)) }},
		"an invitation of staff": {calm, func(n int) time.Time { return invited.NextRetry(jobOf[staff.SendInvitationArgs](n)) }},
		"a notice of staff":      {calm, func(n int) time.Time { return notice.NextRetry(jobOf[staff.SendNoticeArgs](n)) }},
		"a newsletter's link":    {calm, func(n int) time.Time { return newsletter.NextRetry(jobOf[contact.SendNewsletterLinkArgs](n)) }},
		"a customer's message":   {calm, func(n int) time.Time { return customer.NextRetry(jobOf[message.SendCustomerMessageArgs](n)) }},
		"a reply to a request":   {[]time.Duration{2 * s, 15 * s, m, 5 * m, 15 * m, h, 4 * h}, func(n int) time.Time { return reply.NextRetry(jobOf[contact.SendReplyArgs](n)) }},
	} {
		requirePause(t, c.pauses[0], c.pauses[0], func() time.Time { return c.next(0) }, name, 0)
		for i, pause := range c.pauses {
			requirePause(t, pause, pause, func() time.Time { return c.next(i + 1) }, name, i+1)
		}
		last := c.pauses[len(c.pauses)-1]
		for _, attempt := range []int{len(c.pauses) + 1, 1000} {
			requirePause(t, last, last, func() time.Time { return c.next(attempt) }, name, attempt)
		}
	}
}

// A customer may be looking at the result page: 1, 4, 16 seconds, and then every minute.
func TestNextRetry_Payment_IsQueriedSoonThenEveryMinute(t *testing.T) {
	t.Parallel()
	w := NewVerifyPayment(nil)
	for attempt, want := range map[int]time.Duration{
		0: time.Second, 1: time.Second, 2: 4 * time.Second, 3: 16 * time.Second, 4: time.Minute, 5: time.Minute, 1 << 20: time.Minute,
	} {
		requirePause(t, want, want, func() time.Time { return w.NextRetry(jobOf[payment.VerifyArgs](attempt)) }, "payment", attempt)
	}
}

// A portal that is down is queried at least every half hour: the document must be registered within thirty days.
func TestNextRetry_Registration_IsAtMostHalfAnHour(t *testing.T) {
	t.Parallel()
	w := NewRegisterInvoice(nil)
	for attempt, want := range map[int]time.Duration{
		0: 5 * time.Second, 1: 5 * time.Second, 2: 10 * time.Second, 9: 1280 * time.Second, 10: 30 * time.Minute, 11: 30 * time.Minute, 1000: 30 * time.Minute,
	} {
		requirePause(t, want, want, func() time.Time { return w.NextRetry(jobOf[invoice.RegisterArgs](attempt)) }, "registration", attempt)
	}
	for name, err := range map[string]error{
		"register": w.Work(t.Context(), jobOf[invoice.RegisterArgs](1)), "recheck": NewRecheckEInvoice(nil).Work(t.Context(), jobOf[einvoice.RecheckArgs](1)),
	} {
		require.ErrorIs(t, err, errNotRegistering, "%s: it waits until documents are registered again", name)
		var cancelled *river.JobCancelError
		require.NotErrorAs(t, err, &cancelled, name)
	}
}

// The pauses are those of Standard Webhooks, up to a tenth longer, so that jobs that failed together are not retried together.
func TestNextRetry_Webhook_SpansThreeDays(t *testing.T) {
	t.Parallel()
	w := NewDeliverWebhook(nil)
	var all time.Duration
	for i, pause := range []time.Duration{
		5 * time.Second, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour, 5 * time.Hour, 10 * time.Hour, 14 * time.Hour, 20 * time.Hour, 24 * time.Hour,
	} {
		all += pause
		for range 20 {
			requirePause(t, pause, pause+pause/10, func() time.Time { return w.NextRetry(jobOf[webhook.DeliverArgs](i + 1)) }, "event", i+1)
		}
	}
	require.Greater(t, all, 72*time.Hour)
	for attempt, pause := range map[int]time.Duration{-1: 5 * time.Second, 0: 5 * time.Second, 10: 24 * time.Hour, 1000: 24 * time.Hour} {
		requirePause(t, pause, pause+pause/10, func() time.Time { return w.NextRetry(jobOf[webhook.DeliverArgs](attempt)) }, "event", attempt)
	}
}

func TestAuditFindings_EitherProblem_Counts(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		check staff.Check
		want  int
	}{
		"whole": {staff.Check{Entries: 9}, 0}, "at a record": {staff.Check{BrokenAt: 4}, 1}, "at the first": {staff.Check{BrokenAt: 1}, 1},
		"at no record": {staff.Check{Problem: "records are missing at the end"}, 1}, "both": {staff.Check{BrokenAt: 4, Problem: "changed"}, 1}, "never": {staff.Check{}, 0},
	} {
		require.Equal(t, c.want, Broken(c.check), name)
	}
}

// A run beyond its time yields to other jobs, and so does a run whose context has ended.
func TestSlice_TimeOverOrContextEnded_Yields(t *testing.T) {
	t.Parallel()
	ctx, end := context.WithCancel(t.Context())
	enough := sliceOf(ctx)
	require.False(t, enough())
	end()
	require.True(t, enough())
}
