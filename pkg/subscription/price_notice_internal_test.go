package subscription

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/testkit"
)

// Revisions are few and subscriptions many: each revision is one step down the index, whatever the number of subscriptions.
func TestPriceNotice_RunningRevisions_AreFoundByTheIndex(t *testing.T) {
	t.Parallel()
	db := testkit.NewDatabase(t)
	tx, err := db.Worker.BeginTxx(t.Context(), nil)
	require.NoError(t, err)
	defer func() { _ = tx.Rollback() }()
	_, err = tx.ExecContext(t.Context(), `SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off`)
	require.NoError(t, err)
	var lines []string
	require.NoError(t, tx.SelectContext(t.Context(), &lines, `EXPLAIN (COSTS OFF) `+runningRevisionsSQL))
	plan := strings.Join(lines, "\n")
	require.Equal(t, 2, strings.Count(plan, "Index Only Scan using subscriptions_running_revision"), plan)
	require.Equal(t, 2, strings.Count(plan, "Limit"), "%s\nreads one entry of the index each time", plan)
	require.NotContains(t, plan, "Seq Scan", plan)
}
