package subscription

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/testkit"
)

func TestStates_DiagramsEqualTheTables(t *testing.T) {
	t.Parallel()
	testkit.RequireStatesMove(t)
	testkit.RequireDiagram(t, "README.md", "A subscription", states())
	testkit.RequireDiagram(t, "README.md", "An order", orderStates())
}

func TestStates_TransitionByTime_IsInTheTable(t *testing.T) {
	t.Parallel()
	for _, from := range states().States() {
		to, due := afterTime()[from]
		require.Equal(t, due, Subscription{State: from, RenewOn: 1, ExpiredOn: 1}.dueOn() != 0, "%s waits for a day", from)
		require.True(t, !due || states().Allows(from, to), "%s → %s", from, to)
	}
}

func TestStates_TransitionOutsideTheTables_IsRefusedByTheDatabase(t *testing.T) {
	t.Parallel()
	db := testkit.NewDatabase(t)
	testkit.RequireGuard(t, db, states(), testkit.Rows{
		Table: "subscriptions",
		Insert: `INSERT INTO subscriptions (id, franchiser_id, state, revision, catalogue_revision, plan_id, service_id, plan_type,
				anchor_day, starts_on, renew_on, paid_until, expired_on, created_at, updated_at)
			VALUES ($1, $1, $2, 1, 1, $1, $1, 'monthly', 1, '2026-11-01', '2026-12-01', '2026-12-01',
				CASE WHEN $2 IN ('expired', 'lapsed') THEN date '2026-12-08' END, now(), now())`,
		Set: `expired_on = CASE WHEN $2 IN ('expired', 'lapsed') THEN date '2026-12-08' END`,
	})
	testkit.RequireGuard(t, db, orderStates(), testkit.Rows{
		Table: "orders",
		Insert: `INSERT INTO orders (id, franchiser_id, kind, state, fingerprint, base_revision, catalogue_revision, plan_id, service_id,
				plan_name, service_name, plan_type, add_on_ids, add_on_names, effective_on, renew_on, recipient, taxable_paise,
				cgst_paise, sgst_paise, utgst_paise, igst_paise, total_paise, pg_charge_paise, search, created_at, paid_at)
			VALUES ($1, $1, 'new', $2, sha256('x'), 0, 1, $1, $1, 'Start up', 'Expansion', 'monthly', '{}', '{}', '2026-11-01',
				'2026-12-01', '{}', 100, 0, 0, 0, 0, 100, 0, '', now(), CASE WHEN $2 = 'paid' THEN now() END)`,
		Set: `paid_at = CASE WHEN $2 = 'paid' THEN now() END`,
	})
}
