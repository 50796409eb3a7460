package figures

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/testkit"
)

// Rows of the view are read once and joined with the months alone: Postgres takes them for few, and would join them with one another row by row.
func TestCohorts_QueryPlan_JoinsNoCustomersWithCustomers(t *testing.T) {
	t.Parallel()
	db := testkit.NewDatabase(t)
	var lines, joined []string
	statement := strings.NewReplacer("$1", "'2026-10-01'", "$2", "'2026-11-02'").Replace(insertCohortsSQL)
	require.NoError(t, db.Worker.SelectContext(t.Context(), &lines, `EXPLAIN (COSTS OFF) `+statement[strings.Index(statement, "WITH"):]))
	for _, line := range lines {
		if m := regexp.MustCompile(`CTE Scan on (spans|firsts)`).FindStringSubmatch(line); m != nil {
			joined = append(joined, m[1])
		}
	}
	require.Equal(t, []string{"spans", "spans"}, joined, strings.Join(lines, "\n"))
}
