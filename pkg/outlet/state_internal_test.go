package outlet

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/testkit"
)

func TestOutletStates_DiagramsEqualTheTables(t *testing.T) {
	t.Parallel()
	testkit.RequireDiagram(t, "README.md", "An outlet", states())
	testkit.RequireDiagram(t, "README.md", "A partner", partnerStates())
	require.ElementsMatch(t, states().States(), States(), "each is shown")
	for _, s := range States() {
		require.NotEqual(t, string(s), s.Label())
		for _, next := range s.Next() {
			require.NotEmpty(t, next.Moving(s))
		}
	}
}

func TestOutletStates_TransitionOutsideTheTable_IsRefusedByTheDatabase(t *testing.T) {
	t.Parallel()
	db := testkit.NewDatabase(t)
	testkit.RequireGuard(t, db, states(), testkit.Rows{
		Table: "franchises",
		Insert: `INSERT INTO franchises (id, franchiser_id, tenant_id, name, name_key, city, state, created_at)
			VALUES ($1, $1, $1, 'Camp', uuidv7()::text, 'Pune', $2, now())`,
	})
	testkit.RequireGuard(t, db, partnerStates(), testkit.Rows{
		Table: "outlet_partners",
		Insert: `INSERT INTO outlet_partners (id, franchiser_id, tenant_id, name, mobile, role, state, invited_at)
			VALUES ($1, $1, $1, 'Ravi', '', 'viewer', $2, now())`,
	})
}
