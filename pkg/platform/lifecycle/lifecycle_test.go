package lifecycle_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/lifecycle"
)

type door string

func TestTable_Move_AllowsOnlyItsTransitions(t *testing.T) {
	t.Parallel()
	table := lifecycle.Table[door]{"": {"open"}, "open": {"closed"}, "closed": {"open", "locked"}}
	require.Equal(t, []door{"closed", "locked", "open"}, table.States())
	var d door
	for _, next := range []door{"open", "open", "closed", "locked", "locked"} {
		require.NoError(t, table.Move(&d, next), next)
		require.Equal(t, next, d)
	}
	err := table.Move(&d, "open")
	require.Equal(t, errs.KindInternal, errs.KindOf(err))
	require.ErrorContains(t, err, `lifecycle_test.door does not go from "locked" to "open"`)
	require.Equal(t, door("locked"), d, "it stays as it was")
	require.False(t, table.Allows("locked", "locked"), "which is no change")
}
