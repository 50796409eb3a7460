package tenant

// VerifyDomainArgs asks DNS about one custom domain.
type VerifyDomainArgs struct {
	DomainID string `json:"domain_id"`
}

// Kind names the job.
func (VerifyDomainArgs) Kind() string { return "verify_domain" }

// SweepDomainsArgs enqueues a look at every custom domain that is due, and forgets sessions that ended.
type SweepDomainsArgs struct{}

// Kind names the job.
func (SweepDomainsArgs) Kind() string { return "sweep_domains" }
