package payment_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/subscription"
)

func TestStaffExtendTheGrace(t *testing.T) {
	t.Parallel()
	b := setup(t)
	help := subscription.NewGraceExtensions(b.db.API, b.clock, staff.NewRecorder(b.clock))
	extend := func(days int) (subscription.Subscription, error) {
		return help.ExtendGrace(b.asha.Sign(t.Context()), b.asha, b.owner, days, "the bank is slow")
	}
	_, err := extend(3)
	require.Equal(t, errs.KindNotFound, errs.KindOf(err), "no plan yet")
	b.pay(b.owner, buy(b.tier(0, 0), plan.TypeMonthly))
	b.live(32)
	require.Contains(t, b.standing(b.owner), "grace")
	sub, err := extend(5)
	require.NoError(t, err)
	require.Equal(t, "2026-12-13", sub.PayBy().String())
	_, err = extend(16)
	require.Contains(t, errs.As(err).Fields, "days", "twenty in all")
	b.live(9)
	require.Contains(t, b.standing(b.owner), "grace", "the last day")
	b.live(1)
	require.Contains(t, b.standing(b.owner), "expired")

	_, err = extend(0)
	require.Contains(t, errs.As(err).Fields, "days")
	sub, err = extend(4)
	require.NoError(t, err)
	require.Equal(t, subscription.StateGrace, sub.State, "back in grace")
	require.Equal(t, "2026-12-17", sub.PayBy().String())
	b.books()
	b.live(2)
	b.pay(b.owner, b.renewal(b.owner))
	require.Equal(t, "active 2026-12-02 2027-01-02 2027-01-02", b.standing(b.owner), "it continues from the old end")
	require.Zero(t, b.count(`SELECT grace_extra FROM subscriptions`), "for one term only")
	require.Equal(t, "ended current", b.text(`SELECT string_agg(status, ' ' ORDER BY starts_on) FROM terms`))

	b.live(60)
	_, err = extend(3)
	require.ErrorIs(t, err, subscription.ErrNoGrace, "expired too long ago")
	require.Equal(t, 2, b.count(`SELECT count(*) FROM staff_actions WHERE action = 'extend_grace'`))
}
