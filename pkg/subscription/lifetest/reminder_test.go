package lifetest_test

import (
	"context"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/account/profile"
	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/subscription"
	"github.com/franchise360/franchise360/pkg/testkit"
	"github.com/franchise360/franchise360/pkg/testkit/story"
)

// carrier records the sent messages, and fails while err is set.
type carrier struct {
	sent []message.Message
	err  error
}

func (c *carrier) Send(_ context.Context, m message.Message) error {
	if c.err == nil {
		c.sent = append(c.sent, m)
	}
	return c.err
}

// postman sends the reminders that wait, as their jobs do.
type postman struct {
	*bundle

	outbox     *message.CustomerOutbox
	sms, email *carrier
}

const site = "https://shop.example"

func (b *bundle) reminding() *postman {
	p := &postman{bundle: b, sms: &carrier{}, email: &carrier{}}
	outbox := message.NewOutbox(message.OutboxOptions{
		SMS: p.sms, Site: message.Site{Host: "shop.example", URL: site}, Clock: b.Clock, Email: p.email,
		Logger: testkit.NewLogger(b.T),
	})
	keys := testkit.NewKeyring(b.T)
	p.outbox = message.NewCustomerOutbox(message.CustomerOutboxOptions{
		DB: b.DB.Worker, Clock: b.Clock, Outbox: outbox, Contacts: profile.Contacts{},
		Letters: subscription.Letters(b.WorkerSubs, keys, site), Keys: keys,
	})
	b.DB.Owner.MustExec(`UPDATE franchisers SET email_proved_at = created_at`)
	return p
}

// waiting returns the ids of the reminders that wait.
func (p *postman) waiting() (ids []string) {
	p.T.Helper()
	require.NoError(p.T, p.DB.Owner.Select(&ids, `SELECT id FROM customer_messages WHERE template LIKE 'renewal%' AND sent_at IS NULL
		AND coalesce(send_error, '') NOT LIKE 'not_%' ORDER BY created_at, id`))
	return ids
}

// morning lets a day pass, runs everything due in it, and sends the waiting messages twice.
func (p *postman) morning() {
	p.T.Helper()
	p.Clock.Advance(story.Day)
	for range 2 {
		p.Sweep()
		for _, id := range p.waiting() {
			if err := p.outbox.Send(p.T.Context(), id); p.sms.err == nil && p.email.err == nil {
				require.NoError(p.T, err)
			}
		}
	}
}

func TestReminder_AtNight_WaitsForTheMorning(t *testing.T) {
	t.Parallel()
	b := setup(t)
	p := b.reminding()
	b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeMonthly))
	b.Clock.Advance(26*story.Day + 13*time.Hour) // 23:00 in India, six days before the end
	_, err := b.WorkerSubs.Remind(t.Context())
	require.NoError(t, err)
	seconds := b.Count(`SELECT extract(epoch FROM scheduled_at - created_at)::int FROM river_job WHERE kind = 'send_customer_message'
		AND args->>'message_id' IN (SELECT id::text FROM customer_messages WHERE template = 'renewal_reminder')`)
	require.InDelta(t, 10*3600, seconds, 5, "put off until nine")
	ids := p.waiting()
	require.Len(t, ids, 2)
	for _, id := range ids {
		err = p.outbox.Send(t.Context(), id)
		require.Equal(t, errs.KindRateLimited, errs.KindOf(err), "nor does a job that comes early send it")
		require.Equal(t, 10*time.Hour, errs.As(err).RetryAfter)
	}
	require.Empty(t, p.sms.sent)
	b.Clock.Advance(10 * time.Hour)
	for range 2 {
		for _, id := range ids {
			require.NoError(t, p.outbox.Send(t.Context(), id))
		}
	}
	require.Len(t, p.sms.sent, 1)
	require.Contains(t, p.sms.sent[0].Text, "ends on 1 Dec 2026")
	require.Len(t, p.email.sent, 1, "one channel does not silence the other")
	require.Contains(t, p.email.sent[0].Text, "1 Dec 2026")
	require.Equal(t, p.sms.sent[0].Values[3], strings.TrimPrefix(p.email.sent[0].Link, site+"/p/"), "both have the same link")
}

var secretCode = regexp.MustCompile(`[A-Za-z0-9_-]{38}$`)

