package app

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/subscription"
	"github.com/franchise360/franchise360/pkg/tenant"
)

// Given a term whose last day is 22 November, then the store names that day as its end, as the account, the notices and the
// invoices do, and the day after, or after a next term that is paid, as that of the renewal.
func TestAStoreNamesTheSameLastDayAsTheAccount(t *testing.T) {
	t.Parallel()
	next := subscription.NewDay(2026, time.November, 23)
	later := subscription.NewDay(2026, time.December, 23)
	for name, c := range map[string]struct {
		sub  subscription.Subscription
		want tenant.Entitlement
	}{
		"trial":       {subscription.Subscription{State: subscription.StateTrialing, Trial: true}, tenant.Entitlement{EndsOn: "22 Nov 2026"}},
		"trial ended": {subscription.Subscription{State: subscription.StateExpired, Trial: true}, tenant.Entitlement{EndsOn: "22 Nov 2026", Ended: true}},
		"plan":        {subscription.Subscription{State: subscription.StateActive}, tenant.Entitlement{RenewsOn: "23 Nov 2026"}},
		"prepaid":     {subscription.Subscription{State: subscription.StateActive, PaidUntil: later}, tenant.Entitlement{RenewsOn: "23 Dec 2026"}},
		"grace":       {subscription.Subscription{State: subscription.StateGrace}, tenant.Entitlement{EndsOn: "22 Nov 2026", Ended: true}},
		"plan ended":  {subscription.Subscription{State: subscription.StateExpired}, tenant.Entitlement{EndsOn: "22 Nov 2026", Ended: true}},
	} {
		c.sub.Type, c.sub.RenewOn, c.sub.PaidUntil = plan.TypeMonthly, next, max(c.sub.PaidUntil, next)
		got := includedIn(subscription.Entitlement{Subscription: &c.sub})
		require.Equal(t, c.want, tenant.Entitlement{RenewsOn: got.RenewsOn, EndsOn: got.EndsOn, Ended: got.Ended}, name)
		if got.Notice != "" && got.EndsOn != "" {
			require.Contains(t, got.Notice, got.EndsOn, "%s: page and notice name one day", name)
		}
	}
}
