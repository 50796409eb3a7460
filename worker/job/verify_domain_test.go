package job_test

import (
	"context"
	"errors"
	"net/url"
	"testing"

	"github.com/jmoiron/sqlx"
	"github.com/riverqueue/river"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/password"
	"github.com/franchise360/franchise360/pkg/tenant"
	"github.com/franchise360/franchise360/pkg/testkit"
	"github.com/franchise360/franchise360/worker/job"
)

// proof is a name server that proves every domain with the token.
type proof struct {
	token string
	down  bool
}

func (p *proof) TXT(context.Context, string) ([]string, error) {
	if p.down {
		return nil, errors.New("server misbehaving")
	}
	return []string{"franchise360-verify=" + p.token}, nil
}

func (p *proof) Addresses(context.Context, string) ([]string, error) {
	return []string{"203.0.113.10"}, nil
}

func (p *proof) CAA(context.Context, string) ([]tenant.CAA, error) { return nil, nil }

// noPlans is a fake of billing that is never called.
type noPlans struct{}

func (noPlans) EntitlementTx(context.Context, *sqlx.Tx, string) (tenant.Entitlement, error) {
	return tenant.Entitlement{}, nil
}

func TestVerifyDomainJobs_ProveADomain(t *testing.T) {
	t.Parallel()
	db, clk := testkit.NewDatabase(t), testkit.NewClock()
	franchiserID, tenantID, domainID := id.New(), id.New(), id.New()
	_, err := db.Owner.Exec(`INSERT INTO franchisers (id, mobile, email, password_hash, terms_version, terms_accepted_at, created_at)
		VALUES ($1, '9876543210', 'a@example.in', 'x', '1', $2, $2)`, franchiserID, clk.Now())
	require.NoError(t, err)
	_, err = db.Owner.Exec(`INSERT INTO tenants (id, franchiser_id, store_name, store_type_id, store_username, store_password_hash,
		slug, created_at, updated_at) VALUES ($1, $2, 'Asha', 1, '9876543210', 'x', 'asha', $3, $3)`, tenantID, franchiserID, clk.Now())
	require.NoError(t, err)
	_, err = db.Owner.Exec(`INSERT INTO custom_domains (id, franchiser_id, tenant_id, domain, display, token, state, claimed_at,
		state_since, next_check_at) VALUES ($1, $2, $3, 'asha.in', 'asha.in', repeat('ab', 16), 'pending', $4, $4, $4)`,
		domainID, franchiserID, tenantID, clk.Now())
	require.NoError(t, err)

	config := tenant.Config{BaseDomain: "stores.example", Public: &url.URL{Scheme: "https", Host: "example"}, IPs: []string{"203.0.113.10"}}
	stores := tenant.NewService(tenant.Options{
		DB: db.Worker, Jobs: testkit.NewInserter(t, db.Worker), Clock: clk, Hasher: password.Cheap(1), Plans: noPlans{},
		Config: config, Logger: testkit.NewLogger(t),
	})
	dns := &proof{token: "abababababababababababababababab", down: true}
	verifier := tenant.NewVerifier(stores, dns, testkit.NewLogger(t))
	state := func() (s string) {
		require.NoError(t, db.Owner.Get(&s, `SELECT state FROM custom_domains`))
		return s
	}

	sweep := job.NewSweepDomains(verifier)
	require.NoError(t, sweep.Work(t.Context(), &river.Job[tenant.SweepDomainsArgs]{}))
	require.NoError(t, sweep.Work(t.Context(), &river.Job[tenant.SweepDomainsArgs]{}))
	var waiting int
	require.NoError(t, db.Owner.Get(&waiting, `SELECT count(*) FROM river_job WHERE kind = 'verify_domain' AND metadata->>'franchiser_id' = $1`, franchiserID))
	require.Equal(t, 1, waiting, "one look, and support finds it by its customer")

	look := job.NewVerifyDomain(verifier)
	run := func(which string) error {
		return look.Work(t.Context(), &river.Job[tenant.VerifyDomainArgs]{Args: tenant.VerifyDomainArgs{DomainID: which}})
	}
	require.NoError(t, run(domainID))
	require.Equal(t, "pending", state(), "no answer proves nothing")
	dns.down = false
	for range 2 {
		require.NoError(t, run(domainID))
		require.Equal(t, "active", state())
	}
	require.NoError(t, run(id.New()), "a domain that is gone is no failure")

	late, cancel := context.WithCancel(t.Context())
	cancel()
	require.Error(t, look.Work(late, &river.Job[tenant.VerifyDomainArgs]{Args: tenant.VerifyDomainArgs{DomainID: domainID}}))
	require.Equal(t, "active", state(), "a job that ran out of time changes nothing")
}