func TestReminders_UnrenewedPlan_AreSentInGraceAndAtItsEnd(t *testing.T) {
	t.Parallel()
	b := setup(t)
	p := b.reminding()
	b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeMonthly))
	b.Clock.Advance(2 * time.Hour) // to the next day in India
	texts, mails := map[int]string{}, map[int]string{}
	for n := 1; n <= 60; n++ {
		sms, email := len(p.sms.sent), len(p.email.sent)
		p.morning()
		require.LessOrEqual(t, len(p.sms.sent), sms+1, "day %d", n)
		require.LessOrEqual(t, len(p.email.sent), email+1, "day %d", n)
		if len(p.sms.sent) > sms {
			texts[n-30] = secretCode.ReplaceAllString(p.sms.sent[sms].Text, "CODE")
		}
		if len(p.email.sent) > email {
			mails[n-30] = p.email.sent[email].Subject
		}
	}
	const (
		before = "Your Franchise 360 plan Start up ends on 1 Dec 2026. Pay Rs 14,750 to renew it: https://shop.example/p/CODE"
		grace  = "Franchise 360: Start up ended on 1 Dec 2026. Pay Rs 14,750 by 8 Dec 2026 to keep it: https://shop.example/p/CODE"
	)
	require.Equal(t, map[int]string{
		-8: before, -4: before, -2: before, -1: before, 0: grace, 3: grace, 6: grace,
		7: "Franchise 360: Start up stopped after 8 Dec 2026. Pay Rs 14,750 to use it again: https://shop.example/p/CODE",
	}, texts)
	require.Equal(t, slices.Sorted(maps.Keys(texts)), slices.Sorted(maps.Keys(mails)), "by e-mail on the same days")
	require.Equal(t, "Your plan Start up ends on 1 Dec 2026", mails[-8])
	require.Equal(t, "Pay by 8 Dec 2026 to keep your plan Start up", mails[0])
	require.Equal(t, "Your plan Start up stopped after 8 Dec 2026", mails[7])
	for _, m := range p.sms.sent {
		require.LessOrEqual(t, len(m.Text), 160, "one message: %s", m.Text)
	}
}

// Given an SMS provider that is down for a day, then the reminder arrives late and once, and e-mails are not delayed.
func TestReminder_SMSOutageOfADay_ArrivesLateOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	p := b.reminding()
	b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeMonthly))
	for range 21 {
		p.morning()
	}
	p.sms.err = errs.New(errs.KindUnavailable, "sms_unavailable", "down")
	p.morning()
	require.Len(t, p.email.sent, 1, "seven days before")
	require.Empty(t, p.sms.sent)
	p.sms.err = nil
	p.morning()
	require.Len(t, p.sms.sent, 1, "late, and once")
	require.Len(t, p.email.sent, 1)

	// down until the next reminder is due: only the next one is sent
	p.sms.err = errs.New(errs.KindUnavailable, "sms_unavailable", "down")
	for range 4 { // three days before, and one
		p.morning()
	}
	p.sms.err = nil
	p.morning()
	require.Len(t, p.sms.sent, 2, "of what was overtaken nothing is sent")
	require.Len(t, p.email.sent, 3, "seven, three and one")
}

// Given a clock that was wrong for a moment, then each reminder still goes out, once.
func TestReminders_ClockJumps_AreSentOnceEach(t *testing.T) {
	t.Parallel()
	b := setup(t)
	p := b.reminding()
	b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeMonthly))
	for range 21 {
		p.morning()
	}
	b.Clock.Advance(7 * story.Day) // to the day before the last
	_, err := b.WorkerSubs.Remind(t.Context())
	require.NoError(t, err)
	b.Clock.Advance(-7 * story.Day)
	for range 8 {
		p.morning()
	}
	require.Equal(t, "1 7 3 0", b.Text(`SELECT string_agg(days::text, ' ' ORDER BY id) FROM renewal_reminders`))
	require.Len(t, p.sms.sent, 4)
	require.Len(t, p.email.sent, 4)
}

