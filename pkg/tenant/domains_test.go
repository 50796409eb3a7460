package tenant_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/tenant"
)

const shop = "shop.ashasweets.in"

func (b bundle) claim(t *testing.T, f string, s tenant.Store, domain string) tenant.CustomDomain {
	t.Helper()
	got, err := b.service.SetDomain(t.Context(), f, s.ID, domain)
	require.NoError(t, err)
	require.NotNil(t, got.Custom)
	return *got.Custom
}

func (b bundle) look(t *testing.T, f string, s tenant.Store, domainID string) tenant.CustomDomain {
	t.Helper()
	require.NoError(t, b.verifier.Verify(t.Context(), domainID))
	got, err := b.service.Domain(t.Context(), f, s.ID)
	require.NoError(t, err)
	return *got.Custom
}

// answers makes DNS prove the claim and point here.
func (b bundle) answers(d tenant.CustomDomain) {
	b.dns.mu.Lock()
	defer b.dns.mu.Unlock()
	b.dns.txt[d.ProofName()] = []string{"v=spf1 -all", d.ProofValue()}
	b.dns.ips[d.Domain] = []string{"203.0.113.10", "2001:db8::10"}
}

func (b bundle) waitingLooks(t *testing.T) int {
	t.Helper()
	var n int
	require.NoError(t, b.db.Owner.Get(&n, `SELECT count(*) FROM river_job WHERE kind = 'verify_domain'`))
	return n
}

func TestVerify_RecordsAppearAndVanish_MovesTheDomainBetweenItsStates(t *testing.T) {
	t.Parallel()
	b := setup(t)
	f, s := b.store(t, "9876543210", "Asha Sweets")
	d := b.claim(t, f, s, "Shop.AshaSweets.in")
	require.Equal(t, tenant.DomainPending, d.State)
	require.Equal(t, 1, b.waitingLooks(t))
	records := d.Records(config().IPs)
	require.Equal(t, "_franchise360.shop.ashasweets.in", records[0].Name)
	require.Equal(t, "franchise360-verify="+d.Token, records[0].Value)
	require.Equal(t, []string{"TXT", "A", "AAAA"}, []string{records[0].Type, records[1].Type, records[2].Type})

	d = b.look(t, f, s, d.ID)
	require.Equal(t, tenant.DomainPending, d.State)
	require.Contains(t, d.Reason, "not found yet")
	require.NotNil(t, d.CheckedAt)
	require.Equal(t, b.clock.Now().Add(time.Minute), *d.NextCheckAt)

	b.dns.txt[d.ProofName()] = []string{d.ProofValue()}
	b.dns.ips[d.Domain] = []string{"198.51.100.4", "10.0.0.1"}
	d = b.look(t, f, s, d.ID)
	require.Equal(t, tenant.DomainPending, d.State, "proven, but its visitors go elsewhere")
	require.NotNil(t, d.VerifiedAt)
	require.Contains(t, d.Reason, "points elsewhere")
	require.True(t, d.Records(config().IPs)[0].Matches)
	require.False(t, d.Records(config().IPs)[1].Matches)
	require.Equal(t, []string{"10.0.0.1", "198.51.100.4"}, d.Records(config().IPs)[1].Found)

	b.answers(d)
	d = b.look(t, f, s, d.ID)
	require.Equal(t, tenant.DomainActive, d.State)
	require.Empty(t, d.Reason)
	store, _, err := b.service.Of(t.Context(), f)
	require.NoError(t, err)
	require.Equal(t, "https://"+shop+"/dashboard/login", store.DashboardURL)
	ref, ours, err := b.service.ByHost(t.Context(), shop)
	require.NoError(t, err)
	require.False(t, ours)
	require.Equal(t, b.ref(f, s), ref)
	allowed, err := b.service.TLSAllowed(t.Context(), shop)
	require.NoError(t, err)
	require.True(t, allowed)

	b.dns.failed = true // no answer proves nothing
	b.clock.Advance(6 * time.Hour)
	d = b.look(t, f, s, d.ID)
	require.Equal(t, tenant.DomainActive, d.State)
	require.Contains(t, d.Reason, "did not answer")
	b.dns.failed = false

	delete(b.dns.txt, d.ProofName())
	d = b.look(t, f, s, d.ID)
	require.Equal(t, tenant.DomainActive, d.State, "one miss")
	_, _, err = b.service.ByHost(t.Context(), shop)
	require.NoError(t, err, "the store answers meanwhile")
	allowed, err = b.service.TLSAllowed(t.Context(), shop)
	require.NoError(t, err)
	require.True(t, allowed)
	b.clock.Advance(6 * time.Hour)
	d = b.look(t, f, s, d.ID)
	require.Equal(t, tenant.DomainBroken, d.State)
	require.Nil(t, d.VerifiedAt)
	require.Contains(t, d.Reason, "The TXT record is gone.")
	_, _, err = b.service.ByHost(t.Context(), shop)
	require.Equal(t, errs.KindNotFound, errs.KindOf(err), "no page and no certificate without proof")
	store, _, err = b.service.Of(t.Context(), f)
	require.NoError(t, err)
	require.Equal(t, "https://asha-sweets.stores.franchise360.in/dashboard/login", store.DashboardURL)

	b.answers(d)
	require.Equal(t, tenant.DomainActive, b.look(t, f, s, d.ID).State)
}

