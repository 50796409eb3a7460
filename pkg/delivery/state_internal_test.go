package delivery

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/testkit"
)

func TestStates_DiagramAndList_MatchTheTable(t *testing.T) {
	t.Parallel()
	testkit.RequireDiagram(t, "README.md", "A delivery", states())
	require.ElementsMatch(t, states().States(), States())
	for _, s := range States() {
		require.NotContains(t, s.Next(), StateEnded, "only the end of a purchase ends a delivery")
	}
}

func TestDatabase_Transitions_MatchTheTable(t *testing.T) {
	t.Parallel()
	db := testkit.NewDatabase(t)
	testkit.RequireGuard(t, db, states(), testkit.Rows{
		Table: "deliveries",
		Insert: `INSERT INTO deliveries (id, franchiser_id, order_id, item, name, add_on, how, proof_by, state, promised_on, proof, created_at, updated_at,
				delivered_at, ended_at, end_reason)
			VALUES ($1, $1, $1, uuidv7()::text, 'Campaign', false, 'staff', '', $2, now(), 'x', now(), now(), now(),
				CASE $2 WHEN 'ended' THEN now() END, CASE $2 WHEN 'ended' THEN 'changed' ELSE '' END)`,
		Set: `ended_at = CASE $2 WHEN 'ended' THEN now() END, end_reason = CASE $2 WHEN 'ended' THEN 'changed' ELSE '' END`,
	})
}

func TestChange_DeliveredWithoutProof_IsRefused(t *testing.T) {
	t.Parallel()
	d := Delivery{State: StateInProgress}
	for name, c := range map[string]struct {
		change Change
		field  string
	}{
		"no proof":               {Change{State: StateDelivered, Proof: " "}, "proof"},
		"a link without https":   {Change{State: StateDelivered, Proof: "http://example.in"}, "proof"},
		"a script as link":       {Change{State: StateDelivered, Proof: "javascript://x"}, "proof"},
		"nothing to wait for":    {Change{State: StateWaiting}, "needs"},
		"end by hand":            {Change{State: StateEnded}, "state"},
		"a state that is no one": {Change{State: "lost"}, "state"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := c.change.clean(d)
			require.Contains(t, errs.As(err).Fields, c.field)
		})
	}
	c, err := Change{State: StateDelivered, Proof: "  https://play.google.com/store/apps/details?id=in.example "}.clean(d)
	require.NoError(t, err)
	require.Equal(t, "https://play.google.com/store/apps/details?id=in.example", c.Proof)
}
