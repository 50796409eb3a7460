package app

import (
	"context"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/account"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/subscription"
	"github.com/franchise360/franchise360/pkg/tenant"
)

// subscribed tells the account what billing knows, in the account's own words.
type subscribed struct{ subs *subscription.Service }

// SubscribedTx says whether the franchiser ever had a plan, has one that runs, is active, and its payment status.
func (s subscribed) SubscribedTx(ctx context.Context, tx *sqlx.Tx, franchiserID string) (account.Subscribed, error) {
	st, err := s.subs.StandingTx(ctx, tx, franchiserID)
	if err != nil {
		return account.Subscribed{}, err
	}
	return account.Subscribed{Ever: st.State != "", Runs: st.State.Usable(), Active: st.Active, PaymentStatus: int(st.PaymentStatus)}, nil
}

// entitled tells a store what billing knows, in the store's own words.
type entitled struct{ subs *subscription.Service }

// EntitlementTx says what the franchiser's plan gives now.
func (e entitled) EntitlementTx(ctx context.Context, tx *sqlx.Tx, franchiserID string) (tenant.Entitlement, error) {
	got, err := e.subs.EntitlementTx(ctx, tx, franchiserID)
	if err != nil || got.Subscription == nil {
		return tenant.Entitlement{}, err
	}
	sub := got.Subscription
	out := tenant.Entitlement{
		Usable: sub.State.Usable(), PlanName: got.PlanName, ServiceName: got.ServiceName,
		RenewsOn: sub.RenewOn.Human(), Notice: sub.ExpiredMessage(), FranchiseLimit: got.FranchiseLimit,
	}
	if out.Notice == "" {
		out.Notice = sub.Notice()
	}
	switch {
	case sub.Trial:
	case sub.Type == plan.TypeYearly:
		out.Billed = "annually"
	default:
		out.Billed = "monthly"
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
	return out, nil
}