func TestReminders_GraceExtended_MovesTheLastAndRenewalEndsThem(t *testing.T) {
	t.Parallel()
	b := setup(t)
	p := b.reminding()
	b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeMonthly))
	for range 35 {
		p.morning()
	}
	help := subscription.NewGraceExtensions(b.DB.API, b.Clock, staff.NewRecorder(b.Clock),
		message.NewEnqueuer(message.EnqueuerOptions{Jobs: testkit.NewInserter(t, b.DB.API), Email: true}))
	_, err := help.ExtendGrace(b.Asha.Sign(t.Context()), b.Asha, b.Buyer, 5, "the bank is slow")
	require.NoError(t, err)
	before := len(p.sms.sent)
	for range 5 {
		p.morning()
	}
	require.Len(t, p.sms.sent, before, "the seventh day is not the last any more")
	p.morning()
	require.Len(t, p.sms.sent, before+1)
	require.Contains(t, p.sms.sent[before].Text, "by 13 Dec 2026")
	b.Pay(b.Buyer, b.Renewal(b.Buyer))
	mails := len(p.email.sent)
	for range 5 {
		p.morning()
	}
	require.Len(t, p.sms.sent, before+1)
	require.Len(t, p.email.sent, mails)
}

// Given waiting reminders, when the plan is renewed or the account is scheduled for erasure, then no reminder is sent.
func TestReminders_RenewedOrErased_AreNotSent(t *testing.T) {
	t.Parallel()
	b := setup(t)
	p := b.reminding()
	other := b.Franchiser("27")
	b.DB.Owner.MustExec(`UPDATE franchisers SET email_proved_at = created_at`)
	b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeMonthly))
	b.Pay(other, story.Buy(b.Tier(0, 0), plan.TypeMonthly))
	b.Clock.Advance(29 * story.Day)
	b.Sweep()
	require.Len(t, p.waiting(), 4)
	b.Pay(b.Buyer, b.Renewal(b.Buyer))
	b.DB.Owner.MustExec(`UPDATE franchisers SET erasure_requested_at = now() WHERE id = $1`, other)
	for _, id := range p.waiting() {
		require.NoError(t, p.outbox.Send(t.Context(), id))
	}
	require.Empty(t, p.sms.sent)
	require.Empty(t, p.email.sent)
	require.Equal(t, 4, b.Count(`SELECT count(*) FROM customer_messages WHERE send_error = 'not_needed'`))
}

func TestReminders_TrialOrRefundedPlan_GetNoGraceReminders(t *testing.T) {
	t.Parallel()
	b := setup(t)
	p := b.reminding()
	require.NoError(t, b.Trial(b.Buyer))
	other := b.Franchiser("27")
	r := b.Pay(other, story.Buy(b.Tier(0, 0), plan.TypeMonthly))
	b.KeepOrEnd(r, 0, false)
	for range 40 {
		p.morning()
	}
	require.Len(t, p.sms.sent, 5, "seven, three and one day before the last, on it, and the day after")
	for i, m := range p.sms.sent {
		want := "trial_reminder"
		if i == 4 {
			want = "trial_ended"
		}
		require.Equal(t, want, m.Template)
	}
	require.Len(t, p.email.sent, 5)
	require.Equal(t, "Your free trial ended on 15 Nov 2026", p.email.sent[4].Subject)
	require.Equal(t, "Your free trial ends on 15 Nov 2026", p.email.sent[0].Subject)
	require.Zero(t, b.Count(`SELECT count(*) FROM renewal_reminders WHERE franchiser_id = $1`, other))
}

// Given a customer who stopped reminders by e-mail, then they come only by SMS; with SMS off too, no reminder comes.
func TestReminders_UseTheChosenChannels(t *testing.T) {
	t.Parallel()
	b := setup(t)
	p := b.reminding()
	settings := message.NewSettings(message.SettingsOptions{
		DB: b.DB.API, Clock: b.Clock, Keys: testkit.NewKeyring(t), Contacts: profile.Contacts{},
	})
	b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeMonthly))
	for range 22 {
		p.morning()
	}
	require.Len(t, p.email.sent, 1)
	require.Len(t, p.sms.sent, 1)
	require.NoError(t, settings.Stop(t.Context(), p.email.sent[0].Unsubscribe))
	for range 4 {
		p.morning()
	}
	require.Len(t, p.email.sent, 1)
	require.Len(t, p.sms.sent, 2)
	require.NoError(t, settings.Set(t.Context(), b.Buyer, message.Preferences{RemindersEmail: true}))
	for range 2 {
		p.morning()
	}
	require.Len(t, p.email.sent, 2)
	require.Len(t, p.sms.sent, 2)
	require.Equal(t, 2, b.Count(`SELECT count(*) FROM customer_messages WHERE send_error = 'not_wanted'`))
}

// Given weeks in which no worker ran, then one sweep sends only the reminder of the nearest day, not of each day that
// was missed.
func TestReminders_WeeksWithoutWorkers_SendOne(t *testing.T) {
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
