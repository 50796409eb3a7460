package tenant_test

import (
	"strings"
	"testing"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/tenant"
)

// linked is a store whose custom domain is proven and leads here.
func (b bundle) linked(t *testing.T, mobile, name, domain string) (string, tenant.Store, tenant.CustomDomain) {
	t.Helper()
	f, s := b.store(t, mobile, name)
	d := b.claim(t, f, s, domain)
	b.answers(d)
	d = b.look(t, f, s, d.ID)
	require.Equal(t, tenant.DomainActive, d.State)
	return f, s, d
}

// Given a domain in an Indian script, then its page is found by either spelling, however a client writes the host.
func TestByHost_IndianDomain_IsFoundInEverySpelling(t *testing.T) {
	t.Parallel()
	b := setup(t)
	f, s, d := b.linked(t, "9876543210", "Asha Sweets", "आशा.भारत")
	require.Equal(t, "xn--m1b0hya.xn--h2brj9c", d.Domain)
	require.Equal(t, "आशा.भारत", d.Display)
	for _, host := range []string{"xn--m1b0hya.xn--h2brj9c", "XN--M1B0HYA.XN--H2BRJ9C", "xn--m1b0hya.xn--h2brj9c.", "आशा.भारत", "आशा.भारत."} {
		ref, ours, err := b.service.ByHost(t.Context(), host)
		require.NoError(t, err, host)
		require.False(t, ours)
		require.Equal(t, b.ref(f, s), ref, host)
		allowed, err := b.service.TLSAllowed(t.Context(), host)
		require.NoError(t, err)
		require.True(t, allowed, host)
	}
	got, _, err := b.service.Of(t.Context(), f)
	require.NoError(t, err)
	require.Equal(t, "https://xn--m1b0hya.xn--h2brj9c/dashboard/login", got.DashboardURL)
}

// Hosts that no store has, whatever their bytes, are not found and get no certificate.
func TestByHost_UnknownHost_IsNotFoundAndHasNoCertificate(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.linked(t, "9876543210", "Asha Sweets", shop)
	for name, host := range map[string]string{
		"below a custom domain": "mail." + shop, "above one": "ashasweets.in", "two dots": shop + "..", "a dot alone": ".", "a label": "shop",
		"port": shop + ":443", "space": shop + " ", "broken UTF-8": "\xff" + shop, "broken UTF-8 of ours": "\xff.stores.franchise360.in",
		"NUL": shop + "\x00", "NUL of ours": "asha-sweets\x00.stores.franchise360.in", "pattern": "%.ashasweets.in", "pattern of ours": "asha-sweet_.stores.franchise360.in",
		"quote": "' OR ''='.stores.franchise360.in", "254 letters": strings.Repeat("a.", 125) + "com", "10,000 letters": strings.Repeat("a.", 5_000) + "in",
		"10,000 letters of ours": strings.Repeat("a", 10_000) + ".stores.franchise360.in", "base without a slug": ".stores.franchise360.in",
		"look-alike": "ѕhop.ashasweets.in", "full width": "ｓｈｏｐ.ashasweets.in", "bad punycode": "xn--zz99999.in", "IPv6": "::1", "in brackets": "[::1]",
	} {
		_, _, err := b.service.ByHost(t.Context(), host)
		require.Equal(t, errs.KindNotFound, errs.KindOf(err), "%s: %v", name, err)
		allowed, err := b.service.TLSAllowed(t.Context(), host)
		require.NoError(t, err, name)
		require.False(t, allowed, name)
	}
}

func TestTLSAllowed_LinkedDomainWithOrWithoutWWW_IsAllowed(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.linked(t, "9876543210", "Asha Sweets", "ashasweets.in")
	b.linked(t, "9876543211", "Ravi Foods", "www.ravifoods.in")
	for host, twin := range map[string]string{"www.ashasweets.in": "ashasweets.in", "WWW.ashasweets.in.": "ashasweets.in", "ravifoods.in": "www.ravifoods.in"} {
		got, err := b.service.TwinDomain(t.Context(), host)
		require.NoError(t, err, host)
		require.Equal(t, twin, got)
		allowed, err := b.service.TLSAllowed(t.Context(), host)
		require.NoError(t, err)
		require.True(t, allowed, host)
	}
	for _, host := range []string{"www.www.ashasweets.in", "mail.ashasweets.in", "in", "www.in", "www.evil.example", "www."} {
		_, err := b.service.TwinDomain(t.Context(), host)
		require.Equal(t, errs.KindNotFound, errs.KindOf(err), host)
		allowed, err := b.service.TLSAllowed(t.Context(), host)
		require.NoError(t, err)
		require.False(t, allowed, host)
	}
}

func TestTLSAllowed_OurOwnNames(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for host, want := range map[string]bool{
		"www.franchise360.in": true, "WWW.Franchise360.IN.": true, "www.www.franchise360.in": true, "stores.franchise360.in": true,
		"franchise360.in": false, "api.franchise360.in": false, "www.stores.franchise360.in": false, "evilstores.franchise360.in": false,
		"www.franchise360.in.evil.example": false, ".": false, " ": false,
	} {
		got, err := b.service.TLSAllowed(t.Context(), host)
		require.NoError(t, err, host)
		require.Equal(t, want, got, host)
	}
}