func TestVerify_ProofUnderTheDoubledDomain_IsExplained(t *testing.T) {
	t.Parallel()
	b := setup(t)
	f, s := b.store(t, "9876543210", "Asha Sweets")
	d := b.claim(t, f, s, shop)
	const twice = "_franchise360.shop.ashasweets.in.ashasweets.in"
	b.dns.txt[twice] = []string{"franchise360-verify=another"}
	require.Contains(t, b.look(t, f, s, d.ID).Reason, "not found yet", "somebody else's")
	b.dns.txt[twice] = []string{d.ProofValue()}
	d = b.look(t, f, s, d.ID)
	require.Equal(t, tenant.DomainPending, d.State, "it proves nothing there")
	require.Nil(t, d.VerifiedAt)
	require.Contains(t, d.Reason, "Enter the short name instead.")
	b.answers(d)
	require.Equal(t, tenant.DomainActive, b.look(t, f, s, d.ID).State)
}

// Given an owner who enters the records and asks for another check during one, then the check runs again and shows the new records.
func TestVerify_RecheckRequestedDuringACheck_RunsAgain(t *testing.T) {
	t.Parallel()
	b := setup(t)
	f, s := b.store(t, "9876543210", "Asha Sweets")
	d := b.claim(t, f, s, shop)
	require.NotNil(t, d.AskedAt)
	b.dns.asked = func() {
		b.clock.Advance(time.Second)
		b.answers(d)
		require.NotNil(t, b.claim(t, f, s, shop).AskedAt)
	}
	d = b.look(t, f, s, d.ID)
	require.Equal(t, tenant.DomainActive, d.State)
	require.Nil(t, d.AskedAt, "nobody waits any more")

	d = b.claim(t, f, s, shop)
	require.NotNil(t, d.AskedAt, "asked for while nothing runs")
	require.Nil(t, b.look(t, f, s, d.ID).AskedAt)
}

func TestClaim_OnlyAVerifiedOneBlocksOthers(t *testing.T) {
	t.Parallel()
	b := setup(t)
	f, s := b.store(t, "9876543210", "Asha Sweets")
	g, other := b.store(t, "9876543211", "Bela Bakes")
	squatter := b.claim(t, g, other, shop)
	d := b.claim(t, f, s, shop)
	b.answers(d)
	require.Equal(t, tenant.DomainActive, b.look(t, f, s, d.ID).State)
	require.Equal(t, tenant.DomainPending, b.look(t, g, other, squatter.ID).State)

	// asking for it now is refused, and has the holder's proof checked again
	before := b.waitingLooks(t)
	_, err := b.service.SetDomain(t.Context(), g, other.ID, shop)
	require.ErrorIs(t, err, tenant.ErrDomainTaken)
	require.Equal(t, before, b.waitingLooks(t), "the holder's look is waiting already")

	// even with its own proof in DNS, the second claim waits while the first one's proof is there
	b.dns.txt[d.ProofName()] = []string{d.ProofValue(), squatter.ProofValue()}
	second := b.look(t, g, other, squatter.ID)
	require.Equal(t, tenant.DomainPending, second.State)
	require.Contains(t, second.Reason, "Another store")

	// the domain changed hands: the first proof is gone, the second is there
	b.dns.txt[d.ProofName()] = []string{squatter.ProofValue()}
	require.Equal(t, tenant.DomainActive, b.look(t, f, s, d.ID).State, "a first miss")
	b.clock.Advance(6 * time.Hour)
	require.Equal(t, tenant.DomainBroken, b.look(t, f, s, d.ID).State)
	require.Equal(t, tenant.DomainActive, b.look(t, g, other, squatter.ID).State)
	ref, _, err := b.service.ByHost(t.Context(), shop)
	require.NoError(t, err)
	require.Equal(t, b.ref(g, other), ref)
}

