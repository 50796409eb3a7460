package subscription

import (
	"context"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/plan"
)

// View is a subscription with its present content.
type View struct {
	Subscription
	Tier     plan.Tier
	Features []plan.Feature
	// AddOns are those in force today. FranchiseLimit is the tier's limit plus extensions.
	AddOns         []AddOn
	FranchiseLimit int
	// Change is the change scheduled for the renewal, or nil. ViewTx does not read it.
	Change *ScheduledChange
}

// ViewTx reads the franchiser's subscription with its present content, nil before the first plan.
func (s *Service) ViewTx(ctx context.Context, tx *sqlx.Tx, franchiserID string) (*View, error) {
	sub, err := s.store.subscription(ctx, tx, franchiserID)
	if err != nil || sub == nil {
		return nil, err
	}
	owned, err := s.store.addOns(ctx, tx, franchiserID, sub.ID)
	if err != nil {
		return nil, err
	}
	c, err := s.plans.RevisionTx(ctx, tx, sub.CatalogueRevision)
	if err != nil {
		return nil, err
	}
	return viewOf(*sub, c, owned, DayOf(s.clock.Now())), nil
}

func viewOf(sub Subscription, c *plan.Catalogue, owned []AddOn, today Day) *View {
	tier, _ := c.Tier(sub.ServiceID)
	bought, _ := c.Plan(sub.PlanID)
	v := &View{
		Subscription: sub, Tier: tier, Features: bought.Features, FranchiseLimit: tier.FranchiseLimit, AddOns: []AddOn{},
	}
	for _, a := range owned {
		if a.StartsOn > today {
			continue // begins with the prepaid next term
		}
		v.AddOns = append(v.AddOns, a)
		if a.Key == plan.KeyFranchiseExtension {
			v.FranchiseLimit += a.Limit
		}
	}
	return v
}

// ScheduledChange is a change scheduled for the renewal, with its effects.
type ScheduledChange struct {
	Change
	// Tier is the new plan; On is its first day.
	Tier plan.Tier
	On   Day
	// Dropped are the owned add-ons that end because of it, without a cancellation.
	Dropped []AddOn
	// FranchiseLimit is the new franchise limit.
	FranchiseLimit int
}
