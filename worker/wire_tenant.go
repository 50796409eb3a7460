package main

import (
	"log/slog"

	"github.com/riverqueue/river"

	"github.com/franchise360/franchise360/pkg/adapter/dns"
	"github.com/franchise360/franchise360/pkg/platform/config"
	"github.com/franchise360/franchise360/pkg/tenant"
	"github.com/franchise360/franchise360/worker/job"
)

// newTenants builds the stores for background work, which signs nobody in and asks for no plan.
func newTenants(cfg config.Config, d *deps, logger *slog.Logger) *tenant.Service {
	return tenant.NewService(d.DB, d.Jobs, d.Clock, nil, nil, tenant.Config{
		BaseDomain: cfg.TenantBaseDomain, Public: cfg.PublicURL, IPs: cfg.TenantIPs,
	}, logger)
}

// addTenantWorkers adds the checks of custom domains.
func addTenantWorkers(workers *river.Workers, cfg config.Config, stores *tenant.Service, logger *slog.Logger) {
	verifier := tenant.NewVerifier(stores, dns.New(cfg.DNSServer), logger)
	river.AddWorker(workers, job.NewVerifyDomain(verifier))
	river.AddWorker(workers, job.NewSweepDomains(verifier))
}
