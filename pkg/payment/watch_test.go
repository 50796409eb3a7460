package payment_test

import (
	"testing"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/payment/desk"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/testkit/story"
)

// watched returns what the worker reports about all payments.
func (b *bundle) watched() (w desk.Watched) {
	b.T.Helper()
	require.NoError(b.T, postgres.InTx(b.T.Context(), b.DB.Worker, func(tx *sqlx.Tx) (err error) {
		w, err = desk.WatchedTx(b.T.Context(), tx, b.Clock.Now(), 10*time.Minute)
		return err
	}))
	return w
}

func TestWatched_HeldAndFailedPayments_AreReported(t *testing.T) {
	t.Parallel()
	b := setup(t)
	monthly := story.Buy(b.Tier(0, 0), plan.TypeMonthly)
	require.Equal(t, desk.Watched{Undecided: map[string]int{}}, b.watched())

	held := b.heldPayment(monthly)
	require.Equal(t, []desk.HeldPayment{{TransactionID: held.TransactionID, Wrong: "₹14,749 came, ₹14,750 was due: ₹1 is missing."}}, b.watched().Held)

	other := b.Franchiser("27")
	pending := b.Ask(other, monthly)
	b.Settle(pending, payment.StatusPending)
	b.Clock.Advance(time.Hour)
	require.Empty(t, b.watched().Undecided, "an hour is not over")
	b.Clock.Advance(time.Second)
	require.Equal(t, map[string]int{"fake": 1}, b.watched().Undecided)

	b.Pay(b.Franchiser("27"), monthly)
	require.Empty(t, b.watched().Unheard, "its notice may be under way")
	b.Clock.Advance(time.Minute)
	require.Equal(t, []desk.Unheard{{Gateway: "fake", Payments: 1}}, b.watched().Unheard)
	told := b.Pay(b.Franchiser("27"), monthly)
	require.NoError(t, b.API.Notices.Notified(t.Context(), "fake", b.Gateway.Notice(told.TransactionID)))
	b.Clock.Advance(time.Minute)
	require.Empty(t, b.watched().Unheard, "one was told")
	b.Pay(b.Franchiser("27"), monthly)
	b.Pay(b.Franchiser("27"), monthly)
	b.Clock.Advance(time.Minute)
	require.Equal(t, []desk.Unheard{{Gateway: "fake", Payments: 2}}, b.watched().Unheard, "those after it")
	b.Clock.Advance(10 * time.Minute)
	require.Empty(t, b.watched().Unheard)
}