// Given an account that is erased, then its own domain leads nowhere, and another store may have it.
func TestErasure_CustomDomain_BecomesFree(t *testing.T) {
	t.Parallel()
	b := setup(t)
	f, s, d := b.linked(t, "9876543210", "Asha Sweets", shop)
	token, err := b.service.SignIn(t.Context(), b.ref(f, s), "9876543210", storePassword, false)
	require.NoError(t, err)
	records := tenant.NewPersonalData(b.service)
	require.NoError(t, postgres.InTenantTx(t.Context(), b.db.API, f, func(tx *sqlx.Tx) error { return records.EraseTx(t.Context(), tx, f) }))

	for _, host := range []string{shop, s.Domain} {
		_, _, err = b.service.ByHost(t.Context(), host)
		require.Equal(t, errs.KindNotFound, errs.KindOf(err), host)
	}
	live, err := b.service.SignedIn(t.Context(), b.ref(f, s), token)
	require.NoError(t, err)
	require.Nil(t, live)
	require.Equal(t, errs.KindNotFound, errs.KindOf(b.service.ChangePassword(t.Context(), f, s.ID, "Other#2026", proved)))
	_, err = b.service.Store(t.Context(), b.ref(f, s))
	require.Equal(t, errs.KindNotFound, errs.KindOf(err))
	require.NoError(t, b.verifier.Verify(t.Context(), d.ID), "a look that was waiting does nothing")

	g, other := b.store(t, "9876543211", "Asha Sweets")
	require.Equal(t, "asha-sweets", other.Slug, "its default domain is free as well")
	mine := b.claim(t, g, other, shop)
	b.answers(mine)
	require.Equal(t, tenant.DomainActive, b.look(t, g, other, mine.ID).State)
}

// Given a second store of an account that was erased before and came back, then it is a store of its own.
func TestCreate_AfterErasure_MakesANewStore(t *testing.T) {
	t.Parallel()
	b := setup(t)
	f, _ := b.store(t, "9876543210", "Asha Sweets")
	records := tenant.NewPersonalData(b.service)
	require.NoError(t, postgres.InTenantTx(t.Context(), b.db.API, f, func(tx *sqlx.Tx) error { return records.EraseTx(t.Context(), tx, f) }))
	none, _, err := b.service.Of(t.Context(), f)
	require.NoError(t, err)
	require.Nil(t, none)
	_, err = b.service.Update(t.Context(), f, tenant.UpdateInput{Username: "9876543210", StoreName: "Asha", TypeID: "1"}, proved)
	require.Equal(t, errs.KindNotFound, errs.KindOf(err))
}

// Given a store type that no list has, then it is a fault of the field, however it is written.
func TestCreate_UnknownStoreType_IsRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	f := b.franchiser(t, "9876543210")
	for _, typeID := range []string{"0", "-1", "01", " 1", "1.0", "99999999999999999999", "१", "1\x00", "\xff", strings.Repeat("1", 10_000), "null"} {
		_, err := b.service.Create(t.Context(), f, tenant.CreateInput{
			Username: "9876543210", Password: storePassword, StoreName: "Asha", TypeID: typeID,
		})
		require.Equal(t, errs.KindInvalid, errs.KindOf(err), "%.30q: %v", typeID, err)
		require.Equal(t, []string{"Kindly choose one"}, errs.As(err).Fields["store_type"], "%.30q", typeID)
	}
	types, err := b.service.Types(t.Context())
	require.NoError(t, err)
	require.NotEmpty(t, types)
}

// Given a session in use, then its use is noted once a minute at most, and the sweep deletes it once it has ended.
func TestSession_UseIsRecordedOnceAMinuteAndEndIsSwept(t *testing.T) {
	t.Parallel()
	b := setup(t)
	f, s := b.store(t, "9876543210", "Asha Sweets")
	ref := b.ref(f, s)
	token, err := b.service.SignIn(t.Context(), ref, "9876543210", storePassword, false)
	require.NoError(t, err)
	seen := func() (at time.Time) {
		require.NoError(t, b.db.Owner.Get(&at, `SELECT seen_at FROM store_sessions`))
		return at.UTC()
	}
	first := b.clock.Now().UTC()
	for _, step := range []time.Duration{0, 30 * time.Second, 29 * time.Second} {
		b.clock.Advance(step)
		live, err := b.service.SignedIn(t.Context(), ref, token)
		require.NoError(t, err)
		require.NotNil(t, live)
		require.Equal(t, first, seen(), "not yet a minute")
	}
	b.clock.Advance(time.Second)
	_, err = b.service.SignedIn(t.Context(), ref, token)
	require.NoError(t, err)
	require.Equal(t, b.clock.Now().UTC(), seen())

	count := func() (n int) {
		require.NoError(t, b.db.Owner.Get(&n, `SELECT count(*) FROM store_sessions`))
		return n
	}
	b.clock.Advance(tenant.SessionLife - time.Minute - time.Second)
	require.NoError(t, b.verifier.Sweep(t.Context()))
	require.Equal(t, 1, count(), "a second before its end")
	b.clock.Advance(time.Second)
	require.NoError(t, b.verifier.Sweep(t.Context()))
	require.Zero(t, count())
}
