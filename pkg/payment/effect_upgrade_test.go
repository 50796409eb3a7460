package payment_test

import (
	"testing"

	"github.com/jmoiron/sqlx"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
)

// Given an upgrade that an earlier payment paid for as well, when all of its own payment is to go back, then the job says nothing of
// an end, because nothing ends by it.
func TestAJobDoesNotSayThatAnUpgradeEndsThatGoesOn(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.pay(b.owner, buy(b.tier(0, 0), plan.TypeYearly))
	up := b.pay(b.owner, buy(b.tier(3, 2), plan.TypeYearly))
	r, err := b.desk.Request(b.asha.Sign(t.Context()), b.asha, payment.ReversalInput{
		FranchiserID: b.owner, PaymentID: b.paymentOf(up), Kind: payment.ReversalRefund, All: true, Reason: "as agreed", Key: id.New(),
	})
	require.NoError(t, err)
	_, err = b.desk.Approve(b.ravi.Sign(t.Context()), b.ravi, r.ID, "as agreed")
	require.NoError(t, err)
	var said string
	require.NoError(t, postgres.InTenantTx(t.Context(), b.db.Worker, b.owner, func(tx *sqlx.Tx) error {
		e, err := payment.JobPreviews()[payment.ReverseArgs{}.Kind()](t.Context(), tx, []byte(`{"reversal_id":"`+r.ID+`"}`), b.clock.Now())
		said = e.Summary
		return err
	}))
	require.Contains(t, said, "Would do the approved refund")
	require.NotContains(t, said, "ends")
	b.work()
	require.Equal(t, "refunded", b.state(up))
	require.Contains(t, b.standing(b.owner), "active")
}
