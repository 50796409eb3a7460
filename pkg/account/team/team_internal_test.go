package team

import (
	"testing"

	"github.com/franchise360/franchise360/pkg/testkit"
)

func TestMemberStates_DatabaseGuard_MatchesTheTable(t *testing.T) {
	t.Parallel()
	testkit.RequireDiagram(t, "../README.md", "A member", memberStates())
	testkit.RequireGuard(t, testkit.NewDatabase(t), memberStates(), testkit.Rows{
		Table: "team_members",
		Insert: `INSERT INTO team_members (id, franchiser_id, name, mobile, role, state, invited_at)
			VALUES ($1, $1, 'Ravi', '', 'manager', $2, now())`,
	})
}
