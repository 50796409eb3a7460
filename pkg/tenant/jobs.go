package tenant

// VerifyDomainArgs queries DNS for one custom domain.
type VerifyDomainArgs struct {
	DomainID string `json:"domain_id"`
}

// Kind returns the job's kind.
func (VerifyDomainArgs) Kind() string { return "verify_domain" }

// SweepDomainsArgs enqueues a check of every custom domain that is due, and deletes expired sessions.
type SweepDomainsArgs struct{}

// Kind returns the job's kind.
func (SweepDomainsArgs) Kind() string { return "sweep_domains" }
