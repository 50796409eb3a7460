package app

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/subscription"
	"github.com/franchise360/franchise360/pkg/tenant"
)

// A term's last day is 22 November. The store names that day as its end, like the account, the notices and the invoices. The renewal is on
// the next day, or after the next term if that is paid.
func TestStore_LastDayOfATerm_IsThatOfTheAccount(t *testing.T) {
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

// A store gets the plan's billing period, what one extension adds and costs in the current term, and the number of each add-on in the order
// of purchase.
func TestStore_Included_ListsBillingExtensionsAndAddOns(t *testing.T) {
	t.Parallel()
	extension := plan.AddOn{Key: plan.KeyFranchiseExtension, Name: "Franchise extension", Limit: 10, Monthly: 8_400_00, Yearly: 84_000_50}
	for name, c := range map[string]struct {
		sub               subscription.Subscription
		billed, extension string
	}{
		"by the month": {subscription.Subscription{Type: plan.TypeMonthly}, "monthly", "10 more franchises for ₹8,400 a month, before GST"},
		"by the year":  {subscription.Subscription{Type: plan.TypeYearly}, "annually", "10 more franchises for ₹84,000.50 a year, before GST"},
		"a trial":      {subscription.Subscription{Type: plan.TypeYearly, Trial: true}, "", "10 more franchises for ₹84,000.50 a year, before GST"},
	} {
		c.sub.State, c.sub.RenewOn = subscription.StateActive, subscription.NewDay(2026, time.November, 23)
		c.sub.PaidUntil = c.sub.RenewOn
		got := includedIn(subscription.Entitlement{
			Subscription: &c.sub, PlanName: "Growth", ServiceName: "Gold", FranchiseLimit: 35, Extensions: []plan.AddOn{extension},
			AddOns: []subscription.AddOn{{Name: "Users app"}, {Name: "Franchise extension"}, {Name: "Users app"}, {Name: "Setup"}, {Name: "Users app"}},
		})
		require.Equal(t, []string{"Growth", "Gold", c.billed, c.extension}, []string{got.PlanName, got.ServiceName, got.Billed, got.Extension}, name)
		require.Equal(t, 35, got.FranchiseLimit, name)
		require.True(t, got.Usable, name)
		require.Equal(t, []tenant.AddOn{{Name: "Users app", Count: 3}, {Name: "Franchise extension", Count: 1}, {Name: "Setup", Count: 1}}, got.AddOns, name)
	}
	bare := includedIn(subscription.Entitlement{Subscription: &subscription.Subscription{Type: plan.TypeMonthly, State: subscription.StateLapsed}})
	require.Empty(t, bare.Extension, "none can be bought")
	require.Empty(t, bare.AddOns)
	require.False(t, bare.Usable)
	require.True(t, bare.Ended)
}

// The names under which metrics and alert rules know who sends messages.
func TestDependency_EachMessageProvider_HasItsName(t *testing.T) {
	t.Parallel()
	for provider, want := range map[string]string{
		message.EmailProvider: "mail_server", message.WhatsAppProvider: message.WhatsAppProvider, "msg91": "sms_msg91", "twilio": "sms_twilio", "inbox": "sms_inbox",
	} {
		require.Equal(t, want, dependency(provider))
	}
}
