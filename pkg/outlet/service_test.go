package outlet_test

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"github.com/jmoiron/sqlx"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/outlet"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/tenant"
	"github.com/franchise360/franchise360/pkg/testkit"
)

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

type bundle struct {
	service *outlet.Service
	plans   *fakePlans
	db      *testkit.Database
	clock   *clock.Fake
}

func setup(t *testing.T) bundle {
	t.Helper()
	b := bundle{db: testkit.NewDatabase(t), clock: testkit.NewClock(), plans: &fakePlans{plan: tenant.Entitlement{
		Usable: true, PlanName: "Start up", ServiceName: "Expansion", FranchiseLimit: 3, Extension: "10 more franchises for ₹84,000 a year, before GST",
	}}}
	b.service = outlet.NewService(b.db.API, b.clock, b.plans)
	return b
}

// store makes a franchiser with a store.
func (b bundle) store(t *testing.T, mobile string) tenant.Ref {
	t.Helper()
	ref := tenant.Ref{FranchiserID: id.New(), TenantID: id.New()}
	_, err := b.db.Owner.Exec(`INSERT INTO franchisers (id, mobile, email, password_hash, terms_version, terms_accepted_at, created_at)
		VALUES ($1, $2, 'a@example.in', 'x', '1', $3, $3)`, ref.FranchiserID, mobile, b.clock.Now())
	require.NoError(t, err)
	_, err = b.db.Owner.Exec(`INSERT INTO tenants (id, franchiser_id, store_name, store_type_id, store_username, store_password_hash, slug,
		created_at, updated_at) VALUES ($1, $2, 'Asha Sweets', 1, $3, 'x', 's' || $3, $4, $4)`, ref.TenantID, ref.FranchiserID, mobile, b.clock.Now())
	require.NoError(t, err)
	return ref
}

func (b bundle) add(t *testing.T, ref tenant.Ref, name string) outlet.Outlet {
	t.Helper()
	o, err := b.service.Add(t.Context(), ref, outlet.Input{Name: name, City: "Pune"}, outlet.StatePlanned, "")
	require.NoError(t, err)
	return o
}

func TestAdd_ConcurrentRequestsForTheLastPlace_OneSucceeds(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ref := b.store(t, "9876543210")
	var wg sync.WaitGroup
	results := make(chan error, 10)
	for i := range 10 {
		wg.Go(func() {
			_, err := b.service.Add(t.Context(), ref, outlet.Input{Name: fmt.Sprintf("Outlet %d", i), City: "Pune"}, outlet.StateOpen, "")
			results <- err
		})
	}
	wg.Wait()
	close(results)
	added := 0
	for err := range results {
		if err == nil {
			added++
			continue
		}
		e := errs.As(err)
		require.Equal(t, errs.KindLimit, e.Kind)
		require.Equal(t, map[string]any{"current": 3, "limit": 3}, e.Data)
		require.Contains(t, e.Message, "10 more franchises for ₹84,000 a year, before GST", "what helps, and what it costs")
	}
	require.Equal(t, 3, added)
	require.NoError(t, postgres.InTenantTx(t.Context(), b.db.API, ref.FranchiserID, func(tx *sqlx.Tx) error {
		n, err := outlet.CountTx(t.Context(), tx, ref.FranchiserID)
		require.Equal(t, 3, n)
		return err
	}))
}

func TestPlaces_SmallerPlanKeepsOutletsAndClosedOnesDoNotCount(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ref := b.store(t, "9876543210")
	first := b.add(t, ref, "Camp")
	b.add(t, ref, "Kothrud")
	b.plans.set(func(e *tenant.Entitlement) { e.FranchiseLimit = 1 })

	o, err := b.service.Overview(t.Context(), ref)
	require.NoError(t, err)
	require.Equal(t, 2, o.All())
	require.Zero(t, o.Left())
	require.Contains(t, o.Refusal().Message, "You have 2 franchises and your plan allows 1. None is removed")
	_, err = b.service.Add(t.Context(), ref, outlet.Input{Name: "Baner", City: "Pune"}, outlet.StatePlanned, "")
	require.Equal(t, errs.KindLimit, errs.KindOf(err))

	b.plans.set(func(e *tenant.Entitlement) { e.FranchiseLimit = 2 })
	closed, err := b.service.Move(t.Context(), ref, first.ID, first.Revision, outlet.StateClosed)
	require.NoError(t, err)
	b.add(t, ref, "Baner")
	_, err = b.service.Move(t.Context(), ref, first.ID, closed.Revision, outlet.StateOpen)
	require.Equal(t, errs.KindLimit, errs.KindOf(err), "reopening takes a place")
	b.plans.set(func(e *tenant.Entitlement) { e.FranchiseLimit = 3 })
	_, err = b.service.Move(t.Context(), ref, first.ID, closed.Revision, outlet.StateOpen)
	require.NoError(t, err)

	b.plans.set(func(e *tenant.Entitlement) { e.Usable = false })
	_, err = b.service.Add(t.Context(), ref, outlet.Input{Name: "Aundh", City: "Pune"}, outlet.StatePlanned, "")
	require.Contains(t, errs.As(err).Message, "Renew it")
}

