package tenant_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/password"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/tenant"
	"github.com/franchise360/franchise360/pkg/testkit"
)

const storePassword = "Mango#2026"

type bundle struct {
	service  *tenant.Service
	verifier *tenant.Verifier
	dns      *fakeDNS
	plans    *fakePlans
	db       *testkit.Database
	clock    *clock.Fake
}

// fakePlans gives every franchiser the same plan.
type fakePlans struct {
	mu   sync.Mutex
	plan tenant.Entitlement
}

func (f *fakePlans) EntitlementTx(context.Context, *sqlx.Tx, string) (tenant.Entitlement, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.plan, nil
}

func (f *fakePlans) set(change func(e *tenant.Entitlement)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	change(&f.plan)
}

type fakeDNS struct {
	mu     sync.Mutex
	txt    map[string][]string
	ips    map[string][]string
	caa    map[string][]tenant.CAA
	failed bool
	asked  func() // runs while the next question is under way; may be nil
}

func (f *fakeDNS) TXT(_ context.Context, name string) ([]string, error) {
	f.mu.Lock()
	before, asked := f.txt[name], f.asked
	f.asked = nil
	f.mu.Unlock()
	if asked != nil {
		asked()
		return before, nil
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.failed {
		return nil, errors.New("server misbehaving")
	}
	return f.txt[name], nil
}

func (f *fakeDNS) Addresses(_ context.Context, host string) ([]string, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.ips[host], nil
}

func (f *fakeDNS) CAA(_ context.Context, name string) ([]tenant.CAA, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.caa[name], nil
}

func setup(t *testing.T) bundle {
	t.Helper()
	b := bundle{
		db: testkit.NewDatabase(t), clock: testkit.NewClock(),
		dns: &fakeDNS{txt: map[string][]string{}, ips: map[string][]string{}, caa: map[string][]tenant.CAA{}},
		plans: &fakePlans{plan: tenant.Entitlement{
			Usable: true, PlanName: "Start up", ServiceName: "Expansion", FranchiseLimit: 3,
		}},
	}
	logger := testkit.NewLogger(t)
	hasher := password.Cheap(4)
	b.service = tenant.NewService(tenant.Options{
		DB: b.db.API, Jobs: testkit.NewInserter(t, b.db.API), Clock: b.clock, Hasher: hasher, Plans: b.plans,
		Config: config(), Logger: logger,
	})
	worker := tenant.NewService(tenant.Options{
		DB: b.db.Worker, Jobs: testkit.NewInserter(t, b.db.Worker), Clock: b.clock, Hasher: hasher, Plans: b.plans,
		Config: config(), Logger: logger,
	})
	b.verifier = tenant.NewVerifier(worker, b.dns, logger)
	return b
}

// proved is the owner's proof, given.
func proved(context.Context) error { return nil }

// franchiser makes an account with the mobile.
func (b bundle) franchiser(t *testing.T, mobile string) string {
	t.Helper()
	f := id.New()
	_, err := b.db.Owner.Exec(`INSERT INTO franchisers (id, mobile, email, password_hash, terms_version, terms_accepted_at, created_at)
		VALUES ($1, $2, 'a@example.in', 'x', '1', $3, $3)`, f, mobile, b.clock.Now())
	require.NoError(t, err)
	return f
}

func (b bundle) store(t *testing.T, mobile, name string) (string, tenant.Store) {
	t.Helper()
	f := b.franchiser(t, mobile)
	s, err := b.service.Create(t.Context(), f, tenant.CreateInput{
		Username: mobile, Password: storePassword, StoreName: name, TypeID: "1",
	})
	require.NoError(t, err)
	return f, s
}

func (b bundle) ref(f string, s tenant.Store) tenant.Ref {
	return tenant.Ref{TenantID: s.ID, FranchiserID: f}
}

func TestCreate_NeedsAPlanAndWorksOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	f := b.franchiser(t, "9876543210")
	in := tenant.CreateInput{Username: "9876543210", Password: storePassword, StoreName: "Asha  Sweets ", TypeID: "4"}

	b.plans.set(func(e *tenant.Entitlement) { e.Usable = false }) // before the first plan, or after its end
	_, err := b.service.Create(t.Context(), f, in)
	require.ErrorIs(t, err, tenant.ErrPlanRequired)
	require.Equal(t, "/pricing", errs.As(err).Data["redirect_to"])
	b.plans.set(func(e *tenant.Entitlement) { e.Usable = true })

	none, username, err := b.service.Of(t.Context(), f)
	require.NoError(t, err)
	require.Nil(t, none)
	require.Equal(t, "9876543210", username)

	made, err := b.service.Create(t.Context(), f, in)
	require.NoError(t, err)
	require.Equal(t, "Asha Sweets", made.StoreName)
	require.Equal(t, "asha-sweets.stores.franchise360.in", made.Domain)
	require.Equal(t, "https://asha-sweets.stores.franchise360.in/dashboard/login", made.DashboardURL)
	require.Equal(t, "203.0.113.10", made.IPAddress)
	_, err = b.service.Create(t.Context(), f, in)
	require.ErrorIs(t, err, tenant.ErrExists)
}

