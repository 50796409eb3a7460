package subscription

import (
	"context"

	"github.com/jmoiron/sqlx"
)

// Entitlement is what a franchiser's subscription gives it today, for the pages of its store.
type Entitlement struct {
	// Subscription is nil before the first plan or trial.
	Subscription          *Subscription
	PlanName, ServiceName string
	// FranchiseLimit is the tier's limit and what its extensions add.
	FranchiseLimit int
	// AddOns are those that are in force today.
	AddOns []AddOn
}

// EntitlementTx returns what the franchiser's subscription gives today, by the prices and limits of its present term.
func (s *Service) EntitlementTx(ctx context.Context, tx *sqlx.Tx, franchiserID string) (Entitlement, error) {
	v, err := s.ViewTx(ctx, tx, franchiserID)
	if err != nil || v == nil {
		return Entitlement{}, err
	}
	return Entitlement{
		Subscription: &v.Subscription, PlanName: v.Tier.PlanName, ServiceName: v.Tier.Name, FranchiseLimit: v.FranchiseLimit,
		AddOns: v.AddOns,
	}, nil
}