func TestAdd_SameKeyTwice_AddsOneOutlet(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ref := b.store(t, "9876543210")
	key, in := id.New(), outlet.Input{Name: "Camp", City: "Pune"}
	var wg sync.WaitGroup
	made := make(chan string, 5)
	for range 5 {
		wg.Go(func() {
			o, err := b.service.Add(t.Context(), ref, in, outlet.StatePlanned, key)
			if err == nil {
				made <- o.ID
			}
		})
	}
	wg.Wait()
	close(made)
	ids := map[string]int{}
	for one := range made {
		ids[one]++
	}
	require.Len(t, ids, 1)
	for _, n := range ids {
		require.Equal(t, 5, n, "each is told of the same outlet")
	}
	_, err := b.service.Add(t.Context(), ref, outlet.Input{Name: "Kothrud", City: "Pune"}, outlet.StatePlanned, key)
	require.Equal(t, "idempotency_key_reused", errs.As(err).Code)
}

func TestUpdate_OldRevision_IsRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ref := b.store(t, "9876543210")
	o := b.add(t, ref, "Camp")
	in := outlet.InputOf(o)
	in.Phone, in.PIN, in.StateID, in.Code = "+91 98765 43211", "411 001", "27", "pn-1"
	next, err := b.service.Update(t.Context(), ref, o.ID, o.Revision, in)
	require.NoError(t, err)
	require.Equal(t, []string{"9876543211", "411001", "PN-1"}, []string{next.Phone, next.PIN, next.Code})
	again, err := b.service.Update(t.Context(), ref, o.ID, o.Revision, in)
	require.NoError(t, err, "sent twice, it changes nothing more")
	require.Equal(t, next.Revision, again.Revision)

	in.City = "Nashik"
	_, err = b.service.Update(t.Context(), ref, o.ID, o.Revision, in)
	require.ErrorIs(t, err, outlet.ErrChanged)
	_, err = b.service.Move(t.Context(), ref, o.ID, next.Revision, outlet.StatePaused)
	require.ErrorIs(t, err, outlet.ErrState, "a planned one was never open")

	other := b.add(t, ref, "Kothrud")
	in = outlet.InputOf(other)
	in.Code = "PN-1"
	_, err = b.service.Update(t.Context(), ref, other.ID, other.Revision, in)
	require.ErrorIs(t, err, outlet.ErrCodeTaken)
	in.Code, in.Name = "", "camp"
	_, err = b.service.Update(t.Context(), ref, other.ID, other.Revision, in)
	require.ErrorIs(t, err, outlet.ErrNameTaken)

	found, history, err := b.service.Find(t.Context(), ref, o.ID)
	require.NoError(t, err)
	require.Equal(t, "Maharashtra", found.StateName)
	require.Len(t, history, 2)
	require.Equal(t, "Changed: code, phone, pin, state", history[0].Title())
	require.Equal(t, "Added as planned", history[1].Title())
	require.NotContains(t, string(history[0].Details), "9876543211", "never what was written")
}

