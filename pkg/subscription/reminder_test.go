package subscription_test

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/queue"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/subscription"
	"github.com/franchise360/franchise360/pkg/testkit"
	"github.com/franchise360/franchise360/pkg/testkit/story"
)

// phone keeps what was sent.
type phone struct{ sent []message.Message }

func (p *phone) Send(_ context.Context, m message.Message) error {
	p.sent = append(p.sent, m)
	return nil
}

func TestAReminderWaitsForTheMorning(t *testing.T) {
	t.Parallel()
	b := setup(t)
	texts := &phone{}
	reminders := subscription.NewReminders(b.WorkerSubs, outbox(t, b.Clock, texts))
	b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeMonthly))
	b.Clock.Advance(26*story.Day + 13*time.Hour) // 23:00 in India, six days before the end
	_, err := b.WorkerSubs.Remind(t.Context())
	require.NoError(t, err)
	seconds := b.Count(`SELECT extract(epoch FROM scheduled_at - created_at)::int FROM river_job WHERE kind = 'send_reminder'`)
	require.InDelta(t, 10*3600, seconds, 5, "put off until nine")
	reminder := b.Text(`SELECT id FROM renewal_reminders`)
	err = reminders.Send(t.Context(), reminder)
	require.Equal(t, errs.KindRateLimited, errs.KindOf(err), "nor does a job that comes early send it")
	require.Equal(t, 10*time.Hour, errs.As(err).RetryAfter)
	require.Empty(t, texts.sent)
	b.Clock.Advance(10 * time.Hour)
	for range 2 {
		require.NoError(t, reminders.Send(t.Context(), reminder))
	}
	require.Len(t, texts.sent, 1)
	require.Contains(t, texts.sent[0].Text, "ends on 1 Dec 2026")
}

// outbox words for the site and hands to the provider.
func outbox(tb testing.TB, clk clock.Clock, texts message.SMS) *message.Outbox {
	tb.Helper()
	return message.NewOutbox(texts, message.Site{URL: "https://shop.example"}, clk, testkit.NewLogger(tb))
}

// reminding is the worker's reminders with a phone.
func (b *bundle) reminding() (*subscription.Reminders, *phone) {
	texts := &phone{}
	return subscription.NewReminders(b.WorkerSubs, outbox(b.T, b.Clock, texts)), texts
}

// morning lets a day pass, with all that is due in it, and sends what reminders there are, twice.
func (b *bundle) morning(reminders *subscription.Reminders) {
	b.T.Helper()
	b.Clock.Advance(story.Day)
	for range 2 {
		b.Sweep()
		var ids []string
		require.NoError(b.T, b.DB.Owner.Select(&ids, `SELECT id FROM renewal_reminders WHERE sent_at IS NULL ORDER BY created_at, id`))
		for _, reminder := range ids {
			require.NoError(b.T, reminders.Send(b.T.Context(), reminder))
		}
	}
}

func TestWhoDoesNotRenewIsRemindedInGraceAndWhenItIsOver(t *testing.T) {
	t.Parallel()
	b := setup(t)
	reminders, texts := b.reminding()
	b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeMonthly))
	b.Clock.Advance(2 * time.Hour) // to the day in India
	sent := map[int]string{}
	for n := 1; n <= 60; n++ {
		before := len(texts.sent)
		b.morning(reminders)
		require.LessOrEqual(t, len(texts.sent), before+1, "day %d", n)
		if n >= 30 && len(texts.sent) > before {
			sent[n-30] = texts.sent[before].Template + ": " + texts.sent[before].Text
		}
	}
	const grace = "grace_reminder: Your Franchise 360 plan Start up was paid until 1 Dec 2026. Pay Rs 14,750 by 8 Dec 2026 to keep it: https://shop.example/subscription_list"
	require.Equal(t, map[int]string{
		0: grace, 3: grace, 6: grace,
		7: "plan_expired: Your Franchise 360 plan Start up was not renewed and stopped after 8 Dec 2026. Pay Rs 14,750 to use it again: https://shop.example/subscription_list",
	}, sent)
	for _, m := range texts.sent {
		require.LessOrEqual(t, len(m.Text), 160, "one message: %s", m.Text)
	}
}

