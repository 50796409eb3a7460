package lifetest_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/subscription"
	"github.com/franchise360/franchise360/pkg/testkit"
	"github.com/franchise360/franchise360/pkg/testkit/story"
)

func TestExtendGrace_ByStaff_MovesTheExpiry(t *testing.T) {
	t.Parallel()
	b := setup(t)
	help := subscription.NewGraceExtensions(b.DB.API, b.Clock, staff.NewRecorder(b.Clock),
		message.NewEnqueuer(message.EnqueuerOptions{Jobs: testkit.NewInserter(t, b.DB.API), Email: true}))
	extend := func(days int) (subscription.Subscription, error) {
		return help.ExtendGrace(b.Asha.Sign(t.Context()), b.Asha, b.Buyer, days, "the bank is slow")
	}
	_, err := extend(3)
	require.Equal(t, errs.KindNotFound, errs.KindOf(err), "no plan yet")
	b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeMonthly))
	b.Live(32)
	require.Contains(t, b.Standing(b.Buyer), "grace")
	sub, err := extend(5)
	require.NoError(t, err)
	require.Equal(t, "2026-12-13", sub.PayBy().String())
	_, err = extend(16)
	require.Contains(t, errs.As(err).Fields, "days", "twenty in all")
	b.Live(9)
	require.Contains(t, b.Standing(b.Buyer), "grace", "the last day")
	b.Live(1)
	require.Contains(t, b.Standing(b.Buyer), "expired")

	_, err = extend(0)
	require.Contains(t, errs.As(err).Fields, "days")
	sub, err = extend(4)
	require.NoError(t, err)
	require.Equal(t, subscription.StateGrace, sub.State, "back in grace")
	require.Equal(t, "2026-12-17", sub.PayBy().String())
	b.Balanced()
	b.Live(2)
	b.Pay(b.Buyer, b.Renewal(b.Buyer))
	require.Equal(t, "active 2026-12-02 2027-01-02 2027-01-02", b.Standing(b.Buyer), "it continues from the old end")
	require.Zero(t, b.Count(`SELECT grace_extra FROM subscriptions`), "for one term only")
	require.Equal(t, "ended current", b.Text(`SELECT string_agg(status, ' ' ORDER BY starts_on) FROM terms`))

	b.Live(60)
	_, err = extend(3)
	require.ErrorIs(t, err, subscription.ErrNoGrace, "expired too long ago")
	require.Equal(t, 2, b.Count(`SELECT count(*) FROM staff_actions WHERE action = 'extend_grace'`))
}

func TestExtendGrace_PlanEndedOnItsFirstDay_IsRefusedThatDay(t *testing.T) {
	t.Parallel()
	b := setup(t)
	r := b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeMonthly))
	b.KeepOrEnd(r, 0, false)
	require.Contains(t, b.Standing(b.Buyer), "expired")
	_, err := b.Grace.ExtendGrace(b.Asha.Sign(t.Context()), b.Asha, b.Buyer, 3, "the bank is slow")
	require.ErrorIs(t, err, subscription.ErrNoGrace, "its day is not over")
	b.Live(1)
	_, err = b.Grace.ExtendGrace(b.Asha.Sign(t.Context()), b.Asha, b.Buyer, 3, "the bank is slow")
	require.NoError(t, err)
	require.Contains(t, b.Standing(b.Buyer), "grace")
}