func TestFind_OutletOfAnotherStore_IsNotFound(t *testing.T) {
	t.Parallel()
	b := setup(t)
	mine, theirs := b.store(t, "9876543210"), b.store(t, "9876543211")
	o := b.add(t, theirs, "Camp")
	mixed := tenant.Ref{FranchiserID: mine.FranchiserID, TenantID: theirs.TenantID}
	for name, ref := range map[string]tenant.Ref{"another franchiser": mine, "one's own with a foreign store": mixed} {
		_, _, err := b.service.Find(t.Context(), ref, o.ID)
		require.ErrorIs(t, err, errs.NotFound(), name)
		_, err = b.service.Update(t.Context(), ref, o.ID, o.Revision, outlet.Input{Name: "Mine", City: "Pune"})
		require.ErrorIs(t, err, errs.NotFound(), name)
		_, err = b.service.Move(t.Context(), ref, o.ID, o.Revision, outlet.StateOpen)
		require.ErrorIs(t, err, errs.NotFound(), name)
		p, err := b.service.List(t.Context(), ref, outlet.Query{})
		require.NoError(t, err, name)
		require.Empty(t, p.Outlets, name)
	}
	_, err := b.service.Add(t.Context(), mixed, outlet.Input{Name: "Mine", City: "Pune"}, outlet.StateOpen, "")
	require.ErrorIs(t, err, errs.NotFound())
	err = postgres.InTenantTx(t.Context(), b.db.API, mine.FranchiserID, func(tx *sqlx.Tx) error {
		_, err := tx.Exec(`INSERT INTO outlet_events (id, franchiser_id, tenant_id, actor, kind, at) VALUES ($1, $2, $3, 'owner', 'added', now())`,
			id.New(), theirs.FranchiserID, theirs.TenantID)
		return err
	})
	require.True(t, postgres.Violates(err, "42501", ""), "%v", err)
	_, err = b.db.Owner.Exec(`UPDATE outlet_events SET kind = 'moved'`)
	require.Error(t, err, "what happened stays")
}

func TestList_FiveThousandOutlets_PagesOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ref := b.store(t, "9876543210")
	_, err := b.db.Owner.Exec(`INSERT INTO franchises (id, franchiser_id, tenant_id, name, name_key, city, state, created_at)
		SELECT uuidv7(), $1, $2, 'Outlet ' || n, 'outlet ' || n, (ARRAY['Pune', 'nashik', 'Surat'])[n % 3 + 1],
			CASE WHEN n % 10 = 0 THEN 'planned' ELSE 'open' END, $3::timestamptz - make_interval(mins => n / 7)
		FROM generate_series(1, 5000) n`, ref.FranchiserID, ref.TenantID, b.clock.Now())
	require.NoError(t, err)
	for _, sort := range []outlet.Sort{outlet.SortNewest, outlet.SortName, outlet.SortCity} {
		seen, after := map[string]bool{}, ""
		for {
			p, err := b.service.List(t.Context(), ref, outlet.Query{Sort: sort, After: after, Limit: 500})
			require.NoError(t, err)
			require.Equal(t, 5000, p.Total)
			for _, o := range p.Outlets {
				require.False(t, seen[o.ID], "twice by %s", sort)
				seen[o.ID] = true
			}
			if after = p.Next; after == "" {
				break
			}
		}
		require.Len(t, seen, 5000, sort)
	}
	p, err := b.service.List(t.Context(), ref, outlet.Query{Search: "OUTLET 499", State: outlet.StateOpen, City: "Nashik"})
	require.NoError(t, err)
	require.Equal(t, 4, p.Total, "4990 is planned; of 499 and 4991 to 4999 those of Nashik")
	for _, odd := range []outlet.Query{{After: "x"}, {After: "e30"}, {Sort: "x", State: "x"}, {Search: "\x00"}} {
		p, err = b.service.List(t.Context(), ref, odd)
		require.NoError(t, err)
		require.Equal(t, 5000, p.Total, "what means nothing is ignored")
	}
	p, err = b.service.List(t.Context(), ref, outlet.Query{Search: "%"})
	require.NoError(t, err)
	require.Zero(t, p.Total, "a percent sign is a character")
}

func TestErasure_RemovesOutlets(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ref := b.store(t, "9876543210")
	_, err := b.service.Add(t.Context(), ref, outlet.Input{Name: "Camp", City: "Pune", Address: "12 MG Road", Phone: "9876500000"}, outlet.StateOpen, "")
	require.NoError(t, err)
	records := outlet.NewPersonalData(b.clock)
	require.NoError(t, postgres.InTenantTx(t.Context(), b.db.API, ref.FranchiserID, func(tx *sqlx.Tx) error {
		section, data, err := records.ExportTx(t.Context(), tx, ref.FranchiserID)
		require.Equal(t, "outlets", section)
		require.Equal(t, outlet.Section{
			Outlets:  []outlet.Export{{Name: "Camp", City: "Pune", Address: "12 MG Road", Phone: "9876500000", Status: outlet.StateOpen}},
			Partners: []outlet.PartnerExport{},
		}, data)
		if err != nil {
			return err
		}
		return records.EraseTx(t.Context(), tx, ref.FranchiserID)
	}))
	var left string
	require.NoError(t, b.db.Owner.Get(&left, `SELECT string_agg(f::text, '') FROM franchises f`))
	for _, gone := range []string{"Camp", "Pune", "MG Road", "9876500000"} {
		require.NotContains(t, left, gone)
	}
}
