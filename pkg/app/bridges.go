package app

import (
	"context"
	"fmt"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/account"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
	"github.com/franchise360/franchise360/pkg/subscription"
	"github.com/franchise360/franchise360/pkg/tenant"
)

// subscribed adapts billing's data for the account domain.
type subscribed struct{ subs *subscription.Service }

// SubscribedTx reports whether the franchiser ever had a plan, has a running one and is active, and returns its payment
// status.
func (s subscribed) SubscribedTx(ctx context.Context, tx *sqlx.Tx, franchiserID string) (account.Subscribed, error) {
	st, err := s.subs.SummaryTx(ctx, tx, franchiserID)
	if err != nil {
		return account.Subscribed{}, err
	}
	return account.Subscribed{Ever: st.State != "", Runs: st.State.Usable(), Active: st.Active, PaymentStatus: int(st.PaymentStatus)}, nil
}

// entitled adapts billing's data for stores.
type entitled struct{ subs *subscription.Service }

// EntitlementTx returns the contents of the franchiser's plan now.
func (e entitled) EntitlementTx(ctx context.Context, tx *sqlx.Tx, franchiserID string) (tenant.Entitlement, error) {
	got, err := e.subs.EntitlementTx(ctx, tx, franchiserID)
	if err != nil || got.Subscription == nil {
		return tenant.Entitlement{}, err
	}
	return includedIn(got), nil
}

// includedIn converts a subscription's entitlement to a store's terms.
func includedIn(got subscription.Entitlement) tenant.Entitlement {
	sub := got.Subscription
	out := tenant.Entitlement{
		Usable: sub.State.Usable(), PlanName: got.PlanName, ServiceName: got.ServiceName,
		Notice: sub.ExpiredMessage(), FranchiseLimit: got.FranchiseLimit,
	}
	out.Ended = sub.State.Ended() || sub.State == subscription.StateGrace
	if out.Ended || sub.Trial {
		out.EndsOn = sub.LastDay().Human()
	} else {
		out.RenewsOn = sub.PaidUntil.Human()
	}
	for _, a := range got.Extensions {
		out.Extension = fmt.Sprintf("%s for %s a %s, before GST", plan.Describe(a.Key, a.Name, a.Limit), a.Price(sub.Type), termOf(sub.Type))
	}
	if out.Notice == "" {
		out.Notice = sub.Notice()
	}
	switch {
	case sub.Trial:
	case sub.Type == plan.TypeYearly:
		out.Billed = i18n.Mark("annually")
	default:
		out.Billed = i18n.Mark("monthly")
	}
	at := map[string]int{}
	for _, a := range got.AddOns {
		i, ok := at[a.Name]
		if !ok {
			i = len(out.AddOns)
			at[a.Name] = i
			out.AddOns = append(out.AddOns, tenant.AddOn{Name: a.Name})
		}
		out.AddOns[i].Count++
	}
	return out
}

func termOf(t plan.Type) string {
	if t == plan.TypeYearly {
		return "year"
	}
	return "month"
}
