package staff_test

import (
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/password"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/testkit"
)

// Given an office without anybody, when several people make the first account at once, then one of them succeeds, and it is an admin.
func TestFirstAccount_ConcurrentRequests_MakeOneAdmin(t *testing.T) {
	t.Parallel()
	db, clk := testkit.NewDatabase(t), testkit.NewClock()
	create := func(change func(*staff.Account)) error {
		return staff.CreateFirst(t.Context(), db.Owner, password.Cheap(1), testkit.NewKeyring(t), clk, account(change))
	}
	require.Contains(t, errs.As(create(func(a *staff.Account) { a.Name = " " })).Fields, "name")
	var wg sync.WaitGroup
	made := make([]error, 4)
	for i := range made {
		wg.Go(func() {
			made[i] = create(func(a *staff.Account) { a.Email, a.Role = fmt.Sprintf("admin%d@example.in", i), staff.RoleSupport })
		})
	}
	wg.Wait()
	refused := 0
	for _, err := range made {
		if err != nil {
			refused++
			require.Equal(t, "staff_exists", codeOf(t, err))
			require.Equal(t, errs.KindConflict, errs.KindOf(err))
		}
	}
	require.Equal(t, 3, refused)
	list, err := staff.List(t.Context(), db.Owner)
	require.NoError(t, err)
	require.Len(t, list, 1)
	require.Equal(t, staff.RoleAdmin, list[0].Role, "whatever role is named")

	same := func(a *staff.Account) { a.Email = list[0].Email }
	require.Equal(t, "staff_exists", codeOf(t, create(same)), "nor does it change the one that there is")
	require.NoError(t, staff.Disable(t.Context(), db.Owner, clk, list[0].Email, "Left us"))
	require.Equal(t, "staff_exists", codeOf(t, create(func(a *staff.Account) { a.Email = "other@example.in" })), "a disabled one is one")
}