func TestMoreGraceMovesTheLastReminderAndARenewalEndsThem(t *testing.T) {
	t.Parallel()
	b := setup(t)
	reminders, texts := b.reminding()
	b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeMonthly))
	for range 35 {
		b.morning(reminders)
	}
	help := subscription.NewGraceExtensions(b.DB.API, b.Clock, staff.NewRecorder(b.Clock))
	_, err := help.ExtendGrace(b.Asha.Sign(t.Context()), b.Asha, b.Buyer, 5, "the bank is slow")
	require.NoError(t, err)
	before := len(texts.sent)
	for range 5 {
		b.morning(reminders)
	}
	require.Len(t, texts.sent, before, "the seventh day is not the last any more")
	b.morning(reminders)
	require.Len(t, texts.sent, before+1)
	require.Contains(t, texts.sent[before].Text, "by 13 Dec 2026")
	b.Pay(b.Buyer, b.Renewal(b.Buyer))
	for range 5 {
		b.morning(reminders)
	}
	require.Len(t, texts.sent, before+1)
}

func TestATrialAndARefundedPlanAreNotAskedToPayForTheirEnd(t *testing.T) {
	t.Parallel()
	b := setup(t)
	reminders, texts := b.reminding()
	require.NoError(t, b.Trial(b.Buyer))
	other := b.Franchiser("27")
	r := b.Pay(other, story.Buy(b.Tier(0, 0), plan.TypeMonthly))
	b.KeepOrEnd(r, 0, false)
	for range 40 {
		b.morning(reminders)
	}
	for _, m := range texts.sent {
		require.Equal(t, "trial_reminder", m.Template)
	}
	require.Len(t, texts.sent, 2)
	require.Zero(t, b.Count(`SELECT count(*) FROM renewal_reminders WHERE franchiser_id = $1`, other))
}

// Given a reminder that waits, then its job says what it would do by then, and does nothing once there is no need: it was sent, the plan
// was renewed, or the reminder is none.
func TestTheJobOfAReminderSaysWhatItWouldDo(t *testing.T) {
	t.Parallel()
	b := setup(t)
	reminders, texts := b.reminding()
	mobile := b.Text(`SELECT mobile FROM franchisers WHERE id = $1`, b.Buyer)
	preview := func(reminderID string) queue.JobPreview {
		t.Helper()
		args, err := json.Marshal(subscription.SendReminderArgs{ReminderID: reminderID})
		require.NoError(t, err)
		var p queue.JobPreview
		require.NoError(t, postgres.InTx(t.Context(), b.DB.Worker, func(tx *sqlx.Tx) (err error) {
			p, err = subscription.JobPreviews()[subscription.SendReminderArgs{}.Kind()](t.Context(), tx, args, b.Clock.Now())
			return err
		}))
		return p
	}
	newest := func() string {
		return b.Text(`SELECT id FROM renewal_reminders ORDER BY created_at DESC, id DESC LIMIT 1`)
	}
	b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeMonthly))
	b.Live(29)
	last := newest()
	require.Equal(t, "Would ask the SMS provider to remind "+mobile+" that Start up ends on 1 Dec 2026.", preview(last).Summary)
	require.NoError(t, reminders.Send(t.Context(), last))
	require.Len(t, texts.sent, 1)
	require.True(t, preview(last).Nothing, "it was sent")
	require.True(t, preview(id.New()).Nothing, "there is none of that name")
	require.NoError(t, reminders.Send(t.Context(), id.New()))
	require.Len(t, texts.sent, 1)

	b.Live(1)
	grace := newest()
	require.Equal(t, "Would ask the SMS provider to remind "+mobile+" that Start up was paid until 1 Dec 2026.", preview(grace).Summary)
	b.Pay(b.Buyer, b.Renewal(b.Buyer))
	require.True(t, preview(grace).Nothing, "it was renewed")
	require.NoError(t, reminders.Send(t.Context(), grace))
	require.Len(t, texts.sent, 1)
}

// Given weeks in which no worker ran, then one sweep reminds of the nearest day alone, and not of each that went by.
func TestALateSweepRemindsOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeYearly))
	noted := func() string {
		b.Sweep()
		return b.Text(`SELECT coalesce(string_agg(days::text, ' ' ORDER BY days DESC), '') FROM renewal_reminders`)
	}
	b.Clock.Advance(333 * story.Day)
	require.Empty(t, noted(), "31 days before its last day")
	b.Clock.Advance(27 * story.Day)
	require.Equal(t, "7", noted(), "four days before it, the 30th and the 15th went by")
	require.Equal(t, "7", noted())
	b.Clock.Advance(10 * story.Day)
	require.Equal(t, "7 -4", noted(), "in grace, three went by")
	b.Clock.Advance(2 * story.Day)
	require.Equal(t, "7 -4 -8", noted(), "the day on which it expired")
	b.Clock.Advance(100 * story.Day)
	require.Equal(t, "7 -4 -8", noted())
}
