package payment_test

import (
	"testing"

	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/testkit"
)

func TestStates_DiagramsEqualTheTables(t *testing.T) {
	t.Parallel()
	testkit.RequireStatesMove(t)
	testkit.RequireDiagram(t, "README.md", "A payment", payment.States())
	testkit.RequireDiagram(t, "STATES.md", "A refund", payment.RefundStates())
	testkit.RequireDiagram(t, "STATES.md", "A dispute", payment.DisputeStates())
	testkit.RequireDiagram(t, "STATES.md", "A reversal", payment.ReversalStates())
}

func TestStates_TransitionOutsideTheTables_IsRefusedByTheDatabase(t *testing.T) {
	t.Parallel()
	db := testkit.NewDatabase(t)
	testkit.RequireGuard(t, db, payment.States(), testkit.Rows{
		Table: "payments",
		Insert: `INSERT INTO payments (id, franchiser_id, order_id, transaction_id, gateway, state, amount_paise, currency,
				captured_paise, search, created_at)
			VALUES ($1, $1, $1, right(replace($1::uuid::text, '-', ''), 25), 'payu', $2, 100, 'INR', 100, '', now())`,
	})
	testkit.RequireGuard(t, db, payment.RefundStates(), testkit.Rows{
		Table: "refunds",
		Insert: `INSERT INTO refunds (id, franchiser_id, payment_id, gateway_payment_id, amount_paise, reason, state, token, created_at, done_at)
			VALUES ($1, $1, $1, 'p1', 100, 'staff', $2, $1::uuid::text, now(), CASE WHEN $2 = 'done' THEN now() END)`,
		Set: `done_at = CASE WHEN $2 = 'done' THEN now() END`,
	})
	testkit.RequireGuard(t, db, payment.DisputeStates(), testkit.Rows{
		Table: "disputes",
		Insert: `INSERT INTO disputes (id, franchiser_id, payment_id, gateway_dispute_id, state, amount_paise, confirmed, opened_at, decided_at)
			VALUES ($1, $1, $1, 'd1', $2, 100, true, now(), CASE WHEN $2 <> 'open' THEN now() END)`,
		Set: `decided_at = CASE WHEN $2 <> 'open' THEN now() END`,
	})
	testkit.RequireGuard(t, db, payment.ReversalStates(), testkit.Rows{
		Table: "reversals",
		Insert: `INSERT INTO reversals (id, franchiser_ref, payment_id, kind, amount_paise, reason, state, needs_approval, key,
				requested_by, requested_at, finished_at)
			VALUES ($1, $1, $1, 'refund', 100, 'goodwill', $2, false, 'key-00001', $1, now(), CASE WHEN $2 IN ('done', 'failed') THEN now() END)`,
		Set: `finished_at = CASE WHEN $2 IN ('done', 'failed') THEN now() END`,
	})
}
