package payment_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/account"
	"github.com/franchise360/franchise360/pkg/address"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/subscription"
	"github.com/franchise360/franchise360/pkg/testkit"
)

// phone keeps what was sent.
type phone struct{ sent []account.TextMessage }

func (p *phone) Send(_ context.Context, m account.TextMessage) error {
	p.sent = append(p.sent, m)
	return nil
}

func TestAReminderWaitsForTheMorning(t *testing.T) {
	t.Parallel()
	b := setup(t)
	texts, logger := &phone{}, testkit.NewLogger(t)
	subs := subscription.NewService(b.db.Worker, testkit.NewInserter(t, b.db.Worker), b.clock, plan.NewService(b.db.Worker, logger),
		address.NewService(b.db.Worker, nil, b.clock, logger), texts, subscription.Config{PublicURL: "https://shop.example"}, logger)
	b.pay(b.owner, buy(b.tier(0, 0), plan.TypeMonthly))
	b.clock.Advance(26*day + 13*time.Hour) // 23:00 in India, six days before the end
	_, err := subs.Remind(t.Context())
	require.NoError(t, err)
	seconds := b.count(`SELECT extract(epoch FROM scheduled_at - created_at)::int FROM river_job WHERE kind = 'send_reminder'`)
	require.InDelta(t, 10*3600, seconds, 5, "put off until nine")
	reminder := b.text(`SELECT id FROM renewal_reminders`)
	err = subs.SendReminder(t.Context(), reminder)
	require.Equal(t, errs.KindRateLimited, errs.KindOf(err), "nor does a job that comes early send it")
	require.Equal(t, 10*time.Hour, errs.As(err).RetryAfter)
	require.Empty(t, texts.sent)
	b.clock.Advance(10 * time.Hour)
	for range 2 {
		require.NoError(t, subs.SendReminder(t.Context(), reminder))
	}
	require.Len(t, texts.sent, 1)
	require.Contains(t, texts.sent[0].Text, "ends on 2 Dec 2026")
}
