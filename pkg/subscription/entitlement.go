package subscription

import (
	"context"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/plan"
)

// Entitlement is the franchiser's present plan and limits, for the pages of its store.
type Entitlement struct {
	// Subscription is nil before the first plan or trial.
	Subscription          *Subscription
	PlanName, ServiceName string
	// FranchiseLimit is the tier's limit plus its extensions.
	FranchiseLimit int
	// AddOns are the add-ons in force today.
	AddOns []AddOn
	// Extensions are the add-ons that raise the franchise limit and can be bought now, at the prices of the term; empty during the trial.
	Extensions []plan.AddOn
}

// EntitlementTx returns the franchiser's entitlement today, by the prices and limits of its present term.
func (s *Service) EntitlementTx(ctx context.Context, tx *sqlx.Tx, franchiserID string) (Entitlement, error) {
	v, err := s.ViewTx(ctx, tx, franchiserID)
	if err != nil || v == nil {
		return Entitlement{}, err
	}
	e := Entitlement{
		Subscription: &v.Subscription, PlanName: v.Tier.PlanName, ServiceName: v.Tier.Name, FranchiseLimit: v.FranchiseLimit,
		AddOns: v.AddOns,
	}
	for _, a := range v.Tier.AddOns {
		if a.Key == plan.KeyFranchiseExtension && v.State == StateActive {
			e.Extensions = append(e.Extensions, a)
		}
	}
	return e, nil
}
