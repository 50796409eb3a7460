package support_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/support"
	"github.com/franchise360/franchise360/pkg/testkit"
	"github.com/franchise360/franchise360/pkg/testkit/member"
)

// Given views of two members of staff, then each sees their own and shared ones. The owner can change a view, and an admin shared ones.
func TestSavedViews_OwnAndShared_HaveTheirRights(t *testing.T) {
	t.Parallel()
	db, clk := testkit.NewDatabase(t), testkit.NewClock()
	views := support.NewSavedViews(db.API, clk)
	who := map[string]staff.Principal{}
	for name, role := range map[string]staff.Role{"Sunita": staff.RoleSupport, "Ravi": staff.RoleSupport, "Meera": staff.RoleAdmin} {
		p, err := member.Add(t.Context(), db.Owner, name, role, clk.Now())
		require.NoError(t, err)
		who[name] = p
	}
	sunita, ravi, meera := who["Sunita"], who["Ravi"], who["Meera"]
	save := func(p staff.Principal, name string, shared bool) (support.SavedView, error) {
		return views.Save(p.Sign(t.Context()), p, support.SavedView{List: "jobs", Name: name, Query: "?state=discarded", Shared: shared})
	}
	own, err := save(sunita, "  Given   up ", false)
	require.NoError(t, err)
	all, err := save(sunita, "For all", true)
	require.NoError(t, err)
	_, err = save(sunita, "given UP", true)
	require.Equal(t, "view_exists", errs.As(err).Code)
	_, err = save(ravi, "Given up", false)
	require.NoError(t, err, "a name is one's own")
	names := func(p staff.Principal) (found []string) {
		list, err := views.List(p.Sign(t.Context()), "jobs")
		require.NoError(t, err)
		for _, v := range list {
			require.Equal(t, "state=discarded", v.Query)
			found = append(found, v.Name+" of "+v.Owner)
		}
		return found
	}
	require.Equal(t, []string{"For all of Sunita", "Given up of Sunita"}, names(sunita))
	require.Equal(t, []string{"For all of Sunita", "Given up of Ravi"}, names(ravi))

	for _, viewID := range []string{own.ID, all.ID, id.New()} {
		require.Equal(t, errs.KindNotFound, errs.KindOf(views.Change(ravi.Sign(t.Context()), viewID, "Mine now", false)))
		require.Equal(t, errs.KindNotFound, errs.KindOf(views.Delete(ravi.Sign(t.Context()), viewID)))
	}
	require.Equal(t, errs.KindNotFound, errs.KindOf(views.Delete(meera.Sign(t.Context()), own.ID)), "what is private is no admin's")
	require.NoError(t, views.Change(meera.Sign(t.Context()), all.ID, "For everybody", true))
	require.NoError(t, views.Delete(meera.Sign(t.Context()), all.ID))
	require.NoError(t, views.Change(sunita.Sign(t.Context()), own.ID, "Old ones", true))
	require.Equal(t, []string{"Given up of Ravi", "Old ones of Sunita"}, names(ravi))
	require.NoError(t, views.Delete(sunita.Sign(t.Context()), own.ID))
	require.Empty(t, names(sunita))

	_, err = save(sunita, " ", false)
	require.Contains(t, errs.As(err).Fields, "name")
	_, err = views.Save(sunita.Sign(t.Context()), sunita, support.SavedView{List: "money", Name: "x"})
	require.Contains(t, errs.As(err).Fields, "list")
	_, err = views.Save(sunita.Sign(t.Context()), sunita, support.SavedView{List: "jobs", Name: "x", Query: strings.Repeat("a", 1001)})
	require.Contains(t, errs.As(err).Fields, "query")
}