func TestCreate_TwentyConcurrentRequests_MakeOneStore(t *testing.T) {
	t.Parallel()
	b := setup(t)
	f := b.franchiser(t, "9876543210")
	var wg sync.WaitGroup
	made := make(chan error, 20)
	for range 20 {
		wg.Go(func() {
			_, err := b.service.Create(t.Context(), f, tenant.CreateInput{
				Username: "9876543210", Password: storePassword, StoreName: "Asha Sweets", TypeID: "1",
			})
			made <- err
		})
	}
	wg.Wait()
	close(made)
	fine := 0
	for err := range made {
		if err == nil {
			fine++
			continue
		}
		require.ErrorIs(t, err, tenant.ErrExists)
	}
	require.Equal(t, 1, fine)
}

func TestCreate_SameNames_GetUniqueUnreservedDomains(t *testing.T) {
	t.Parallel()
	b := setup(t)
	seen := map[string]bool{}
	for i := range 12 {
		_, s := b.store(t, fmt.Sprintf("98765432%02d", i), "Asha Sweets")
		require.False(t, seen[s.Slug], s.Slug)
		seen[s.Slug] = true
		require.True(t, strings.HasPrefix(s.Slug, "asha-sweets"))
	}
	_, s := b.store(t, "9876543299", "Admin")
	require.Equal(t, "admin-store", s.Slug)
}

func TestCreate_InvalidField_HasItsMessage(t *testing.T) {
	t.Parallel()
	b := setup(t)
	f := b.franchiser(t, "9876543210")
	fine := tenant.CreateInput{Username: "9876543210", Password: storePassword, StoreName: "Asha", TypeID: "1"}
	for name, tc := range map[string]struct {
		change func(in *tenant.CreateInput)
		field  string
		want   string
	}{
		"name empty":   {func(in *tenant.CreateInput) { in.StoreName = " " }, "store_name", "Store Name can not be empty."},
		"name short":   {func(in *tenant.CreateInput) { in.StoreName = "A" }, "store_name", "Please use at least 2 characters"},
		"name script":  {func(in *tenant.CreateInput) { in.StoreName = "<script>" }, "store_name", "Please input alphanumeric characters only"},
		"name long":    {func(in *tenant.CreateInput) { in.StoreName = strings.Repeat("a", 51) }, "store_name", "Store Name should be 50 characters at most"},
		"type empty":   {func(in *tenant.CreateInput) { in.TypeID = "" }, "store_type", "Kindly choose one"},
		"type unknown": {func(in *tenant.CreateInput) { in.TypeID = "1 OR 1=1" }, "store_type", "Kindly choose one"},
		"not own":      {func(in *tenant.CreateInput) { in.Username = "9876543211" }, "store_username", "The store username is your mobile number"},
		"short":        {func(in *tenant.CreateInput) { in.Password = "Aa1#" }, "store_password", "Password needs at least 8 characters"},
	} {
		in := fine
		tc.change(&in)
		_, err := b.service.Create(t.Context(), f, in)
		require.Equal(t, map[string][]string{tc.field: {tc.want}}, errs.As(err).Fields, name)
	}
}

func TestUpdate_WithoutPassword_KeepsIt(t *testing.T) {
	t.Parallel()
	b := setup(t)
	f, s := b.store(t, "9876543210", "Asha Sweets")
	in := tenant.UpdateInput{Username: "9876543210", StoreName: "Asha Bakes", TypeID: "4"}
	got, err := b.service.Update(t.Context(), f, in, proved)
	require.NoError(t, err)
	require.Equal(t, "Asha Bakes", got.StoreName)
	require.Equal(t, s.Domain, got.Domain, "a renamed store keeps its domain")
	_, err = b.service.Update(t.Context(), b.franchiser(t, "9876543211"), tenant.UpdateInput{}, proved)
	require.Equal(t, errs.KindNotFound, errs.KindOf(err))
}