func TestSetDomain_ForeignStoreOrInvalidName_IsRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	f, s := b.store(t, "9876543210", "Asha Sweets")
	g, other := b.store(t, "9876543211", "Bela Bakes")
	for _, unknown := range []string{other.ID, id.New()} {
		_, err := b.service.SetDomain(t.Context(), f, unknown, shop)
		require.Equal(t, errs.KindNotFound, errs.KindOf(err))
		_, err = b.service.Domain(t.Context(), f, unknown)
		require.Equal(t, errs.KindNotFound, errs.KindOf(err))
		_, err = b.service.RemoveDomain(t.Context(), f, unknown)
		require.Equal(t, errs.KindNotFound, errs.KindOf(err))
	}
	theirs, err := b.service.Domain(t.Context(), g, other.ID)
	require.NoError(t, err)
	require.Nil(t, theirs.Custom, "nothing was written")
	_, err = b.service.SetDomain(t.Context(), f, s.ID, "bela-bakes.stores.franchise360.in")
	require.Equal(t, errs.KindInvalid, errs.KindOf(err))
	_, err = b.service.RemoveDomain(t.Context(), f, s.ID)
	require.ErrorIs(t, err, tenant.ErrNoCustomDomain)

	first := b.claim(t, f, s, shop)
	second := b.claim(t, f, s, "ashabakes.in")
	require.NotEqual(t, first.ID, second.ID)
	require.NotEqual(t, first.Token, second.Token)
	require.NoError(t, b.verifier.Verify(t.Context(), first.ID), "a look at what is gone does nothing")
	again := b.claim(t, f, s, "ashabakes.in")
	require.Equal(t, second.Token, again.Token, "asking again keeps the records that were entered already")
	removed, err := b.service.RemoveDomain(t.Context(), f, s.ID)
	require.NoError(t, err)
	require.Nil(t, removed.Custom)
}

func TestSweep_DueDomain_IsCheckedOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	f, s := b.store(t, "9876543210", "Asha Sweets")
	d := b.claim(t, f, s, shop)
	_, err := b.db.Owner.Exec(`DELETE FROM river_job`)
	require.NoError(t, err)
	require.NoError(t, b.verifier.Sweep(t.Context()))
	require.Zero(t, b.waitingLooks(t), "not due yet")
	b.clock.Advance(time.Minute)
	require.NoError(t, b.verifier.Sweep(t.Context()))
	require.NoError(t, b.verifier.Sweep(t.Context()))
	require.Equal(t, 1, b.waitingLooks(t))

	// nobody proves it for a month: it is not checked until somebody asks again
	b.clock.Advance(31 * 24 * time.Hour)
	d = b.look(t, f, s, d.ID)
	require.Nil(t, d.NextCheckAt)
	d = b.claim(t, f, s, shop)
	require.NotNil(t, d.NextCheckAt)
}

func TestVerify_HugeDNSAnswer_IsStoredCut(t *testing.T) {
	t.Parallel()
	b := setup(t)
	f, s := b.store(t, "9876543210", "Asha Sweets")
	d := b.claim(t, f, s, shop)
	var flood []string
	for range 1000 {
		flood = append(flood, strings.Repeat("\x00\xff<script>", 1000))
	}
	b.dns.txt[d.ProofName()] = flood
	d = b.look(t, f, s, d.ID)
	require.Len(t, d.FoundTXT, 16)
	require.Len(t, d.FoundTXT[0], 255)
	require.NotContains(t, d.FoundTXT[0], "\x00")
}

func TestVerify_CAARecordsAtOrAboveTheDomain_TheNearestCount(t *testing.T) {
	t.Parallel()
	b := setup(t)
	f, s := b.store(t, "9876543210", "Asha Sweets")
	d := b.claim(t, f, s, shop)
	b.answers(d)
	b.dns.caa["ashasweets.in"] = []tenant.CAA{{Tag: "issue", Value: "digicert.com"}}
	d = b.look(t, f, s, d.ID)
	require.Equal(t, tenant.DomainPending, d.State)
	require.Equal(t, "ashasweets.in", d.CAAName)
	require.Equal(t, []string{`0 issue "digicert.com"`}, d.FoundCAA)

	b.dns.caa[shop] = []tenant.CAA{{Tag: "issue", Value: "letsencrypt.org"}}
	d = b.look(t, f, s, d.ID)
	require.Equal(t, tenant.DomainActive, d.State, "the parent's records do not count")
	require.Empty(t, d.CAAName)

	delete(b.dns.caa, shop)
	b.dns.caa["in"] = []tenant.CAA{{Tag: "issue", Value: ";"}}
	b.dns.caa["ashasweets.in"] = []tenant.CAA{{Tag: "issue", Value: "digicert.com"}, {Tag: "issue", Value: "letsencrypt.org"}}
	require.Equal(t, tenant.DomainActive, b.look(t, f, s, d.ID).State)
}
