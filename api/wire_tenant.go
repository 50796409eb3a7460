package main

import (
	"context"
	"fmt"
	"log/slog"
	"runtime"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/adapter/places/gazetteer"
	"github.com/franchise360/franchise360/pkg/adapter/places/google"
	"github.com/franchise360/franchise360/pkg/adapter/places/photon"
	"github.com/franchise360/franchise360/pkg/address"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/config"
	"github.com/franchise360/franchise360/pkg/platform/log"
	"github.com/franchise360/franchise360/pkg/platform/password"
	"github.com/franchise360/franchise360/pkg/subscription"
	"github.com/franchise360/franchise360/pkg/tenant"
)

// newPlaces builds the provider of address suggestions. In production the embedded list is loaded in the background, so
// that the first person who searches does not wait half a second for it.
func newPlaces(ctx context.Context, cfg config.Config, logger *slog.Logger) (address.Places, error) {
	switch cfg.Places.Provider {
	case "gazetteer":
		g := gazetteer.New()
		if cfg.Development {
			return g, nil
		}
		go func() {
			if err := g.Warm(); err != nil {
				logger.ErrorContext(ctx, "gazetteer cannot be read", log.Error(err))
			}
		}()
		return g, nil
	case "google":
		return google.New(cfg.Places.GoogleURL, cfg.Places.GoogleKey)
	case "photon":
		return photon.New(cfg.Places.PhotonURL)
	}
	return nil, fmt.Errorf("PLACES_PROVIDER: want gazetteer, google or photon, not %q", cfg.Places.Provider)
}

// newTenants builds the stores of franchisers.
func newTenants(cfg config.Config, d *deps, subs *subscription.Service, logger *slog.Logger) *tenant.Service {
	return tenant.NewService(d.DB, d.Jobs, d.Clock, password.NewHasher(runtime.GOMAXPROCS(0)), entitled{subs}, tenant.Config{
		BaseDomain: cfg.TenantBaseDomain, Public: cfg.PublicURL, IPs: cfg.TenantIPs,
	}, logger)
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