// Given a password in the update, then it is judged and set as by the call that sets nothing else, with the sign-ins ended.
func TestUpdate_WithPassword_SetsItAndEndsSessions(t *testing.T) {
	t.Parallel()
	b := setup(t)
	f, s := b.store(t, "9876543210", "Asha Sweets")
	ref := b.ref(f, s)
	token, err := b.service.SignIn(t.Context(), ref, "9876543210", storePassword, false)
	require.NoError(t, err)

	in := tenant.UpdateInput{Username: "9876543210", Password: "short", StoreName: "Asha Bakes", TypeID: "4"}
	_, err = b.service.Update(t.Context(), f, in, proved)
	require.Contains(t, errs.As(err).Fields, "store_password")
	kept, _, err := b.service.Of(t.Context(), f)
	require.NoError(t, err)
	require.Equal(t, "Asha Sweets", kept.StoreName, "all or nothing")

	in.Password = "Mango#2031"
	_, err = b.service.Update(t.Context(), f, in, proved)
	require.NoError(t, err)
	_, err = b.service.SignIn(t.Context(), ref, "9876543210", storePassword, false)
	require.ErrorIs(t, err, tenant.ErrWrongLogin)
	_, err = b.service.SignIn(t.Context(), ref, "9876543210", "Mango#2031", false)
	require.NoError(t, err)
	live, err := b.service.SignedIn(t.Context(), ref, token)
	require.NoError(t, err)
	require.Nil(t, live, "the earlier sign-in has ended")
}

func TestSignIn_AtTheStoresPage(t *testing.T) {
	t.Parallel()
	b := setup(t)
	f, s := b.store(t, "9876543210", "Asha Sweets")
	g, other := b.store(t, "9876543211", "Bela Bakes")
	ref, strangers := b.ref(f, s), b.ref(g, other)

	for _, wrong := range [][2]string{{"9876543210", "Wrong#2026"}, {"9876543211", storePassword}, {"", ""}} {
		_, err := b.service.SignIn(t.Context(), ref, wrong[0], wrong[1], false)
		require.ErrorIs(t, err, tenant.ErrWrongLogin)
	}
	token, err := b.service.SignIn(t.Context(), ref, "9876543210", storePassword, false)
	require.NoError(t, err)
	signedIn := func(r tenant.Ref, token string) bool {
		live, err := b.service.SignedIn(t.Context(), r, token)
		require.NoError(t, err)
		return live != nil
	}
	require.True(t, signedIn(ref, token))
	require.False(t, signedIn(strangers, token), "another store knows nothing of it")
	require.False(t, signedIn(tenant.Ref{TenantID: other.ID, FranchiserID: f}, token))
	require.False(t, signedIn(ref, ""))
	var stored []byte
	require.NoError(t, b.db.Owner.Get(&stored, `SELECT token_hash FROM store_sessions`))
	require.NotContains(t, string(stored), token)

	for end := b.clock.Now().Add(tenant.SessionLife - time.Minute); b.clock.Now().Before(end); {
		b.clock.Advance(min(tenant.IdleLife-time.Second, end.Sub(b.clock.Now())))
		require.True(t, signedIn(ref, token), "in use")
	}
	b.clock.Advance(time.Minute)
	require.False(t, signedIn(ref, token))
	token, err = b.service.SignIn(t.Context(), ref, "9876543210", storePassword, false)
	require.NoError(t, err)
	b.clock.Advance(tenant.IdleLife)
	require.False(t, signedIn(ref, token), "not in use")
	token, err = b.service.SignIn(t.Context(), ref, "9876543210", storePassword, false)
	require.NoError(t, err)
	require.NoError(t, b.service.SignOut(t.Context(), strangers, token))
	require.True(t, signedIn(ref, token))
	require.NoError(t, b.service.SignOut(t.Context(), ref, token))
	require.False(t, signedIn(ref, token))
}

