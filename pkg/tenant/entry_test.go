package tenant_test

import (
	"net/url"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/account"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/tenant"
)

// code returns the secret of a link.
func code(t *testing.T, e tenant.Entry) string {
	t.Helper()
	at, err := url.Parse(e.URL)
	require.NoError(t, err)
	require.Equal(t, tenant.EntryPath, at.Path)
	require.Equal(t, e.Host, at.Host)
	return at.Query().Get(tenant.EntryCode)
}

func TestEntryLink_SignsInOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, err := b.service.OpenEntry(t.Context(), account.Principal{FranchiserID: b.franchiser(t, "9811111111")})
	require.ErrorIs(t, err, errs.NotFound(), "no store yet")
	f, s := b.store(t, "9876543210", "Asha Sweets")
	other, elsewhere := b.store(t, "9812345678", "Ravi Foods")
	owner := account.Principal{FranchiserID: f}

	e, err := b.service.OpenEntry(t.Context(), owner)
	require.NoError(t, err)
	require.Equal(t, "asha-sweets.stores.franchise360.in", e.Host)
	_, err = b.service.TakeEntry(t.Context(), b.ref(other, elsewhere), code(t, e))
	require.ErrorIs(t, err, tenant.ErrEntry, "of another store")

	var in atomic.Int32
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			if token, err := b.service.TakeEntry(t.Context(), b.ref(f, s), code(t, e)); err == nil && token != "" {
				in.Add(1)
			}
		})
	}
	all.Wait()
	require.EqualValues(t, 1, in.Load(), "a link counts once, however many open it")

	late, err := b.service.OpenEntry(t.Context(), owner)
	require.NoError(t, err)
	b.clock.Advance(tenant.EntryLife)
	for _, wrong := range []string{code(t, late), "", "x"} {
		_, err = b.service.TakeEntry(t.Context(), b.ref(f, s), wrong)
		require.ErrorIs(t, err, tenant.ErrEntry)
	}

	waiting, err := b.service.OpenEntry(t.Context(), owner)
	require.NoError(t, err)
	require.NoError(t, b.service.ChangePassword(t.Context(), f, s.ID, "Guava#20271", proved))
	_, err = b.service.TakeEntry(t.Context(), b.ref(f, s), code(t, waiting))
	require.ErrorIs(t, err, tenant.ErrEntry, "a new password ends what leads in")

	for range 20 {
		_, err = b.service.OpenEntry(t.Context(), owner)
		require.NoError(t, err)
	}
	_, err = b.service.OpenEntry(t.Context(), owner)
	require.Equal(t, errs.KindRateLimited, errs.KindOf(err))
	b.clock.Advance(time.Minute)
	_, err = b.service.OpenEntry(t.Context(), owner)
	require.NoError(t, err)
}

func TestSession_ManagerLosesTheRole_Ends(t *testing.T) {
	t.Parallel()
	b := setup(t)
	f, s := b.store(t, "9876543210", "Asha Sweets")
	person, member := b.franchiser(t, "9812345678"), id.New()
	_, err := b.db.Owner.Exec(`INSERT INTO team_members (id, franchiser_id, name, mobile, role, state, person_id, invited_at, accepted_at)
		VALUES ($1, $2, 'Ravi Rao', '9812345678', 'manager', 'active', $3, $4, $4)`, member, f, person, b.clock.Now())
	require.NoError(t, err)
	as := account.Principal{FranchiserID: f, PersonID: person, MemberID: member, Role: account.RoleManager}

	e, err := b.service.OpenEntry(t.Context(), as)
	require.NoError(t, err)
	token, err := b.service.TakeEntry(t.Context(), b.ref(f, s), code(t, e))
	require.NoError(t, err)
	live, err := b.service.SignedIn(t.Context(), b.ref(f, s), token)
	require.NoError(t, err)
	require.Equal(t, &tenant.Session{MemberID: member}, live)

	unused, err := b.service.OpenEntry(t.Context(), as)
	require.NoError(t, err)
	_, err = b.db.Owner.Exec(`UPDATE team_members SET role = 'accountant' WHERE id = $1`, member)
	require.NoError(t, err)
	live, err = b.service.SignedIn(t.Context(), b.ref(f, s), token)
	require.NoError(t, err)
	require.Nil(t, live, "another role counts at the next request")
	_, err = b.service.TakeEntry(t.Context(), b.ref(f, s), code(t, unused))
	require.ErrorIs(t, err, tenant.ErrEntry)
}
