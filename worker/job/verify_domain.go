package job

import (
	"context"
	"time"

	"github.com/riverqueue/river"

	"github.com/franchise360/franchise360/pkg/tenant"
)

// VerifyDomain queries DNS for one custom domain.
type VerifyDomain struct {
	river.WorkerDefaults[tenant.VerifyDomainArgs]
	verifier *tenant.Verifier
}

// NewVerifyDomain returns the worker over the verifier.
func NewVerifyDomain(v *tenant.Verifier) *VerifyDomain { return &VerifyDomain{verifier: v} }

// Timeout leaves room for both queries and their retries.
func (*VerifyDomain) Timeout(*river.Job[tenant.VerifyDomainArgs]) time.Duration {
	return 20 * time.Second
}

// Work checks the domain; its sweep checks it again, so a failure is not retried for long.
func (w *VerifyDomain) Work(ctx context.Context, j *river.Job[tenant.VerifyDomainArgs]) error {
	return w.verifier.Verify(ctx, j.Args.DomainID)
}

// SweepDomains enqueues a check of each custom domain that is due.
type SweepDomains struct {
	river.WorkerDefaults[tenant.SweepDomainsArgs]
	verifier *tenant.Verifier
}

// NewSweepDomains returns the worker over the verifier.
func NewSweepDomains(v *tenant.Verifier) *SweepDomains { return &SweepDomains{verifier: v} }

// Timeout bounds the sweep, which runs again every minute.
func (*SweepDomains) Timeout(*river.Job[tenant.SweepDomainsArgs]) time.Duration {
	return 30 * time.Second
}

// Work enqueues the due checks.
func (w *SweepDomains) Work(ctx context.Context, _ *river.Job[tenant.SweepDomainsArgs]) error {
	return w.verifier.Sweep(ctx)
}