func TestChangePassword_EndsSessions(t *testing.T) {
	t.Parallel()
	b := setup(t)
	f, s := b.store(t, "9876543210", "Asha Sweets")
	g, _ := b.store(t, "9876543211", "Bela Bakes")
	token, err := b.service.SignIn(t.Context(), b.ref(f, s), "9876543210", storePassword, false)
	require.NoError(t, err)

	for _, unknown := range []string{s.ID, id.New()} { // another store, and an unknown one
		err := b.service.ChangePassword(t.Context(), g, unknown, "Other#2026", proved)
		require.Equal(t, errs.KindNotFound, errs.KindOf(err))
	}
	err = b.service.ChangePassword(t.Context(), f, s.ID, "short", proved)
	require.NotEmpty(t, errs.As(err).Fields["password"])
	require.NoError(t, b.service.ChangePassword(t.Context(), f, s.ID, "Other#2026", proved))
	live, err := b.service.SignedIn(t.Context(), b.ref(f, s), token)
	require.NoError(t, err)
	require.Nil(t, live)
	_, err = b.service.SignIn(t.Context(), b.ref(f, s), "9876543210", storePassword, false)
	require.ErrorIs(t, err, tenant.ErrWrongLogin)
	_, err = b.service.SignIn(t.Context(), b.ref(f, s), "9876543210", "Other#2026", false)
	require.NoError(t, err)
}

func TestByHost_LeadsOnlyToItsStore(t *testing.T) {
	t.Parallel()
	b := setup(t)
	f, s := b.store(t, "9876543210", "Asha Sweets")
	for _, host := range []string{"asha-sweets.stores.franchise360.in", "ASHA-sweets.Stores.franchise360.IN."} {
		ref, ours, err := b.service.ByHost(t.Context(), host)
		require.NoError(t, err)
		require.True(t, ours)
		require.Equal(t, b.ref(f, s), ref)
	}
	for _, host := range []string{"nobody.stores.franchise360.in", "x.asha-sweets.stores.franchise360.in", "shop.ashasweets.in", "localhost", "", "127.0.0.1", "a\x00.in"} {
		_, _, err := b.service.ByHost(t.Context(), host)
		require.Equal(t, errs.KindNotFound, errs.KindOf(err), host)
	}
	for host, want := range map[string]bool{
		"asha-sweets.stores.franchise360.in": true, "www.franchise360.in": true, "stores.franchise360.in": true,
		"nobody.stores.franchise360.in": false, "evil.example": false, "": false,
	} {
		allowed, err := b.service.TLSAllowed(t.Context(), host)
		require.NoError(t, err)
		require.Equal(t, want, allowed, host)
	}
}

func TestErasureAndMobileChange_UpdateTheStore(t *testing.T) {
	t.Parallel()
	b := setup(t)
	f, s := b.store(t, "9876543210", "Asha Sweets")
	ref, records := b.ref(f, s), tenant.NewPersonalData(b.service)
	token, err := b.service.SignIn(t.Context(), ref, "9876543210", storePassword, false)
	require.NoError(t, err)
	in := func(fn func(tx *sqlx.Tx) error) {
		require.NoError(t, postgres.InTenantTx(t.Context(), b.db.API, f, fn))
	}
	in(func(tx *sqlx.Tx) error {
		section, data, err := records.ExportTx(t.Context(), tx, f)
		require.Equal(t, "store", section)
		require.Equal(t, "Asha Sweets", data.(tenant.Export).StoreName)
		return err
	})
	in(func(tx *sqlx.Tx) error { return records.MoveTx(t.Context(), tx, f, "9876543219") })
	live, err := b.service.SignedIn(t.Context(), ref, token)
	require.NoError(t, err)
	require.Nil(t, live)
	_, err = b.service.SignIn(t.Context(), ref, "9876543219", storePassword, false)
	require.NoError(t, err)

	in(func(tx *sqlx.Tx) error { return records.EraseTx(t.Context(), tx, f) })
	_, _, err = b.service.ByHost(t.Context(), s.Domain)
	require.Equal(t, errs.KindNotFound, errs.KindOf(err))
	_, err = b.service.SignIn(t.Context(), ref, "9876543219", storePassword, false)
	require.ErrorIs(t, err, tenant.ErrWrongLogin)
	var left string
	require.NoError(t, b.db.Owner.Get(&left, `SELECT t::text FROM tenants t`))
	for _, personal := range []string{"Asha", "asha", "98765"} {
		require.NotContains(t, left, personal)
	}
	in(func(tx *sqlx.Tx) error {
		_, data, err := records.ExportTx(t.Context(), tx, f)
		require.Nil(t, data)
		return err
	})
}
