package support_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/payment/banktransfer"
	"github.com/franchise360/franchise360/pkg/payment/checkout"
	"github.com/franchise360/franchise360/pkg/payment/reversal"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/staff/approval"
	"github.com/franchise360/franchise360/pkg/subscription"
	"github.com/franchise360/franchise360/pkg/support"
	"github.com/franchise360/franchise360/pkg/testkit/story"
)

// paysByTransfer has the customer pay by a transfer that staff assign to the proforma.
func (b *counter) paysByTransfer(want subscription.PurchaseIntent) {
	b.T.Helper()
	ctx, now := b.T.Context(), b.Clock.Now()
	var o subscription.Order
	require.NoError(b.T, postgres.InTenantTx(ctx, b.DB.API, b.Buyer, func(tx *sqlx.Tx) (err error) {
		o, err = b.API.Checkout.TransferOrderTx(ctx, tx, b.Buyer, checkout.Input{Intent: want, Key: "transfer-1"}, now)
		return err
	}))
	require.NoError(b.T, postgres.InTx(ctx, b.DB.Worker, func(tx *sqlx.Tx) error {
		paid, err := b.Worker.Transfers.PayTx(ctx, tx, banktransfer.Transfer{FranchiserID: b.Buyer, OrderID: o.ID, UTRs: []string{"HDFCR52026112500001"}, Received: o.Payable()}, now)
		require.Empty(b.T, paid.Refused)
		return err
	}))
	b.Work()
}

// Given a plan paid by bank transfer, then no message says that the refund is on its way: staff transfer it, and see it until they have
// booked the transfer.
func TestCancelPlan_PaidByTransfer_WaitsForTheTransferByStaff(t *testing.T) {
	t.Parallel()
	b := acting(t)
	b.paysByTransfer(story.Buy(b.Tier(0, 0), plan.TypeYearly))
	b.Live(73)
	act, err := b.ask(support.ActCancelPlan, support.ActContent{})
	require.NoError(t, err)
	facts := fmt.Sprint(act.Facts)
	require.Contains(t, facts, "{To be transferred by you "+act.Amount.Display()+" was paid by bank transfer.")
	require.NotContains(t, facts, "Credit note and refund of")
	done := b.do2(act)
	require.Equal(t, approval.Done, done.State)
	require.Equal(t, "The plan has ended. "+act.Amount.Display()+" was paid by bank transfer and waits under Money: transfer it back, and book that with its UTR.", done.Outcome)
	require.Contains(t, b.Standing(b.Buyer), "expired")
	customer, err := support.NewCustomers(b.DB.API, b.Clock, staff.NewRecorder(b.Clock), nil).Customer(b.Asha.Sign(t.Context()), b.Asha, b.Buyer)
	require.NoError(t, err)
	require.Equal(t, "ended_by_refund", customer.State, "the console names the state as the customer's dashboard does")
	require.Equal(t, int(act.Amount), b.count(`SELECT sum(amount_paise) FROM refunds WHERE state = 'failed'`))
	r, err := b.Reversals.Request(b.Asha.Sign(t.Context()), b.Asha, reversal.Input{
		FranchiserID: b.Buyer, PaymentID: b.Text(`SELECT id FROM payments`), Kind: reversal.KindCreditNote, Amount: act.Amount, BankReference: "OURN42026112500001",
		Reason: "Transferred today", Key: "transferred-1",
	})
	require.NoError(t, err)
	if r.NeedsApproval {
		_, err = b.Reversals.Approve(b.Ravi.Sign(t.Context()), b.Ravi, r.ID, "Seen in the statement")
		require.NoError(t, err)
	}
	b.Work()
	require.Equal(t, int(act.Amount), b.count(`SELECT sum(total_paise) FROM invoices WHERE kind = 'credit_note'`))
}

// Given an outage some days ago, then the preview shows the customers whom that many days help, and a useless extension is refused.
func TestExtendGraceForOutage_Preview_ShowsOnlyCustomersWhomItHelps(t *testing.T) {
	t.Parallel()
	b := acting(t)
	b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeMonthly))
	b.Pass(4 * 24 * time.Hour)
	later := b.Franchiser("27")
	b.Pay(later, story.Buy(b.Tier(0, 0), plan.TypeMonthly))
	b.Live(37)
	today := b.Today()
	days := b.Text(`SELECT string_agg(($1::date - (renew_on + 6))::text, ' ' ORDER BY renew_on) FROM subscriptions WHERE state = 'expired'`, today)
	require.Equal(t, "5 1", days, "so long ago their grace ended")
	window := support.ActContent{From: today - 10, To: today, Days: 3}
	act, err := b.ask(support.ActOutageGrace, window)
	require.NoError(t, err)
	facts := fmt.Sprint(act.Facts)
	require.Contains(t, facts, "{Customers 1}")
	require.Contains(t, facts, "{Not helped 1 customer, who could not renew even with these days}")
	require.Equal(t, 1, strings.Count(facts, "could renew until"))
	done := b.do2(act)
	require.Equal(t, "1 customer was given more days.", done.Outcome)
	window.To = today - 4
	_, err = b.ask(support.ActOutageGrace, window)
	require.Contains(t, errs.As(err).Message, "help nobody")
	window.Days = 5
	act, err = b.ask(support.ActOutageGrace, window)
	require.NoError(t, err)
	require.Equal(t, "1 customer was given more days.", b.do2(act).Outcome)
}
