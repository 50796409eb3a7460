package mandate_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/mandate"
	"github.com/franchise360/franchise360/pkg/testkit/world"
)

func TestView_PlanExpiredAfterAFailedDebit_AsksToPayAndNamesNoDebit(t *testing.T) {
	t.Parallel()
	b := begin(t)
	b.Mandates.Set(func(m *world.Mandates) { m.Cause = mandate.CauseDeclined })
	b.until("failed")
	for range 3 {
		b.hours(8 * 24)
		require.Equal(t, "expired", b.subscription())
		v, err := b.APIMandates.View(t.Context(), b.Buyer)
		require.NoError(t, err)
		require.True(t, v.PayToStart)
		require.Zero(t, v.DebitOn)
		require.Nil(t, v.Next)
		advice, _ := v.Follows(v.History[0])
		require.Equal(t, "Pay manually to start your plan again.", advice)
	}
	b.Mandates.Set(func(m *world.Mandates) { m.Cause = mandate.CauseNone })
	b.Pay(b.Buyer, b.Renewal(b.Buyer))
	b.hours(24)
	v, err := b.APIMandates.View(t.Context(), b.Buyer)
	require.NoError(t, err)
	require.False(t, v.PayToStart)
	require.NotZero(t, v.DebitOn, "the mandate debits the next term")
	b.safe()
}

func TestDebit_PlanExpiredBeforeTheRequest_ExplainsIt(t *testing.T) {
	t.Parallel()
	for _, state := range []string{"planned", "noticed"} {
		t.Run(state, func(t *testing.T) {
			t.Parallel()
			b := begin(t)
			b.until(state)
			b.Pass(20 * 24 * time.Hour) // no worker
			b.Sweep()
			require.Equal(t, "expired", b.subscription())
			const why = "Your plan ended before your bank was asked. Pay manually to start it again."
			v, err := b.APIMandates.View(t.Context(), b.Buyer)
			require.NoError(t, err)
			require.Equal(t, why, v.History[0].Explanation())
			b.hours(24)
			require.Equal(t, "1 called_off ", b.debits())
			require.Equal(t, why, b.Text(`SELECT reason FROM mandate_debits WHERE franchiser_id = $1`, b.Buyer))
			require.Empty(t, b.made())
			b.safe()
		})
	}
}
