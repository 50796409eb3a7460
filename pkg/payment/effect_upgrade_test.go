package payment_test

import (
	"testing"

	"github.com/jmoiron/sqlx"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/payment/reversal"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/testkit/story"
)

// Given an upgrade partly paid for by an earlier payment, when its own payment is refunded in full, then the job does not announce
// an end, because nothing ends.
func TestRefundJobPreview_UpgradeThatContinues_NamesNoEnd(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeYearly))
	up := b.Pay(b.Buyer, story.Buy(b.Tier(3, 2), plan.TypeYearly))
	r, err := b.Reversals.Request(b.Asha.Sign(t.Context()), b.Asha, reversal.Input{
		FranchiserID: b.Buyer, PaymentID: b.PaymentOf(up), Kind: reversal.KindRefund, All: true, Reason: "as agreed", Key: id.New(),
	})
	require.NoError(t, err)
	_, err = b.Reversals.Approve(b.Ravi.Sign(t.Context()), b.Ravi, r.ID, "as agreed")
	require.NoError(t, err)
	var said string
	require.NoError(t, postgres.InTenantTx(t.Context(), b.DB.Worker, b.Buyer, func(tx *sqlx.Tx) error {
		e, err := reversal.JobPreviews()[reversal.Args{}.Kind()](t.Context(), tx, []byte(`{"reversal_id":"`+r.ID+`"}`), b.Clock.Now())
		said = e.Summary
		return err
	}))
	require.Contains(t, said, "Would do the approved refund")
	require.NotContains(t, said, "ends")
	b.Work()
	require.Equal(t, "refunded", b.State(up))
	require.Contains(t, b.Standing(b.Buyer), "active")
}
